"""What a game answers at the edges: when it knows little, and in the last row that is lawful."""

from decimal import Decimal

import pytest

from games import rules
from games.rules.catalogue.bauernschnapsen.rows import Way
from games.rules.game import Rulebook
from games.rules.partnership import SIDES, agreeing, one_sided, scorer
from games.rules.sheet import enough_in_one_deal, read_position
from games.rules.vocabulary import NOTHING_FOUND, closest
from tests.rules.worked import codes

BAUERNSTOSS = rules.find_game("bauernstoss")
BAUERNSCHNAPSEN = rules.find_game("bauernschnapsen")
SCHAFKOPF = rules.find_game("schafkopf")
SCHOOFKOPP = {"variation": "schoofkopp"}
DEUTSCHER = {"variation": "deutscher"}


@pytest.fixture
def plain_game():
    """A game that judges rows and knows nothing else."""
    return rules.Game(
        slug="plain",
        name="Plain",
        columns=SIDES,
        house=BAUERNSTOSS.house[-2:],
        points_word="points",
        tagline="",
        partnerships=True,
        thrown_in=False,
        rulebook=Rulebook(
            judge=lambda row, house, place: NOTHING_FOUND,
            complete=lambda row, house, place: (),
            explain=lambda row, house, place: (),
            line=lambda house: 10,
            value_names=lambda house: {},
        ),
    )


def test_a_game_may_know_no_more_than_its_rows(plain_game):
    assert plain_game.questions({}) == ()
    assert plain_game.facts({}) == {}
    assert plain_game.needs({}, chalk="A", first_deal=False) == {}
    assert plain_game.asks_chalk([], house={}) is False
    assert plain_game.chalk_question({}) == ""
    assert plain_game.counts_down is False
    standing = plain_game.standing([(10, 0), (0, 2)], house={}, start={"chalk": "A"})
    assert (standing.winner, standing.chalk, standing.chalk_after) == ("A", None, (None, None))
    assert standing.bummerl is None


def test_a_game_that_settles_nothing_says_so(plain_game):
    with pytest.raises(rules.HandRefused) as refused:
        plain_game.settle({"points": 60}, house={})

    assert codes(refused.value.breaches) == ["not-settled"]
    assert "does not work out" in str(refused.value)


@pytest.mark.parametrize(
    ("game", "house", "to_go", "enough"),
    [
        (BAUERNSTOSS, {}, 0, None),
        (BAUERNSTOSS, {}, -1, None),
        (BAUERNSTOSS, {}, 1, 1),
        (BAUERNSTOSS, {}, 2, 2),
        (BAUERNSTOSS, {}, 3, 3),
        (BAUERNSTOSS, {}, 4, 8),
        (BAUERNSTOSS, {}, 8, 8),
        (BAUERNSTOSS, {}, 9, None),
        (BAUERNSTOSS, {"line": 16}, 4, 8),
        (BAUERNSTOSS, {"line": 15}, 4, None),
        (BAUERNSTOSS, {"line": 24}, 9, 12),
        (BAUERNSTOSS, {"line": "none"}, 1, None),
        (BAUERNSTOSS, {"free_numbers": True}, 1, None),
        (BAUERNSTOSS, SCHOOFKOPP, 3, 4),
        (BAUERNSTOSS, SCHOOFKOPP, 5, None),
        (BAUERNSTOSS, {**SCHOOFKOPP, "line": 30}, 5, 15),
        (BAUERNSTOSS, DEUTSCHER, 3, 3),
        (BAUERNSTOSS, DEUTSCHER, 4, 4),
        (BAUERNSTOSS, DEUTSCHER, 5, None),
        (BAUERNSCHNAPSEN, {}, 5, 6),
        (BAUERNSCHNAPSEN, {"as_bettler": True}, 5, 5),
        (BAUERNSCHNAPSEN, {}, 11, 12),
        (BAUERNSCHNAPSEN, {}, 13, None),
        (BAUERNSCHNAPSEN, {}, 193, None),
        (SCHAFKOPF, {}, 1, None),
        (SCHAFKOPF, {"line": 100}, 1, 2),
        (SCHAFKOPF, {"line": 100}, 37, 40),
        (SCHAFKOPF, {"line": 9999}, 833, None),
    ],
)
def test_one_deal_is_enough_unless_it_pays_more_than_half_of_the_line(game, house, to_go, enough):
    assert enough_in_one_deal(game, house, to_go) == enough


