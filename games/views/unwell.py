"""When the store cannot be used for a moment: kind words, and when to come again."""

from __future__ import annotations

import logging
import sqlite3
from typing import TYPE_CHECKING, NamedTuple

from django.db import DatabaseError, InterfaceError, OperationalError, connection

from games.views import errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

SQLITE = {
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
    sqlite3.SQLITE_FULL: "no-room",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_IOERR: "no-store",
    sqlite3.SQLITE_CANTOPEN: "no-store",
}
PRIMARY = 0xFF  # SQLite's codes say more in their upper bits
# PostgreSQL's codes, or their first two letters, which name a class of troubles.
POSTGRES = {
    "08": "no-store",  # the connection
    "25006": "read-only",
    "40": "busy",  # two got into each other's way
    "53": "busy",
    "53100": "no-room",
    "55P03": "busy",  # waited for a lock for long
    "57014": "busy",  # a statement took long
    "57P": "no-store",  # the server ends, or starts
}

logger = logging.getLogger(__name__)


class Unwell(NamedTuple):
    """Why the store cannot be used now, and in how many seconds to try again."""

    code: str
    seconds: int


class StoreUnwell:
    """Answers 503 instead of 500 where the store may be well again by itself.

    The outbox of a phone keeps its number at a 503 and sends it again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Let the request through; there is something to do only where its view gives up."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page that says so; None for what is our own mistake."""
        unwell = why_unwell(exception)
        if unwell is None:
            return None
        level = logging.WARNING if unwell.code == "busy" else logging.ERROR
        logger.log(level, "The store cannot be used now (%s): %s", unwell.code, exception)
        return errors.store_unwell(request, unwell.code, unwell.seconds)


def why_unwell(exception: BaseException) -> Unwell | None:
    """What keeps the store from being used for now; None for anything else."""
    if not isinstance(exception, DatabaseError | InterfaceError):
        return None
    code = _of_sqlite(exception) if connection.vendor == "sqlite" else _of_postgres(exception)
    return None if code is None else Unwell(code, 2 if code == "busy" else 10)


def _of_sqlite(exception: BaseException) -> str | None:
    return SQLITE.get(getattr(exception.__cause__, "sqlite_errorcode", 0) & PRIMARY)


def _of_postgres(exception: BaseException) -> str | None:
    state = getattr(exception.__cause__, "sqlstate", None)
    if state is None:  # no word from the server: there is none, or it has hung up
        return "no-store" if isinstance(exception, OperationalError | InterfaceError) else None
    return next((POSTGRES[state[:n]] for n in (5, 3, 2) if state[:n] in POSTGRES), None)
