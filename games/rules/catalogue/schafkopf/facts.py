"""Numbers and names for the page of rules; what a row pays comes from ``rows`` (rules.md 3)."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from games.rules.catalogue.schafkopf import hands, rows
from games.rules.catalogue.schafkopf.questions import NAMES
from games.rules.hand import Settlement
from games.rules.house import House, HouseValue
from games.rules.vocabulary import gettext_noop

PLAYERS = len(rows.SEATS)
SUITS = 4
PACKET = 4
"""Cards dealt at a time."""
CUT = 3
"""Cards that a cut leaves on either side at least."""
ACES_TO_CALL = SUITS - 1
RUN_AWAY = 3
"""Cards of the called suit beside the Ace that its holder needs to run away."""
TIMES = 2
"""What a double makes of a deal, and its answer of that."""
EXAMPLE_BETTEL, EXAMPLE_RAMSCH = 5, 1
"""Prices in units to show what a row holds; every table sets its own (rules.md 3.4.14, 3.4.16)."""

CARD_NAMES: Mapping[int, str] = MappingProxyType(
    {
        11: gettext_noop("Ace, called the Sow"),
        10: gettext_noop("Ten"),
        4: gettext_noop("King"),
        3: gettext_noop("Ober"),
        2: gettext_noop("Unter"),
        0: gettext_noop("Nine, Eight, Seven"),
    }
)

BIDS = ("rufer", "wenz", "solo", "wenz_tout", "solo_tout", "sie")
"""The contracts of every table from the lowest to the highest."""

WORKED_NAMES = ("Lena", "Jonas", "Felix", "Nora")
WORKED_ROLES = (
    gettext_noop("calls the Ace"),
    gettext_noop("holds the called Ace"),
    gettext_noop("plays against them"),
    gettext_noop("plays against them"),
)
WORKED_HAND: Mapping[str, object] = MappingProxyType(
    {
        "contract": "rufer",
        "declarer": 0,
        "partner": 1,
        "points": 93,
        "runners": 5,
        "holder": "declarer",
    }
)


_SHAPES: Mapping[str, rows.Shape] = MappingProxyType(
    {"two": "pair", "one": "lone_win", "three": "lone_loss"}
)
"""Rows by how many win."""


@lru_cache(maxsize=64)
def facts(house: House) -> Mapping[str, object]:
    """What the page quotes of a table's game, and of what other tables play.

    ``numbers`` are what winners enter, by how many win; ``asked`` those that a person confirms.
    """
    return MappingProxyType(
        {
            "pack": _pack(),
            "deal": {"packet": PACKET, "times": _cards_each(short=False) // PACKET, "cut": CUT},
            "call": {"aces": ACES_TO_CALL, "run_away": RUN_AWAY},
            "bids": tuple(NAMES[bid] for bid in BIDS),
            "trumps": _trumps(house),
            "points": _points(),
            "results": _results(),
            "prices": _prices(house),
            "flat": _flat(),
            "runners": _runners(house),
            "sie": _sie(),
            "doubles": {"times": TIMES, "answered": TIMES**rows.MOST_DOUBLES},
            "lift": {"pair": rows.LIFT["pair"], "alone": rows.LIFT["lone_win"]},
            "examples": _examples(house),
            "numbers": _numbers(house, doubtful=False),
            "asked": _numbers(house, doubtful=True),
            "short": _short(house),
            "geier": _geier(house),
            "wedding": _wedding(house),
            "bettel": _priced(EXAMPLE_BETTEL),
            "ramsch": _ramsch(house),
            "worked": _worked(house),
        }
    )


def _with(house: House, **chosen: HouseValue) -> House:
    """The same table with some house rules chosen otherwise."""
    return House(tuple((name, chosen.get(name, value)) for name, value in house.agreed))


def _contract(key: str, house: House) -> rows.Contract:
    return next(contract for contract in rows.every_contract(house) if contract.key == key)


def _cards_each(*, short: bool) -> int:
    return len(rows.PACKS[short]) // PLAYERS


def _pack() -> Mapping[str, object]:
    pack = rows.PACKS[False]
    return {
        "cards": len(pack),
        "ranks": len(pack) // SUITS,
        "each": _cards_each(short=False),
        "suit_points": rows.CARD_POINTS // SUITS,
        "points": rows.CARD_POINTS,
        "card_points": tuple(
            {"points": points, "name": CARD_NAMES[points]} for points in dict.fromkeys(pack)
        ),
    }


def _trumps(house: House) -> Mapping[str, int]:
    """Trumps of a Rufer or a Solo, of which ``suit`` are neither Obers nor Unters; of a Wenz."""
    trumps = len(_contract("rufer", house).trumps)
    return {
        "rufer": trumps,
        "suit": trumps - 2 * SUITS,
        "wenz": len(_contract("wenz", house).trumps),
    }


def _points() -> Mapping[str, int]:
    """Card points that decide a deal: of the declarer's side, and of its opponents."""
    return {
        "win": rows.WINS_FROM[True],
        "others_win": rows.WINS_FROM[False],
        "schneider": rows.SCHNEIDER_FROM[True],
        "others_schneider": rows.SCHNEIDER_FROM[False],
        "out": rows.SCHNEIDER_LEAVES[False] + 1,
        "others_out": rows.SCHNEIDER_LEAVES[True] + 1,
    }


