"""Copies of the store, and the way back to one, without anybody at the tables."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing

import pytest
from django.core.management import CommandError, call_command

from games.upkeep import timeline
from tests.serving import ROOT, environment_of, manage

pytestmark = pytest.mark.sqlite

COUNTS = "SELECT count(*), max(version) FROM games_table"
TABLE = """INSERT INTO games_table (key, code, is_open, recovery_hash, game_slug, house, edition,
  agreed, stake, currency, version, names_version, matches_made, match_removed_version,
  created_at, touched_at) VALUES (?, ?, 1, '', 'bauernstoss', '{}', 1, '', '', '', ?, 1, 0, 0,
  '2026-01-01', '2026-01-01')"""


def ask(data_dir, sql, *values):
    """Ask the store in a folder, or the store itself."""
    place = data_dir / "scoresheet.sqlite3" if data_dir.is_dir() else data_dir
    with closing(sqlite3.connect(place)) as store, store:
        return store.execute(sql, values).fetchall()


def add_table(data_dir, key, *, version=3):
    ask(data_dir, TABLE, key, key[:6].upper(), version)


def command(data_dir, *arguments, **more):
    """What one of our commands says, and its exit status."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment_of(data_dir, **more),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_copy_is_whole_private_and_lies_where_one_looks_for_it(store):
    add_table(store, "first1")

    manage("backup", data_dir=store)

    (copy,) = (store / "backups").iterdir()
    assert copy.name.startswith("scoresheet-20")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert ask(copy, COUNTS) == [(1, 3)]
    assert ask(copy, "PRAGMA journal_mode") == [("delete",)]


def test_a_copy_never_replaces_a_file(store, tmp_path):
    place = tmp_path / "copy.sqlite3"
    place.write_text("something else")

    status, said = command(store, "backup", str(place))

    assert status == 1
    assert f"{place} is there already" in said
    assert place.read_text() == "something else"


def test_only_the_newest_copies_are_kept(store):
    backups = store / "backups"
    backups.mkdir()
    for name in ("scoresheet-2020-01-01.sqlite3", "scoresheet-2021-01-01.sqlite3", "mine.sqlite3"):
        (backups / name).touch()

    manage("backup", "--keep", "2", data_dir=store)

    names = {path.name for path in backups.iterdir()}
    assert len(names) == 3
    assert {"mine.sqlite3", "scoresheet-2021-01-01.sqlite3"} <= names


def test_a_store_that_is_damaged_gives_no_copy(store):
    file = store / "scoresheet.sqlite3"
    with file.open("r+b") as damaged:
        damaged.seek(4096 * 3)
        damaged.write(os.urandom(4096 * 30))

    status, said = command(store, "backup")

    assert status == 1
    assert "No copy was made." in said
    assert "damaged" in said
    assert list((store / "backups").iterdir()) == []


def test_what_was_written_since_the_copy_is_kept_aside(store, tmp_path):
    copy = tmp_path / "copy.sqlite3"
    add_table(store, "first1", version=5)
    manage("backup", str(copy), data_dir=store)
    add_table(store, "second", version=70)

    status, said = command(store, "restore", str(copy))

    assert status == 0, said
    (aside,) = (store / "backups").iterdir()
    assert str(aside) in said
    assert ask(aside, COUNTS) == [(2, 70)]
    assert ask(store, COUNTS) == [(1, 5 + 70 + timeline.MORE_THAN_AN_EVENING)]


def test_a_new_table_never_gets_the_number_of_one_that_was_lost(store, tmp_path):
    copy = tmp_path / "copy.sqlite3"
    manage("backup", str(copy), data_dir=store)
    add_table(store, "second")
    ((lost,),) = ask(store, "SELECT id FROM games_table")

    manage("restore", str(copy), data_dir=store)
    add_table(store, "third3")

    assert ask(store, "SELECT id FROM games_table") == [(lost + 1,)]


@pytest.mark.parametrize("left", ["nothing", "rubbish"])
def test_a_store_that_is_lost_comes_back_once_the_server_is_said_to_be_stopped(
    store, tmp_path, left
):
    copy = tmp_path / "copy.sqlite3"
    add_table(store, "first1", version=5)
    manage("backup", str(copy), data_dir=store)
    file = store / "scoresheet.sqlite3"
    file.unlink()
    if left == "rubbish":
        file.write_bytes(b"rubbish" * 1000)

    refused, said = command(store, "restore", str(copy))
    assert refused == 1
    assert "Stop the server" in said
    assert file.exists() == (left == "rubbish")

    manage("restore", str(copy), "--server-is-stopped", data_dir=store)

    assert ask(store, COUNTS) == [(1, 2 * 5 + timeline.MORE_THAN_AN_EVENING)]
    kept = [path.name for path in store.glob("broken-*.sqlite3")]
    assert len(kept) == (left == "rubbish")


def test_a_copy_of_a_newer_release_is_refused(store, tmp_path):
    copy = tmp_path / "copy.sqlite3"
    manage("backup", str(copy), data_dir=store)
    ask(copy, "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_x', '')")
    add_table(store, "second")

    status, said = command(store, "restore", str(copy))

    assert status == 1
    assert "made by a newer release (it knows 9999_x)" in said
    assert ask(store, COUNTS) == [(1, 3)]


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "holds no score sheets"), (b"a text, no store" * 99, "it is no SQLite file")],
)
def test_what_is_no_copy_is_refused(store, tmp_path, content, says):
    add_table(store, "first1")
    file = tmp_path / "file"
    file.write_bytes(content)

    status, said = command(store, "restore", str(file))

    assert status == 1
    assert "Nothing was changed." in said
    assert says in said
    assert ask(store, COUNTS) == [(1, 3)]


def test_a_copy_goes_home_to_an_empty_installation(store, tmp_path):
    copy = tmp_path / "copy.sqlite3"
    add_table(store, "first1")
    manage("backup", str(copy), data_dir=store)
    home = tmp_path / "home"
    shutil.copytree(store, home)
    ask(home, "DELETE FROM games_table")

    manage("restore", str(copy), data_dir=home)

    assert ask(home, "SELECT key FROM games_table") == [("first1",)]


@pytest.mark.parametrize(
    ("arguments", "tool"), [(["backup"], "pg_dump"), (["restore", "copy"], "pg_restore")]
)
def test_with_postgresql_the_commands_say_what_to_use(settings, arguments, tool):
    settings.EMBEDDED = False

    with pytest.raises(CommandError, match=tool):
        call_command(*arguments)
