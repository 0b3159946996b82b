"""Numbers entered as fast as they are taken, over a few connections."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterable, Sequence
from itertools import cycle

from bench import wire
from bench.sheets import Sheet
from bench.wire import Answer

CONNECTIONS = 8
VERSION = re.compile(rb' data-version="(\d+)"')


def version_of(answer: Answer) -> int | None:
    """The version that a number was taken as, by the answer to its POST; None if it was not."""
    found = VERSION.search(answer.body) if answer.status == wire.OK else None
    return None if found is None else int(found[1])


async def everywhere(port: int, sheets: Sequence[Sheet]) -> None:
    """One number at every table."""
    await _over_connections(port, CONNECTIONS, sheets, seconds=None)


async def for_so_long(
    port: int, sheets: Sequence[Sheet], *, seconds: float, connections: int
) -> int:
    """One number after the other, each as soon as its connection has the answer; how many."""
    return await _over_connections(port, connections, sheets, seconds)


async def _over_connections(
    port: int, connections: int, sheets: Sequence[Sheet], seconds: float | None
) -> int:
    end = None if seconds is None else time.monotonic() + seconds
    async with asyncio.TaskGroup() as group:
        writing = [
            group.create_task(_over_one(port, sheets[first::connections], end))
            for first in range(connections)
        ]
    return sum(one.result() for one in writing)


async def _over_one(port: int, sheets: Sequence[Sheet], end: float | None) -> int:
    line = await wire.Line.open(port)
    count = 0
    waiting: Iterable[Sheet] = sheets if end is None else cycle(sheets)
    for sheet in waiting:
        if end is not None and time.monotonic() >= end:
            break
        entry = sheet.next_entry()
        answer = await line.ask(sheet.post(entry))
        if answer.status != wire.OK:
            raise AssertionError(f"{entry} was not taken: {answer.status} {answer.body!r}")
        count += 1
    line.close()
    return count
