"""One worker and two on one store: numbers a second, and when phones at the other one see them."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import cycle

from bench import wire, writing
from bench.machine import Watch, cpu_seconds_of
from bench.numbers import Span, first_at_least, quantile
from bench.report import Finding
from bench.sheets import Sheet
from bench.size import Size
from bench.stage import Served, Stage, Store
from tests.grown import Redis
from tests.serving import POSTGRES, REDIS

STORE = "PostgreSQL and Redis" if POSTGRES else "SQLite"
STORES = ("postgres", "redis-server")  # by what the system calls them
SHEETS_EACH = 40  # for every connection; enough that no match comes to its end
EVERY = 0.05  # seconds between two numbers that are looked out for
PATIENCE = 5.0  # seconds until a number counts as not seen; hints that got lost are healed in two


@dataclass(frozen=True)
class Written:
    """Numbers as fast as they were taken: each from the phone to the answer."""

    seconds: float
    spans: Sequence[Span]
    computed: float  # seconds, by all workers
    stored: float  # seconds, by database and Redis

    @property
    def rate(self) -> float:
        """Numbers a second."""
        return len(self.spans) / self.seconds


@dataclass(frozen=True)
class Seen:
    """Numbers that were written at the first worker, by when a phone at the last one had them."""

    spans: Sequence[Span]
    missing: int


def measure(stage: Stage, size: Size) -> list[Finding]:
    """One worker and two, one after the other, at the same tables.

    Two of them need Redis, on SQLite as well; where there is none, only one is measured.
    """
    count = size.connections * SHEETS_EACH
    most = 2 if REDIS or shutil.which("redis-server") else 1
    with stage.store(tables=count, rounds=2) as store:
        found = {workers: _with(store, workers, size) for workers in range(1, most + 1)}
    return [finding for workers, each in found.items() for finding in findings(workers, *each)]


def _with(store: Store, workers: int, size: Size) -> tuple[Written, Seen]:
    with ExitStack() as stack:
        more = {"REDIS_URL": stack.enter_context(Redis()).url} if workers > 1 and not REDIS else {}
        servers = [stack.enter_context(store.served(**more)) for _ in range(workers)]
        return wire.run(_measure(servers, store.sheets, size))


async def _measure(
    servers: Sequence[Served], sheets: Sequence[Sheet], size: Size
) -> tuple[Written, Seen]:
    for server in servers:
        await writing.everywhere(server.port, sheets)  # the evening is under way
    written = await _write_all(servers, sheets, size)
    return written, await _look_out(servers[0].port, servers[-1].port, sheets[: size.told])


async def _write_all(servers: Sequence[Served], sheets: Sequence[Sheet], size: Size) -> Written:
    """Over a few connections, each to all workers in turn: as phones of a table are spread."""
    watches = [Watch(server.process) for server in servers]
    before = cpu_seconds_of(*STORES)
    end = time.monotonic() + size.seconds * size.turns
    async with asyncio.TaskGroup() as group:
        writing_now = [
            group.create_task(_write(servers, sheets[first :: size.connections], end))
            for first in range(size.connections)
        ]
    busy = [watch.busy() for watch in watches]
    seconds, computed = busy[0].seconds, sum(one.server * one.seconds for one in busy)
    spans = [span for task in writing_now for span in task.result()]
    stored = sum(now - before.get(pid, 0) for pid, now in cpu_seconds_of(*STORES).items())
    return Written(seconds, spans, computed, stored)


async def _write(servers: Sequence[Served], sheets: Sequence[Sheet], end: float) -> list[Span]:
    lines = [await wire.Line.open(server.port) for server in servers]
    spans = []
    for number, sheet in enumerate(cycle(sheets)):
        if time.monotonic() >= end:
            break
        turn = number + number // len(sheets)  # another worker, each time a table comes again
        spans.append(await _one(lines[turn % len(lines)], sheet))
    for line in lines:
        line.close()
    return spans


async def _one(line: wire.Line, sheet: Sheet) -> Span:
    entry, began = sheet.next_entry(), time.monotonic()
    answer = await line.ask(sheet.post(entry))
    if answer.status != wire.OK:
        raise AssertionError(f"{entry} was not taken: {answer.status} {answer.body!r}")
    return Span(began, time.monotonic())


async def _look_out(first: int, last: int, sheets: Sequence[Sheet]) -> Seen:
    """A number at each table, written at one worker; and when a phone at another one has it."""
    requests = [sheet.listen(sheet.seated[1]) for sheet in sheets]
    waiting = {}
    async with wire.listening(last, requests) as listeners:
        for sheet, listener in zip(sheets, listeners, strict=True):
            began = time.monotonic()
            answer = await wire.ask(first, sheet.post(sheet.next_entry()))
            waiting[listener] = (began, writing.version_of(answer) or 0)
            await wire.until(began + EVERY)
        heard = [
            (began, await _heard(listener, version))
            for listener, (began, version) in waiting.items()
        ]
    spans = [Span(began, moment) for began, moment in heard if moment is not None]
    return Seen(spans, len(heard) - len(spans))


async def _heard(listener: wire.Listener, version: int) -> float | None:
    """When a phone had a version; None if it still does not after a while."""
    until = time.monotonic() + PATIENCE
    moment = first_at_least(listener.heard, version)
    while moment is None and time.monotonic() < until:
        await asyncio.sleep(EVERY)
        moment = first_at_least(listener.heard, version)
    return moment


def findings(workers: int, written: Written, seen: Seen) -> list[Finding]:
    """The rows of so many workers."""
    name = f"{STORE}, {workers} worker{'s' if workers > 1 else ''}"
    whose = " of the other worker" if workers > 1 else ""
    seen_after = [span.ms for span in seen.spans]
    ms = [span.ms for span in written.spans]
    count = len(ms)
    return [
        Finding(
            f"{name}: entries",
            written.rate,
            "a second",
            beside=f"for each {written.computed / count * 1000:.1f} ms of the workers’ computing"
            + (f", {written.stored / count * 1000:.1f} ms of the store’s" if POSTGRES else ""),
        ),
        Finding(
            f"{name}: a number, until its answer, p50",
            quantile(ms, 0.5),
            ratio_to="ORM write",
            beside=f"p95 {quantile(ms, 0.95):.1f}, p99 {quantile(ms, 0.99):.1f}",
        ),
        Finding(
            f"{name}: written → seen by a phone{whose}, p50",
            quantile(seen_after, 0.5),
            ratio_to="ORM write",
            beside=f"p95 {quantile(seen_after, 0.95):.1f}",
        ),
        Finding(
            f"{name}: numbers not seen",
            seen.missing,
            f"of {seen.missing + len(seen_after)}",
            most=0,
        ),
    ]
