"""What is done and measured inside Django, without a server: ``python -m bench.inside <what>``.

A process of its own on a store of its own. Arguments come as JSON on standard input, the answer
goes as JSON to standard output.
"""

from __future__ import annotations

import cProfile
import io
import json
import os
import pstats
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from typing import Any, NamedTuple
from wsgiref.util import setup_testing_defaults

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scoresheet.settings")
django.setup()

from django.db import connection, transaction  # noqa: E402 - only now Django is set up
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.utils import timezone  # noqa: E402

from bench import evenings, plainly, stored  # noqa: E402
from bench.numbers import median  # noqa: E402
from bench.sheets import DEALS, Sheet  # noqa: E402
from games import access, drawn  # noqa: E402
from games.models import HIGHEST_ROUND, Change, Entry, Round, Table  # noqa: E402
from scoresheet.wsgi import application  # noqa: E402

TOP = 50  # lines of a profile
PAGES = dict.fromkeys(("first", "number", "again"), "/t/{table.key}/")
PAGES["nothing new"] = "/t/{table.key}/m/1/changes/?since={table.version}"


class Answer(NamedTuple):
    """What Django answered, and what that took."""

    status: str
    ms: float
    cpu_ms: float
    queries: int


def units(*, runs: int) -> dict[str, float]:
    """What two plain things take, in ms: ratios are multiples of these.

    A bare request goes through the whole of Django and comes to nothing. A plain write is a
    transaction with the five statements that the least of sheets would need.
    """
    table = evenings.play("bauernstoss", 0, ["lena", "kofi", "felix", "nora"])
    bare = [ask("GET /csrf/").ms for _ in range(runs)]
    writes = [_write_plainly(table, number) for number in range(1, min(runs, HIGHEST_ROUND) + 1)]
    return {"bare request": median(bare), "ORM write": median(writes)}


def _write_plainly(table: Table, number: int) -> float:
    match = access.newest_match(table)
    side = access.sides_of(match)[0]
    began = time.perf_counter()
    with transaction.atomic():
        locked = Table.objects.select_for_update().get(pk=table.pk)
        locked.version += 1
        now, version = timezone.now(), locked.version
        row = Round.objects.create(match=match, number=number, version=version)
        Entry.objects.create(round=row, side_id=side.id, points=1, version=version, written_at=now)
        Change.objects.create(
            table=locked,
            version=version,
            at=now,
            match_number=1,
            round_number=number,
            column=side.column,
            after=1,
            why=Change.Why.OWN,
        )
        locked.save(update_fields=["version"])
    return (time.perf_counter() - began) * 1000


