"""Hands of Bavarian Schafkopf: what holds for all of them, and that they reach every number."""

from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from games import rules
from games.rules import HandRefused
from games.rules.catalogue.schafkopf.questions import NAMES
from games.rules.hand import applies
from tests.rules.worked import ROWS, SCHAFKOPF_HOUSES

GAME = rules.find_game("schafkopf")
KNOWN = {
    *("contract", "declarer", "partner", "points", "tricks", "runners", "holder", "doubles"),
    *("no_trick", "loser"),
}
PAIRED = {"rufer", "wedding"}
TRICKS = ("some", "all", "none")
HOLDERS = ("declarer", "defence")
LONGEST = {"wenz": 5, "wenz_tout": 5, "geier": 5, "geier_tout": 5, "sie": 0, "bettel": 0}
"""Runs that are tried, one longer than a contract's trumps at most; elsewhere all fourteen."""
TURNS = (0, 30, 31, 60, 61, 90, 91, 120)
"""The least and the most card points of every result."""

seats = st.integers(0, 3)
card_points = st.sampled_from([0, *range(2, 119), 120])
houses = st.fixed_dictionaries(
    {},
    optional={
        "short": st.booleans(),
        "geier": st.booleans(),
        "suit_geier": st.booleans(),
        "wedding": st.booleans(),
        "bettel": st.integers(0, 20),
        "ramsch": st.integers(0, 20),
        "ramsch_doubles": st.booleans(),
    },
)
splits = st.lists(st.integers(0, 120), min_size=3, max_size=3).map(
    lambda cuts: [b - a for a, b in zip([0, *sorted(cuts)], [*sorted(cuts), 120], strict=True)]
)


@st.composite
def ramsches(draw):
    """Hands of a Ramsch that add up; a player without card points took a trick or did not."""
    points = draw(splits)
    hand = {
        "contract": "ramsch",
        "points": points,
        "no_trick": [number == 0 and draw(st.booleans()) for number in points],
    }
    most = [seat for seat in range(4) if points[seat] == max(points)]
    return {**hand, "loser": draw(st.sampled_from(most))}


@st.composite
def declared_hands(draw, contract):
    """Hands with a declarer whose answers could fit together."""
    declarer = draw(seats)
    hand = {"contract": contract, "declarer": declarer}
    if contract in PAIRED:
        hand["partner"] = (declarer + draw(st.integers(1, 3))) % 4
    hand["doubles"] = draw(st.integers(0, 2))
    if contract == "sie":
        return hand
    hand["tricks"] = draw(st.sampled_from(TRICKS))
    if hand["tricks"] == "some":
        hand["points"] = draw(card_points)
    if contract != "bettel":
        hand |= {"runners": draw(st.integers(0, 8)), "holder": draw(st.sampled_from(HOLDERS))}
    return hand


@st.composite
def tables_with_hands(draw):
    """A table's house rules, and a hand of a contract that it plays."""
    house = draw(houses)
    offered = [option.value for option in GAME.questions(house)[0].options]
    contract = draw(st.sampled_from(offered))
    hand = draw(ramsches() if contract == "ramsch" else declared_hands(contract))
    return house, hand


def outcome(hand, house):
    """What a hand comes to, and the breaches that refuse it: one of the two."""
    try:
        return GAME.settle(hand, house=house), ()
    except HandRefused as refused:
        return None, refused.breaches


def settled(hand, house):
    """What a hand comes to; hypothesis looks for another if it cannot have happened."""
    settlement, _ = outcome(hand, house)
    assume(settlement)
    return settlement


few = hypothesis_settings(max_examples=60)


@few
@given(table=tables_with_hands())
def test_every_hand_that_is_taken_gives_a_lawful_row_without_a_doubt(table):
    house, hand = table
    settlement = settled(hand, house)

    verdict = GAME.check(settlement.entries, house=house)

    assert verdict.status == "lawful"
    assert verdict.doubts == ()


@few
@given(table=tables_with_hands())
def test_the_lift_keeps_every_gap_between_the_players(table):
    house, hand = table
    settlement = settled(hand, house)

    entries, gains = settlement.entries, settlement.gains
    assert sum(gains) == 0
    assert min(entries) == 0
    for one, other in product(range(4), repeat=2):
        assert entries[one] - entries[other] == gains[one] - gains[other]


@few
@given(table=tables_with_hands())
def test_each_is_what_every_loser_pays_at_the_least(table):
    house, hand = table
    settlement = settled(hand, house)

    assert settlement.each == min(abs(gain) for gain in settlement.gains)
    assert settlement.steps
    assert settlement.note[0].message == NAMES[hand["contract"]]


