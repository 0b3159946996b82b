"""Before a deal is moved: what is asked, what is refused, and how a removed one comes back."""

import pytest

from games.models import Change, Entry, LateEntry, Round
from tests.games.four_deals import FOUR, MOVES, details_of, four_deals, sheet_as_stored
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
    watcher,
)

pytestmark = pytest.mark.django_db


# Banking ------------------------------------------------------------------------------------------


def test_a_removal_that_banks_is_asked_about_and_can_be_taken_back():
    """12 : 0, then a deal that is open in more than one way, then 8 : 0."""
    table = make_table()
    fill(table, [(12, 0), (None, 0), (8, 0)])
    host = host_of(table)
    rows = host.entries()
    before = stored(table)
    assert host.sheet()["status"] == "open"

    asked = host.move(2, "remove")
    assert (asked.status_code, stored(table)) == (422, before)
    assert "The line 20 is reached: the match would be banked." in details_of(asked)
    host.move(2, "remove", sure="1")
    assert (host.sheet()["status"], host.entries()) == ("banked", [[12, 0], [8, 0]])
    answer = host.post(".../reopen/")

    assert (answer.status_code, host.sheet()["status"], host.entries()) == (303, "open", rows)


def test_a_removal_below_the_line_opens_the_match_again_after_a_question():
    table = make_table()
    fill(table, [(12, 0), (0, 3), (8, None)])
    host = host_of(table)
    host.post("next/")
    assert cell_state(table, 3, "B") == (0, "implied")

    asked = host.move(1, "remove")
    assert "The line is no longer reached: the match would be open again." in details_of(asked)
    host.move(1, "remove", sure="1")

    assert (host.sheet()["status"], host.entries()) == ("open", [[0, 3], [8, None]])
    assert match_of(table).table.matches.count() == 1


def test_a_deal_put_in_below_the_line_opens_the_match_again():
    table = make_table()
    fill(table, [(12, 0), (8, 0)])
    host = host_of(table)

    asked = host.move(2, "insert")
    host.move(2, "insert", sure="1")

    assert details_of(asked) == ["The line is no longer reached: the match would be open again."]
    assert (host.sheet()["status"], sheet_as_stored(table).holding) == ("open", (2,))


def test_what_the_bank_wrote_is_taken_back_where_it_is_by_now():
    table = make_table()
    fill(table, [(0, 3), (12, 0), (8, 0)])
    host = host_of(table)
    assert host.move(1, "remove", sure="1").status_code == 303
    assert host.sheet()["status"] == "banked"

    host.post(".../reopen/")

    assert (host.sheet()["status"], host.entries()) == ("open", [[12, 0]])


def test_after_the_next_match_has_begun_the_result_is_what_the_rows_give():
    table = make_table()
    fill(table, [(12, 0), (8, 0)])
    host = host_of(table)
    host.post("next/")
    host.write(1, "A", 3, match=2)

    asked = host.move(2, "remove")
    host.move(2, "remove", sure="1")

    assert "The match would come out another way." in details_of(asked)
    match = match_of(table)
    assert (match.how, match.corrected, host.sheet()["status"]) == ("line", True, "ended-early")


# Refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "do", "code"),
    [
        (5, "remove", "not-open"),
        (5, "insert", "not-open"),
        (1, "up", "at-the-edge"),
        (4, "down", "at-the-edge"),
        (2, "back", "changed"),
        (2, "sideways", "malformed"),
    ],
)
def test_a_move_that_cannot_be_is_refused(number, do, code):
    table = four_deals()
    before = stored(table)

    answer = host_of(table).move(number, do, sure="1")

    assert (answer.status_code, code_of(answer)) == (422 if code == "malformed" else 409, code)
    assert stored(table) == before


@pytest.mark.parametrize("phone_at", [lambda table: seated(table, 0), watcher])
def test_only_the_host_moves_deals(phone_at):
    table = four_deals()
    phone = phone_at(table)
    before = stored(table)

    answers = [phone.move(2, "remove", sure="1"), phone.get(".../r/2/deal/")]

    assert [answer.status_code for answer in answers] == [403, 403]
    assert stored(table) == before


