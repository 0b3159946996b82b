"""The history of a match: every write, newest first, who, when, what, and why."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.history import WRITES_AT_MOST
from games.models import Change
from tests.games.helpers import fill, host_of, make_table, seated, stranger, watcher

pytestmark = pytest.mark.django_db


def writes(phone, match=1, **query):
    """Each write of a history page as plain text, newest first."""
    page = phone.get(".../history/", match=match, **query).content.decode()
    found = re.findall(r'<li class="one-write".*?</li>', page, re.DOTALL)
    texts = [re.sub(r"<time.*?</time>", " ", one, flags=re.DOTALL) for one in found]
    return [" ".join(unescape(re.sub("<[^>]*>", " ", one)).split()) for one in texts]


@pytest.fixture
def table():
    return make_table()


@pytest.fixture
def host(table):
    return host_of(table)


def test_who_wrote_what_stands_newest_first(table, host):
    lena, felix = seated(table, 0), seated(table, 2)
    lena.write(1, "A", 3)
    felix.write(1, "A", 2)
    host.write(1, "B", 0)

    assert writes(watcher(table)) == [
        "Deal 1 · the host Kofi & Nora open → 0",
        "Deal 1 · Felix · over another phone of the side Lena & Felix 3 → 2",
        "Deal 1 · Lena Lena & Felix open → 3",
    ]


def test_why_a_number_was_written_is_said(table):
    host = host_of(table)
    kofi = seated(table, 1)
    phone = host.phone
    phone.player = table.players.get(seat=1)
    phone.save()
    fill(table, [(12, None), (0, 3)])
    host.post(
        ".../settle/",
        {"do": "write", "round": 3, "points_a": 95, "base": 0,
         "op": "00000000-0000-4000-8000-000000000001"},
    )  # fmt: skip
    host.take_back(Change.objects.latest("pk").version)
    host.write(3, "A", 8)
    kofi.write(4, "B", 1)

    assert writes(host)[:3] == [
        (
            "Deal 3 · Kofi · as host Lena & Felix open → 8 Kofi & Nora open → 0 deal 1, by the "
            "rules Kofi & Nora open → 0 by the rules Undo this"
        ),
        "Deal 3 · Kofi · taken back Lena & Felix 2 → open Kofi & Nora 0 → open Put 2 : 0 back",
        "Deal 3 · Kofi · worked out Lena & Felix open → 2 Kofi & Nora open → 0 Undo this",
    ]


def test_a_move_is_one_line_with_what_stood_there(table, host):
    fill(table, [(3, 0), (0, 2), (1, 0)])
    host.move(2, "remove", sure="1")
    host.move(1, "insert")
    host.move(2, "down")

    assert writes(host)[:3] == [
        "The host swapped deals 2 and 3",
        "The host put in deal 1",
        "The host removed deal 2 0 : 2 stood there",
    ]


def test_the_history_of_one_deal_says_which_deal_it_was(table, host):
    fill(table, [(3, 0), (0, 2), (1, 0)])
    host.move(2, "remove", sure="1")

    told = writes(host, deal=2)

    assert told == [
        (
            "The host removed deal 2 0 : 2 stood there Lena & Felix 0 → 1 was deal 3 "
            "Kofi & Nora 2 → 0 was deal 3"
        ),
        (
            "Deal 2 · the host Lena & Felix open → 0 Kofi & Nora open → 2 "
            "This deal was removed later."
        ),
    ]
    assert "was deal 3, The host removed deal 2" in host.get(".../r/2/A/").content.decode()


def test_a_deal_that_has_moved_says_where_it_is(table, host):
    fill(table, [(3, 0), (0, 2)])
    host.move(1, "insert")

    assert "It is deal 3 now." in writes(host)[1]


def test_a_removed_deal_can_be_put_back_from_here_by_the_host_alone(table, host):
    fill(table, [(3, 0), (0, 2)])
    host.move(2, "remove", sure="1")

    assert writes(host)[0].endswith("Put deal 2 back")
    assert "Put deal" not in writes(seated(table, 0))[0]
    host.move(1, "insert")
    assert "Put deal" not in " ".join(writes(host))


def test_players_are_offered_what_their_own_phone_wrote_and_watchers_nothing(table, host):
    lena = seated(table, 0)
    lena.write(1, "A", 3)
    host.write(1, "B", 0)

    offers = [["Undo this" in one for one in writes(phone)] for phone in (host, lena)]

    assert offers == [[True, True], [False, True]]
    for phone in (watcher(table), seated(table, 2), stranger(table)):
        assert "Undo this" not in " ".join(writes(phone))


def test_what_is_taken_back_from_here_leads_back_here(table, host):
    fill(table, [(3, 0)])

    answer = host.take_back(Change.objects.latest("pk").version, to="history")

    assert answer.headers["Location"] == f"/t/{table.key}/m/1/history/"


def test_a_long_history_is_paged(table, host):
    for number in range(WRITES_AT_MOST + 2):
        host.write(1, "A", 1 + number % 2)

    page = host.get(".../history/").content.decode()
    (before,) = re.findall(r"\?before=(\d+)", page)

    assert len(writes(host)) == WRITES_AT_MOST
    assert writes(host, before=before)[-1].startswith("Deal 1 · the host Lena & Felix open → 1")
    assert len(writes(host, before=before)) == 2
    assert ">Earlier<" not in host.get(".../history/", before=before).content.decode()


def test_the_history_of_a_match_that_was_taken_back_is_not_that_of_the_next(table, host):
    fill(table, [(3, 0)])
    host.end()
    host.post("next/")
    host.write(1, "A", 2, match=2)
    host.write(1, "A", "", match=2)
    host.post(".../reopen/")
    host.end()
    host.post("next/")

    assert writes(host, match=2) == []


@pytest.mark.parametrize("deal", ["0", "301"])
def test_there_is_no_history_of_a_deal_that_cannot_be(table, host, deal):
    assert host.get(".../history/", deal=deal).status_code == 404


@pytest.mark.parametrize("query", [{}, {"deal": 1}])
def test_the_page_takes_the_same_queries_however_much_was_written(table, query):
    host = host_of(table)
    fill(table, [(3, 0)])
    found = []
    for rows in (0, 20):
        for number in range(rows):
            host.write_row(1, {"A": number % 2, "B": 1 - number % 2})
        if rows:
            fill(table, [(1, 0)] * 12)
            host.move(2, "remove", sure="1")
        host.get("")
        with CaptureQueriesContext(connection) as captured:
            assert host.get(".../history/", **query).status_code == 200
        found.append(len(captured))

    assert found[0] == found[1] <= 3 + 5
