"""Deals of Bauernstoss worked out: what they pay, who has the chalk then, what is refused."""

import pytest

from games import rules
from games.rules import HandRefused
from games.rules.hand import applies
from tests.rules.worked import codes, examples

GAME = rules.find_game("bauernstoss")
VARIATIONS = ["main", "schoofkopp", "deutscher"]
OTHER = {"A": "B", "B": "A"}


def settle(hand, variation="main"):
    return GAME.settle(hand, house={"variation": variation})


def refusal(hand, variation="main"):
    """The breaches of a hand that is refused."""
    with pytest.raises(HandRefused) as refused:
        settle(hand, variation)
    return refused.value.breaches


def refused_for(hand, variation):
    """The codes of what stands against a hand, if anything does."""
    try:
        settle(hand, variation)
    except HandRefused as refused:
        return codes(refused.breaches)
    return []


def row(side, marks):
    return (marks, 0) if side == "A" else (0, marks)


def points_a(side, points):
    """Side A's card points when a side has so many."""
    return points if side == "A" else 120 - points


@pytest.mark.parametrize(
    "case",
    [case for case in examples("settle") if case["game"] == "bauernstoss"],
    ids=lambda case: case["id"],
)
def test_settle_gives_the_result_of_the_worked_case(case):
    expected = case["expected"]

    if "breach" in expected:
        with pytest.raises(HandRefused) as refused:
            GAME.settle(case["hand"], house=case["house"])
        assert expected["breach"] in codes(refused.value.breaches)
        return
    settlement = GAME.settle(case["hand"], house=case["house"])
    assert settlement.entries == tuple(expected["entries"])
    assert settlement.chalk_next == expected["chalk_next"]


@pytest.mark.parametrize("chalk", ["A", "B"])
@pytest.mark.parametrize(
    ("variation", "points", "holder_scores", "marks"),
    [
        pytest.param("main", 120, True, 2, id="main: 120 is not every trick"),
        pytest.param("main", 91, True, 2, id="main: 91 is Schneider"),
        pytest.param("main", 90, True, 1, id="main: 90 is not"),
        pytest.param("main", 60, True, 1, id="main: half is enough"),
        pytest.param("main", 42, True, 1, id="main: 42 is enough"),
        pytest.param("main", 41, False, 1, id="main: 41 is not"),
        pytest.param("main", 30, False, 1, id="main: 90 for the others"),
        pytest.param("main", 29, False, 2, id="main: 91 for the others"),
        pytest.param("main", 0, False, 2, id="main: 120 for the others"),
        pytest.param("schoofkopp", 120, True, 2, id="Schoofkopp: 120 is not every trick"),
        pytest.param("schoofkopp", 89, True, 2, id="Schoofkopp: 89 is Schneider"),
        pytest.param("schoofkopp", 88, True, 1, id="Schoofkopp: 88 is not"),
        pytest.param("schoofkopp", 42, True, 1, id="Schoofkopp: 42 is enough"),
        pytest.param("schoofkopp", 41, False, 1, id="Schoofkopp: 41 is not"),
        pytest.param("schoofkopp", 32, False, 1, id="Schoofkopp: 88 for the others"),
        pytest.param("schoofkopp", 31, False, 2, id="Schoofkopp: 89 for the others"),
        pytest.param("schoofkopp", 0, False, 2, id="Schoofkopp: 120 for the others"),
    ],
)
def test_card_points_pay_by_who_holds_the_chalk(variation, chalk, points, holder_scores, marks):
    scorer = chalk if holder_scores else OTHER[chalk]

    settlement = settle({"chalk": chalk, "points_a": points_a(chalk, points)}, variation)

    assert settlement.entries == row(scorer, marks)
    assert settlement.chalk_next == scorer
    assert settlement.doubts == ()


