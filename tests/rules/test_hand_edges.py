"""What is said about a hand at the edges: numbers in its words, and which answer is meant."""

import pytest

from games import rules
from games.rules.hand import HandRefused, word_of
from tests.rules.worked import codes

BAUERNSTOSS = rules.find_game("bauernstoss")
BAUERNSCHNAPSEN = rules.find_game("bauernschnapsen")
SCHAFKOPF = rules.find_game("schafkopf")
SCHOOFKOPP = {"variation": "schoofkopp"}
RAMSCH = {"ramsch": 1}
LONG = "0123456789" * 5

CLAIM = {
    "contract": "normal",
    "by": "A",
    "claim_points": 66,
    "opp_tricks": 1,
    "opp_points": 20,
}
RUFER = {"contract": "rufer", "declarer": 0, "partner": 1, "points": 70}
OPENING = {"first_deal": True}


def refused(game, hand, house):
    """The breaches of a hand that cannot have happened."""
    with pytest.raises(HandRefused) as caught:
        game.settle(hand, house=house)
    return caught.value.breaches


def of(breaches, code):
    return next(breach for breach in breaches if breach.code == code)


@pytest.mark.parametrize(
    ("answer", "word"),
    [(True, "true"), (False, "false"), ("A", "A"), ("big_solo", "big_solo"), (0, "0"), (2, "2")],
)
def test_a_form_sends_an_answer_as_it_is_written(answer, word):
    assert word_of(answer) == word


@pytest.mark.parametrize(
    ("hand", "marks", "answer"),
    [
        pytest.param({"points_a": 89}, 2, "points_a", id="Schneider"),
        pytest.param({"points_a": 31}, 2, "points_a", id="Schneider of the others"),
        pytest.param({"all_tricks": "A"}, 4, "all_tricks", id="every trick"),
        pytest.param({"points_a": 0, "all_tricks": "B"}, 4, "all_tricks", id="every trick of B"),
    ],
)
def test_an_opening_that_pays_more_than_one_is_doubted_with_its_numbers(hand, marks, answer):
    (doubt,) = BAUERNSTOSS.settle({**OPENING, **hand}, house=SCHOOFKOPP).doubts

    assert (doubt.code, doubt.answer) == ("opening-level", answer)
    assert doubt.numbers == {"found": marks, "usual": 1}
    assert doubt.message.startswith(f"{marks} on the first deal")
    assert doubt.message.endswith("no more than 1 on it.")


def test_an_opening_that_pays_one_is_not_doubted_nor_is_a_later_deal():
    assert BAUERNSTOSS.settle({**OPENING, "points_a": 88}, house=SCHOOFKOPP).doubts == ()
    later = BAUERNSTOSS.settle({"chalk": "A", "points_a": 89}, house=SCHOOFKOPP)
    assert (later.entries, later.doubts) == ((2, 0), ())


@pytest.mark.parametrize(
    ("answers", "code", "numbers"),
    [
        ({"opp_tricks": 0, "opp_points": 1}, "points-no-trick", {"found": 1}),
        ({"opp_tricks": 0, "opp_points": -1}, "points-tricks", {"found": -1, "most": 0}),
        ({"opp_tricks": 1, "opp_points": 0}, "trick-no-points", {"found": 0, "least": 8}),
        ({"opp_tricks": 1, "opp_points": 7}, "points-tricks", {"least": 8, "most": 144}),
        ({"opp_tricks": None, "opp_points": 213}, "points-tricks", {"least": 0, "most": 212}),
        ({"opp_tricks": None, "opp_points": -1}, "points-tricks", {"least": 0, "most": 212}),
        ({"opp_tricks": 5}, "tricks-range", {"found": 5, "most": 4}),
        ({"opp_tricks": -1}, "tricks-range", {"found": -1, "most": 4}),
        ({"claim_points": 221}, "claim-range", {"found": 221, "most": 220}),
        ({"claim_points": -1}, "claim-range", {"found": -1, "most": 220}),
    ],
)
def test_a_refused_claim_names_its_bounds(answers, code, numbers):
    breach = of(refused(BAUERNSCHNAPSEN, {**CLAIM, **answers}, {}), code)

    assert numbers.items() <= breach.numbers.items()
    assert str(breach.numbers["found"]) in breach.message


