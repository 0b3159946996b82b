"""A game as one frozen value: facts, and the questions a sheet asks about its rows."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Literal, TypeAlias

from games.rules.feats import Feat, Feats, Together, by_name, no_pairs
from games.rules.hand import HandRefused, Question, Settlement
from games.rules.house import House, HouseRule, HouseValue, read_house
from games.rules.vocabulary import (
    NOTHING_FOUND,
    Breach,
    ColumnId,
    Findings,
    OpenRow,
    Place,
    Row,
    Standing,
    Totals,
    Verdict,
    gettext_noop,
    has_entry,
    is_complete,
    is_whole,
)

_NUMBER_LIKE = re.compile(r"[0-9.,+-]{1,12}", re.ASCII)

Judge: TypeAlias = Callable[[Row, House, Place], Findings]
Complete: TypeAlias = Callable[[OpenRow, House, Place], tuple[Row, ...]]
Explain: TypeAlias = Callable[[OpenRow, House, Place], tuple[Breach, ...]]
ChalkHolders: TypeAlias = Callable[
    [Sequence[OpenRow], House, ColumnId | None], tuple[ColumnId | None, ...]
]
Needs: TypeAlias = Callable[[House, ColumnId | None, bool], Mapping[ColumnId, int]]
Settle: TypeAlias = Callable[[Mapping[str, object], House], Settlement]
Bummerl: TypeAlias = Callable[[Sequence[Totals], int, int, House], int]
Stake: TypeAlias = Literal["unit", "match", "points", "bummerl"]
"""What is paid for: units won or lost, a match, its difference in points, its Bummerl."""


def no_chalk(
    rows: Sequence[OpenRow],
    house: House,  # noqa: ARG001 -- what every game's answer is given
    first: ColumnId | None,  # noqa: ARG001
) -> tuple[ColumnId | None, ...]:
    """Nobody holds the chalk before the first row or after any: a game without one."""
    return (None,) * (len(rows) + 1)


def _never(rows: Sequence[OpenRow], house: House) -> bool:  # noqa: ARG001
    return False


def _needs_nothing(
    house: House,  # noqa: ARG001
    chalk: ColumnId | None,  # noqa: ARG001
    first_deal: bool,  # noqa: ARG001, FBT001
) -> Mapping[ColumnId, int]:
    return {}


def _settles_nothing(hand: Mapping[str, object], house: House) -> Settlement:  # noqa: ARG001
    raise HandRefused(
        [Breach("not-settled", gettext_noop("The sheet does not work out the hands of this game."))]
    )


def _no_facts(house: House) -> Mapping[str, object]:  # noqa: ARG001
    return {}


def _asks_nothing(house: House) -> tuple[Question, ...]:  # noqa: ARG001
    return ()


def _no_question(house: House) -> str:  # noqa: ARG001
    return ""


@dataclass(frozen=True, slots=True, eq=False)
class Rulebook:
    """What one game knows, as pure functions. Each is given the whole house, never a part.

    ``judge`` weighs a complete row; ``complete`` lists the lawful rows that agree with an
    incomplete one, the most usual first; ``explain`` names what stands against an incomplete
    row that nothing can complete. ``line`` is the game's own, in points, ``None`` without one.
    ``chalk`` gives the holder before the first row and after each; ``bummerl`` is asked with
    the running totals up to the line, the winning column's index and the line.
    ``settle`` works a hand out, ``questions`` is what a form asks for it; a game with none is
    not worked out. ``needs`` are the card points with which a column scores the next deal at all,
    given the chalk and whether it is the first. ``facts`` are the numbers that the game's page of
    rules quotes. ``feats`` and ``together`` are what an evening counts of a deal, where that is
    not just the name of its hand.
    """

    judge: Judge
    complete: Complete
    explain: Explain
    line: Callable[[House], int | None]
    value_names: Callable[[House], Mapping[int, str]]
    chalk: ChalkHolders = no_chalk
    asks_chalk: Callable[[Sequence[OpenRow], House], bool] = _never
    chalk_question: Callable[[House], str] = _no_question
    bummerl: Bummerl | None = None
    settle: Settle = _settles_nothing
    questions: Callable[[House], tuple[Question, ...]] = _asks_nothing
    needs: Needs = _needs_nothing
    facts: Callable[[House], Mapping[str, object]] = _no_facts
    feats: Feats | None = None
    together: Together = no_pairs


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """One game of the registry. Games are compared by identity.

    ``points_word`` and ``tagline`` are messages to be translated where they are shown.
    ``partnerships``: each column is a side of two players. ``thrown_in``: a hand of this game
    can be thrown in. ``counts_down``: tables like to see what is left to the line. Every
    ``house`` argument is a mapping of house rules, of which any may be left out; a wrong one
    raises ``HouseRuleRefused``.
    """

    slug: str
    name: str
    columns: tuple[ColumnId, ...]
    house: tuple[HouseRule, ...]
    points_word: str
    tagline: str
    partnerships: bool
    thrown_in: bool
    rulebook: Rulebook
    counts_down: bool = False

    def house_rules(self, wanted: Mapping[str, object]) -> dict[str, HouseValue]:
        """The house rules of a table with the defaults filled in, always in the same order.

        Takes values and their text forms: ``"on"``, ``"5"``. Raises ``HouseRuleRefused`` for an
        unknown name or a value that its rule does not take (rules.md, "The face").
        """
        return dict(_settled(self, wanted).agreed)

    def line(self, house: Mapping[str, object]) -> int | None:
        """The points that end a match, from 1 up, or ``None`` without a line."""
        return self._line(_settled(self, house))

    def check(
        self,
        entries: Iterable[object],
        *,
        house: Mapping[str, object],
        number: int | None = None,
        totals: Sequence[int] | None = None,
    ) -> Verdict:
        """How a row stands with the rules; never raises for what a cell holds.

        ``entries`` has one whole number or ``None`` (blank) for each column. ``number`` is the
        round, from 1; ``totals`` are the points before it, ``None`` while they are unknown
        (rules.md 1.1, 2.1, 3.1).
        """
        agreed = _settled(self, house)
        cells = tuple(entries)
        if breaches := tuple(self._cell_breaches(cells)):
            return Verdict("unlawful", breaches)
        row = tuple(cell for cell in cells if cell is None or is_whole(cell))
        if agreed["free_numbers"]:
            return Verdict("lawful" if is_complete(row) else "incomplete")
        place = self._place(agreed, number, totals)
        if is_complete(row):
            found = self.rulebook.judge(row, agreed, place)
            return Verdict("unlawful" if found.breaches else "lawful", *found)
        return Verdict("incomplete", *self._judge_open(row, agreed, place))

    def completions(
        self,
        entries: Iterable[object],
        *,
        house: Mapping[str, object],
        number: int | None = None,
        totals: Sequence[int] | None = None,
    ) -> tuple[Row, ...] | None:
        """Every lawful row that agrees with the cells already written, the most usual first.

        ``()``: the row can no longer become lawful. ``None``: any numbers would do, as the
        table plays free numbers and the row has a blank. Arguments are those of ``check``.
        """
        agreed = _settled(self, house)
        cells = tuple(entries)
        if any(self._cell_breaches(cells)):
            return ()
        row = tuple(cell for cell in cells if cell is None or is_whole(cell))
        if agreed["free_numbers"]:
            return (row,) if is_complete(row) else None
        place = self._place(agreed, number, totals)
        if is_complete(row):
            return () if self.rulebook.judge(row, agreed, place).breaches else (row,)
        return self.rulebook.complete(row, agreed, place)

    def standing(
        self,
        rows: Iterable[Sequence[int | None]],
        *,
        house: Mapping[str, object],
        start: Mapping[str, object] | None = None,
    ) -> Standing:
        """Totals, leaders, winner, chalk and Bummerl of a match, from its rows as written.

        ``rows`` may hold blanks, which count nothing, and rows that are not lawful.
        ``start["chalk"]`` is the side that somebody named when asked (see ``asks_chalk``).
        """
        agreed = _settled(self, house)
        written = [tuple(row) for row in rows]
        running = list(
            accumulate(written, with_row, initial=(0,) * len(self.columns)),
        )
        holders = self.rulebook.chalk(written, agreed, self._known_column(start, "chalk"))
        line_round = reached_in(running, self._line(agreed))
        winners = () if line_round is None else self.highest(running[line_round])
        winner = winners[0] if len(winners) == 1 else None
        return Standing(
            totals=running[-1],
            leaders=self.highest(running[-1]) if any(map(has_entry, written)) else (),
            winner=winner,
            winners=winners,
            line_round=line_round,
            rows_after_line=0 if line_round is None else sum(map(has_entry, written[line_round:])),
            chalk=holders[-1],
            chalk_after=holders[1:],
            bummerl=self._bummerl(running[: (line_round or 0) + 1], winner, agreed),
        )

    def settle(self, hand: Mapping[str, object], *, house: Mapping[str, object]) -> Settlement:
        """What a hand comes to: its row, and how one gets there (rules.md 1.2, 2.2, 3.3).

        ``hand`` holds the answers to the game's ``questions`` and what the sheet knows itself;
        answers that are left out or ``None`` take what is usual where there is such a thing.
        Raises ``HandRefused`` with every breach found for a hand that cannot have happened.
        """
        return self.rulebook.settle(hand, _settled(self, house))

    def questions(self, house: Mapping[str, object]) -> tuple[Question, ...]:
        """What a form asks to work a hand out, in order; ``()`` in a game without ``settle``."""
        return self.rulebook.questions(_settled(self, house))

    def needs(
        self, house: Mapping[str, object], *, chalk: ColumnId | None, first_deal: bool
    ) -> Mapping[ColumnId, int]:
        """The card points with which each column scores the next deal at all (rules.md 1.2).

        Empty in a game that has no such number for a column, or while nobody knows who holds the
        chalk.
        """
        return self.rulebook.needs(_settled(self, house), chalk, first_deal)

    def facts(self, house: Mapping[str, object]) -> Mapping[str, object]:
        """Numbers for the game's page of rules, so that no page types one a second time."""
        return self.rulebook.facts(_settled(self, house))

    def value_names(self, house: Mapping[str, object]) -> Mapping[int, str]:
        """Short names of numbers a deal pays, as messages: ``{2: "Schneider"}``."""
        return self.rulebook.value_names(_settled(self, house))

    def feats(
        self, row: OpenRow, *, house: Mapping[str, object], told: Settlement | None
    ) -> tuple[Feat, ...]:
        """What an evening counts of a deal; ``told`` is its hand, where one was worked out."""
        agreed = _settled(self, house)
        if self.rulebook.feats is not None:
            return self.rulebook.feats(row, agreed, told)
        return by_name(row, self.rulebook.value_names(agreed), told)

    def together(self, row: OpenRow) -> tuple[tuple[int, int], ...]:
        """Who were partners in a deal, winners first, where that changes from deal to deal."""
        return self.rulebook.together(row)

    def stakes(self, house: Mapping[str, object]) -> tuple[Stake, ...]:
        """What a table of this game can play for, the most usual first."""
        if not self.partnerships:
            return ("unit",)
        counts_bummerl = self.rulebook.bummerl and _settled(self, house)["bummerl"] != "off"
        return ("match", "points", "bummerl") if counts_bummerl else ("match", "points")

    def asks_chalk(
        self, rows: Iterable[Sequence[int | None]], *, house: Mapping[str, object]
    ) -> bool:
        """Whether the sheet may ask now who holds the chalk (rules.md 1.1, 1.3.11)."""
        return self.rulebook.asks_chalk([tuple(row) for row in rows], _settled(self, house))

    def chalk_question(self, house: Mapping[str, object]) -> str:
        """The question that ``asks_chalk`` is about, as a message; empty if it is never asked."""
        return self.rulebook.chalk_question(_settled(self, house))

    def highest(self, totals: Totals) -> tuple[ColumnId, ...]:
        """The columns that share the highest total, in the order of the sheet."""
        best = max(totals)
        return tuple(
            column for column, total in zip(self.columns, totals, strict=True) if total == best
        )

    def _line(self, agreed: House) -> int | None:
        chosen = agreed["line"]
        if chosen == "none":
            return None
        return chosen if is_whole(chosen) else self.rulebook.line(agreed)

    def _place(self, agreed: House, number: int | None, totals: Sequence[int] | None) -> Place:
        if totals is not None:
            before: Totals | None = tuple(totals)
        else:  # nothing can stand before the first round
            before = (0,) * len(self.columns) if number == 1 else None
        return Place(number=number, totals=before, line=self._line(agreed))

    def _cell_breaches(self, cells: tuple[object, ...]) -> Iterable[Breach]:
        if len(cells) != len(self.columns):
            yield Breach(
                "columns",
                gettext_noop("The row has %(found)s cells; this sheet has %(wanted)s columns."),
                {"found": len(cells), "wanted": len(self.columns)},
            )
            return
        for column, cell in zip(self.columns, cells, strict=True):
            if cell is None:
                continue
            if not is_whole(cell):
                yield _not_whole(cell, column)
            elif cell < 0:
                yield Breach(
                    "negative",
                    gettext_noop("%(found)s is below zero; the sheet counts from 0 up."),
                    {"found": cell},
                    column,
                )

    def _judge_open(self, row: OpenRow, agreed: House, place: Place) -> Findings:
        ways = self.rulebook.complete(row, agreed, place)
        if not ways:
            return Findings(breaches=self.rulebook.explain(row, agreed, place))
        doubts = self.rulebook.judge(ways[0], agreed, place).doubts
        for way in ways:
            if not doubts:  # as a rule the most usual way carries none
                return NOTHING_FOUND
            codes = {doubt.code for doubt in self.rulebook.judge(way, agreed, place).doubts}
            doubts = tuple(doubt for doubt in doubts if doubt.code in codes)
        return Findings(doubts=doubts)

    def _known_column(self, start: Mapping[str, object] | None, name: str) -> ColumnId | None:
        wanted = (start or {}).get(name)
        return next((column for column in self.columns if column == wanted), None)

    def _bummerl(
        self, running: Sequence[Totals], winner: ColumnId | None, agreed: House
    ) -> int | None:
        """What the losing side is chalked; ``running`` ends with the totals that won."""
        line = self._line(agreed)
        if self.rulebook.bummerl is None or agreed["bummerl"] == "off":
            return None
        if line is None or winner is None:
            return None
        return self.rulebook.bummerl(running, self.columns.index(winner), line, agreed)


