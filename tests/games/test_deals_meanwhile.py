"""A number that was meant for a deal finds another one at its address: it is kept, and asked about.

The host removes deal 2 of 4 while somebody else's number is on its way.
"""

import pytest

from games.models import Change
from tests.games.helpers import (
    cell_version,
    code_of,
    fill,
    host_of,
    make_table,
    new_op,
    seated,
    stored,
)

pytestmark = pytest.mark.django_db

FOUR: list[tuple[int | None, ...]] = [(3, 0), (0, 2), (None, 0), (1, 0)]


@pytest.fixture
def table():
    """Deal 3 lacks the number of side A."""
    table = make_table()
    fill(table, FOUR)
    return table


@pytest.fixture
def lena(table):
    return seated(table, 0)


@pytest.mark.parametrize("who", ["Lena", "the host"])
@pytest.mark.parametrize(("number", "value"), [(3, 3), (3, 1), (3, ""), (2, 1), (5, 2), (4, 2)])
def test_a_number_for_an_address_that_means_another_deal_is_refused(
    table, lena, who, number, value
):
    """Also for the phone that moved it, for a blank cell, and for one that holds just this."""
    base = cell_version(table, number, "A")
    host = host_of(table)
    host.move(2, "remove", sure="1")
    before = stored(table)
    phone = lena if who == "Lena" else host

    answer = phone.write(number, "A", value, base=base)

    assert (answer.status_code, code_of(answer)) == (409, "changed")
    assert stored(table) == before


def test_a_number_for_a_deal_above_is_written(table, lena):
    base = cell_version(table, 1, "A")
    host_of(table).move(2, "remove", sure="1")

    assert lena.write(1, "A", 2, base=base).status_code == 303


def test_the_answer_says_what_stands_and_where_the_deal_went(table, lena):
    base = cell_version(table, 3, "A")
    host_of(table).move(2, "remove", sure="1")

    page = lena.write(3, "A", 3, base=base).content.decode()

    assert "The host removed deal 2." in page
    assert "Your 3 was for what is deal 2 now. Deal 3 holds 1 here." in page
    assert f'action="/t/{table.key}/m/1/r/2/A/" data-attempt data-for="2.A"' in page
    assert "Enter 3 in deal 2" in page
    assert "Enter 3 in deal 3" in page


def test_the_way_out_writes_it_where_the_deal_went(table, lena):
    base = cell_version(table, 3, "A")
    host_of(table).move(2, "remove", sure="1")
    there = lena.write(3, "A", 3, base=base).context["there"]

    answer = lena.write(there["number"], "A", 3, base=there["base"])

    assert (answer.status_code, lena.entries()) == (303, [[3, 0], [3, 0], [1, 0]])


def test_a_number_for_the_removed_deal_itself_has_nowhere_to_go(table, lena):
    base = cell_version(table, 2, "A")
    host_of(table).move(2, "remove", sure="1")

    answer = lena.write(2, "A", 3, base=base)

    page = answer.content.decode()
    assert (answer.status_code, answer.context["there"]["number"]) == (409, None)
    assert "Your 3 was for that deal. Deal 2 is open here." in page


def test_the_way_leads_through_several_moves(table, lena):
    base = cell_version(table, 3, "A")
    host = host_of(table)
    for number, do in ((1, "insert"), (4, "up"), (2, "remove")):
        assert host.move(number, do, sure="1").status_code == 303

    there = lena.write(3, "A", 3, base=base).context["there"]

    assert (there["number"], host.entries()[there["number"] - 1]) == (2, [None, 0])


def test_a_whole_row_for_another_deal_is_refused_as_well(table):
    host = host_of(table)
    base = cell_version(table, 4, "A")
    host.move(2, "remove", sure="1")
    before = stored(table)

    answer = host.write_row(4, {"A": 1, "B": 0}, base=base)

    assert (answer.status_code, code_of(answer), stored(table)) == (409, "changed", before)
    assert b"Do it in deal 3" in answer.content


def test_a_number_that_was_written_before_is_not_written_again(table, lena):
    op, base = new_op(), cell_version(table, 3, "A")
    assert lena.write(3, "A", 3, op=op, base=base).status_code == 303
    host_of(table).move(2, "remove", sure="1")
    before = stored(table)

    answer = lena.write(3, "A", 3, op=op, base=base)

    assert (answer.status_code, stored(table)) == (303, before)
    assert lena.entries() == [[3, 0], [3, 0], [1, 0]]


def test_after_the_end_it_is_no_late_number_of_another_deal(table, lena):
    base = cell_version(table, 3, "A")
    host = host_of(table)
    host.end()
    host.move(2, "remove", sure="1")
    before = stored(table)

    answer = lena.write(3, "A", 3, base=base)

    assert (answer.status_code, code_of(answer), stored(table)) == (409, "changed", before)


def test_a_page_that_knows_of_the_move_writes(table, lena):
    host_of(table).move(2, "remove", sure="1")

    assert lena.write(2, "A", 3).status_code == 303
    assert lena.write(4, "A", 2, base=cell_version(table, 4, "A")).status_code == 303
    assert Change.objects.filter(phone=lena.phone).count() == 2


def test_the_row_says_since_when_it_is_this_deal(table, lena):
    """So that a number behind one that was written before keeps the base it was typed on."""
    host_of(table).move(2, "remove", sure="1")
    version = lena.sheet()["version"]

    page = lena.get("").content.decode()

    assert page.count(f'data-since="{version}"') == 3
    assert f'data-round="1" data-version="{version}"' not in page
