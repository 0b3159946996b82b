"""What is counted while the product runs, for Prometheus (docs/operating.md).

Counting costs about a microsecond. Labels are routes, codes and statuses: never a table, a person
or a number on a sheet.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from prometheus_client import Counter, Gauge, Histogram, Info

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.backends.base.base import BaseDatabaseWrapper

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # seconds
WAITS = ("BEGIN", "SELECT")  # how a statement begins that may wait for another writer

BUILD = Info("scoresheet_build", "The release that answers, and the process it runs in")
STREAMS = Gauge("scoresheet_streams_open", "Streams that are open now")
ENTRIES = Counter("scoresheet_entries_written", "Cells written by people, once committed")
REPEATS = Counter("scoresheet_repeated_attempts", "Attempts that came again after they were taken")
REFUSALS = Counter("scoresheet_refusals", "Verbs that were refused, by code", ["code"])
ANSWERS = Counter("scoresheet_answers", "Requests answered", ["route", "status"])
SECONDS = Histogram(
    "scoresheet_answer_seconds",
    "From a request to the beginning of its answer",
    ["route"],
    buckets=QUICK,
)
HUB_LAG = Histogram(
    "scoresheet_hub_lag_seconds",
    "From word of a commit until its news lie before everybody who listens",
    buckets=QUICK,
)
PAGES = Counter("scoresheet_sheet_pages", "Pages of sheets: found as kept, or drawn", ["how"])
STORE_WAIT = Histogram(
    "scoresheet_store_wait_seconds", "What writers waited for the one before", buckets=QUICK
)


def time_waits(*, connection: BaseDatabaseWrapper, **_more: Any) -> None:
    """Measure on a new connection how long its writers wait for their turn."""
    connection.execute_wrappers.append(_timed)


def _timed(
    execute: Callable[..., Any], sql: str, params: Any, many: Any, context: dict[str, Any]
) -> Any:
    if not sql.startswith(WAITS) or not (sql.startswith("BEGIN") or sql.endswith("FOR UPDATE")):
        return execute(sql, params, many, context)
    began = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        STORE_WAIT.observe(time.perf_counter() - began)
