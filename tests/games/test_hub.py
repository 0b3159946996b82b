"""Who is told what, and when: the hub alone, with a clock that jumps."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from games import bus
from games.hub import WAITING_AT_MOST, Full, Hub, Listener, News, Standing, Want, event
from tests.fast_loop import run_fast, settle

TABLE, OTHER = 17, 18


@pytest.fixture(autouse=True)
def _in_one_process(settings):
    """The way between processes is tried in ``test_relay.py``."""
    settings.REDIS_URL = None


@dataclass
class FakeStore:
    """Tables as the hub's reader would find them; counts what it is asked."""

    versions: dict[int, int] = field(default_factory=lambda: {TABLE: 1, OTHER: 1})
    phones: set[int] = field(default_factory=lambda: {1, 2, 3, 4})
    is_open: bool = True
    key: str = "key"
    fails: int = 0
    drawn: list[set[Want]] = field(default_factory=list)
    looks: int = 0
    may_answer: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self):
        self.may_answer.set()

    async def draw(self, table, wants):
        self.drawn.append(set(wants))
        version = self.versions.get(table)
        await self.may_answer.wait()
        if self.fails:
            self.fails -= 1
            raise OSError("The store is away.")
        if version is None:
            return None
        parts = {
            want: f"{want.language} {want.since}-{version}"
            for want in wants
            if want.since != version
        }
        return News(version, self.key, parts)

    async def look(self, phones):
        self.looks += 1
        standings = {
            table: Standing(self.versions[table], self.is_open, self.key, frozenset(self.phones))
            for table in phones
            if table in self.versions
        }
        await self.may_answer.wait()
        if self.fails:
            self.fails -= 1
            raise OSError("The store is away.")
        return standings


class Scene:
    """A hub that runs, and phones whose messages are read as they come."""

    def __init__(self, most=100):
        self.store = FakeStore()
        self.hub = Hub(self.store, release="r1", most=most)

    def listen(self, phone=1, language="en", since=1, table=TABLE, *, reads=True):
        listener = Listener(table, phone, "key", language, since)
        self.hub.join(listener, version=self.store.versions[table])
        heard: list[str] = []
        if reads:
            self.reading.append(asyncio.create_task(self.read(listener, heard)))
        return listener, heard

    async def read(self, listener, heard):
        while (message := await listener.next()) is not None:
            heard.append(message.decode())

    def write(self, table=TABLE, *, hint=True):
        self.store.versions[table] += 1
        if hint:
            self.hub.hear(table, self.store.versions[table])

    @asynccontextmanager
    async def running(self):
        self.reading: list[asyncio.Task[None]] = []
        looking = asyncio.create_task(self.hub.run())
        yield self
        looking.cancel()
        for reading in self.reading:
            reading.cancel()


def scene(play):
    """A test that plays on the event loop with the jumping clock."""

    def test():
        async def whole():
            async with Scene().running() as here:
                await play(here)

        run_fast(whole())

    test.__name__ = play.__name__
    return test


def beat(version):
    return f"event: beat\ndata: {json.dumps({'version': version, 'release': 'r1'})}\n\n"


def news(version, since, language="en"):
    return f"id: {version}\ndata: {language} {since}-{version}\n\n"


@scene
async def test_who_lacks_nothing_gets_a_beat_at_once(here):
    _listener, heard = here.listen(since=1)

    await settle()

    assert heard == [beat(1)]
    assert here.store.drawn == []


@scene
async def test_who_lacks_something_gets_it_first(here):
    here.store.versions[TABLE] = 9

    _listener, heard = here.listen(since=4)
    await settle()

    assert heard == [news(9, 4)]


@scene
async def test_without_a_version_or_with_one_that_cannot_be_everything_comes(here):
    heard = [here.listen(since=since)[1] for since in (None, 2)]

    await settle()

    assert heard == [[news(1, None)], [news(1, None)]]


@scene
async def test_each_transaction_is_one_event(here):
    _listener, heard = here.listen()

    for _ in range(3):
        here.write()
        await settle()

    assert heard == [beat(1), news(2, 1), news(3, 2), news(4, 3)]


