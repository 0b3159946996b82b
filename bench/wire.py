"""Phones on the wire: cheap enough that thousands of them leave the processor to the server.

Plain protocols on sockets, no HTTP library. What is measured is noted the moment bytes arrive and
read later.
"""

from __future__ import annotations

import asyncio
import gzip
import re
import resource
import socket
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar, cast

import brotli
import uvloop

Found = TypeVar("Found")
UNPACK = {b"gzip": gzip.decompress, b"br": brotli.decompress}

HOST = "127.0.0.1"
OK = 200
CHUNK = 65536
OPENING = 64  # streams that are being opened at once
SECONDS_TO_OPEN = 30
SECONDS_TO_ANSWER = 30
END_OF_EVENT = b"\n\n\r\n"  # of an event, and of the chunk it came in
VERSION = re.compile(rb"^id: (\d+)$", re.MULTILINE)
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding: chunked", re.IGNORECASE)
TIMER = 0.0015  # seconds by which a timer of the loop may come late
BESIDE_STREAMS = 200  # files this process has open besides


class Answer:
    """What came back for a request."""

    def __init__(self, received: bytes) -> None:
        self.head, _, self._body = received.partition(b"\r\n\r\n")

    @property
    def status(self) -> int:
        """The status: 200 and so on."""
        return int(self.head.split(b" ", 2)[1])

    @property
    def size(self) -> int:
        """Bytes of head and body as they were on the wire."""
        return len(self.head) + 4 + len(self._body)

    @property
    def body(self) -> bytes:
        """The body, unpacked."""
        packed = re.search(rb"\r\ncontent-encoding: (gzip|br)", self.head.lower())
        return UNPACK[packed[1]](self._body) if packed else self._body


class Line(asyncio.Protocol):
    """A connection on which one request is asked after the other."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._received = b""
        self._answer: asyncio.Future[Answer] | None = None

    @classmethod
    async def open(cls, port: int) -> Line:
        """A new connection. Raises ``OSError``."""
        loop = asyncio.get_running_loop()
        _transport, line = await loop.create_connection(cls, HOST, port)
        return line

    async def ask(self, request: bytes) -> Answer:
        """Send a request and wait for all of its answer. Raises ``OSError``."""
        if self._transport is None or self._transport.is_closing():
            raise ConnectionResetError
        self._received = b""
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def close(self) -> None:
        """Close it at once."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to write to."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is none by name

    def data_received(self, data: bytes) -> None:
        """Wait until the answer is complete."""
        self._received += data
        if self._answer is not None and not self._answer.done() and _is_whole(self._received):
            self._answer.set_result(Answer(self._received))

    def connection_lost(self, _error: Exception | None) -> None:
        """Tell whoever still waits."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionResetError())


def _is_whole(received: bytes) -> bool:
    """Whether an answer is complete, by its own word: its length, or a last chunk."""
    head, end, body = received.partition(b"\r\n\r\n")
    if not end:
        return False
    if CHUNKED.search(head):
        return body.endswith(b"0\r\n\r\n")
    length = LENGTH.search(head)
    return len(body) >= (int(length[1]) if length else 0)


def ask_now(port: int, request: bytes) -> Answer:
    """Ask where no event loop runs. Raises ``OSError``."""
    received = b""
    with socket.create_connection((HOST, port), SECONDS_TO_ANSWER) as line:
        line.sendall(request)
        while not _is_whole(received):
            chunk = line.recv(CHUNK)
            if not chunk:
                raise ConnectionResetError
            received += chunk
    return Answer(received)


async def ask(port: int, request: bytes) -> Answer:
    """Ask on a connection of its own, as a phone that writes now and then does."""
    async with asyncio.timeout(SECONDS_TO_ANSWER):
        line = await Line.open(port)
        try:
            return await line.ask(request)
        finally:
            line.close()


class Listener(asyncio.Protocol):
    """A phone that listens to the stream of its table.

    ``heard`` is what it was told and when: the versions in order, with the time at which the last
    byte of each had come.
    """

    __slots__ = ("_received", "_request", "_transport", "ended", "heard", "opened")

    def __init__(self, request: bytes) -> None:
        loop = asyncio.get_running_loop()
        self._request = request
        self._received = b""
        self._transport: asyncio.Transport | None = None
        self.heard: list[tuple[int, float]] = []
        self.opened: asyncio.Future[None] = loop.create_future()
        self.ended: asyncio.Future[float] = loop.create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Note what came, as soon as it is whole."""
        now = time.monotonic()
        received = self._received + data if self._received else data
        if not received.endswith(END_OF_EVENT):
            self._received = received
            return
        self._received = b""
        for version in VERSION.findall(received):
            self.heard.append((int(version), now))
        if not self.opened.done() and (self.heard or b"event: beat" in received):
            self.opened.set_result(None)

    def connection_lost(self, _error: Exception | None) -> None:
        """Note that it ended, and when."""
        if not self.opened.done():
            self.opened.set_exception(ConnectionResetError(self._received[:100]))
        if not self.ended.done():
            self.ended.set_result(time.monotonic())

    def close(self) -> None:
        """Close it at once."""
        if self._transport is not None:
            self._transport.abort()


async def listen(port: int, request: bytes) -> Listener:
    """Open a stream and wait for its first word. Raises ``OSError``."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(SECONDS_TO_OPEN):
        _transport, listener = await loop.create_connection(lambda: Listener(request), HOST, port)
        await listener.opened
    return listener


@asynccontextmanager
async def listening(port: int, requests: Sequence[bytes]) -> AsyncIterator[list[Listener]]:
    """Open many streams, a few at once, and close them at the end of the block."""
    turns = asyncio.Semaphore(OPENING)
    listeners: list[Listener] = []

    async def open_one(request: bytes) -> Listener:
        async with turns:
            listener = await listen(port, request)
        listeners.append(listener)
        return listener

    try:
        async with asyncio.TaskGroup() as opening:
            tasks = [opening.create_task(open_one(request)) for request in requests]
        yield [task.result() for task in tasks]
    finally:
        for listener in listeners:
            listener.close()
        await asyncio.gather(*(listener.ended for listener in listeners))


async def until(moment: float) -> None:
    """Sleep until a moment of the monotonic clock, more exactly than the loop's timers do."""
    await asyncio.sleep(max(0.0, moment - time.monotonic() - TIMER))
    while time.monotonic() < moment:  # noqa: ASYNC110 - a clock sets no event
        await asyncio.sleep(0)


def run(task: Coroutine[Any, Any, Found]) -> Found:
    """Run a task on a quick event loop."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(task)


def open_files_at_most() -> int:
    """How many streams this process can open; raises its own limit as far as it may."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard - BESIDE_STREAMS
