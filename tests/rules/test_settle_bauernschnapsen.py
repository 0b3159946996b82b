"""Deals of Bauernschnapsen worked out: what they pay, to whom, and what is refused."""

import pytest

from games import rules
from games.rules import HandRefused
from games.rules.hand import applies
from tests.rules.worked import BAUERNSCHNAPSEN_HOUSES, codes, examples

GAME = rules.find_game("bauernschnapsen")
OTHER = {"A": "B", "B": "A"}
SEATS = ("forehand", "dealers_partner", "forehands_partner", "dealer")
FOREHANDS_SIDE = ("forehand", "forehands_partner")
DEALERS_SIDE = ("dealers_partner", "dealer")
EVERYTHING = {"as_bettler": True}

CONTRACTS = {
    "bettler": (4, SEATS),
    "as_bettler": (5, SEATS),
    "schnapser": (6, FOREHANDS_SIDE),
    "gang": (9, SEATS),
    "zehner_gang": (10, SEATS),
    "kontra_schnapser": (12, DEALERS_SIDE),
    "bauern_schnapser": (12, FOREHANDS_SIDE),
    "farben_gang": (18, SEATS[1:]),
    "kontra_bauern_schnapser": (24, DEALERS_SIDE),
    "herren_schnapser": (24, ("forehand",)),
}
CERTAIN = ("farben_gang", "herren_schnapser")

NORMAL = {"contract": "normal", "by": "A", "claim_points": 66, "opp_points": 21, "opp_tricks": 2}
LAST_TRICK = {"contract": "normal", "ending": "last_trick", "by": "A"}
GANG = {"contract": "gang", "declarer": "dealer", "forehand_side": "A", "made": True}
FARBEN_GANG = {"contract": "farben_gang", "declarer": "dealer", "forehand_side": "A"}


def settle(hand, **house):
    return GAME.settle(hand, house=house)


def refusal(hand, **house):
    """The breaches of a hand that is refused."""
    with pytest.raises(HandRefused) as refused:
        settle(hand, **house)
    return refused.value.breaches


def refused_for(hand, house):
    """The codes of what stands against a hand, if anything does."""
    try:
        GAME.settle(hand, house=house)
    except HandRefused as refused:
        return codes(refused.breaches)
    return []


def row(side, points):
    return (points, 0) if side == "A" else (0, points)


@pytest.mark.parametrize(
    "case",
    [case for case in examples("settle") if case["game"] == "bauernschnapsen"],
    ids=lambda case: case["id"],
)
def test_settle_gives_the_result_of_the_worked_case(case):
    expected = case["expected"]

    if "breach" in expected:
        with pytest.raises(HandRefused) as refused:
            GAME.settle(case["hand"], house=case["house"])
        assert expected["breach"] in codes(refused.value.breaches)
        return
    assert GAME.settle(case["hand"], house=case["house"]).entries == tuple(expected["entries"])


@pytest.mark.parametrize("by", ["A", "B"])
@pytest.mark.parametrize(
    "claimed",
    [
        pytest.param(66, id="66 is enough"),
        pytest.param(220, id="220 is the most"),
        pytest.param(65, id="65 is not enough"),
        pytest.param(0, id="nothing at all"),
    ],
)
@pytest.mark.parametrize(
    ("others", "level"),
    [
        pytest.param((0, 0), 3, id="no trick"),
        pytest.param((0, None), 3, id="no trick, points left out"),
        pytest.param((1, 8), 2, id="the cheapest trick"),
        pytest.param((1, 32), 2, id="one trick and 32"),
        pytest.param((1, 33), 1, id="one trick and 33"),
        pytest.param((1, 144), 1, id="the dearest trick and all marriages"),
        pytest.param((2, 20), 2, id="the two cheapest tricks"),
        pytest.param((2, 32), 2, id="two tricks and 32"),
        pytest.param((2, 33), 1, id="two tricks and 33"),
        pytest.param((2, 184), 1, id="the two dearest tricks"),
        pytest.param((3, 36), 1, id="three tricks always have 33"),
        pytest.param((3, 200), 1, id="the three dearest tricks"),
        pytest.param((4, 76), 1, id="the four cheapest tricks"),
        pytest.param((4, 212), 1, id="the four dearest tricks"),
    ],
)
def test_enough_pays_by_what_the_others_have(others, level, claimed, by):
    tricks, points = others
    payee = by if claimed >= 66 else OTHER[by]
    hand = {
        "contract": "normal",
        "ending": "claim",
        "by": by,
        "claim_points": claimed,
        "opp_tricks": tricks,
        "opp_points": points,
    }

    for doubles in (None, 0, 1, 2, 3):
        settlement = settle({**hand, "doubles": doubles})

        assert settlement.entries == row(payee, level * 2 ** (doubles or 0))
        assert settlement.doubts == ()


