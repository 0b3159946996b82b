"""A number meets the rules of its game: breaches, doubts, and what is confirmed."""

import pytest

from games.models import Round
from tests.games.helpers import (
    cell_state,
    code_of,
    fill,
    host_of,
    make_table,
    match_of,
    new_op,
    seated,
    stored,
)

pytestmark = pytest.mark.django_db

SCHOOFKOPP = {"variation": "schoofkopp"}
DEUTSCHER = {"variation": "deutscher"}


# Step 6: no deal gives this row ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "house", "column", "lawful", "unlawful", "code"),
    [
        ("bauernstoss", {}, "A", 3, 4, "value"),
        ("bauernstoss", {}, "B", 2, 20, "value"),
        ("bauernstoss", SCHOOFKOPP, "A", 4, 3, "value"),
        ("bauernstoss", DEUTSCHER, "B", 4, 6, "value"),
        ("bauernschnapsen", {}, "A", 6, 7, "value"),
        ("bauernschnapsen", {"bettler": 5}, "A", 5, 7, "value"),
        ("schafkopf", {}, "2", 14, 15, "value"),
    ],
)
def test_a_number_that_a_deal_pays_is_written_and_another_refused(  # noqa: PLR0913
    game, house, column, lawful, unlawful, code
):
    table = make_table(game, house)
    host = host_of(table)
    before = stored(table)

    refused = host.write(1, column, unlawful)
    unchanged = stored(table)
    written = host.write(1, column, lawful)

    assert (refused.status_code, code_of(refused), unchanged) == (422, code, before)
    assert (written.status_code, cell_state(table, 1, column)) == (303, (lawful, "written"))


@pytest.mark.parametrize(
    ("game", "row", "column", "value", "code", "only", "against"),
    [
        ("bauernstoss", (3, None), "B", 1, "both-score", 0, ("A",)),
        ("bauernstoss", (0, None), "B", 0, "nobody-scores", None, ("A",)),
        ("bauernschnapsen", (None, 24), "A", 6, "both-score", 0, ("B",)),
        ("schafkopf", (14, 14, 0, None), "3", 14, "alone-not-4", 0, ("0", "1", "2")),
        ("schafkopf", (14, 0, 0, None), "3", 0, "alone-not-4", 14, ("0", "1", "2")),
    ],
)
def test_a_row_that_can_no_longer_become_lawful_is_refused_with_the_way_out(  # noqa: PLR0913
    game, row, column, value, code, only, against
):
    table = make_table(game)
    fill(table, [row])
    host = host_of(table)
    before = stored(table)

    answer = host.write(1, column, value)
    refusal = answer.context["refusal"]

    assert answer.status_code == 422
    assert (refusal.code, refusal.only, refusal.against) == (code, only, against)
    assert stored(table) == before


def test_the_only_lawful_value_is_then_written():
    table = make_table()
    fill(table, [(3, None)])
    host = host_of(table)
    only = host.write(1, "B", 1).context["refusal"].only

    answer = host.write(1, "B", only)

    assert (answer.status_code, host.entries()) == (303, [[3, 0]])


def test_clearing_is_never_refused_by_the_rules():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)

    assert [host.write(1, c, "").status_code for c in "BA"] == [303, 303]


def test_free_numbers_take_every_row():
    table = make_table(house={"free_numbers": True, "line": "none"})
    host = host_of(table)

    host.write(1, "A", 7)
    host.write(1, "B", 7)

    assert host.entries() == [[7, 7]]


def test_a_complete_row_was_lawful_when_written_whatever_is_corrected_before_it():
    table = make_table(house=SCHOOFKOPP)
    fill(table, [(4, 0), (4, 0), (2, 0), (0, 1)])
    host = host_of(table)
    host.write_row(4, {"A": 5, "B": 0})  # exactly completes 15

    answer = host.write(3, "A", 1)

    assert (answer.status_code, host.entries()[2:]) == (303, [[1, 0], [5, 0]])


# Where a row stands: totals and rounds -----------------------------------------------------------


