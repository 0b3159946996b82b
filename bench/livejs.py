"""How a page's script comes back to its stream, without the page: ``static/js/live.js`` in Python.

Each phone of a table has a processor of its own; forty browsers on the machine that is measured
would take it from the server. The waiting times are read from the script itself.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from dataclasses import dataclass

from bench import wire
from bench.sheets import Sheet, request
from tests.serving import ROOT

SCRIPT = ROOT / "static" / "js" / "live.js"
PROBES = re.compile(r"TIMES\.probe \* \(([\d.]+) \+ Math\.random\(\) \* ([\d.]+)\)")


@dataclass(frozen=True)
class Times:
    """What live.js waits, in seconds: from a least to a most, at random."""

    poll: float  # the next poll, while there is no stream
    probe: tuple[float, float]  # the next poll, while there is no answer either
    retry_least: float  # the next try of the stream
    retry_first: float
    retry_most: float

    @classmethod
    def of_the_script(cls) -> Times:
        """As they stand in the script. Raises ``ValueError`` when they do not."""
        text = SCRIPT.read_text()
        random_part = PROBES.search(text)
        if random_part is None:
            raise ValueError(f"{SCRIPT.name} waits for its next poll in another way now")
        least, more = map(float, random_part.groups())
        probe = _seconds(text, "probe")
        return cls(
            poll=_seconds(text, "poll"),
            probe=(probe * least, probe * (least + more)),
            retry_least=_seconds(text, "retryLeast"),
            retry_first=_seconds(text, "retryFirst"),
            retry_most=_seconds(text, "retryMost"),
        )


def _seconds(text: str, name: str) -> float:
    found = re.search(rf"\b{name}: (\d+)[,\s]", text)
    if found is None:
        raise ValueError(f"{SCRIPT.name} has no time {name!r} any more")
    return int(found[1]) / 1000


class LivePage:
    """One page: its stream, its polls, and what it does when the stream breaks.

    After ``miss`` was called, ``caught_up`` is when it had what it missed, ``asked`` when it asked
    for the stream that it got.
    """

    def __init__(self, port: int, sheet: Sheet, token: str, times: Times) -> None:
        self._port = port
        self._sheet = sheet
        self._token = token
        self._times = times
        self._stream: asyncio.Task[None] | None = None
        self._polls: set[asyncio.Task[None]] = set()
        self._retry: asyncio.TimerHandle | None = None
        self._next: asyncio.TimerHandle | None = None
        self._retries = 0
        self._is_gone = False
        self.opened = asyncio.Event()
        self.caught_up: float | None = None
        self.asked: float | None = None
        self._misses = False

    def miss(self) -> None:
        """From now on something happens that it is not told."""
        self._misses = True
        self.opened.clear()

    def connect(self) -> None:
        """Open the stream, unless there is one."""
        _stop(self._retry)
        if self._stream is None:
            self._stream = asyncio.create_task(self._listen())

    def close(self) -> None:
        """End it."""
        _stop(self._retry)
        _stop(self._next)
        for task in (self._stream, *self._polls):
            if task is not None:
                task.cancel()

    async def _listen(self) -> None:
        asked = time.monotonic()
        try:
            listener = await wire.listen(self._port, self._sheet.listen(self._token))
        except OSError:
            self._lost()
            return
        self._retries, self._is_gone = 0, False
        _stop(self._next)
        self.asked = asked
        if listener.heard:
            self._caught_up()
        self.opened.set()
        try:
            await listener.ended
        finally:
            listener.close()
        self._lost()

    def _lost(self) -> None:
        self._stream = None
        times = self._times
        most = min(times.retry_first * 2**self._retries, times.retry_most)
        self._retries += 1
        wait = random.uniform(times.retry_least, most)  # noqa: S311 - as Math.random does
        self._retry = asyncio.get_running_loop().call_later(wait, self.connect)
        self._poll()

    def _poll(self) -> None:
        _stop(self._next)
        wait = random.uniform(*self._times.probe)  # noqa: S311 - as Math.random does
        self._next = asyncio.get_running_loop().call_later(wait, self._poll)
        task = asyncio.create_task(self._ask())
        self._polls.add(task)
        task.add_done_callback(self._polls.discard)

    async def _ask(self) -> None:
        path = f"/t/{self._sheet.key}/m/1/changes/?since={self._sheet.version}"
        try:
            answer = await wire.ask(self._port, request(f"GET {path}", token=self._token))
        except OSError:
            self._is_gone = True
            return
        if answer.status == wire.OK:
            self._caught_up()
        if self._stream is None and (self._is_gone or not self._retries):
            self._retries = 0
            self.connect()
        self._is_gone = False
        _stop(self._next)
        if not self.opened.is_set():
            self._next = asyncio.get_running_loop().call_later(self._times.poll, self._poll)

    def _caught_up(self) -> None:
        if self._misses and self.caught_up is None:
            self.caught_up = time.monotonic()


def _stop(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
