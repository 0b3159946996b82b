"""The stream: what changes at a table, sent to a phone for as long as it listens.

A plain ASGI endpoint on the event loop. Through Django each open stream would hold a thread; here
it is two small tasks, and the store is read in a few threads that all streams share.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple, Protocol

from django.conf import settings
from django.core.exceptions import DisallowedHost, PermissionDenied
from django.core.handlers.asgi import ASGIRequest
from django.db import OperationalError, close_old_connections, transaction
from django.http import Http404
from django.utils import timezone, translation
from starlette.responses import PlainTextResponse

from games import access, bus, posted
from games.drawn import draw_newest
from games.hub import Full, Hub, Listener, News, Reader, Standing, Want
from games.models import Phone, Table

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from collections.abc import Set as AbstractSet
    from datetime import datetime
    from typing import TypeVar

    from starlette.types import Receive, Scope, Send

    Found = TypeVar("Found")

THREADS = 2  # that read the store for all streams
BEAT_EVERY = 10.0  # seconds
SECONDS_TO_SEND = 20.0  # a phone that takes nothing for so long is given up
RETRY = b"retry: 5000\n\n"  # milliseconds; for browsers, the page's script has its own times
HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}

logger = logging.getLogger(__name__)


class Entered(NamedTuple):
    """Who came through the door of which table, at which version, and what it has already."""

    table: int
    phone: int | None
    key: str
    version: int
    language: str
    since: int | None


class Refused(Exception):
    """No stream: the status and the words to answer with."""

    def __init__(self, status: int, say: str) -> None:
        super().__init__(say)
        self.status = status
        self.say = say


class Store(Reader, Protocol):
    """What the endpoint and its hub read, away from the event loop."""

    async def enter(self, request: ASGIRequest, key: str) -> Entered:
        """Open the door of a table. Raises ``Refused``."""


class StoreReader:
    """Reads the store for the hub, in threads of its own with a connection each."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "stream")

    async def enter(self, request: ASGIRequest, key: str) -> Entered:
        """Open the door of a table, as the pages do. Raises ``Refused``."""
        return await self._read(lambda: enter(request, key))

    async def draw(self, table: int, wants: AbstractSet[Want]) -> News | None:
        """What is new at a table for each want."""
        return await self._read(lambda: draw(table, wants))

    async def look(self, phones: Mapping[int, AbstractSet[int]]) -> Mapping[int, Standing]:
        """How the watched tables stand."""
        return await self._read(lambda: look(phones))

    async def _read(self, read: Callable[[], Found]) -> Found:
        return await asyncio.get_running_loop().run_in_executor(self._threads, _connected, read)


class Live:
    """The endpoint ``/live/<key>/``."""

    def __init__(self, reader: Store, *, most: int) -> None:
        self._reader = reader
        self.hub = Hub(reader, release=settings.RELEASE, most=most)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Hear of changes and look after the streams for as long as the server runs."""
        unsubscribe = bus.subscribe(self.hub.hear)
        looking = asyncio.create_task(self.hub.run())
        try:
            yield
        finally:
            unsubscribe()
            looking.cancel()
            self.hub.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request: with a stream, or in plain words why there is none."""
        try:
            listener = await self._let_in(scope)
        except Refused as refused:
            headers = {"Cache-Control": "no-store"}
            response = PlainTextResponse(refused.say, refused.status, headers=headers)
            await response(scope, receive, send)
            return
        gone = asyncio.create_task(_close_when_gone(receive, listener))
        try:
            await self._send_all(listener, send)
        finally:
            self.hub.leave(listener)
            gone.cancel()

    async def _let_in(self, scope: Scope) -> Listener:
        if scope["method"] != "GET":
            raise Refused(405, "A stream is only read.")
        if settings.SECURE_SSL_REDIRECT and scope["scheme"] != "https":
            raise Refused(403, "This site is read by https.")
        try:
            request = ASGIRequest(scope, BytesIO())
        except UnicodeDecodeError:
            raise Refused(400, "This address cannot be read.") from None
        try:
            entered = await self._reader.enter(request, scope["path_params"]["key"])
        except OperationalError:
            logger.warning("The store cannot be read now; a phone has to try its stream again")
            raise Refused(503, "The score sheets cannot be reached just now.") from None
        listener = Listener(
            entered.table, entered.phone, entered.key, entered.language, entered.since
        )
        try:
            self.hub.join(listener, version=entered.version)
        except Full:
            raise Refused(503, "Too many phones listen already.") from None
        return listener

    async def _send_all(self, listener: Listener, send: Send) -> None:
        headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await _send(send, RETRY)
        next_beat = asyncio.get_running_loop().time() + BEAT_EVERY
        while listener.is_open:
            try:
                async with asyncio.timeout_at(next_beat):
                    message = await listener.next()
            except TimeoutError:
                message = self.hub.beat(listener)
                next_beat += BEAT_EVERY
            if message is None:
                break
            try:
                await _send(send, message)
            except TimeoutError:
                logger.info("A phone that reads too slowly was dropped from its stream")
                return
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _send(send: Send, message: bytes) -> None:
    async with asyncio.timeout(SECONDS_TO_SEND):
        await send({"type": "http.response.body", "body": message, "more_body": True})


