"""The bank: the line is reached, and every row up to it is complete or can be only one thing."""

import pytest

from games.models import Change
from tests.games.helpers import (
    cell_state,
    code_of,
    fill,
    host_of,
    make_table,
    match_of,
    rows_on,
    seated,
    stored,
)

pytestmark = pytest.mark.django_db

SCHOOFKOPP = {"variation": "schoofkopp"}
DEUTSCHER = {"variation": "deutscher"}
FREE_TO_20 = {"free_numbers": True, "line": 20}


def state_of(phone, match=1):
    sheet = phone.sheet(match)
    return sheet["status"], sheet["how"], sheet["winner"]


# Reaching the line -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "house", "rows", "last", "below"),
    [
        ("bauernstoss", {}, [(12, 0), (3, 0), (3, 0)], 2, 1),
        ("bauernstoss", {}, [(12, 0), (3, 0), (3, 0)], 12, 1),
        ("bauernstoss", SCHOOFKOPP, [(4, 0), (4, 0), (4, 0)], 4, 2),
        ("bauernstoss", DEUTSCHER, [(4, 0), (4, 0)], 1, 0),
        ("bauernstoss", {"line": 5}, [(3, 0)], 2, 1),
        ("bauernschnapsen", {}, [(12, 0), (6, 0)], 6, 4),
        ("schafkopf", {"line": 28}, [(14, 14, 0, 0)], 14, 12),
    ],
    ids=["20", "past 20", "15", "9", "a line of 5", "24", "schafkopf to 28"],
)
def test_the_match_is_banked_by_the_number_that_reaches_the_line(game, house, rows, last, below):
    table, column = make_table(game, house), "0" if game == "schafkopf" else "A"
    rest = {"1": "0", "2": "0", "3": "14"} if game == "schafkopf" else {"B": "0"}
    fill(table, rows)
    host = host_of(table)
    number = len(rows) + 1

    host.write_row(number, {column: below, **({} if below == 12 else rest if below else {})})
    open_below = state_of(host)
    host.write_row(number, {column: last, **rest}, sure="1")

    assert open_below == ("open", None, None)
    assert state_of(host) == ("banked", "line", column)


@pytest.mark.parametrize("game", ["bauernstoss", "bauernschnapsen"])
def test_side_b_can_win_too(game):
    table = make_table(game)
    fill(table, [(0, 12), (0, 12)])

    assert state_of(host_of(table)) == ("banked", "line", "B")


def test_a_match_without_a_line_is_never_banked_by_a_number():
    table = make_table(house={"line": "none"})
    fill(table, [(12, 0)] * 3)

    assert state_of(host_of(table)) == ("open", None, None)


def test_schafkopf_goes_on_until_somebody_ends_it():
    table = make_table("schafkopf")
    fill(table, [(832, 0, 0, 0)] * 3)

    assert state_of(host_of(table)) == ("open", None, None)


def test_the_line_is_reached_though_the_partners_cell_is_blank_and_that_is_written_as_implied():
    table = make_table()
    fill(table, [(12, 0), (8, None)])

    assert state_of(host_of(table)) == ("banked", "line", "A")
    assert cell_state(table, 2, "B") == (0, "implied")
    assert Change.objects.get(round_number=2, column="B").why == "implied"


def test_every_missing_cell_up_to_the_line_is_written_as_implied():
    table = make_table()
    fill(table, [(8, None), (None, 3), (1, None), (12, 0)])

    assert host_of(table).entries() == [[8, 0], [0, 3], [1, 0], [12, 0]]
    assert [cell_state(table, n, c)[1] for n, c in ((1, "B"), (2, "A"), (3, "B"))] == [
        "implied"
    ] * 3


def test_the_implied_number_of_schafkopf_is_what_one_reading_leaves():
    table = make_table("schafkopf", {"line": 28})
    fill(table, [(14, 0, 0, None), (14, 14, 0, 0)])

    assert host_of(table).entries() == [[14, 0, 0, 14], [14, 14, 0, 0]]
    assert host_of(table).sheet()["winners"] == ["0"]


def test_equal_totals_over_the_line_are_joint_winners():
    table = make_table("schafkopf", {"line": 14})
    fill(table, [(14, 0, 14, 0)])

    sheet = host_of(table).sheet()

    assert (sheet["status"], sheet["winner"], sheet["winners"]) == ("banked", None, ["0", "2"])


def test_the_highest_total_over_the_line_wins_alone():
    table = make_table(house=FREE_TO_20)
    fill(table, [(18, 17), (3, 5)])

    assert state_of(host_of(table)) == ("banked", "line", "B")


def test_whoever_writes_the_number_banks_the_match():
    table = make_table()
    fill(table, [(12, 0), (3, 0), (3, 0)])
    seated(table, 0).write(4, "A", 2)

    match = match_of(table)

    assert (match.how, match.ended_by, match.corrected) == ("line", "Lena", False)


def test_the_result_is_kept_for_lists():
    table = make_table()
    fill(table, [(12, 0), (0, 3), (8, None)])

    ids = dict(table.players.values_list("seat", "pk"))
    assert match_of(table).result == {
        "status": "banked",
        "winners": ["A"],
        "leaders": ["A"],
        "totals": [20, 3],
        "deals": 3,
        "bummerl": {},
        "players": {"A": [ids[0], ids[2]], "B": [ids[1], ids[3]]},
    }