def test_an_older_page_moves_nothing_and_is_shown_what_stands():
    table = four_deals()
    host = host_of(table)
    base = match_of(table).version
    host.write(2, "B", 3)
    before = stored(table)

    answer = host.move(2, "remove", sure="1", base=base)

    assert (answer.status_code, code_of(answer)) == (409, "changed")
    assert stored(table) == before
    assert '<b class="tally">3</b>' in answer.content.decode()
    assert host.move(2, "remove", sure="1").status_code == 303


def test_the_same_attempt_moves_once():
    table = four_deals()
    host = host_of(table)
    op, base = new_op(), match_of(table).version

    answers = [host.move(2, "remove", sure="1", op=op, base=base) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [303, 303]
    assert host.entries() == MOVES["remove"][1]
    assert host.move(2, "insert", op=op, sure="1").status_code == 422


def test_there_is_no_deal_0_and_none_above_300():
    table = four_deals()

    found = [host_of(table).get(f".../r/{number}/deal/").status_code for number in (0, 5, 301, 4)]

    assert found == [404, 404, 404, 200]


def test_no_deal_is_put_into_a_full_sheet():
    table = make_table(house={"line": "none"})
    match = match_of(table)
    rounds = Round.objects.bulk_create(Round(match=match, number=n) for n in range(1, 301))
    Entry.objects.bulk_create(
        Entry(round=one, side=side, points=1) for one in rounds for side in match.sides.all()
    )
    host = host_of(table)
    before = stored(table)

    answer = host.move(2, "insert", sure="1")

    assert (answer.status_code, code_of(answer), stored(table)) == (409, "full", before)
    assert host.move(2, "remove", sure="1").status_code == 303
    assert host.move(2, "insert", sure="1").status_code == 303
    assert len(host.entries()) == 300


def test_a_deal_for_which_a_late_number_waits_is_not_removed_and_others_take_it_along():
    table = four_deals()
    lena = seated(table, 0)
    host = host_of(table)
    host.end()
    assert lena.write(4, "A", 2).status_code == 409
    before = stored(table)

    refused = host.move(4, "remove", sure="1")
    assert (refused.status_code, code_of(refused), stored(table)) == (409, "late-waits", before)
    host.move(2, "remove", sure="1")

    late = LateEntry.objects.get()
    assert late.round_number == 3
    host.write(3, "B", "")
    assert host.post(f"late/{late.pk}/", do="take").status_code == 303
    assert host.entries() == [[3, 0], [1, 0], [2, None]]


# Coming back --------------------------------------------------------------------------------------


def test_a_removed_deal_comes_back_with_numbers_and_hand():
    table = make_table()
    host = host_of(table)
    fill(table, [(3, 0)])
    hand = {"do": "write", "round": 2, "points_a": 95, "base": 0, "op": new_op()}
    host.post(".../settle/", hand)
    host.write_row(3, {"A": 1, "B": 0})
    before = host.entries()
    told = Round.objects.get(number=2).hand
    host.move(2, "remove", sure="1")

    answer = host.move(2, "back", sure="1")

    assert (answer.status_code, host.entries()) == (303, before)
    assert Round.objects.get(number=2).hand == told
    assert Change.objects.filter(why="undo", round_number=2).count() == 2


def test_a_deal_that_was_removed_before_another_move_does_not_come_back():
    table = four_deals()
    host = host_of(table)
    host.move(2, "remove", sure="1")
    host.move(1, "down", sure="1")
    before = stored(table)

    answer = host.move(2, "back", sure="1")

    assert (answer.status_code, stored(table)) == (409, before)


def test_the_last_deal_comes_back_at_the_end():
    table = four_deals()
    host = host_of(table)
    host.move(4, "remove", sure="1")

    host.move(4, "back", sure="1")

    assert host.entries() == [list(row) for row in FOUR]
