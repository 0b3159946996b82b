"""What the sheet's page takes of the server: a hundred rounds of four columns."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from bench import wire
from bench.machine import Busy, Watch
from bench.numbers import median
from bench.report import Finding
from bench.sheets import Sheet, request
from bench.size import Size
from bench.stage import Served, Stage

BUDGET = 5.0  # ms
QUERIES = 8
TURNS = 10  # through the server, for each time that the size says
KINDS = {
    "again": "somebody has seen this version",
    "number": "a deal was written since",
    "first": "nobody has seen it since the server started",
    "nothing new": "`changes` says so (204)",
}


class Asked(NamedTuple):
    """A page that was asked for over and over: how long each took, and who computed."""

    ms: list[float]
    busy: Busy

    @property
    def computing(self) -> float:
        """What the server computed for each, in ms."""
        return self.busy.server * self.busy.seconds * 1000 / len(self.ms)


def measure(stage: Stage, size: Size) -> list[Finding]:
    """Inside Django by what was drawn before, and through the server as phones have it."""
    with stage.store("schafkopf", rounds=size.rounds) as store:
        (sheet,) = store.sheets
        inside = store.inside("page", sheet=vars(sheet), runs=size.pages)
        with store.served() as server:
            through = wire.run(_ask(server, sheet, size.pages * TURNS))
    return findings(inside, through, size.rounds)


async def _ask(server: Served, sheet: Sheet, count: int) -> Asked:
    line = await wire.Line.open(server.port)
    page = request(f"GET {sheet.page}", token=sheet.seated[1])
    await line.ask(page)
    watch = Watch(server.process)
    times = []
    for _ in range(count):
        began = time.perf_counter()
        answer = await line.ask(page)
        times.append((time.perf_counter() - began) * 1000)
        if answer.status != wire.OK:
            raise AssertionError(answer.head)
    busy = watch.busy()
    line.close()
    return Asked(times, busy)


def findings(inside: dict[str, dict[str, Any]], through: Asked, rounds: int) -> list[Finding]:
    """The rows. The promise is for a page that was drawn before, as nearly all are."""
    name = f"sheet page, {rounds} rounds × 4 columns"
    rows = [
        Finding(
            f"{name}: {words}",
            inside[kind]["ms"],
            most=BUDGET if kind == "again" else None,
            ratio_to="bare request",
            beside=f"{inside[kind]['queries']} queries; computing {inside[kind]['cpu_ms']:.1f}",
            why=f"of this, {inside[kind]['cpu_ms']:.1f} ms are computing",
        )
        for kind, words in KINDS.items()
    ]
    rows.append(
        Finding(
            f"{name}: the same through the server",
            median(through.ms),
            ratio_to="bare request",
            beside=f"computing {through.computing:.1f}",
        )
    )
    queries = max(inside[kind]["queries"] for kind in KINDS)
    rows.append(Finding(f"{name}: queries", queries, "queries at most", most=QUERIES))
    return rows