def test_card_points_without_tricks_are_only_held_against_what_any_tricks_hold():
    hand = {**CLAIM, "opp_tricks": None, "opp_points": 212}

    assert codes(refused(BAUERNSCHNAPSEN, hand, {})) == ["missing"]


@pytest.mark.parametrize("told", [{}, {"made": True}, {"made": None}, {"made": ""}])
def test_a_contract_on_the_cards_held_is_made_whether_told_or_not(told):
    hand = {"contract": "farben_gang", "declarer": "dealer", "forehand_side": "A", **told}

    assert BAUERNSCHNAPSEN.settle(hand, house={}).entries == (0, 18)


@pytest.mark.parametrize(
    ("tricks", "price", "step"),
    [
        ("none", 5, "Bettel made, without a trick: 5 units"),
        ("none", 1, "Bettel made, without a trick: 1 unit"),
        ("some", 5, "Bettel lost, with a trick: 5 units"),
        ("some", 1, "Bettel lost, with a trick: 1 unit"),
        ("all", 5, "Bettel lost, with a trick: 5 units"),
    ],
)
def test_a_bettel_says_how_it_ended_and_what_it_costs(tricks, price, step):
    hand = {"contract": "bettel", "declarer": 2, "tricks": tricks}

    settlement = SCHAFKOPF.settle(hand, house={"bettel": price})

    assert settlement.lines[0] == step
    assert settlement.each == price


def test_whoever_took_every_trick_of_a_ramsch_is_doubted_to_have_lost():
    hand = {"contract": "ramsch", "points": [0, 120, 0, 0], "no_trick": [True, False, True, True]}

    (doubt,) = SCHAFKOPF.settle(hand, house=RAMSCH).doubts

    assert (doubt.code, doubt.numbers, doubt.answer) == ("durchmarsch", {"found": 3}, "no_trick")
    assert doubt.message.startswith("3 players without a trick")
    two = {**hand, "points": [0, 100, 0, 20], "no_trick": [True, False, True, False]}
    assert SCHAFKOPF.settle(two, house=RAMSCH).doubts == ()


@pytest.mark.parametrize(
    ("game", "hand", "house", "code", "answer"),
    [
        (BAUERNSTOSS, {"kind": LONG}, {}, "unknown-answer", "kind"),
        (BAUERNSTOSS, {"chalk": "A", "points_a": LONG}, {}, "not-whole", "points_a"),
        (BAUERNSCHNAPSEN, {"contract": LONG}, {}, "not-played", "contract"),
        (BAUERNSCHNAPSEN, {**CLAIM, "doubles": LONG}, {}, "doubles", "doubles"),
        (SCHAFKOPF, {"contract": LONG}, {}, "not-played", "contract"),
        (SCHAFKOPF, {**RUFER, "doubles": LONG}, {}, "doubles", "doubles"),
        (SCHAFKOPF, {"contract": "ramsch", "doubles": LONG}, RAMSCH, "doubles", "doubles"),
        (SCHAFKOPF, {"contract": "ramsch", "no_trick": LONG}, RAMSCH, "unknown-answer", "no_trick"),
    ],
)
def test_a_refusal_repeats_the_first_forty_signs_of_what_was_sent(game, hand, house, code, answer):
    breach = of(refused(game, hand, house), code)

    assert breach.answer == answer
    assert breach.numbers["found"] == LONG[:40]
    assert f"“{LONG[:40]}”" in breach.message


def test_card_points_without_a_trick_are_named():
    hand = {"contract": "ramsch", "points": [20, 100, 0, 0], "no_trick": [True, False, True, True]}

    breach = of(refused(SCHAFKOPF, hand, RAMSCH), "tricks-points")

    assert (breach.answer, breach.numbers) == ("no_trick", {"found": 20, "all": 0})
    assert breach.message == "20 card points without a trick; that leaves 0."