@scene
async def test_news_is_drawn_once_a_language_and_the_same_bytes_go_to_all(here):
    listeners = [here.listen(phone, language, reads=False)[0]
                 for phone, language in ((1, "en"), (2, "en"), (3, "de"), (4, "de"))]  # fmt: skip
    here.write()
    await settle()

    messages = [[await one.next() for _ in range(2)][1] for one in listeners]

    assert here.store.drawn == [{Want("en", 1), Want("de", 1)}]
    assert messages[0] is messages[1]
    assert messages[2] is messages[3]
    assert (messages[0], messages[2]) == (news(2, 1).encode(), news(2, 1, "de").encode())


@scene
async def test_only_the_table_that_changed_is_told(here):
    _one, heard = here.listen()
    _other, unheard = here.listen(table=OTHER)

    here.write()
    await settle()

    assert (heard, unheard) == ([beat(1), news(2, 1)], [beat(1)])


@scene
async def test_hints_that_come_while_news_is_drawn_are_one(here):
    _listener, heard = here.listen()
    await settle()
    here.store.may_answer.clear()

    here.write()
    await settle()
    for _ in range(4):
        here.write()
        await settle()
    here.store.may_answer.set()
    await settle()

    assert heard == [beat(1), news(2, 1), news(6, 2)]
    assert len(here.store.drawn) == 2


@scene
async def test_a_hint_that_is_doubled_or_late_draws_nothing(here):
    _listener, heard = here.listen()
    here.write()
    await settle()

    here.hub.hear(TABLE, 2)
    here.hub.hear(TABLE, 1)
    here.hub.hear(OTHER, 5)
    await settle()

    assert heard == [beat(1), news(2, 1)]
    assert len(here.store.drawn) == 1


@scene
async def test_who_comes_while_news_is_drawn_is_told_as_well(here):
    _listener, heard = here.listen()
    here.store.may_answer.clear()
    here.write()
    await settle()

    _late, heard_late = here.listen(phone=2, since=None)
    here.store.may_answer.set()
    await settle()

    assert heard == [beat(1), news(2, 1)]
    assert heard_late == [news(2, None)]


@scene
async def test_a_lost_hint_is_healed_by_the_next_look(here):
    _listener, heard = here.listen()

    here.write(hint=False)
    await asyncio.sleep(1.9)
    early = list(heard)
    await asyncio.sleep(0.2)

    assert early == [beat(1)]
    assert heard == [beat(1), news(2, 1)]
    assert here.store.looks == 1


@scene
async def test_all_tables_are_looked_at_in_one_go(here):
    here.listen()
    here.listen(table=OTHER)

    await asyncio.sleep(2.1)

    assert here.store.looks == 1


@scene
async def test_nobody_listens_and_nothing_is_looked_at(here):
    await asyncio.sleep(60)

    assert here.store.looks == 0


@scene
async def test_a_phone_that_was_put_out_is_ended_and_no_other(here):
    out, _heard = here.listen(phone=1)
    stays, _heard = here.listen(phone=2)
    stranger, _heard = here.listen(phone=None)

    here.store.phones.remove(1)
    await asyncio.sleep(2.1)

    assert (out.is_open, stays.is_open, stranger.is_open) == (False, True, True)
    assert await out.next() is None


@scene
async def test_a_table_with_a_new_link_goes_on_with_its_phones_and_ends_all_others(here):
    """News may hold the new link: nobody hears any before it is known who may follow."""
    phone, heard = here.listen(phone=1)
    stranger, never_heard = here.listen(phone=None)
    await settle()
    heard.clear()
    never_heard.clear()

    here.store.key = "new"
    here.write()
    await asyncio.sleep(1.9)
    before_the_look = list(heard), list(never_heard)
    await asyncio.sleep(0.2)

    assert before_the_look == ([], [])
    assert (phone.is_open, stranger.is_open) == (True, False)
    assert len(heard) == 1
    assert never_heard == []


@scene
async def test_a_table_that_is_closed_ends_those_without_a_phone(here):
    phone, _heard = here.listen(phone=1)
    stranger, _heard = here.listen(phone=None)

    here.store.is_open = False
    await asyncio.sleep(2.1)

    assert (phone.is_open, stranger.is_open) == (True, False)


