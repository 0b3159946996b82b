"""One number on its way into a cell: the door, the fields, the attempt, the text."""

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
    stranger,
    watcher,
)

pytestmark = pytest.mark.django_db


def typed_in(answer):
    """The text that stands in the box of the page."""
    return answer.context["typed"]


# The door ---------------------------------------------------------------------------------------


def test_a_player_writes_in_the_column_of_the_own_side():
    table = make_table()
    lena = seated(table, 0)

    answer = lena.write(1, "A", 3)

    assert (answer.status_code, lena.entries()) == (303, [[3, None]])


def test_a_player_writes_not_in_the_column_of_the_other_side():
    table = make_table()
    lena = seated(table, 0)
    before = stored(table)

    answer = lena.write(1, "B", 3)

    assert (answer.status_code, stored(table)) == (403, before)


def test_the_partner_writes_in_the_same_column():
    table = make_table()
    felix = seated(table, 2)

    answer = felix.write(1, "A", 3)

    assert (answer.status_code, felix.entries()) == (303, [[3, None]])


def test_a_host_without_a_seat_writes_in_any_column():
    table = make_table()
    host = host_of(table)

    answers = [host.write(1, "A", 3).status_code, host.write(1, "B", 0).status_code]

    assert (answers, host.entries()) == ([303, 303], [[3, 0]])


@pytest.mark.parametrize("phone", [watcher, stranger], ids=["watcher", "stranger"])
def test_who_has_no_seat_writes_nowhere(phone):
    table = make_table()
    looking = phone(table)
    before = stored(table)

    answer = looking.write(1, "A", 3)

    assert (answer.status_code, stored(table)) == (403, before)


def test_a_player_of_schafkopf_writes_in_the_own_column_alone():
    table = make_table("schafkopf")
    kofi = seated(table, 1)

    answers = [kofi.write(1, column, 14).status_code for column in "0123"]

    assert (answers, kofi.entries()) == ([403, 303, 403, 403], [[None, 14, None, None]])


@pytest.mark.parametrize(
    "path",
    [
        ".../r/0/A/",
        ".../r/301/A/",
        ".../r/99999999999999999999999/A/",
        ".../r/-1/A/",
        ".../r/1/C/",
        ".../r/1/0/",
        ".../r/1/a/",
        ".../r/0/",
        ".../r/301/",
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_an_address_that_is_no_cell_is_not_found(path, method):
    table = make_table()
    host = host_of(table)
    before = stored(table)
    fields = {"value": "3", "value_A": "3", "op": new_op(), "base": "0"}

    answer = host.post(path, fields) if method == "post" else host.get(path)

    wanted = 405 if method == "get" and path.count("/") == 3 else 404
    assert (answer.status_code, stored(table)) == (wanted, before)


@pytest.mark.parametrize("number", [2, 99999999999999999999999], ids=["next", "huge"])
def test_a_match_that_was_never_played_is_not_found(number):
    table = make_table()
    host = host_of(table)

    assert host.write(1, "A", 3, match=number).status_code == 404


def test_a_table_that_never_was_is_not_found():
    table = make_table()
    host = host_of(table)
    table.key = "never"

    assert host.write(1, "A", 3, base=0).status_code == 404


def test_round_300_is_the_last_address_of_a_cell():
    table = make_table()
    host = host_of(table)

    answer = host.write(300, "A", 3)

    assert (answer.status_code, code_of(answer)) == (409, "not-open")


def test_a_cell_is_shown_up_to_one_deal_after_the_last():
    table = make_table()
    fill(table, [(3, 0)])

    answers = [stranger(table).get(f".../r/{n}/A/").status_code for n in (1, 2, 3)]

    assert answers == [200, 200, 404]


# A match that was taken away ---------------------------------------------------------------------


def taken_away():
    """A table whose match 2 was removed, as the end of match 1 was taken back."""
    table = make_table()
    host = host_of(table)
    fill(table, [(3, 0)])
    host.end()
    host.post("next/")
    host.post(".../reopen/")
    return table


def test_a_number_for_a_match_that_was_removed_is_refused_as_gone():
    table = taken_away()
    before = stored(table)

    answer = host_of(table).write(1, "A", 3, match=2, base=0)

    assert (answer.status_code, stored(table)) == (409, before)
    assert 'data-code="gone"' in answer.content.decode()


def test_a_stranger_writes_not_in_a_match_that_was_removed():
    table = taken_away()

    assert stranger(table).write(1, "A", 3, match=2, base=0).status_code == 403


def test_a_page_of_a_match_that_was_removed_names_the_current_one():
    table = taken_away()

    answers = [host_of(table).get(p, match=2) for p in (".../", ".../r/1/A/", ".../changes/")]

    assert [a.status_code for a in answers] == [200, 200, 200]
    assert all('data-current="1"' in a.content.decode() for a in answers)


# The fields --------------------------------------------------------------------------------------


def post_without(phone, name, **instead):
    fields = {"value": "", "op": new_op(), "base": "99"} | instead
    return phone.post(".../r/1/A/", {n: v for n, v in fields.items() if n != name})


def test_an_empty_value_clears():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)

    answer = post_without(host, "nothing")

    assert (answer.status_code, host.entries()) == (303, [[None, 0]])


@pytest.mark.parametrize("name", ["value", "op", "base"])
def test_a_missing_field_is_refused_and_never_clears(name):
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    before = stored(table)

    answer = post_without(host, name)

    assert (answer.status_code, stored(table)) == (422, before)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("op", ""),
        ("op", "7"),
        ("op", "not-a-uuid-not-a-uuid-not-a-uuid-xxx"),
        ("base", ""),
        ("base", "-1"),
        ("base", "1.5"),
        ("base", "٣"),
        ("base", "9" * 400),
        ("sure", "yes"),
    ],
)
def test_a_malformed_field_is_refused(name, text):
    table = make_table()
    fill(table, [(3, 0)])
    before = stored(table)

    answer = post_without(host_of(table), "nothing", **{name: text})

    assert (answer.status_code, stored(table)) == (422, before)


# Whole numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["7", " 7 ", "\t7\n", "0", "10", "9999"])
def test_a_whole_number_is_taken_whatever_white_space_is_around(text):
    table = make_table(house={"free_numbers": True, "line": "none"})
    host = host_of(table)

    answer = host.write(1, "A", text)

    assert (answer.status_code, host.entries()) == (303, [[int(text), None]])


@pytest.mark.parametrize(
    "text",
    ["1,5", "1.5", "1e3", "-2", "+2", "007", "00", "٣", "³", "３", "3 Punkte", "10000", "1 0", "x",
     "0x3", "3\x00", "--", "NaN", "<b>3</b>", "9" * 9999],
)  # fmt: skip
def test_anything_else_is_refused_and_the_text_stays_in_the_box(text):
    table = make_table(house={"free_numbers": True, "line": "none"})
    host = host_of(table)
    before = stored(table)

    answer = host.write(1, "A", text)

    assert (answer.status_code, code_of(answer)) == (422, "not-whole")
    assert typed_in(answer) == text
    assert stored(table) == before


def test_the_refused_text_is_in_the_page_that_comes_back():
    table = make_table()

    answer = host_of(table).write(1, "A", "3 Punkte")

    assert 'value="3 Punkte"' in answer.content.decode()


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
