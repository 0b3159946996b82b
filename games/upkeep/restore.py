"""The way back to a copy of the store, while people write or after everything was lost."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings
from django.db import DatabaseError, connection, connections, transaction
from django.db.migrations.loader import MigrationLoader

from games.upkeep import backup, store_file, timeline
from games.upkeep.store_file import StoreTrouble

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.db.backends.utils import CursorWrapper

COPY = "brought_back"  # what the copy is called beside the store


class Restored(NamedTuple):
    """What became of it: where the store of before lies, and how many migrations the copy got."""

    kept_aside: Path | None
    migrated: int


def restore(source: Path, *, server_is_stopped: bool = False) -> Restored:
    """Bring a copy back. The store of before is kept aside.

    A running server goes on: it holds no number twice, and phones take over what the copy says. A
    store that is lost or broken is replaced as a file, which needs a server that is stopped. Raises
    ``StoreTrouble``, and then nothing was changed.
    """
    if not source.exists():
        raise StoreTrouble(f"There is no file {source}.")
    missing = _missing_migrations(source)
    store_file.check(source)
    prepared = store_file.copy(source, store_file.backups_folder())
    try:
        if missing:
            _migrate(prepared)
        if _is_usable(store_file.live_file()):
            aside: Path | None = _take_over(prepared)
        elif server_is_stopped:
            aside = _put_in_place(prepared)
        else:
            raise StoreTrouble(
                f"The store at {store_file.live_file()} is missing or broken, so its file has to be"
                " replaced. Stop the server, and then say --server-is-stopped."
            )
    finally:
        store_file.forget(prepared)
    return Restored(aside, len(missing))


def renumber() -> None:
    """After other tools have brought a store back: make phones take what it holds."""
    with transaction.atomic():
        timeline.move_up(timeline.highest_version() + timeline.MORE_THAN_AN_EVENING)


def _missing_migrations(source: Path) -> set[tuple[str, str]]:
    """The migrations that a copy needs to be of this release."""
    known = set(MigrationLoader(None).disk_migrations or ())
    there = store_file.migrations_in(source)
    if not there & known:
        raise StoreTrouble(f"{source} holds no score sheets.")
    if unknown := sorted(name for app, name in there - known if app == "games"):
        raise StoreTrouble(
            f"{source} was made by a newer release (it knows {unknown[-1]}). Install that first."
        )
    return {one for one in known - there if one[0] == "games"}


def _migrate(path: Path) -> None:
    """Bring a copy to this release, in a process of its own that knows no other store."""
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=settings.BASE_DIR,
        env={
            **os.environ,
            "DATABASE_URL": f"sqlite:///{path}",
            "DATA_DIR": str(settings.DATA_DIR),
            "DJANGO_SETTINGS_MODULE": "scoresheet.settings",
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        raise StoreTrouble(f"The copy could not be brought to this release: {''.join(last)}")
    store_file.check(path)


def _is_usable(live: Path) -> bool:
    """Whether the store is there, sound and of this release. Raises for one that is older."""
    try:
        store_file.check(live)
        there = store_file.migrations_in(live)
    except StoreTrouble:
        return False
    known = set(MigrationLoader(None).disk_migrations or ())
    if not there:
        return False
    if {one for one in known - there if one[0] == "games"}:
        raise StoreTrouble("The store is of another release: run manage.py migrate first.")
    return True


# A store that is in use --------------------------------------------------------------------------


def _take_over(prepared: Path) -> Path:
    """Put the rows of a copy in place of those that are there, in one transaction."""
    live = store_file.live_file()
    connections.close_all()
    with store_file.told(live):
        try:
            return _replace_rows(live, prepared)
        except DatabaseError as error:
            raise (error.__cause__ or error) from error
        finally:
            connections.close_all()  # and with it what was attached


def _replace_rows(live: Path, prepared: Path) -> Path:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {store_file.SECONDS_TO_WAIT * 1000}")
        cursor.execute(f"ATTACH DATABASE %s AS {COPY}", [str(prepared)])
        with connection.constraint_checks_disabled(), transaction.atomic():
            # Nobody else writes from here on, so what is kept aside is all there ever was.
            aside = _keep_aside(live)
            seen = timeline.highest_version()
            for table in _tables(cursor):
                _copy_rows(cursor, table)
            _number_on(cursor)
            timeline.move_up(seen + timeline.MORE_THAN_AN_EVENING)
            connection.check_constraints()
    return aside


def _keep_aside(live: Path) -> Path:
    place = store_file.backups_folder() / f"before-restore-{backup.moment()}.sqlite3"
    store_file.copy(live, place.parent).replace(place)
    return place


def _tables(cursor: CursorWrapper) -> list[str]:
    """All tables but Django's own note of migrations, which says the same in both."""
    cursor.execute(
        "SELECT name FROM main.sqlite_master"
        " WHERE type = 'table' AND name NOT LIKE 'sqlite%%' AND name <> 'django_migrations'"
    )
    return [name for (name,) in cursor.fetchall()]


def _copy_rows(cursor: CursorWrapper, table: str) -> None:
    cursor.execute(f'PRAGMA main.table_info("{table}")')
    names = ", ".join(f'"{name}"' for _number, name, *_rest in cursor.fetchall())
    cursor.execute(f'DELETE FROM main."{table}"')  # noqa: S608 - names of our own tables
    cursor.execute(
        f'INSERT INTO main."{table}" ({names}) SELECT {names} FROM {COPY}."{table}"'  # noqa: S608
    )


def _number_on(cursor: CursorWrapper) -> None:
    """New rows get numbers that no row has had, in either store: who listens is known by them."""
    cursor.execute(
        f"UPDATE main.sqlite_sequence SET seq = max(seq, coalesce("  # noqa: S608
        f"(SELECT seq FROM {COPY}.sqlite_sequence AS other"
        f" WHERE other.name = sqlite_sequence.name), 0))"
    )


# A store that is lost ----------------------------------------------------------------------------


def _put_in_place(prepared: Path) -> Path | None:
    """Put a copy where the store lay; what was left of that is kept beside it."""
    live = store_file.live_file()
    connections.close_all()
    aside = None
    with store_file.told(live):
        for path in _what_is_left(live):
            kept = path.with_name(f"broken-{backup.moment()}-{path.name}")
            path.rename(kept)
            aside = aside or kept
        prepared.rename(live)
    renumber()
    connections.close_all()
    return aside


def _what_is_left(live: Path) -> Iterator[Path]:
    for ending in ("", "-wal", "-shm", "-journal"):
        path = live.with_name(live.name + ending)
        if path.exists():
            yield path


def describe(restored: Restored) -> list[str]:
    """What to tell the person who asked for it, line by line."""
    lines = ["The copy is the store now. Phones take it over within seconds."]
    if restored.migrated:
        lines.append(f"It was of an older release; {restored.migrated} migrations were applied.")
    if restored.kept_aside:
        lines.append(f"What was there before is kept: {restored.kept_aside}")
    return lines