def _results() -> tuple[Mapping[str, object], ...]:
    """What the card points of the declarer's side come to, the most first."""
    points = _points()
    starts = (
        (points["schneider"], gettext_noop("won with Schneider")),
        (points["win"], gettext_noop("won")),
        (points["out"], gettext_noop("lost")),
        (0, gettext_noop("lost with Schneider")),
    )
    ends = (rows.CARD_POINTS, *(start - 1 for start, _ in starts[:-1]))
    return tuple(
        {"lowest": lowest, "highest": highest, "name": name}
        for (lowest, name), highest in zip(starts, ends, strict=True)
    )


def _prices(house: House) -> Mapping[str, Mapping[str, object]]:
    """Units each loser pays: plain, Schneider and Schwarz."""
    return {
        key: {
            "name": NAMES[key],
            "units": tuple(_contract(key, house).base + level for level in rows.Level),
        }
        for key in ("rufer", "wenz", "solo")
    }


def _flat() -> tuple[Mapping[str, object], ...]:
    """Units each loser pays in contracts with one price."""
    prices = (("wenz_tout", rows.TOUT), ("solo_tout", rows.TOUT), ("sie", rows.SIE))
    return tuple({"name": NAMES[key], "units": units} for key, units in prices)


def _runners(house: House) -> Mapping[str, object]:
    """From how many on runners are paid and how many units each; how many a side can hold."""
    rufer, wenz, solo = (_contract(key, house) for key in ("rufer", "wenz", "solo"))
    rates = (
        (rufer.key, rufer.runners_from, rows.RUNNER),
        (solo.key, solo.runners_from, rows.RUNNER),
        (wenz.key, wenz.runners_from, rows.RUNNER),
        (solo.tout_key, solo.runners_from, rows.TOUT_RUNNER),
        (wenz.tout_key, wenz.runners_from, rows.TOUT_RUNNER),
        ("sie", rows.SIE_RUNNERS, rows.SIE_RUNNER),
    )
    return {
        "rates": tuple(
            {"name": NAMES[key], "start": start, "units": units} for key, start, units in rates
        ),
        "rufer": rufer.own,
        "wenz": wenz.own,
        "solo": solo.own,
        "solo_others": solo.against,
    }


def _sie() -> Mapping[str, int]:
    runners = rows.SIE_RUNNERS * rows.SIE_RUNNER
    units = rows.SIE + runners
    entry = units * rows.LIFT["lone_win"]
    return {
        "cards": rows.SIE_RUNNERS,
        "price": rows.SIE,
        "runners": runners,
        "units": units,
        "entry": entry,
        "doubled": entry * TIMES,
        "answered": entry * TIMES**rows.MOST_DOUBLES,
    }