@few
@given(table=tables_with_hands(), turn=st.integers(1, 3))
def test_the_seats_change_who_wins_but_not_how_much(table, turn):
    house, hand = table
    settlement = settled(hand, house)
    moved = dict(hand)
    for name in {"declarer", "partner", "loser"} & set(hand):
        moved[name] = (hand[name] + turn) % 4
    for name in {"points", "no_trick"} & set(hand):
        if isinstance(hand[name], list):
            moved[name] = [hand[name][seat - turn] for seat in range(4)]

    elsewhere = GAME.settle(moved, house=house)

    assert elsewhere.lines == settlement.lines
    assert elsewhere.gains == tuple(settlement.gains[seat - turn] for seat in range(4))


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 125) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, min_size=3, max_size=5),
    max_leaves=6,
)
words = st.sampled_from([*TRICKS, *HOLDERS, *NAMES])


@given(
    hand=st.fixed_dictionaries({}, optional=dict.fromkeys(sorted(KNOWN), anything | words | seats)),
    contract=st.sampled_from([None, *NAMES]),
    house=houses,
)
def test_whatever_is_told_is_settled_or_refused_with_reasons(hand, contract, house):
    told = {**hand, "contract": contract} if contract else hand

    settlement, breaches = outcome(told, house)

    assert bool(breaches) == (settlement is None)
    assert {breach.answer for breach in breaches} <= KNOWN
    assert all(breach.message for breach in breaches)
    if settlement:
        assert GAME.check(settlement.entries, house=house).status == "lawful"


def hands_of(contract):
    """Hands of a contract at the turns of every result, with every run, undoubled or doubled."""
    base: dict[str, Any] = {"contract": contract, "declarer": 0}
    if contract == "ramsch":
        for trickless in range(4):
            without = [seat >= 4 - trickless for seat in range(4)]
            rest = [0 if out else 20 for out in without[1:]]
            yield {**base, "points": [120 - sum(rest), *rest], "no_trick": without}
        return
    if contract in PAIRED:
        base["partner"] = 1
    endings: list[dict[str, Any]] = [{"tricks": tricks} for tricks in TRICKS]
    if contract not in {"sie", "bettel"} and not contract.endswith("_tout"):
        endings += [{"points": points} for points in TURNS]
    runs: list[dict[str, Any]] = [
        {},
        *(
            {"runners": length, "holder": holder}
            for length in range(1, LONGEST.get(contract, 14) + 1)
            for holder in HOLDERS
        ),
    ]
    for ending, run, doubles in product(endings, runs, range(3)):
        yield {**base, **ending, **run, "doubles": doubles}


def shape_of(entries):
    winners = sum(entry > 0 for entry in entries)
    return {1: "lone_win", 2: "pair", 3: "lone_loss"}[winners]


@pytest.mark.parametrize("variation", SCHAFKOPF_HOUSES)
def test_hands_reach_exactly_the_numbers_that_a_table_can_enter(variation):
    house = SCHAFKOPF_HOUSES[variation]
    reached: dict[str, set[int]] = {"pair": set(), "lone_win": set(), "lone_loss": set()}

    for option in GAME.questions(house)[0].options:
        for hand in hands_of(option.value):
            settlement, _ = outcome(hand, house)
            if settlement:
                reached[shape_of(settlement.entries)].add(max(settlement.entries))

    listed = ROWS["schafkopf"][variation]
    assert {shape: sorted(numbers) for shape, numbers in reached.items()} == {
        shape: listed[shape]["values"] for shape in reached
    }


@st.composite
def answered_forms(draw):
    """A table, and the answers of somebody who taps through its whole form."""
    house = draw(houses)
    hand: dict[str, Any] = {}
    for question in GAME.questions(house):
        if applies(question.when, hand):
            one = answers_to(question, hand)
            hand[question.name] = draw(
                st.lists(one, min_size=4, max_size=4) if question.many else one
            )
    return house, hand


def answers_to(question, hand):
    if question.kind == "choice":
        return st.sampled_from([o.value for o in question.options if applies(o.when, hand)])
    if question.kind == "switch":
        return st.booleans()
    if question.kind == "seat":
        return seats
    return st.integers(question.lowest, question.highest)


@given(form=answered_forms())
def test_a_form_that_is_answered_to_the_end_leaves_nothing_out_and_nothing_unknown(form):
    house, hand = form

    settlement, breaches = outcome(hand, house)

    assert set(hand) <= KNOWN
    assert {breach.code for breach in breaches} <= {
        *("partner-self", "points-impossible", "points-sum", "tricks-points"),
        *("runners-range", "runners-sie", "runners-tricks", "runners-points"),
        *("ramsch-tie", "ramsch-loser"),
    }
    if settlement:
        assert GAME.check(settlement.entries, house=house).status == "lawful"
