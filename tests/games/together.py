"""Phones that do something at the same instant, and what must hold however it went."""

from __future__ import annotations

import re
from threading import Barrier, Thread
from time import sleep
from typing import TYPE_CHECKING, Any

from django.db import connection, connections

from games.models import Change, Entry, Match, Op, Phone, Table
from tests.games.helpers import PhoneClient, host_of, seated

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

REPEATS = 20  # with a fresh table each, and another head start
STEP = 0.0005  # seconds of head start between two repeats
LONGEST = 20.0  # seconds; nothing here takes one


def at_once(*calls: Callable[[], Any], repeat: int = 0) -> list[Any]:
    """Every call in a thread and on a connection of its own, all starting together.

    ``repeat`` holds one of them back by up to two milliseconds, another one every time, so that
    repeats meet at other places. Answers come in the order of the calls; what a call raises is
    raised here.
    """
    barrier = Barrier(len(calls))
    answers: dict[int, Any] = {}
    raised: list[BaseException] = []

    def run(place: int) -> None:
        try:
            connection.ensure_connection()
            barrier.wait(LONGEST)
            if place == repeat % len(calls):
                sleep(STEP * (repeat // len(calls) % 5))
            answers[place] = calls[place]()
        except BaseException as caught:
            raised.append(caught)
        finally:
            connections.close_all()

    threads = [Thread(target=run, args=(place,), daemon=True) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST)
    if raised:
        raise raised[0]
    assert [thread.is_alive() for thread in threads] == [False] * len(threads)
    return [answers[place] for place in range(len(calls))]


def version(table: Table) -> int:
    return Table.objects.get(pk=table.pk).version


def second_host(table: Table) -> PhoneClient:
    """A host beside the first, as after a hand-over that is under way."""
    phone = seated(table, 3, "second host")
    Phone.objects.filter(pk=phone.phone.pk).update(is_host=True)
    return phone


def statuses(answers: list[Answer]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


def codes(answer: Answer) -> list[str]:
    """The refusals a page names. (A response's context mixes what several threads drew.)"""
    return re.findall(r'data-code="([a-z-]+)"', answer.content.decode())


def assert_sound(table: Table) -> None:
    """What holds at any table, whatever happened at once."""
    _assert_history_is_one_line(table)
    _assert_every_op_wrote_once(table)
    matches = Match.objects.filter(table=table).order_by("number")
    numbers = list(matches.values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert matches.filter(ended_at=None).count() <= 1
    for number in numbers:
        _assert_sheet_is_the_history(table, number)


def _assert_history_is_one_line(table: Table) -> None:
    """Versions rise, and every write began with what the one before it left."""
    changes = list(Change.objects.filter(table=table).order_by("pk"))
    versions = [change.version for change in changes]
    assert versions == sorted(versions)
    assert max(versions, default=0) <= Table.objects.get(pk=table.pk).version
    standing: dict[tuple[int, int, str], int | None] = {}
    for change in changes:
        cell = (change.match_number, change.round_number, change.column)
        assert change.before == standing.get(cell)
        standing[cell] = change.after


def _assert_every_op_wrote_once(table: Table) -> None:
    """One version for one op, and one op for one version: no two writes shared either."""
    pairs = set(Change.objects.filter(table=table).exclude(op="").values_list("op", "version"))
    ops = [op for op, _version in pairs]
    versions = [version for _op, version in pairs]
    assert len(set(ops)) == len(ops)
    assert len(set(versions)) == len(versions)
    kept = set(Op.objects.filter(table=table).values_list("op", flat=True))
    assert set(ops) - kept == set()


def _assert_sheet_is_the_history(table: Table, number: int) -> None:
    """The cells hold what was written last, and the totals are their sum."""
    last: dict[tuple[int, str], int | None] = {}
    for change in Change.objects.filter(table=table, match_number=number).order_by("pk"):
        last[change.round_number, change.column] = change.after
    entries = Entry.objects.filter(round__match__table=table, round__match__number=number)
    cells = {(e.round.number, e.side.column): e.points for e in entries.select_related()}
    written = {cell: points for cell, points in last.items() if points is not None}
    assert {cell: points for cell, points in cells.items() if points is not None} == written
    sheet = host_of(table).sheet(number)
    sums = [
        sum(points for (_round, at), points in written.items() if at == column["id"])
        for column in sheet["columns"]
    ]
    assert sheet["totals"] == sums
