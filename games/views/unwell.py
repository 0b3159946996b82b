"""When the store cannot be used for a moment: kind words, and when to come again."""

from __future__ import annotations

import logging
import sqlite3
from typing import TYPE_CHECKING, NamedTuple

from django.db import InterfaceError, OperationalError, connection

from games.views import errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

CAUSES = {
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
    sqlite3.SQLITE_FULL: "no-room",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_IOERR: "no-store",
    sqlite3.SQLITE_CANTOPEN: "no-store",
}
PRIMARY = 0xFF  # SQLite's codes say more in their upper bits

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
    if not isinstance(exception, OperationalError | InterfaceError):
        return None
    if connection.vendor != "sqlite":
        return Unwell("no-store", 5)
    code = getattr(exception.__cause__, "sqlite_errorcode", 0) & PRIMARY
    if code not in CAUSES:
        return None
    return Unwell(CAUSES[code], 2 if CAUSES[code] == "busy" else 10)
