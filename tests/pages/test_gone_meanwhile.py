"""What comes or goes while a page is read: whoever asked is told what is, at whatever query."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from django.db import connection, transaction

from games import drawn
from games.models import Table
from tests.games.helpers import PhoneClient, fill, host_of, make_table

if TYPE_CHECKING:
    from collections.abc import Callable

    Happens = Callable[[PhoneClient], None]
    Ask = Callable[..., Any]

pytestmark = pytest.mark.django_db

OF_A_TABLE = (
    "", "m/2/", "m/2/changes/", "m/2/sheet.json", "m/2/r/1/A/", "m/2/history/", "m/2/story/",
    "m/2/story.svg", "m/2/strokes/", "m/2/print/", "m/2/end/", "people/", "tv/", "evening/",
    "regulars/", "house/", "take-home/", "export.json", "export.csv", "delete/",
)  # fmt: skip


def delete(host: PhoneClient) -> None:
    Table.objects.filter(pk=host.table.pk).delete()


def take_back(host: PhoneClient) -> None:
    """The first match is open again, so the second is no more."""
    assert host.post(".../reopen/").status_code == 303
    assert host.table.matches.count() == 1


def begin_one_more(host: PhoneClient) -> None:
    """With a player who was not there before."""
    host.write(1, "A", 3, match=2)
    host.end(2)
    host.table.players.create(name="Nora", seat=None)
    host.post("next/")
    assert host.table.matches.count() == 3


class Answer(NamedTuple):
    """How a page answered, and how often its browser was sent on."""

    status: int
    hops: int


def answers(host: PhoneClient, happens: Happens, ask: Ask) -> set[Answer]:
    """How a page answers when something happens before its first, its second ... query."""
    found: set[Answer] = set()
    for at in count():
        left = at

        def interrupt(execute: Any, *asked: Any) -> Any:
            nonlocal left
            left -= 1
            if left == -1:
                happens(host)
            return execute(*asked)

        drawn.forget_all()
        before = transaction.savepoint()
        with connection.execute_wrapper(interrupt):
            answer = ask(follow=True)
        transaction.savepoint_rollback(before)
        if left >= 0:  # it has no more queries
            return found
        found.add(Answer(answer.status_code, len(answer.redirect_chain)))
    raise AssertionError


@pytest.fixture
def host() -> PhoneClient:
    """The host of a table whose second match has just begun."""
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    host.end()
    host.post("next/")
    return host


@pytest.mark.parametrize("happens", [delete, take_back, begin_one_more])
@pytest.mark.parametrize("path", OF_A_TABLE)
def test_a_page_that_is_read_meanwhile_says_what_is(host, path, happens):
    found = answers(host, happens, partial(host.client.get, host.url(path)))

    assert found
    assert {answer.status for answer in found} <= {200, 204, 404}
    assert max(answer.hops for answer in found) <= 1
    if happens is delete:
        assert 404 in {answer.status for answer in found}


@pytest.mark.parametrize("happens", [delete, take_back, begin_one_more])
def test_a_hand_that_is_worked_out_meanwhile_is_sent_once_more(host, happens):
    send = partial(host.client.post, host.url(".../settle/", match=2), {"round": "1"})

    found = answers(host, happens, send)

    told = {delete: 404, take_back: 409, begin_one_more: 200}[happens]
    assert {told} <= {answer.status for answer in found} <= {told, 200}


@pytest.mark.parametrize("happens", [delete, take_back, begin_one_more])
def test_the_home_page_is_shown_whatever_becomes_of_a_table(host, happens):
    assert answers(host, happens, partial(host.client.get, "/")) == {(200, 0)}
