"""One process serves a store, unless Redis lets several hear of one another.

Without, a number would reach the phones of another process up to two seconds late, and wrong codes
would be counted by each process anew. So a second one says why it does not start.
"""

import os
import sys
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connections

# As long as a process that was told to end may take to do so, and a little more.
SECONDS_TO_WAIT = 6.0
LOCK = 0x5C02E  # this product's, among the locks of a PostgreSQL database

_held: dict[int, Any] = {}  # by process, for one that was forked holds nothing


def refuse_several(workers: int) -> None:
    """Raise ``ImproperlyConfigured`` where so many processes could not hear of one another."""
    if workers > 1 and settings.REDIS_URL is None:
        raise ImproperlyConfigured(
            f"REDIS_URL must be set for {workers} processes, which hear of one another through it;"
            " or WEB_CONCURRENCY and --workers must be 1."
        )


def hold_the_store() -> None:
    """Be the one process that serves this store until it ends, or one of those that may.

    Waits for one that is about to end. Raises ``ImproperlyConfigured``.
    """
    refuse_several(settings.WORKERS)
    if settings.REDIS_URL is not None or os.getpid() in _held:
        return
    take = _take_file if settings.EMBEDDED else _take_database
    until = time.monotonic() + SECONDS_TO_WAIT
    while (held := take()) is None:
        if time.monotonic() > until:
            raise ImproperlyConfigured(
                "REDIS_URL must be set where several processes serve one store,"
                " and another one serves this store already."
            )
        time.sleep(0.1)
    _held[os.getpid()] = held


def _take_file() -> Any | None:
    """Lock a file beside the store; the system lets go of it when the process is gone."""
    path = Path(f"{settings.DATABASES['default']['NAME']}-served")
    file = path.open("ab")
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415 - not on every system

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return None
    return file


def _take_database() -> Any | None:
    """Lock a number in the database, on a connection that is used for nothing else."""
    connection = connections["default"].copy()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK])
        if cursor.fetchone() == (True,):
            return connection
    connection.close()
    return None
