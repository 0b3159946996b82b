"""The product as it is served, on a machine that is in trouble as a test wants it.

``python -m uvicorn tests.upkeep.faults:application``. The test writes what is wrong into a file of
the data folder, as JSON: ``{"full": true}``, ``{"read_only": true}``, ``{"clock": 86400}``. The
troubles are SQLite's own: no page more than there are, no writing at all.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db.backends.signals import connection_created
from django.utils import timezone

from scoresheet.asgi import application
from tests.upkeep.trouble import FILE

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["application"]

NO_END = 1_073_741_823  # pages: SQLite's own limit

_file = Path(os.environ["DATA_DIR"]) / FILE
_now, _time = timezone.now, time.time


def _trouble() -> dict[str, Any]:
    with suppress(FileNotFoundError):
        found: dict[str, Any] = json.loads(_file.read_text())
        return found
    return {}


def _under_trouble(
    execute: Callable[..., Any], sql: str, params: Any, many: Any, context: dict[str, Any]
) -> Any:
    trouble = _trouble()
    store = context["connection"].connection
    store.execute(f"PRAGMA max_page_count = {1 if trouble.get('full') else NO_END}")
    store.execute(f"PRAGMA query_only = {1 if trouble.get('read_only') else 0}")
    return execute(sql, params, many, context)


def _take(connection: Any, **_more: Any) -> None:
    connection.execute_wrappers.append(_under_trouble)


connection_created.connect(_take)
timezone.now = lambda: _now() + timedelta(seconds=_trouble().get("clock", 0))
time.time = lambda: _time() + _trouble().get("clock", 0)