def test_a_number_that_reaches_no_line_keeps_the_match_open():
    table = make_table()
    fill(table, [(12, 0), (3, 0), (3, 0)])
    host_of(table).write(4, "A", 1)

    assert state_of(host_of(table)) == ("open", None, None)


# Earlier rows are open ---------------------------------------------------------------------------


def held():
    """A has 20 after round 3, but in round 2 only A's 0 is known."""
    table = make_table()
    fill(table, [(12, 0), (0, None), (8, 0)])
    return table


def test_an_earlier_row_that_is_open_in_more_than_one_way_holds_the_bank():
    table = held()

    assert state_of(host_of(table)) == ("open", None, None)


def test_a_row_that_nobody_wrote_in_holds_the_bank():
    table = make_table()
    fill(table, [(12, 0), (1, 0), (8, 0)])  # 21
    host = host_of(table)
    host.write_row(2, {"A": "", "B": ""})

    assert (state_of(host)[0], host.entries()[1]) == ("open", [None, None])


def test_while_it_is_held_no_further_round_opens():
    table = held()
    before = stored(table)

    answer = host_of(table).write(4, "A", 1)

    assert (answer.status_code, code_of(answer)) == (409, "not-open")
    assert answer.context["refusal"].say == "Deal 2 is still open: Kofi & Nora"
    assert stored(table) == before


def test_the_header_says_which_deal_is_still_open_and_whose():
    table = make_table()
    fill(table, [(None, 0), (12, 0), (8, 0)])

    page = host_of(table).get(".../").content.decode()

    assert "Deal 1 is still open: Lena &amp; Felix" in page


def test_no_hand_is_thrown_in_while_the_bank_is_held():
    table = held()
    before = stored(table)

    answer = host_of(table).post(
        ".../thrown-in/", before=4, seen=0, op="00000000-0000-4000-8000-000000000000"
    )

    assert (answer.status_code, code_of(answer), stored(table)) == (409, "not-open", before)


def test_the_number_that_fills_the_held_row_banks_the_match():
    table = held()

    seated(table, 1).write(2, "B", 1)

    assert state_of(host_of(table)) == ("banked", "line", "A")
    assert host_of(table).entries() == [[12, 0], [0, 1], [8, 0]]


def test_a_held_row_may_be_corrected_to_something_else():
    table = held()
    host = host_of(table)

    host.write_row(3, {"A": 0, "B": 8})

    assert (state_of(host)[0], host.write(4, "A", 1).status_code) == ("open", 303)


def test_free_numbers_leave_no_row_that_can_be_only_one_thing():
    table = make_table(house=FREE_TO_20)
    fill(table, [(20, None)])
    host = host_of(table)
    before = state_of(host)

    host.write(1, "B", 19)

    assert (before, state_of(host)) == (("open", None, None), ("banked", "line", "A"))


# Rounds after the line ---------------------------------------------------------------------------


def with_rows_after_the_line():
    """Filling round 2 brings A to 20 in round 3, after which B has another number."""
    table = make_table()
    fill(table, [(12, 0), (0, None), (3, 0), (0, 1)])
    host = host_of(table)
    host.write(2, "A", 8)
    return table, host


def test_rounds_after_the_line_stay_and_count_in_every_total():
    _table, host = with_rows_after_the_line()

    sheet = host.sheet()

    assert (sheet["status"], sheet["winner"], sheet["totals"]) == ("banked", "A", [23, 1])
    assert host.entries() == [[12, 0], [8, 0], [3, 0], [0, 1]]


def test_rounds_after_the_line_are_drawn_as_after_it():
    _table, host = with_rows_after_the_line()

    rows = rows_on(host.get(".../"))

    assert [row.number for row in rows if "data-after" in row.attributes] == [3, 4]
    assert [row.number for row in rows if "data-line" in row.attributes] == [2]


def test_rounds_after_the_line_decide_nothing():
    table = make_table(house=FREE_TO_20)
    fill(table, [(12, 0), (None, 0), (0, 19), (0, 5)])
    host = host_of(table)

    host.write(2, "A", 8)

    assert (state_of(host), host.sheet()["totals"]) == (("banked", "line", "A"), [20, 24])


def test_rounds_after_the_line_count_in_nobodys_result():
    table, _host = with_rows_after_the_line()

    assert match_of(table).result["totals"] == [20, 0]


def test_missing_cells_after_the_line_stay_blank():
    table = make_table()
    fill(table, [(12, 0), (0, None), (3, None)])
    host = host_of(table)

    host.write(2, "A", 8)

    assert host.entries() == [[12, 0], [8, 0], [3, None]]


# After the bank: players -------------------------------------------------------------------------


def test_a_player_writes_no_other_number_after_the_bank():
    table = make_table()
    fill(table, [(12, 0), (8, 0)])
    lena = seated(table, 0)

    answer = lena.write(2, "A", 12)

    assert (answer.status_code, code_of(answer)) == (409, "ended")
    assert lena.entries() == [[12, 0], [8, 0]]
