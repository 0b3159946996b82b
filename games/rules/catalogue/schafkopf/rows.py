"""What a row of Bavarian Schafkopf may hold, and what it pays (rules.md 3.1)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from itertools import permutations
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from games.rules.house import House
from games.rules.vocabulary import (
    NOTHING_FOUND,
    Breach,
    ColumnId,
    Findings,
    OpenRow,
    Place,
    Row,
    closest,
    gettext_noop,
    is_complete,
    listed,
)

SEATS = (0, 1, 2, 3)
MOST_DOUBLES = 2
"""A defender's call and the declarer's answer."""

Shape: TypeAlias = Literal["pair", "lone_win", "lone_loss"]
"""v v 0 0 in a Rufer; v 0 0 0 won alone; 0 v v v lost alone or in a Ramsch."""

WINNERS: Mapping[Shape, int] = MappingProxyType({"pair": 2, "lone_win": 1, "lone_loss": 3})
LIFT: Mapping[Shape, int] = MappingProxyType({"pair": 2, "lone_win": 4, "lone_loss": 4})
"""What a winner enters for each unit a loser pays: the sheet counts from the lowest player up."""

_ACE, _TEN, _KING, _OBER, _UNTER, _BLANK = 11, 10, 4, 3, 2, 0
_SHORT_RANKS = (_ACE, _TEN, _KING, _OBER, _UNTER, _BLANK)
_RANKS = (*_SHORT_RANKS, _BLANK, _BLANK)

PACKS: Mapping[bool, tuple[int, ...]] = MappingProxyType(
    {
        short: tuple(sorted(ranks * len(SEATS), reverse=True))
        for short, ranks in ((False, _RANKS), (True, _SHORT_RANKS))
    }
)
"""Card points of every card, the highest first, by whether the table plays Short: four suits."""

CARD_POINTS = sum(PACKS[False])

WINS_FROM = {True: 61, False: 60}
SCHNEIDER_FROM = {True: 91, False: 90}
"""Card points that win, and that make a Schneider, by whether the declarer's side has them."""

SCHNEIDER_LEAVES = {won: CARD_POINTS - points for won, points in SCHNEIDER_FROM.items()}
"""Card points that a Schneider leaves at most, by whether the declarer won it."""
ROOM = {won: CARD_POINTS - points for won, points in WINS_FROM.items()}
"""Card points that a plain result leaves at most, by whether the declarer won it."""


class Level(IntEnum):
    """How high a hand was won, in the units that each loser pays on top (rules.md 3.1)."""

    PLAIN = 0
    SCHNEIDER = 1
    SCHWARZ = 2


@dataclass(frozen=True, slots=True)
class Contract:
    """Prices and limits of a contract with runners; ``key`` is its word in a hand.

    ``base`` is the plain price in units for each loser, on which a ``Level`` comes. Runners are
    paid from ``runners_from`` on, at most ``own`` held by the declarer's side and ``against`` by
    the others (rules.md 3.2). ``trumps`` are their card points from the top. ``has_tout``: it can
    be announced as a Tout, at a flat price. ``paired``: the declarer has a partner. ``overlong``:
    longer runs than any deal gives are taken with a doubt.
    """

    key: str
    base: int
    runners_from: int
    own: int
    against: int
    trumps: tuple[int, ...]
    has_tout: bool
    paired: bool = False
    overlong: bool = False

    @property
    def tout_key(self) -> str:
        """The word of its Tout, if it ``has_tout``."""
        return f"{self.key}_tout"


class Price(NamedTuple):
    """One result: units each loser pays undoubled, and how rare it is (0 is a plain Rufer)."""

    shape: Shape
    units: int
    rarity: int
    doubtful: bool = False
    can_be_doubled: bool = True


RUNNER = 1
TOUT, TOUT_RUNNER = 10, 2
SIE, SIE_RUNNER, SIE_RUNNERS = 20, 4, 8
RAMSCH_WITHOUT_TRICK = 3
"""At most three players take no trick."""