def _examples(house: House) -> tuple[Mapping[str, object], ...]:
    """Rows as they go on the sheet, with the units each loser pays."""
    rufer, solo = _contract("rufer", house), _contract("solo", house)
    doubled = (rufer.base + rufer.runners_from * rows.RUNNER) * TIMES
    return (
        _example(gettext_noop("a plain Rufer"), "pair", rufer.base),
        _example(gettext_noop("a Rufer with runners, doubled"), "pair", doubled),
        _example(gettext_noop("a plain Solo, won"), "lone_win", solo.base),
        _example(gettext_noop("a plain Solo, lost"), "lone_loss", solo.base),
        _example(NAMES["sie"], "lone_win", _sie()["units"]),
    )


def _example(name: str, shape: rows.Shape, units: int) -> Mapping[str, object]:
    winners = rows.WINNERS[shape]
    entries = (units * rows.LIFT[shape],) * winners + (0,) * (PLAYERS - winners)
    if shape == "lone_loss":  # the first player is the declarer
        entries = entries[::-1]
    return {"name": name, "units": units, "entries": entries}


def _numbers(house: House, *, doubtful: bool) -> Mapping[str, tuple[int, ...]]:
    """What winners can enter, by how many win: without a question, or only after one."""
    paid = rows.paid(house)
    return {
        winners: tuple(n for n, way in sorted(paid[shape].items()) if way.doubtful == doubtful)
        for winners, shape in _SHAPES.items()
    }


def _gone(house: House, other: House) -> Mapping[str, tuple[int, ...]]:
    """Numbers that one table takes without a question and another does not."""
    left = _numbers(other, doubtful=False)
    return {
        winners: tuple(number for number in numbers if number not in left[winners])
        for winners, numbers in _numbers(house, doubtful=False).items()
    }


def _short(house: House) -> Mapping[str, object]:
    short = _with(house, short=True)
    return {
        "cards": len(rows.PACKS[True]),
        "each": _cards_each(short=True),
        "trumps": _trumps(short)["rufer"],
        "runners": _runners(short),
        "gone": _gone(_with(house, short=False), short),
    }


def _geier(house: House) -> Mapping[str, int]:
    geier, suit_geier = _contract("geier", house), _contract("suit_geier", house)
    return {
        "trumps": len(geier.trumps),
        "start": geier.runners_from,
        "suit_trumps": len(suit_geier.trumps),
        "suit_below": len(suit_geier.trumps) - len(geier.trumps),
        "suit_start": suit_geier.runners_from,
    }


def _wedding(house: House) -> Mapping[str, int]:
    wedding = _contract("wedding", house)
    return {"runners": wedding.own, "runners_others": wedding.against}


def _priced(units: int) -> Mapping[str, int]:
    return {"units": units, "entry": units * rows.LIFT["lone_win"]}


def _ramsch(house: House) -> Mapping[str, object]:
    """What a Ramsch at the example's stake pays, by how many players take no trick."""
    ramsch = _with(house, ramsch=EXAMPLE_RAMSCH, ramsch_doubles=True)
    return {
        "stake": EXAMPLE_RAMSCH,
        "pays": tuple(
            {"without": without, **_priced(EXAMPLE_RAMSCH * TIMES**without)}
            for without in range(rows.RAMSCH_WITHOUT_TRICK + 1)
        ),
        "more": _gone(ramsch, _with(house, ramsch=0))["three"],
    }


def _worked(house: House) -> Mapping[str, object]:
    """A hand, what it comes to, and each player's part in it."""
    settlement: Settlement = hands.settle(WORKED_HAND, house)
    entries = settlement.entries or ()
    return {
        "hand": WORKED_HAND,
        "settlement": settlement,
        "names": WORKED_NAMES,
        "players": tuple(
            {"name": name, "role": role, "entry": entry}
            for name, role, entry in zip(WORKED_NAMES, WORKED_ROLES, entries, strict=True)
        ),
        "average": sum(entries) // PLAYERS,
    }