def test_a_number_that_exactly_completes_the_line_is_lawful_at_its_totals_alone():
    table = make_table(house=SCHOOFKOPP)
    fill(table, [(4, 0), (4, 0), (4, 0)])
    host = host_of(table)

    answers = [host.write(4, "B", 3), host.write(4, "A", 3)]

    assert [(a.status_code, code_of(a)) for a in answers] == [(422, "value"), (303, "")]


@pytest.mark.parametrize(
    ("third", "answer", "code"),
    [
        ((4, 0), 422, "value"),  # complete: 12 before round 4
        ((4, None), 422, "value"),  # one completion: 12 as well
        ((None, 0), 422, "only-if-completes"),  # unknown: it may complete the line
    ],
    ids=["complete", "one completion", "open"],
)
def test_totals_are_known_when_every_earlier_row_is_complete_or_has_one_completion(
    third, answer, code
):
    table = make_table(house=SCHOOFKOPP)
    fill(table, [(4, 0), (4, 0), third])

    refused = host_of(table).write(4, "A", 5)

    assert (refused.status_code, code_of(refused)) == (answer, code)


def test_a_tied_opening_stands_in_round_1_alone():
    table = make_table(house=SCHOOFKOPP)
    host = host_of(table)

    first = host.write_row(1, {"A": 0, "B": 0}, sure="1")
    second = host.write_row(2, {"A": 0, "B": 0}, sure="1")

    assert (first.status_code, second.status_code) == (303, 422)
    assert code_of(second) == "nobody-scores"


# Step 7: doubts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "house", "row", "column", "value", "code"),
    [
        ("bauernstoss", {}, (None, None), "A", 8, "solo-in-round-1"),
        ("bauernstoss", {}, (None, 0), "A", 12, "solo-in-round-1"),
        ("bauernstoss", SCHOOFKOPP, (0, None), "B", 0, "tie-opening"),
        ("bauernstoss", SCHOOFKOPP, (None, None), "B", 15, "solo-in-round-1"),
        ("bauernstoss", DEUTSCHER, (None, 0), "A", 0, "tie-carried"),
        ("bauernstoss", DEUTSCHER, (None, None), "A", 3, "carried-mark"),
        ("bauernschnapsen", {}, (None, None), "A", 48, "pointless-double"),
        ("schafkopf", {}, (0, 0, 0, None), "3", 76, "runners-unlikely"),
    ],
)
def test_a_doubt_is_asked_about_and_written_with_the_same_op(  # noqa: PLR0913
    game, house, row, column, value, code
):
    table = make_table(game, house)
    host, op = host_of(table), new_op()
    if any(cell is not None for cell in row):
        fill(table, [row])
    before = stored(table)

    asked = host.write(1, column, value, op=op)
    unchanged = stored(table)
    sure = host.write(1, column, value, op=op, sure="1")

    assert (asked.status_code, code_of(asked), unchanged) == (422, code, before)
    assert asked.context["op"] == op
    assert (sure.status_code, cell_state(table, 1, column)) == (303, (value, "written"))
    assert code in Round.objects.get(number=1).confirmed


def test_sure_confirms_no_breach():
    table = make_table()

    answer = host_of(table).write(1, "A", 4, sure="1")

    assert (answer.status_code, code_of(answer)) == (422, "value")


def test_a_solo_is_no_doubt_from_round_2_on():
    table = make_table()
    fill(table, [(3, 0)])

    assert host_of(table).write(2, "A", 8).status_code == 303


def test_a_row_with_a_completion_that_is_not_doubtful_is_not_asked_about():
    table = make_table(house=DEUTSCHER)

    assert host_of(table).write(1, "A", 0).status_code == 303


def test_what_was_confirmed_is_not_asked_again_when_the_partner_completes_the_row():
    table = make_table()
    lena, kofi = seated(table, 0), seated(table, 1)
    lena.write(1, "A", 8, sure="1")

    answer = kofi.write(1, "B", 0)

    assert (answer.status_code, kofi.entries()) == (303, [[8, 0]])