@pytest.mark.parametrize("by", ["A", "B"])
@pytest.mark.parametrize("doubles", [0, 1, 2, 3])
def test_the_last_trick_pays_one_point_doubled_like_any(by, doubles):
    settlement = settle({**LAST_TRICK, "by": by, "doubles": doubles})

    assert settlement.entries == row(by, 2**doubles)


def test_what_was_counted_beside_the_last_trick_is_ignored():
    hand = {**LAST_TRICK, "claim_points": 500, "opp_tricks": 9, "opp_points": -1}

    assert settle(hand) == settle(LAST_TRICK)


def test_the_claim_is_not_held_against_what_the_others_have():
    assert settle({**NORMAL, "claim_points": 120, "opp_points": 40}).entries == (1, 0)


@pytest.mark.parametrize("forehand_side", ["A", "B"])
@pytest.mark.parametrize("doubles", [0, 1, 2, 3])
@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_contract_pays_the_declarers_side_or_if_it_fails_the_other(
    contract, doubles, forehand_side
):
    worth, seats = CONTRACTS[contract]
    told = {"contract": contract, "forehand_side": forehand_side, "doubles": doubles}
    doubts = ["doubled-certainty"] if contract in CERTAIN and doubles else []
    for seat in seats:
        declarers = forehand_side if seat in FOREHANDS_SIDE else OTHER[forehand_side]
        endings = {True: declarers, False: OTHER[declarers]}
        for made in [True] if contract in CERTAIN else [True, False]:
            settlement = settle({**told, "declarer": seat, "made": made}, **EVERYTHING)

            assert settlement.entries == row(endings[made], worth << doubles)
            assert codes(settlement.doubts) == doubts


@pytest.mark.parametrize("contract", CONTRACTS)
def test_only_its_own_seats_declare_a_contract(contract):
    _, seats = CONTRACTS[contract]
    hand = {"contract": contract, "forehand_side": "A", "made": True}

    for seat in set(SEATS) - set(seats):
        breaches = refusal({**hand, "declarer": seat}, **EVERYTHING)

        assert codes(breaches) == ["seat"]
        assert breaches[0].answer == "declarer"


@pytest.mark.parametrize("contract", CERTAIN)
def test_a_contract_won_on_the_cards_held_need_not_be_told_as_made(contract):
    declarer = CONTRACTS[contract][1][0]
    hand = {"contract": contract, "declarer": declarer, "forehand_side": "B"}

    assert settle(hand) == settle({**hand, "made": True})
    assert codes(refusal({**hand, "made": False})) == ["cannot-fail"]


def test_a_doubled_certainty_is_doubted_where_it_was_doubled():
    (doubt,) = settle({**FARBEN_GANG, "doubles": 2}).doubts

    assert (doubt.code, doubt.answer) == ("doubled-certainty", "doubles")
    assert "2" in doubt.message


def test_the_only_seat_that_may_declare_need_not_be_told():
    hand = {"contract": "herren_schnapser", "forehand_side": "B"}

    assert settle(hand).entries == (0, 24)
    assert settle({**NORMAL, "declarer": "forehand"}) == settle(NORMAL)
    assert settle({**NORMAL, "ending": "claim", "forehand_side": "B"}) == settle(NORMAL)