@pytest.mark.parametrize("maker", ["A", "B"])
@pytest.mark.parametrize(
    ("points", "makers_score", "marks"),
    [
        pytest.param(120, True, 2, id="120 is not every trick"),
        pytest.param(91, True, 2, id="91"),
        pytest.param(90, True, 1, id="90"),
        pytest.param(61, True, 1, id="61"),
        pytest.param(59, False, 2, id="61 for the opponents"),
        pytest.param(30, False, 2, id="90 for the opponents"),
        pytest.param(29, False, 4, id="91 for the opponents"),
        pytest.param(0, False, 4, id="120 for the opponents"),
    ],
)
def test_deutscher_pays_the_opponents_of_the_trump_makers_double(
    maker, points, makers_score, marks
):
    settlement = settle({"trump_maker": maker, "points_a": points_a(maker, points)}, "deutscher")

    assert settlement.entries == row(maker if makers_score else OTHER[maker], marks)
    assert settlement.chalk_next is None


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize(
    ("points", "marks", "doubts"),
    [
        pytest.param(61, 1, [], id="61"),
        pytest.param(88, 1, [], id="88"),
        pytest.param(89, 2, ["opening-level"], id="89"),
        pytest.param(120, 2, ["opening-level"], id="120 is not every trick"),
    ],
)
def test_the_opening_of_schoofkopp_goes_to_the_side_with_more(side, points, marks, doubts):
    hand = {"first_deal": True, "points_a": points_a(side, points)}

    settlement = settle(hand, "schoofkopp")

    assert settlement.entries == row(side, marks)
    assert settlement.chalk_next == side
    assert codes(settlement.doubts) == doubts
    assert all(doubt.answer == "points_a" for doubt in settlement.doubts)


@pytest.mark.parametrize("maker", ["A", "B"])
def test_a_tied_opening_gives_the_chalk_to_the_opponents_of_the_trump_makers(maker):
    hand = {"first_deal": True, "points_a": 60, "trump_maker": maker}

    settlement = settle(hand, "schoofkopp")

    assert (settlement.entries, settlement.doubts) == ((0, 0), ())
    assert settlement.chalk_next == OTHER[maker]
    assert (
        GAME.standing(
            [settlement.entries],
            house={"variation": "schoofkopp"},
            start={"chalk": settlement.chalk_next},
        ).chalk
        == OTHER[maker]
    )


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize(
    ("variation", "told_of", "marks", "doubts"),
    [
        pytest.param("main", {"chalk": "A"}, 3, [], id="main"),
        pytest.param("schoofkopp", {"chalk": "A"}, 4, [], id="Schoofkopp"),
        pytest.param("schoofkopp", {"first_deal": True}, 4, ["opening-level"], id="opening"),
        pytest.param("deutscher", {"trump_maker": "A"}, 9, [], id="Deutscher"),
    ],
)
def test_every_trick_pays_its_winners_whatever_else(variation, told_of, marks, doubts, side):
    hand = {**told_of, "all_tricks": side}

    settlement = settle(hand, variation)

    assert settlement == settle({**hand, "points_a": points_a(side, 120)}, variation)
    assert settlement.entries == row(side, marks)
    assert settlement.chalk_next == (None if variation == "deutscher" else side)
    assert codes(settlement.doubts) == doubts


@pytest.mark.parametrize("bidder", ["A", "B"])
@pytest.mark.parametrize("made", [True, False], ids=["made", "lost"])
@pytest.mark.parametrize(
    ("variation", "kind", "marks"),
    [("main", "small_solo", 8), ("main", "big_solo", 12), ("schoofkopp", "big_solo", 15)],
)
def test_a_solo_pays_whoever_wins_it_and_gives_them_the_chalk(variation, kind, marks, made, bidder):
    winner = bidder if made else OTHER[bidder]
    hand = {"kind": kind, "bidder": bidder, "made": made}

    for chalk in ("A", "B", None):
        for swept_by in (winner, None):
            told = {**hand, "chalk": chalk, "all_tricks": swept_by}

            settlement = settle(told, variation)

            assert settlement.entries == row(winner, marks)
            assert settlement.chalk_next == winner


def test_a_solo_is_lost_though_nobody_won_every_trick():
    settlement = settle({"kind": "small_solo", "bidder": "A", "made": False, "all_tricks": ""})

    assert settlement.entries == (0, 8)


@pytest.mark.parametrize("variation", VARIATIONS)
def test_a_thrown_in_hand_leaves_no_row(variation):
    settlement = settle({"kind": "thrown_in", "points_a": 500, "bidder": "A"}, variation)

    assert (settlement.entries, settlement.chalk_next, settlement.doubts) == (None, None, ())


@pytest.mark.parametrize("variation", ["main", "schoofkopp"])
def test_a_thrown_in_hand_leaves_the_chalk_where_it_is(variation):
    assert settle({"kind": "thrown_in", "chalk": "B"}, variation).chalk_next == "B"