async def _close_when_gone(receive: Receive, listener: Listener) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.close()


def enter(request: ASGIRequest, key: str) -> Entered:
    """The door, the language and the version of one request. Raises ``Refused``."""
    language = translation.get_language_from_request(request)
    with translation.override(language):
        try:
            request.get_host()
            visitor = _visit(request, key)
        except DisallowedHost:
            raise Refused(400, "This site has another name.") from None
        except Http404 as unknown:
            raise Refused(404, str(unknown)) from None
        except PermissionDenied as closed:
            raise Refused(403, str(closed)) from None
    known = (request.GET.get("since", ""), request.headers.get("Last-Event-ID", ""))
    versions = [version for text in known if (version := posted.version(text)) is not None]
    return Entered(
        table=visitor.table.pk,
        phone=visitor.phone.pk if visitor.phone else None,
        key=visitor.table.key,
        version=visitor.table.version,
        language=language,
        since=max(versions, default=None),
    )


def _visit(request: ASGIRequest, key: str) -> access.Visitor:
    """The door; a phone of the table may come by an old address too."""
    try:
        return access.visit(request, key)
    except access.Moved as moved:
        return moved.visitor


def draw(table_id: int, wants: AbstractSet[Want]) -> News | None:
    """What changed in the newest match of a table, for each want; None if the table is no more."""
    try:
        return _draw(table_id, wants)
    except (access.ReadAnew, access.TableDeleted):  # it changed while it was read
        return _draw(table_id, wants)


def _draw(table_id: int, wants: AbstractSet[Want]) -> News | None:
    table = access.table_of(table_id)
    if table is None:
        return None
    parts = {}
    for want in wants:
        since = want.since
        if since == table.version:
            continue
        if since is not None and not table.match_removed_version <= since < table.version:
            since = None  # a match was taken back: the newest one is another than it was
        with translation.override(want.language):
            parts[want] = draw_newest(table).parts(since)
    return News(table.version, table.key, parts)


def look(phones: Mapping[int, AbstractSet[int]]) -> dict[int, Standing]:
    """How tables stand: one query. Notes that the phones which listen are there."""
    standings: dict[int, tuple[int, bool, str, set[int]]] = {}
    unseen = set()
    now = timezone.now()
    rows = Table.objects.filter(pk__in=phones).values_list(
        "pk", "version", "is_open", "key", "phones__pk", "phones__seen_at"
    )
    for table, version, is_open, key, phone, seen_at in rows:
        standings.setdefault(table, (version, is_open, key, set()))[3].add(phone)
        if phone in phones[table] and access.is_long_ago(seen_at, now):
            unseen.add(phone)
    if unseen:
        with suppress(*access.CANNOT_BE_WRITTEN):  # the next look notes it
            _note_seen(unseen, now)
    return {table: Standing(*standing) for table, standing in standings.items()}


@transaction.atomic
def _note_seen(phones: AbstractSet[int], now: datetime) -> None:
    """Note that phones are there. Waits for none that somebody writes on, so it stops nobody."""
    free = Phone.objects.select_for_update(skip_locked=True).filter(pk__in=phones)
    Phone.objects.filter(pk__in=free.values("pk")).update(seen_at=now)


def _connected(read: Callable[[], Found]) -> Found:
    """Read with a connection that is fit for it, as Django has it around every request."""
    close_old_connections()
    try:
        return read()
    finally:
        close_old_connections()