@pytest.mark.parametrize(
    ("house", "contract", "worth"),
    [
        pytest.param({"bettler": 5}, "bettler", 5, id="softer Bettler"),
        pytest.param({"as_bettler": True}, "as_bettler", 5, id="As-Bettler"),
        pytest.param({"bettler": 0, "as_bettler": True}, "as_bettler", 5, id="As-Bettler alone"),
        pytest.param({"zehner_gang": 8}, "zehner_gang", 8, id="Zehner-Gang at 8"),
        pytest.param({"zehner_gang": 9}, "zehner_gang", 9, id="Zehner-Gang at 9"),
    ],
)
def test_house_rules_set_what_a_contract_is_worth(house, contract, worth):
    assert settle({**GANG, "contract": contract}, **house).entries == (0, worth)


@pytest.mark.parametrize(
    ("house", "contract"),
    [
        pytest.param({"bettler": 0}, "bettler", id="no Bettler"),
        pytest.param({}, "as_bettler", id="no As-Bettler"),
        pytest.param({"zehner_gang": 0}, "zehner_gang", id="no Zehner-Gang"),
        pytest.param({}, "talon", id="an unknown word"),
        pytest.param({}, 7, id="not even a word"),
    ],
)
def test_a_contract_that_is_not_played_is_refused(house, contract):
    (breach,) = refusal({**GANG, "contract": contract}, **house)

    assert (breach.code, breach.answer) == ("not-played", "contract")
    assert str(contract) in breach.message


NOT_HALF = "At least a trick for the others, but 21 card points, fewer than 33: 2 game points"
NOT_ENOUGH = "“Enough” with 65 card points, short of 66: the others get what it would have paid"


@pytest.mark.parametrize(
    ("hand", "steps", "note"),
    [
        pytest.param(
            NORMAL,
            [
                "“Enough” with 66 card points; it takes 66",
                NOT_HALF,
            ],
            ["66 : 21"],
            id="enough",
        ),
        pytest.param(
            {**NORMAL, "by": "B", "claim_points": 65, "opp_points": 40, "doubles": 1},
            [
                NOT_ENOUGH,
                "40 card points for the others, 33 or more: 1 game point",
                "Kontra: 2 game points",
            ],
            ["40 : 65", "not enough", "Kontra"],
            id="not enough, Kontra",
        ),
        pytest.param(
            {**NORMAL, "opp_tricks": 0, "opp_points": 0},
            [
                "“Enough” with 66 card points; it takes 66",
                "No trick for the others: 3 game points",
            ],
            ["66 : 0"],
            id="no trick",
        ),
        pytest.param(
            LAST_TRICK,
            ["Nobody said “enough”: 1 game point for the last trick"],
            ["last trick"],
            id="last trick",
        ),
        pytest.param(
            {**GANG, "made": False, "doubles": 3},
            [
                "Gang",
                "Failed: 9 game points for the declarer’s opponents",
                "Kontra: 18 game points",
                "Rekontra: 36 game points",
                "Subkontra: 72 game points",
            ],
            ["Gang", "lost", "Subkontra"],
            id="a failed Gang, Subkontra",
        ),
        pytest.param(
            GANG,
            ["Gang", "Made: 9 game points for the declarer’s side"],
            ["Gang"],
            id="a Gang",
        ),
        pytest.param(
            FARBEN_GANG,
            ["Farben-Gang", "Won on the cards held: 18 game points"],
            ["Farben-Gang"],
            id="a Farben-Gang",
        ),
    ],
)
def test_the_steps_tell_how_the_table_comes_to_it(hand, steps, note):
    settlement = settle(hand)

    assert list(settlement.lines) == steps
    assert [part.message for part in settlement.note] == note