_OBERS, _UNTERS = (_OBER,) * len(SEATS), (_UNTER,) * len(SEATS)
_SHORT = (*_OBERS, *_UNTERS, _ACE, _TEN, _KING, _BLANK)
_LONG = (*_SHORT, _BLANK, _BLANK)
_SHORT_SUIT = (*_OBERS, _ACE, _TEN, _KING, _UNTER, _BLANK)
_LONG_SUIT = (*_SHORT_SUIT, _BLANK, _BLANK)

SOLO = "solo"
_RUFER = Contract("rufer", 1, 3, own=14, against=14, trumps=_LONG, has_tout=False, paired=True)
_WEDDING = replace(_RUFER, key="wedding", own=9, against=13)
_WENZ = Contract("wenz", 5, 2, own=4, against=4, trumps=_UNTERS, has_tout=True)
_SOLO = Contract(SOLO, 5, 3, own=7, against=13, trumps=_LONG, has_tout=True, overlong=True)
_GEIER = replace(_WENZ, key="geier", trumps=_OBERS)
_SUIT_GEIER = replace(_SOLO, key="suit_geier", own=8, against=10, trumps=_LONG_SUIT, overlong=False)
_CONTRACTS = (_RUFER, _WENZ, _SOLO, _WEDDING, _GEIER, _SUIT_GEIER)
_SHORT_CONTRACTS = (
    replace(_RUFER, own=10, against=12, trumps=_SHORT),
    _WENZ,
    replace(_SOLO, own=5, against=11, trumps=_SHORT),
    replace(_WEDDING, own=7, against=11, trumps=_SHORT),
    _GEIER,
    replace(_SUIT_GEIER, own=6, against=8, trumps=_SHORT_SUIT),
)
BY_AGREEMENT = frozenset({_WEDDING.key, _GEIER.key, _SUIT_GEIER.key})
"""Contracts that a table plays only if its house rule of the same name says so."""


def every_contract(house: House) -> tuple[Contract, ...]:
    """The contracts with runners that can be played with the pack of a table."""
    return _SHORT_CONTRACTS if house["short"] else _CONTRACTS


def contracts(house: House) -> tuple[Contract, ...]:
    """The contracts with runners that a table plays. A Wedding costs what a Rufer does."""
    return tuple(
        contract
        for contract in every_contract(house)
        if contract.key not in BY_AGREEMENT or house[contract.key]
    )


def price_list(house: House) -> Iterable[Price]:
    """Every result that a table can have, undoubled (rules.md 3.1, 3.2, 3.4)."""
    for contract in contracts(house):
        for won in (True, False):
            yield from _played(contract, won=won)
            if contract.has_tout:
                yield from _tout(contract, won=won)
    if not house["short"]:
        yield Price("lone_win", SIE + SIE_RUNNERS * SIE_RUNNER, rarity=20)
    yield from _bettel(house.number("bettel"))
    yield from _ramsch(house.number("ramsch"), doubles=bool(house["ramsch_doubles"]))


def _shape(contract: Contract, *, won: bool) -> Shape:
    if contract.paired:
        return "pair"
    return "lone_win" if won else "lone_loss"


def _played(contract: Contract, *, won: bool) -> Iterable[Price]:
    shape = _shape(contract, won=won)
    offset = 0 if shape == "pair" else 3
    for level, room in zip(Level, (ROOM[won], SCHNEIDER_LEAVES[won], None), strict=True):
        for run, doubtful in _paid_runs(contract, won=won, losers_room=room):
            units = contract.base + level + run * RUNNER
            yield Price(shape, units, offset + level + run, doubtful)


def _tout(contract: Contract, *, won: bool) -> Iterable[Price]:
    """A Tout: made with every trick, so with no runner against it; lost with either side's."""
    room = None if won else CARD_POINTS
    for run, doubtful in _paid_runs(contract, won=won, losers_room=room):
        yield Price(_shape(contract, won=won), TOUT + run * TOUT_RUNNER, 9 + run, doubtful)


