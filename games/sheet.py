"""The sheet of one match as it stands: what was written, and everything that follows from it.

Read in three queries whatever the number of rounds; immutable, so the verbs can ask "and if this
cell held 3?" with ``with_row`` before anything is written.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal

from games import rules
from games.models import HIGHEST_ROUND, Match
from games.rules.game import with_row
from games.rules.sheet import Position, read_position

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from games.access import SideLike
    from games.rules import Game, HouseValue, Settlement, Standing, Verdict

# The letter of a column's shape and colour: circle, triangle, square, diamond.
MARKS = {"A": "A", "B": "B", "0": "A", "1": "B", "2": "C", "3": "D"}
Status = Literal["open", "banked", "ended-early"]
Agreed = tuple[tuple[str, Any], ...]  # house rules


@dataclass(frozen=True)
class Cell:
    """One cell: its number or None, and the version a phone has to name to change it.

    ``was`` is the number that stood before it was corrected.
    """

    column: str
    value: int | None = None
    version: int = 0
    implied: bool = False
    corrected: bool = False
    was: int | None = None
    written_by: int | None = None
    written_at: datetime | None = None

    @property
    def state(self) -> str:
        """What the page shows: open, written, implied or corrected."""
        if self.value is None:
            return "open"
        if self.implied:
            return "implied"
        return "corrected" if self.corrected else "written"

    def blank(self) -> Cell:
        """The same cell with nothing in it; its version stays."""
        return replace(self, value=None, implied=False)


@dataclass(frozen=True)
class Row:
    """One round: a cell per column, and the doubts somebody confirmed."""

    number: int
    version: int
    cells: tuple[Cell, ...]
    confirmed: Mapping[str, Sequence[str]]
    stored: bool = False
    hand: Mapping[str, Any] | None = None

    @cached_property
    def values(self) -> tuple[int | None, ...]:
        """The numbers as they stand."""
        return tuple(cell.value for cell in self.cells)

    @property
    def said(self) -> tuple[int | None, ...]:
        """The numbers people wrote: implied ones count as blank."""
        return tuple(None if cell.implied else cell.value for cell in self.cells)

    @property
    def is_blank(self) -> bool:
        """Whether nobody has entered anything."""
        return all(cell.value is None for cell in self.cells)

    def cell(self, column: str) -> Cell:
        """The cell of one column."""
        return next(cell for cell in self.cells if cell.column == column)


@dataclass(frozen=True)
class Sheet:
    """One match with its columns and rows; derived values are worked out once, when asked."""

    match: Match
    sides: tuple[SideLike, ...]
    stored_rows: Mapping[int, Row]

    @property
    def game(self) -> Game:
        """The rules in force."""
        return self.match.table.game

    @property
    def house(self) -> Mapping[str, Any]:
        """The house rules as played in this match."""
        house: Mapping[str, Any] = self.match.house
        return house

    @cached_property
    def agreed(self) -> Agreed:
        """The house rules as a value that can be a key."""
        return tuple(self.house.items())

    @property
    def columns(self) -> tuple[str, ...]:
        """The ids of the columns, left to right."""
        return tuple(side.column for side in self.sides)

    @cached_property
    def players_by_seat(self) -> tuple[tuple[int, str], ...]:
        """The players of the match by seat, each by id and name, from its sides."""
        seats = seats_of(self.sides, partnerships=self.game.partnerships)
        return tuple(
            (self.sides[index].player_ids[place], self.sides[index].players[place])
            for _seat, (index, place) in sorted(seats.items())
        )

    @cached_property
    def names_by_seat(self) -> tuple[str, ...]:
        """The names of the players by seat."""
        return tuple(name for _player, name in self.players_by_seat)

    def name_at(self, seat: int) -> str:
        """The name of the player on a seat, counted round the table."""
        names = self.names_by_seat
        return names[seat % len(names)] if names else ""

    @cached_property
    def highest(self) -> int:
        """The highest round with an entry, 0 before the first."""
        return max((n for n, row in self.stored_rows.items() if not row.is_blank), default=0)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Rounds 1 to the highest with an entry."""
        return tuple(self.row(number) for number in range(1, self.highest + 1))

    def row(self, number: int) -> Row:
        """A round of any number; one that nobody wrote in is blank."""
        found = self.stored_rows.get(number)
        if found is not None:
            return found
        since = self.match.since(number)
        return Row(number, since, tuple(Cell(c, version=since) for c in self.columns), {})

    def with_row(self, row: Row) -> Sheet:
        """The sheet as it would be with one round changed."""
        return replace(self, stored_rows={**self.stored_rows, row.number: row})

    def with_match(self, match: Match) -> Sheet:
        """The same rows under their match as it was read anew."""
        sheet = replace(self, match=match)
        if sheet.house == self.house and sheet.start == self.start:
            vars(sheet)["position"] = self.position  # which follows from these and the rows
        return sheet

    @cached_property
    def running(self) -> tuple[tuple[int, ...], ...]:
        """The totals before round 1 and after every round, as written."""
        nothing = (0,) * len(self.sides)
        return tuple(accumulate((row.values for row in self.rows), with_row, initial=nothing))

    @cached_property
    def start(self) -> dict[str, Any]:
        """The start state the game is folded from."""
        return {"chalk": self.match.first_chalk or None}

    @cached_property
    def position(self) -> Position:
        """Where the rounds have brought the match (design: banking)."""
        return read_position(
            self.game, [row.values for row in self.rows], house=self.house, start=self.start
        )

    @property
    def standing(self) -> Standing:
        """Totals, leaders and the game's own marks such as the chalk."""
        return self.position.standing

    def check(self, entries: Sequence[int | None], number: int) -> Verdict:
        """What the rules say of a row in the place of round ``number``."""
        return self.game.check(
            entries,
            house=self.house,
            number=number,
            totals=self.position.totals_before(number),
        )

    def completions(
        self, entries: Sequence[int | None], number: int
    ) -> tuple[tuple[int, ...], ...] | None:
        """The lawful rows that agree with these cells in the place of round ``number``."""
        return self.game.completions(
            entries,
            house=self.house,
            number=number,
            totals=self.position.totals_before(number),
        )

    @cached_property
    def unlawful(self) -> tuple[int, ...]:
        """Rounds that can no longer become lawful by the house rules in force."""
        before, game, agreed = self.position.totals_before, self.game, self.agreed
        return tuple(
            row.number
            for row in self.rows
            if not _can_be(game, agreed, row.values, row.number, before(row.number))
        )

    @property
    def line(self) -> int | None:
        """The line this match is played to, None for none."""
        return self.game.line(self.house)

    @property
    def totals(self) -> tuple[int, ...]:
        """The sum of every column, rows after the line included."""
        return self.position.totals

    @property
    def leaders(self) -> tuple[str, ...]:
        """The columns in front; () before the first entry."""
        return tuple(str(column) for column in self.standing.leaders)

    @property
    def status(self) -> Status:
        """open, banked, or ended-early (by tap, in a game with a line that nobody reached)."""
        if self.match.is_open:
            return "open"
        if self.line is None or self.decided_in is not None:
            return "banked"
        return "ended-early"

    @property
    def decided_in(self) -> int | None:
        """The round that reaches the line; after a tap blanks count nothing."""
        if self.match.how == Match.How.TAP:
            return self.standing.line_round
        return self.position.crossing

    @property
    def winners(self) -> tuple[str, ...]:
        """The winning columns of a banked match; several share it on equal totals."""
        if self.status != "banked":
            return ()
        if self.line is None:
            return self.leaders
        by_tap = self.match.how == Match.How.TAP
        winners = self.standing.winners if by_tap else self.position.winners
        return tuple(str(column) for column in winners)

    @property
    def holding(self) -> tuple[int, ...]:
        """Rounds that must be filled before anything goes on: the line is reached, but open."""
        return self.position.holding if self.match.is_open else ()

    @property
    def next_round(self) -> int | None:
        """The round that may be begun now, or None (ended, held, or the sheet is full)."""
        number = self.highest + 1
        if not self.match.is_open or self.holding or number > HIGHEST_ROUND:
            return None
        return number

    @property
    def chalk(self) -> str | None:
        """The column that holds the chalk, if the game has one and it is known."""
        chalk = self.standing.chalk
        return None if chalk is None else str(chalk)

    @property
    def needs(self) -> dict[str, int]:
        """The card points with which each column scores the next deal, where the game has them."""
        needs = self.game.needs(self.house, chalk=self.standing.chalk, first_deal=self.highest == 0)
        return {str(column): points for column, points in needs.items()}

    @property
    def asks_chalk(self) -> bool:
        """Whether the first chalk may be told now."""
        return self.match.is_open and self.game.asks_chalk(
            [row.values for row in self.rows], house=self.house
        )

    @property
    def dealer(self) -> int:
        """The seat that gives the next deal."""
        return self.dealer_in(self.highest + 1)

    @property
    def has_begun(self) -> bool:
        """Whether anything happened yet: an entry, or a hand thrown in."""
        return self.highest > 0 or self.match.thrown_total > 0

    def dealer_in(self, number: int) -> int:
        """The seat that gives, or gave, the deal of a round."""
        return dealer_of(self.match, number, self.match.thrown_up_to(number))

    def known_of_hand(self, number: int) -> dict[str, Any]:
        """What the sheet itself knows about the hand of a round, in the words of the rules.

        The chalk before it, whether it is the first deal, and whose side forehand is on.
        """
        known: dict[str, Any] = {"first_deal": number == 1}
        before = [self.row(earlier).values for earlier in range(1, number)]
        chalk = self.game.standing(before, house=self.house, start=self.start).chalk
        if chalk is not None and self._says_who_scored(number - 1):
            known["chalk"] = chalk
        if self.game.partnerships:
            forehand = self.dealer_in(number) + 1
            known["forehand_side"] = self.columns[forehand % len(self.columns)]
        return known

    def _says_who_scored(self, number: int) -> bool:
        """Whether no deal is open between a round and the last one in which somebody scored."""
        for earlier in range(min(number, self.highest), 0, -1):
            row = self.position.resolved[earlier - 1]
            if row is None or any(row):
                return row is not None
        return number <= self.highest

    def settlement(self, row: Row) -> Settlement | None:
        """What the hand kept with a round comes to, if it still says what the row says."""
        if not isinstance(row.hand, dict):
            return None
        return settled(self.game, self.house, row.hand, row.values)

    def thrown_before(self, number: int) -> tuple[int, ...]:
        """The seats that gave the hands thrown in right before a round."""
        count: int = self.match.thrown_in.get(str(number), 0)
        before = self.match.thrown_up_to(number - 1)
        return tuple(dealer_of(self.match, number, before + i) for i in range(count))

    @property
    def bummerl(self) -> dict[str, int]:
        """What a won match chalks against the losing side, by column; {} where none is kept."""
        chalked = self.standing.bummerl if len(self.winners) == 1 else None
        if chalked is None:
            return {}
        return {column: chalked for column in self.columns if column not in self.winners}

    def result(self) -> dict[str, Any]:
        """What lists show of an ended match; rounds after the line count in nobody's result."""
        return {
            "status": self.status,
            "winners": list(self.winners),
            "leaders": list(self.leaders),
            "totals": self._decided_totals(),
            "deals": self.highest,
            "bummerl": self.bummerl,
            "players": {side.column: sorted(side.player_ids) for side in self.sides},
        }

    def _decided_totals(self) -> list[int]:
        rows = [row.values for row in self.rows[: self.decided_in]]
        return [sum(row[index] or 0 for row in rows) for index in range(len(self.sides))]


