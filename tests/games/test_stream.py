"""The endpoint of the stream: what it sends when, with a clock that jumps; and how it reads."""

from __future__ import annotations

import asyncio
import http.client
import socket
import threading
import time
from contextlib import asynccontextmanager, closing
from datetime import timedelta

import pytest
import uvicorn
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from starlette.applications import Starlette
from starlette.routing import Route

from games import bus, drawn, stream
from games.hub import News, Standing, Want
from games.models import Phone, Table
from games.stream import Entered, Live, draw, look
from tests.fast_loop import run_fast, settle
from tests.games.helpers import fill, host_of, make_table, seated, watcher

TABLE = 17
EN = "en"


@pytest.fixture(autouse=True)
def _in_one_process(settings):
    """The way between processes is tried in ``test_relay.py``."""
    settings.REDIS_URL = None


class FakeStore:
    """One table that anybody may listen to; its news are as long as wished."""

    def __init__(self, size=1):
        self.version = 1
        self.size = size

    async def enter(self, request, key):
        return Entered(TABLE, None, "key", self.version, EN, 1)

    async def draw(self, table, wants):
        parts = {want: str(self.version) * self.size for want in wants}
        return News(self.version, "key", parts)

    async def look(self, phones):
        return {table: Standing(self.version, True, "key", frozenset()) for table in phones}  # noqa: FBT003

    def write(self, live):
        self.version += 1
        live.hub.hear(TABLE, self.version)


class FakePhone:
    """What a server does with the endpoint for one phone; ``takes=False`` lets nothing through."""

    def __init__(self, live, *, takes=True):
        self.takes = takes
        self.sent = []
        self.started = {}
        self._left = asyncio.Event()
        scope = {
            "type": "http", "method": "GET", "path": "/live/key/", "query_string": b"",
            "headers": [(b"host", b"localhost")], "path_params": {"key": "key"},
        }  # fmt: skip
        self.task = asyncio.create_task(live(scope, self._receive, self._send))

    @property
    def heard(self):
        return [body.decode() for body, _more in self.sent if body]

    def leave(self):
        self._left.set()

    async def _receive(self):
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message):
        if message["type"] == "http.response.start":
            self.started = message
            return
        if not self.takes and len(self.sent) > 1:
            await asyncio.Event().wait()
        self.sent.append((message["body"], message.get("more_body", False)))


def play(scene, **more):
    """Play a scene with an endpoint on a loop whose clock jumps."""

    async def whole():
        store = FakeStore()
        live = Live(store, most=more.get("most", 100))
        async with live.running():
            await scene(live, store)

    run_fast(whole())


def beat(version):
    return f'event: beat\ndata: {{"version": {version}, "release": "0"}}\n\n'


def test_beats_come_every_ten_seconds_whatever_else_is_said(settings):
    settings.RELEASE = "0"

    async def scene(live, store):
        phone = FakePhone(live)
        await asyncio.sleep(9)
        store.write(live)
        await asyncio.sleep(21.5)
        assert phone.heard == [
            "retry: 5000\n\n", beat(1), "id: 2\ndata: 2\n\n", beat(2), beat(2), beat(2),
        ]  # fmt: skip

    play(scene)


def test_a_phone_that_takes_nothing_is_given_up_and_delays_nobody():
    async def scene(live, store):
        slow, quick = FakePhone(live, takes=False), FakePhone(live)
        await settle()
        for _ in range(3):
            store.write(live)
            await settle()
        told = len(quick.heard)
        await asyncio.sleep(stream.SECONDS_TO_SEND - 1)
        waits = not slow.task.done()
        await asyncio.sleep(2)
        assert (told, waits, slow.task.done(), quick.task.done()) == (5, True, True, False)

    play(scene)


def test_a_phone_that_left_is_forgotten_at_once():
    async def scene(live, store):
        phone, other = FakePhone(live), FakePhone(live)
        await settle()

        phone.leave()
        await settle()

        assert (phone.task.done(), other.task.done(), live.hub.count) == (True, False, 1)

    play(scene)


def test_at_the_end_each_stream_is_ended_in_good_order():
    async def scene(live, store):
        phones = [FakePhone(live) for _ in range(3)]
        await settle()

        live.hub.close()
        await settle()

        assert [phone.sent[-1] for phone in phones] == [(b"", False)] * 3
        assert [phone.task.done() for phone in phones] == [True] * 3

    play(scene)


def test_one_too_many_is_refused():
    async def scene(live, store):
        phones = [FakePhone(live) for _ in range(3)]
        await settle()
        assert [phone.started["status"] for phone in phones] == [200, 200, 503]

    play(scene, most=2)