def _paid_runs(
    contract: Contract, *, won: bool, losers_room: int | None
) -> Iterable[tuple[int, bool]]:
    """Lengths of runs that can be paid with a result, each with whether it is doubtful."""
    for run in (0, *range(contract.runners_from, len(contract.trumps) + 1)):
        if _can_run(contract, run, won=won, losers_room=losers_room):
            yield run, False
        elif contract.overlong:
            yield run, True


def _can_run(contract: Contract, run: int, *, won: bool, losers_room: int | None) -> bool:
    """Whether a deal can give a run of this length with this result (rules.md 3.2).

    The winners hold it, or the losers do: then its card points must fit into what is left to
    them, and with no trick (``losers_room`` is ``None``) they hold no runner at all.
    """
    winners_limit, losers_limit = contract.own, contract.against
    if not won:
        winners_limit, losers_limit = losers_limit, winners_limit
    if run <= winners_limit:
        return True
    if losers_room is None or run > losers_limit:
        return False
    return sum(contract.trumps[:run]) <= losers_room


def _bettel(value: int) -> Iterable[Price]:
    if value:
        yield Price("lone_win", value, rarity=5)
        yield Price("lone_loss", value, rarity=5)


def _ramsch(stake: int, *, doubles: bool) -> Iterable[Price]:
    if stake:
        for without_trick in range(RAMSCH_WITHOUT_TRICK + 1 if doubles else 1):
            yield Price(
                "lone_loss",
                stake << without_trick,
                rarity=4 + 2 * without_trick,
                can_be_doubled=False,
            )


class Paid(NamedTuple):
    """How a number comes about at best: whether only with a doubt, and how rarely."""

    doubtful: bool
    rarity: int


@lru_cache(maxsize=64)
def paid(house: House) -> Mapping[Shape, Mapping[int, Paid]]:
    """The numbers that winners can enter, by the shape of the row (rules.md 3.1)."""
    found: dict[Shape, dict[int, Paid]] = {shape: {} for shape in WINNERS}
    for price in price_list(house):
        for doubles in range(MOST_DOUBLES + 1 if price.can_be_doubled else 1):
            number = (price.units << doubles) * LIFT[price.shape]
            way = Paid(price.doubtful, price.rarity + 4 * doubles)
            known = found[price.shape].get(number, way)
            found[price.shape][number] = min(known, way)
    return MappingProxyType(found)


@lru_cache(maxsize=64)
def every_row(house: House) -> tuple[Row, ...]:
    """Every lawful row of a table, the most usual first, doubtful ones last (rules.md 3.1)."""
    ranked = sorted(
        (way, number, -WINNERS[shape], shape)
        for shape, numbers in paid(house).items()
        for number, way in numbers.items()
    )
    return tuple(row for _, number, _, shape in ranked for row in _seatings(shape, number))


def _seatings(shape: Shape, number: int) -> Iterable[Row]:
    winners = WINNERS[shape]
    cells = (number,) * winners + (0,) * (len(SEATS) - winners)
    return sorted(set(permutations(cells)), reverse=True)


def judge(row: Row, house: House, place: Place) -> Findings:  # noqa: ARG001 -- any round is alike
    """What stands against a complete row, and what to confirm about it (rules.md 3.1)."""
    numbers = [cell for cell in row if cell]
    if not numbers:
        return Findings(breaches=(_ALL_ZERO,))
    if len(numbers) == len(SEATS):
        return Findings(breaches=(_no_zero(row),))
    if len(set(numbers)) > 1:
        return Findings(breaches=(_shape_breach(row),))
    number = numbers[0]
    shape = next(shape for shape, winners in WINNERS.items() if winners == len(numbers))
    way = paid(house)[shape].get(number)
    column = row.index(number) if shape == "lone_win" else None
    if way is None:
        return Findings(breaches=(_price_breach(number, shape, house, column),))
    if way.doubtful:
        return Findings(doubts=(_runners_unlikely(number, column),))
    return NOTHING_FOUND


