"""Whether this process can do its work now, and if not, why, in plain words."""

from __future__ import annotations

import logging
import shutil
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOM = 50 * 1024 * 1024  # bytes; with less a disk is as good as full
SECONDS_FOR_REDIS = 1

logger = logging.getLogger(__name__)
_known_migrated: set[str] = set()


def what_is_missing() -> list[str]:
    """Reasons why this process should get no requests now; none where it can do its work."""
    return [*_of_the_store(), *_of_the_disk()]


def what_is_slower() -> list[str]:
    """What is away that this process can do its work without."""
    if settings.REDIS_URL and not redis_answers(settings.REDIS_URL):
        return ["Redis does not answer: phones of other processes hear news two seconds late."]
    return []


def is_migrated() -> bool:
    """Whether the store is of this release."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def redis_answers(url: str) -> bool:
    """Whether Redis is there."""
    from redis import Redis, RedisError  # noqa: PLC0415 - large, and a sheet at home has none

    try:
        with Redis.from_url(
            url, socket_timeout=SECONDS_FOR_REDIS, socket_connect_timeout=SECONDS_FOR_REDIS
        ) as there:
            return bool(there.ping())
    except RedisError:
        return False


def free_bytes() -> int:
    """The room on the disk of the data folder."""
    return shutil.disk_usage(settings.DATA_DIR).free


def _of_the_store() -> Iterator[str]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        if not _was_migrated():
            yield "The store is of another release; manage.py migrate brings it to this one."
    except DatabaseError:
        logger.warning("The store does not answer", exc_info=True)
        yield "The store does not answer."


def _was_migrated() -> bool:
    """Asked until it is so: a store that was migrated stays so while this process runs."""
    if not _known_migrated and is_migrated():
        _known_migrated.add(settings.RELEASE)
    return bool(_known_migrated)


def _of_the_disk() -> Iterator[str]:
    if free_bytes() < ROOM:
        yield "The disk is full."
