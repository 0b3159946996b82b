"""Where the lines of a match's chart lie: plain numbers for an SVG, no names and no colours.

One deal is as wide as the next, and a total steps up where its deal ends. Sides differ by dash and
by a shape at the end, and run a little beside one another so that equal totals hide nobody.
Coordinates are texts: a template would write 1.5 as 1,5 in German.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from games.rules.game import with_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.rules.vocabulary import OpenRow, Totals

WIDTH, HEIGHT = 360, 196
LEFT, TOP, BOTTOM = 10, 24, 24  # around the lines; right of them the totals stand
DIGIT, MARK = 9.5, 18  # room for a digit of a total, and for the shape before it
LABEL_HEIGHT, HIGHEST_LABEL = 17, 16
TICKS_AT_MOST = 8
STEPS = (1, 2, 5)  # times a power of ten: what people count by
# By the letter of a side's mark: solid, dashed, dotted, dash-dot.
DASHES = {"A": "", "B": "8 4", "C": "0.1 5", "D": "10 4 0.1 4"}
LANE = 2  # between the lines of sides that stand level


@dataclass(frozen=True)
class Trace:
    """The line of one side. ``rest`` goes on after the deciding deal; ``open`` are blank cells."""

    shape: str
    dash: str
    path: str
    rest: str
    open: tuple[tuple[str, str], ...]
    total: int | str
    mark_x: str
    text_x: str
    label_y: str
    text_y: str


@dataclass(frozen=True)
class Rule:
    """A level line with what it stands for: the line of the match, or a round number of points."""

    y: str
    text_y: str
    points: int | str


@dataclass(frozen=True)
class Tick:
    """The number of a deal under the lines."""

    x: str
    number: int


@dataclass(frozen=True)
class Chart:
    """Everything that is drawn of a match."""

    traces: tuple[Trace, ...]
    line: Rule | None
    levels: tuple[Rule, ...]
    ticks: tuple[Tick, ...]
    decided_x: str
    right: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    base: int = HEIGHT - BOTTOM


@dataclass(frozen=True)
class _Scale:
    """From deals and points to the picture."""

    deals: int
    most: float
    right: float
    least: float = 0

    def x(self, deal: float) -> float:
        return LEFT + (self.right - LEFT) * deal / self.deals

    def y(self, points: float) -> float:
        base = HEIGHT - BOTTOM
        return base - (base - TOP) * (points - self.least) / (self.most - self.least)


def chart_of(
    rows: Sequence[OpenRow], shapes: Sequence[str], *, line: int | None, decided_in: int | None
) -> Chart:
    """The chart of a match with at least one row; ``shapes`` are the letters of the sides."""
    totals = list(accumulate(rows, with_row, initial=(0,) * len(shapes)))
    counted = len(rows) if decided_in is None else decided_in
    result = totals[counted]
    most = max(*totals[-1], line or 0, 1)
    right = WIDTH - MARK - DIGIT * len(str(max(result))) - 4
    scale = _Scale(len(rows), most, right)
    labels = _apart([scale.y(total) for total in result])
    return Chart(
        traces=tuple(
            _trace(scale, place, shape, totals, counted, label, _holes(scale, rows, totals, place))
            for place, (shape, label) in enumerate(zip(shapes, labels, strict=True))
        ),
        line=None if line is None else _rule(scale, line),
        levels=() if line is not None else _levels(scale),
        ticks=_ticks(scale),
        decided_x=at(scale.x(counted)) if counted < len(rows) else "",
        right=at(right),
    )


def running_chart(
    totals: Sequence[Sequence[float]], shapes: Sequence[str], labels: Sequence[str]
) -> Chart:
    """The chart of an evening: ``totals`` before its first deal, or match, and after each.

    They may be below nothing. ``labels`` are the last totals as they are written.
    """
    everything = [total for row in totals for total in row]
    least, most = min(*everything, 0), max(*everything, 0)
    right = WIDTH - MARK - DIGIT * max(map(len, labels)) - 4
    scale = _Scale(len(totals) - 1, most if most > least else least + 1, right, least)
    heights = _apart([scale.y(total) for total in totals[-1]])
    counted = len(totals) - 1
    traces = [
        _trace(scale, place, shape, totals, counted, height, ())
        for place, (shape, height) in enumerate(zip(shapes, heights, strict=True))
    ]
    return Chart(
        traces=tuple(replace(one, total=label) for one, label in zip(traces, labels, strict=True)),
        line=None,
        levels=_levels(scale),
        ticks=_ticks(scale),
        decided_x="",
        right=at(right),
    )


def _trace(  # noqa: PLR0913 - all that one side's line hangs on
    scale: _Scale,
    place: int,
    shape: str,
    totals: Sequence[Sequence[float]],
    counted: int,
    label: float,
    holes: tuple[tuple[str, str], ...],
) -> Trace:
    lane = _lane(totals, place)
    points = [total[place] for total in totals]
    return Trace(
        shape=shape,
        dash=DASHES[shape],
        path=_steps(scale, points[: counted + 1], 0, lane),
        rest=_steps(scale, points[counted:], counted, lane) if counted < scale.deals else "",
        open=holes,
        total=round(points[counted]),
        mark_x=at(scale.right + 10),
        text_x=at(scale.right + MARK),
        label_y=at(label),
        text_y=at(label + 5.5),
    )


def _holes(
    scale: _Scale, rows: Sequence[OpenRow], totals: Sequence[Totals], place: int
) -> tuple[tuple[str, str], ...]:
    """Where the cells of a column are open."""
    lane = _lane(totals, place)
    return tuple(
        (at(scale.x(number) + lane), at(scale.y(totals[number][place]) + lane))
        for number, row in enumerate(rows, start=1)
        if row[place] is None
    )


def _lane(totals: Sequence[Sequence[float]], place: int) -> float:
    return (place - (len(totals[0]) - 1) / 2) * LANE


def _steps(scale: _Scale, points: Sequence[float], first: int, lane: float) -> str:
    """A path from a deal on: level while a deal is played, up where it ends; level runs as one."""
    path = f"M{at(scale.x(first) + lane)} {at(scale.y(points[0]) + lane)}"
    for deal, (before, after) in enumerate(pairwise(points), start=first + 1):
        if before != after:
            path += f"H{at(scale.x(deal) + lane)}V{at(scale.y(after) + lane)}"
    return f"{path}H{at(scale.x(first + len(points) - 1) + lane)}"


def _rule(scale: _Scale, points: int) -> Rule:
    y = scale.y(points)
    return Rule(at(y), at(y - 5), points)


def _levels(scale: _Scale) -> tuple[Rule, ...]:
    """Two or three round numbers of points where there is no line; and nothing, if not below."""
    step = _round_step(max(scale.most - scale.least, 1), 3)
    first = -(int(-scale.least) // step) * step
    numbers = range(first, int(scale.most) + 1, step)
    return tuple(
        replace(_rule(scale, number), points=_written(number))
        for number in numbers
        if number or scale.least < 0
    )


def _written(points: int) -> int | str:
    return points if points >= 0 else f"\N{MINUS SIGN}{-points}"


def _ticks(scale: _Scale) -> tuple[Tick, ...]:
    step = _round_step(scale.deals, TICKS_AT_MOST)
    numbers = range(step, scale.deals + 1, step)
    return tuple(Tick(at(scale.x(number - 0.5)), number) for number in numbers)


def _round_step(most: float, parts: int) -> int:
    """The smallest 1, 2, 5, 10, 20, ... that divides a number into at most so many parts.

    >>> _round_step(60, 8), _round_step(8, 8), _round_step(300, 8)
    (10, 1, 50)
    """
    power = 1
    while True:
        for step in STEPS:
            if step * power * parts >= most:
                return step * power
        power *= 10


def _apart(heights: Sequence[float]) -> list[float]:
    """Where labels stand that want to be at these heights and must not touch.

    >>> _apart([100, 100, 60]), _apart([24, 24])
    ([100, 83, 60], [33, 16])
    """
    order = sorted(range(len(heights)), key=lambda place: (-heights[place], place))
    placed = list(heights)
    limit = float(HEIGHT)
    for place in order:  # from the lowest up, and what is pushed out at the top comes down again
        placed[place] = min(placed[place], limit)
        limit = placed[place] - LABEL_HEIGHT
    limit = HIGHEST_LABEL
    for place in reversed(order):
        placed[place] = max(placed[place], limit)
        limit = placed[place] + LABEL_HEIGHT
    return placed


def at(coordinate: float) -> str:
    """A coordinate as SVG wants it, whatever the language."""
    return f"{coordinate:.1f}"
