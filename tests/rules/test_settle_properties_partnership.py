"""What holds for every deal that the two partnership games work out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import rules
from games.rules import HandRefused
from tests.rules.worked import BAUERNSCHNAPSEN_HOUSES, ROWS

BAUERNSTOSS = rules.find_game("bauernstoss")
BAUERNSCHNAPSEN = rules.find_game("bauernschnapsen")

SIDES = st.sampled_from(["A", "B"])
MAYBE_SIDE = st.none() | SIDES
MAYBE_BOOL = st.none() | st.booleans()
VARIATIONS = st.sampled_from(sorted(ROWS["bauernstoss"]))
SEATS = ["forehand", "dealers_partner", "forehands_partner", "dealer"]
CONTRACTS = [
    "normal",
    "bettler",
    "as_bettler",
    "schnapser",
    "gang",
    "zehner_gang",
    "kontra_schnapser",
    "bauern_schnapser",
    "farben_gang",
    "kontra_bauern_schnapser",
    "herren_schnapser",
]

ANYTHING = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)

PLAYED = st.fixed_dictionaries(
    {
        "points_a": st.integers(0, 120).filter(lambda points: points not in {1, 119}),
        "all_tricks": st.sampled_from(["", "", "", "A", "B"]),
        "chalk": SIDES,
        "trump_maker": SIDES,
        "first_deal": st.booleans(),
    }
)
SOLO = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["small_solo", "big_solo"]),
        "bidder": SIDES,
        "made": st.booleans(),
        "chalk": MAYBE_SIDE,
    }
)


@st.composite
def told(draw):
    """A variation, and a deal of it with only the answers that it takes."""
    variation = draw(VARIATIONS)
    hand = draw(PLAYED if variation == "deutscher" else PLAYED | SOLO)
    if hand.get("all_tricks"):
        hand.pop("points_a")
    if variation == "schoofkopp" and hand.get("kind") == "small_solo":
        hand["kind"] = "big_solo"
    if variation == "deutscher" or (variation == "schoofkopp" and hand.get("first_deal")):
        hand.pop("chalk")
    return variation, hand


NORMAL_GAMES = st.fixed_dictionaries(
    {
        "contract": st.just("normal"),
        "ending": st.sampled_from(["claim", "claim", "last_trick"]),
        "by": SIDES,
        "claim_points": st.integers(0, 220),
        "opp_tricks": st.integers(0, 4),
        "opp_points": st.sampled_from([0, 8, 20, 32, 33]) | st.integers(0, 212),
        "doubles": st.integers(0, 3),
    }
)
DECLARED = st.fixed_dictionaries(
    {
        "contract": st.sampled_from(CONTRACTS[1:]),
        "declarer": st.sampled_from(SEATS),
        "forehand_side": SIDES,
        "made": MAYBE_BOOL,
        "doubles": st.integers(0, 3),
    }
)
SCHNAPSEN_HOUSES = st.sampled_from(list(BAUERNSCHNAPSEN_HOUSES.values()))


def settled(game, hand, house):
    """What a hand comes to, or ``None``, and what stands against it."""
    try:
        return game.settle(hand, house=house), ()
    except HandRefused as refused:
        return None, refused.breaches


@given(told())
def test_bauernstoss_settles_to_a_lawful_row_and_the_chalk_of_its_scorer(told_of):
    variation, hand = told_of
    house = {"variation": variation}
    number = 1 if hand.get("first_deal") else 2

    settlement = BAUERNSTOSS.settle(hand, house=house)

    row = settlement.entries
    assert row is not None
    assert BAUERNSTOSS.check(row, house=house, number=number).status == "lawful"
    start = {"chalk": None if any(row) else settlement.chalk_next}  # asked after a tie only
    assert BAUERNSTOSS.standing([row], house=house, start=start).chalk == settlement.chalk_next
    if variation != "deutscher" and any(row):
        assert settlement.chalk_next == ("A" if row[0] else "B")


@given(told())
def test_bauernstoss_does_not_care_which_side_is_which(told_of):
    variation, hand = told_of
    swap: dict[object, str] = {"A": "B", "B": "A"}
    mirrored = {name: swap.get(answer, answer) for name, answer in hand.items()}
    if "points_a" in mirrored:
        mirrored["points_a"] = 120 - hand["points_a"]
    house = {"variation": variation}

    settlement = BAUERNSTOSS.settle(hand, house=house)
    other_side = BAUERNSTOSS.settle(mirrored, house=house)

    assert other_side.entries == tuple(reversed(settlement.entries or ()))
    assert other_side.chalk_next == swap.get(settlement.chalk_next)
    assert other_side.lines == settlement.lines


@given(hand=NORMAL_GAMES | DECLARED, house=SCHNAPSEN_HOUSES)
def test_bauernschnapsen_settles_to_a_lawful_row_or_says_why_not(hand, house):
    settlement, breaches = settled(BAUERNSCHNAPSEN, hand, house)

    if settlement is None:
        assert breaches
        return
    assert BAUERNSCHNAPSEN.check(settlement.entries, house=house).status == "lawful"
    assert settlement.entries.count(0) == 1
    assert settlement.chalk_next is None


@pytest.mark.parametrize("game", [BAUERNSTOSS, BAUERNSCHNAPSEN], ids=lambda game: game.slug)
@given(data=st.data())
def test_whatever_is_told_is_settled_or_refused_in_words(game, data):
    choice = game.house[0]
    house = {choice.name: data.draw(st.sampled_from(choice.choices))}
    words = st.sampled_from(["A", "B", "played", "big_solo", "thrown_in", *CONTRACTS, *SEATS])
    names = [
        *["kind", "chalk", "points_a", "all_tricks", "bidder", "made", "first_deal"],
        *["trump_maker", "contract", "declarer", "forehand_side", "doubles", "ending", "by"],
        *["claim_points", "opp_points", "opp_tricks"],
    ]
    answers = st.booleans() | st.integers(-2, 125) | words | ANYTHING
    hand = data.draw(st.dictionaries(st.sampled_from(names), answers, max_size=8))

    settlement, breaches = settled(game, hand, house)

    if settlement is None:
        assert breaches
        assert all(breach.answer and breach.message for breach in breaches)
        return
    assert settlement.lines
    assert all(settlement.lines)
    assert all(part.message for part in settlement.note)
    assert all(doubt.answer and doubt.message for doubt in settlement.doubts)


def hands_of_bauernstoss():
    for side in "AB":
        for points in (None, 0, 29, 31, 41, 42, 61, 91):
            for swept_by in (None, "A", "B"):
                played = {"points_a": points, "all_tricks": swept_by}
                yield {**played, "chalk": side}
                yield {**played, "trump_maker": side}
        for kind in ("small_solo", "big_solo"):
            for made in (True, False):
                yield {"kind": kind, "bidder": side, "made": made}


def hands_of_bauernschnapsen():
    for side in "AB":
        for doubles in range(4):
            for tricks, points in ((0, 0), (1, 8), (2, 33)):
                yield {
                    "contract": "normal",
                    "by": side,
                    "claim_points": 66,
                    "opp_tricks": tricks,
                    "opp_points": points,
                    "doubles": doubles,
                }
            for contract in CONTRACTS[1:]:
                for seat in SEATS:
                    yield {
                        "contract": contract,
                        "declarer": seat,
                        "forehand_side": side,
                        "made": True,
                        "doubles": doubles,
                    }


def rows_of(game, hands, house):
    """Every row that one of the hands comes to."""
    found = (settled(game, hand, house)[0] for hand in hands)
    return {settlement.entries for settlement in found if settlement}


@pytest.mark.parametrize("variation", ROWS["bauernstoss"])
def test_every_number_of_bauernstoss_is_what_some_deal_comes_to(variation):
    rows = rows_of(BAUERNSTOSS, hands_of_bauernstoss(), {"variation": variation})

    listed = ROWS["bauernstoss"][variation]["values"]
    assert rows - {(0, 0)} == {pair for v in listed for pair in ((v, 0), (0, v))}


@pytest.mark.parametrize("variation", BAUERNSCHNAPSEN_HOUSES)
def test_every_number_of_bauernschnapsen_is_what_some_deal_comes_to(variation):
    rows = rows_of(BAUERNSCHNAPSEN, hands_of_bauernschnapsen(), BAUERNSCHNAPSEN_HOUSES[variation])

    listed = ROWS["bauernschnapsen"][variation]
    assert rows == {pair for v in listed for pair in ((v, 0), (0, v))}
