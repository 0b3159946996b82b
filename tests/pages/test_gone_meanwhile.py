"""What comes or goes while a page is read: whoever asked is told what is, at whatever query."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, transaction

from games import drawn
from games.access import ReadAnew
from games.models import Group, Table
from tests.games.helpers import PhoneClient, fill, host_of, make_table
from tests.games.test_access_matrix import a_group

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

    Happens = Callable[[PhoneClient], None]
    Ask = Callable[[], Answer]

pytestmark = pytest.mark.django_db

OF_A_TABLE = (
    "", "m/2/", "m/2/changes/", "m/2/sheet.json", "m/2/r/1/A/", "m/2/history/", "m/2/story/",
    "m/2/story.svg", "m/2/strokes/", "m/2/print/", "m/2/end/", "people/", "tv/", "evening/",
    "m/2/r/1/deal/", "regulars/", "house/", "take-home/", "export.json", "export.csv", "delete/",
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


def answers(host: PhoneClient, happens: Happens, ask: Ask) -> Iterator[Answer]:
    """What a page answers when something happens before its first, its second ... query."""
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
            answer = ask()
        transaction.savepoint_rollback(before)
        if left >= 0:  # it has no more queries
            return
        yield answer


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
    found = list(answers(host, happens, partial(host.client.get, host.url(path))))

    statuses = {answer.status_code for answer in found}
    assert statuses
    assert statuses <= {200, 204, 302, 404}  # an end that is no longer asked leads back
    if happens is delete:
        assert 404 in statuses
    if happens is take_back and path == "m/2/":
        assert any("games/gone.html" in names_of(answer) for answer in found)


def names_of(answer: Answer) -> set[str | None]:
    return {template.name for template in answer.templates}


@pytest.mark.parametrize("happens", [delete, take_back, begin_one_more])
def test_a_hand_that_is_worked_out_meanwhile_is_worked_out_as_things_are(host, happens):
    send = partial(host.client.post, host.url(".../settle/", match=2), {"round": "1"})

    told = {delete: 404, take_back: 409, begin_one_more: 200}[happens]
    statuses = {answer.status_code for answer in answers(host, happens, send)}
    assert {told} <= statuses <= {told, 200}


@pytest.mark.parametrize("happens", [delete, take_back, begin_one_more])
def test_the_home_page_is_shown_whatever_becomes_of_a_table(host, happens):
    found = answers(host, happens, partial(host.client.get, "/"))

    assert {answer.status_code for answer in found} == {200}


@pytest.mark.parametrize("happens", [delete, take_back, begin_one_more])
def test_the_page_of_a_group_is_shown_whatever_becomes_of_a_table(host, happens):
    a_group(host.table)
    path = f"/g/{Group.objects.get().key}/"

    found = answers(host, happens, partial(host.client.get, path))

    assert {answer.status_code for answer in found} == {200}


def test_what_does_not_fit_together_for_good_is_our_own_mistake(host):
    host.table.matches.get(number=2).sides.all().delete()
    drawn.forget_all()

    with pytest.raises(ReadAnew):
        host.client.get(host.url("m/2/"))
