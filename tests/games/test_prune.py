"""Old tables rest until somebody prunes them."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from games import services
from games.models import DeletedTable, Table
from tests.games.helpers import fill, host_of, make_table

pytestmark = pytest.mark.django_db


def prune(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("prune", *arguments, stdout=out)
    return out.getvalue().splitlines()


def table_of_days_ago(days: int) -> Table:
    table = make_table()
    fill(table, [(3, 0), (0, 2)])
    Table.objects.filter(pk=table.pk).update(touched_at=timezone.now() - timedelta(days=days))
    return table


def test_what_nobody_touched_for_so_long_goes_and_is_said():
    old, older, young = (table_of_days_ago(days) for days in (31, 400, 29))

    first, second, last = prune("--older-than", "30")

    assert list(Table.objects.all()) == [young]
    assert DeletedTable.objects.count() == 2
    day = f"{timezone.now() - timedelta(days=400):%Y-%m-%d}"
    told = "Bauernstoss: Lena, Kofi, Felix, Nora; matches: 1, deals: 2"
    assert first == f"{day}  {told}"
    assert second.endswith(told)
    assert last == "2 tables gone."
    assert not [line for line in (first, second) if old.key in line or older.key in line]


def test_a_dry_run_only_says_it():
    table_of_days_ago(31)

    told = prune("--older-than", "30", "--dry-run")

    assert told[-1] == "1 table would go."
    assert (Table.objects.count(), DeletedTable.objects.count()) == (1, 0)


NO_AGE = [(), ("--older-than", "0"), ("--older-than", "-3"), ("--older-than", "x"),
          ("--older-than", "99999999")]  # fmt: skip


@pytest.mark.parametrize("arguments", NO_AGE)
def test_nothing_goes_without_an_age_that_makes_sense(arguments):
    table_of_days_ago(31)

    with pytest.raises(CommandError):
        prune(*arguments)

    assert Table.objects.count() == 1


def test_a_table_that_was_touched_meanwhile_stays():
    table = table_of_days_ago(31)
    since = timezone.now() - timedelta(days=30)
    Table.objects.filter(pk=table.pk).update(touched_at=timezone.now())

    assert not services.prune_table(pk=table.pk, untouched_since=since)
    assert Table.objects.count() == 1


def test_the_last_touched_table_stands_first_on_the_first_page():
    tables = [table_of_days_ago(days) for days in (5, 1, 9)]
    page = host_of(tables[0]).client.get("/").content.decode()

    assert sorted(tables, key=lambda table: page.index(table.key)) == [
        tables[1], tables[0], tables[2],
    ]  # fmt: skip
