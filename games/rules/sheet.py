"""Sheet arithmetic: what the written cells of a match imply, and when they bank it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.rules.game import Game, reached_in, with_row
from games.rules.house import HouseValue
from games.rules.vocabulary import ColumnId, OpenRow, Row, Standing, Totals, has_entry, is_complete


@dataclass(frozen=True, slots=True)
class Position:
    """Where a match stands, rows that have only one lawful way to be completed included.

    ``highest``: the highest round with an entry, 0 without any. ``line``: what is played to.
    ``standing``: the fold of the rows as written; ``totals`` are its totals. ``resolved``: for each
    row the row itself if it is complete, lawful or not, else its one lawful completion, else
    ``None``; a wholly blank row is never resolved. ``crossing``: the first round whose totals
    reach the line, with resolved rows where there are some and the written cells elsewhere.
    ``bank_round`` is the crossing if every round up to it is resolved; if not, ``holding`` are the
    rounds that are in the way. ``implied``: the value of each blank cell that banking fills, by
    round and column index. ``winners`` have the highest of ``winning_totals`` at the crossing.
    ``running``: the totals before round 1 and after each row, counted as for the crossing;
    ``certain``: how many rows from the first on are resolved.
    """

    highest: int
    line: int | None
    standing: Standing
    resolved: tuple[Row | None, ...]
    crossing: int | None
    holding: tuple[int, ...]
    implied: Mapping[tuple[int, int], int]
    winners: tuple[ColumnId, ...]
    winning_totals: Totals | None
    running: tuple[Totals, ...]
    certain: int

    @property
    def totals(self) -> Totals:
        """The points of each column, all rows as written."""
        return self.standing.totals

    @property
    def bank_round(self) -> int | None:
        """The round in which the match is decided, if nothing holds it."""
        return None if self.holding else self.crossing

    def totals_before(self, number: int) -> Totals | None:
        """The points before a round, or ``None`` while an earlier row is not resolved.

        Raises ``ValueError`` for a round below 1.
        """
        if number < 1:
            raise ValueError(f"Rounds count from 1, not from {number}.")
        return self.running[number - 1] if number <= self.certain + 1 else None


def read_position(
    game: Game,
    rows: Sequence[Sequence[int | None]],
    *,
    house: Mapping[str, object],
    start: Mapping[str, object] | None = None,
) -> Position:
    """The position of a match; ``rows[0]`` is round 1, ``None`` a blank cell.

    Each row is completed at its own place: its round, and the totals before it when they are
    known. Raises ``HouseRuleRefused`` for a house rule that the game does not have.
    """
    written = [tuple(row) for row in rows]
    resolved, running, certain = _count(game, written, house)
    line = game.line(house)
    crossing = reached_in(running, line)
    up_to = crossing or 0
    holding = tuple(number for number, row in enumerate(resolved[:up_to], start=1) if row is None)
    return Position(
        highest=max((n for n, row in enumerate(written, start=1) if has_entry(row)), default=0),
        line=line,
        standing=game.standing(written, house=house, start=start),
        resolved=tuple(resolved),
        crossing=crossing,
        holding=holding,
        implied={} if holding else _implied(written[:up_to], resolved),
        winners=() if crossing is None else game.highest(running[crossing]),
        winning_totals=None if crossing is None else running[crossing],
        running=tuple(running),
        certain=certain,
    )


@lru_cache(maxsize=1024)
def _deals(game: Game, house: tuple[tuple[str, HouseValue], ...]) -> tuple[int, ...]:
    """Every number a deal can pay at a table, rising; () where any number may be entered."""
    blank = (None,) * len(game.columns)
    rows = game.completions(blank, house=dict(house), number=2, totals=(0,) * len(game.columns))
    return tuple(sorted({max(row) for row in rows or ()}))


def enough_in_one_deal(game: Game, house: Mapping[str, object], to_go: int) -> int | None:
    """The smallest number of one deal that brings a side to the line, if one deal can do it.

    ``to_go`` are the points still missing, from 1. A deal that pays more than half of the line
    is too rare to count on: the answer then is ``None``.
    """
    line = game.line(house)
    if line is None or to_go < 1:
        return None
    agreed = tuple(game.house_rules(house).items())
    found = next((paid for paid in _deals(game, agreed) if paid >= to_go), None)
    return found if found is not None and 2 * found <= line else None


def _count(
    game: Game, written: Sequence[OpenRow], house: Mapping[str, object]
) -> tuple[list[Row | None], list[Totals], int]:
    """The resolved rows, the totals before the first row and after each, and what is certain."""
    resolved: list[Row | None] = []
    running: list[Totals] = [(0,) * len(game.columns)]
    certain = 0
    for number, row in enumerate(written, start=1):
        before = running[-1] if certain == number - 1 else None
        sure = _one_way(game, row, house, number, before)
        if sure is not None and before is not None:
            certain = number
        resolved.append(sure)
        running.append(with_row(running[-1], row if sure is None else sure))
    return resolved, running, certain


def _one_way(
    game: Game,
    row: OpenRow,
    house: Mapping[str, object],
    number: int,
    before: Totals | None,
) -> Row | None:
    if is_complete(row):
        return row
    if not has_entry(row):
        return None
    ways = game.completions(row, house=house, number=number, totals=before)
    return ways[0] if ways is not None and len(ways) == 1 else None


def _implied(
    written: Sequence[OpenRow], resolved: Sequence[Row | None]
) -> dict[tuple[int, int], int]:
    return {
        (number, index): sure[index]
        for number, (row, sure) in enumerate(zip(written, resolved, strict=False), start=1)
        if sure is not None
        for index, cell in enumerate(row)
        if cell is None
    }
