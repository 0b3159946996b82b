"""Who listens to which table, and when which bytes go to whom.

Lives on the event loop alone and knows neither the store nor HTTP: a ``Reader`` draws what is new,
``stream.py`` sends it. A listener costs no thread and no connection. The version in the store is
the truth; hints only say that it is time to look, and every two seconds the hub looks by itself.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from games import measured

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

LOOK_EVERY = 2.0  # seconds; a lost hint, or a phone that was put out, is noticed so late at most
WAITING_AT_MOST = 16  # messages to one phone; one that lets more pile up is too slow for a stream

logger = logging.getLogger(__name__)


class Want(NamedTuple):
    """What some listeners lack: all that changed after a version (None: everything)."""

    language: str
    since: int | None


class News(NamedTuple):
    """A table's version and key, and the parts for each want; none where nothing is new."""

    version: int
    key: str
    parts: Mapping[Want, str]


class Standing(NamedTuple):
    """What decides whether a listener may stay: a table's version, door, key and phones."""

    version: int
    is_open: bool
    key: str
    phones: AbstractSet[int]

    def admits(self, listener: Listener) -> bool:
        """Whether the door would let this phone stay; a browser without one needs the key."""
        if listener.phone is None:
            return self.is_open and listener.key == self.key
        return listener.phone in self.phones


class Reader(Protocol):
    """Reads the store, away from the event loop."""

    async def draw(self, table: int, wants: AbstractSet[Want]) -> News | None:
        """What is new at a table, drawn once for each want; None if the table is gone."""

    async def look(self, phones: Mapping[int, AbstractSet[int]]) -> Mapping[int, Standing]:
        """How tables stand, those that are gone left out; on which phones somebody listens."""


class Full(Exception):
    """No listener is taken now: there are too many, or the process is about to end."""


class Listener:
    """One phone that listens: what it was told up to, and what waits to be sent to it."""

    __slots__ = ("_waiting", "_woken", "is_open", "key", "language", "phone", "table", "told")

    def __init__(
        self, table: int, phone: int | None, key: str, language: str, since: int | None
    ) -> None:
        self.table = table
        self.phone = phone
        self.key = key
        self.language = language
        self.told = since
        self.is_open = True
        self._waiting: deque[bytes] = deque()
        self._woken: asyncio.Future[None] | None = None

    def put(self, message: bytes) -> None:
        """Let a message wait to be sent; a phone for which too many wait is given up."""
        self._waiting.append(message)
        if len(self._waiting) > WAITING_AT_MOST:
            self.close()
        self._wake()

    def close(self) -> None:
        """End it; what still waits is not sent."""
        self.is_open = False
        self._wake()

    async def next(self) -> bytes | None:
        """The next message to send, as soon as there is one; None once it is closed."""
        while self.is_open and not self._waiting:
            self._woken = asyncio.get_running_loop().create_future()
            await self._woken
        return self._waiting.popleft() if self.is_open else None

    def _wake(self) -> None:
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)


@dataclass(eq=False)
class _Watched:
    """A table somebody listens to. ``version`` is the newest one heard of."""

    version: int
    listeners: set[Listener] = field(default_factory=set)
    telling: asyncio.Task[None] | None = None
    tell_again: bool = False
    heard_at: float | None = None  # when word of news came that nobody has yet

    def behind(self) -> list[Listener]:
        """Those who have not been told everything."""
        return [one for one in self.listeners if one.told is None or one.told < self.version]


