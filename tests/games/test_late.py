"""Numbers that arrive after the end: kept, offered to the host, never applied by themselves."""

import re

import pytest

from games.models import Change, LateEntry
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


def ended(*rows):
    """A match that was ended by tap, with Lena's phone."""
    table = make_table()
    fill(table, list(rows or [(3, None)]))
    host_of(table).end()
    return table, seated(table, 0)


def kept():
    return list(
        LateEntry.objects.order_by("pk").values_list("round_number", "column", "value", "decision")
    )


def decide(table, do, late=None):
    late = late or LateEntry.objects.get()
    return host_of(table).post(f"late/{late.pk}/", do=do)


# Kept -------------------------------------------------------------------------------------------


def test_a_number_that_arrives_after_the_end_is_refused_and_kept():
    _table, lena = ended()

    answer = lena.write(2, "A", 1)

    assert (answer.status_code, code_of(answer)) == (409, "ended")
    assert (kept(), lena.entries()) == ([(2, "A", 1, "open")], [[3, None]])
    assert LateEntry.objects.get().who == "Lena"


@pytest.mark.parametrize("number", [1, 2, 9, 300])
def test_it_is_kept_whatever_its_round(number):
    _table, lena = ended()

    lena.write(number, "A", 2)

    assert kept() == [(number, "A", 2, "open")]


def test_it_is_kept_once_per_attempt():
    _table, lena = ended()
    op = new_op()

    answers = [lena.write(2, "A", 1, op=op) for _ in range(2)]

    assert [a.status_code for a in answers] == [409, 409]
    assert kept() == [(2, "A", 1, "open")]


def test_two_attempts_are_kept_as_two():
    _table, lena = ended()

    lena.write(2, "A", 1)
    lena.write(2, "A", 2)

    assert kept() == [(2, "A", 1, "open"), (2, "A", 2, "open")]


def test_a_clear_that_arrives_after_the_end_is_refused_and_not_kept():
    table, lena = ended()
    before = stored(table)

    answer = lena.write(1, "A", "")

    assert (answer.status_code, code_of(answer), stored(table)) == (409, "ended", before)


def test_what_is_no_number_is_not_kept():
    _table, lena = ended()

    assert (lena.write(2, "A", "x").status_code, kept()) == (422, [])


def test_a_number_of_a_phone_that_may_not_write_the_column_is_not_kept():
    _table, lena = ended()

    assert (lena.write(2, "B", 1).status_code, kept()) == (403, [])


def test_a_kept_number_is_news_for_every_phone():
    table, lena = ended()
    since = lena.sheet()["version"]

    lena.write(2, "A", 1)

    assert host_of(table).get(".../changes/", since=since).status_code == 200


def test_the_host_is_shown_what_was_kept_and_nobody_else():
    table, lena = ended()
    lena.write(2, "A", 1)
    address = f"/late/{LateEntry.objects.get().pk}/"

    pages = [phone.get(".../").content.decode() for phone in (host_of(table), lena)]

    assert [address in page for page in pages] == [True, False]


# Taken ------------------------------------------------------------------------------------------


def test_the_host_takes_a_late_number_into_the_sheet():
    table, lena = ended()
    lena.write(2, "A", 1)

    answer = decide(table, "take")

    assert (answer.status_code, lena.entries()) == (303, [[3, None], [1, None]])
    assert kept() == [(2, "A", 1, "taken")]
    assert (Change.objects.latest("pk").why, cell_state(table, 2, "A")) == ("late", (1, "written"))


def test_a_late_number_is_taken_over_the_one_that_stands():
    table, lena = ended()
    lena.write(1, "A", 2, base=0)

    decide(table, "take")

    assert lena.entries() == [[2, None]]


def test_a_late_number_that_does_not_fit_stays_offered():
    table, _lena = ended((3, None))
    seated(table, 1).write(1, "B", 1)
    before = stored(table)

    answer = decide(table, "take")

    assert (answer.status_code, code_of(answer)) == (422, "both-score")
    assert stored(table) == before


def test_a_late_number_that_is_doubtful_stays_offered():
    table = make_table()
    fill(table, [(None, 0)])
    host_of(table).end()
    seated(table, 0).write(1, "A", 8)

    answer = decide(table, "take")

    assert (answer.status_code, code_of(answer), kept()[0][3]) == (422, "solo-in-round-1", "open")


def test_a_doubtful_late_number_is_entered_when_the_host_says_yes():
    table = make_table()
    fill(table, [(None, 0)])
    host, op = host_of(table), new_op()
    host.end()
    seated(table, 0).write(1, "A", 8, op=op)

    asked = decide(table, "take").content.decode()
    form = asked[asked.index('data-code="solo-in-round-1"') :].split("</form>", 1)[0]
    fields = dict(re.findall(r'name="(op|base|sure|value)" value="([^"]*)"', form))
    answer = host.post(".../r/1/A/", fields)

    assert (fields["op"], fields["value"], fields["sure"]) == (op, "8", "1")
    assert (answer.status_code, kept(), host.entries()) == (303, [(1, "A", 8, "written")], [[8, 0]])


