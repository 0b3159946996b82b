"""One sheet that a thousand phones watch: how long until the last of them has a number."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Sequence
from typing import NamedTuple

from bench import disk, wire
from bench.machine import Busy, Watch
from bench.numbers import Span, apart, first_at_least, quantile
from bench.parts.load import DRAWN
from bench.report import Finding
from bench.size import Size
from bench.stage import Served, Stage, Store

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
    with stage.store(watchers=size.watchers) as store, store.served() as server:
        told = wire.run(_tell(store, server, size.told))
    return findings(told)


async def _tell(store: Store, server: Served, count: int) -> Told:
    (sheet,) = store.sheets
    requests = [sheet.listen(token) for token in sheet.watching]
    numbers = []
    async with wire.listening(server.port, requests) as watchers:
        gc.collect()
        gc.freeze()
        with disk.watched(store.data_dir) as stalls:
            watch = Watch(server.process)
            for _ in range(count):
                await asyncio.sleep(EVERY)
                request = sheet.post(sheet.next_entry())
                began = time.monotonic()
                answer = await wire.ask(server.port, request)
                version = DRAWN.search(answer.body)
                if answer.status != wire.OK or version is None:
                    raise AssertionError(f"not taken: {answer.status} {answer.body!r}")
                numbers.append((began, int(version[1])))
            await asyncio.sleep(EVERY)
            busy = watch.busy()
        heard = [[first_at_least(one.heard, version) for one in watchers] for _, version in numbers]
    spans = [
        [Span(began, moment) for moment in moments if moment is not None]
        for (began, _version), moments in zip(numbers, heard, strict=True)
    ]
    if any(len(each) < len(requests) for each in spans):
        raise AssertionError("a watcher missed a number")
    lasts = [max(each, key=lambda span: span.end) for each in spans]
    return Told(len(requests), lasts, [span for each in spans for span in each], stalls, busy)


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