def test_what_was_confirmed_lapses_when_its_cell_changes():
    table = make_table()
    lena = seated(table, 0)
    lena.write(1, "A", 8, sure="1")

    answer = lena.write(1, "A", 12)

    assert (answer.status_code, code_of(answer)) == (422, "solo-in-round-1")


def test_what_was_confirmed_lapses_when_its_cell_is_cleared():
    table = make_table()
    lena = seated(table, 0)
    lena.write(1, "A", 8, sure="1")
    lena.write(1, "A", "")

    answer = lena.write(1, "A", 8)

    assert (answer.status_code, code_of(answer)) == (422, "solo-in-round-1")


def test_what_was_confirmed_of_one_number_stays_when_the_cell_beside_it_changes():
    table = make_table()
    fill(table, [(None, 0)])
    host = host_of(table)
    host.write(1, "A", 8, sure="1")
    host.write(1, "B", "")

    answer = host.write(1, "B", 0)

    assert (answer.status_code, host.entries()) == (303, [[8, 0]])


@pytest.mark.parametrize("column", ["A", "B"])
def test_a_confirmed_tie_lapses_when_either_of_its_cells_changes(column):
    table = make_table(house=SCHOOFKOPP)
    host = host_of(table)
    host.write(1, "A", 0)
    host.write(1, "B", 0, sure="1")
    host.write(1, column, "")

    answer = host.write(1, column, 0)

    assert (answer.status_code, code_of(answer)) == (422, "tie-opening")


def test_what_was_confirmed_lapses_when_taking_the_end_back_clears_its_cell():
    table = make_table(house=DEUTSCHER)
    fill(table, [(4, 0), (2, 0)])
    host = host_of(table)
    host.write(3, "A", 5, sure="1")
    host.post(".../reopen/")

    answer = host.write(3, "A", 5)

    assert (answer.status_code, code_of(answer)) == (422, "carried-mark")


# Implied cells -----------------------------------------------------------------------------------


def test_no_cell_is_implied_while_the_match_is_open():
    table = make_table()

    host_of(table).write(1, "A", 3)

    assert host_of(table).entries() == [[3, None]]


def banked_with_implied():
    """Round 2 banks by its 12; the 0 beside the 8 of round 1 and beside the 12 is implied."""
    table = make_table()
    fill(table, [(8, None), (12, None)])
    assert cell_state(table, 1, "B") == (0, "implied")
    assert cell_state(table, 2, "B") == (0, "implied")
    return table


def test_an_implied_cell_becomes_blank_when_another_cell_of_its_row_changes():
    table = banked_with_implied()
    host = host_of(table)

    host.write(1, "A", 0)

    assert (host.entries(), host.sheet()["status"]) == ([[0, None], [12, None]], "open")


def test_an_implied_cell_becomes_blank_though_the_match_stays_ended():
    table = banked_with_implied()
    host = host_of(table)
    host.post("next/")
    host.write(1, "B", 0, match=2)

    host.write(1, "A", 3)

    assert (host.entries(), host.sheet()["how"]) == ([[3, None], [12, 0]], "line")


def test_an_implied_cell_is_written_anew_when_the_bank_still_holds():
    table = banked_with_implied()
    host = host_of(table)

    host.write(1, "A", 12, sure="1")

    assert (host.entries(), host.sheet()["status"]) == ([[12, 0], [12, 0]], "banked")
    assert cell_state(table, 1, "B") == (0, "implied")


def test_an_implied_cell_does_not_stand_against_the_other_number():
    table = banked_with_implied()
    host = host_of(table)

    row = host.write_row(1, {"A": 0, "B": 3})

    assert (row.status_code, host.entries()) == (303, [[0, 3], [12, None]])


def test_an_implied_cell_that_somebody_confirmed_stays_when_its_bank_is_undone():
    table = banked_with_implied()
    host, kofi = host_of(table), seated(table, 1)
    kofi.write(1, "B", 0)

    host.post(".../reopen/")

    assert (host.entries(), cell_state(table, 1, "B")) == ([[8, 0]], (0, "written"))


def test_confirming_an_implied_cell_marks_no_correction():
    table = banked_with_implied()

    seated(table, 1).write(1, "B", 0)

    assert match_of(table).corrected is False