@scene
async def test_a_phone_that_comes_during_a_look_is_not_judged_by_it(here):
    here.listen(phone=1)
    here.store.may_answer.clear()
    await asyncio.sleep(2.1)
    here.store.phones.add(9)

    fresh, _heard = here.listen(phone=9)
    here.store.may_answer.set()
    await settle()

    assert fresh.is_open


@pytest.mark.parametrize("hint", [True, False], ids=["hint", "look"])
def test_a_table_that_is_gone_ends_its_streams(hint):
    async def play():
        async with Scene().running() as here:
            listener, _heard = here.listen()
            del here.store.versions[TABLE]
            if hint:
                here.hub.hear(TABLE, 2)
                await settle()
            else:
                await asyncio.sleep(2.1)
            assert not listener.is_open

    run_fast(play())


@scene
async def test_a_phone_that_reads_nothing_is_given_up_and_holds_up_nobody(here):
    slow, _heard = here.listen(phone=1, reads=False)
    _quick, heard = here.listen(phone=2)

    for _ in range(WAITING_AT_MOST + 3):
        here.write()
        await settle()

    last = WAITING_AT_MOST + 4
    assert not slow.is_open
    assert heard == [beat(1), *(news(version, version - 1) for version in range(2, last + 1))]


@scene
async def test_news_that_could_not_be_drawn_come_with_the_next_look(here):
    _listener, heard = here.listen()
    here.store.fails = 1

    here.write()
    await asyncio.sleep(2.1)

    assert heard == [beat(1), news(2, 1)]


@scene
async def test_a_look_that_failed_is_not_the_last(here):
    _listener, heard = here.listen()
    here.store.fails = 1

    here.write(hint=False)
    await asyncio.sleep(4.1)

    assert heard == [beat(1), news(2, 1)]


def test_no_more_are_taken_than_fit():
    async def play():
        async with Scene(most=2).running() as here:
            first, _heard = here.listen()
            here.listen(phone=2)
            with pytest.raises(Full):
                here.listen(phone=3)
            here.hub.leave(first)
            here.listen(phone=3)

    run_fast(play())


@scene
async def test_the_end_of_the_process_ends_all_and_takes_no_more(here):
    listeners = [here.listen(phone)[0] for phone in (1, 2, 3)]

    here.hub.close()

    assert [one.is_open for one in listeners] == [False] * 3
    with pytest.raises(Full):
        here.listen(phone=4)


@scene
async def test_a_table_that_nobody_listens_to_any_more_is_forgotten(here):
    listener, _heard = here.listen()
    here.hub.leave(listener)

    here.write()
    await asyncio.sleep(2.1)

    assert (here.store.drawn, here.store.looks) == ([], 0)


@pytest.mark.parametrize(
    ("parts", "sent"),
    [
        ("<p>", "id: 3\ndata: <p>\n\n"),
        ("a\nb\r\nc\rd", "id: 3\ndata: a\ndata: b\ndata: c\ndata: d\n\n"),
        ("\n", "id: 3\ndata: \ndata: \n\n"),
        ("ü\u2028 ü", "id: 3\ndata: ü\u2028 ü\n\n"),
    ],
)
def test_text_of_several_lines_is_one_event(parts, sent):
    assert event(3, parts).decode() == sent


def test_a_hint_reaches_the_loop_from_any_thread():
    heard = []

    async def play():
        unsubscribe = bus.subscribe(lambda *hint: heard.append(hint))
        await asyncio.to_thread(bus.publish, 17, 4)
        await asyncio.sleep(0)
        unsubscribe()
        bus.publish(17, 5)
        await asyncio.sleep(0)

    asyncio.run(play())

    assert heard == [(17, 4)]


def test_a_hint_that_nobody_waits_for_goes_nowhere():
    bus.publish(17, 4)


def test_a_hint_for_a_loop_that_has_ended_is_lost_without_a_word():
    ways_out = []

    async def play():
        ways_out.append(bus.subscribe(lambda *_hint: None))

    asyncio.run(play())
    thread = threading.Thread(target=bus.publish, args=(17, 4))
    thread.start()
    thread.join()

    ways_out[0]()
