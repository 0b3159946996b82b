"""A number that meets another one: old bases, and the whole row."""

import pytest

from tests.games.helpers import (
    cell_state,
    cell_version,
    code_of,
    entry,
    fill,
    host_of,
    make_table,
    new_op,
    row_version,
    seated,
    stored,
)

pytestmark = pytest.mark.django_db


def conflicts_of(answer):
    """What the page says stands against whose number."""
    return [(c.column, c.mine, c.value, c.who) for c in answer.context["refusal"].conflicts]


# The base of one cell ----------------------------------------------------------------------------


def test_a_base_that_is_up_to_date_is_written():
    table = make_table()
    lena, felix = seated(table, 0), seated(table, 2)
    felix.write(1, "A", 3)

    answer = lena.write(1, "A", 2, base=cell_version(table, 1, "A"))

    assert (answer.status_code, lena.entries()) == (303, [[2, None]])


def test_an_old_base_is_refused_with_the_value_that_stands_and_who_wrote_it_when():
    table = make_table()
    lena, felix = seated(table, 0), seated(table, 2)
    felix.write(1, "A", 3)
    before = stored(table)

    answer = lena.write(1, "A", 2, base=0)

    assert (answer.status_code, code_of(answer)) == (409, "changed")
    assert conflicts_of(answer) == [("A", 2, 3, "Felix")]
    assert answer.context["refusal"].conflicts[0].at == entry(table, 1, "A").written_at
    assert stored(table) == before


def test_the_person_can_choose_the_own_number_after_a_conflict():
    table = make_table()
    lena, felix = seated(table, 0), seated(table, 2)
    felix.write(1, "A", 3)
    version = lena.write(1, "A", 2, base=0).context["refusal"].version

    answer = lena.write(1, "A", 2, base=version)

    assert (answer.status_code, lena.entries()) == (303, [[2, None]])


def test_an_old_base_is_written_when_this_same_phone_alone_wrote_since():
    table = make_table()
    lena = seated(table, 0)
    lena.write(1, "A", 3, base=0)
    lena.write(1, "A", 1, base=0)

    answer = lena.write(1, "A", 2, base=0)

    assert (answer.status_code, lena.entries()) == (303, [[2, None]])


def test_an_old_base_is_refused_when_another_phone_wrote_in_between():
    table = make_table()
    lena, felix = seated(table, 0), seated(table, 2)
    lena.write(1, "A", 3, base=0)
    felix.write(1, "A", 1)
    lena.write(1, "A", 3)

    answer = lena.write(1, "A", 2, base=0)

    assert (answer.status_code, lena.entries()) == (409, [[3, None]])


def test_two_phones_of_one_seat_are_two_phones():
    table = make_table()
    phone, tablet = seated(table, 0), seated(table, 0, "tablet")
    phone.write(1, "A", 3)

    answer = tablet.write(1, "A", 2, base=0)

    assert (answer.status_code, code_of(answer)) == (409, "changed")


def test_clearing_with_an_old_base_is_refused_too():
    table = make_table()
    lena, felix = seated(table, 0), seated(table, 2)
    felix.write(1, "A", 3)

    answer = lena.write(1, "A", "", base=0)

    assert (answer.status_code, conflicts_of(answer)) == (409, [("A", None, 3, "Felix")])


def test_a_cell_that_was_cleared_meanwhile_makes_a_base_old():
    table = make_table()
    lena, felix = seated(table, 0), seated(table, 2)
    felix.write(1, "A", 3)
    base = cell_version(table, 1, "A")
    felix.write(1, "A", "")

    answer = lena.write(1, "A", 2, base=base)

    assert (answer.status_code, conflicts_of(answer)) == (409, [("A", 2, None, "Felix")])


def test_the_neighbours_cell_never_makes_a_base_old():
    table = make_table()
    lena, kofi = seated(table, 0), seated(table, 1)
    kofi.write(1, "B", 0)

    answer = lena.write(1, "A", 2, base=0)

    assert (answer.status_code, lena.entries()) == (303, [[2, 0]])


def test_an_old_base_is_said_before_a_row_that_cannot_be():
    table = make_table()
    lena, felix = seated(table, 0), seated(table, 2)
    felix.write(1, "A", 3)

    answer = lena.write(1, "A", 5, base=0)

    assert (answer.status_code, code_of(answer)) == (409, "changed")


def test_writing_and_undoing_an_implied_cell_never_makes_a_base_old():
    table = make_table()
    fill(table, [(12, 0), (8, None)])
    host, kofi = host_of(table), seated(table, 1)
    assert (cell_state(table, 2, "B"), cell_version(table, 2, "B")) == ((0, "implied"), 0)
    host.post(".../reopen/")
    assert (cell_state(table, 2, "B"), cell_version(table, 2, "B")) == ((None, "open"), 0)

    answer = kofi.write(2, "B", 1, base=0)

    assert (answer.status_code, kofi.entries()) == (303, [[12, 0], [None, 1]])


def test_an_implied_number_of_another_phone_in_between_makes_no_base_old():
    table = make_table()
    fill(table, [(12, 0)])
    host, kofi = host_of(table), seated(table, 1)
    kofi.write(2, "B", 1, base=0)
    kofi.write(2, "B", "", base=0)
    host.write(2, "A", 8)
    host.post(".../reopen/")

    answer = kofi.write(2, "B", 1, base=0)

    assert (answer.status_code, kofi.entries()) == (303, [[12, 0], [None, 1]])


