"""A page takes the same few queries however long the evening and however full the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import drawn
from games.models import Entry, LateEntry, Match, Phone, Round, SeatRequest, Table
from tests.games.helpers import (
    PhoneClient,
    host_of,
    make_table,
    match_of,
    new_op,
    seated,
    stranger,
    watcher,
)

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db

WRITING = 14  # queries of a number, from the door to its commit
READING = 5  # queries of a sheet that this process does not know yet

# Page: queries for the host, a player, a watcher, a stranger, when nobody has looked before.
PAGES = {
    "/": (4, 4, 4, 0),
    "": (7, 7, 7, 7),
    ".../": (7, 7, 7, 7),
    ".../changes/": (6, 6, 6, 6),
    ".../changes/?since=1": (6, 6, 6, 6),
    ".../sheet.json": (5, 5, 5, 5),
    ".../r/1/A/": (7, 7, 7, 7),
    ".../r/2/A/": (7, 7, 7, 7),
    "people/": (10, 10, 9, 8),
    "house/": (1, 1, 1, 1),
    "evening/": (6, 6, 6, 6),
}
SHEETS = ("", ".../")
# The same once somebody has seen this version.
DRAWN = {
    "": (1, 1, 1, 2),
    ".../": (1, 1, 1, 2),
    ".../changes/": (1, 1, 1, 1),
    ".../changes/?since=1": (1, 1, 1, 1),
    ".../r/1/A/": (2, 2, 2, 2),
    ".../r/2/A/": (2, 2, 2, 2),
    "people/": (5, 5, 4, 3),
    "evening/": (1, 1, 1, 1),
}
ROLES: dict[str, Callable[[Table], PhoneClient]] = {
    "host": host_of,
    "player": lambda table: seated(table, 2),
    "watcher": watcher,
    "stranger": stranger,
}


def long_match(table: Table, rounds: int) -> None:
    """A match to no line with so many complete rounds."""
    match = Match.objects.get(table=table)
    stored = Round.objects.bulk_create(
        Round(match=match, number=number, version=2) for number in range(1, rounds + 1)
    )
    sides = list(match.sides.all())
    phone = host_of(table).phone
    Entry.objects.bulk_create(
        Entry(round=each, side=side, points=3 if side == sides[0] else 0, version=2,
              written_by=phone, written_at=timezone.now())
        for each in stored
        for side in sides
    )  # fmt: skip
    Table.objects.filter(pk=table.pk).update(version=2, first_entry_at=timezone.now())


def sixty_rounds(table: Table) -> None:
    Round.objects.filter(match__table=table).delete()
    long_match(table, 60)


def thirty_tables(table: Table) -> None:
    """All of them known to the browsers that ask."""
    for _ in range(30):
        other = make_table()
        seated(other, 2)
        watcher(other)


def eight_phones(table: Table) -> None:
    for number in range(8):
        seated(table, number % 4, f"phone {number}")


def five_wishes(table: Table) -> None:
    for number in range(5):
        phone, wished = watcher(table, f"asks {number}").phone, table.players.get(seat=0)
        SeatRequest.objects.create(table=table, phone=phone, player=wished, at=timezone.now())


def five_late_numbers(table: Table) -> None:
    for number in range(2, 7):
        late = LateEntry(table=table, match=match_of(table), round_number=number, value=1)
        late.column, late.op, late.at = "A", new_op(), timezone.now()
        late.save()


def a_long_history(table: Table) -> None:
    """Ten writes to the cells that are asked for."""
    host = host_of(table)
    for value in (1, 2, 3, 1, 2):
        assert host.write(1, "A", value).status_code == 303
        assert host.write(2, "A", value).status_code == 303


FULLER = [
    sixty_rounds, thirty_tables, eight_phones, five_wishes, five_late_numbers, a_long_history,
]  # fmt: skip


def queries_of(phone: PhoneClient, page: str, *, cold: bool = True) -> int:
    if cold:
        drawn.forget_all()
    address = page if page == "/" else phone.url(page)
    with CaptureQueriesContext(connection) as captured:
        assert phone.client.get(address).status_code == 200
    return len(captured)


@pytest.fixture
def table() -> Table:
    table = make_table(house={"line": "none"})
    long_match(table, 1)
    return table


@pytest.mark.parametrize("page", PAGES)
def test_a_page_takes_so_many_queries(table, page):
    phones = [phone_at(table) for phone_at in ROLES.values()]

    assert tuple(queries_of(phone, page) for phone in phones) == PAGES[page]


@pytest.mark.parametrize("fuller", FULLER)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_takes_the_same_queries_when_there_is_more_of_everything(table, page, fuller):
    phones = [phone_at(table) for phone_at in ROLES.values()]
    fuller(table)

    found = tuple(queries_of(phone, page) for phone in phones)
    asked = page in SHEETS and fuller is five_wishes  # is one of them this phone's?
    *known, strangers = PAGES[page]
    assert found == (*(count + asked for count in known), strangers)


@pytest.mark.parametrize("page", DRAWN)
def test_a_sheet_that_was_drawn_before_is_not_read_again(table, page):
    phones = [phone_at(table) for phone_at in ROLES.values()]
    queries_of(phones[0], page)

    assert tuple(queries_of(phone, page, cold=False) for phone in phones) == DRAWN[page]


@pytest.mark.parametrize("fuller", [None, *FULLER])
def test_an_old_match_takes_no_more_queries_than_the_newest(table, fuller):
    """The host has a seat beside other phones."""
    host = host_of(table)
    Phone.objects.filter(pk=host.phone.pk).update(player=table.players.get(seat=1))
    seated(table, 0)
    if fuller:
        fuller(table)
    assert (host.end().status_code, host.post("next/").status_code) == (303, 303)

    assert queries_of(host, ".../") == PAGES[".../"][0] + (fuller is five_wishes)


@pytest.mark.parametrize("page", ["", ".../changes/", ".../sheet.json", ".../r/1/A/"])
@pytest.mark.parametrize("rounds", [1, 60])
def test_four_columns_take_no_more_queries_than_two(page, rounds):
    table = make_table("schafkopf")
    long_match(table, rounds)

    assert queries_of(host_of(table), page.replace("A", "0")) == PAGES[page][0]


@pytest.mark.parametrize("fuller", [None, *FULLER])
def test_nothing_new_takes_one_query_more_than_none_where_the_sheet_is_not_known(table, fuller):
    """What a phone asks every few seconds when it has no stream."""
    if fuller:
        fuller(table)
    phone = host_of(table)
    now = phone.sheet()["version"]

    found = []
    for page in (".../changes/", "", ".../changes/"):
        with CaptureQueriesContext(connection) as captured:
            answer = phone.get(page, since=now)
        found.append((answer.status_code, len(captured)))

    assert (found[0], found[2]) == ((204, 2), (204, 1))


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("fuller", [None, *FULLER])
def test_writing_a_number_takes_the_same_queries_however_much_there_is(table, fuller, known):
    phone = seated(table, 2)
    if fuller:
        fuller(table)
    number = len(phone.entries()) + 1
    if known:
        phone.get("")

    with CaptureQueriesContext(connection) as captured:
        answer = phone.write(number, "A", 1, base=0)

    assert (answer.status_code, len(captured)) == (303, WRITING + (0 if known else READING))


@pytest.mark.django_db(transaction=True)
def test_the_answer_to_a_number_takes_no_query_beside_the_write():
    table = make_table()
    phone = seated(table, 2, htmx=True)
    assert phone.write(1, "A", 1, base=0).status_code == 200

    with CaptureQueriesContext(connection) as captured:
        answer = phone.write(1, "B", 0, base=0)

    assert (answer.status_code, len(captured)) == (403, 1)
    with CaptureQueriesContext(connection) as captured:
        answer = phone.write(2, "A", 1, base=0)
    assert (answer.status_code, len(captured)) == (200, WRITING)