def seats_of(sides: Sequence[SideLike], *, partnerships: bool) -> dict[int, tuple[int, int]]:
    """Who sits where in a match: by seat, the side and the place among its players."""
    return {
        index + 2 * place if partnerships else index: (index, place)
        for index, side in enumerate(sides)
        for place in range(len(side.players))
    }


@lru_cache(maxsize=65536)
def _can_be(
    game: Game,
    agreed: Agreed,
    entries: tuple[int | None, ...],
    number: int,
    totals: tuple[int, ...] | None,
) -> bool:
    """Whether a row is lawful or can become so; remembered, as every look asks about all rows."""
    return game.completions(entries, house=dict(agreed), number=number, totals=totals) != ()


def dealer_of(match: Match, round_number: int, thrown_before: int) -> int:
    """The seat 0..3 that gave a deal, counted from the last correction before it."""
    base = (1, 0, match.start_dealer)
    for correction in match.dealer_corrections:
        from_round, thrown, _seat = correction
        if (from_round, thrown) <= (round_number, thrown_before):
            base = tuple(correction)
    return rules.dealer(base[2], round_number - base[0], thrown_before - base[1])


def settled(
    game: Game, house: Mapping[str, Any], hand: Mapping[str, Any], values: Sequence[int | None]
) -> Settlement | None:
    """What a hand comes to, or None if it cannot be, or if a written number says otherwise."""
    told = json.dumps(hand, sort_keys=True)
    settlement = _settled(game, tuple(game.house_rules(house).items()), told)
    if settlement is None or settlement.entries is None:
        return None
    agrees = all(
        value in {None, entry} for value, entry in zip(values, settlement.entries, strict=True)
    )
    return settlement if agrees else None


@lru_cache(maxsize=4096)
def _settled(game: Game, house: tuple[tuple[str, HouseValue], ...], told: str) -> Settlement | None:
    """Remembered, as every look at a sheet asks about all its hands again."""
    try:
        return game.settle(json.loads(told), house=dict(house))
    except rules.HandRefused:  # the house rules have changed since
        return None
