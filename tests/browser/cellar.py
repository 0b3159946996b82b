"""A cellar between a phone and the server: a TCP proxy that loses the signal the way a pub does.

``pass``: everything goes through. ``delay``: each piece takes so long. ``black hole``: connections
are taken and stay open, and nothing comes through any of them, ever. ``cut``: every connection is
closed, new ones too. ``reset``: the same by RST. ``lose answers``: what is asked reaches the
server, what it answers never comes back. A connection that met a black hole or lost an answer stays
dead when the signal is back; with ``keeps`` it thaws, and what was sent into it arrives late.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

CHUNK = 65536
RST = struct.pack("ii", 1, 0)  # SO_LINGER on, for no time


class Asked(NamedTuple):
    """One request that a phone sent: when, and its first line without the protocol."""

    at: float
    line: str


@dataclass
class Weather:
    """What the cellar does to those connections whose last request's path begins with ``only``."""

    mode: str = "pass"
    seconds: float = 0
    only: str = ""
    keeps: bool = False


class Line:
    """One connection of a phone."""

    def __init__(
        self, cellar: Cellar, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.cellar = cellar
        self.reader = reader
        self.writer = writer
        self.upstream: asyncio.StreamWriter | None = None
        self.path = ""
        self.is_dead = False

    @property
    def weather(self) -> Weather:
        """What holds for this connection now."""
        weather = self.cellar.weather
        return weather if self.path.startswith(weather.only) else Weather()

    async def run(self) -> None:
        """Carry bytes both ways until one end closes."""
        if self.weather.mode in {"cut", "reset"}:
            self.end()
            return
        upstream_reader, self.upstream = await asyncio.open_connection(
            "127.0.0.1", self.cellar.upstream_port
        )
        ways = [
            asyncio.ensure_future(self.carry(self.reader, self.upstream, is_answer=False)),
            asyncio.ensure_future(self.carry(upstream_reader, self.writer, is_answer=True)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            self.end()

    async def carry(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, is_answer: bool
    ) -> None:
        """Carry bytes one way, as the weather allows."""
        with suppress(OSError):
            while chunk := await source.read(CHUNK):
                if not is_answer:
                    self.note(chunk)
                if self.weather.mode in {"cut", "reset"}:
                    self.end()
                    return
                if not await self.comes_through(is_answer=is_answer):
                    continue
                target.write(chunk)
                await target.drain()
            if is_answer and self.is_dead:  # nobody hears that the server has closed
                await asyncio.Event().wait()

    def note(self, chunk: bytes) -> None:
        """Remember what is asked."""
        line = chunk.split(b"\r\n", 1)[0]
        method, _, rest = line.partition(b" ")
        if method in {b"GET", b"POST", b"HEAD"} and rest.endswith(b"HTTP/1.1"):
            self.path = rest.split(b" ")[0].decode()
            asked = Asked(time.monotonic(), f"{method.decode()} {self.path}")
            self.cellar.asked.append(asked)

    async def comes_through(self, *, is_answer: bool) -> bool:
        """Wait as long as the weather wants; whether these bytes ever arrive."""
        if self.is_dead:
            return False
        if self.weather.mode == "delay":
            await asyncio.sleep(self.weather.seconds)
        while self.is_lost(is_answer=is_answer) and self.weather.keeps:
            await self.cellar.thawed.wait()
        if self.is_lost(is_answer=is_answer):
            self.is_dead = True
        return not self.is_dead

    def is_lost(self, *, is_answer: bool) -> bool:
        """Whether nothing comes through this way now."""
        mode = self.weather.mode
        return mode == "black hole" or (mode == "lose answers" and is_answer)

    def end(self) -> None:
        """Close both ends, or reset the phone's."""
        if self.weather.mode == "reset":
            sock = self.writer.get_extra_info("socket")
            with suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RST)
        for writer in (self.writer, self.upstream):
            if writer is not None:
                if self.weather.mode == "reset":
                    writer.transport.abort()
                else:
                    writer.close()


class Cellar:
    """The proxy. Its thread does the carrying; the test's thread changes the weather."""

    def __init__(self, upstream_port: int) -> None:
        self.upstream_port = upstream_port
        self.weather = Weather()
        self.thawed = asyncio.Event()
        self.asked: list[Asked] = []
        self.lines: set[Line] = set()
        self.port = 0
        self._server: asyncio.Server | None = None
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()
        assert self._ready.wait(10)

    @property
    def url(self) -> str:
        """Where phones in the cellar find the server."""
        return f"http://127.0.0.1:{self.port}"

    def signal(self) -> None:
        """The signal is back, for new connections and those that were left alone."""
        self._change(Weather())

    def delay(self, seconds: float) -> None:
        """Every piece takes so long, each way."""
        self._change(Weather("delay", seconds))

    def black_hole(self, only: str = "", *, keeps: bool = False) -> None:
        """Connections stay open and carry nothing."""
        self._change(Weather("black hole", only=only, keeps=keeps))

    def lose_answers(self, only: str = "", *, keeps: bool = False) -> None:
        """Requests arrive, answers do not."""
        self._change(Weather("lose answers", only=only, keeps=keeps))

    def cut(self, only: str = "") -> None:
        """Close what is open, and whatever comes."""
        self._change(Weather("cut", only=only))

    def reset(self, only: str = "") -> None:
        """The same with RST."""
        self._change(Weather("reset", only=only))

    def cut_once(self) -> None:
        """Close what is open; new connections work."""
        self.cut()
        self.signal()

    def asked_for(self, part: str, since: float = 0) -> list[Asked]:
        """The requests whose first line holds this text, from a moment on."""
        return [one for one in list(self.asked) if part in one.line and one.at >= since]

    def close(self) -> None:
        """Take the proxy away."""
        self._do(self._closed())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _closed(self) -> None:
        assert self._server is not None
        self._server.close()
        self.weather = Weather("reset")
        for line in list(self.lines):
            line.end()
        while self.lines:  # noqa: ASYNC110 - at the end of a test nobody needs to be told
            await asyncio.sleep(0.02)

    def _change(self, weather: Weather) -> None:
        self._do(self._changed(weather))

    async def _changed(self, weather: Weather) -> None:
        self.weather = weather
        self.thawed.set()
        if weather.keeps:
            self.thawed = asyncio.Event()
        for line in list(self.lines):
            if line.weather.mode in {"cut", "reset"}:
                line.end()
            elif line.weather.mode == "black hole" and not weather.keeps:
                line.is_dead = True

    def _do(self, task: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(task, self._loop).result(10)

    def _live(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._server = self._loop.run_until_complete(
            asyncio.start_server(self._take, "127.0.0.1", 0, backlog=200)
        )
        self.port = self._server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        for _ in range(3):  # let what was aborted say goodbye
            self._loop.run_until_complete(asyncio.sleep(0.01))

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = Line(self, reader, writer)
        self.lines.add(line)
        try:
            await line.run()
        except OSError:
            line.end()
        finally:
            self.lines.discard(line)
