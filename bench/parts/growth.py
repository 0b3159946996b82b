"""Whether anything takes longer where more is stored: pages, numbers and lists in full stores."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from bench.numbers import median
from bench.report import Finding, number
from bench.size import Size
from bench.stage import Stage, Store

MOST = 1.3  # times what it takes in the least store
MEGABYTE = 2**20

Full = tuple[Store, dict[str, Any]]


class Roamed(NamedTuple):
    """What a kind of thing took in one turn through a store, in ms, and computing of it."""

    ms: float
    cpu_ms: float


Turn = list[dict[str, Roamed]]  # by the stores


def measure(stage: Stage, size: Size) -> list[Finding]:
    """All stores are there at once and asked in turn, so that they meet the same weather."""
    with ExitStack() as stack:
        stores = [stack.enter_context(stage.full_store(count)) for count in size.stored]
        turns = [[_roam(one, size, turn) for one in stores] for turn in range(size.roamings)]
    told = [told for _store, told in stores]
    return [*findings(told, turns), *sizes(told)]


def _roam(full: Full, size: Size, turn: int) -> dict[str, Roamed]:
    store, told = full
    found = store.inside("roam", told=told, runs=size.ways, seed=turn)
    return {
        kind: Roamed(median(ms for ms, _cpu in each), median(cpu for _ms, cpu in each))
        for kind, each in found.items()
    }


def findings(told: Sequence[dict[str, Any]], turns: Sequence[Turn]) -> list[Finding]:
    """A row for each kind of thing, by the store where it took longest. Ratios are of one turn."""
    return [_finding(kind, told, turns) for kind in turns[0][0]]


def _finding(kind: str, told: Sequence[dict[str, Any]], turns: Sequence[Turn]) -> Finding:
    stores = range(len(told))
    times = [median(turn[at][kind].ms for turn in turns) for at in stores]
    ratios = [median(turn[at][kind].ms / turn[0][kind].ms for turn in turns) for at in stores]
    computed = [
        median(turn[at][kind].cpu_ms / turn[0][kind].cpu_ms for turn in turns) for at in stores
    ]
    each = ", ".join(f"{number(ms)} ms" for ms in times)
    counts = " / ".join(str(one["matches"]) for one in told)
    return Finding(
        f"{kind}, with {counts} stored matches",
        max(ratios),
        f"× as long as with {told[0]['matches']}",
        most=MOST,
        beside=f"{each}; computing alone {number(max(computed))} ×",
    )


def sizes(told: Sequence[dict[str, Any]]) -> list[Finding]:
    """How large the fullest store is, and how long it took to make it."""
    full = told[-1]
    return [
        Finding(
            f"{full['matches']} stored matches with {full['entries']} entries: on the disk",
            full["bytes"] / MEGABYTE,
            "MiB",
            beside=f"{full['bytes'] / full['entries']:.0f} bytes for each entry with everything "
            f"around it; made in {full['seconds']:.0f} s",
        )
    ]
