"""Totals, leaders, winner, chalk and Bummerl of a match."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import rules

BAUERNSTOSS = rules.find_game("bauernstoss")
BAUERNSCHNAPSEN = rules.find_game("bauernschnapsen")
SCHAFKOPF = rules.find_game("schafkopf")
SCHOOFKOPP = {"variation": "schoofkopp"}
DEUTSCHER = {"variation": "deutscher"}
FREE = {"free_numbers": True}

main_rows = st.lists(
    st.sampled_from(BAUERNSTOSS.completions((None, None), house={}) or ()), min_size=1, max_size=12
)


@pytest.mark.parametrize("game", rules.all_games(), ids=lambda game: game.slug)
@pytest.mark.parametrize("rows", [[], [None]], ids=["no row", "a blank row"])
def test_nobody_leads_before_the_first_entry(game, rows):
    written = [(None,) * len(game.columns) for _ in rows]

    standing = game.standing(written, house={})

    assert standing == rules.Standing(
        totals=(0,) * len(game.columns), chalk_after=(None,) * len(rows)
    )


@pytest.mark.parametrize(
    ("game", "rows", "leaders"),
    [
        pytest.param(BAUERNSTOSS, [(2, None)], ("A",), id="one cell"),
        pytest.param(BAUERNSTOSS, [(None, 0)], ("A", "B"), id="a zero is an entry"),
        pytest.param(BAUERNSTOSS, [(2, 0), (0, 2)], ("A", "B"), id="level"),
        pytest.param(SCHAFKOPF, [(0, 20, 20, 20), (20, 0, 0, 0)], (0, 1, 2, 3), id="all four"),
    ],
)
def test_everybody_with_the_highest_total_leads(game, rows, leaders):
    assert game.standing(rows, house={}).leaders == leaders


@pytest.mark.parametrize(
    ("game", "house", "rows", "at_the_line"),
    [
        pytest.param(BAUERNSTOSS, {}, [(12, 0), (7, 0)], (None, (), 0), id="19"),
        pytest.param(BAUERNSTOSS, {}, [(12, 0), (8, 0)], (2, ("A",), 0), id="20"),
        pytest.param(BAUERNSTOSS, {}, [(12, 0), (8, 0), (0, 3)], (2, ("A",), 1), id="a row after"),
        pytest.param(
            BAUERNSTOSS, {}, [(12, 0), (8, 0), (0, 12), (0, 12)], (2, ("A",), 2), id="first stays"
        ),
        pytest.param(
            BAUERNSTOSS,
            {},
            [(12, 0), (8, 0), (None, None), (None, 3), (None, None)],
            (2, ("A",), 1),
            id="blank rows do not count",
        ),
        pytest.param(BAUERNSTOSS, {}, [(12, None), (8, None)], (2, ("A",), 0), id="blanks count 0"),
        pytest.param(BAUERNSTOSS, {"line": 12}, [(12, 0)], (1, ("A",), 0), id="own line"),
        pytest.param(
            BAUERNSTOSS, {"line": "none"}, [(12, 0), (12, 0)], (None, (), 0), id="no line"
        ),
        pytest.param(SCHAFKOPF, {}, [(832, 0, 0, 0)], (None, (), 0), id="Schafkopf has no line"),
        pytest.param(
            SCHAFKOPF, {"line": 30}, [(14, 14, 0, 0), (0, 20, 20, 0)], (2, (1,), 0), id="seat 1"
        ),
        pytest.param(
            SCHAFKOPF, {"line": 14}, [(14, 14, 0, 0)], (1, (0, 1), 0), id="two seats together"
        ),
        pytest.param(BAUERNSTOSS, FREE, [(20, 25)], (1, ("B",), 0), id="the higher of two over it"),
        pytest.param(BAUERNSTOSS, FREE, [(25, 25)], (1, ("A", "B"), 0), id="joint winners"),
    ],
)
def test_the_line_is_won_in_the_first_round_that_reaches_it(game, house, rows, at_the_line):
    standing = game.standing(rows, house=house)

    line_round, winners, _ = at_the_line
    assert (standing.line_round, standing.winners, standing.rows_after_line) == at_the_line
    assert standing.winner == (winners[0] if len(winners) == 1 else None)
    assert (line_round is None) == (winners == ())


@pytest.mark.parametrize(
    ("house", "start", "rows", "chalk_after"),
    [
        pytest.param({}, "A", [(0, 2), (3, 0)], ["B", "A"], id="the scorer takes it"),
        pytest.param({}, "A", [(None, None), (0, 2)], ["A", "B"], id="a blank row passes it on"),
        pytest.param({}, None, [(None, None), (0, 2)], [None, "B"], id="unknown at first"),
        pytest.param({}, "A", [(0, None)], ["B"], id="0 alone: the other scored"),
        pytest.param({}, "B", [(None, 0)], ["A"], id="0 alone, the other way round"),
        pytest.param({}, "B", [(2, None)], ["A"], id="a number alone"),
        pytest.param({}, "A", [(None, 2)], ["B"], id="a number alone, the other way round"),
        pytest.param({}, "A", [(2, 5)], ["B"], id="unlawful: who has more"),
        pytest.param({}, "A", [(0, 0)], ["A"], id="unlawful: nobody"),
        pytest.param({}, "A", [(0, 4), (7, None)], ["B", "A"], id="unlawful values"),
        pytest.param(FREE, "A", [(2, 5)], ["B"], id="free: who has more"),
        pytest.param(FREE, "A", [(5, 5)], ["A"], id="free: equal"),
        pytest.param(FREE, "A", [(0, None)], ["A"], id="free: open"),
        pytest.param(FREE, "A", [(None, 5)], ["A"], id="free: open with a number"),
        pytest.param(SCHOOFKOPP, "A", [(0, 2), (2, 0)], ["B", "A"], id="opening scored"),
        pytest.param(SCHOOFKOPP, "A", [(None, None)], [None], id="nobody before the opening"),
        pytest.param(SCHOOFKOPP, "A", [(0, 0)], ["A"], id="tied opening, asked"),
        pytest.param(SCHOOFKOPP, None, [(0, 0)], [None], id="tied opening, not yet asked"),
        pytest.param(SCHOOFKOPP, "A", [(0, None)], [None], id="opening may be tied"),
        pytest.param(SCHOOFKOPP, "A", [(2, None)], ["A"], id="opening cannot be tied"),
        pytest.param(SCHOOFKOPP, "A", [(0, 0), (0, None)], ["A", "B"], id="no tie later"),
        pytest.param(SCHOOFKOPP, "A", [(2, 0), (0, 0)], ["A", "A"], id="unlawful tie later"),
        pytest.param(DEUTSCHER, "A", [(2, 0), (0, 4)], [None, None], id="no chalk in Deutscher"),
    ],
)
def test_the_chalk_follows_the_rows(house, start, rows, chalk_after):
    standing = BAUERNSTOSS.standing(rows, house=house, start={"chalk": start})

    assert standing.chalk_after == tuple(chalk_after)
    assert standing.chalk == chalk_after[-1]


@pytest.mark.parametrize(
    ("house", "start", "chalk"),
    [
        ({}, {"chalk": "A"}, "A"),
        ({}, {"chalk": None}, None),
        ({}, {}, None),
        ({}, None, None),
        ({}, {"chalk": "C"}, None),
        (SCHOOFKOPP, {"chalk": "A"}, None),
        (DEUTSCHER, {"chalk": "A"}, None),
    ],
    ids=str,
)
def test_the_chalk_before_the_first_row_is_what_the_table_said(house, start, chalk):
    standing = BAUERNSTOSS.standing([], house=house, start=start)

    assert (standing.chalk, standing.chalk_after) == (chalk, ())


@pytest.mark.parametrize("game", [BAUERNSCHNAPSEN, SCHAFKOPF], ids=lambda game: game.slug)
def test_other_games_have_no_chalk(game):
    rows = [(2,) + (0,) * (len(game.columns) - 1)]

    standing = game.standing(rows, house={}, start={"chalk": game.columns[0]})

    assert (standing.chalk, standing.chalk_after) == (None, (None,))


@given(rows=main_rows, start=st.sampled_from(["A", "B", None]))
def test_after_a_lawful_row_its_scorer_holds_the_chalk(rows, start):
    standing = BAUERNSTOSS.standing(rows, house={}, start={"chalk": start})

    assert standing.chalk_after == tuple("A" if row[0] else "B" for row in rows)
    assert standing.totals == tuple(map(sum, zip(*rows, strict=True)))


@given(rows=main_rows, blanked=st.integers(0, 1))
def test_the_chalk_does_not_wait_for_the_second_cell(rows, blanked):
    last = tuple(None if side == blanked else cell for side, cell in enumerate(rows[-1]))

    early = BAUERNSTOSS.standing([*rows[:-1], last], house={})

    assert early.chalk == BAUERNSTOSS.standing(rows, house={}).chalk


@pytest.mark.parametrize(
    ("house", "rows", "asks"),
    [
        pytest.param({}, [], True, id="no row"),
        pytest.param({}, [(None, None)], True, id="blank"),
        pytest.param({}, [(None, 0)], False, id="an entry"),
        pytest.param({}, [(None, None), (2, 0)], True, id="only a later row"),
        pytest.param(SCHOOFKOPP, [], False, id="Schoofkopp, no row"),
        pytest.param(SCHOOFKOPP, [(0, 0)], True, id="Schoofkopp, tied opening"),
        pytest.param(SCHOOFKOPP, [(0, 0), (None, None)], True, id="Schoofkopp, second row blank"),
        pytest.param(SCHOOFKOPP, [(0, 0), (2, None)], False, id="Schoofkopp, second row begun"),
        pytest.param(SCHOOFKOPP, [(0, None)], False, id="Schoofkopp, opening open"),
        pytest.param(SCHOOFKOPP, [(1, 0)], False, id="Schoofkopp, opening scored"),
        pytest.param(DEUTSCHER, [(0, 0)], False, id="Deutscher"),
        pytest.param(DEUTSCHER, [], False, id="Deutscher, no row"),
    ],
)
def test_the_sheet_asks_for_the_chalk_only_when_it_cannot_know(house, rows, asks):
    assert BAUERNSTOSS.asks_chalk(rows, house=house) is asks


def test_the_question_about_the_chalk_is_the_games_own():
    assert BAUERNSTOSS.chalk_question({}) == "Who was dealt the jack of clubs?"
    assert BAUERNSTOSS.chalk_question(SCHOOFKOPP).startswith("60–60")
    assert BAUERNSTOSS.chalk_question(DEUTSCHER) == ""
    for game in (BAUERNSCHNAPSEN, SCHAFKOPF):
        assert game.chalk_question({}) == ""
        assert game.asks_chalk([], house={}) is False


WON_AGAINST_SOMETHING = [(0, 12), (24, 0)]
WON_AGAINST_NOTHING = [(12, 0), (12, 0)]
WON_AFTER_23_TO_0 = [(0, 12), (0, 9), (0, 2), (24, 0)]


@pytest.mark.parametrize(
    ("house", "rows", "bummerl"),
    [
        pytest.param({}, WON_AGAINST_SOMETHING, 1, id="1"),
        pytest.param({}, WON_AGAINST_NOTHING, 2, id="2 against nothing"),
        pytest.param({}, WON_AFTER_23_TO_0, 1, id="23-0 is not counted by itself"),
        pytest.param({"bummerl": "on"}, WON_AFTER_23_TO_0, 1, id="on"),
        pytest.param({"bummerl": "on-with-four"}, WON_AFTER_23_TO_0, 4, id="4 after 23-0"),
        pytest.param({"bummerl": "on-with-four"}, WON_AGAINST_SOMETHING, 1, id="4 not earned"),
        pytest.param({"bummerl": "on-with-four"}, WON_AGAINST_NOTHING, 2, id="still 2"),
        pytest.param(
            {"bummerl": "on-with-four"},
            [(1, 0), (0, 23), (24, 0)],
            1,
            id="23-1 is not 23-0",
        ),
        pytest.param(
            {"bummerl": "on-with-four"},
            [(12, 0), (9, 0), (2, 0), (1, 0)],
            2,
            id="the winner led 23-0",
        ),
        pytest.param(
            {"bummerl": "on-with-four", "line": 5},
            [(0, 4), (6, 0)],
            4,
            id="4-0 when played to 5",
        ),
        pytest.param(
            {"bummerl": "on-with-four", "line": 1}, [(1, 0)], 2, id="0-0 is no lead to lose"
        ),
        pytest.param(
            {"bummerl": "on-with-four", "line": 2}, [(1, 0), (0, 2)], 4, id="1-0 when played to 2"
        ),
        pytest.param({"bummerl": "off"}, WON_AGAINST_NOTHING, None, id="off"),
        pytest.param({}, [(12, 0)], None, id="nobody has won"),
        pytest.param({"line": "none"}, WON_AGAINST_NOTHING, None, id="no line"),
        pytest.param(FREE, [(24, 24)], None, id="joint winners"),
        pytest.param({}, [(24, 0), (0, 12)], 2, id="rows after the line do not help"),
    ],
)
def test_bummerl_is_chalked_against_the_loser(house, rows, bummerl):
    assert BAUERNSCHNAPSEN.standing(rows, house=house).bummerl == bummerl


def test_games_without_a_bummerl_chalk_none():
    assert BAUERNSTOSS.standing([(12, 0), (8, 0)], house={}).bummerl is None
