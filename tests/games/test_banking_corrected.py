"""After the bank: the host corrects, and anybody may take the bank back for a while."""

from datetime import timedelta

import pytest

from games.models import Change, Match
from tests.games.helpers import (
    cell_state,
    code_of,
    fill,
    host_of,
    make_table,
    match_of,
    rows_on,
    seated,
    set_back_end,
    stored,
    watcher,
)

pytestmark = pytest.mark.django_db


def state_of(phone, match=1):
    sheet = phone.sheet(match)
    return sheet["status"], sheet["how"], sheet["winner"]


def banked(last=(8, 0)):
    """12 : 3 after two rounds, 20 : 3 after the third."""
    table = make_table()
    fill(table, [(12, 0), (0, 3), last])
    assert match_of(table).how == "line"
    return table


def current(table):
    return list(Match.objects.filter(table=table).order_by("number").values_list("number", "how"))


# Taking the bank back ----------------------------------------------------------------------------


def test_taking_the_bank_back_takes_back_the_number_that_banked():
    table = make_table()
    fill(table, [(12, 0), (0, 3)])
    lena = seated(table, 0)
    lena.write(3, "A", 8)
    assert lena.entries() == [[12, 0], [0, 3], [8, 0]]

    answer = lena.post(".../reopen/")

    assert answer.status_code == 303
    assert (state_of(lena), lena.entries()) == (("open", None, None), [[12, 0], [0, 3]])
    assert cell_state(table, 3, "B") == (None, "open")


def test_taking_the_bank_back_takes_back_a_whole_row():
    table = banked()
    host = host_of(table)

    host.post(".../reopen/")

    assert (state_of(host)[0], host.entries()) == ("open", [[12, 0], [0, 3]])


def test_taking_the_bank_back_gives_a_correction_its_number_before():
    table = make_table()
    fill(table, [(12, 0), (0, 3), (3, 0)])
    host = host_of(table)
    host.write(3, "A", 8)
    assert state_of(host)[0] == "banked"

    host.post(".../reopen/")

    assert (state_of(host)[0], host.entries()) == ("open", [[12, 0], [0, 3], [3, 0]])


def test_taking_the_bank_back_leaves_the_cell_beside_the_number_that_banked():
    table = make_table()
    fill(table, [(12, 0), (0, 3), (None, 0)])
    host = host_of(table)
    host.write(3, "A", 8)

    host.post(".../reopen/")

    assert host.entries() == [[12, 0], [0, 3], [None, 0]]


def test_taking_the_bank_back_blanks_every_implied_cell():
    table = make_table()
    fill(table, [(12, None), (None, 3), (8, None)])
    host = host_of(table)

    host.post(".../reopen/")

    assert host.entries() == [[12, None], [None, 3]]


def test_taking_the_bank_back_gives_the_house_rules_before():
    table = make_table(house={"line": 30})
    fill(table, [(12, 0), (8, 0)])
    host = host_of(table)
    host.post("house/", line="20", sure="1")
    assert (state_of(host)[0], host.sheet()["line"]) == ("banked", 20)

    host.post(".../reopen/")

    table.refresh_from_db()
    assert (state_of(host)[0], host.sheet()["line"], table.house["line"]) == ("open", 30, 30)
    assert host.entries() == [[12, 0], [8, 0]]


def test_what_was_taken_back_stands_in_the_history():
    table = banked()
    host_of(table).post(".../reopen/")

    last = Change.objects.filter(round_number=3, column="A").latest("pk")

    assert (last.before, last.after, last.why) == (8, None, "undo")


def test_play_goes_on_after_taking_the_bank_back():
    table = banked()
    host = host_of(table)
    host.post(".../reopen/")

    host.write(3, "A", 3)

    assert (state_of(host)[0], host.write(4, "A", 1).status_code) == ("open", 303)


def test_the_bank_is_not_taken_back_when_a_later_correction_still_reaches_the_line():
    table = banked()
    host = host_of(table)
    host.write_row(2, {"A": 8, "B": 0})
    before = stored(table)

    answer = host.post(".../reopen/")

    assert (answer.status_code, code_of(answer)) == (409, "still-over")
    assert stored(table) == before


def test_the_bank_is_taken_back_when_a_later_correction_stays_below_the_line():
    table = banked()
    host = host_of(table)
    host.write_row(2, {"A": 3, "B": 0})

    answer = host.post(".../reopen/")

    assert (answer.status_code, host.entries()) == (303, [[12, 0], [3, 0]])


def test_on_an_open_match_nothing_is_taken_back():
    table = make_table()
    fill(table, [(12, 0)])
    before = stored(table)

    answer = host_of(table).post(".../reopen/")

    assert (answer.status_code, stored(table)) == (303, before)


# Who may, and until when -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "status"), [(115, 303), (125, 409)], ids=["within two minutes", "later"]
)
def test_a_player_may_take_the_bank_back_within_two_minutes(seconds, status):
    table = banked()
    kofi = seated(table, 1)
    set_back_end(table, timedelta(seconds=seconds))
    before = stored(table)

    answer = kofi.post(".../reopen/")

    assert answer.status_code == status
    assert code_of(answer) == ("too-late" if status == 409 else "")
    assert (stored(table) == before) is (status == 409)


def test_the_host_may_take_the_bank_back_at_any_time():
    table = banked()
    set_back_end(table, timedelta(days=2))

    assert host_of(table).post(".../reopen/").status_code == 303
    assert match_of(table).is_open is True


def test_a_watcher_takes_nothing_back():
    table = banked()
    before = stored(table)

    assert watcher(table).post(".../reopen/").status_code == 403
    assert stored(table) == before