@pytest.mark.parametrize(
    ("house", "chalk", "first_deal", "needed"),
    [
        ({}, "A", False, {"A": 42, "B": 79}),
        ({}, "B", False, {"A": 79, "B": 42}),
        ({}, "B", True, {"A": 79, "B": 42}),
        ({}, None, False, {}),
        ({}, None, True, {}),
        (SCHOOFKOPP, None, True, {"A": 61, "B": 61}),
        (SCHOOFKOPP, None, False, {}),
        (SCHOOFKOPP, "B", False, {"A": 79, "B": 42}),
        (DEUTSCHER, None, False, {"A": 61, "B": 61}),
        (DEUTSCHER, None, True, {"A": 61, "B": 61}),
    ],
)
def test_a_side_scores_from_so_many_card_points_on(house, chalk, first_deal, needed):
    assert BAUERNSTOSS.needs(house, chalk=chalk, first_deal=first_deal) == needed


@pytest.mark.parametrize("game", [BAUERNSCHNAPSEN, SCHAFKOPF], ids=["bauernschnapsen", "schafkopf"])
def test_games_without_a_chalk_need_nothing(game):
    assert game.needs({}, chalk=None, first_deal=False) == {}


def test_an_unknown_game_is_named_in_the_refusal():
    with pytest.raises(rules.UnknownGame, match="skat"):
        rules.find_game("skat")


@pytest.mark.parametrize(
    ("number", "lawful", "named"),
    [
        (5, [1, 4, 6, 8], "4, 6"),
        (5, [8, 6, 4, 1], "4, 6"),
        (0, [1, 4], "1"),
        (9, [1, 4], "4"),
        (4, [1, 4, 6], "1, 6"),
        (4, [], ""),
    ],
)
def test_the_closest_numbers_are_the_next_below_and_above(number, lawful, named):
    assert closest(number, lawful) == named


def test_sides_take_turns_in_the_order_of_their_numbers():
    assert one_sided([(1,), (2, 3)]) == ((1, 0), (0, 2), (0, 3))
    assert one_sided([(2, 3), ()]) == ((2, 0), (3, 0))
    assert one_sided([(), ()]) == ()


@pytest.mark.parametrize(
    ("row", "side"),
    [
        ((1, 0), 0),
        ((0, 1), 1),
        ((1, None), 0),
        ((None, 1), 1),
        ((0, 0), None),
        ((None, 0), None),
        ((None, None), None),
        ((2, 3), 1),
    ],
)
def test_the_side_with_more_scores(row, side):
    assert scorer(row) == side


def test_rows_agree_in_every_cell_that_is_written():
    ways = [(1, 0), (0, 1), (0, 2)]

    assert agreeing(ways, (None, None)) == tuple(ways)
    assert agreeing(ways, (None, 0)) == ((1, 0),)
    assert agreeing(ways, (0, 2)) == ((0, 2),)
    assert agreeing(ways, (1, 1)) == ()


@pytest.mark.parametrize(
    ("row", "completions"),
    [
        ((6, None), ((6, 0),)),
        ((None, 6), ((0, 6),)),
        ((7, None), ()),
        ((None, 7), ()),
    ],
)
def test_a_number_of_bauernschnapsen_completes_its_row_if_a_deal_pays_it(row, completions):
    assert BAUERNSCHNAPSEN.completions(row, house={}) == completions


def test_what_the_loser_scores_in_the_last_round_spares_it_the_second_mark():
    house = {"free_numbers": True}

    assert BAUERNSCHNAPSEN.standing([(12, 0), (12, 5)], house=house).bummerl == 1
    assert BAUERNSCHNAPSEN.standing([(12, 0), (12, 0)], house=house).bummerl == 2


def test_different_numbers_are_told_without_the_blanks():
    (breach,) = SCHAFKOPF.check((2, None, 4, None), house={}).breaches

    assert (breach.code, breach.numbers) == ("shape", {"found": "2, 4"})


@pytest.mark.parametrize(
    ("row", "code", "column"),
    [
        ((None, 7, 7, 7), "alone-not-4", None),
        ((7, None, 7, 7), "alone-not-4", None),
        ((7, 7, None, None), "rufer-odd", None),
        ((None, None, 7, 7), "rufer-odd", None),
        ((7, None, None, None), "value", 0),
        ((None, None, 7, None), "value", 2),
        ((None, 0, 7, 0), "value", 2),
        ((0, None, 0, 7), "value", 3),
    ],
)
def test_what_every_way_to_fill_a_row_breaks_is_the_reason(row, code, column):
    (breach,) = SCHAFKOPF.check(row, house={}).breaches

    assert (breach.code, breach.column) == (code, column)


def test_a_sheet_has_a_number_or_a_blank_for_every_column():
    with pytest.raises(ValueError, match="shorter"):
        BAUERNSTOSS.standing([(1, 0), (1,)], house={})
    with pytest.raises(ValueError, match="longer"):
        BAUERNSTOSS.highest((1, 0, 2))


@pytest.mark.parametrize(
    ("number", "ties"),
    [(None, True), (1, True), (2, False), (9, False)],
)
def test_a_tie_completes_a_row_of_schoofkopp_if_it_may_be_the_first(number, ties):
    ways = BAUERNSTOSS.completions((0, None), house=SCHOOFKOPP, number=number)

    assert ways is not None
    assert ((0, 0) in ways) is ties


