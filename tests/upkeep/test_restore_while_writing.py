"""The store is brought back from a copy while phones write: afterwards all agree with it."""

from __future__ import annotations

import json
import random
import threading

import pytest

from tests.serving import OwnServer, Server, manage
from tests.soak.store import Store
from tests.soak.writers import Writer
from tests.streams import Phone

pytestmark = pytest.mark.sqlite

FREE = {"free_numbers": "on", "line": "none"}  # any number is lawful, and nothing banks
SECONDS_OF_WRITING = 2.0
SECONDS_TO_CATCH_UP = 60


@pytest.fixture
def running(store):
    """A server on a store of its own."""
    taken = OwnServer(store)
    yield Server(taken.url, store, taken.log)
    taken.stop()


@pytest.fixture
def writers(running):
    """The host, who keeps the sheet, and two players."""
    dice = random.Random(7)  # noqa: S311
    host = Phone(running).start_table("schafkopf", **FREE)
    seated = [Phone(running).sit(host, seat) for seat in range(2)]
    taken = [Writer(host, "012", dice), *(Writer(p, str(n), dice) for n, p in enumerate(seated))]
    yield taken
    for writer in taken:
        writer.leave()


def write_for_a_while():
    threading.Event().wait(SECONDS_OF_WRITING)


def test_phones_that_write_meanwhile_end_up_with_what_the_store_holds(running, writers, tmp_path):
    copy = tmp_path / "copy.sqlite3"
    for writer in writers:
        writer.begin()
    write_for_a_while()
    manage("backup", str(copy), data_dir=running.data_dir)
    write_for_a_while()
    lost_at = Store.read(running.data_dir).version
    manage("restore", str(copy), data_dir=running.data_dir)
    told_before = {op for writer in writers for op in tuple(writer.written)}
    write_for_a_while()

    for writer in writers:
        writer.fall_silent()
    for writer in writers:
        writer.wait_until_sent()
    left = Store.read(running.data_dir)
    left.assert_sound()
    assert min(line.version for line in left.lines) > lost_at
    told_since = {
        op: one for writer in writers for op, one in writer.written.items() if op not in told_before
    }
    assert len(told_since) > 0
    stored = {line.op: (line.place, line.text) for line in left.lines}
    assert {op: stored.get(op) for op in told_since} == {
        op: (one.place, one.text) for op, one in told_since.items()
    }
    answer, text = writers[0].phone.ask("GET", f"/t/{writers[0].phone.key}/m/1/sheet.json")
    assert answer.status == 200
    for writer in writers:
        assert_shows(writer, json.loads(text))
    assert "Traceback" not in running.log.read_text()


def assert_shows(writer, sheet):
    """A phone that never loaded its page anew shows every number of the store, and no other."""
    assert writer.has_heard(sheet["version"], SECONDS_TO_CATCH_UP)
    shown = writer.outbox.shown
    rows = {n: [cell.value for cell in row.cells.values()] for n, row in shown.rows.items()}
    assert {number: row for number, row in rows.items() if any(row)} == {
        row["number"]: row["entries"] for row in sheet["rounds"]
    }
    assert list(shown.totals.values()) == sheet["totals"]
