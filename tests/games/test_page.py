"""The page of a sheet is drawn once for each kind of viewer, and is nobody else's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import drawn
from games.page import GAPS
from tests.games.helpers import (
    PhoneClient,
    fill,
    host_of,
    make_table,
    seated,
    stranger,
    watcher,
)

if TYPE_CHECKING:
    from games.models import Table

pytestmark = pytest.mark.django_db

FRESH = re.compile('(name="(?:csrfmiddlewaretoken|op)" value=")([^"]*)')


@pytest.fixture
def table() -> Table:
    table = make_table()
    fill(table, [(3, 0), (1, None)])
    return table


def page_of(phone: PhoneClient, query: str = "") -> str:
    return phone.client.get(phone.url("") + query).content.decode()


def fresh_in(page: str) -> list[str]:
    """The token and the ops of a page."""
    return [value for _name, value in FRESH.findall(page)]


def test_whoever_looked_before_everybody_gets_the_own_page(table):
    phones = [
        host_of(table), seated(table, 0), seated(table, 1), seated(table, 2, "another"),
        watcher(table), stranger(table),
    ]  # fmt: skip
    alone = []
    for phone in phones:
        drawn.forget_all()
        alone.append(FRESH.sub(r"\1", page_of(phone)))

    together = [FRESH.sub(r"\1", page_of(phone)) for phone in [*phones, *phones]]

    assert together == [*alone, *alone]
    assert alone[1] == alone[3]  # Lena's and Felix's: the same side, and nothing else of them
    assert len({*alone}) == len(phones) - 1


def test_every_look_has_its_own_token_and_every_form_its_own_op(table):
    host = host_of(table)

    pages = [page_of(host), page_of(host)]

    tokens = [re.findall('middlewaretoken" value="([^"]*)', page) for page in pages]
    ops = [op for page in pages for op in re.findall('name="op" value="([^"]*)', page)]
    assert [len(set(of_page)) for of_page in tokens] == [1, 1]
    assert tokens[0][0] != tokens[1][0]
    assert len(set(ops)) == len(ops) == 2 * 3  # who deals, deals in the wrong place, thrown in


def test_no_gap_is_left_open(table):
    pages = [page_of(phone) for phone in (host_of(table), watcher(table), stranger(table))]

    assert [gap in page for page in pages for gap in GAPS.values()] == [False] * 3 * len(GAPS)


def test_the_switch_of_the_language_comes_back_to_the_address_that_was_asked_for(table):
    host = host_of(table)

    pages = [page_of(host), page_of(host, '?a="<b>&c=1'), page_of(host)]

    there = [re.findall('name="next" value="([^"]*)', page)[0] for page in pages]
    plain = f"/t/{table.key}/"
    assert there == [plain, f"{plain}?a=%22%3Cb%3E&amp;c=1", plain]


def test_a_taken_seat_is_seen_by_the_next_stranger(table):
    before = page_of(stranger(table))
    stranger(table).post("seat/", seat=1)

    after = page_of(stranger(table))

    assert (before.count("a phone sits here"), after.count("a phone sits here")) == (0, 1)


def test_a_second_page_of_a_kind_takes_one_query_for_the_door(table):
    page_of(seated(table, 0))
    felix = seated(table, 2, "felix")

    with CaptureQueriesContext(connection) as captured:
        page_of(felix)

    assert len(captured) == 1