def test_a_side_that_stands_on_the_line_has_nothing_to_complete():
    ways = BAUERNSTOSS.completions((None, None), house=SCHOOFKOPP, number=9, totals=(15, 3))

    assert ways == ((1, 0), (0, 1), (2, 0), (0, 2), (4, 0), (0, 4), (15, 0), (0, 15), (0, 12))


@pytest.mark.parametrize("cell", [Decimal("2.5"), [2], True, b"2", 2 + 0j])
def test_only_what_a_person_can_have_typed_is_repeated(cell):
    (breach,) = BAUERNSTOSS.check((cell, 0), house={}).breaches

    assert (breach.code, breach.numbers, breach.column) == ("not-whole", {}, "A")


def test_nothing_holds_a_match_that_has_not_reached_its_line():
    position = read_position(BAUERNSTOSS, [(0, None), (12, 0)], house={})

    assert (position.crossing, position.holding, position.implied) == (None, (), {})


def test_nothing_is_implied_while_a_row_is_in_the_way():
    position = read_position(BAUERNSTOSS, [(12, None), (0, None), (8, 0)], house={})

    assert (position.crossing, position.holding, position.implied) == (3, (2,), {})
    assert position.resolved[0] == (12, 0)


@pytest.mark.parametrize(
    ("game", "house", "row", "numbers", "column"),
    [
        (BAUERNSCHNAPSEN, {}, (7, 0), {"found": 7, "closest": "6, 8"}, "A"),
        (BAUERNSCHNAPSEN, {}, (0, 193), {"found": 193, "closest": "192"}, "B"),
        (BAUERNSTOSS, {}, (4, 0), {"found": 4, "paid": "1, 2, 3, 8, 12"}, "A"),
        (BAUERNSTOSS, SCHOOFKOPP, (0, 3), {"found": 3, "paid": "1, 2, 4, 15", "line": 15}, "B"),
        (
            BAUERNSTOSS,
            {**SCHOOFKOPP, "line": "none"},
            (3, 0),
            {"found": 3, "paid": "1, 2, 4, 15"},
            "A",
        ),
        (BAUERNSTOSS, DEUTSCHER, (6, 0), {"found": 6, "paid": "1, 2, 4, 9", "line": 9}, "A"),
    ],
)
def test_a_number_that_no_deal_pays_is_told_with_those_that_one_does(
    game, house, row, numbers, column
):
    (breach,) = game.check(row, house=house, number=6, totals=(1, 1)).breaches

    assert (breach.code, breach.numbers, breach.column) == ("value", numbers, column)
    assert all(str(number) in breach.message for number in numbers.values())


@pytest.mark.parametrize(
    ("way", "winner", "callers"),
    [
        (Way(6, 1, can_fail=True), 0, {0, 1}),
        (Way(6, 2, can_fail=True), 1, {0, 1}),
        (Way(18, 1, can_fail=False), 0, {1}),
        (Way(18, 1, can_fail=False), 1, {0}),
        (Way(18, 2, can_fail=False), 0, {0}),
        (Way(18, 2, can_fail=False), 1, {1}),
        (Way(18, 3, can_fail=False), 1, {0}),
    ],
)
def test_the_last_double_is_called_by_the_side_whose_turn_it_was(way, winner, callers):
    assert set(way.last_doublers(winner)) == callers


@pytest.mark.parametrize("row", [(144, 0), (0, 144)])
@pytest.mark.parametrize(("line", "doubted"), [(72, True), (73, False)])
def test_while_totals_are_unknown_a_double_is_weighed_as_if_nobody_had_any(row, line, doubted):
    """144 is a Farben-Gang doubled three times, worth 72 before the last."""
    verdict = BAUERNSCHNAPSEN.check(row, house={"line": line})

    assert codes(verdict.doubts) == (["pointless-double"] if doubted else [])


@pytest.mark.parametrize(
    ("game", "house", "row", "place", "ways"),
    [
        (BAUERNSTOSS, {}, (3, 0), {}, ((3, 0),)),
        (BAUERNSTOSS, {}, (4, 0), {}, ()),
        (BAUERNSTOSS, SCHOOFKOPP, (7, 0), {"number": 5, "totals": (8, 3)}, ((7, 0),)),
        (BAUERNSTOSS, SCHOOFKOPP, (7, 0), {"number": 5, "totals": (9, 3)}, ()),
        (BAUERNSTOSS, {"free_numbers": True}, (4, 5), {}, ((4, 5),)),
        (BAUERNSTOSS, {"free_numbers": True}, (4, None), {}, None),
        (BAUERNSTOSS, {"free_numbers": True}, (-4, 5), {}, ()),
        (SCHAFKOPF, {}, (2, 2, 0, 0), {}, ((2, 2, 0, 0),)),
        (SCHAFKOPF, {}, (3, 3, 0, 0), {}, ()),
    ],
)
def test_a_complete_row_completes_itself_if_it_is_lawful(game, house, row, place, ways):
    assert game.completions(row, house=house, **place) == ways