@pytest.fixture
def served(monkeypatch):
    """The endpoint on a real server in a thread, with news of a megabyte each."""
    monkeypatch.setattr(stream, "SECONDS_TO_SEND", 1.0)
    store = FakeStore(size=1024 * 1024)
    live = Live(store, most=10)
    loops = []

    @asynccontextmanager
    async def lifespan(_application):
        loops.append(asyncio.get_running_loop())
        async with live.running():
            yield

    application = Starlette(routes=[Route("/live/{key}/", live)], lifespan=lifespan)
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application, log_config=None, log_level="critical"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield listener.getsockname()[1], live, store
    server.should_exit = True
    loops[0].call_soon_threadsafe(live.hub.close)
    thread.join(20)
    assert not thread.is_alive()


@pytest.mark.timeout(120)
def test_a_phone_that_reads_nothing_is_cut_off_and_another_hears_everything(served):
    port, live, store = served
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    slow.connect(("127.0.0.1", port))
    slow.sendall(b"GET /live/key/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
    quick = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    quick.request("GET", "/live/key/")
    answer = quick.getresponse()

    ids = []
    with closing(slow), closing(quick), answer:
        until = time.monotonic() + 60
        while live.hub.count < 2 and time.monotonic() < until:
            time.sleep(0.01)
        while live.hub.count == 2 and time.monotonic() < until:
            store.version += 1
            bus.publish(TABLE, store.version)
            while (line := answer.readline()) and not line.startswith(b"id: "):
                pass
            ids.append(int(line[4:]))
            time.sleep(0.05)
        assert live.hub.count == 1

    assert ids == list(range(2, len(ids) + 2))


def wants(*those):
    return {Want(language, since) for language, since in those}


@pytest.mark.django_db
def test_two_languages_and_two_versions_take_one_reading():
    table = make_table()
    fill(table, [(3, 0), (1, 0)])
    now = Table.objects.get(pk=table.pk).version
    drawn.forget_all()

    with CaptureQueriesContext(connection) as captured:
        news = draw(table.pk, wants((EN, now - 1), (EN, 1), ("de", now - 1), (EN, now)))

    assert news is not None
    assert news.version == now
    assert set(news.parts) == wants((EN, now - 1), (EN, 1), ("de", now - 1))
    assert len(captured) == 1 + 5  # the table; then match, sides, entries, rounds, header
    with CaptureQueriesContext(connection) as captured:
        assert draw(table.pk, wants((EN, now - 2))) is not None
    assert len(captured) == 1


@pytest.mark.django_db
def test_news_of_a_table_that_is_gone_are_none():
    assert draw(4711, wants((EN, 1))) is None


@pytest.mark.django_db
def test_tables_are_looked_at_in_one_query_and_phones_that_listen_are_seen():
    tables = [make_table(), make_table()]
    long_ago = timezone.now() - timedelta(hours=1)
    listens, seen = watcher(tables[0]).phone, seated(tables[1], 2).phone
    Phone.objects.update(seen_at=long_ago)
    Phone.objects.filter(pk=seen.pk).update(seen_at=timezone.now())
    phones = {tables[0].pk: {listens.pk}, tables[1].pk: {seen.pk}, 4711: set[int]()}

    with CaptureQueriesContext(connection) as captured:
        first = look(phones)
    writes = len(captured) - 1
    with CaptureQueriesContext(connection) as captured:
        second = look(phones)

    assert (writes, len(captured)) == (3, 1)  # one, in a transaction of its own
    assert first == second
    assert set(first) == {tables[0].pk, tables[1].pk}
    assert first[tables[0].pk] == Standing(
        version=Table.objects.get(pk=tables[0].pk).version,
        is_open=True,
        key=tables[0].key,
        phones={listens.pk, host_of(tables[0]).phone.pk},
    )
    stale = Phone.objects.filter(seen_at=long_ago)
    assert {phone.pk for phone in stale} == {host_of(table).phone.pk for table in tables}


@pytest.mark.django_db
def test_whoever_listens_is_told_when_a_transaction_is_committed(
    django_capture_on_commit_callbacks,
):
    table = make_table()
    host = host_of(table)
    heard = []

    async def hear(callbacks):
        unsubscribe = bus.subscribe(lambda *hint: heard.append(hint))
        for callback in callbacks:
            callback()
        await asyncio.sleep(0)
        unsubscribe()

    with django_capture_on_commit_callbacks() as callbacks:
        assert host.write(1, "A", 3).status_code == 303
        assert host.write(2, "A", "many").status_code == 422
    asyncio.run(hear(callbacks))

    assert heard == [(table.pk, host.sheet()["version"])]


@pytest.mark.django_db
def test_a_match_that_was_taken_back_brings_everything_of_the_one_before():
    """What changed in it meanwhile was told to nobody: another match was the newest."""
    table = make_table()
    fill(table, [(3, 0), (1, 0)])
    host = host_of(table)
    host.end()
    host.post("next/")
    host.write(1, "B", 0, match=1)
    before = host.sheet()["version"]
    host.post(".../reopen/")

    news = draw(table.pk, wants((EN, before)))

    assert news is not None
    (parts,) = news.parts.values()
    assert [f'data-cell="{row}.A"' in parts for row in (1, 2, 3)] == [True] * 3
