"""Who waits for whom on PostgreSQL: one writer at a table, and nobody else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic, sleep

import pytest
from django.db import connection, connections, transaction

from games.access import Visitor
from games.models import Phone
from games.services.turn import begin
from games.stream import look
from tests.games.helpers import cell_state, host_of, make_table, seated
from tests.games.together import LONGEST, assert_sound, version

pytestmark = [pytest.mark.grown, pytest.mark.django_db(transaction=True)]

AS_OF_NOW = "SELECT pg_stat_clear_snapshot()"  # a transaction sees all else as it began
WAITING = """SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'"""


@pytest.fixture
def elsewhere():
    """Runs things in a thread with a connection of its own."""
    with ThreadPoolExecutor(1) as pool:

        def run(call, *arguments, **named):
            return pool.submit(call, *arguments, **named)

        yield run
        pool.submit(connections.close_all).result(LONGEST)


@contextmanager
def a_verb_at(table):
    """A verb that takes its time: the table is its own until the end of the block."""
    host = host_of(table)
    with transaction.atomic():
        turn = begin(Visitor(table, host.phone))
        yield turn
        turn.done()


@contextmanager
def only_to_be_read():
    """A server that takes no writes, as a replica that was not promoted yet."""
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
        try:
            yield
        finally:
            cursor.execute("SET default_transaction_read_only = off")


def somebody_waits():
    with connection.cursor() as cursor:
        cursor.execute(AS_OF_NOW)
        cursor.execute(WAITING)
        ((count,),) = cursor.fetchall()
    return count


def test_two_verbs_at_one_table_come_one_after_the_other(elsewhere):
    table = make_table()
    host = host_of(table)
    before = version(table)

    with a_verb_at(table):
        writing = elsewhere(host.write, 1, "A", 3, base=0)
        until = monotonic() + LONGEST
        while not somebody_waits() and monotonic() < until:
            sleep(0.01)
        assert (somebody_waits(), writing.done()) == (1, False)

    assert writing.result(LONGEST).status_code == 303
    assert version(table) == before + 2
    assert_sound(table)


def test_verbs_at_two_tables_do_not_wait_for_each_other(elsewhere):
    table, other = make_table(), make_table()
    host = host_of(other)

    with a_verb_at(table):
        answer = elsewhere(host.write, 1, "A", 3, base=0).result(LONGEST)
        assert somebody_waits() == 0

    assert answer.status_code == 303
    assert cell_state(other, 1, "A") == (3, "written")


def test_a_page_is_read_while_a_verb_is_at_work(elsewhere):
    table = make_table()
    lena = seated(table, 0)

    with a_verb_at(table):
        answer = elsewhere(lena.get, "").result(LONGEST)

    assert answer.status_code == 200


def test_a_verb_that_waits_too_long_changes_nothing_and_says_so_kindly(elsewhere):
    table = make_table()
    host = host_of(table)

    def impatient():
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '50ms'")
        return host.write(1, "A", 3, base=0)

    with a_verb_at(table):
        answer = elsewhere(impatient).result(LONGEST)

    assert answer.status_code == 503
    assert 'data-code="busy"' in answer.content.decode()
    assert cell_state(table, 1, "A") == (None, "open")
    assert host.write(1, "A", 3, base=0).status_code == 303


def test_a_look_at_who_listens_waits_for_no_verb(elsewhere):
    table = make_table()
    busy, free = seated(table, 0).phone, seated(table, 1).phone
    long_ago = "2020-01-01 00:00:00+00:00"
    Phone.objects.update(seen_at=long_ago)

    with transaction.atomic():
        Phone.objects.filter(pk=busy.pk).update(freed_seat=None)
        elsewhere(look, {table.pk: {busy.pk, free.pk}}).result(LONGEST)

    stale = Phone.objects.filter(seen_at=long_ago, pk__in=[busy.pk, free.pk])
    assert [phone.pk for phone in stale] == [busy.pk]


def test_what_can_only_be_read_is_still_read():
    table = make_table()
    lena = seated(table, 0)
    long_ago = "2020-01-01 00:00:00+00:00"
    Phone.objects.update(seen_at=long_ago)

    with only_to_be_read():
        page = lena.get("")
        found = look({table.pk: {lena.phone.pk}})
        answer = lena.write(1, "A", 3, base=0)

    assert page.status_code == 200
    assert found[table.pk].version == version(table)
    assert answer.status_code == 503
    assert 'data-code="read-only"' in answer.content.decode()
    assert Phone.objects.get(pk=lena.phone.pk).seen_at.year == 2020