def test_nobody_scoring_and_both_scoring_are_told_apart():
    (nobody,) = BAUERNSCHNAPSEN.check((0, 0), house={}).breaches
    (both,) = BAUERNSCHNAPSEN.check((3, 2), house={}).breaches

    assert (nobody.code, nobody.numbers, nobody.column) == ("nobody-scores", {}, None)
    assert nobody.message.startswith("Both sides have 0")
    assert (both.code, both.numbers, both.column) == ("both-score", {"ours": 3, "theirs": 2}, None)
    assert both.message.startswith("Both sides have a number, 3 and 2;")


USUAL_FIRST = """
    2x2 4x2 6x2 8x2 20x3 20x1 10x2 24x3 24x1 12x2 28x3 28x1 14x2 32x3 32x1 16x2 36x3 36x1 40x3 40x1
    18x2 20x2 48x3 48x1 24x2 44x3 44x1 56x3 56x1 22x2 28x2 64x3 64x1 32x2 52x3 52x1 72x3 72x1 80x3
    80x1 26x2 36x2 40x2 96x3 96x1 48x2 60x3 60x1 88x3 88x1 112x3 112x1 30x2 44x2 56x2 128x3 128x1
    64x2 68x3 68x1 104x3 104x1 144x3 144x1 34x2 52x2 72x2 160x3 160x1 76x3 80x2 120x3 120x1 176x3
    176x1 60x2 88x2 192x3 192x1 96x2 136x3 136x1 208x3 208x1 224x3 224x1 68x2 104x2 256x3 256x1
    112x2 152x3 240x3 240x1 288x3 288x1 120x2 320x3 320x1 128x2 272x3 272x1 352x3 352x1 136x2 384x3
    384x1 416x1 304x3 416x3 448x3 480x3 512x3 832x1 544x3 576x3
"""
ASKED_LAST = """
    76x1 84x3 84x1 152x1 168x3 168x1 304x1 448x1 336x3 336x1 480x1 512x1 544x1 576x1 608x3 608x1
"""
BY_AGREEMENT = """
    2x2 4x2 6x2 8x2 20x3 20x1 4x3 10x2 24x3 24x1 12x3 12x2 12x1 28x3 28x1 8x3 14x2 32x3 32x1 16x2
    36x3 36x1 40x3 40x1 16x3 18x2 20x2
"""


def offered(house):
    """What a blank row of Schafkopf is offered, as number and winners, seats left aside."""
    rows = SCHAFKOPF.completions((None,) * 4, house=house) or ()
    return list(dict.fromkeys(f"{max(row)}x{4 - row.count(0)}" for row in rows))


def test_a_blank_row_of_schafkopf_is_offered_the_usual_first_and_doubtful_rows_last():
    assert offered({}) == [*USUAL_FIRST.split(), *ASKED_LAST.split()]


def test_a_bettel_and_a_ramsch_are_offered_among_the_others():
    usual = BY_AGREEMENT.split()

    assert offered({"bettel": 3, "ramsch": 1})[: len(usual)] == usual


@pytest.mark.parametrize(("number", "lawful"), [(80, True), (640, True), (1280, False)])
def test_a_ramsch_doubles_for_three_players_without_a_trick_at_most(number, lawful):
    house = {"ramsch": 20}

    verdict = SCHAFKOPF.check((0, number, number, number), house=house)

    assert verdict.status == ("lawful" if lawful else "unlawful")


@pytest.mark.parametrize("row", [(2, 4, 0, 0), (4, 2, 0, 0), (20, 20, 24, 0), (0, 2, 0, 4)])
def test_two_winners_with_two_numbers_are_refused(row):
    (breach,) = SCHAFKOPF.check(row, house={}).breaches

    assert (breach.code, breach.column) == ("shape", None)
    assert breach.numbers == {"found": ", ".join(map(str, row))}


@pytest.mark.parametrize(
    ("row", "code", "column"),
    [
        ((836, 0, 0, 0), "value", 0),
        ((0, 0, 0, 12), "value", 3),
        ((0, 12, 12, 12), "value", None),
        ((0, 0, 13, 0), "alone-not-4", 2),
        ((13, 13, 13, 0), "alone-not-4", None),
        ((0, 42, 42, 0), "value", None),
    ],
)
def test_a_lone_winner_is_pointed_at_and_several_are_not(row, code, column):
    (breach,) = SCHAFKOPF.check(row, house={}).breaches

    assert (breach.code, breach.column) == (code, column)