@pytest.mark.parametrize(
    ("game", "hand", "house", "code", "numbers"),
    [
        (BAUERNSCHNAPSEN, {**CLAIM, "doubles": 4}, {}, "doubles", {"found": "4", "most": 3}),
        (SCHAFKOPF, {**RUFER, "doubles": 3}, {}, "doubles", {"found": "3", "most": 2}),
        (
            BAUERNSTOSS,
            {"chalk": "A", "points_a": 110, "all_tricks": "A"},
            {},
            "schwarz-points",
            {"found": 110, "wanted": 120},
        ),
        (
            BAUERNSTOSS,
            {"chalk": "A", "points_a": 10, "all_tricks": "B"},
            {},
            "schwarz-points",
            {"found": 10, "wanted": 0},
        ),
        (
            SCHAFKOPF,
            {"contract": "ramsch", "points": [50, 40, 30, 0], "runners": 3},
            RAMSCH,
            "runners-none",
            {"found": 3},
        ),
        (
            SCHAFKOPF,
            {"contract": "ramsch", "points": [50, 40, 30, 0], "loser": 1},
            RAMSCH,
            "ramsch-loser",
            {"found": 40, "most": 50},
        ),
        (
            SCHAFKOPF,
            {"contract": "ramsch", "points": [40, 40, 40, 0]},
            RAMSCH,
            "ramsch-tie",
            {"players": 3, "found": 40},
        ),
        (
            SCHAFKOPF,
            {"contract": "ramsch", "points": [50, 40, 20, 0]},
            RAMSCH,
            "points-sum",
            {"found": 110, "all": 120},
        ),
    ],
)
def test_a_refusal_names_its_numbers(game, hand, house, code, numbers):
    breach = of(refused(game, hand, house), code)

    assert breach.numbers == numbers
    assert all(str(number) in breach.message for number in numbers.values())


@pytest.mark.parametrize(
    ("made", "entries", "step", "note"),
    [
        (True, (8, 0), "Made, every trick for the bidder: 8 marks", ["Small Solo"]),
        (
            False,
            (0, 8),
            "Lost, not every trick for the bidder: 8 marks for the opponents",
            ["Small Solo", "lost"],
        ),
    ],
)
def test_a_solo_says_how_it_ended(made, entries, step, note):
    hand = {"kind": "small_solo", "bidder": "A", "made": made, "chalk": "A"}

    settlement = BAUERNSTOSS.settle(hand, house={})

    assert settlement.entries == entries
    assert settlement.lines[:2] == ("Small Solo", step)
    assert [said.message for said in settlement.note] == note


@pytest.mark.parametrize(
    ("by", "answers", "note"),
    [
        ("A", {"opp_tricks": 0, "opp_points": None}, "66 : 0"),
        ("B", {"opp_tricks": 0, "opp_points": None}, "0 : 66"),
        ("B", {"opp_tricks": 1, "opp_points": 20}, "20 : 66"),
    ],
)
def test_the_points_of_a_claim_are_noted_in_the_order_of_the_sheet(by, answers, note):
    settlement = BAUERNSCHNAPSEN.settle({**CLAIM, "by": by, **answers}, house={})

    assert settlement.note[0].message == note


def test_points_are_not_missing_while_the_winner_of_every_trick_is_unclear():
    breaches = refused(BAUERNSTOSS, {"chalk": "A", "all_tricks": "C"}, {})

    assert codes(breaches) == ["unknown-answer"]


@pytest.mark.parametrize(("doubles", "times"), [(1, 2), (2, 4)])
def test_a_doubled_sie_is_doubted_by_how_much_it_is_worth(doubles, times):
    hand = {"contract": "sie", "declarer": 0, "doubles": doubles}

    (doubt,) = SCHAFKOPF.settle(hand, house={}).doubts

    assert (doubt.code, doubt.numbers, doubt.answer) == ("sie-doubled", {"times": times}, "doubles")
    assert doubt.message.startswith(f"A Sie that is worth {times} times as much")


@pytest.mark.parametrize(
    ("contract", "tricks", "step"),
    [
        ("wenz_tout", "all", "Tout made, with every trick: 10 units"),
        ("wenz_tout", "some", "Tout lost, without every trick: 10 units"),
        ("sie", None, "Sie, shown and won: 20 units"),
    ],
)
def test_a_contract_with_one_price_names_it(contract, tricks, step):
    hand = {"contract": contract, "declarer": 1, "tricks": tricks}

    assert SCHAFKOPF.settle(hand, house={}).lines[0] == step


def test_an_unknown_contract_does_not_hide_what_else_is_wrong():
    hand = {"contract": "skat", "declarer": 0, "tricks": "all", "points": 100}

    assert codes(refused(SCHAFKOPF, hand, {})) == ["not-played", "tricks-points"]


