"""What a row of Bauernstoss may hold, and what it pays (rules.md 1.1)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, TypeAlias

from games.rules.game import no_chalk
from games.rules.house import House
from games.rules.partnership import (
    SCORELESS,
    SIDES,
    agreeing,
    both_score,
    complete_sides,
    nobody_scores,
    one_sided,
    scorer,
)
from games.rules.vocabulary import (
    NOTHING_FOUND,
    Breach,
    ColumnId,
    Findings,
    OpenRow,
    Place,
    Row,
    gettext_noop,
    has_entry,
    listed,
)

CHALK_POINTS = 42
"""Card points with which the side that holds the chalk scores (rules.md 1.2)."""

Result: TypeAlias = Literal[
    "ordinary",
    "schneider",
    "opponents",
    "opponents_schneider",
    "every_trick",
    "small_solo",
    "big_solo",
]
"""What a deal can be paid for. The opponents are those of the side that made trumps."""


@dataclass(frozen=True, slots=True)
class Variation:
    """What one way to play pays, in marks, and how it treats a tie and the chalk.

    ``deals`` are the marks of ordinary deals, ``whole`` those of the rare deal that is all or
    nothing. ``schneider_points``: card points from which a side has won with Schneider.
    ``called``: the name of a result, for those that have one.
    ``barred_first``: a deal that is all or nothing cannot be the first of a match.
    ``ties``: where 0–0 can stand.
    ``completes``: a deal won outright may also be entered as the marks still missing to the line.
    ``carried``: marks of a deal that takes along the mark of a tied deal before it.
    ``chalk_from``: what decides the chalk of the first deal.
    """

    line: int
    schneider_points: int
    deals: Mapping[Result, int]
    whole: Mapping[Result, int]
    called: Mapping[Result, str]
    barred_first: bool
    ties: Literal["never", "opening", "always"] = "never"
    completes: bool = False
    carried: tuple[int, ...] = ()
    chalk_from: Literal["jack", "opening", "nothing"] = "jack"

    @property
    def marks(self) -> tuple[int, ...]:
        """What ordinary deals pay, low before high."""
        return tuple(dict.fromkeys(self.deals.values()))

    @property
    def names(self) -> Mapping[int, str]:
        """What numbers of marks are called, as messages."""
        return {self.pays(result): name for result, name in self.called.items()}

    def pays(self, result: Result) -> int:
        """The marks of a result."""
        return self.deals[result] if result in self.deals else self.whole[result]


_SCHOOFKOPP_LINE = 15
_DEUTSCHER_LINE = 9

VARIATIONS: Mapping[str, Variation] = MappingProxyType(
    {
        "main": Variation(
            line=20,
            schneider_points=91,
            deals=MappingProxyType({"ordinary": 1, "schneider": 2, "every_trick": 3}),
            whole=MappingProxyType({"small_solo": 8, "big_solo": 12}),
            called=MappingProxyType(
                {
                    "schneider": gettext_noop("Schneider"),
                    "every_trick": gettext_noop("Schwarz"),
                    "small_solo": gettext_noop("Small Solo"),
                    "big_solo": gettext_noop("Big Solo"),
                }
            ),
            barred_first=True,
        ),
        "schoofkopp": Variation(
            line=_SCHOOFKOPP_LINE,
            schneider_points=89,
            deals=MappingProxyType({"ordinary": 1, "schneider": 2, "every_trick": 4}),
            whole=MappingProxyType({"big_solo": _SCHOOFKOPP_LINE}),
            called=MappingProxyType(
                {
                    "schneider": gettext_noop("Schneider"),
                    "every_trick": gettext_noop("Schwarz"),
                    "big_solo": gettext_noop("Lech Dich"),
                }
            ),
            barred_first=True,
            ties="opening",
            completes=True,
            chalk_from="opening",
        ),
        "deutscher": Variation(
            line=_DEUTSCHER_LINE,
            schneider_points=91,
            deals=MappingProxyType(
                {"ordinary": 1, "schneider": 2, "opponents": 2, "opponents_schneider": 4}
            ),
            whole=MappingProxyType({"every_trick": _DEUTSCHER_LINE}),
            called=MappingProxyType({"every_trick": gettext_noop("Every trick")}),
            barred_first=False,
            ties="always",
            completes=True,
            carried=(3, 5),
            chalk_from="nothing",
        ),
    }
)


def variation_of(house: House) -> Variation:
    """The way a table plays."""
    return VARIATIONS[str(house["variation"])]


def judge(row: Row, house: House, place: Place) -> Findings:
    """What stands against a complete row, and what to confirm about it (rules.md 1.1)."""
    if all(row):
        return Findings(breaches=(both_score(row),))
    side = scorer(row)
    if side is None:
        return _judge_tie(variation_of(house), place)
    return _judge_marks(row[side], side, variation_of(house), place)


def _judge_tie(variation: Variation, place: Place) -> Findings:
    if variation.ties == "always":
        return Findings(doubts=(_TIE_CARRIED,))
    if variation.ties == "opening":
        if place.number in {1, None}:  # an unknown round may be the first
            return Findings(doubts=(_TIE_OPENING,))
        return Findings(breaches=(_TIE_LATER,))
    return Findings(breaches=(nobody_scores(),))


def _judge_marks(marks: int, side: int, variation: Variation, place: Place) -> Findings:
    column = SIDES[side]
    if marks in variation.deals.values():
        return NOTHING_FOUND
    if marks in variation.carried:
        return Findings(doubts=(_carried_mark(marks, column),))
    if marks not in variation.whole.values():
        if not _may_complete(marks, side, variation, place):
            return Findings(breaches=(_value(marks, column, variation, place),))
        if place.totals is None:
            return Findings(doubts=(_only_if_completes(marks, column, place),))
    if variation.barred_first and place.number == 1:
        return Findings(doubts=(_solo_in_round_1(marks, column),))
    return NOTHING_FOUND


def _may_complete(marks: int, side: int, variation: Variation, place: Place) -> bool:
    """Whether marks bring a side exactly to the line, or could while the totals are unknown."""
    if not variation.completes or place.line is None:
        return False
    if place.totals is None:
        return marks <= place.line
    return place.totals[side] + marks == place.line


def complete(row: OpenRow, house: House, place: Place) -> tuple[Row, ...]:
    """The lawful rows that agree with an incomplete one, the most usual first (rules.md 1.1)."""
    return complete_sides(
        row,
        lambda way: not judge(way, house, place).breaches,
        lambda: _ways(row, house, place),
    )


def _ways(row: OpenRow, house: House, place: Place) -> tuple[Row, ...]:
    variation = variation_of(house)
    if variation.completes and place.totals is None:  # many with a far line, and always the same
        return _ways_anywhere(row, house, place.line, may_tie=_may_tie(variation, place))
    return agreeing(_rows(variation, place), row)


@lru_cache(maxsize=16)
def _ways_anywhere(
    row: OpenRow, house: House, line: int | None, *, may_tie: bool
) -> tuple[Row, ...]:
    place = Place(number=1 if may_tie else 2, totals=None, line=line)
    return agreeing(_rows(variation_of(house), place), row)


def _rows(variation: Variation, place: Place) -> tuple[Row, ...]:
    usual = one_sided([variation.marks] * len(SIDES))
    tie = (SCORELESS,) if _may_tie(variation, place) else ()
    rare = (*variation.whole.values(), *variation.carried)
    paid = {*variation.marks, *rare}
    unusual = one_sided(
        [(*rare, *_completing(side, paid, variation, place)) for side in range(len(SIDES))]
    )
    return (*usual, *tie, *unusual)


def _completing(side: int, paid: set[int], variation: Variation, place: Place) -> Iterable[int]:
    """Marks that are lawful only because they bring a side exactly to the line."""
    if not variation.completes or place.line is None:
        return ()
    if place.totals is None:
        possible: Iterable[int] = range(1, place.line + 1)
    else:
        possible = (place.line - place.totals[side],)
    return [marks for marks in possible if marks > 0 and marks not in paid]


def _may_tie(variation: Variation, place: Place) -> bool:
    return not _judge_tie(variation, place).breaches


def explain(row: OpenRow, house: House, place: Place) -> tuple[Breach, ...]:
    """What stands against an incomplete row that nothing can complete (rules.md 1.1)."""
    return judge(tuple(cell or 0 for cell in row), house, place).breaches


def chalk(
    rows: Sequence[OpenRow], house: House, first: ColumnId | None
) -> tuple[ColumnId | None, ...]:
    """Who holds the chalk before the first row and after each (rules.md 1.1).

    After a row it belongs to the side that scored it. ``first`` is what the table said when it
    was asked: the holder of the first deal, or after a tied opening in Alter Schoofkopp.
    """
    variation = variation_of(house)
    if variation.chalk_from == "nothing":
        return no_chalk(rows, house, first)
    holders = [first if variation.chalk_from == "jack" else None]
    for number, row in enumerate(rows, start=1):
        side = _scorer_so_far(row, number, house, variation)
        if side is not None:
            holders.append(SIDES[side])
        elif number == 1 and row == SCORELESS and variation.chalk_from == "opening":
            holders.append(first)
        else:
            holders.append(holders[-1])
    return tuple(holders)


def _scorer_so_far(row: OpenRow, number: int, house: House, variation: Variation) -> int | None:
    """The side that scores a row however its blanks are filled, 0 for A and 1 for B."""
    if None not in row:
        return scorer(row)
    if not has_entry(row) or house["free_numbers"]:
        return None
    if any(row):
        return scorer(row)
    may_tie = variation.ties == "opening" and number == 1
    return None if may_tie else row.index(None)  # the other side has 0, so this one scores


def asks_chalk(rows: Sequence[OpenRow], house: House) -> bool:
    """Whether to ask now who holds the chalk (rules.md 1.1, 1.3.11).

    For the first deal until its row has an entry; in Alter Schoofkopp after a tied opening until
    the second row has one; never in Deutscher Schafkopf.
    """
    opening, second = [*rows, (None, None), (None, None)][:2]
    chalk_from = variation_of(house).chalk_from
    if chalk_from == "jack":
        return not has_entry(opening)
    return chalk_from == "opening" and opening == SCORELESS and not has_entry(second)


def chalk_question(house: House) -> str:
    """The question about the first chalk, as a message."""
    return {
        "jack": gettext_noop("Who was dealt the jack of clubs?"),
        "opening": gettext_noop("60–60: who did not make trumps and takes the chalk?"),
        "nothing": "",
    }[variation_of(house).chalk_from]


_TIE_OPENING = Breach(
    "tie-opening",
    gettext_noop("0–0 stands for a first deal that was tied 60–60; nobody scores then."),
)
_TIE_LATER = Breach(
    "nobody-scores",
    gettext_noop("Both sides have 0; after the first deal one side scores on every deal."),
)
_TIE_CARRIED = Breach(
    "tie-carried",
    gettext_noop("0–0 stands for a deal that was tied 60–60 and is settled by the next."),
)


def _carried_mark(marks: int, column: ColumnId) -> Breach:
    return Breach(
        "carried-mark",
        gettext_noop(
            "%(found)s is only scored when the mark of a tied deal is added to the next deal."
        ),
        {"found": marks},
        column,
    )


def _only_if_completes(marks: int, column: ColumnId, place: Place) -> Breach:
    return Breach(
        "only-if-completes",
        gettext_noop("%(found)s is only scored when it brings a side exactly to %(line)s."),
        {"found": marks, "line": place.line or 0},
        column,
    )


def _solo_in_round_1(marks: int, column: ColumnId) -> Breach:
    return Breach(
        "solo-in-round-1",
        gettext_noop("%(found)s is a Solo, and a Solo cannot be bid on the first deal."),
        {"found": marks},
        column,
    )


def _value(marks: int, column: ColumnId, variation: Variation, place: Place) -> Breach:
    numbers: dict[str, int | str] = {
        "found": marks,
        "paid": listed((*variation.marks, *variation.whole.values())),
    }
    if not variation.completes or place.line is None:
        text = gettext_noop("No deal pays %(found)s; it is one of %(paid)s.")
        return Breach("value", text, numbers, column)
    text = gettext_noop(
        "No deal pays %(found)s; it is one of %(paid)s, or exactly what is missing to %(line)s."
    )
    return Breach("value", text, {**numbers, "line": place.line}, column)
