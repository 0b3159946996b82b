"""What is kept of a drawn sheet is never out of date, and never somebody else's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import drawn, kept, services
from games.models import LateEntry, SeatRequest, Table
from tests.games.helpers import (
    PhoneClient,
    fill,
    host_of,
    make_table,
    match_of,
    new_op,
    rows_on,
    seated,
    stranger,
    watcher,
)

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db

PAGES = ("", ".../", ".../changes/")


def version_of(table: Table) -> int:
    return Table.objects.get(pk=table.pk).version


def an_open_match(table: Table) -> None:
    fill(table, [(3, 0), (1, 0)])


def nothing(table: Table) -> None:
    pass


def an_end(table: Table) -> None:
    an_open_match(table)
    host_of(table).end()


def a_next_match(table: Table) -> None:
    an_end(table)
    host_of(table).post("next/")


def a_late_number(table: Table) -> None:
    an_end(table)
    assert seated(table, 0, "late").write(2, "A", 2).status_code == 409


def a_wish(table: Table) -> None:
    an_open_match(table)
    seated(table, 3, "sits")
    asked = watcher(table, "asks").post("seat/", {"seat": 3, "me": 1})
    assert asked.status_code == 409


def sits(table: Table) -> int:
    return PhoneClient(table, "sits").phone.pk


def two_hosts(table: Table) -> None:
    a_wish(table)
    host("people/", do="make-host", phone=sits(table))(table)


def a_new_link(table: Table) -> None:
    host("people/", do="new-link", sure=1)(table)
    table.refresh_from_db()


def recovered(table: Table) -> None:
    secret = services.new_recovery_link(visitor=host_of(table).visitor)
    assert PhoneClient(table, "recovers").client.post(f"/host/{secret}/").status_code == 303


def other_partners(table: Table, number: int) -> None:
    people = dict(table.players.values_list("seat", "pk"))
    seats = {f"seat_{seat}": people[other] for seat, other in enumerate((0, 2, 1, 3))}
    answer = host_of(table).post("people/", {"do": "seats", "match": number, **seats})
    assert answer.status_code == 303


def a_bank(table: Table) -> None:
    fill(table, [(12, 0), (12, 0)])


def a_removal(table: Table) -> None:
    fill(table, [(3, 0), (1, 0)])
    host_of(table).move(1, "remove", sure=1)


def late_id(table: Table) -> int:
    return LateEntry.objects.get(table=table).pk


def wish_id(table: Table) -> int:
    return SeatRequest.objects.get(table=table).pk


def host(path: str, match: int = 1, **fields: object) -> Callable[[Table], object]:
    return lambda table: host_of(table).post(path, {"op": new_op(), **fields}, match=match)


def a_newcomer(table: Table) -> None:
    an_open_match(table)
    host_of(table).post("people/", {"do": "take-in", "name": "Ida"})


def newcomer(table: Table) -> int:
    return table.players.get(name="Ida").pk


VERBS: dict[str, tuple[Callable[[Table], None], Callable[[Table], object]]] = {
    "write": (an_open_match, lambda table: host_of(table).write(3, "A", 2)),
    "clear": (an_open_match, lambda table: host_of(table).write(2, "A", "")),
    "correct": (an_open_match, lambda table: host_of(table).write(1, "A", 2)),
    "row": (an_open_match, lambda table: host_of(table).write_row(1, {"A": 0, "B": 2})),
    "hand": (an_open_match, host(".../settle/", do="write", round=3, points_a=95, base=0)),
    "a row after the bank": (
        a_bank, lambda table: host_of(table).write_row(2, {"A": 3, "B": 0})),
    "late number comes": (
        an_end, lambda table: seated(table, 0, "late").write(2, "A", 2)),
    "late number is taken": (
        a_late_number, lambda table: host(f"late/{late_id(table)}/", do="take")(table)),
    "late number is dropped": (
        a_late_number, lambda table: host(f"late/{late_id(table)}/", do="drop")(table)),
    "thrown in": (an_open_match, host(".../thrown-in/", before=3, seen=0)),
    "chalk": (nothing, host(".../chalk/", side="B")),
    "dealer": (an_open_match, host(".../dealer/", seat=3)),
    "end": (an_open_match, host(".../end/", sure=1)),
    "reopen": (an_end, host(".../reopen/")),
    "reopen, and the next match goes": (a_next_match, host(".../reopen/")),
    "next": (an_end, host("next/")),
    "house rules": (an_open_match, host("house/", free_numbers="on")),
    "agreed": (an_open_match, host("house/", variation="main", agreed="No talking")),
    "rename": (an_open_match, host("people/", do="rename", seat=0, name="Magdalena")),
    "rename a side": (an_open_match, host("people/", do="rename-side", column="A", name="Us")),
    "remove a deal": (
        an_open_match, lambda table: host_of(table).move(1, "remove", sure=1)),
    "put a deal in": (an_open_match, lambda table: host_of(table).move(1, "insert")),
    "swap deals": (an_open_match, lambda table: host_of(table).move(2, "up")),
    "put a deal back": (
        a_removal, lambda table: host_of(table).move(1, "back", sure=1)),
    "take a write back": (
        an_open_match, lambda table: host_of(table).take_back(version_of(table))),
    "close": (an_open_match, host("people/", do="close")),
    "open": (an_open_match, host("people/", do="open")),
    "new code": (an_open_match, host("people/", do="renew")),
    "seat": (an_open_match, lambda table: stranger(table).post("seat/", seat=1)),
    "another seat": (an_open_match, lambda table: seated(table, 1, "one").post("seat/", seat=2)),
    "watch": (an_open_match, lambda table: seated(table, 1, "one").post("seat/", seat="watch")),
    "wish": (an_open_match, a_wish),
    "a wish is given up": (
        a_wish, lambda table: PhoneClient(table, "asks").post("seat/", seat="watch")),
    "yes": (a_wish, lambda table: host("people/", do="yes", request=wish_id(table))(table)),
    "no": (a_wish, lambda table: host("people/", do="no", request=wish_id(table))(table)),
    "free a seat": (a_wish, host("people/", do="free", seat=3)),
    "a phone is put out": (
        a_wish, lambda table: host("people/", do="put-out", phone=sits(table), sure=1)(table)),
    "a second host": (
        a_wish, lambda table: host("people/", do="make-host", phone=sits(table))(table)),
    "a wish to be host": (
        an_open_match, lambda table: seated(table, 1, "one").post("people/", do="ask-host")),
    "the office is laid down": (
        two_hosts, host("people/", do="lay-down", sure=1)),
    "new link": (an_open_match, a_new_link),
    "recovery link": (an_open_match, host("people/", do="recovery")),
    "recovered": (an_open_match, recovered),
    "somebody new": (an_open_match, host("people/", do="take-in", name="Ida")),
    "somebody off the list": (
        a_newcomer, lambda table: host("people/", do="let-go", player=newcomer(table))(table)),
    "other partners": (nothing, lambda table: other_partners(table, 1)),
    "other partners in the next match": (an_end, lambda table: other_partners(table, 1)),
    "stake": (an_end, host("evening/", unit="1")),
}  # fmt: skip
# Verbs of the services that the list above does not go through by that name.
NO_VERBS = {
    "code_works",
    "delete_table",
    "find_by_code",
    "find_by_recovery",
    "host_is_here",
    "may_answer",
    "recovery_ended",
    "end_question",
    "holding_words",
    "import_table",
    "in_words",
    "prune_table",
    "start_table",
}
# Verbs that change a group and nothing that a table shows (test_groups holds that).
OF_GROUPS = {
    "delete_group", "join_group", "leave_group", "merge_names", "rename_group", "split_name",
    "start_group",
}  # fmt: skip
GONE_THROUGH = {
    "answer_request", "ask_to_be_host", "change_house", "decide_late", "end_match", "free_seat",
    "lay_down", "let_go", "make_host", "move_deals", "new_recovery_link", "next_match", "put_out",
    "recover", "rename_player", "rename_side", "renew_code", "renew_link", "reopen_match",
    "seat_players", "set_chalk", "set_dealer", "set_open", "set_stake", "take_back", "take_in",
    "take_seat", "throw_in", "watch", "write_entry", "write_hand", "write_round",
}  # fmt: skip


def everything(table: Table) -> dict[str, str]:
    """What a watcher and the host's pages show: each match on its own, and the evening."""
    found = {}
    for number in range(1, Table.objects.get(pk=table.pk).matches.count() + 1):
        answer = stranger(table).get(".../changes/", match=number)
        found[f"match {number}"] = answer.content.decode()
    found["evening"] = drawn.draw_evening(Table.objects.get(pk=table.pk), frozenset()).html
    found["newest"] = "".join(row.attributes for row in rows_on(host_of(table).get("")))
    return found


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_raises_the_version_and_what_was_kept_is_drawn_anew(
    verb, django_capture_on_commit_callbacks
):
    given, change = VERBS[verb]
    table = make_table()
    given(table)
    everything(table)
    before = version_of(table)

    with django_capture_on_commit_callbacks(execute=True):
        change(table)

    assert version_of(table) > before
    Table.objects.filter(pk=table.pk).update(is_open=True)  # so that the look can be had
    kept = everything(table)
    drawn.forget_all()
    assert kept == everything(table)


