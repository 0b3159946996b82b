"""Banking arithmetic: what is resolved, what holds the sheet, what banking fills in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import rules
from games.rules.sheet import read_position

BAUERNSTOSS = rules.find_game("bauernstoss")
SCHAFKOPF = rules.find_game("schafkopf")
SCHOOFKOPP = {"variation": "schoofkopp"}
FREE = {"free_numbers": True}
BLANK = (None, None)


def test_an_empty_sheet_has_nothing_to_bank():
    position = read_position(BAUERNSTOSS, [], house={})

    assert (position.highest, position.line, position.totals) == (0, 20, (0, 0))
    assert (position.crossing, position.bank_round, position.holding) == (None, None, ())
    assert (position.resolved, position.implied) == ((), {})
    assert (position.winners, position.winning_totals) == ((), None)
    assert position.totals_before(1) == (0, 0)
    assert position.totals_before(2) is None


def test_rows_are_resolved_where_one_reading_is_left():
    rows = [(3, None), (None, 0), BLANK, (0, 2), (4, None), (5, 5)]

    position = read_position(BAUERNSTOSS, rows, house={})

    assert position.resolved == ((3, 0), None, None, (0, 2), None, (5, 5))
    assert position.highest == 6
    assert position.totals == (12, 7)
    assert position.standing == BAUERNSTOSS.standing(rows, house={})


def test_totals_before_are_known_until_a_row_is_open():
    position = read_position(BAUERNSTOSS, [(3, None), (0, 8), (None, 0), (1, 0)], house={})

    assert [position.totals_before(number) for number in range(1, 7)] == [
        (0, 0),
        (3, 0),
        (3, 8),
        None,
        None,
        None,
    ]
    with pytest.raises(ValueError, match="from 1"):
        position.totals_before(0)


def test_blank_rows_at_the_end_do_not_make_the_sheet_longer():
    assert read_position(BAUERNSTOSS, [(3, 0), BLANK, BLANK], house={}).highest == 1


@pytest.mark.parametrize(
    ("house", "rows", "crossing", "holding", "implied"),
    [
        pytest.param({}, [(12, 0), (3, 0)], None, (), {}, id="below the line"),
        pytest.param({}, [(12, 0), (8, 0)], 2, (), {}, id="complete"),
        pytest.param({}, [(12, 0), (8, None)], 2, (), {(2, 1): 0}, id="crossing cell alone"),
        pytest.param(
            {},
            [(12, None), (None, 3), (8, 0)],
            3,
            (),
            {(1, 1): 0, (2, 0): 0},
            id="earlier cells implied",
        ),
        pytest.param({}, [(12, 0), (0, None), (8, 0)], 3, (2,), {}, id="open in many ways"),
        pytest.param({}, [(12, 0), BLANK, (8, 0)], 3, (2,), {}, id="a blank row holds"),
        pytest.param({}, [BLANK, (12, 0), (0, None), (8, 0)], 4, (1, 3), {}, id="two rows hold"),
        pytest.param({}, [(12, 0), (4, None), (8, 0)], 3, (2,), {}, id="a dead row holds"),
        pytest.param({}, [(12, 0), (8, 0), (0, None)], 2, (), {}, id="open rows after the line"),
        pytest.param({}, [(12, 0), (8, 0), (3, None)], 2, (), {}, id="nothing implied after it"),
        pytest.param({"line": "none"}, [(12, 0), (12, None)], None, (), {}, id="no line"),
        pytest.param({"line": 3}, [(3, None)], 1, (), {(1, 1): 0}, id="own line"),
        pytest.param(FREE, [(12, 0), (8, None)], 2, (2,), {}, id="free: the crossing row is open"),
        pytest.param(FREE, [(12, 7), (8, 1)], 2, (), {}, id="free: complete"),
    ],
)
def test_a_match_banks_when_no_round_up_to_the_line_is_open(
    house, rows, crossing, holding, implied
):
    position = read_position(BAUERNSTOSS, rows, house=house)

    assert position.crossing == crossing
    assert position.holding == holding
    assert position.bank_round == (None if holding else crossing)
    assert position.implied == implied


def test_the_winner_is_decided_at_the_line_whatever_follows():
    rows = [(12, 0), (8, None), (0, 12), (0, 12)]

    position = read_position(BAUERNSTOSS, rows, house={})

    assert (position.bank_round, position.winners) == (2, ("A",))
    assert position.winning_totals == (20, 0)
    assert position.totals == (20, 24)


def test_filling_an_earlier_row_moves_the_line_round_forward():
    rows = [(12, 0), (None, None), (0, 12), (0, 3), (8, 0)]

    held = read_position(BAUERNSTOSS, rows, house={})
    filled = read_position(BAUERNSTOSS, [(12, 0), (8, 0), *rows[2:]], house={})

    assert (held.crossing, held.holding) == (5, (2,))
    assert (filled.bank_round, filled.winners) == (2, ("A",))


def test_unlawful_complete_rows_count_as_they_are_written():
    position = read_position(BAUERNSTOSS, [(19, 0), (1, 1)], house={})

    assert (position.bank_round, position.winners) == (2, ("A",))
    assert position.winning_totals == (20, 1)


def test_equal_totals_at_the_line_win_together():
    position = read_position(BAUERNSTOSS, [(20, 20)], house=FREE)

    assert (position.bank_round, position.winners) == (1, ("A", "B"))


def test_a_row_is_completed_by_its_own_round_and_totals():
    opening = read_position(BAUERNSTOSS, [(0, None)], house=SCHOOFKOPP)
    missing = read_position(BAUERNSTOSS, [(4, 0), (4, 0), (4, 0), (3, None)], house=SCHOOFKOPP)
    wrong = read_position(BAUERNSTOSS, [(4, 0), (4, 0), (2, 0), (3, None)], house=SCHOOFKOPP)

    assert opening.resolved == (None,)
    assert (missing.bank_round, missing.implied) == (4, {(4, 1): 0})
    assert wrong.resolved[3] is None


def test_the_chalk_named_at_the_start_reaches_the_standing():
    position = read_position(BAUERNSTOSS, [BLANK], house={}, start={"chalk": "B"})

    assert position.standing.chalk == "B"


def test_schafkopf_resolves_seats_from_three_numbers():
    rows = [(14, 14, 0, None), (None, 20, 20, 20), (0, 0, 0, None), (14, 0, None, None)]

    position = read_position(SCHAFKOPF, rows, house={})

    assert position.resolved == ((14, 14, 0, 0), (0, 20, 20, 20), None, None)
    assert (position.line, position.crossing, position.winners) == (None, None, ())


def test_schafkopf_with_a_line_banks_on_implied_numbers():
    rows = [(14, 14, 0, None), (None, 20, 20, 20)]

    position = read_position(SCHAFKOPF, rows, house={"line": 34})

    assert (position.bank_round, position.winners) == (2, (1,))
    assert position.winning_totals == (14, 34, 20, 20)
    assert position.implied == {(1, 3): 0, (2, 0): 0}


def test_an_implied_number_can_reach_the_line_itself():
    """Two winners of a Rufer: three cells leave the fourth its number."""
    rows = [(14, 0, None, 0), (0, 14, 0, 14)]
    house = {"line": 14}

    position = read_position(SCHAFKOPF, rows, house=house)

    assert position.resolved[0] == (14, 0, 14, 0)
    assert (position.bank_round, position.winners) == (1, (0, 2))
    assert position.implied == {(1, 2): 14}


cells = st.sampled_from([None, None, 0, 0, 0, 1, 2, 3, 8, 12])


@given(rows=st.lists(st.tuples(cells, cells), max_size=8))
def test_banking_what_is_implied_gives_the_standing_of_the_filled_sheet(rows):
    position = read_position(BAUERNSTOSS, rows, house={})

    filled = [
        tuple(
            position.implied.get((number, index), cell) if cell is None else cell
            for index, cell in enumerate(row)
        )
        for number, row in enumerate(rows, start=1)
    ]
    if position.bank_round is not None:
        assert None not in {cell for row in filled[: position.bank_round] for cell in row}
        standing = BAUERNSTOSS.standing(filled, house={})
        assert standing.line_round == position.bank_round
        assert standing.winners == position.winners
        assert read_position(BAUERNSTOSS, filled, house={}).bank_round == position.bank_round
    else:
        assert position.implied == {}
        assert (position.crossing is None) == (position.holding == ())