def write(*, sheets: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """Write numbers plainly in one thread, round and round for so long.

    How many a second, what was entered at each sheet, and how many statements one takes, and a
    POST.
    """
    waiting, sides = Sheet.read(sheets), plainly.sides_of_all()
    _post_next(waiting[0])  # from now on this process has seen the sheet
    of_a_post = _post_next(waiting[0]).queries
    with counted() as statements:
        plainly.write(waiting[0], sides)
    began, count = time.perf_counter(), 0
    for sheet in cycle(waiting):
        plainly.write(sheet, sides)
        count += 1
        if time.perf_counter() - began >= seconds:
            break
    rate = count / (time.perf_counter() - began)
    return {
        "entered": [sheet.entered for sheet in waiting],
        "rate": rate,
        "statements": statements.count,
        "of_a_post": of_a_post,
    }


def post(*, sheets: list[dict[str, Any]]) -> None:
    """Enter a number at every table."""
    for sheet in Sheet.read(sheets):
        _post_next(sheet)


def page(*, sheet: dict[str, Any], runs: int) -> dict[str, Any]:
    """What a sheet's page takes, by how much of it was drawn before, and what nothing new takes.

    ``first``: this process has drawn nothing yet. ``number``: a deal was written since.
    ``again``: somebody has seen this version. Wall and computing time in ms, and queries.
    """
    table = Table.objects.get(key=sheet["key"])
    rows = cycle(DEALS[table.game_slug])
    found: dict[str, list[Answer]] = {}
    for run in range(runs):
        drawn.forget_all()
        for name, path in PAGES.items():
            if name == "number":
                number = sheet["rounds"] + run + 1
                evenings.write_rounds(table, islice(rows, 1), first=number)
            line = f"GET {path.format(table=Table.objects.get(pk=table.pk))}"
            found.setdefault(name, []).append(ask(line, token=sheet["seated"][0]))
    return {
        name: {
            "statuses": sorted({answer.status for answer in answers}),
            "ms": median(answer.ms for answer in answers),
            "cpu_ms": median(answer.cpu_ms for answer in answers),
            "queries": max(answer.queries for answer in answers),
        }
        for name, answers in found.items()
    }


def roam(*, told: dict[str, Any], runs: int, seed: int) -> dict[str, list[tuple[float, float]]]:
    """What pages, numbers and lists take anywhere in a full store: ms, and computing of it.

    Whoever comes has not been seen by this process: what it keeps would hide the store.
    """
    dice = random.Random(seed)  # noqa: S311 - the same ways in every store
    found: dict[str, list[tuple[float, float]]] = {}
    for _ in range(runs):
        group, table = dice.randrange(told["groups"]), dice.randrange(len(told["keys"]))
        sheet = stored.sheet_of(told, group, table)
        for name, address in stored.PAGES.items():
            drawn.forget_all()
            line = f"GET {address.format(**stored.names_of(told, group, table))}"
            answer = ask(line, token=sheet.seated[0])
            if answer.status != "200 OK":
                raise AssertionError(f"{line}: {answer.status}")
            found.setdefault(name, []).append((answer.ms, answer.cpu_ms))
        answer = _post_next(sheet)
        found.setdefault("a number", []).append((answer.ms, answer.cpu_ms))
    return found


def profile(*, sheets: list[dict[str, Any]], posts: int) -> dict[str, Any]:
    """Where a POST of a number spends its time, and what it asks of the store."""
    waiting = cycle(Sheet.read(sheets))
    for _ in range(len(sheets)):
        _post_next(next(waiting))
    took = [_post_next(next(waiting)).ms for _ in range(posts)]
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(posts):
        _post_next(next(waiting))
    profiler.disable()
    lines = io.StringIO()
    pstats.Stats(profiler, stream=lines).sort_stats("cumulative").print_stats(TOP)
    with CaptureQueriesContext(connection) as captured:
        _post_next(next(waiting))
    return {
        "ms": median(took),
        "profile": lines.getvalue(),
        "queries": [query["sql"] for query in captured.captured_queries],
    }


def _post_next(sheet: Sheet) -> Answer:
    head, _, body = sheet.post(sheet.next_entry()).decode().partition("\r\n\r\n")
    line, *headers = head.split("\r\n")
    answer = ask(line, headers=dict(header.split(": ", 1) for header in headers), body=body)
    if answer.status != "200 OK":
        raise AssertionError(f"{line}: {answer.status}")
    return answer


def ask(
    line: str, *, token: str = "", headers: dict[str, str] | None = None, body: str = ""
) -> Answer:
    """Have Django answer a request, in this thread and with nothing around it."""
    method, path, *_ = line.split(" ")
    path, _, query = path.partition("?")
    sent = {"Accept-Encoding": "gzip, deflate, br", "Cookie": f"phone={token}", **(headers or {})}
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "wsgi.input": io.BytesIO(body.encode()),
    }
    for name, value in sent.items():
        key = name.upper().replace("-", "_")
        environ[key if key.startswith("CONTENT_") else f"HTTP_{key}"] = value
    setup_testing_defaults(environ)
    statuses: list[str] = []

    def start(status: str, _headers: object, _error: object = None) -> Callable[[bytes], object]:
        statuses.append(status)
        return io.BytesIO().write

    began, computed = time.perf_counter(), time.process_time()
    with counted() as queries:
        answered = application(environ, start)
        for _piece in answered:
            pass
        answered.close()
    took = time.perf_counter() - began
    computed = time.process_time() - computed
    return Answer(statuses[0], took * 1000, computed * 1000, queries.count)


class Counter:
    """Counts statements on their way to the store; BEGIN is one, COMMIT is none."""

    count = 0

    def __call__(self, execute: Callable[..., Any], *statement: Any) -> Any:
        """Let one through."""
        self.count += 1
        return execute(*statement)


@contextmanager
def counted() -> Iterator[Counter]:
    """The statements of the block."""
    counter = Counter()
    with connection.execute_wrapper(counter):
        yield counter


WHAT: dict[str, Callable[..., Any]] = {
    "fill": evenings.fill,
    "fill_up": stored.fill,
    "roam": roam,
    "units": units,
    "write": write,
    "post": post,
    "page": page,
    "profile": profile,
}

if __name__ == "__main__":
    with suppress(KeyboardInterrupt):  # whoever asked has it too, and says so
        json.dump(WHAT[sys.argv[1]](**json.load(sys.stdin)), sys.stdout)
