"""One attempt to write a number: sent again, already there, not open yet."""

import pytest

from games.models import Entry, LateEntry
from tests.games.helpers import (
    cell_state,
    code_of,
    entry,
    fill,
    host_of,
    make_table,
    new_op,
    seated,
    stored,
)

pytestmark = pytest.mark.django_db


# The same attempt again --------------------------------------------------------------------------


def test_the_same_attempt_again_changes_nothing_and_shows_the_cell_as_it_stands_now():
    table = make_table()
    lena, felix, op = seated(table, 0), seated(table, 2), new_op()
    lena.write(1, "A", 3, op=op, base=0)
    felix.write(1, "A", 2)
    before = stored(table)

    answer = lena.write(1, "A", 3, op=op, base=0)

    assert (answer.status_code, lena.entries()) == (303, [[2, None]])
    assert stored(table) == before


def test_the_same_attempt_again_is_the_same_with_white_space():
    table = make_table()
    lena, op = seated(table, 0), new_op()
    lena.write(1, "A", "3", op=op, base=0)

    assert lena.write(1, "A", " 3 ", op=op.upper(), base=0).status_code == 303


@pytest.mark.parametrize(
    ("number", "column", "value"),
    [(1, "A", 2), (1, "A", ""), (2, "A", 3), (1, "B", 3)],
    ids=["other value", "a clear", "other round", "other column"],
)
def test_an_attempt_with_another_cell_or_value_is_refused(number, column, value):
    table = make_table()
    host, op = host_of(table), new_op()
    host.write(1, "A", 3, op=op)
    before = stored(table)

    answer = host.write(number, column, value, op=op)

    assert (answer.status_code, code_of(answer)) == (422, "op-reused")
    assert answer.context["op"] != op
    assert stored(table) == before


def test_an_attempt_is_known_at_its_own_table_alone():
    first, second, op = make_table(), make_table(), new_op()
    host_of(first).write(1, "A", 3, op=op)

    answer = host_of(second).write(1, "A", 2, op=op)

    assert (answer.status_code, host_of(second).entries()) == (303, [[2, None]])


def test_a_refused_attempt_is_not_stored_so_it_can_be_used_again():
    table = make_table()
    host, op = host_of(table), new_op()
    host.write(1, "A", 5, op=op)

    answer = host.write(1, "A", 3, op=op)

    assert (answer.status_code, host.entries()) == (303, [[3, None]])


# The cell holds this value already ---------------------------------------------------------------


def test_the_value_that_stands_is_taken_whatever_the_base():
    table = make_table()
    lena, felix = seated(table, 0), seated(table, 2)
    lena.write(1, "A", 3)
    version = entry(table, 1, "A").version

    answer = felix.write(1, "A", 3, base=0)

    assert (answer.status_code, entry(table, 1, "A").version) == (303, version)


def test_the_value_that_stands_is_taken_after_the_end_too_and_its_attempt_is_stored():
    table = make_table()
    fill(table, [(3, 0)])
    host_of(table).end()
    lena, op = seated(table, 0), new_op()

    first = lena.write(1, "A", 3, op=op, base=0)
    second = lena.write(1, "A", 2, op=op, base=0)

    assert (first.status_code, second.status_code, code_of(second)) == (303, 422, "op-reused")
    assert LateEntry.objects.count() == 0


def test_clearing_a_cell_that_is_blank_changes_nothing():
    table = make_table()
    before = stored(table)

    answer = host_of(table).write(1, "A", "")

    after = stored(table)
    assert answer.status_code == 303
    assert after | {"ops": 0} == before


def test_an_implied_cell_becomes_written_when_somebody_enters_it():
    table = make_table()
    fill(table, [(12, 0), (8, None)])
    kofi = seated(table, 1)
    assert cell_state(table, 2, "B") == (0, "implied")

    answer = kofi.write(2, "B", 0, base=0)

    assert answer.status_code == 303
    assert cell_state(table, 2, "B") == (0, "written")
    assert kofi.sheet()["status"] == "banked"


# Open and not open -------------------------------------------------------------------------------


def test_the_next_round_opens_as_soon_as_the_last_one_has_any_entry():
    table = make_table()
    host = host_of(table)
    host.write(1, "A", 3)

    answer = host.write(2, "B", 1)

    assert (answer.status_code, host.entries()) == (303, [[3, None], [None, 1]])


def test_the_round_after_the_next_is_not_open():
    table = make_table()
    host = host_of(table)
    host.write(1, "A", 3)
    before = stored(table)

    answer = host.write(3, "B", 1)

    assert (answer.status_code, code_of(answer)) == (409, "not-open")
    assert stored(table) == before


def test_several_rows_may_stand_open():
    table = make_table()
    host = host_of(table)

    for number in (1, 2, 3):
        host.write(number, "B", 0)

    assert host.entries() == [[None, 0], [None, 0], [None, 0]]


def test_clearing_writes_blank_and_keeps_the_row():
    table = make_table()
    fill(table, [(3, 0), (0, 1)])
    host = host_of(table)

    host.write(2, "A", "")
    host.write(2, "B", "")

    assert host.entries() == [[3, 0]]
    assert Entry.objects.count() == 4
