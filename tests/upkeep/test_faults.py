"""What phones hear while the machine is in trouble, and that all is well by itself afterwards."""

from __future__ import annotations

import json
import sqlite3
import threading
import uuid
from contextlib import closing
from urllib.parse import urlencode

import pytest

from tests.soak.store import Store
from tests.streams import Phone
from tests.upkeep.trouble import trouble, troubled_server

pytestmark = pytest.mark.sqlite

DAY = 24 * 60 * 60
SECONDS_LOCKED = 10
FREE = {"free_numbers": "on", "line": "none"}
ROUNDS_AT_MOST = 300


@pytest.fixture
def troubled(store):
    """A server whose machine gets into trouble when a test says so."""
    with troubled_server(store) as server:
        yield server


@pytest.fixture
def host(troubled):
    """A table on it, where any number is lawful."""
    return Phone(troubled).start_table("schafkopf", **FREE)


def attempt(number, value, base=0):
    """What a phone sends for one number, each time it tries."""
    path = f"m/1/r/{number}/0/"
    return path, urlencode({"op": str(uuid.uuid4()), "value": str(value), "base": str(base)})


def send(phone, path, form, **headers):
    return phone.ask("POST", f"/t/{phone.key}/{path}", form, HX_Request="true", **headers)


def numbers_in(server):
    return {place: points for place, points in Store.read(server.data_dir).entries if points}


def assert_written_later(phone, sent, number, value):
    """The same attempt is taken now, once, and the store is sound."""
    answer, _text = send(phone, *sent)
    again, _text = send(phone, *sent)
    assert (answer.status, again.status) == (200, 200)
    store = Store.read(phone.server.data_dir)
    store.assert_sound()
    assert dict(store.entries)[number, "0"] == value
    assert [line.place for line in store.lines].count((number, "0")) == 1


def test_a_full_disk_takes_no_number_and_loses_none(troubled, host):
    told = {}
    with trouble(troubled, full=True):
        for number in range(1, ROUNDS_AT_MOST):
            sent = attempt(number, number)
            answer, text = send(host, *sent, Accept_Language="de")
            if answer.status != 200:
                break
            told[number, "0"] = number
        page, _text = host.ask("GET", f"/t/{host.key}/m/1/")
        kept = numbers_in(troubled)

    assert (answer.status, answer.headers["Retry-After"]) == (503, "10")
    assert 'data-code="no-room"' in text
    assert page.status == 200
    assert kept == told
    assert_written_later(host, sent, number, number)


def test_a_disk_that_cannot_be_written_still_shows_the_sheet(troubled, host):
    sent = attempt(1, 7)
    assert host.write(2, "0", 5) == 409  # not open yet: the store is asked, and well
    with trouble(troubled, read_only=True, clock=2 * 60):  # the phone is to be noted as seen
        answer, text = send(host, *sent)
        page, _text = host.ask("GET", f"/t/{host.key}/m/1/")
        stream = host.listen()
        news = stream.next("message")
        stream.close()
        new_table = Phone(troubled)
        refused, told = new_table.ask("POST", "/new/bauernstoss/", new_table_form())
        kept = numbers_in(troubled)

    assert (answer.status, answer.headers["Retry-After"]) == (503, "10")
    assert 'data-code="read-only"' in text
    assert (page.status, bool(news.data)) == (200, True)
    assert refused.status == 503
    assert "Nothing can be written just now" in told
    assert kept == {}
    assert_written_later(host, sent, 1, 7)


def test_a_store_that_another_program_holds_is_waited_for(troubled, host):
    sent = attempt(1, 7)
    heard = []
    with closing(sqlite3.connect(troubled.data_dir / "scoresheet.sqlite3")) as other:
        other.isolation_level = None
        other.execute("BEGIN IMMEDIATE")
        letting_go = threading.Timer(SECONDS_LOCKED, lambda: None)
        letting_go.start()
        while letting_go.is_alive():  # as the outbox does
            answer, text = send(host, *sent)
            heard.append((answer.status, answer.headers["Retry-After"]))
            page, _text = host.ask("GET", f"/t/{host.key}/m/1/")
            assert page.status == 200
        other.execute("ROLLBACK")

    assert set(heard) == {(503, "2")}
    assert 'data-code="busy"' in text
    assert_written_later(host, sent, 1, 7)


@pytest.mark.parametrize("jump", [DAY, -DAY], ids=["forward", "back"])
def test_a_clock_that_jumps_changes_no_order(troubled, host, jump):
    player = Phone(troubled).sit(host, 0)
    stream = player.listen(since=Store.read(troubled.data_dir).version)
    stream.next("beat")
    assert player.write(1, "0", 1) == 303
    with trouble(troubled, clock=jump):
        assert player.write(2, "0", 2) == 303
        assert host.write(3, "0", 3) == 303
        late, _text = player.ask("GET", f"/t/{player.key}/m/1/")
    assert player.write(4, "0", 4) == 303

    versions = [stream.next("message").id or 0]
    while versions[-1] < Store.read(troubled.data_dir).version:
        versions.append(stream.next("message").id or 0)
    stream.close()
    assert versions == sorted(set(versions))
    assert late.status == 200
    store = Store.read(troubled.data_dir)
    store.assert_sound()
    assert [(line.place, line.after) for line in store.lines] == [
        ((number, "0"), number) for number in range(1, 5)
    ]
    _answer, text = player.ask("GET", f"/t/{player.key}/m/1/sheet.json")
    assert [row["entries"][0] for row in json.loads(text)["rounds"]] == [1, 2, 3, 4]


def new_table_form():
    names = {f"player_{seat}": name for seat, name in enumerate(("Lena", "Kofi", "Felix", "Nora"))}
    return urlencode({"op": str(uuid.uuid4()), **names})
