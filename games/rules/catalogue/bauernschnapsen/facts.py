"""Numbers and names for the page of rules; what deals pay comes from ``rows`` and ``hands``."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from games.rules.catalogue.bauernschnapsen import hands, rows
from games.rules.hand import CARD_POINTS
from games.rules.house import House, HouseRule, HouseValue, read_house
from games.rules.vocabulary import Place, gettext_noop

PACK = rows.SUITS * len(rows.CARDS)
HAND = PACK // len(rows.SEATS)
"""Cards in a hand, and so the tricks of a deal."""
FIRST_CARDS = 3
"""Cards forehand sees before naming trumps."""
SCHNAPSER_TRICKS = 3
"""Tricks from the first on that a Schnapser or Kontra-Schnapser must take."""

BIDDERS: Mapping[tuple[str, ...], str] = MappingProxyType(
    {
        rows.SEATS: gettext_noop("anybody"),
        rows.SEATS[1:]: gettext_noop("anybody but forehand"),
        rows.FOREHANDS_SIDE: gettext_noop("forehand’s side"),
        rows.DEALERS_SIDE: gettext_noop("forehand’s opponents"),
        (rows.FOREHAND,): gettext_noop("forehand only"),
    }
)
"""Who may declare, in words."""

WORKED_HAND: Mapping[str, object] = MappingProxyType(
    {
        "contract": rows.NORMAL,
        "declarer": rows.FOREHAND,
        "forehand_side": "A",
        "ending": hands.CLAIM,
        "by": "A",
        "claim_points": 66,
        "opp_points": 21,
        "opp_tricks": 2,
        "doubles": 0,
    }
)


@lru_cache(maxsize=64)
def facts(house: House) -> Mapping[str, object]:
    """What the page quotes of a table's game, and which numbers other house rules bring."""
    return MappingProxyType(
        {
            "line": rows.LINE,
            "cards": PACK,
            "hand": HAND,
            "tricks": HAND,
            "suit_cards": len(rows.CARDS),
            "card_points": rows.CARDS,
            "all_card_points": CARD_POINTS,
            "first_cards": FIRST_CARDS,
            "later_cards": HAND - FIRST_CARDS,
            "marriage": rows.MARRIAGE,
            "trump_marriage": rows.TRUMP_MARRIAGE,
            "schnapser_tricks": SCHNAPSER_TRICKS,
            "enough": hands.ENOUGH,
            "half": hands.HALF,
            "safe_tricks": _safe_tricks(),
            "normal": _normal(house),
            "last_trick": _paid_for({"ending": hands.LAST_TRICK, "by": "A"}, house),
            "seats": _seats(house),
            "contracts": tuple(_contract(contract) for contract in rows.contracts(house)),
            "as_bettler": _as_bettler(house),
            "doubles": _doubles(),
            "paid": _paid(house),
            "pointless": _pointless(house),
            "over": _over(house),
            "bummerl": _bummerl(house),
            "changes": _changes(),
            "worked": _worked(house),
        }
    )


def _with(house: House, name: str, value: HouseValue) -> House:
    """The same table with one house rule chosen otherwise."""
    return House(tuple((rule, value if rule == name else kept) for rule, kept in house.agreed))


def _seats(house: House) -> tuple[str, ...]:
    """What the seats are called, in the order of priority."""
    declarer = next(asked for asked in hands.questions(house) if asked.name == "declarer")
    names = {option.value: option.label for option in declarer.options}
    return tuple(names[seat] for seat in rows.SEATS)


def _contract(contract: rows.Contract) -> Mapping[str, object]:
    return {
        "key": contract.key,
        "name": contract.name,
        "stakes": contract.stakes,
        "seats": contract.seats,
        "who": BIDDERS[contract.seats],
        "can_fail": contract.can_fail,
    }


def _as_bettler(house: House) -> int:
    contracts = rows.contracts(_with(house, "as_bettler", value=True))
    return next(contract.stakes[0] for contract in contracts if contract.key == "as_bettler")