def complete(row: OpenRow, house: House, place: Place) -> tuple[Row, ...]:  # noqa: ARG001
    """The lawful rows that agree with an incomplete one, the most usual first (rules.md 3.1)."""
    ways: Iterable[Row] = every_row(house)
    for seat, cell in enumerate(row):
        if cell is not None:
            ways = [way for way in ways if way[seat] == cell]
    return tuple(ways)


def explain(row: OpenRow, house: House, place: Place) -> tuple[Breach, ...]:
    """What stands against an incomplete row that nothing can complete (rules.md 3.1).

    If all rows it could become break the same rule, that is the reason; otherwise it is the
    number itself.
    """
    numbers = {cell for cell in row if cell}
    if len(numbers) > 1:
        return (_shape_breach(tuple(cell for cell in row if cell is not None)),)
    number = numbers.pop()
    found = {
        breach
        for filling in _fillings(row, number)
        for breach in judge(filling, house, place).breaches
        if breach.code != "no-zero"
    }
    if len(found) > 1 and row.count(number) == WINNERS["pair"]:
        found = {breach for breach in found if breach.code == "rufer-odd"} or found
    if len(found) == 1:
        return tuple(found)
    column = row.index(number) if row.count(number) == 1 else None
    return (_value(number, _all_numbers(house), column),)


def _fillings(row: OpenRow, number: int) -> Iterable[Row]:
    """The rows that blanks filled with 0 or the one number already written can give."""
    rows: list[OpenRow] = [row]
    while not is_complete(rows[0]):
        seat = rows[0].index(None)
        rows = [(*way[:seat], cell, *way[seat + 1 :]) for way in rows for cell in (0, number)]
    return [way for way in rows if is_complete(way)]


def _all_numbers(house: House) -> Iterable[int]:
    return {number for numbers in paid(house).values() for number in numbers}


def value_names(house: House) -> Mapping[int, str]:
    """The one number that has a name of its own: a Sie."""
    sie = LIFT["lone_win"] * (SIE + SIE_RUNNERS * SIE_RUNNER)
    return {} if house["short"] else {sie: gettext_noop("Sie")}


_ALL_ZERO = Breach(
    "all-zero", gettext_noop("All four have 0; somebody finishes above the lowest on every deal.")
)


def _no_zero(row: Row) -> Breach:
    return Breach(
        "no-zero",
        gettext_noop(
            "The lowest number is %(lowest)s; everybody enters the units above the lowest "
            "player, so that player has 0."
        ),
        {"lowest": min(row)},
    )


def _shape_breach(row: Row) -> Breach:
    return Breach(
        "shape",
        gettext_noop("%(found)s: the winners of a deal all enter the same number, the others 0."),
        {"found": listed(row)},
    )


def _price_breach(number: int, shape: Shape, house: House, column: ColumnId | None) -> Breach:
    if shape == "pair" and number % LIFT[shape]:
        return Breach(
            "rufer-odd",
            gettext_noop(
                "%(found)s for two winners: they finish 2 above the losers for each unit, so the "
                "number is even; %(found)s units are entered as %(lifted)s."
            ),
            {"found": number, "lifted": number * LIFT[shape]},
        )
    if number % LIFT[shape]:
        return Breach(
            "alone-not-4",
            gettext_noop(
                "%(found)s for one against three: winners finish 4 above the losers for each "
                "unit, so the number is a multiple of 4, such as %(closest)s."
            ),
            {"found": number, "closest": closest(number, paid(house)[shape])},
            column,
        )
    return _value(number, paid(house)[shape], column)


def _value(number: int, numbers: Iterable[int], column: ColumnId | None) -> Breach:
    return Breach(
        "value",
        gettext_noop("No deal pays %(found)s here; the closest numbers: %(closest)s."),
        {"found": number, "closest": closest(number, numbers)},
        column,
    )


def _runners_unlikely(number: int, column: ColumnId | None) -> Breach:
    return Breach(
        "runners-unlikely",
        gettext_noop("%(found)s needs more runners than a Solo has been seen with."),
        {"found": number},
        column,
    )