def test_a_number_for_a_removed_match_is_not_taken_for_the_one_that_has_its_number_now():
    table = make_table()
    host, lena = host_of(table), seated(table, 0)
    fill(table, [(3, 0)])
    for path in (".../end/", "next/", ".../reopen/", ".../end/", "next/"):
        host.post(path, sure="1")

    old = lena.write(1, "A", 3, match=2, base=0)
    fresh = lena.write(1, "A", 3, match=2)

    assert (old.status_code, code_of(old), fresh.status_code) == (409, "changed", 303)
    assert lena.entries(match=2) == [[3, None]]


# The whole row -----------------------------------------------------------------------------------


def test_the_host_writes_a_whole_row_at_once():
    table = make_table()
    host = host_of(table)

    answer = host.write_row(1, {"A": 3, "B": 0})

    assert (answer.status_code, answer["Location"]) == (303, host.url(".../") + "#r1")
    assert host.entries() == [[3, 0]]


def test_a_player_writes_no_whole_row():
    table = make_table()
    lena = seated(table, 0)
    before = stored(table)

    answer = lena.write_row(1, {"A": 3})

    assert (answer.status_code, stored(table)) == (403, before)


def test_a_whole_row_turns_numbers_round_that_no_single_cell_could():
    table = make_table()
    host = host_of(table)
    fill(table, [(3, 0)])
    one = host.write(1, "B", 3)

    row = host.write_row(1, {"A": 0, "B": 3})

    assert (one.status_code, row.status_code, host.entries()) == (422, 303, [[0, 3]])


def test_columns_left_out_stay():
    table = make_table("schafkopf")
    host = host_of(table)
    host.write_row(1, {"0": 14, "2": 14})

    host.write_row(1, {"1": 0, "3": 0})

    assert host.entries() == [[14, 0, 14, 0]]


def test_a_whole_row_clears_what_is_empty():
    table = make_table()
    host = host_of(table)
    fill(table, [(3, 0)])

    host.write_row(1, {"A": "", "B": 0})

    assert host.entries() == [[None, 0]]


@pytest.mark.parametrize("name", ["value_A", "op", "base"])
def test_a_whole_row_without_a_field_is_refused(name):
    table = make_table()
    host = host_of(table)
    fields = {"value_A": "3", "op": new_op(), "base": "0"}
    del fields[name]
    before = stored(table)

    answer = host.post(".../r/1/", fields)

    assert (answer.status_code, stored(table)) == (422, before)


def test_a_whole_row_is_written_as_one_or_not_at_all():
    table = make_table()
    host = host_of(table)
    before = stored(table)

    answer = host.write_row(1, {"A": 3, "B": "x"})

    assert (answer.status_code, code_of(answer)) == (422, "not-whole")
    assert answer.context["typed_row"] == {"A": "3", "B": "x"}
    assert stored(table) == before


def test_a_whole_row_that_no_deal_gives_is_refused():
    table = make_table()
    host = host_of(table)
    before = stored(table)

    answer = host.write_row(1, {"A": 3, "B": 3})

    assert (answer.status_code, code_of(answer)) == (422, "both-score")
    assert stored(table) == before


def test_a_whole_row_with_an_old_base_names_each_cell_that_is_newer():
    table = make_table()
    host, lena, kofi = host_of(table), seated(table, 0), seated(table, 1)
    lena.write(1, "A", 3)
    kofi.write(1, "B", 0)
    before = stored(table)

    answer = host.write_row(1, {"A": 0, "B": 3}, base=0)

    assert (answer.status_code, code_of(answer)) == (409, "changed")
    assert conflicts_of(answer) == [("A", 0, 3, "Lena"), ("B", 3, 0, "Kofi")]
    assert stored(table) == before


def test_a_newer_cell_that_holds_the_same_value_is_no_conflict():
    table = make_table()
    host, lena = host_of(table), seated(table, 0)
    lena.write(1, "A", 3)

    answer = host.write_row(1, {"A": 3, "B": 0}, base=0)

    assert (answer.status_code, host.entries()) == (303, [[3, 0]])


def test_the_base_of_a_whole_row_is_the_version_of_its_round():
    table = make_table()
    host, kofi = host_of(table), seated(table, 1)
    host.write(1, "A", 3)
    kofi.write(1, "B", 0)

    answer = host.write_row(1, {"A": 0, "B": 3}, base=row_version(table, 1))

    assert (answer.status_code, host.entries()) == (303, [[0, 3]])


def test_the_same_whole_row_again_changes_nothing():
    table = make_table()
    host, op = host_of(table), new_op()
    host.write_row(1, {"A": 3, "B": 0}, op=op, base=0)
    host.write(1, "A", 2)
    before = stored(table)

    same = host.write_row(1, {"A": 3, "B": 0}, op=op, base=0)
    other = host.write_row(1, {"A": 0, "B": 3}, op=op, base=0)

    assert (same.status_code, other.status_code, code_of(other)) == (303, 422, "op-reused")
    assert stored(table) == before


def test_a_whole_row_is_asked_about_and_confirmed_with_the_same_op():
    table = make_table()
    host, op = host_of(table), new_op()

    asked = host.write_row(1, {"A": 12, "B": 0}, op=op)
    sure = host.write_row(1, {"A": 12, "B": 0}, op=op, sure="1")

    assert (asked.status_code, code_of(asked)) == (422, "solo-in-round-1")
    assert (sure.status_code, host.entries()) == (303, [[12, 0]])