@pytest.mark.parametrize(
    ("hand", "change", "code", "answer"),
    [
        pytest.param(NORMAL, {"contract": None}, "missing", "contract", id="no contract"),
        pytest.param(NORMAL, {"contract": ""}, "missing", "contract", id="contract left empty"),
        pytest.param(NORMAL, {"by": None}, "missing", "by", id="nobody claimed"),
        pytest.param(NORMAL, {"by": "C"}, "unknown-answer", "by", id="side"),
        pytest.param(NORMAL, {"ending": "early"}, "unknown-answer", "ending", id="ending"),
        pytest.param(NORMAL, {"declarer": "dealer"}, "seat", "declarer", id="dealer"),
        pytest.param(NORMAL, {"declarer": "south"}, "unknown-answer", "declarer", id="no seat"),
        pytest.param(NORMAL, {"claim_points": None}, "missing", "claim_points", id="no claim"),
        pytest.param(NORMAL, {"claim_points": 221}, "claim-range", "claim_points", id="221"),
        pytest.param(NORMAL, {"claim_points": -1}, "claim-range", "claim_points", id="-1"),
        pytest.param(NORMAL, {"claim_points": "66"}, "not-whole", "claim_points", id="text"),
        pytest.param(NORMAL, {"opp_tricks": None}, "missing", "opp_tricks", id="no tricks told"),
        pytest.param(NORMAL, {"opp_tricks": 5}, "tricks-range", "opp_tricks", id="5 tricks"),
        pytest.param(NORMAL, {"opp_tricks": -1}, "tricks-range", "opp_tricks", id="-1 tricks"),
        pytest.param(NORMAL, {"opp_tricks": True}, "not-whole", "opp_tricks", id="True tricks"),
        pytest.param(NORMAL, {"opp_points": None}, "missing", "opp_points", id="no points told"),
        pytest.param(NORMAL, {"opp_points": 21.5}, "not-whole", "opp_points", id="21.5"),
        pytest.param(NORMAL, {"opp_tricks": 0}, "points-no-trick", "opp_points", id="no trick"),
        pytest.param(NORMAL, {"opp_points": 0}, "trick-no-points", "opp_points", id="no points"),
        pytest.param(NORMAL, {"opp_points": -8}, "points-tricks", "opp_points", id="-8 points"),
        *(
            pytest.param(
                NORMAL,
                {"opp_tricks": tricks, "opp_points": points},
                "points-tricks",
                "opp_points",
                id=f"{points} in {tricks}",
            )
            for tricks, least, most in [(1, 8, 144), (2, 20, 184), (3, 36, 200), (4, 76, 212)]
            for points in (least - 1, most + 1)
        ),
        pytest.param(
            NORMAL,
            {"opp_tricks": 0, "opp_points": -1},
            "points-tricks",
            "opp_points",
            id="-1 without a trick",
        ),
        pytest.param(NORMAL, {"made": True}, "normal-made", "made", id="normal game made"),
        pytest.param(NORMAL, {"made": False}, "normal-made", "made", id="normal game failed"),
        pytest.param(LAST_TRICK, {"by": None}, "missing", "by", id="nobody won the last trick"),
        pytest.param(LAST_TRICK, {"made": True}, "normal-made", "made", id="last trick made"),
        pytest.param(NORMAL, {"doubles": 4}, "doubles", "doubles", id="4 doubles"),
        pytest.param(NORMAL, {"doubles": -1}, "doubles", "doubles", id="-1 doubles"),
        pytest.param(NORMAL, {"doubles": True}, "doubles", "doubles", id="True doubles"),
        pytest.param(NORMAL, {"doubles": "1"}, "doubles", "doubles", id="doubles as text"),
        pytest.param(NORMAL, {"doubles": 1.0}, "doubles", "doubles", id="1.0 doubles"),
        pytest.param(GANG, {"doubles": 4}, "doubles", "doubles", id="4 doubles of a Gang"),
        pytest.param(GANG, {"declarer": None}, "missing", "declarer", id="nobody declared"),
        pytest.param(GANG, {"declarer": 0}, "unknown-answer", "declarer", id="seat by number"),
        pytest.param(GANG, {"forehand_side": None}, "missing", "forehand_side", id="forehand"),
        pytest.param(GANG, {"forehand_side": 0}, "unknown-answer", "forehand_side", id="side 0"),
        pytest.param(GANG, {"made": None}, "missing", "made", id="made or failed"),
        pytest.param(GANG, {"made": 1}, "unknown-answer", "made", id="made as a number"),
        pytest.param(GANG, {"ending": "claim"}, "not-normal", "ending", id="ending of a Gang"),
        pytest.param(GANG, {"by": "A"}, "not-normal", "by", id="claimed in a Gang"),
        pytest.param(GANG, {"claim_points": 66}, "not-normal", "claim_points", id="66 in a Gang"),
        pytest.param(GANG, {"opp_points": 0}, "not-normal", "opp_points", id="0 in a Gang"),
        pytest.param(GANG, {"opp_tricks": 0}, "not-normal", "opp_tricks", id="tricks in a Gang"),
        pytest.param(FARBEN_GANG, {"made": False}, "cannot-fail", "made", id="a certainty fails"),
        pytest.param(FARBEN_GANG, {"made": "no"}, "unknown-answer", "made", id="made as a word"),
        pytest.param(FARBEN_GANG, {"declarer": "forehand"}, "seat", "declarer", id="forehand"),
    ],
)
def test_what_cannot_have_happened_is_refused(hand, change, code, answer):
    assert settle(hand)

    (breach,) = refusal({**hand, **change})

    assert (breach.code, breach.answer) == (code, answer)
    assert breach.message


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        pytest.param({"doubles": 4}, ["doubles doubles", "missing contract"], id="no contract"),
        pytest.param(
            {"contract": "normal"},
            ["missing by", "missing claim_points", "missing opp_tricks", "missing opp_points"],
            id="empty normal game",
        ),
        pytest.param(
            {
                "contract": "normal",
                "declarer": "dealer",
                "made": True,
                "by": "A",
                "claim_points": 300,
                "opp_tricks": 5,
                "opp_points": -1,
                "doubles": 9,
            },
            [
                "doubles doubles",
                "seat declarer",
                "normal-made made",
                "claim-range claim_points",
                "tricks-range opp_tricks",
                "points-tricks opp_points",
            ],
            id="normal game",
        ),
        pytest.param(
            {**NORMAL, "opp_tricks": 5, "opp_points": 213},
            ["tricks-range opp_tricks", "points-tricks opp_points"],
            id="more than any tricks hold",
        ),
        pytest.param(
            {"contract": "gang"},
            ["missing declarer", "missing forehand_side", "missing made"],
            id="empty contract",
        ),
        pytest.param(
            {**FARBEN_GANG, "declarer": "forehand", "made": False, "by": "A", "opp_tricks": 1},
            ["seat declarer", "cannot-fail made", "not-normal by", "not-normal opp_tricks"],
            id="Farben-Gang",
        ),
    ],
)
def test_every_breach_is_named_at_once(hand, expected):
    found = [f"{breach.code} {breach.answer}" for breach in refusal(hand)]

    assert sorted(found) == sorted(expected)


