"""What a game answers at the edges: a game that knows little, a deal that is enough, what it takes."""

import pytest

from games import rules
from games.rules.game import Rulebook
from games.rules.partnership import SIDES, agreeing, one_sided, scorer
from games.rules.sheet import enough_in_one_deal
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