@pytest.mark.parametrize(
    ("variation", "hand", "steps", "note"),
    [
        pytest.param(
            "main",
            {"chalk": "A", "points_a": 95},
            [
                "With the chalk 95 card points, the others 25",
                "Schneider: 91 or more with the chalk, 2 marks",
                "The chalk stays with the side that scores",
            ],
            ["Schneider"],
            id="Schneider with the chalk",
        ),
        pytest.param(
            "main",
            {"chalk": "B", "points_a": 79},
            [
                "With the chalk 41 card points, the others 79",
                "79 to 90 against the chalk: 1 mark",
                "The side that scores takes the chalk",
            ],
            ["79 : 41"],
            id="against the chalk",
        ),
        pytest.param(
            "main",
            {"chalk": "B", "all_tricks": "A"},
            [
                "Every trick for one side, Schwarz: 3 marks",
                "The side that scores takes the chalk",
            ],
            ["Schwarz"],
            id="Schwarz",
        ),
        pytest.param(
            "main",
            {"kind": "small_solo", "chalk": "B", "bidder": "A", "made": False},
            [
                "Small Solo",
                "Lost, not every trick for the bidder: 8 marks for the opponents",
                "The chalk stays with the side that scores",
            ],
            ["Small Solo", "lost"],
            id="a lost Solo",
        ),
        pytest.param(
            "schoofkopp",
            {"first_deal": True, "points_a": 50},
            [
                "70 card points against 50, and nobody has the chalk yet",
                "61 to 88 on the first deal: 1 mark",
                "The side that scores takes the chalk",
            ],
            ["50 : 70"],
            id="opening",
        ),
        pytest.param(
            "schoofkopp",
            {"first_deal": True, "points_a": 60, "trump_maker": "A"},
            [
                "60 card points against 60, and nobody has the chalk yet",
                "A tie: no mark, and those who did not make trumps get the chalk",
            ],
            ["60 : 60"],
            id="tied opening",
        ),
        pytest.param(
            "deutscher",
            {"trump_maker": "B", "points_a": 95},
            [
                "Those who made trumps 25 card points, the others 95",
                "91 or more against those who made trumps: 4 marks",
            ],
            ["95 : 25"],
            id="Deutscher",
        ),
        pytest.param(
            "deutscher",
            {"trump_maker": "B", "points_a": 60},
            [
                "Those who made trumps 60 card points, the others 60",
                "A tie: no mark, and the next deal settles it",
            ],
            ["60 : 60"],
            id="tied Deutscher",
        ),
        pytest.param(
            "deutscher",
            {"trump_maker": "B", "all_tricks": "B"},
            ["Every trick for one side, the whole game: 9 marks"],
            ["Every trick"],
            id="every trick in Deutscher",
        ),
        pytest.param(
            "main",
            {"kind": "thrown_in"},
            ["Thrown in: no row, and the next player deals"],
            [],
            id="thrown in",
        ),
    ],
)
def test_the_steps_tell_how_the_table_comes_to_it(variation, hand, steps, note):
    settlement = settle(hand, variation)

    assert list(settlement.lines) == steps
    assert [part.message for part in settlement.note] == note


PLAYED = {"chalk": "A", "points_a": 70}
OPENING = {"first_deal": True, "points_a": 70}
DEUTSCHER = {"trump_maker": "A", "points_a": 70}
SOLO = {"kind": "big_solo", "bidder": "A", "made": True}