def test_tricks_that_are_no_answer_are_not_held_against_a_run():
    hand = {
        "contract": "suit_geier",
        "declarer": 0,
        "tricks": "most",
        "points": 120,
        "runners": 8,
        "holder": "declarer",
    }

    assert codes(refused(SCHAFKOPF, hand, {"suit_geier": True})) == ["unknown-answer"]


@pytest.mark.parametrize(
    ("answers", "code", "numbers", "answer"),
    [
        pytest.param({"runners": 2}, "holder-missing", {"found": 2}, "holder", id="no holder"),
        pytest.param(
            {"runners": 15, "holder": "declarer"},
            "runners-range",
            {"found": 15, "most": 14},
            "runners",
            id="longer than the trumps",
        ),
        pytest.param(
            {"runners": -1, "holder": "declarer"},
            "runners-range",
            {"found": -1, "most": 14},
            "runners",
            id="fewer than none",
        ),
        pytest.param(
            {"runners": 3, "holder": "defence", "tricks": "all", "points": 120},
            "runners-tricks",
            {"found": 3},
            "runners",
            id="on the side without a trick",
        ),
        pytest.param(
            {"runners": 5, "holder": "declarer", "points": 10},
            "runners-points",
            {"found": 10, "run": 5, "worth": 14},
            "runners",
            id="more than the side has",
        ),
        pytest.param(
            {"runners": 10, "holder": "declarer", "points": 20, "tricks": "some"},
            "runners-points",
            {"found": 20, "run": 10, "worth": 41},
            "runners",
            id="a long run",
        ),
        pytest.param(
            {"runners": 14, "holder": "declarer", "points": 70},
            "runners-points",
            {"found": 50, "run": 14, "tricks": 7, "all": 8, "room": 43},
            "runners",
            id="too much for the others",
        ),
    ],
)
def test_a_run_that_cannot_be_is_refused_by_its_numbers(answers, code, numbers, answer):
    breach = of(refused(SCHAFKOPF, {**RUFER, **answers}, {}), code)

    assert breach.answer == answer
    assert breach.numbers == numbers
    assert all(str(number) in breach.message for number in numbers.values())


def test_a_run_that_wins_every_trick_leaves_none():
    hand = {**RUFER, "contract": "suit_geier", "points": 90, "runners": 8, "holder": "declarer"}
    hand.pop("partner")

    breach = of(refused(SCHAFKOPF, hand, {"suit_geier": True}), "runners-tricks")

    assert (breach.numbers, breach.answer) == ({"found": 8}, "runners")
    assert breach.message.startswith("Runners: 8; they win every trick")


def test_a_whole_hand_of_runners_is_named_as_a_sie():
    hand = {
        "contract": "solo",
        "declarer": 0,
        "points": 120,
        "tricks": "all",
        "runners": 8,
        "holder": "declarer",
    }

    (breach,) = refused(SCHAFKOPF, hand, {})

    assert (breach.code, breach.numbers, breach.answer) == ("runners-sie", {"found": 8}, "runners")


def test_a_sie_names_the_runners_it_was_told():
    hand = {"contract": "sie", "declarer": 0, "runners": 5, "holder": "declarer"}

    breach = of(refused(SCHAFKOPF, hand, {}), "sie-runners")

    assert (breach.numbers, breach.answer) == ({"found": 5, "all": 8}, "runners")
    assert breach.message.startswith("Runners: 5; a Sie always has 8")


@pytest.mark.parametrize(
    ("points", "code", "numbers"),
    [
        (121, "points-range", {"found": 121, "all": 120}),
        (-1, "points-range", {"found": -1, "all": 120}),
        (1, "points-impossible", {"found": 1}),
        (119, "points-impossible", {"found": 119}),
    ],
)
def test_card_points_that_nobody_can_take_are_named(points, code, numbers):
    (breach,) = refused(BAUERNSTOSS, {"chalk": "A", "points_a": points}, {})

    assert (breach.code, breach.numbers, breach.answer) == (code, numbers, "points_a")
    assert f"{points} card points" in breach.message


def test_a_refusal_says_every_reason_one_after_the_other():
    with pytest.raises(HandRefused) as caught:
        BAUERNSTOSS.settle({"chalk": "C"}, house={})

    assert len(caught.value.breaches) == 2
    assert str(caught.value) == " ".join(breach.message for breach in caught.value.breaches)
