"""Taking back what one write has changed: a new write, with the same checks as any."""

import pytest

from games.models import Change, LateEntry, Table
from tests.games.helpers import (
    cell_state,
    cell_version,
    code_of,
    entry,
    fill,
    host_of,
    make_table,
    new_op,
    seated,
    stored,
    watcher,
)

pytestmark = pytest.mark.django_db


def last(table):
    return Change.objects.filter(table=table).latest("pk")


@pytest.fixture
def table():
    table = make_table()
    fill(table, [(3, 0), (0, 2)])
    return table


@pytest.fixture
def lena(table):
    return seated(table, 0)


@pytest.fixture
def host(table):
    return host_of(table)


def test_a_player_takes_back_what_this_phone_wrote(table, lena):
    lena.write(3, "A", 2)
    written = last(table)

    answer = lena.take_back(written.version)

    assert (answer.status_code, cell_state(table, 3, "A")) == (303, (None, "open"))
    found = last(table)
    assert (found.why, found.before, found.after, found.phone) == ("undo", 2, None, lena.phone)
    assert Change.objects.get(pk=written.pk).after == 2


def test_a_correction_is_taken_back_to_the_number_before(table, lena):
    lena.write(1, "A", 2)

    lena.take_back(last(table).version)

    assert lena.entries()[0] == [3, 0]
    assert entry(table, 1, "A").was == 2


def test_a_number_that_was_cleared_comes_back(table, lena):
    lena.write(3, "A", 2)
    lena.write(3, "A", "")

    lena.take_back(last(table).version)

    assert lena.entries()[2] == [2, None]


def test_the_host_takes_back_any_write(table, lena, host):
    lena.write(3, "A", 2)
    version = last(table).version
    lena.write(3, "A", 1)

    answer = host.take_back(version)

    assert (answer.status_code, cell_state(table, 3, "A")) == (303, (None, "open"))


def test_a_whole_deal_is_taken_back_at_once(table, host):
    host.write_row(2, {"A": 3, "B": 0})

    host.take_back(last(table).version)

    assert host.entries() == [[3, 0], [0, 2]]


def test_it_is_taken_back_in_the_deal_where_it_stands_now(table, lena, host):
    lena.write(2, "A", 0)
    host.write(2, "B", 3)
    version = last(table).version
    host.move(1, "insert", sure="1")

    host.take_back(version)

    assert host.entries() == [[None, None], [3, 0], [0, 2]]


def test_what_was_written_in_a_removed_deal_is_not_taken_back(table, host):
    host.write(2, "B", 3)
    version = last(table).version
    host.move(2, "remove", sure="1")
    before = stored(table)

    answer = host.take_back(version)

    assert (answer.status_code, code_of(answer), stored(table)) == (409, "deal-removed", before)


def test_a_player_takes_back_nothing_that_somebody_changed_since(table, lena, host):
    lena.write(3, "A", 2)
    version = last(table).version
    host.write(3, "A", 1)
    before = stored(table)

    answer = lena.take_back(version)

    assert (answer.status_code, code_of(answer), stored(table)) == (409, "changed", before)


def test_a_player_takes_back_nothing_of_another_phone_or_side(table, lena):
    versions = list(Change.objects.filter(table=table).values_list("version", flat=True))
    before = stored(table)

    answers = [lena.take_back(version).status_code for version in versions]

    assert (set(answers), stored(table)) == ({403}, before)


def test_a_player_who_has_changed_sides_takes_back_nothing_over_there(table):
    phone = seated(table, 0, "moves")
    phone.write(3, "A", 2)
    version = last(table).version
    sits = phone.phone
    sits.player = table.players.get(seat=1)
    sits.save()
    before = stored(table)

    assert (phone.take_back(version).status_code, stored(table)) == (403, before)


@pytest.mark.parametrize("version", [0, 1, 9999])
def test_where_nobody_wrote_there_is_nothing_to_take_back(table, host, version):
    before = stored(table)

    answer = host.take_back(version)

    assert (answer.status_code, code_of(answer), stored(table)) == (409, "nothing-written", before)


