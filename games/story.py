"""The story of a match as plain facts, each from the rows that count for the result.

Nothing here is words or pictures, and nothing is stored: a correction tells another story. Columns
are named by their place on the sheet, rounds count from 1. A fact that is not worth retelling,
because it holds for nearly every match or is shared by several columns, is ``None``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from games.rules.game import with_row

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.rules.vocabulary import OpenRow, Totals
    from games.sheet import Sheet

SHORTEST_RUN = 3  # deals in a row
FEWEST_CHANGES = 3  # of the lead; the turning point is one
FEWEST_DEALS = 3  # below that a match has no story


@dataclass(frozen=True)
class Course:
    """How a match went, up to the round that decided it.

    ``chalk``: who held it while each round was played, where the game has it and it is known.
    """

    columns: int
    rows: tuple[OpenRow, ...]
    chalk: tuple[int | None, ...] = ()

    @cached_property
    def totals(self) -> tuple[Totals, ...]:
        """The totals before round 1 and after each; a blank counts nothing."""
        return tuple(accumulate(self.rows, with_row, initial=(0,) * self.columns))

    @cached_property
    def leaders(self) -> tuple[int | None, ...]:
        """Who was alone in front before round 1 and after each, None while the top was shared."""
        return tuple(_alone(totals) for totals in self.totals)

    @property
    def hero(self) -> int | None:
        """Who is alone in front at the end: the story is told from this side."""
        return self.leaders[-1]

    def behind(self, column: int, after: int) -> int:
        """How far a column was behind the best of the others after a round; below 0 in front."""
        totals = self.totals[after]
        return _best_of_others(totals, column) - totals[column]


class Biggest(NamedTuple):
    """The highest number a deal paid, in which rounds, and to whom if that was always the same."""

    points: int
    rounds: tuple[int, ...]
    columns: tuple[int, ...]


class Turn(NamedTuple):
    """The round that brought the lead for good, and the two totals before it."""

    number: int
    mine: int
    theirs: int


class Moment(NamedTuple):
    """A number, and the round after which it stood."""

    points: int
    after: int


class Most(NamedTuple):
    """A column, and how often or how long."""

    column: int
    times: int


class ChalkWay(NamedTuple):
    """How often the chalk went to the other side, and who held it for the most rounds."""

    changes: int
    longest: int | None


class Gap(NamedTuple):
    """The widest gap between first and last, and the round after which it was reached."""

    points: int
    first: int
    last: int
    after: int


def course_of(sheet: Sheet) -> Course:
    """How the match on a sheet went; rounds after the line tell nothing."""
    rows = [row.values for row in sheet.rows[: sheet.decided_in]]
    after = sheet.standing.chalk_after[: len(rows)]
    held = (sheet.game.standing([], house=sheet.house, start=sheet.start).chalk, *after)
    places = {column: place for place, column in enumerate(sheet.game.columns)}
    chalk = tuple(None if c is None else places[c] for c in held[: len(rows)])
    return Course(len(sheet.sides), tuple(rows), chalk)


def biggest_deal(course: Course) -> Biggest | None:
    """The deal that paid most, if it stands out: paid at most twice, and others paid less."""
    paid = {number: max(cell or 0 for cell in row) for number, row in _numbered(course)}
    scored = {number: points for number, points in paid.items() if points}
    if not scored or min(scored.values()) == max(scored.values()):
        return None
    points = max(scored.values())
    rounds = tuple(number for number, found in scored.items() if found == points)
    if len(rounds) > 2:  # noqa: PLR2004 - "deals 4 and 6" can still be told
        return None
    first, *others = (_paid(course.rows[number - 1], points) for number in rounds)
    return Biggest(points, rounds, first if others in ([], [first]) else ())


def turning_point(course: Course) -> Turn | None:
    """Where the hero took the lead for good, if somebody else had been in front before."""
    hero = course.hero
    if hero is None or set(course.leaders) <= {hero, None}:
        return None
    number = _led_since(course, hero)
    before = course.totals[number - 1]
    return Turn(number, before[hero], _best_of_others(before, hero))


def comeback(course: Course) -> Moment | None:
    """The furthest the hero was ever behind, and after which round; 1 is no distance."""
    hero = course.hero
    if hero is None:
        return None
    furthest = max(
        (Moment(course.behind(hero, after), after) for after in range(len(course.totals))),
        key=lambda moment: moment.points,
    )
    return furthest if furthest.points > 1 else None


def led_throughout(course: Course) -> int | None:
    """The round from which the hero was in front alone to the end, if nobody else ever was."""
    hero = course.hero
    if hero is None or set(course.leaders) != {hero, None}:
        return None
    number = _led_since(course, hero)
    is_whole = set(course.leaders[:number]) == {None} and not any(course.totals[number - 1])
    return number if is_whole and number < len(course.rows) >= FEWEST_DEALS else None


def shut_out(course: Course) -> int | None:
    """The side that came away with nothing, against one other, in more than one deal."""
    hero = course.hero
    if hero is None or course.columns > 2 or len(course.rows) < 2:  # noqa: PLR2004 - two sides
        return None
    other = 1 - hero
    return None if course.totals[-1][other] else other


def longest_run(course: Course) -> Most | None:
    """The column that scored most deals in a row, if no other did as many."""
    runs: list[Most] = []
    for column in range(course.columns):
        scored = groupby(bool(row[column]) for row in course.rows)
        runs.append(Most(column, max((len(list(g)) for won, g in scored if won), default=0)))
    return _only_most(runs, at_least=SHORTEST_RUN)


def chalk_way(course: Course) -> ChalkWay | None:
    """How the chalk went round while the match was played, from three rounds on."""
    known = [column for column in course.chalk if column is not None]
    if len(known) < FEWEST_DEALS:
        return None
    held = _only_most([Most(column, count) for column, count in Counter(known).items()])
    changes = sum(one != next_one for one, next_one in pairwise(known))
    return ChalkWay(changes, held.column if held else None)


def lead_changes(course: Course) -> int | None:
    """How often another column came to be alone in front, from three times on."""
    leaders = [column for column in course.leaders if column is not None]
    changes = sum(one != next_one for one, next_one in pairwise(leaders))
    return changes if changes >= FEWEST_CHANGES else None


def last_level(course: Course) -> Moment | None:
    """When the top was shared for the last time, if that was in the second half."""
    for after in range(len(course.rows) - 1, len(course.rows) // 2 - 1, -1):
        points = max(course.totals[after])
        if points and course.leaders[after] is None:
            return Moment(points, after)
    return None


def most_won(course: Course) -> Most | None:
    """The player who won most deals, if nobody won as many."""
    won = [Most(c, sum(bool(row[c]) for row in course.rows)) for c in range(course.columns)]
    return _only_most(won, at_least=2)


def won_alone(course: Course) -> Most | None:
    """The player who most often won with nobody beside, twice at least."""
    lone = Counter(_winners(row)[0] for row in course.rows if _is_lone_win(row))
    return _only_most([Most(column, count) for column, count in lone.items()], at_least=2)


def widest_gap(course: Course) -> Gap | None:
    """The widest gap that ever lay between the first and the last, in a match of some length."""
    gaps = [max(totals) - min(totals) for totals in course.totals]
    if len(course.rows) < FEWEST_DEALS or not any(gaps):
        return None
    after = gaps.index(max(gaps))
    totals = course.totals[after]
    first, last = _alone(totals), _alone(tuple(-total for total in totals))
    return None if first is None or last is None else Gap(max(gaps), first, last, after)


def _numbered(course: Course) -> Iterable[tuple[int, OpenRow]]:
    return enumerate(course.rows, start=1)


def _led_since(course: Course, hero: int) -> int:
    """The round since which the hero has been alone in front to the end."""
    return max(i for i, leader in enumerate(course.leaders) if leader != hero) + 1


def _alone(totals: Totals) -> int | None:
    """The column with the highest total, None if it is shared."""
    best = max(totals)
    return totals.index(best) if totals.count(best) == 1 else None


def _best_of_others(totals: Totals, column: int) -> int:
    return max(total for place, total in enumerate(totals) if place != column)


def _only_most(counts: Iterable[Most], *, at_least: int = 1) -> Most | None:
    """The one with the highest count, None if it is shared or too small to tell."""
    found = sorted(counts, key=lambda most: -most.times)
    if not found or found[0].times < at_least:
        return None
    is_shared = len(found) > 1 and found[1].times == found[0].times
    return None if is_shared else found[0]


def _paid(row: OpenRow, points: int) -> tuple[int, ...]:
    """Who got the highest number of a row; () while somebody else may still have got it too."""
    columns = tuple(column for column, cell in enumerate(row) if cell == points)
    return columns if len(columns) == 1 or None not in row else ()


def _winners(row: OpenRow) -> tuple[int, ...]:
    return tuple(column for column, cell in enumerate(row) if cell)


def _is_lone_win(row: OpenRow) -> bool:
    return None not in row and len(_winners(row)) == 1
