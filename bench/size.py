"""How much of everything is tried: enough for numbers that mean something, or a quick look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Size:
    """Counts and seconds of all parts."""

    runs: int  # of small things that are timed by themselves
    tables: int  # with four phones each
    rates: Mapping[int, float]  # entries per second, and how long
    turns: int  # of the store by itself and the server in turn
    seconds: float  # of each such turn
    connections: int  # that write as fast as they can
    streams: int  # that are idle
    idle: float  # seconds
    watchers: int  # of one sheet
    told: int  # numbers they are told
    ends: tuple[int, ...]  # streams that are open when the server is ended
    storm: int  # phones that come back at once
    rounds: int  # of a long sheet
    pages: int  # times its page is asked for
    numbers: int  # from one browser to another
    patience: float  # seconds without signal before it comes back; a phone notices after 25
    times: int  # each trouble with the signal is tried
    stored: tuple[int, ...]  # matches, in stores that are compared
    roamings: int  # turns through each of them
    ways: int  # places that are visited in a turn


FULL = Size(
    runs=500,
    tables=1000,
    rates={17: 45, 70: 25},
    turns=5,
    seconds=3,
    connections=8,
    streams=10_000,
    idle=10,
    watchers=1000,
    told=60,
    ends=(1, 200, 1000),
    storm=1000,
    rounds=100,
    pages=20,
    numbers=60,
    patience=60,
    times=4,
    stored=(100, 10_000, 1_000_000),
    roamings=5,
    ways=40,
)
QUICK = Size(
    runs=100,
    tables=100,
    rates={17: 6, 70: 3},
    turns=1,
    seconds=2,
    connections=8,
    streams=1000,
    idle=2,
    watchers=200,
    told=10,
    ends=(1, 200),
    storm=200,
    rounds=100,
    pages=5,
    numbers=8,
    patience=28,
    times=1,
    stored=(100, 1000, 10_000),
    roamings=2,
    ways=10,
)
