"""An evening in many pubs at once: a thousand tables, four phones each, all of them listening."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from bench import disk, wire, writing
from bench.machine import Busy, Watch
from bench.numbers import Span, apart, first_at_least, quantile
from bench.report import Finding
from bench.sheets import Sheet
from bench.size import Size
from bench.stage import Served, Stage, Store
from bench.wire import Listener

SETTLE = 1.0  # seconds for what is still on its way
QUANTILES = (0.5, 0.95, 0.99)
# Entries per second, and what is promised then: ms until a number is seen, percent of a core.
PROMISED = {17: ({0.5: 10.0, 0.95: 15.0, 0.99: 25.0}, 20.0), 70: ({0.95: 20.0}, 60.0)}


@dataclass(frozen=True)
class Written:
    """A number that was taken: from when it was due until the answer, and as which version."""

    sheet: Sheet
    seat: int
    span: Span
    version: int


@dataclass(frozen=True)
class Evening:
    """What happened at one rate of entries."""

    rate: int
    written: Sequence[Written]
    seen: Sequence[Span]  # each number by each of the other three phones
    failed: int
    stalls: Sequence[Span]
    busy: Busy


def measure(stage: Stage, size: Size) -> list[Finding]:
    """Both rates, one after the other at the same tables."""
    with stage.store(tables=size.tables) as store, store.served() as server:
        evenings = wire.run(_play_all(store, server, size))
    phones = f"{size.tables} tables × 4 phones"
    return [finding for evening in evenings for finding in findings(evening, phones)]


async def _play_all(store: Store, server: Served, size: Size) -> list[Evening]:
    requests = [sheet.listen(token) for sheet in store.sheets for token in sheet.seated]
    async with wire.listening(server.port, requests) as listeners:
        keys = (sheet.key for sheet in store.sheets for _token in sheet.seated)
        phones: dict[str, list[Listener]] = {}
        for key, listener in zip(keys, listeners, strict=True):
            phones.setdefault(key, []).append(listener)
        await writing.everywhere(server.port, store.sheets)  # the evening is under way
        gc.collect()
        gc.freeze()  # thousands of phones that stay need not be looked at again
        return [
            await _play(store, server, phones, rate, seconds)
            for rate, seconds in size.rates.items()
        ]


async def _play(
    store: Store,
    server: Served,
    phones: dict[str, list[Listener]],
    rate: int,
    seconds: float,
) -> Evening:
    with disk.watched(store.data_dir) as stalls:
        watch = Watch(server.process)
        answers = await _write_all(server.port, store.sheets, rate, seconds)
        busy = watch.busy()
        await asyncio.sleep(SETTLE)
    written = [answer for answer in answers if answer is not None]
    seen = [span for one in written for span in _seen(one, phones[one.sheet.key])]
    missing = 3 * len(written) - len(seen)
    return Evening(rate, written, seen, len(answers) - len(written) + missing, stalls, busy)


async def _write_all(
    port: int, sheets: Sequence[Sheet], rate: int, seconds: float
) -> list[Written | None]:
    """Write at random moments, so many a second, whether or not answers come in time.

    At random tables too, but one number at a time at each.
    """
    dice = random.Random(rate)  # noqa: S311 - the same evening every time
    idle = list(sheets)
    due = time.monotonic()
    end = due + seconds
    on_their_way = []
    async with asyncio.TaskGroup() as group:
        while (due := due + dice.expovariate(rate)) < end:
            await wire.until(due)
            sheet = idle.pop(dice.randrange(len(idle))) if idle else dice.choice(sheets)
            on_their_way.append(group.create_task(_write(port, sheet, due, idle)))
    return [one.result() for one in on_their_way]


async def _write(port: int, sheet: Sheet, due: float, idle: list[Sheet]) -> Written | None:
    """One number on a connection of its own; None if it was not taken."""
    entry = sheet.next_entry()
    try:
        answer = await wire.ask(port, sheet.post(entry))
    except OSError:
        return None
    answered = time.monotonic()
    idle.append(sheet)
    version = writing.version_of(answer)
    return None if version is None else Written(sheet, entry.seat, Span(due, answered), version)


def _seen(written: Written, phones: Sequence[Listener]) -> list[Span]:
    """From when a number was due until each of the other phones had it."""
    heard = [
        first_at_least(phone.heard, written.version)
        for seat, phone in enumerate(phones)
        if seat != written.seat
    ]
    return [Span(written.span.begin, moment) for moment in heard if moment is not None]


def findings(evening: Evening, phones: str) -> list[Finding]:
    """The rows of one rate. What met a stall of the disk is set apart, and told beside."""
    promised, of_a_core = PROMISED.get(evening.rate, ({}, None))
    name = f"{phones}, {evening.rate} entries/s"
    calm = apart(evening.seen, evening.stalls)
    answered = [one.span for one in evening.written]
    busy, count = evening.busy, len(evening.written)
    stalled = len(evening.seen) - len(calm)
    return [
        *(
            Finding(
                f"{name}: written → seen, p{part * 100:.0f}",
                quantile([span.ms for span in calm], part),
                most=promised.get(part),
                ratio_to="ORM write",
                beside=f"with disk stalls {quantile([s.ms for s in evening.seen], part):.1f}; "
                f"POST alone {quantile([s.ms for s in answered], part):.1f}",
                why=busy.why(),
            )
            for part in QUANTILES
        ),
        Finding(
            f"{name}: computing of the server",
            busy.server * 100,
            "% of a core",
            most=of_a_core,
            beside=f"{busy.server * busy.seconds / count * 1000:.1f} ms for each entry; "
            f"the bench itself {busy.bench * 100:.0f} %, others {busy.others * 100:.0f} %",
            why=busy.why(),
        ),
        Finding(
            f"{name}: numbers lost or refused",
            evening.failed,
            f"of {count + evening.failed}",
            most=0,
            beside=f"{stalled} of {len(evening.seen)} sightings set apart, during "
            f"{len(evening.stalls)} disk stalls, "
            f"longest {max((stall.ms for stall in evening.stalls), default=0):.0f} ms",
        ),
    ]
