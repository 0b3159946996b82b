"""What an open stream costs: ten thousand phones that listen while nothing happens."""

from __future__ import annotations

import asyncio
import gc
import time
from typing import NamedTuple

from bench import wire
from bench.machine import Process, Watch
from bench.report import Finding
from bench.size import Size
from bench.stage import Served, Stage, Store

WARMING = 40  # streams that came and went before anything is counted
SETTLE = 1.0  # seconds
KIB_EACH = 50.0


class Held(NamedTuple):
    """What the server's process holds at a moment."""

    memory: int  # KiB
    threads: int
    store_files: int  # each connection to the store has one

    @classmethod
    def now(cls, process: Process) -> Held:
        """At this one."""
        return cls(
            process.memory_kib(), process.threads(), process.open_files("scoresheet.sqlite3")
        )


class Idle(NamedTuple):
    """A server before and while so many streams were open."""

    streams: int
    before: Held
    during: Held
    opened_in: float
    computing: float  # parts of a core, once they were open


def measure(stage: Stage, size: Size) -> list[Finding]:
    """Open as many as this machine lets one process have, up to the size, and let them be."""
    count = min(size.streams, wire.open_files_at_most())
    with stage.store(tables=count // 4, rounds=2) as store, store.served() as server:
        idle = wire.run(_hold(store, server, size.idle))
    return findings(idle, wanted=size.streams)


async def _hold(store: Store, server: Served, seconds: float) -> Idle:
    requests = [sheet.listen(token) for sheet in store.sheets for token in sheet.seated]
    async with wire.listening(server.port, requests[:WARMING]):
        pass
    await asyncio.sleep(SETTLE)
    before = Held.now(server.process)
    gc.disable()
    began = time.monotonic()
    async with wire.listening(server.port, requests):
        opened_in = time.monotonic() - began
        await asyncio.sleep(SETTLE)
        watch = Watch(server.process)
        await asyncio.sleep(seconds)
        computing = watch.busy().server
        during = Held.now(server.process)
    gc.enable()
    return Idle(len(requests), before, during, opened_in, computing)


def findings(idle: Idle, *, wanted: int) -> list[Finding]:
    """The rows; fewer streams than wanted say so."""
    count, before, during = idle.streams, idle.before, idle.during
    name = f"{count} idle streams on one process"
    fewer = f"; this machine allows no {wanted}" if count < wanted - 4 else ""
    return [
        Finding(
            f"{name}: memory of each",
            (during.memory - before.memory) / count,
            "KiB",
            most=KIB_EACH,
            beside=f"{before.memory / 1024:.0f} → {during.memory / 1024:.0f} MiB{fewer}",
        ),
        Finding(
            f"{name}: threads more",
            during.threads - before.threads,
            "threads",
            most=0,
            beside=f"{during.threads} in all",
        ),
        Finding(
            f"{name}: connections to the store more",
            during.store_files - before.store_files,
            "connections",
            most=0,
            beside=f"{during.store_files} in all",
        ),
        Finding(f"{name}: opened", count / idle.opened_in, "a second"),
        Finding(f"{name}: computing of the server", idle.computing * 100, "% of a core"),
    ]
