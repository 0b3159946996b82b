"""Hints between processes, and wrong codes that all of them count: with a real Redis."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack, closing
from typing import ClassVar

import pytest
from redis import Redis
from redis.asyncio import Redis as AsyncRedis

from games import bus, limits
from games.relay import Relay
from tests import grown
from tests.serving import REDIS, free_port

pytestmark = pytest.mark.grown

PATIENCE = 20  # seconds, for what takes a moment


class Process:
    """What another process would have: a relay, and what it has heard."""

    running_now: ClassVar[set[asyncio.Task[None]]] = set()

    def __init__(self, url=REDIS, channel="test"):
        self.heard: list[tuple[int, int]] = []
        self.relay = Relay(url, channel, lambda *hint: self.heard.append(hint))
        self.running = asyncio.create_task(self.relay.run())
        self.running_now.add(self.running)

    async def hears(self, hint, *, says=None):
        """Wait until it has heard a hint, which somebody may say again and again meanwhile."""
        async with asyncio.timeout(PATIENCE):
            while hint not in self.heard:
                if says is not None:
                    says.relay.send(*hint)
                await asyncio.sleep(0.01)


def played(play):
    """What a scene comes to; all its processes end in good order, each told so once."""

    async def whole():
        try:
            return await play()
        finally:
            for running in Process.running_now:
                running.cancel()
            Process.running_now.clear()
            if others := asyncio.all_tasks() - {asyncio.current_task()}:
                await asyncio.wait(others, timeout=PATIENCE)

    return asyncio.run(whole())


async def both_hear(one, other):
    """Two processes that are connected."""
    await one.hears((1, 1), says=other)
    await other.hears((2, 1), says=one)


def test_a_hint_reaches_the_other_processes_of_a_site_and_of_no_other():
    async def play():
        one, other, foreign = Process(), Process(), Process(channel="another site")
        await both_hear(one, other)
        await foreign.hears((3, 1), says=foreign)

        one.relay.send(17, 4)

        await other.hears((17, 4))
        return foreign.heard

    assert {hint for hint in played(play) if hint != (3, 1)} == set()


def test_of_hints_that_wait_the_newest_of_a_table_is_sent():
    async def play():
        one, other = Process(), Process()
        await both_hear(one, other)
        for hint in ((17, 4), (18, 1), (17, 6), (17, 5)):
            one.relay.send(*hint)
        await other.hears((18, 1))
        await other.hears((17, 6))
        return other.heard

    assert [hint for hint in played(play) if hint[0] > 2] == [(17, 6), (18, 1)]


def test_what_is_no_hint_is_not_heard():
    async def play():
        one = Process()
        await one.hears((1, 1), says=one)
        async with AsyncRedis.from_url(REDIS) as redis:
            for text in (b"", b"17", b"17 -1", b"17 4 4", b"\xff 1", b"9" * 40 + b" 1", b"17 5"):
                await redis.publish("test", text)
        await one.hears((17, 5))
        return one.heard

    assert [hint for hint in played(play) if hint != (1, 1)] == [(17, 5)]


def test_when_redis_comes_back_hints_come_again():
    port = free_port()
    url = f"redis://127.0.0.1:{port}/0"

    async def play():
        one, other = Process(url), Process(url)
        for table in (1, 2):  # first there is none, then it goes and comes back
            one.relay.send(99, 1)
            await asyncio.sleep(0.3)
            with ExitStack() as stack:
                await asyncio.to_thread(stack.enter_context, grown.Redis(port))
                await other.hears((table, 1), says=one)
                await one.hears((table, 2), says=other)
        assert not one.running.done()
        assert not other.running.done()

    played(play)


def test_a_verb_tells_this_process_at_once_whatever_redis_does(settings):
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:  # takes calls, never answers
        settings.REDIS_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        heard = []

        async def play():
            leave = bus.subscribe(lambda *hint: heard.append(hint))
            await asyncio.sleep(0.1)
            bus.publish(17, 4)
            await asyncio.sleep(0)
            leave()
            bus.publish(17, 5)
            await asyncio.sleep(0)

        played(play)

    assert heard == [(17, 4)]


def test_a_verb_tells_other_processes_through_the_bus(settings):
    settings.REDIS_URL = REDIS

    async def play():
        other = Process(channel=f"{settings.REDIS_PREFIX}:hints")
        await other.hears((1, 1), says=other)
        leave = bus.subscribe(lambda *_hint: None)
        while (17, 4) not in other.heard:
            await asyncio.to_thread(bus.publish, 17, 4)
            await asyncio.sleep(0.01)
        leave()

    played(lambda: asyncio.wait_for(play(), PATIENCE))


def hit(counts):
    return counts.ask(lambda limiter: limiter.hit(limits.WRONG_PER_ADDRESS, "codes", "1.2.3.4"))


def test_wrong_codes_are_counted_by_all_processes_together():
    one, other = limits.Counts(REDIS), limits.Counts(REDIS)
    one.forget_all()

    taken = [hit(counts) for counts in (one, other) * 10]

    assert taken == [True] * 20
    assert (hit(one), hit(other)) == (False, False)
    one.forget_all()
    assert hit(other)


def test_what_is_counted_is_forgotten_by_redis_itself(settings):
    counts = limits.Counts(REDIS)
    counts.forget_all()
    hit(counts)

    with Redis.from_url(REDIS) as redis:
        names = redis.keys(f"{settings.REDIS_PREFIX}:limits*")
        assert [0 < redis.ttl(name) <= 601 for name in names] == [True]


@pytest.mark.parametrize("is_silent", [True, False])
def test_without_redis_each_process_counts_for_itself(is_silent, caplog):
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1] if is_silent else free_port()
        counts = limits.Counts(f"redis://127.0.0.1:{port}/0")

        taken = [hit(counts) for _ in range(21)]

    assert taken == [True] * 20 + [False]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