@pytest.mark.parametrize(
    ("variation", "hand", "change", "code", "answer"),
    [
        pytest.param("main", PLAYED, {"kind": "solo"}, "unknown-answer", "kind", id="kind"),
        pytest.param("main", PLAYED, {"chalk": "C"}, "unknown-answer", "chalk", id="side"),
        pytest.param("main", PLAYED, {"first_deal": 1}, "unknown-answer", "first_deal", id="flag"),
        pytest.param("main", PLAYED, {"chalk": None}, "missing", "chalk", id="no chalk told"),
        pytest.param("main", PLAYED, {"chalk": ""}, "missing", "chalk", id="chalk left empty"),
        pytest.param("main", PLAYED, {"points_a": None}, "missing", "points_a", id="no points"),
        pytest.param(
            "main", PLAYED, {"all_tricks": "C"}, "unknown-answer", "all_tricks", id="sweep"
        ),
        pytest.param("main", PLAYED, {"points_a": 121}, "points-range", "points_a", id="121"),
        pytest.param("main", PLAYED, {"points_a": -1}, "points-range", "points_a", id="-1"),
        pytest.param("main", PLAYED, {"points_a": 1}, "points-impossible", "points_a", id="1"),
        pytest.param("main", PLAYED, {"points_a": 119}, "points-impossible", "points_a", id="119"),
        pytest.param("main", PLAYED, {"points_a": "70"}, "not-whole", "points_a", id="text"),
        pytest.param("main", PLAYED, {"points_a": 70.5}, "not-whole", "points_a", id="70.5"),
        pytest.param("main", PLAYED, {"points_a": True}, "not-whole", "points_a", id="True"),
        pytest.param(
            "main", PLAYED, {"all_tricks": "A"}, "schwarz-points", "points_a", id="A swept with 70"
        ),
        pytest.param(
            "main", PLAYED, {"all_tricks": "B"}, "schwarz-points", "points_a", id="B swept by 70"
        ),
        pytest.param("main", PLAYED, {"bidder": "A"}, "solo-fields", "bidder", id="bidder"),
        pytest.param("main", PLAYED, {"made": False}, "solo-fields", "made", id="made"),
        pytest.param("main", SOLO, {"bidder": None}, "missing", "bidder", id="nobody bid"),
        pytest.param("main", SOLO, {"made": None}, "missing", "made", id="made or lost"),
        pytest.param("main", SOLO, {"made": "true"}, "unknown-answer", "made", id="made as text"),
        pytest.param("main", SOLO, {"points_a": 120}, "solo-points", "points_a", id="Solo points"),
        pytest.param("main", SOLO, {"points_a": 0}, "solo-points", "points_a", id="0 Solo points"),
        pytest.param(
            "main", SOLO, {"all_tricks": "B"}, "solo-tricks", "all_tricks", id="made, B swept"
        ),
        pytest.param(
            "main",
            {**SOLO, "made": False},
            {"all_tricks": "A"},
            "solo-tricks",
            "all_tricks",
            id="lost, bidder swept",
        ),
        pytest.param("main", SOLO, {"chalk": "x"}, "unknown-answer", "chalk", id="Solo chalk"),
        pytest.param("main", SOLO, {"first_deal": True}, "solo-first-deal", "kind", id="first"),
        pytest.param(
            "schoofkopp",
            SOLO,
            {"first_deal": True},
            "solo-first-deal",
            "kind",
            id="first Lech Dich",
        ),
        pytest.param(
            "schoofkopp", SOLO, {"kind": "small_solo"}, "no-small-solo", "kind", id="no Small Solo"
        ),
        pytest.param(
            "schoofkopp", OPENING, {"chalk": "A"}, "opening-chalk", "chalk", id="opening chalk"
        ),
        pytest.param(
            "schoofkopp",
            {"kind": "thrown_in", "first_deal": True},
            {"chalk": "A"},
            "opening-chalk",
            "chalk",
            id="chalk of a thrown-in opening",
        ),
        pytest.param(
            "schoofkopp", OPENING, {"points_a": 60}, "missing", "trump_maker", id="tied opening"
        ),
        pytest.param(
            "schoofkopp", OPENING, {"first_deal": False}, "missing", "chalk", id="not the opening"
        ),
        pytest.param("deutscher", DEUTSCHER, {"chalk": "A"}, "no-chalk", "chalk", id="no chalk"),
        pytest.param(
            "deutscher",
            {"kind": "thrown_in"},
            {"chalk": "A"},
            "no-chalk",
            "chalk",
            id="no chalk of a thrown-in hand",
        ),
        pytest.param(
            "deutscher", DEUTSCHER, {"trump_maker": None}, "missing", "trump_maker", id="trumps"
        ),
        pytest.param(
            "deutscher",
            {"trump_maker": "A", "all_tricks": "B"},
            {"trump_maker": ""},
            "missing",
            "trump_maker",
            id="trumps, though swept",
        ),
    ],
)
def test_what_cannot_have_happened_is_refused(variation, hand, change, code, answer):
    assert settle(hand, variation)

    (breach,) = refusal({**hand, **change}, variation)

    assert (breach.code, breach.answer) == (code, answer)
    assert breach.message


@pytest.mark.parametrize("kind", ["small_solo", "big_solo"])
def test_deutscher_has_no_solo_and_asks_nothing_else_about_it(kind):
    assert codes(refusal({"kind": kind}, "deutscher")) == ["no-solo"]
    assert codes(refusal({"kind": kind, "first_deal": True}, "deutscher")) == ["no-solo"]


