"""How many numbers one process takes, as fast as they come, beside the ORM by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bench import wire, writing
from bench.machine import Busy, Watch
from bench.report import Finding
from bench.sheets import Sheet
from bench.size import Size
from bench.stage import Served, Stage, Store

SHEETS_EACH = 40  # for every connection; enough that no match comes to its end
OF_THE_ORM = 48  # percent


class Plain(NamedTuple):
    """Numbers a second without a server, and how many statements one takes, and a POST."""

    rate: float
    statements: int
    of_a_post: int


class Turn(NamedTuple):
    """Numbers a second through the server, who computed then, and the same without one."""

    served: float
    busy: Busy
    plain: Plain

    @property
    def percent(self) -> float:
        """The one in percent of the other."""
        return 100 * self.served / self.plain.rate


def measure(stage: Stage, size: Size) -> list[Finding]:
    """Server and ORM in turn, so that both meet the same weather; the median turn counts."""
    count = size.connections * SHEETS_EACH
    with stage.store(tables=2 * count, rounds=2) as store, store.served() as server:
        through, plainly = store.sheets[:count], store.sheets[count:]
        wire.run(writing.everywhere(server.port, through))  # the evening is under way
        turns = []
        for _ in range(size.turns):
            served, busy = wire.run(_write(server, through, size))
            turns.append(Turn(served, busy, _write_plainly(store, plainly, size.seconds)))
    return findings(turns, size)


async def _write(server: Served, sheets: Sequence[Sheet], size: Size) -> tuple[float, Busy]:
    """Numbers a second through the server, and who computed."""
    watch = Watch(server.process)
    count = await writing.for_so_long(
        server.port, sheets, seconds=size.seconds, connections=size.connections
    )
    busy = watch.busy()
    return count / busy.seconds, busy


def _write_plainly(store: Store, sheets: Sequence[Sheet], seconds: float) -> Plain:
    """The same statements through the ORM, in a process of their own."""
    done = store.inside("write", sheets=[vars(sheet) for sheet in sheets], seconds=seconds)
    for sheet, entered in zip(sheets, done["entered"], strict=True):
        sheet.entered = entered
    return Plain(done["rate"], done["statements"], done["of_a_post"])


def findings(turns: Sequence[Turn], size: Size) -> list[Finding]:
    """The rows, of the turn in the middle."""
    percents = sorted(turn.percent for turn in turns)
    turn = sorted(turns, key=lambda one: one.percent)[len(turns) // 2]
    plain, busy = turn.plain, turn.busy
    return [
        Finding(
            f"entries of one process, SQLite FULL, {size.connections} connections: "
            "of the same statements through the ORM in process",
            turn.percent,
            "%",
            least=OF_THE_ORM,
            beside=f"{turn.served:.0f}/s of {plain.rate:.0f}/s; {percents[0]:.0f} to "
            f"{percents[-1]:.0f} % in {len(turns)} turns; {plain.statements} statements, "
            f"a POST has {plain.of_a_post}",
            why=busy.why(),
        ),
        Finding(
            "entries of one process: computing for each",
            1000 * busy.server / turn.served,
            ratio_to="ORM write",
            beside=f"{1000 / plain.rate:.1f} for the statements through the ORM",
        ),
    ]