def test_taking_twice_writes_once():
    table, lena = ended()
    lena.write(2, "A", 1)
    decide(table, "take")
    before = stored(table)

    assert (decide(table, "take").status_code, stored(table)) == (303, before)


def test_the_phone_that_sends_a_taken_number_again_is_answered_as_written():
    table, lena = ended()
    op = new_op()
    lena.write(2, "A", 1, op=op)
    decide(table, "take")

    answer = lena.write(2, "A", 1, op=op)

    assert (answer.status_code, kept()) == (303, [(2, "A", 1, "taken")])


def test_a_late_number_beyond_the_next_round_stays_offered():
    table, lena = ended()
    lena.write(3, "A", 1)

    answer = decide(table, "take")

    assert (answer.status_code, code_of(answer), kept()[0][3]) == (409, "ended", "open")


def test_a_late_number_can_be_taken_once_the_match_is_open_again():
    table, lena = ended()
    lena.write(2, "A", 1)
    host_of(table).post(".../reopen/")

    answer = decide(table, "take")

    assert (answer.status_code, lena.entries()) == (303, [[3, None], [1, None]])


def test_a_late_number_may_bring_a_match_that_was_ended_by_tap_over_the_line():
    table = make_table()
    fill(table, [(12, 0), (3, 0)])
    host_of(table).end()
    seated(table, 0).write(3, "A", 8)

    decide(table, "take")

    sheet = host_of(table).sheet()
    assert (sheet["status"], sheet["how"], sheet["winner"]) == ("banked", "tap", "A")


# Dropped ----------------------------------------------------------------------------------------


def test_the_host_drops_a_late_number():
    table, lena = ended()
    lena.write(2, "A", 1)

    answer = decide(table, "drop")

    assert (answer.status_code, kept(), lena.entries()) == (
        303,
        [(2, "A", 1, "dropped")],
        [[3, None]],
    )


def test_a_dropped_number_is_not_offered_again_by_the_same_attempt():
    table, lena = ended()
    op = new_op()
    lena.write(2, "A", 1, op=op)
    decide(table, "drop")

    lena.write(2, "A", 1, op=op)

    assert kept() == [(2, "A", 1, "dropped")]


def test_after_a_line_a_round_beyond_it_can_only_be_dropped():
    table = make_table()
    fill(table, [(12, 0), (8, 0)])
    seated(table, 0).write(3, "A", 1)
    before = stored(table)

    taken = decide(table, "take")
    unchanged = stored(table)
    dropped = decide(table, "drop")

    assert (taken.status_code, code_of(taken), unchanged) == (409, "ended", before)
    assert (dropped.status_code, kept()[0][3]) == (303, "dropped")


@pytest.mark.parametrize(("number", "status"), [(2, 303), (3, 409)], ids=["the line", "beyond"])
def test_beyond_the_line_counts_rounds_that_exist_too(number, status):
    table = make_table()
    fill(table, [(12, 0), (0, None), (None, 1)])
    host_of(table).write(2, "A", 8)
    assert match_of(table).how == "line"
    late = 12 if number == 2 else 0
    seated(table, 0).write(number, "A", late)

    assert decide(table, "take").status_code == status


# Written after all ------------------------------------------------------------------------------


def test_writing_that_attempt_later_closes_it():
    table, lena = ended()
    op = new_op()
    lena.write(2, "A", 1, op=op)
    host_of(table).post(".../reopen/")

    answer = lena.write(2, "A", 1, op=op)

    assert (answer.status_code, kept()) == (303, [(2, "A", 1, "written")])


def test_the_host_may_write_that_attempt_by_hand_and_closes_it_too():
    table = make_table()
    fill(table, [(None, 0)])
    host = host_of(table)
    host.end()
    op = new_op()
    seated(table, 0).write(1, "A", 8, op=op)

    answer = host.write(1, "A", 8, op=op, sure="1")

    assert (answer.status_code, kept()) == (303, [(1, "A", 8, "written")])


# Who decides ------------------------------------------------------------------------------------


def test_a_player_decides_nothing():
    table, lena = ended()
    lena.write(2, "A", 1)
    before = stored(table)

    answer = lena.post(f"late/{LateEntry.objects.get().pk}/", do="take")

    assert (answer.status_code, stored(table)) == (403, before)


def test_another_tables_late_number_is_not_found():
    _table, lena = ended()
    lena.write(2, "A", 1)
    other = make_table()

    assert decide(other, "take").status_code == 404
    assert kept() == [(2, "A", 1, "open")]


@pytest.mark.parametrize("do", ["", "keep", "TAKE"])
def test_a_decision_that_is_none_is_refused(do):
    table, lena = ended()
    lena.write(2, "A", 1)
    before = stored(table)

    assert (decide(table, do).status_code, stored(table)) == (422, before)


def test_a_late_number_that_never_was_is_not_found():
    table, _lena = ended()

    assert host_of(table).post("late/99999999999999999999999/", do="take").status_code == 404