@pytest.mark.parametrize(
    ("variation", "hand", "expected"),
    [
        pytest.param("main", {}, ["missing points_a", "missing chalk"], id="nothing told"),
        pytest.param(
            "main",
            {"chalk": "A", "points_a": 110, "all_tricks": "A", "bidder": "A", "made": True},
            ["schwarz-points points_a", "solo-fields bidder", "solo-fields made"],
            id="played",
        ),
        pytest.param(
            "main",
            {**SOLO, "first_deal": True, "points_a": 120, "all_tricks": "B"},
            ["solo-first-deal kind", "solo-points points_a", "solo-tricks all_tricks"],
            id="Solo",
        ),
        pytest.param(
            "main", {"kind": "big_solo"}, ["missing bidder", "missing made"], id="empty Solo"
        ),
        pytest.param(
            "schoofkopp",
            {"kind": "small_solo", "first_deal": True, "chalk": "A", "points_a": 3},
            [
                "opening-chalk chalk",
                "solo-first-deal kind",
                "no-small-solo kind",
                "solo-points points_a",
            ],
            id="Small Solo in Schoofkopp",
        ),
        pytest.param(
            "schoofkopp",
            {"first_deal": True, "chalk": "B", "points_a": 60},
            ["opening-chalk chalk", "missing trump_maker"],
            id="tied opening",
        ),
        pytest.param(
            "deutscher",
            {"kind": "small_solo", "chalk": "A", "points_a": 3},
            ["no-chalk chalk", "no-solo kind", "solo-points points_a"],
            id="Solo in Deutscher",
        ),
        pytest.param(
            "deutscher",
            {"chalk": "A", "points_a": 130},
            ["no-chalk chalk", "points-range points_a", "missing trump_maker"],
            id="Deutscher",
        ),
        pytest.param(
            "main",
            {"kind": "misdeal", "chalk": "C"},
            ["unknown-answer kind", "unknown-answer chalk"],
            id="words",
        ),
    ],
)
def test_every_breach_is_named_at_once(variation, hand, expected):
    found = [f"{breach.code} {breach.answer}" for breach in refusal(hand, variation)]

    assert sorted(found) == sorted(expected)


def test_what_the_game_does_not_ask_is_ignored():
    expected = settle(PLAYED)

    assert settle({**PLAYED, "doubles": 9, "trump_maker": "Z", "bidder": None}) == expected
    assert settle({**PLAYED, "kind": "", "first_deal": True, "all_tricks": ""}) == expected
    assert settle({**OPENING, "trump_maker": "Z"}, "schoofkopp").entries == (1, 0)


@pytest.mark.parametrize(
    ("variation", "names"),
    [
        ("main", ["kind", "chalk", "points_a", "all_tricks", "bidder", "made"]),
        (
            "schoofkopp",
            ["kind", "chalk", "trump_maker", "points_a", "all_tricks", "bidder", "made"],
        ),
        ("deutscher", ["trump_maker", "points_a", "all_tricks"]),
    ],
)
def test_a_form_asks_what_the_variation_needs(variation, names):
    questions = GAME.questions({"variation": variation})

    assert [question.name for question in questions] == names
    assert all(question.label for question in questions)


@pytest.mark.parametrize(
    ("variation", "known", "names"),
    [
        pytest.param("main", {"kind": "played"}, ["chalk", "points_a", "all_tricks"], id="main"),
        pytest.param("main", {"kind": "small_solo"}, ["bidder", "made"], id="Small Solo"),
        pytest.param("main", {"kind": "big_solo"}, ["bidder", "made"], id="Big Solo"),
        pytest.param("schoofkopp", {"kind": "big_solo"}, ["bidder", "made"], id="Lech Dich"),
        pytest.param(
            "schoofkopp",
            {"kind": "played", "first_deal": True},
            ["trump_maker", "points_a", "all_tricks"],
            id="opening",
        ),
        pytest.param(
            "schoofkopp",
            {"kind": "played", "first_deal": False},
            ["chalk", "points_a", "all_tricks"],
            id="later",
        ),
    ],
)
def test_a_form_asks_what_the_kind_of_deal_needs(variation, known, names):
    questions = GAME.questions({"variation": variation})

    asked = [question.name for question in questions if applies(question.when, known)]

    assert asked == ["kind", *names]


@pytest.mark.parametrize(
    ("variation", "kinds"),
    [("main", ["played", "small_solo", "big_solo"]), ("schoofkopp", ["played", "big_solo"])],
)
def test_a_form_offers_the_solos_that_are_played(variation, kinds):
    kind = GAME.questions({"variation": variation})[0]

    assert [option.value for option in kind.options] == kinds
    assert kind.usual == "played"


@pytest.mark.parametrize("variation", VARIATIONS)
def test_settle_takes_every_word_that_a_form_offers(variation):
    for question in GAME.questions({"variation": variation}):
        for option in question.options:
            hand = {name: words[0] for name, words in question.when.items()}
            hand[question.name] = option.value

            assert "unknown-answer" not in refused_for(hand, variation), option


def test_the_points_are_those_of_side_a_and_the_other_side_has_the_rest():
    points = next(each for each in GAME.questions({}) if each.name == "points_a")

    assert (points.kind, points.lowest, points.highest, points.mirror) == ("points", 0, 120, True)