class Hub:
    """Tells every listener of a table what changed: every transaction once, in order.

    ``count`` is how many listen now, to whatever table.
    """

    def __init__(self, reader: Reader, *, release: str, most: int) -> None:
        self._reader = reader
        self._release = release
        self._most = most
        self._tables: dict[int, _Watched] = {}
        self.count = 0
        self._is_closed = False

    def join(self, listener: Listener, *, version: int) -> None:
        """Take a listener in, at a table that the door saw at this version.

        What it lacks is on its way from now on; if it lacks nothing, a beat says so. Raises
        ``Full``.
        """
        if self._is_closed or self.count >= self._most:
            raise Full
        self.count += 1
        watched = self._tables.setdefault(listener.table, _Watched(version))
        watched.version = max(watched.version, version)
        watched.listeners.add(listener)
        if listener.told is not None and listener.told > watched.version:
            listener.told = None
        if listener.told == watched.version:
            listener.put(self.beat(listener))
        else:
            self._tell(listener.table)

    def leave(self, listener: Listener) -> None:
        """Forget a listener."""
        self.count -= 1
        watched = self._tables[listener.table]
        watched.listeners.remove(listener)
        if not watched.listeners:
            del self._tables[listener.table]

    def hear(self, table: int, version: int) -> None:
        """Take a hint: this table has changed, up to this version."""
        watched = self._tables.get(table)
        if watched is not None and version > watched.version:
            watched.version = version
            watched.heard_at = watched.heard_at or asyncio.get_running_loop().time()
            self._tell(table)

    def beat(self, listener: Listener) -> bytes:
        """A sign of life, with the version the table has and the release that answers."""
        says = {"version": self._tables[listener.table].version, "release": self._release}
        return b"event: beat\ndata: %s\n\n" % json.dumps(says).encode()

    async def run(self) -> None:
        """Look after the tables for as long as the process lives."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                await self.look()
            except Exception:
                logger.exception("The watched tables could not be looked at")

    async def look(self) -> None:
        """Ask the store once about all watched tables: heal lost hints, end who may not stay."""
        asked = {table: list(watched.listeners) for table, watched in self._tables.items()}
        if not asked:
            return
        standings = await self._reader.look(
            {table: {one.phone for one in those if one.phone} for table, those in asked.items()}
        )
        for table, listeners in asked.items():
            standing = standings.get(table)
            for listener in listeners:  # only those of before: the store may not show the others
                if standing is None or not standing.admits(listener):
                    listener.close()
                else:
                    listener.key = standing.key
            watched = self._tables.get(table)
            if standing is not None and watched is not None:
                watched.version = max(watched.version, standing.version)
                if watched.behind():
                    self._tell(table)

    def close(self) -> None:
        """End every stream, and take no more."""
        self._is_closed = True
        for watched in self._tables.values():
            _end(watched.listeners)

    def _tell(self, table: int) -> None:
        """See to it that a table's listeners are told; hints that come meanwhile are one."""
        watched = self._tables[table]
        if watched.telling is None:
            watched.telling = asyncio.create_task(self._tell_all(table, watched))
        else:
            watched.tell_again = True

    async def _tell_all(self, table: int, watched: _Watched) -> None:
        try:
            watched.tell_again = True
            while watched.tell_again:
                watched.tell_again = False
                await self._tell_once(table, watched)
        except Exception:
            logger.exception("News could not be drawn; the next look tries again")
        finally:
            watched.telling = None

    async def _tell_once(self, table: int, watched: _Watched) -> None:
        lacking: dict[Want, list[Listener]] = {}
        for listener in watched.behind():
            lacking.setdefault(Want(listener.language, listener.told), []).append(listener)
        if not lacking:
            return
        heard_at, watched.heard_at = watched.heard_at, None
        news = await self._reader.draw(table, lacking.keys())
        if news is None:
            _end(watched.listeners)
            return
        watched.version = max(watched.version, news.version)
        for want, listeners in lacking.items():
            parts = news.parts.get(want)
            message = None if parts is None else event(news.version, parts)
            for listener in listeners:
                if listener.key != news.key:
                    continue  # the table has a new link: a look says first who may follow
                listener.told = news.version
                if listener in watched.listeners:
                    listener.put(message or self.beat(listener))
        _note_lag(heard_at)


def _note_lag(heard_at: float | None) -> None:
    if heard_at is not None:
        measured.HUB_LAG.observe(asyncio.get_running_loop().time() - heard_at)


def _end(listeners: Iterable[Listener]) -> None:
    for listener in listeners:
        listener.close()


def event(version: int, parts: str) -> bytes:
    """One event of a stream: its id, and text of any number of lines."""
    lines = re.split("\r\n|\r|\n", parts)
    return "".join([f"id: {version}\n", *(f"data: {line}\n" for line in lines), "\n"]).encode()