def test_every_verb_is_gone_through():
    verbs = {name for name in services.__all__ if name[0].islower()}

    assert verbs == GONE_THROUGH | NO_VERBS | OF_GROUPS


@pytest.mark.parametrize("page", PAGES)
def test_each_language_is_drawn_by_itself(page):
    table = make_table()
    fill(table, [(3, 0)])
    phone = host_of(table)

    pages = [
        phone.client.get(phone.url(page), headers={"Accept-Language": language}).content.decode()
        for language in ("en", "de", "en")
    ]

    opens = [re.findall("<i>(open|offen)</i>", page)[0] for page in pages]
    assert opens == ["open", "offen", "open"]


def test_links_lead_to_the_match_from_either_address_of_it():
    table = make_table()
    fill(table, [(3, 0)])
    phone = host_of(table)
    link = f'href="/t/{table.key}/m/1/r/1/A/"'

    pages = [phone.get(path).content.decode() for path in ("", ".../")]

    assert [link in page for page in pages] == [True, True]
    assert 'href="r/1/A/"' in phone.get(".../changes/").content.decode()


def test_the_same_cells_of_two_tables_keep_to_their_tables():
    tables = [make_table(), make_table()]
    for table in tables:
        fill(table, [(3, 0)])

    for table in tables:
        page = host_of(table).get("").content.decode()
        assert f"/t/{table.key}/m/1/r/1/A/" in page
        others = [other.key for other in tables if other != table]
        assert [key in page for key in others] == [False]


