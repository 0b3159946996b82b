"""What a row of Bauernschnapsen may hold, and what it pays (rules.md 2.1)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from games.rules.house import COMMON, House, choice, flag, read_house
from games.rules.partnership import (
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
    Totals,
    closest,
    gettext_noop,
)

LINE = 24
"""Game points that win."""

DOUBLES = (gettext_noop("Kontra"), gettext_noop("Rekontra"), gettext_noop("Subkontra"))
"""Kontra by the declarer's opponents, Rekontra by the declarer's side, Subkontra by the former."""

MOST_DOUBLES = len(DOUBLES)

SEATS = ("forehand", "dealers_partner", "forehands_partner", "dealer")
"""The players in the order in which they bid; every other one is of one side."""

SUITS = 4

CARDS: Mapping[str, int] = MappingProxyType(
    {"ace": 11, "ten": 10, "king": 4, "queen": 3, "jack": 2}
)
"""Card points of a suit, from the highest card to the lowest."""

MARRIAGE = 20
TRUMP_MARRIAGE = 40

FOREHAND = SEATS[0]
FOREHANDS_SIDE = SEATS[::2]
DEALERS_SIDE = SEATS[1::2]
NORMAL = "normal"


@dataclass(frozen=True, slots=True)
class Contract:
    """What a contract is worth undoubled, in game points, and which seats may declare it.

    ``key`` is its word in a hand. A contract that cannot fail is won on the cards held.
    """

    key: str
    name: str
    stakes: tuple[int, ...]
    seats: tuple[str, ...] = SEATS
    can_fail: bool = True


@dataclass(frozen=True, slots=True)
class Way:
    """One way to be paid: a stake, doubled ``doubles`` times (0 to 3)."""

    stake: int
    doubles: int
    can_fail: bool

    @property
    def points(self) -> int:
        """What the winners of the deal enter, in game points."""
        return self.stake << self.doubles

    @property
    def stake_before_last_double(self) -> int:
        """What the deal was worth before the last double was called."""
        return self.points >> 1

    def last_doublers(self, winner: int) -> tuple[int, ...]:
        """The sides that may have called the last double, when side 0 or 1 was paid.

        The winner declared and made it, or the others declared and failed.
        """
        declarers = (winner, 1 - winner) if self.can_fail else (winner,)
        by_opponents = self.doubles % 2 == 1
        return tuple(1 - side if by_opponents else side for side in declarers)


_AS_BETTLER_POINTS = 5


@lru_cache(maxsize=64)
def contracts(house: House) -> tuple[Contract, ...]:
    """The contracts a table plays, the cheapest first (rules.md 2.1)."""
    as_bettler = _AS_BETTLER_POINTS if house["as_bettler"] else 0
    ladder = (
        Contract(NORMAL, gettext_noop("Normal game"), (1, 2, 3), (FOREHAND,)),
        Contract("bettler", gettext_noop("Bettler"), (house.number("bettler"),)),
        Contract("as_bettler", gettext_noop("As-Bettler"), (as_bettler,)),
        Contract("schnapser", gettext_noop("Schnapser"), (6,), FOREHANDS_SIDE),
        Contract("gang", gettext_noop("Gang"), (9,)),
        Contract("zehner_gang", gettext_noop("Zehner-Gang"), (house.number("zehner_gang"),)),
        Contract("kontra_schnapser", gettext_noop("Kontra-Schnapser"), (12,), DEALERS_SIDE),
        Contract("bauern_schnapser", gettext_noop("Bauern-Schnapser"), (12,), FOREHANDS_SIDE),
        Contract("farben_gang", gettext_noop("Farben-Gang"), (18,), SEATS[1:], can_fail=False),
        Contract(
            "kontra_bauern_schnapser", gettext_noop("Kontra-Bauern-Schnapser"), (24,), DEALERS_SIDE
        ),
        Contract(
            "herren_schnapser", gettext_noop("Herren-Schnapser"), (24,), (FOREHAND,), can_fail=False
        ),
    )
    played = (contract for contract in ladder if all(contract.stakes))  # 0: not at this table
    return tuple(sorted(played, key=lambda contract: contract.stakes))


@lru_cache(maxsize=64)
def ways_by_points(house: House) -> Mapping[int, tuple[Way, ...]]:
    """Every way to be paid, by the number that is entered; the most usual number first.

    Undoubled numbers come before doubled ones, low before high.
    """
    ways = [
        Way(stake, doubles, contract.can_fail)
        for contract in contracts(house)
        for stake in contract.stakes
        for doubles in range(MOST_DOUBLES + 1)
    ]
    ways.sort(key=lambda way: (way.doubles, way.points))
    found: dict[int, tuple[Way, ...]] = {}
    for way in ways:
        found[way.points] = (*found.get(way.points, ()), way)
    return MappingProxyType(found)


@lru_cache(maxsize=64)
def _every_row(house: House) -> tuple[Row, ...]:
    return one_sided([ways_by_points(house)] * len(SIDES))


def judge(row: Row, house: House, place: Place) -> Findings:
    """What stands against a complete row, and what to confirm about it (rules.md 2.1)."""
    if all(row):
        return Findings(breaches=(both_score(row),))
    side = scorer(row)
    if side is None:
        return Findings(breaches=(nobody_scores(),))
    points = row[side]
    paid = ways_by_points(house)
    if points not in paid:
        return Findings(breaches=(_value(points, SIDES[side], paid),))
    if place.line is None or not _may_be_pointless(points, place):
        return NOTHING_FOUND
    before = place.totals or (0, 0)  # while unknown, from any score: as if nobody had any
    if _is_pointless(paid[points], side, before, place.line):
        return Findings(doubts=(_pointless_double(points, SIDES[side], place.line),))
    return NOTHING_FOUND


def _may_be_pointless(points: int, place: Place) -> bool:
    """While the totals are unknown, only numbers of the usual contracts are doubted."""
    return place.totals is not None or points in ways_by_points(_USUAL_HOUSE)


def _is_pointless(ways: Iterable[Way], winner: int, before: Totals, line: int) -> bool:
    """Whether every way to a number needs a double that its caller could not gain by.

    A double gains nothing once the caller's total and the stake before it reach the line.
    """
    return all(
        way.doubles > 0
        and all(
            before[caller] + way.stake_before_last_double >= line
            for caller in way.last_doublers(winner)
        )
        for way in ways
    )


def complete(row: OpenRow, house: House, place: Place) -> tuple[Row, ...]:
    """The lawful rows that agree with an incomplete one, the most usual first (rules.md 2.1)."""
    return complete_sides(
        row,
        lambda way: not judge(way, house, place).breaches,
        lambda: agreeing(_every_row(house), row),
    )


def explain(row: OpenRow, house: House, place: Place) -> tuple[Breach, ...]:
    """What stands against an incomplete row that nothing can complete (rules.md 2.1)."""
    return judge(tuple(cell or 0 for cell in row), house, place).breaches


def bummerl(running: Sequence[Totals], winner: int, line: int, house: House) -> int:
    """The marks chalked against the losing side (rules.md 2.3.12).

    1, or 2 if it has no game points at all; where the table plays so, 4 if it led by one point
    less than the line to nothing. ``running`` ends with the totals that won, ``winner`` is 0 or 1.
    """
    loser = 1 - winner
    almost = line - 1
    led_to_nothing = almost > 0 and any(
        totals[loser] == almost and totals[winner] == 0 for totals in running
    )
    if led_to_nothing and house["bummerl"] == "on-with-four":
        return 4
    return 1 if running[-1][loser] else 2


def value_names(house: House) -> Mapping[int, str]:
    """The contract that pays a number undoubled; the less usual of two with one number is left out.

    Numbers that a normal game pays undoubled have no name.
    """
    names: dict[int, str] = {}
    for contract in sorted(contracts(house), key=lambda contract: contract.seats == DEALERS_SIDE):
        if contract.key != NORMAL:
            names.setdefault(contract.stakes[0], contract.name)
    return dict(sorted(names.items()))


def _value(points: int, column: ColumnId, paid: Iterable[int]) -> Breach:
    return Breach(
        "value",
        gettext_noop(
            "No deal pays %(found)s; the closest that contracts and doubles come to: %(closest)s."
        ),
        {"found": points, "closest": closest(points, paid)},
        column,
    )


def _pointless_double(points: int, column: ColumnId, line: int) -> Breach:
    return Breach(
        "pointless-double",
        gettext_noop(
            "%(found)s needs a double that gained nothing: whoever called it would have reached "
            "%(line)s without it."
        ),
        {"found": points, "line": line},
        column,
    )


HOUSE_RULES = (
    choice(
        "bettler",
        gettext_noop("Bettler"),
        {
            0: gettext_noop("not played"),
            4: gettext_noop("4 game points"),
            5: gettext_noop("5 game points"),
        },
        default=4,
    ),
    flag("as_bettler", gettext_noop("As-Bettler, 5 game points")),
    choice(
        "zehner_gang",
        gettext_noop("Zehner-Gang"),
        {
            0: gettext_noop("not played"),
            8: gettext_noop("8 game points"),
            9: gettext_noop("9 game points"),
            10: gettext_noop("10 game points"),
        },
        default=10,
    ),
    choice(
        "bummerl",
        gettext_noop("Bummerl"),
        {
            "off": gettext_noop("not counted"),
            "on": gettext_noop("1, or 2 against nothing"),
            "on-with-four": gettext_noop("1 or 2, and 4 after leading 23:0"),
        },
        default="on",
    ),
    *COMMON,
)
_USUAL_HOUSE = read_house(HOUSE_RULES, {})
