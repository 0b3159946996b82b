"""One sheet that a thousand phones watch: how long until the last of them has a number."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Sequence
from typing import NamedTuple

from bench import disk, wire, writing
from bench.machine import Busy, Watch
from bench.numbers import Span, apart, first_at_least, quantile
from bench.report import Finding
from bench.sheets import Sheet
from bench.size import Size
from bench.stage import Served, Stage, Store
from bench.wire import Listener

EVERY = 0.4  # seconds
P50, P99 = 0.5, 0.99
MOST = {P99: 80.0}  # ms


class Told(NamedTuple):
    """Every number as every watcher had it."""

    watchers: int
    lasts: Sequence[Span]  # of each number, until the last watcher had it
    spans: Sequence[Span]
    stalls: Sequence[Span]
    busy: Busy


def measure(stage: Stage, size: Size) -> list[Finding]:
    """A number now and then, each on its own."""
    with stage.store(rounds=2, watchers=size.watchers) as store, store.served() as server:
        told = wire.run(_tell(store, server, size.told))
    return findings(told)


async def _tell(store: Store, server: Served, count: int) -> Told:
    (sheet,) = store.sheets
    requests = [sheet.listen(token) for token in sheet.watching]
    async with wire.listening(server.port, requests) as watchers:
        gc.collect()
        gc.freeze()
        with disk.watched(store.data_dir) as stalls:
            watch = Watch(server.process)
            numbers = [await _write(server.port, sheet) for _ in range(count)]
            busy = watch.busy()
            await asyncio.sleep(EVERY)
        heard = [_had(watchers, version, since=began) for began, version in numbers]
    lasts = [max(spans, key=lambda span: span.end) for spans in heard]
    return Told(len(requests), lasts, [span for spans in heard for span in spans], stalls, busy)


async def _write(port: int, sheet: Sheet) -> tuple[float, int]:
    """The next number after a pause: when it was sent, and the version it was taken as."""
    await asyncio.sleep(EVERY)
    request = sheet.post(sheet.next_entry())
    sent = time.monotonic()
    version = writing.version_of(await wire.ask(port, request))
    if version is None:
        raise AssertionError("a number was not taken")
    return sent, version


def _had(watchers: Sequence[Listener], version: int, *, since: float) -> list[Span]:
    """Until each of the watchers had a number."""
    moments = [first_at_least(one.heard, version) for one in watchers]
    spans = [Span(since, moment) for moment in moments if moment is not None]
    if len(spans) < len(watchers):
        raise AssertionError("a watcher missed a number")
    return spans


def findings(told: Told) -> list[Finding]:
    """The rows. What met a stall of the disk is set apart, and told beside."""
    name = f"one sheet, {told.watchers} watchers"
    calm = apart(told.spans, told.stalls)
    busy = told.busy
    return [
        Finding(
            f"{name}: written → last byte at a watcher, p{part * 100:.0f}",
            quantile([span.ms for span in calm], part),
            most=MOST.get(part),
            ratio_to="ORM write",
            beside=f"with disk stalls {quantile([span.ms for span in told.spans], part):.0f}; "
            f"the last watcher {quantile([span.ms for span in told.lasts], part):.0f}",
            why=busy.why(),
        )
        for part in (P50, P99)
    ]