def test_a_name_full_of_markup_is_text_in_a_thrown_in_hand():
    table = make_table()
    phone = host_of(table)
    phone.post("people/", do="rename", seat=0, name='<b>href="r/1/')
    phone.post(".../thrown-in/", before=1, seen=0, op=new_op())

    page = phone.get("").content.decode()

    assert "&lt;b&gt;href=&quot;r/1/ gave" in page


def test_the_time_of_an_end_is_kept_as_it_is_stored():
    table = make_table()
    fill(table, [(3, 0)])
    phone = host_of(table)
    phone.end()

    for _ in range(2):
        ended = match_of(table).ended_at
        assert ended is not None
        news = phone.get(".../changes/").content.decode()
        assert f'<time datetime="{ended.isoformat()}">' in news


def test_what_was_written_while_a_sheet_was_read_is_not_kept_under_the_older_version():
    """The table was read before the number came, the rows after it."""
    table = make_table()
    fill(table, [(3, 0)])
    before = match_of(table)
    host_of(table).write(2, "A", 1)
    drawn.forget_all()

    mixed = kept.read(before)

    assert not mixed.is_of_one_version
    assert kept.find(before.table, 1) is None
    assert drawn.draw(mixed) is not drawn.draw(mixed)


def test_a_page_of_the_match_before_is_not_the_newest():
    table = make_table()
    a_next_match(table)
    phone = host_of(table)

    assert 'data-match="1"' in phone.get(".../").content.decode()
    assert 'data-match="2"' in phone.get("").content.decode()
    assert 'data-match="1"' in phone.get(".../").content.decode()


def test_a_row_that_did_not_change_is_drawn_once_for_all_versions():
    table = make_table("schafkopf")
    fill(table, [(14, 14, 0, 0)] * 3)
    phone = host_of(table)
    drawn.forget_all()
    phone.get("")
    misses = drawn._piece.cache_info().misses

    phone.write(4, "0", 14)
    phone.get("")

    assert drawn._piece.cache_info().misses == misses + 3  # its own row, the next, its total


def test_a_second_look_takes_one_query_for_the_door():
    table = make_table()
    fill(table, [(3, 0)])
    phone = host_of(table)
    phone.get("")

    with CaptureQueriesContext(connection) as captured:
        assert phone.get("").status_code == 200

    assert len(captured) == 1
