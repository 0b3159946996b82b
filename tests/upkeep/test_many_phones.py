"""A thousand phones come to one table at once."""

from __future__ import annotations

import asyncio
import re
import resource

import pytest

from scoresheet.openfiles import streams_at_most
from tests.serving import OwnServer, Server
from tests.streams import Phone

PHONES = 1000
SECONDS_FOR_ALL = 150
EVENT = b"\ndata: "

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def running(store):
    taken = OwnServer(store)
    yield Server(taken.url, store, taken.log)
    taken.stop()


async def come(port, key, news):
    """Load the page, and then listen until the number has come that is written meanwhile."""
    status, page = await ask(port, f"/t/{key}/m/1/")
    (since,) = re.findall(r'data-sheet[^>]* data-version="(\d+)"', page.decode())
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"GET /live/{key}/?since={since} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        await reader.readuntil(b"event: beat")
        news.release()
        told = await reader.readuntil(b'data-value="17"')
    finally:
        writer.close()
        await writer.wait_closed()
    return status, told.count(EVENT) > 0


async def ask(port, path):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
        )
        answer = await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()
    return int(answer.split()[1]), answer


async def all_come(host):
    port = int(host.server.url.rpartition(":")[2])
    listening = asyncio.Semaphore(0)
    async with asyncio.timeout(SECONDS_FOR_ALL), asyncio.TaskGroup() as group:
        phones = [group.create_task(come(port, host.key, listening)) for _ in range(PHONES)]
        for _ in range(PHONES):
            await listening.acquire()
        assert await asyncio.to_thread(host.write, 1, "0", 17) == 303
    return {phone.result() for phone in phones}


def test_a_thousand_phones_that_come_at_once_all_get_in_and_hear_the_next_number(running):
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert streams_at_most(PHONES) == PHONES
    host = Phone(running).start_table("schafkopf", free_numbers="on", line="none")

    try:
        came = asyncio.run(all_come(host))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)

    assert came == {(200, True)}
    assert Phone(running).look_at(host).ask("GET", f"/t/{host.key}/m/1/")[0].status == 200
    assert "Traceback" not in running.log.read_text()