@pytest.mark.parametrize(("older", "status"), [(0, 303), (1, 409)], ids=["as shown", "older"])
def test_the_match_that_is_taken_back_has_to_be_the_one_that_was_shown(older, status):
    table = banked()
    before = stored(table)

    answer = host_of(table).post(".../reopen/", base=match_of(table).version - older)

    assert answer.status_code == status
    assert (stored(table) == before) is (status == 409)


# The next match ----------------------------------------------------------------------------------


def test_taking_the_bank_back_removes_the_next_match_that_has_not_begun():
    table = banked()
    host = host_of(table)
    host.post("next/")
    assert current(table) == [(1, "line"), (2, "")]

    answer = host.post(".../reopen/")

    assert (answer.status_code, current(table)) == (303, [(1, "")])


@pytest.mark.parametrize("how", ["an entry", "a thrown-in hand"])
def test_the_bank_is_not_taken_back_once_the_next_match_has_begun(how):
    table = banked()
    host = host_of(table)
    host.post("next/")
    if how == "an entry":
        host.write(1, "B", 0, match=2)
    else:
        op = "00000000-0000-4000-8000-000000000000"
        host.post(".../thrown-in/", match=2, before=1, seen=0, op=op)
    before = stored(table)

    answer = host.post(".../reopen/")

    assert (answer.status_code, code_of(answer)) == (409, "next-begun")
    assert stored(table) == before


def test_a_next_match_whose_only_entry_was_cleared_has_not_begun():
    table = banked()
    host = host_of(table)
    host.post("next/")
    host.write(1, "B", 0, match=2)
    host.write(1, "B", "", match=2)

    assert (host.post(".../reopen/").status_code, current(table)) == (303, [(1, "")])


def test_the_sheet_of_a_match_that_has_not_begun_offers_to_take_back_the_end_before():
    table = banked()
    host = host_of(table)
    host.post("next/")
    before = host.get(".../", match=2).content.decode()
    host.write(1, "B", 0, match=2)
    after = host.get(".../", match=2).content.decode()

    offers = host.url(".../reopen/", match=1)

    assert (offers in before, offers in after) == (True, False)


# The host corrects -------------------------------------------------------------------------------


def test_a_correction_that_leaves_the_match_over_the_line_is_marked():
    table = banked()
    host = host_of(table)

    host.write(3, "A", 12)

    assert (state_of(host), host.sheet()["totals"]) == (("banked", "line", "A"), [24, 3])
    assert (match_of(table).corrected, match_of(table).result["totals"]) == (True, [24, 3])


def test_a_correction_may_give_the_match_another_winner():
    table = make_table(house={"free_numbers": True, "line": 20})
    fill(table, [(12, 3), (8, 3)])
    host = host_of(table)

    host.write(2, "B", 18)

    assert state_of(host) == ("banked", "line", "B")
    assert match_of(table).result["winners"] == ["B"]


def test_a_correction_below_the_line_opens_the_match_again():
    table = banked()
    host = host_of(table)

    host.write(3, "A", 3)

    assert (state_of(host), host.entries()[2]) == (("open", None, None), [3, 0])
    assert (match_of(table).corrected, match_of(table).ended_by) == (False, "")


def test_a_correction_that_opens_a_deciding_row_opens_the_match_again():
    table = banked()
    host = host_of(table)

    host.write(2, "B", "")

    assert (state_of(host)[0], host.entries()) == ("open", [[12, 0], [0, None], [8, 0]])


def test_a_correction_below_the_line_removes_the_next_match_that_has_not_begun():
    table = banked()
    host = host_of(table)
    host.post("next/")

    host.write(3, "A", 3)

    assert current(table) == [(1, "")]


def test_a_correction_below_the_line_leaves_the_end_once_the_next_match_has_begun():
    table = banked()
    host = host_of(table)
    host.post("next/")
    host.write(1, "B", 0, match=2)

    host.write(3, "A", 3)

    assert current(table) == [(1, "line"), (2, "")]
    assert state_of(host) == ("ended-early", "line", None)
    assert (match_of(table).corrected, match_of(table).result["winners"]) == (True, [])


def test_a_correction_that_reaches_the_line_earlier_draws_it_there():
    table = banked()
    host = host_of(table)

    host.write_row(2, {"A": 8, "B": 0})

    rows = rows_on(host.get(".../"))
    assert [row.number for row in rows if "data-line" in row.attributes] == [2]
    assert match_of(table).result["totals"] == [20, 0]


def test_a_correction_of_a_row_after_the_line_changes_no_winner():
    table = make_table()
    fill(table, [(12, 0), (0, None), (3, 0), (0, 1)])
    host = host_of(table)
    host.write(2, "A", 8)

    host.write(4, "B", 3)

    assert (state_of(host), host.sheet()["totals"]) == (("banked", "line", "A"), [23, 3])


def test_a_correction_after_the_bank_has_to_be_lawful_too():
    table = banked()
    before = stored(table)

    answer = host_of(table).write(3, "A", 9)

    assert (answer.status_code, code_of(answer), stored(table)) == (422, "value", before)


def test_the_host_writes_no_round_beyond_the_line():
    table = banked()

    answer = host_of(table).write(4, "A", 1)

    assert (answer.status_code, code_of(answer)) == (409, "ended")
    assert host_of(table).entries() == [[12, 0], [0, 3], [8, 0]]


def test_the_host_corrects_a_whole_row_after_the_bank():
    table = banked()
    host = host_of(table)

    host.write_row(3, {"A": 0, "B": 12})

    assert (state_of(host)[0], host.entries()[2]) == ("open", [0, 12])


def test_a_match_that_a_correction_opened_is_banked_again_by_the_next_number():
    table = banked()
    host = host_of(table)
    host.write(3, "A", 3)

    host.write(4, "A", 8)

    assert state_of(host) == ("banked", "line", "A")
