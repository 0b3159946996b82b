"""Odd sequences at one table, and input of a size that nobody types."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from games import live, services
from games.models import LateEntry, Table
from scoresheet.logs import WithoutKeys
from tests.games.helpers import (
    PhoneClient,
    code_of,
    fill,
    host_of,
    make_table,
    match_of,
    new_op,
    rows_on,
    seated,
    stored,
)

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db

HOUSE_TO_30 = {"variation": "main", "free_numbers": "off", "line": "30"}
MANY_MARKS = "e" + "\N{COMBINING GRAVE ACCENT}\N{COMBINING GRAVE ACCENT BELOW}" * 50_000


def throw_in(phone: PhoneClient) -> Answer:
    before = len(phone.sheet()["rounds"]) + 1
    seen = match_of(phone.table).thrown_total
    return phone.post(".../thrown-in/", before=before, seen=seen, op=new_op())


def test_dealer_named_while_a_row_before_a_thrown_in_hand_is_cleared():
    """Seat 3 gives deal 2; so seat 0 gave the hand after it, and seat 1 gives deal 3."""
    table = make_table()
    host = host_of(table)
    fill(table, [(1, 0), (1, 0)])
    throw_in(host)
    host.write_row(2, {"A": "", "B": ""})
    host.post(".../dealer/", seat=3, op=new_op())
    assert host.sheet()["dealer"] == 3

    host.write_row(2, {"A": "1", "B": "0"})

    page = host.get(".../")
    assert page.status_code == 200
    assert rows_on(page)[-1].dashes == ["Lena"]
    assert host.sheet()["dealer"] == 1


def test_house_rules_reach_a_match_that_is_opened_again_under_older_ones():
    table = make_table(house={"line": 3})
    host = host_of(table)
    fill(table, [(3, 0)])
    host.post("next/")
    host.post("house/", HOUSE_TO_30)
    host.post(".../reopen/")
    assert host.sheet()["line"] == 3  # as it was played

    answer = host.post("house/", HOUSE_TO_30)

    assert (answer.status_code, host.sheet()["line"]) == (303, 30)
    assert Table.objects.get().house["line"] == 30


def test_same_house_rules_again_change_nothing():
    table = make_table(house={"line": 30})
    before = Table.objects.get().version

    host_of(table).post("house/", HOUSE_TO_30)

    assert Table.objects.get().version == before


def _second_match_cleared(table: Table) -> None:
    """Match 2 was ended, a number came late, and it is open and empty again."""
    host, lena = host_of(table), seated(table, 0)
    fill(table, [(1, 0)])
    host.end()
    host.post("next/")
    fill(table, [(1, 0)], match=2)
    host.end(match=2)
    assert lena.write(2, "A", "3", match=2).status_code == 409
    host.post(".../reopen/", match=2)
    host.write_row(1, {"A": "", "B": ""}, match=2)


def test_match_with_a_late_number_to_decide_on_is_not_taken_away():
    table = make_table()
    _second_match_cleared(table)

    answer = host_of(table).post(".../reopen/")

    assert (answer.status_code, code_of(answer)) == (409, "next-begun")
    assert LateEntry.objects.get().decision == "open"


def test_match_whose_late_number_was_dropped_is_taken_away():
    table = make_table()
    _second_match_cleared(table)
    host_of(table).post(f"late/{LateEntry.objects.get().pk}/", do="drop")

    answer = host_of(table).post(".../reopen/")

    assert (answer.status_code, table.matches.count()) == (303, 1)


def test_late_number_closed_by_its_op_is_told_to_the_other_phones():
    table = make_table()
    host, lena = host_of(table), seated(table, 0)
    fill(table, [(1, 0)])
    host.end()
    op = new_op()
    lena.write(2, "A", "3", op=op)
    host.write(2, "A", "3")
    before = Table.objects.get().version

    assert lena.write(2, "A", "3", op=op).status_code == 303

    assert LateEntry.objects.get().decision == "written"
    assert Table.objects.get().version == before + 1


@pytest.mark.parametrize("box", ["player_0", "side_A", "agreed"])
def test_text_of_many_combining_marks_is_refused_at_once(box):
    fields = {f"player_{number}": name for number, name in enumerate("abcd")}
    started = time.process_time()

    answer = Client().post("/new/bauernstoss/", {**fields, box: MANY_MARKS})

    assert answer.status_code == 422
    assert (
        time.process_time() - started < 0.4
    )  # seconds; putting the marks in order takes twice that


def test_what_a_far_line_would_take_is_not_all_kept_in_memory():
    """With a deal open, any number up to the line could complete it."""
    table = make_table(house={"variation": "deutscher", "line": 9999})
    host = host_of(table)
    host.write(1, "A", "0", sure="1")
    host.write(2, "A", "1")
    live._values.cache_clear()

    page = host.get(".../")

    house = tuple(sorted(match_of(table).house.items()))
    kept = live._values("bauernstoss", house, (None, None), 0, 3, None)
    assert (page.status_code, len(kept or ())) == (200, live.USUAL_AT_MOST)


def test_key_that_no_table_can_have_is_not_looked_up(django_assert_num_queries):
    """PostgreSQL refuses to compare a text with a NUL in it."""
    with django_assert_num_queries(0):
        answer = Client().get("/t/a%00b/")

    assert answer.status_code == 404


def test_server_for_development_writes_no_keys():
    server = logging.getLogger("django.server")

    (handler,) = (found for found in server.handlers if type(found) is logging.StreamHandler)

    assert not server.propagate
    assert [type(found) for found in handler.filters] == [WithoutKeys]


def test_a_phone_that_loses_its_seat_before_the_lock_writes_nothing():
    table = make_table()
    kofi = seated(table, 1)
    at_the_door = kofi.visitor
    host_of(table).post("people/", {"do": "free", "seat": "1"})
    before = stored(table)

    with pytest.raises(PermissionDenied):
        services.write_entry(
            visitor=at_the_door, match=match_of(table), round_number=1, column="B", text="1",
            op=new_op(), base=0,
        )  # fmt: skip

    assert stored(table) == before