def test_a_watcher_takes_nothing_back(table):
    before = stored(table)

    assert watcher(table).take_back(2).status_code == 403
    assert stored(table) == before


def test_on_an_older_page_the_host_takes_back_nothing_of_somebody_else(table, lena, host):
    lena.write(3, "A", 2)
    version = last(table).version
    lena.write(3, "A", 1)
    before = stored(table)

    answer = host.take_back(version, base=version)

    assert (answer.status_code, code_of(answer), stored(table)) == (409, "changed", before)


def test_what_no_deal_can_give_is_not_brought_back(table, host):
    """0 : 2 became 3 : 0 cell by cell; 2 beside 3 is no row."""
    host.write(2, "B", "")
    version = last(table).version
    host.write(2, "A", 3)
    host.write(2, "B", 0)
    assert host.entries()[1] == [3, 0]
    before = stored(table)

    answer = host.take_back(version)

    assert (answer.status_code, stored(table)) == (422, before)


def test_a_doubt_is_asked_about():
    table = make_table(house={"variation": "deutscher"})
    fill(table, [(1, 0), (0, 0)])
    host = host_of(table)
    host.write_row(2, {"A": 0, "B": 1})
    version = last(table).version
    before = stored(table)

    asked = host.take_back(version)
    assert (asked.status_code, stored(table)) == (422, before)
    assert b'name="sure" value="1"' in asked.content

    assert host.take_back(version, sure="1").status_code == 303
    assert host.entries()[1] == [0, 0]


def test_after_the_end_only_the_host_takes_back_and_nothing_comes_late(table, lena, host):
    lena.write(1, "A", 2)
    version = last(table).version
    host.end()
    before = stored(table)

    refused = lena.take_back(version)

    assert (refused.status_code, code_of(refused), stored(table)) == (409, "ended", before)
    assert not LateEntry.objects.exists()
    assert host.take_back(version).status_code == 303
    assert host.entries()[0] == [3, 0]


def test_the_write_that_banked_is_taken_back_by_the_host_and_the_match_is_open():
    table = make_table()
    fill(table, [(12, 0), (8, 0)])
    host = host_of(table)

    host.take_back(last(table).version)

    assert (host.sheet()["status"], host.entries()) == ("open", [[12, 0]])


def test_the_same_attempt_takes_back_once(table, lena):
    lena.write(3, "A", 2)
    version, op = last(table).version, new_op()
    base = cell_version(table, 3, "A")

    answers = [lena.take_back(version, op=op, base=base) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [303, 303]
    assert Change.objects.filter(why="undo").count() == 1


def test_a_confirmed_number_of_the_rules_is_nothing_to_take_back():
    table = make_table()
    fill(table, [(12, None), (8, 0)])
    host = host_of(table)
    host.write(1, "B", 0)

    answer = host.take_back(Table.objects.get(pk=table.pk).version)

    assert (answer.status_code, code_of(answer)) == (409, "nothing-written")


def test_with_htmx_the_answer_is_the_news(table):
    lena = seated(table, 0, htmx=True)
    lena.write(3, "A", 2)

    answer = lena.take_back(last(table).version)

    assert (answer.status_code, answer.content.startswith(b"<div data-parts")) == (200, True)
    assert b'data-cell="3.A"' in answer.content


def test_the_page_of_a_cell_offers_to_take_back_what_this_phone_wrote_last(table, lena, host):
    lena.write(3, "A", 2)
    version = last(table).version

    assert f'name="version" value="{version}"' in lena.get(".../r/3/A/").content.decode()
    for phone in (host, seated(table, 2), watcher(table)):
        assert "Take back my last entry" not in phone.get(".../r/3/A/").content.decode()
    lena.take_back(version)
    assert "Take back my last entry" not in lena.get(".../r/3/A/").content.decode()


def test_a_corrected_number_says_what_it_was(table, host, lena):
    lena.write(1, "A", 2)
    host.write(1, "A", 1)

    assert "corrected, was 2" in lena.get(".../r/1/A/").content.decode()
    assert 'data-was="2"' in lena.get("").content.decode()
