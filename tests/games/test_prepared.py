"""Statements that are put together once do what Django's own would do."""

from __future__ import annotations

from threading import Thread

import pytest
from django.db import IntegrityError, connection, transaction
from django.forms import model_to_dict
from django.utils import timezone

from games.models import Change, Match, Op, Phone, Player, Round, Table
from games.prepared import Given, Insertion, Prepared, columns_of, stored, update
from tests.games.helpers import fill, make_table, match_of, seated, watcher

pytestmark = pytest.mark.django_db

PHONES = Phone.objects.order_by("pk").values_list(
    *columns_of(Phone), *columns_of(Table, "table__"), *columns_of(Player, "player__")
)


def test_a_question_is_answered_as_by_its_queryset():
    tables = [make_table(), make_table()]
    for table in tables:
        seated(table, 2)
        watcher(table, f"watches {table.pk}")
    question = Prepared(PHONES.filter(table__key=Given("key"), is_host=False))

    answers = [question.ask(key=table.key) for table in [*tables, tables[0]]]

    wanted = [list(PHONES.filter(table=table, is_host=False)) for table in tables]
    assert answers == [*wanted, wanted[0]]
    assert [len(rows) for rows in wanted] == [2, 2]


def test_a_value_can_be_given_twice_and_in_another_order():
    table = make_table()
    fill(table, [(3, 0), (1, 0)])
    question = Prepared(
        Round.objects.filter(match__table=Given("table"), number=Given("number"))
        .filter(entries__points=Given("points"), match__table__pk=Given("table"))
        .values_list("number", "match__house")
    )

    house = match_of(table).house
    assert question.ask(points=1, number=2, table=table.pk) == [(2, house)]
    assert question.ask(points=1, number=1, table=table.pk) == []


def test_a_row_that_was_asked_for_is_the_row_that_is_stored():
    match = match_of(make_table())
    (row,) = Match.objects.filter(pk=match.pk).values_list(*columns_of(Match))

    found = stored(Match, row)

    assert (found, model_to_dict(found)) == (match, model_to_dict(match))
    assert not found._state.adding


def test_a_new_row_is_written_with_all_its_values():
    table = make_table()
    phone = seated(table, 0).phone
    values = {
        "table_id": table.pk, "version": 7, "at": timezone.now(), "phone_id": phone.pk,
        "who": "Lena", "match_number": 1, "round_number": 2, "column": "A", "before": None,
        "after": 3, "op": "op", "why": "own", "from_round": None, "hand": {"points_a": [95, None]},
    }  # fmt: skip

    key = Insertion(Change).write(**values)

    line = Change.objects.get()
    assert {name: getattr(line, name) for name in values} == values
    assert key == line.pk


def test_a_row_that_is_there_gets_only_what_is_renewed():
    match = match_of(make_table())
    rounds = Insertion(Round, unique=("match", "number"), renew=("version",))
    first = rounds.write(match_id=match.pk, number=1, hand={"a": 1}, confirmed={}, version=2)

    second = rounds.write(match_id=match.pk, number=1, hand=None, confirmed={"b": []}, version=3)
    other = rounds.write(match_id=match.pk, number=2, hand=None, confirmed={}, version=3)

    assert (second, other != first) == (first, True)
    there = Round.objects.get(pk=first)
    assert (there.version, there.hand, there.confirmed) == (3, {"a": 1}, {})


def test_a_row_that_must_not_be_there_twice_is_refused():
    table = make_table()
    ops = Insertion(Op)
    ops.write(table_id=table.pk, op="one", what="once")

    with pytest.raises(IntegrityError), transaction.atomic():
        ops.write(table_id=table.pk, op="one", what="twice")

    assert list(Op.objects.values_list("what", flat=True)) == ["once"]


def test_only_the_named_fields_of_a_row_are_written_and_no_other_row():
    tables = [make_table(), make_table()]
    table = tables[0]
    table.version, table.house, table.agreed = 99, {"line": 7}, "not said"

    update(table, "version", "house")

    there = Table.objects.get(pk=table.pk)
    assert (there.version, there.house, there.agreed) == (99, {"line": 7}, "")
    assert Table.objects.get(pk=tables[1].pk).version == tables[1].version


@pytest.mark.django_db(transaction=True)
def test_every_thread_asks_by_its_own_connection():
    table = make_table()
    question = Prepared(Table.objects.filter(pk=Given("pk")).values_list("key"))
    found = []

    def ask():
        found.append(question.ask(pk=table.pk))
        connection.close()

    threads = [Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [[(table.key,)]] * 3
