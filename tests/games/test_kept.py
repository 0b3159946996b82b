"""What this process keeps of a sheet is what the store holds, whoever wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from cachetools import LRUCache
from django.db import connection, transaction
from django.forms import model_to_dict
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from games import drawn, kept, services
from games.models import LateEntry, Table
from tests.games.helpers import (
    PhoneClient,
    fill,
    host_of,
    make_table,
    match_of,
    new_op,
    seated,
    stored,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kept import Snapshot

pytestmark = pytest.mark.django_db

A_HAND = {"do": "write", "round": 2, "points_a": 95, "base": 0}
# Number, row and hand; corrections, the bank, and the way back below the line.
WRITES: dict[str, tuple[list[tuple[int | None, ...]], Callable[[PhoneClient], Any]]] = {
    "a first number": ([], lambda host: host.write(1, "A", 3)),
    "the second of a row": ([(3, None)], lambda host: host.write(1, "B", 0)),
    "a correction": ([(3, 0), (1, 0)], lambda host: host.write(1, "A", 2)),
    "a blank": ([(3, 0), (1, 0)], lambda host: host.write(2, "A", "")),
    "a doubt": ([], lambda host: host.write(1, "A", 8, sure="1")),
    "a row": ([(3, 0)], lambda host: host.write_row(1, {"A": 0, "B": 2})),
    "a hand": ([(3, 0)], lambda host: host.post(".../settle/", {**A_HAND, "op": new_op()})),
    "a bank": ([(12, 0), (3, 0)], lambda host: host.write_row(3, {"A": 8, "B": 0})),
    "implied numbers": ([(12, None), (3, 0)], lambda host: host.write(3, "A", 8)),
    "back below the line": ([(12, 0), (12, 0)], lambda host: host.write(2, "A", 1)),
    "a deal goes": ([(3, 0), (1, 0)], lambda host: host.move(1, "remove", sure=1)),
    "a deal comes": ([(3, 0), (1, 0)], lambda host: host.move(1, "insert")),
    "deals are swapped": ([(3, 0), (1, 0)], lambda host: host.move(1, "down")),
    "a write is taken back": ([(3, 0), (1, 0)], lambda host: host.take_back(3)),
    "a bank goes with its deal": (
        [(12, None), (8, 0)],
        lambda host: host.move(1, "remove", sure=1),
    ),
    "after the bank": ([(12, 0), (12, 0)], lambda host: host.write_row(2, {"A": 8, "B": 0})),
}


class Broken(Exception):
    """Something goes wrong after a number was written."""


def now(table: Table) -> Table:
    return Table.objects.get(pk=table.pk)


def everything(snapshot: Snapshot) -> dict[str, Any]:
    """All that a snapshot knows, as plain values, and what is drawn of it."""
    sheet, evening = snapshot
    found = {
        "table": model_to_dict(sheet.match.table),
        "match": model_to_dict(sheet.match),
        "sides": sheet.sides,
        "rows": dict(sheet.stored_rows),
        "evening": evening._replace(late=()),
        "late": list(map(model_to_dict, evening.late)),
    }
    for language in ("en", "de"):
        with override(language):
            found[language] = drawn.Drawn(snapshot).parts(None)
    return found


@pytest.fixture
def committed(django_capture_on_commit_callbacks):
    """Do something and let happen what follows when it is committed."""

    def do(verb, *arguments):
        with django_capture_on_commit_callbacks(execute=True):
            return verb(*arguments)

    return do


@pytest.mark.parametrize("what", WRITES)
def test_what_a_verb_leaves_is_kept_as_a_fresh_look_finds_it(committed, what):
    rows, write = WRITES[what]
    table = make_table()
    fill(table, rows)
    before = now(table).version

    answer = committed(write, host_of(table))

    assert (answer.status_code, now(table).version) == (303, before + 1)
    left = kept.find(now(table), 1)
    assert left is not None
    assert everything(left) == everything(kept.read(match_of(table)))


def test_news_of_a_number_are_drawn_from_what_its_writer_left(committed):
    table = make_table()
    fill(table, [(3, 0)])
    committed(host_of(table).write, 2, "A", 1)

    with CaptureQueriesContext(connection) as captured:
        parts = drawn.draw_newest(now(table)).parts(now(table).version - 1)
    queries = [query["sql"] for query in captured if "games_table" not in query["sql"]]

    drawn.forget_all()
    assert parts == drawn.draw_newest(now(table)).parts(now(table).version - 1)
    assert queries == []


def test_a_number_that_was_rolled_back_is_kept_by_nobody(django_capture_on_commit_callbacks):
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    host.get("")
    before = stored(table)

    def break_off():
        with transaction.atomic():
            after = services.write_entry(
                visitor=host.visitor, match=match_of(table), round_number=2, column="A", text="1",
                op=new_op(), base=0,
            )  # fmt: skip
            raise Broken(after.match.table.version)

    with django_capture_on_commit_callbacks(execute=True) as left, pytest.raises(Broken) as broken:
        break_off()

    never = now(table)
    never.version = broken.value.args[0]
    assert (left, kept.find(never, 1), stored(table)) == ([], None, before)
    assert kept.find(now(table), 1) is not None


def test_another_number_at_a_version_that_was_rolled_back_is_the_one_that_counts(committed):
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    with transaction.atomic():
        host.write(2, "A", 1)
        transaction.set_rollback(True)

    committed(host.write, 2, "B", 2)

    left = kept.find(now(table), 1)
    assert left is not None
    assert left.sheet.row(2).values == (None, 2)


def test_what_another_process_wrote_is_seen_by_pages_and_verbs(committed):
    """Without its commit nothing reaches this process: as if it were written in another."""
    table = make_table()
    host, lena = host_of(table), seated(table, 0)
    committed(host.write, 1, "A", 3)
    assert kept.find(now(table), 1) is not None

    lena.write(1, "A", 2)

    assert kept.find(now(table), 1) is None
    refused = committed(lambda: host.write(1, "A", 1, base=0))
    assert (refused.status_code, host.entries()) == (409, [[2, None]])
    assert 'data-value="2"' in host.get(".../changes/").content.decode()
    committed(host.write, 1, "B", 0)
    assert host.entries() == [[2, 0]]


def test_a_verb_that_wrote_nothing_new_to_the_sheet_keeps_no_number_waiting(committed):
    """Taking a late number writes the cell first and decides on the number then."""
    table = make_table()
    fill(table, [(3, 0), (1, 0)])
    host = host_of(table)
    host.end()
    assert committed(lambda: seated(table, 0).write(2, "A", 2)).status_code == 409
    late = LateEntry.objects.get(table=table)

    committed(lambda: host.post(f"late/{late.pk}/", do="take"))

    assert ['class="late"' in host.get("").content.decode()] == [False]


def test_an_older_sheet_never_takes_the_place_of_a_newer(committed):
    table = make_table()
    fill(table, [(3, 0)])
    older = kept.read(match_of(table))
    committed(host_of(table).write, 2, "A", 1)

    kept.keep(older)

    left = kept.find(now(table), 1)
    assert left is not None
    assert left.sheet.highest == 2


def test_the_newest_match_is_found_as_such(committed):
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    host.end()
    host.post("next/")
    committed(lambda: host.write(1, "A", 2, match=2))

    newest, older = kept.find(now(table)), kept.read(match_of(table, 1))

    assert newest is not None
    assert (newest.sheet.match.number, older.evening.current) == (2, 2)
    assert kept.find(now(table)) == newest


def test_only_so_many_are_kept(monkeypatch):
    # each takes two places: its own, and the newest
    monkeypatch.setattr(kept, "_kept", LRUCache(2))
    tables = [make_table(), make_table()]

    for table in tables:
        kept.read(match_of(table))

    assert [kept.find(now(table), 1) is None for table in tables] == [True, False]