def test_a_breach_names_what_was_found_and_what_is_wanted():
    (too_few,) = refusal({**NORMAL, "opp_points": 7, "opp_tricks": 1})
    (too_many,) = refusal({**NORMAL, "claim_points": 221})

    assert too_few.message == (
        "7 card points do not fit the tricks, which hold 8 to 144, marriages included."
    )
    assert too_many.message == ("221 card points: tricks and marriages together hold 0 to 220.")


def test_what_the_game_does_not_ask_is_ignored():
    assert settle({**GANG, "chalk": "Z", "ending": "", "by": None}) == settle(GANG)


def asked(known, **house):
    return [q.name for q in GAME.questions(house) if applies(q.when, known)]


@pytest.mark.parametrize(
    ("known", "names"),
    [
        pytest.param(
            {"contract": "normal", "ending": "claim"},
            ["contract", "ending", "by", "opp_tricks", "claim_points", "doubles"],
            id="normal game",
        ),
        pytest.param(
            {"contract": "normal", "ending": "claim", "opp_tricks": 0},
            ["contract", "ending", "by", "opp_tricks", "claim_points", "doubles"],
            id="no trick, so no points",
        ),
        pytest.param(
            {"contract": "normal", "ending": "claim", "opp_tricks": 1},
            ["contract", "ending", "by", "opp_tricks", "claim_points", "opp_points", "doubles"],
            id="a trick, so points",
        ),
        pytest.param(
            {"contract": "normal", "ending": "last_trick"},
            ["contract", "ending", "by", "doubles"],
            id="last trick",
        ),
        pytest.param({"contract": "gang"}, ["contract", "declarer", "made", "doubles"], id="Gang"),
        pytest.param(
            {"contract": "farben_gang"}, ["contract", "declarer", "doubles"], id="Farben-Gang"
        ),
        pytest.param({"contract": "herren_schnapser"}, ["contract", "doubles"], id="one seat"),
    ],
)
def test_a_form_asks_what_the_contract_needs(known, names):
    assert asked(known) == names


