"""A SQLite store as a file: opened beside Django, copied while it is in use, checked."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS_TO_WAIT = 30  # for a writer; nobody at a table waits for this
WHAT_FAILED = {
    "disk is full": "the disk is full",
    "not a database": "it is no SQLite file",
    "malformed": "it is damaged",
    "disk I/O": "the disk does not let itself be read or written",
    "unable to open": "it cannot be opened",
    "readonly": "it cannot be written",
    "locked": "another program holds it",
}


class StoreTrouble(Exception):
    """Something about a store file that a person has to know, in a sentence."""


def live_file() -> Path:
    """Where the store of this installation lies."""
    return Path(settings.DATABASES["default"]["NAME"])


def backups_folder() -> Path:
    """Where copies lie when no other place is named."""
    folder: Path = settings.DATA_DIR / "backups"
    return folder


@contextmanager
def opened(path: Path, *, writable: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection to a store that is there; what SQLite says comes as ``StoreTrouble``."""
    address = f"{path.resolve().as_uri()}?mode={'rw' if writable else 'ro'}"
    with told(path), closing(sqlite3.connect(address, timeout=SECONDS_TO_WAIT, uri=True)) as store:
        yield store


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Say in a sentence what the disk or SQLite has against a file."""
    try:
        yield
    except sqlite3.Error as error:
        said = next((say for part, say in WHAT_FAILED.items() if part in str(error)), str(error))
        raise StoreTrouble(f"{path}: {said}.") from error
    except OSError as error:
        raise StoreTrouble(f"{path}: {error.strerror}.") from error


def copy(source: Path, folder: Path) -> Path:
    """A whole copy of a store, in a file of its own without a name that anybody knows yet.

    The store may be in use: the copy is as it stood at one moment. Only its owner may read it. It
    was read through, and is sound.
    """
    with told(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, prefix=".copy-", suffix=".sqlite3")  # 0600
        os.close(handle)
    place = Path(name)
    try:
        with opened(source) as live, opened(place, writable=True) as taken:
            live.backup(taken)
            taken.execute("PRAGMA journal_mode=DELETE")  # one file, and none beside it
        check(place)
        with told(place), place.open("rb") as written:
            os.fsync(written.fileno())
    except BaseException:
        forget(place)
        raise
    return place


def check(path: Path) -> None:
    """Read a store through from end to end. Raises ``StoreTrouble`` where it is not sound."""
    with opened(path) as store:
        said = [text for (text,) in store.execute("PRAGMA integrity_check")]
        loose = store.execute("PRAGMA foreign_key_check").fetchall()
    if said != ["ok"]:
        raise StoreTrouble(f"{path}: it is damaged ({said[0]}).")
    if loose:
        raise StoreTrouble(f"{path}: {len(loose)} of its rows belong to none that is there.")


def migrations_in(path: Path) -> set[tuple[str, str]]:
    """The migrations a store has had, by app and name; none where it is no store of ours."""
    with opened(path) as store:
        if not store.execute(
            "SELECT 1 FROM sqlite_master WHERE name = 'django_migrations'"
        ).fetchall():
            return set()
        return set(store.execute("SELECT app, name FROM django_migrations"))


def forget(path: Path) -> None:
    """Delete a store file and what SQLite may have left beside it."""
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
