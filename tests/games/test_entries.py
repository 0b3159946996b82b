"""One number on its way into a cell: the door, the fields, the attempt, the text."""

import pytest

from tests.games.helpers import (
    code_of,
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


# The door ----------------------------------------------------------------------------------------


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