@pytest.mark.parametrize(
    ("house", "contracts"),
    [
        pytest.param({}, ["normal", *CONTRACTS], id="usual"),
        pytest.param(EVERYTHING, ["normal", *CONTRACTS], id="with As-Bettler"),
        pytest.param({"bettler": 0, "zehner_gang": 0}, ["normal", *CONTRACTS], id="without some"),
        pytest.param(
            {"zehner_gang": 8},
            ["normal", "bettler", "schnapser", "zehner_gang", "gang", *list(CONTRACTS)[5:]],
            id="a Zehner-Gang below the Gang",
        ),
    ],
)
def test_a_form_offers_the_contracts_that_are_played_cheapest_first(house, contracts):
    contract = GAME.questions(house)[0]
    settled = GAME.house_rules(house)
    unplayed = {name for name in ("bettler", "as_bettler", "zehner_gang") if not settled[name]}

    assert [option.value for option in contract.options] == [
        name for name in contracts if name not in unplayed
    ]
    assert contract.usual == "normal"


@pytest.mark.parametrize("contract", [name for name in CONTRACTS if name != "herren_schnapser"])
def test_a_form_offers_the_seats_that_may_declare(contract):
    declarer = next(each for each in GAME.questions(EVERYTHING) if each.name == "declarer")

    offered = [
        option.value for option in declarer.options if applies(option.when, {"contract": contract})
    ]

    assert offered == list(CONTRACTS[contract][1])


@pytest.mark.parametrize("house", BAUERNSCHNAPSEN_HOUSES.values(), ids=BAUERNSCHNAPSEN_HOUSES)
def test_settle_takes_every_word_that_a_form_offers(house):
    for question in GAME.questions(house):
        assert question.label
        for option in question.options:
            assert option.label
            hand = {"contract": "normal", **{n: words[0] for n, words in question.when.items()}}
            hand |= {name: words[0] for name, words in option.when.items()}
            hand[question.name] = option.value

            wrong = {"unknown-answer", "not-played", "not-normal", "normal-made", "seat"}
            assert wrong.isdisjoint(refused_for(hand, house)), option


def test_a_form_counts_within_what_settle_takes():
    questions = {question.name: question for question in GAME.questions({})}

    assert questions["claim_points"].highest == 220
    assert questions["claim_points"].usual == 66
    assert (questions["opp_points"].lowest, questions["opp_points"].highest) == (8, 212)
    assert [option.value for option in questions["opp_tricks"].options] == [0, 1, 2, 3, 4]
    assert [option.label for option in questions["doubles"].options] == [
        "no Kontra",
        "Kontra",
        "Rekontra",
        "Subkontra",
    ]
