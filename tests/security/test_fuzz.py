"""20,000 requests that no page sends: no fault of ours, and nobody gets further than they may."""

from __future__ import annotations

import logging
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from games import limits
from games.models import Table
from scoresheet.wsgi import application
from tests.games.helpers import (
    HOST_TOKEN,
    PhoneClient,
    host_of,
    make_table,
    seated,
    stored,
    watcher,
)
from tests.games.test_access_matrix import (
    a_group,
    a_recovery_link,
    a_wish_for_seat_1,
    an_open_match,
    names_of,
)
from tests.security.hostile import Hostile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

pytestmark = pytest.mark.django_db

TABLES, REQUESTS = 4, 250  # of each seed, and at each table
WITH_RIGHTS, WITHOUT = range(12), range(12, 20)
NOWHERE = {"django.security.DisallowedHost", "django.security.DisallowedRedirect"}
PHONES = (HOST_TOKEN, HOST_TOKEN, "seat-0", "seat-2", "seat-3", "watcher", "")
OUTSIDERS = ("", "watcher", "nobody", "elsewhere", "x" * 5000, "\xff", '"; a=b')


@pytest.fixture(autouse=True)
def _fresh_limits() -> Iterator[None]:
    yield
    limits.forget_all()


@contextmanager
def one_connection() -> Iterator[None]:
    """The connection outlives each request, as the transaction around a test is its."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


def table_of_four() -> Table:
    """A table in the middle of an evening: no seat is free, and somebody is at its door."""
    table = make_table()
    for seat in range(4):
        seated(table, seat)
    watcher(table)
    seated(make_table(), 0, "elsewhere")
    for given in (an_open_match, a_wish_for_seat_1, a_group):
        given(table)
    return table


def status_of(environ: dict[str, Any]) -> int:
    """Send a request as a WSGI server does; the status of its answer."""
    statuses: list[str] = []

    def start(status: str, _headers: object, _error: object = None, /) -> Callable[[bytes], None]:
        statuses.append(status)
        return lambda _body: None

    answer: Any = application(environ, start)
    assert isinstance(b"".join(answer), bytes)
    answer.close()
    return int(statuses[0].split()[0])


def send_all(table: Table, tokens: tuple[str, ...], seed: int) -> Counter[int]:
    """Send the requests of a seed to one table; how many were answered with which status."""
    statuses: Counter[int] = Counter()
    limits.forget_all()
    with one_connection():
        for environ in Hostile(names_of(table), tokens, seed).requests(REQUESTS):
            status = status_of(environ)
            assert status < 500, environ
            statuses[status] += 1
    return statuses


def worth_a_look(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the log holds; what the settings send nowhere is not in it."""
    return [
        record.getMessage()
        for record in caplog.records
        if record.levelno > logging.INFO and record.name not in NOWHERE
    ]


@pytest.mark.parametrize("seed", WITH_RIGHTS)
def test_phones_of_a_table_break_nothing(seed, caplog):
    statuses: Counter[int] = Counter()
    for number in range(TABLES):
        Table.objects.update(recovery_hash="")
        table = table_of_four()
        a_recovery_link(table)

        statuses += send_all(table, PHONES, 100 * seed + number)

    assert statuses.total() == TABLES * REQUESTS
    assert {200, 303, 400, 403, 404, 405, 409, 422} <= statuses.keys()
    assert worth_a_look(caplog) == []


@pytest.mark.parametrize("seed", WITHOUT)
def test_whoever_has_no_right_changes_nothing(seed, caplog):
    statuses: Counter[int] = Counter()
    for number in range(TABLES):
        table = table_of_four()
        before = without_version(table)

        statuses += send_all(table, OUTSIDERS, 100 * seed + number)

        assert without_version(table) == before
        assert host_of(table).get("").status_code == 200
        assert PhoneClient(table, "seat-0").write(2, "A", 2).status_code == 303

    assert statuses.total() == TABLES * REQUESTS
    assert {200, 400, 403, 404, 405} <= statuses.keys()
    assert worth_a_look(caplog) == []


def without_version(table: Table) -> dict[str, Any]:
    """What is written at a table, and who its people are; phones may come and look on."""
    now = Table.objects.get(pk=table.pk)
    people = list(table.players.order_by("pk").values_list("seat", "name", "seat_code"))
    hosts = list(table.phones.filter(is_host=True).values_list("pk", flat=True))
    return stored(table) | {
        "version": 0, "people": people, "hosts": hosts, "agreed": now.agreed,
        "code": now.code, "key": now.key, "is_open": now.is_open, "recovery": now.recovery_hash,
    }  # fmt: skip