def reached_in(running: Sequence[Totals], line: int | None) -> int | None:
    """The first round whose running totals reach the line, from 1, or ``None``.

    ``running`` starts with the totals before round 1.

    >>> reached_in([(0, 0), (12, 0), (12, 3), (24, 3)], 20)
    3
    """
    if line is None:
        return None
    return next((number for number, totals in enumerate(running) if max(totals) >= line), None)


def with_row(totals: Totals, row: OpenRow) -> Totals:
    """Totals after a row, in which a blank counts nothing."""
    return tuple(total + (cell or 0) for total, cell in zip(totals, row, strict=True))


def _not_whole(cell: object, column: ColumnId) -> Breach:
    found = str(cell) if isinstance(cell, str | float) else ""
    if _NUMBER_LIKE.fullmatch(found):
        return Breach(
            "not-whole",
            gettext_noop("%(found)s is not a whole number; the sheet takes 0, 1, 2 and so on."),
            {"found": found},
            column,
        )
    return Breach(
        "not-whole",
        gettext_noop("This is not a whole number; the sheet takes 0, 1, 2 and so on."),
        {},
        column,
    )


def _settled(game: Game, wanted: Mapping[str, object]) -> House:
    """The whole house for a mapping that may leave rules out; remembered, as it is asked often."""
    try:
        return _remembered(game, tuple((name, type(v), v) for name, v in wanted.items()))
    except TypeError:  # a value that cannot be a key: a list, a mapping
        return read_house(game.house, wanted)


@lru_cache(maxsize=1024)
def _remembered(game: Game, wanted: tuple[tuple[str, type, object], ...]) -> House:
    return read_house(game.house, {name: value for name, _, value in wanted})
