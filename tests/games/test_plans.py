"""Every statement finds its rows by an index, however full the store is.

A tour asks every address as all kinds of people, and does what no address does. What it asks of
the store is then explained by the store itself: how it would go about it.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from games import drawn, limits, stream
from games.hub import Want
from games.models import Change, Entry, Phone, Table
from tests.games.helpers import PhoneClient, fill, host_of, make_table, seated
from tests.games.test_access_matrix import ASKED, ROLES, arrive, send, table_given

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tests.games.test_access_matrix import Asked

pytestmark = pytest.mark.django_db

OF_THE_RELEASE = '"django_migrations"'  # a table that grows with the product, not with its use
ON_DATA = re.compile(r"(SELECT|INSERT|UPDATE|DELETE|WITH)\b")
# All rows of a table, along an index or not. "(subquery-1)" and "2 CONSTANT ROWS" are none.
# PostgreSQL, forbidden to do so, goes along another index if there is any; SQLite is stricter.
READS_ALL = {
    "sqlite": re.compile(r"SCAN [a-zA-Z](?!ONSTANT ROW)"),
    "postgresql": re.compile(r"Seq Scan on \w"),
}


class Heard:
    """Statements on their way to the store: each once, with the values that came first."""

    def __init__(self) -> None:
        self.statements: dict[str, Any] = {}

    def __call__(self, execute: Callable[..., Any], sql: str, values: Any, *more: Any) -> Any:
        if ON_DATA.match(sql) and OF_THE_RELEASE not in sql:
            self.statements.setdefault(sql, values[0] if more[0] and values else values)
        return execute(sql, values, *more)

    @contextmanager
    def listening(self, *, for_good: bool = False) -> Iterator[None]:
        """Hear the block, from a process that knows nothing; what it did is undone."""
        drawn.forget_all()
        limits.forget_all()
        with transaction.atomic(), connection.execute_wrapper(self):
            yield
            transaction.set_rollback(not for_good)


class Overheard(Client):
    """A browser whose requests are heard, and not what a test looks up for them."""

    def __init__(self, browser: Client, heard: Heard) -> None:
        super().__init__()
        self.cookies = browser.cookies
        self.heard = heard

    def request(self, **request: Any) -> Any:
        with self.heard.listening():
            return super().request(**request)


def askers(asked: Asked) -> Iterable[str]:
    """One role for each answer that there is."""
    return dict(zip(asked.answers.split(), ROLES, strict=True)).values()


def ask_every_address(heard: Heard, method: str) -> None:
    for asked in ASKED:
        if asked.method != method or asked.answers.startswith("405"):
            continue
        with transaction.atomic():
            table, phones = table_given(asked)
            for role in askers(asked):
                with transaction.atomic():
                    arrive(role, table, phones[role])
                    send(asked, table, Overheard(phones[role].client, heard))
                    transaction.set_rollback(True)
            transaction.set_rollback(True)


def get_every_address(heard: Heard) -> None:
    ask_every_address(heard, "GET")


def post_to_every_address(heard: Heard) -> None:
    ask_every_address(heard, "POST")


def a_table() -> tuple[PhoneClient, PhoneClient]:
    """Its host and a player, after three deals."""
    table = make_table()
    fill(table, [(3, 0), (0, 2), (3, 0)])
    return host_of(table), seated(table, 2)


def look_closer(heard: Heard) -> None:
    """What pages ask for by more than their address."""
    host, _lena = a_table()
    for question in ({"deal": 1}, {"before": 3}, {"deal": 1, "before": 3}):
        with heard.listening():
            assert host.get(".../history/", **question).status_code == 200


def come_too_late(heard: Heard) -> None:
    """Numbers for a cell that has changed, for a deal that moved, for a match that has ended."""
    host, lena = a_table()
    assert host.write(1, "A", 2).status_code == 303
    with heard.listening():
        assert lena.write(1, "A", 1, base=0).status_code == 409
    assert host.move(1, "insert").status_code == 303
    with heard.listening():
        assert lena.write(2, "A", 1, base=1).status_code == 409
    assert host.end().status_code == 303
    with heard.listening():
        assert lena.write(1, "A", 1, base=1).status_code == 409


def mend(heard: Heard) -> None:
    """Deals in the wrong place, and numbers taken back."""
    host, _lena = a_table()
    for do in ("insert", "swap", "remove", "put-back"):
        with heard.listening(for_good=True):
            host.move(1, do, sure=1)
    with heard.listening():
        assert host.take_back(2, sure=1).status_code in {303, 409}


def listen(heard: Heard) -> None:
    """What the streams ask."""
    host, lena = a_table()
    Phone.objects.update(seen_at=timezone.now() - timedelta(days=1))
    with heard.listening():
        stream.draw(host.table.pk, {Want("en", None), Want("de", 1)})
        stream.look({host.table.pk: {host.phone.pk, lena.phone.pk}})


def prune(heard: Heard) -> None:
    a_table()
    Table.objects.update(touched_at=timezone.now() - timedelta(days=3))
    with heard.listening():
        call_command("prune", "--older-than", "1", stdout=StringIO())


TOUR = (
    get_every_address, post_to_every_address, look_closer, come_too_late, mend, listen, prune,
)  # fmt: skip


def steps_of(sql: str, values: Any) -> list[str]:
    """How the store would go about a statement."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}", values)
            return [row[3] for row in cursor.fetchall()]
        cursor.execute("SET LOCAL enable_seqscan = off")  # where anything else can be done
        cursor.execute(f"EXPLAIN {sql}", values)
        return [row[0].strip(" ->") for row in cursor.fetchall()]


def that_read_all(statements: dict[str, Any]) -> dict[str, list[str]]:
    """The statements for which the store would go through a whole table, with its steps."""
    reads_all = READS_ALL[connection.vendor]
    plans = {sql: steps_of(sql, values) for sql, values in statements.items()}
    return {sql: plan for sql, plan in plans.items() if any(map(reads_all.match, plan))}


@pytest.mark.parametrize("part", TOUR)
def test_what_is_asked_of_the_store_is_found_by_an_index(part):
    heard = Heard()

    part(heard)

    assert heard.statements
    assert that_read_all(heard.statements) == {}


@pytest.mark.parametrize(
    ("rows", "reads_all"),
    [
        (Entry.objects.filter(points=7), True),
        (Entry.objects.filter(round=1), False),
        (Change.objects.filter(version=7), True),
        (Change.objects.filter(table=1, version=7), False),
    ],
)
def test_the_store_says_so_where_it_would_read_a_whole_table(rows, reads_all):
    sql, values = rows.query.sql_with_params()

    assert bool(that_read_all({sql: values})) is reads_all
