"""Numbers for the page of rules; what a deal pays is asked of the code that works hands out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import TypeAlias

from games.rules.catalogue.bauernstoss import hands, rows
from games.rules.hand import CARD_POINTS, HandRefused, Settlement
from games.rules.house import House

Hand: TypeAlias = Mapping[str, object]

PLAYERS = 4
SUITS = 4
CARD_VALUES: Mapping[str, int] = MappingProxyType(
    {"ace": 11, "ten": 10, "king": 4, "queen": 3, "jack": 2, "nine": 0, "eight": 0, "seven": 0}
)
FACES: Mapping[str, int] = MappingProxyType({"ten": 10, "nine": 9, "eight": 8, "seven": 7})
PACK = SUITS * len(CARD_VALUES)
HAND_SIZE = PACK // PLAYERS
BATCH = 4  # cards dealt at a time
LOWEST_BID: Mapping[str, int] = MappingProxyType({"deutscher": 5})  # trumps; the others set none

# Trumps that a hand in one of the tips would make: two jacks, and three cards of a suit or two.
SHAPE: Mapping[str, int] = MappingProxyType({"long": 2 + 3, "short": 2 + 2})

WORKED_HAND: Hand = MappingProxyType({"chalk": "A", "points_a": 95})
WORKED_TOTALS = (12, 9)
WORKED_REST = ("ace", "ten", "king")  # what counts in the tricks of the other side


@dataclass(frozen=True, slots=True)
class Band:
    """Card points, both ends included, with which a side scores the same marks.

    ``marks`` has a number for each role that the side can be in.
    """

    lowest: int
    highest: int
    marks: tuple[int, ...]


@lru_cache(maxsize=64)
def facts(house: House) -> Mapping[str, object]:
    """What the page quotes, for one way to play.

    ``bands`` and ``sweep`` (every trick) are by role: with and without the chalk, or where there
    is none the side that made trumps and the other. ``opening`` is the deal that first decides
    who has the chalk, ``solos`` what is paid for a Solo that may be bid.
    """
    variation = rows.variation_of(house)
    roles = _roles(variation)
    bands = _bands(house, roles)
    return MappingProxyType(
        {
            "players": PLAYERS,
            "pack": PACK,
            "hand": HAND_SIZE,
            "batch": BATCH,
            "jacks": SUITS,
            "points": CARD_POINTS,
            "half": CARD_POINTS // 2,
            "cards": CARD_VALUES,
            "faces": FACES,
            "lowest_bid": LOWEST_BID.get(str(house["variation"])),
            "needs": tuple(_needed(bands, role) for role in range(len(roles))),
            "schneider": bands[-1].lowest,
            "schneider_pays": bands[-1].marks[0],
            "bands": bands,
            "sweep": _sweep(house, roles),
            "opening": _opening(house),
            "solos": _solos(house),
            "carried": variation.carried,
            "worked": _worked(house),
            "shape": SHAPE,
        }
    )


def _roles(variation: rows.Variation) -> tuple[Hand, ...]:
    """What a hand says of the side A that is asked about: the better role first."""
    name = "trump_maker" if variation.chalk_from == "nothing" else "chalk"
    return ({name: "A"}, {name: "B"})


def _marks(hand: Hand, house: House) -> int | None:
    """What side A scores with a hand; ``None`` if it cannot have happened."""
    try:
        settlement = hands.settle(hand, house)
    except HandRefused:
        return None
    return None if settlement.entries is None else settlement.entries[0]


def _bands(house: House, roles: Sequence[Hand]) -> tuple[Band, ...]:
    paid: list[tuple[int, tuple[int, ...]]] = []
    for points in range(CARD_POINTS + 1):
        marks = [_marks({**role, "points_a": points}, house) for role in roles]
        known = tuple(number for number in marks if number is not None)
        if len(known) == len(roles):
            paid.append((points, known))
    return tuple(
        Band(lowest=alike[0][0], highest=alike[-1][0], marks=marks)
        for marks, group in groupby(paid, key=lambda pair: pair[1])
        for alike in [list(group)]
    )


def _needed(bands: Sequence[Band], role: int) -> int:
    """The card points from which a side scores."""
    return next(band.lowest for band in bands if band.marks[role])


def _sweep(house: House, roles: Sequence[Hand]) -> tuple[int | None, ...]:
    won = {"points_a": CARD_POINTS, "all_tricks": "A"}
    return tuple(_marks({**role, **won}, house) for role in roles)


def _opening(house: House) -> Mapping[str, object] | None:
    if rows.variation_of(house).chalk_from != "opening":
        return None
    role: Hand = {"first_deal": True}
    tied = _bands(house, [{**role, "trump_maker": "A"}])
    return {"bands": tied, "needs": _needed(tied, 0), "sweep": _sweep(house, [role])}


def _solos(house: House) -> Mapping[str, int]:
    paid = {
        kind: _marks({"kind": kind, "chalk": "A", "bidder": "A", "made": True}, house)
        for kind in ("small_solo", "big_solo")
    }
    return {kind: marks for kind, marks in paid.items() if marks is not None}


def _worked(house: House) -> Mapping[str, object] | None:
    """A hand worked out, in the usual game: the cells before, the row, the cells after."""
    if rows.variation_of(house).chalk_from != "jack":
        return None
    settlement: Settlement = hands.settle(WORKED_HAND, house)
    ours = WORKED_HAND["points_a"]
    rest = [CARD_VALUES[card] for card in WORKED_REST]
    entries = settlement.entries or ()
    return {
        "hand": WORKED_HAND,
        "settlement": settlement,
        "points": (ours, sum(rest)),
        "rest": rest,
        "before": WORKED_TOTALS,
        "after": tuple(map(sum, zip(WORKED_TOTALS, entries, strict=True))),
    }
