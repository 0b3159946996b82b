"""The server is ended under open streams and started again: how long, and who is back when."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from bench.livejs import LivePage, Times
from bench.numbers import median
from bench.report import Finding
from bench.size import Size
from bench.stage import Stage, Store
from bench.wire import HOST, run
from tests.serving import free_port

PHONES = 40
PROBE = 0.02  # seconds
PATIENCE = 60  # seconds, until the last phone is back
TOGETHER = 50  # pages that open their streams at once
EXIT, MEDIAN, ALL, SPREAD = 0.5, 1.0, 3.0, 1.0  # seconds


class Restart(NamedTuple):
    """One restart under so many phones: moments of the monotonic clock."""

    phones: int
    told: float  # to end
    ended: float
    begun: float  # as a process
    listening: float  # from here on phones come through; they are answered once all is loaded
    answering: float
    caught_up: Sequence[float]
    asked: Sequence[float]  # for the stream that a phone got


def measure(stage: Stage, size: Size) -> list[Finding]:
    """Under few phones and many; a number is entered at every table while the server is away."""
    counts = sorted({*size.ends, PHONES, size.storm})
    with stage.store(tables=-(-max(counts) // 4)) as store:
        restarts = [run(_restart(store, count)) for count in counts]
    return [finding for one in restarts for finding in findings(one, size)]


async def _restart(store: Store, count: int) -> Restart:
    port, times = free_port(), Times.of_the_script()
    sheets = store.sheets[: -(-count // 4)]
    places = [(sheet, token) for sheet in sheets for token in sheet.seated][:count]
    pages = [LivePage(port, sheet, token, times) for sheet, token in places]
    server = await asyncio.to_thread(store.serve, port)
    try:
        await _open(pages)
        for page in pages:
            page.miss()
        told = time.monotonic()
        await asyncio.to_thread(server.end)
        ended = time.monotonic()
        await asyncio.to_thread(store.inside, "post", sheets=[vars(sheet) for sheet in sheets])
        begun = time.monotonic()
        listening = asyncio.create_task(_when_listening(port))
        server = await asyncio.to_thread(store.serve, port)
        answering = time.monotonic()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(page.opened.wait() for page in pages))
    finally:
        for page in pages:
            page.close()
        await asyncio.to_thread(server.end)
    for sheet in sheets:
        sheet.entered += 1
        sheet.version += 1
    caught_up = [page.caught_up for page in pages if page.caught_up is not None]
    asked = [page.asked for page in pages if page.asked is not None]
    if len(caught_up) < count:
        raise AssertionError("a phone is back and has not what it missed")
    return Restart(count, told, ended, begun, await listening, answering, caught_up, asked)


async def _when_listening(port: int) -> float:
    """When the port first takes a connection."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(OSError):
                _reader, writer = await asyncio.open_connection(HOST, port)
                writer.close()
                return time.monotonic()
            await asyncio.sleep(PROBE)


async def _open(pages: Sequence[LivePage]) -> None:
    for first in range(0, len(pages), TOGETHER):
        some = pages[first : first + TOGETHER]
        for page in some:
            page.connect()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(page.opened.wait() for page in some))


def findings(restart: Restart, size: Size) -> list[Finding]:
    """The rows of one restart."""
    count = restart.phones
    ended = restart.ended - restart.told
    rows = []
    if count in size.ends:
        name = f"SIGTERM under {count} open stream{'s'[: count > 1]}: until exit"
        rows.append(Finding(name, ended, "s", most=EXIT))
    if count not in {PHONES, size.storm}:
        return rows
    name = f"restart under {count} phones (live.js by its own times, without browsers)"
    promised = count == PHONES
    start, asked = restart.listening, restart.asked
    unit = "s after the port is open"
    return [
        *rows,
        Finding(
            f"{name}: caught up, median",
            max(0.0, median(restart.caught_up) - start),
            unit,
            most=MEDIAN if promised else None,
            beside=f"{median(restart.caught_up) - restart.begun:.1f} after the process was begun",
        ),
        Finding(
            f"{name}: caught up, all",
            max(0.0, max(restart.caught_up) - start),
            unit,
            most=ALL if promised else None,
            beside=f"first answer {restart.answering - start:.1f}; "
            f"away {restart.answering - restart.told:.1f} s in all",
        ),
        Finding(
            f"{name}: they ask for their streams over",
            max(asked) - min(asked),
            "s",
            least=SPREAD if promised else None,
        ),
    ]