def _safe_tricks() -> Mapping[str, int]:
    """The fewest tricks that always hold enough to lose only one game point, and what they hold."""
    number, held = next(
        (tricks, held)
        for tricks, held in enumerate(hands.POINTS_OF_TRICKS)
        if held.start >= hands.HALF
    )
    return {"number": number, "points": held.start}


def _paid_for(ending: Mapping[str, object], house: House) -> int:
    """What side A gets for a normal game that ends so."""
    hand = {"contract": rows.NORMAL, "declarer": rows.FOREHAND, "forehand_side": "A", **ending}
    return (hands.settle(hand, house).entries or (0,))[0]


def _normal(house: House) -> Mapping[str, int]:
    """What a claim pays, by what the other side has."""
    others = {"past_half": (hands.HALF, 2), "under_half": (hands.HALF - 1, 2), "no_trick": (0, 0)}
    claim = {"ending": hands.CLAIM, "by": "A", "claim_points": hands.ENOUGH}
    return {
        name: _paid_for({**claim, "opp_points": points, "opp_tricks": tricks}, house)
        for name, (points, tricks) in others.items()
    }


def _doubles() -> tuple[Mapping[str, object], ...]:
    """The ladder of doubles, from none; the declarer's opponents call first."""
    return tuple(
        {"name": name, "times": 1 << level, "by_declarer": level % 2 == 0}
        for level, name in enumerate(("", *rows.DOUBLES))
    )


def _paid(house: House) -> tuple[int, ...]:
    return tuple(sorted(rows.ways_by_points(house)))


def _pointless(house: House) -> tuple[int, ...]:
    """Numbers that are doubted even while nobody has a game point."""
    start = Place(number=None, totals=(0, 0), line=rows.LINE)
    return tuple(points for points in _paid(house) if rows.judge((points, 0), house, start).doubts)


def _over(house: House) -> Mapping[str, int]:
    """A side just below the line that is paid for a Schnapser."""
    schnapser = next(one for one in rows.contracts(house) if one.key == "schnapser")
    before, paid = rows.LINE - 1, schnapser.stakes[0]
    return {"before": before, "paid": paid, "after": before + paid}


def _bummerl(house: House) -> Mapping[str, int]:
    """The marks against a side that lost, had nothing, or had led by ``almost`` to nothing."""
    almost = rows.LINE - 1
    with_four = _with(house, "bummerl", "on-with-four")
    led = [(0, 0), (0, almost), (rows.LINE, almost)]
    return {
        "lost": rows.bummerl([(0, 0), (0, 1), (rows.LINE, 1)], 0, rows.LINE, house),
        "scoreless": rows.bummerl([(0, 0), (rows.LINE, 0)], 0, rows.LINE, house),
        "led": rows.bummerl(led, 0, rows.LINE, with_four),
        "almost": almost,
    }


def _changes() -> tuple[Mapping[str, object], ...]:
    """Numbers that come and go when one house rule is chosen otherwise than usual."""
    usual = read_house(rows.HOUSE_RULES, {})
    changes = (
        _change(rule, value, usual)
        for rule in rows.HOUSE_RULES
        for value in rule.choices
        if value != rule.default
    )
    return tuple(change for change in changes if change["comes"] or change["goes"])


def _change(rule: HouseRule, value: HouseValue, usual: House) -> Mapping[str, object]:
    before, after = _paid(usual), _paid(_with(usual, rule.name, value))
    return {
        "rule": rule.label,
        "choice": "" if rule.kind == "flag" else rule.label_of(value),
        "comes": tuple(points for points in after if points not in before),
        "goes": tuple(points for points in before if points not in after),
    }


def _worked(house: House) -> Mapping[str, object]:
    """A hand, what it comes to, and what it would have come to after a Kontra."""
    doubled = hands.settle({**WORKED_HAND, "doubles": 1}, house)
    return {
        "hand": WORKED_HAND,
        "settlement": hands.settle(WORKED_HAND, house),
        "doubled": max(doubled.entries or (0,)),
    }
