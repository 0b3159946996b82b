"""Who may do what: every address of the product, asked by everybody, with GET and with POST."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, get_resolver, resolve
from django.utils import timezone

from games import access, limits
from games.models import Group, GroupTable, LateEntry, Phone, SeatRequest, Table
from games.views.results import result_path
from tests.games.helpers import (
    HOST_TOKEN,
    PhoneClient,
    fill,
    host_of,
    make_table,
    new_op,
    seated,
    set_back_end,
    stranger,
    watcher,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]

# Lena (seat 0) and Felix (2) play as A, Kofi (1) and Nora (3) as B; nobody's phone is on seat 1,
# unless the host sits there.
ROLES = (
    "host", "host on seat 1", "Lena A", "Felix A", "Nora B", "watcher", "stranger",
    "stranger when closed", "phone of another table",
)  # fmt: skip


def an_open_match(table: Table) -> None:
    """Round 1 is 3 : 0, round 2 has not begun."""
    fill(table, [(3, 0)])


def a_fresh_match(table: Table) -> None:
    """Nothing has been entered."""


def an_end_by_tap(table: Table) -> None:
    fill(table, [(3, 0)])
    assert host_of(table).end().status_code == 303


def an_end_three_minutes_ago(table: Table) -> None:
    an_end_by_tap(table)
    set_back_end(table, timedelta(minutes=3))


def a_bank(table: Table) -> None:
    Table.objects.filter(pk=table.pk).update(house={**table.house, "line": 3})
    table.matches.update(house={**table.house, "line": 3})
    fill(table, [(3, 0)])


def a_late_number(table: Table) -> None:
    an_end_by_tap(table)
    late = LateEntry(table=table, match=table.matches.get(), round_number=2, column="A", value=1)
    late.op, late.at = new_op(), timezone.now()
    late.save()


def a_number_of_lena(table: Table) -> None:
    """Written by her phone, after round 1: version 3."""
    fill(table, [(3, 0)])
    assert PhoneClient(table, "seat-0").write(2, "A", 2).status_code == 303


def a_match_taken_back(table: Table) -> None:
    """Match 2 was there and is gone."""
    an_end_by_tap(table)
    host = host_of(table)
    assert host.post("next/").status_code == 303
    assert host.post(".../reopen/").status_code == 303


def a_wish_to_be_host(table: Table) -> None:
    """Felix asks, and no host has been here for a while."""
    felix = Phone.objects.get(table=table, player__seat=2)
    SeatRequest.objects.create(table=table, phone=felix, player=None, at=timezone.now())
    long_ago = timezone.now() - timedelta(minutes=9)
    Phone.objects.filter(table=table, is_host=True).update(seen_at=long_ago)


def a_second_host(table: Table) -> None:
    watcher(table, "second host")
    Phone.objects.filter(token_hash=access.hash_of("second host")).update(is_host=True)


def a_recovery_link(table: Table) -> None:
    Table.objects.filter(pk=table.pk).update(recovery_hash=access.hash_of("secret"))


def a_new_link(table: Table) -> None:
    """``table`` keeps the old key, as an open page does."""
    assert host_of(table).post("people/", {"do": "new-link", "sure": 1}).status_code == 303


def a_wish_for_seat_1(table: Table) -> None:
    asking = watcher(table, "asking").phone
    wished = table.players.get(seat=1)
    SeatRequest.objects.create(table=table, phone=asking, player=wished, at=timezone.now())


def a_group(table: Table) -> None:
    """The table counts in a group with another one, whose host asks nothing here."""
    group = Group.objects.create(name="Thursday round", created_at=timezone.now())
    other = make_table()
    Phone.objects.filter(table=other).update(token_hash="")
    for each in (table, other):
        GroupTable.objects.create(group=group, table=each)


def another_group(table: Table) -> None:
    """There is a group, and the table is not in it."""
    a_group(table)
    GroupTable.objects.filter(table=table).delete()


@dataclass(frozen=True)
class Asked:
    """One request and what every role is answered, in the order of ``ROLES``.

    A POST that is answered 303 changes something, all else changes nothing. ``=`` marks a 303 that
    changes nothing either.
    """

    what: str
    address: str
    answers: str
    fields: dict[str, Any] = field(default_factory=dict)
    given: Callable[[Table], None] = an_open_match

    @property
    def method(self) -> str:
        return self.what.split()[0]


M = "/t/{key}/m/1/"
CELL = {"value": 1, "base": 0}
CLEAR = {"value": "", "base": 9}
SCHNEIDER = {"round": 2, "points_a": 95}
TAKE_BACK, NEXT, END = f"{M}reopen/", "/t/{key}/next/", f"{M}end/"
OTHERS = {"do": "seats", "match": 1, **{f"seat_{n}": f"{{player{n}}}" for n in (0, 1, 2, 3)}}
OTHERS |= {"seat_1": "{player2}", "seat_2": "{player1}"}
EVENING = "/t/{key}/evening/"
PEOPLE, SEAT, LATE = "/t/{key}/people/", "/t/{key}/seat/", "/t/{key}/late/{late}/"
FOUR = {f"player_{line}": name for line, name in enumerate(("Ida", "Jo", "Kai", "Lea"))}
GONE = "/t/{key}/m/2/"
DELETE = "/t/{key}/delete/"
BROUGHT = {"text": (ROOT / "docs" / "export.md").read_text().split("```json\n")[1].split("```")[0]}
WORDS = "/words/en.000000000000.js"
REGULARS, GROUP, EDIT = "/t/{key}/regulars/", "/g/{group}/", "/g/{group}/edit/"

ASKED = [
    #                                       host seat1 Lena Felix Nora watch stranger closed other
    Asked("GET the games", "/", "200 200 200 200 200 200 200 200 200"),
    Asked("GET the rules", "/games/bauernstoss/", "200 200 200 200 200 200 200 200 200"),
    Asked("GET a new table", "/new/bauernstoss/", "200 200 200 200 200 200 200 200 200"),
    Asked("GET the box for a code", "/join/", "200 200 200 200 200 200 200 200 200"),
    Asked("GET the link of the code", "/j/{code}/", "302 302 302 302 302 302 302 404 302"),
    Asked("GET healthz", "/healthz", "200 200 200 200 200 200 200 200 200"),
    Asked("GET readyz", "/readyz", "200 200 200 200 200 200 200 200 200"),
    Asked("GET a CSRF cookie", "/csrf/", "204 204 204 204 204 204 204 204 204"),
    Asked("GET the service worker", "/sw.js", "200 200 200 200 200 200 200 200 200"),
    Asked("GET words for scripts", WORDS, "200 200 200 200 200 200 200 200 200"),
    Asked("GET the manifest", "/manifest.webmanifest", "200 200 200 200 200 200 200 200 200"),
    Asked("GET the language", "/i18n/setlang/", "302 302 302 302 302 302 302 302 302"),
    # see the sheet, rules
    Asked("GET the table", "/t/{key}/", "200 200 200 200 200 200 200 403 200"),
    Asked("GET the match", M, "200 200 200 200 200 200 200 403 200"),
    Asked("GET sheet.json", f"{M}sheet.json", "200 200 200 200 200 200 200 403 200"),
    Asked("GET changes", f"{M}changes/", "200 200 200 200 200 200 200 403 200"),
    Asked("GET a cell", f"{M}r/1/A/", "200 200 200 200 200 200 200 403 200"),
    Asked("GET the people", PEOPLE, "200 200 200 200 200 200 200 403 200"),
    Asked("GET the television", "/t/{key}/tv/", "200 200 200 200 200 200 200 403 200"),
    Asked("GET the evening", EVENING, "200 200 200 200 200 200 200 403 200"),
    Asked("GET the house rules", "/t/{key}/house/", "200 200 200 200 200 200 200 403 200"),
    Asked("GET the question of the end", END, "200 200 200 200 200 403 403 403 403"),
    Asked("GET the story", f"{M}story/", "200 200 200 200 200 200 200 403 200"),
    Asked("GET the picture", f"{M}story.svg", "200 200 200 200 200 200 200 403 200"),
    Asked("GET the strokes", f"{M}strokes/", "200 200 200 200 200 200 200 403 200"),
    Asked("GET the history", f"{M}history/", "200 200 200 200 200 200 200 403 200"),
    Asked("GET a deal in the wrong place", f"{M}r/1/deal/", "200 200 403 403 403 403 403 403 403"),
    # the regulars: the group's link for those who play; whoever has it may look
    Asked("GET the regulars", REGULARS, "200 200 200 200 200 403 403 403 403", given=a_group),
    Asked("GET a group", GROUP, "200 200 200 200 200 200 200 200 200", given=a_group),
    Asked("GET a group to edit", EDIT, "200 200 403 403 403 403 403 403 403", given=a_group),
    # what only takes a POST, what only takes a GET
    Asked("GET undo", f"{M}undo/", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the history", f"{M}history/", "405 405 405 405 405 405 405 405 405"),
    Asked("GET a row", f"{M}r/1/", "405 405 405 405 405 405 405 405 405"),
    Asked("GET thrown-in", f"{M}thrown-in/", "405 405 405 405 405 405 405 405 405"),
    Asked("GET chalk", f"{M}chalk/", "405 405 405 405 405 405 405 405 405"),
    Asked("GET dealer", f"{M}dealer/", "405 405 405 405 405 405 405 405 405"),
    Asked("GET reopen", TAKE_BACK, "405 405 405 405 405 405 405 405 405"),
    Asked("GET next", NEXT, "405 405 405 405 405 405 405 405 405"),
    Asked("GET late", LATE, "405 405 405 405 405 405 405 405 405", given=a_late_number),
    Asked("GET seat", SEAT, "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the games", "/", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the rules", "/games/bauernstoss/", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the link", "/j/{code}/", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to healthz", "/healthz", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to readyz", "/readyz", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to csrf", "/csrf/", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the service worker", "/sw.js", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to words for scripts", WORDS, "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the manifest", "/manifest.webmanifest", "405 405 405 405 405 405 405 405 405"),
    Asked("GET the theme", "/theme/", "405 405 405 405 405 405 405 405 405"),
    Asked("GET the way to bring a table back", "/import/", "200 200 200 200 200 200 200 200 200"),
    Asked("POST a table brought back", "/import/", "303 303 303 303 303 303 303 303 303", BROUGHT),
    Asked("POST nothing to be brought back", "/import/", "422 422 422 422 422 422 422 422 422",
          {"text": "nonsense"}),
    Asked("GET what is taken home", "/t/{key}/take-home/", "200 200 200 200 200 200 200 403 200"),
    Asked("GET the table as a file", "/t/{key}/export.json", "200 200 200 200 200 200 200 403 200"),
    Asked("GET the spreadsheet", "/t/{key}/export.csv", "200 200 200 200 200 200 200 403 200"),
    Asked("GET the match on paper", f"{M}print/", "200 200 200 200 200 200 200 403 200"),
    Asked("GET the result", "/r/{result}/", "200 200 200 200 200 200 200 200 200",
          {}, an_end_by_tap),
    Asked("GET the result of an open match", "/r/{result}/", "404 404 404 404 404 404 404 404 404"),
    Asked("GET whether to delete it", DELETE, "200 200 403 403 403 403 403 403 403"),
    Asked("POST that it is deleted", DELETE, "303 303 403 403 403 403 403 403 403"),
    Asked("POST to what is taken home", "/t/{key}/take-home/",
          "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the file", "/t/{key}/export.json", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the spreadsheet", "/t/{key}/export.csv", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the paper", f"{M}print/", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the result", "/r/{result}/", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the table", "/t/{key}/", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the match", M, "405 405 405 405 405 405 405 405 405"),
    Asked("POST to sheet.json", f"{M}sheet.json", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the television", "/t/{key}/tv/", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to changes", f"{M}changes/", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to a group", GROUP, "405 405 405 405 405 405 405 405 405", given=a_group),
    Asked("POST to the story", f"{M}story/", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the picture", f"{M}story.svg", "405 405 405 405 405 405 405 405 405"),
    Asked("POST to the strokes", f"{M}strokes/", "405 405 405 405 405 405 405 405 405"),
    # anybody
    Asked("POST the language", "/i18n/setlang/", "302 302 302 302 302 302 302 302 302"),
    Asked("POST the theme", "/theme/", "303= 303= 303= 303= 303= 303= 303= 303= 303="),
    Asked("POST a new table", "/new/bauernstoss/", "303 303 303 303 303 303 303 303 303", FOUR),
    Asked("POST a code", "/join/", "303= 303= 303= 303= 303= 303= 303= 422 303=",
          {"code": "{code}"}),
    # write or clear a cell of the own side's column; any cell
    Asked("POST a cell of A", f"{M}r/2/A/", "303 303 303 303 403 403 403 403 403", CELL),
    Asked("POST a cell of B", f"{M}r/2/B/", "303 303 403 403 303 403 403 403 403", CELL),
    Asked("POST a blank over A", f"{M}r/1/A/", "303 303 303 303 403 403 403 403 403", CLEAR),
    Asked("POST a blank over B", f"{M}r/1/B/", "303 303 403 403 303 403 403 403 403", CLEAR),
    Asked("POST a cell of no column", f"{M}r/2/C/", "404 404 404 404 404 404 404 403 404", CELL),
    Asked("POST a cell of no match", "/t/{key}/m/7/r/1/A/",
          "404 404 404 404 404 404 404 403 404", CELL),
    Asked("POST a cell of a match that is gone", f"{GONE}r/1/A/",
          "409 409 409 409 409 403 403 403 403", CELL, a_match_taken_back),
    # whole rows, after the bank too; late entries; house rules
    Asked("POST a whole row", f"{M}r/2/", "303 303 403 403 403 403 403 403 403",
          {"value_A": 0, "value_B": 2, "base": 0}),
    Asked("POST a cell after the bank", f"{M}r/1/A/", "303 303 409 409 403 403 403 403 403",
          CLEAR, a_bank),
    Asked("POST a row after the bank", f"{M}r/1/", "303 303 403 403 403 403 403 403 403",
          {"value_A": 0, "value_B": 3, "base": 9}, a_bank),
    Asked("POST a cell after the tap", f"{M}r/1/B/", "303 303 403 403 409 403 403 403 403",
          CLEAR, an_end_by_tap),
    Asked("POST a late number is taken", LATE, "303 303 403 403 403 403 403 403 403",
          {"do": "take"}, a_late_number),
    Asked("POST a late number is dropped", LATE, "303 303 403 403 403 403 403 403 403",
          {"do": "drop"}, a_late_number),
    Asked("POST the house rules", "/t/{key}/house/", "303 303 403 403 403 403 403 403 403",
          {"line": "9"}),
    # deals in the wrong place; what was written is taken back
    Asked("POST that a deal is put in", f"{M}r/1/deal/", "303 303 403 403 403 403 403 403 403",
          {"do": "insert", "base": 9}),
    Asked("POST that a deal is removed", f"{M}r/1/deal/", "303 303 403 403 403 403 403 403 403",
          {"do": "remove", "base": 9, "sure": 1}),
    Asked("POST that a deal is removed unasked", f"{M}r/1/deal/",
          "422 422 403 403 403 403 403 403 403", {"do": "remove", "base": 9}),
    Asked("POST undo of Lena’s number", f"{M}undo/", "303 303 303 403 403 403 403 403 403",
          {"version": 3, "base": 9}, a_number_of_lena),
    Asked("POST what is played for", EVENING, "303 303 403 403 403 403 403 403 403",
          {"unit": "0,10"}),
    Asked("POST a stake that is none", EVENING, "422 422 403 403 403 403 403 403 403",
          {"unit": "0.001"}),
    # settle a hand: host and player write it, all others work it out (a 200 that changes nothing)
    Asked("GET settle", f"{M}settle/", "405 405 405 405 405 405 405 405 405"),
    Asked("POST the form of a hand", f"{M}settle/",
          "303= 303= 303= 303= 303= 303= 303= 403 303="),
    Asked("POST a hand to work out", f"{M}settle/",
          "303= 303= 303= 303= 303= 303= 303= 403 303=",
          {"do": "work", **SCHNEIDER}),
    Asked("POST a hand to write", f"{M}settle/", "303 303 303 303 303 403 403 403 403",
          {"do": "write", **SCHNEIDER, "base": 0}),
    Asked("POST a hand that cannot be", f"{M}settle/", "422 422 422 422 422 403 403 403 403",
          {"do": "write", **SCHNEIDER, "points_a": 121, "base": 0}),
    # end match, next match, thrown in, first chalk, who deals
    Asked("POST the end", END, "303 303 303 303 303 403 403 403 403", {"sure": 1}),
    Asked("POST the end unasked", END, "422 422 422 422 422 403 403 403 403"),
    Asked("POST the next match", NEXT, "303 303 303 303 303 403 403 403 403", {}, an_end_by_tap),
    Asked("POST a hand thrown in", f"{M}thrown-in/", "303 303 303 303 303 403 403 403 403",
          {"before": 2, "seen": 0}),
    Asked("POST the chalk", f"{M}chalk/", "303 303 303 303 303 403 403 403 403",
          {"side": "B"}, a_fresh_match),
    Asked("POST the dealer", f"{M}dealer/", "303 303 303 303 303 403 403 403 403", {"seat": 3}),
    # take back the end
    Asked("POST the end is taken back", TAKE_BACK, "303 303 303 303 303 403 403 403 403",
          {}, an_end_by_tap),
    Asked("POST the end is taken back late", TAKE_BACK, "303 303 409 409 409 403 403 403 403",
          {}, an_end_three_minutes_ago),
    Asked("POST the bank is taken back", TAKE_BACK, "303 303 303 303 303 403 403 403 403",
          {}, a_bank),
    # names and side names
    Asked("POST the name of Lena", PEOPLE, "303 303 303 403 403 403 403 403 403",
          {"do": "rename", "seat": 0, "name": "Ida"}),
    Asked("POST the name of Kofi", PEOPLE, "303 303 403 403 403 403 403 403 403",
          {"do": "rename", "seat": 1, "name": "Ida"}),
    Asked("POST the name of side A", PEOPLE, "303 303 303 303 403 403 403 403 403",
          {"do": "rename-side", "column": "A", "name": "Us"}),
    Asked("POST the name of side B", PEOPLE, "303 303 403 403 303 403 403 403 403",
          {"do": "rename-side", "column": "B", "name": "Us"}),
    # seats, phones, code, closing
    Asked("POST that a seat is free", PEOPLE, "303 303 403 403 403 403 403 403 403",
          {"do": "free", "seat": 2}),
    Asked("POST a new code", PEOPLE, "303 303 403 403 403 403 403 403 403", {"do": "renew"}),
    Asked("POST that the table closes", PEOPLE, "303 303 403 403 403 403 403 403 403",
          {"do": "close"}),
    Asked("POST that the table opens", PEOPLE, "303 303 403 403 403 403 403 403 403",
          {"do": "open"}),
    Asked("POST nothing known to the people", PEOPLE, "422 422 422 422 422 403 403 403 403",
          {"do": "dance"}),
    Asked("POST yes to a wish", PEOPLE, "303 303 303 303 303 403 403 403 403",
          {"do": "yes", "request": "{wish}"}, a_wish_for_seat_1),
    Asked("POST no to a wish", PEOPLE, "303 303 303 303 303 403 403 403 403",
          {"do": "no", "request": "{wish}"}, a_wish_for_seat_1),
    # hosts, phones, the link
    Asked("POST yes to a wish to be host", PEOPLE, "303 303 403 403 303 403 403 403 403",
          {"do": "yes", "request": "{wish}"}, a_wish_to_be_host),
    Asked("POST no to a wish to be host", PEOPLE, "303 303 403 303 303 403 403 403 403",
          {"do": "no", "request": "{wish}"}, a_wish_to_be_host),
    Asked("POST that one would be host", PEOPLE, "303= 303= 303 303 303 403 403 403 403",
          {"do": "ask-host"}),
    Asked("POST that a phone is put out", PEOPLE, "303 303 403 403 403 403 403 403 403",
          {"do": "put-out", "phone": "{felix}", "sure": 1}),
    Asked("POST that a phone is put out unasked", PEOPLE, "422 422 403 403 403 403 403 403 403",
          {"do": "put-out", "phone": "{felix}"}),
    Asked("POST a second host", PEOPLE, "303 303 403 403 403 403 403 403 403",
          {"do": "make-host", "phone": "{felix}"}),
    Asked("POST that the office is laid down", PEOPLE, "303 303 403 403 403 403 403 403 403",
          {"do": "lay-down", "sure": 1}, a_second_host),
    Asked("POST that nobody is host", PEOPLE, "409 409 403 403 403 403 403 403 403",
          {"do": "lay-down", "sure": 1}),
    Asked("POST a new link", PEOPLE, "303 303 403 403 403 403 403 403 403",
          {"do": "new-link", "sure": 1}),
    Asked("GET the table at its old link", "/t/{key}/", "302 302 302 302 302 302 404 404 404",
          given=a_new_link),
    Asked("POST a cell at its old link", f"{M}r/1/A/", "307 307 307 307 307 307 404 404 404",
          CELL, a_new_link),
    Asked("POST a recovery link", PEOPLE, "303 303 403 403 403 403 403 403 403",
          {"do": "recovery"}),
    Asked("GET a recovery link", "/host/secret/", "200 200 200 200 200 200 200 200 200",
          given=a_recovery_link),
    Asked("POST to be host by it", "/host/secret/", "303= 303= 303 303 303 303 303 303 303",
          given=a_recovery_link),
    Asked("POST to be host by none", "/host/wrong/", "404 404 404 404 404 404 404 404 404",
          given=a_recovery_link),
    # who plays
    Asked("POST somebody new", PEOPLE, "303 303 403 403 403 403 403 403 403",
          {"do": "take-in", "name": "Ida"}),
    Asked("POST somebody off the list", PEOPLE, "303= 303= 403 403 403 403 403 403 403",
          {"do": "let-go", "player": "0"}),
    Asked("POST other partners", PEOPLE, "303 303 403 403 403 403 403 403 403",
          OTHERS, a_fresh_match),
    Asked("POST other partners in the middle", PEOPLE, "409 409 403 403 403 403 403 403 403",
          OTHERS),
    # where a table counts; who is who in a group
    Asked("POST a new group", REGULARS, "303 303 403 403 403 403 403 403 403",
          {"do": "start", "name": "Thursday round"}),
    Asked("POST that a table counts", REGULARS, "303 303 403 403 403 403 403 403 403",
          {"do": "join", "link": "{group}"}, another_group),
    Asked("POST that a table counts no more", REGULARS, "303 303 403 403 403 403 403 403 403",
          {"do": "leave"}, a_group),
    Asked("POST the name of a group", EDIT, "303 303 403 403 403 403 403 403 403",
          {"do": "rename", "name": "Friday round"}, a_group),
    Asked("POST that a group ends", EDIT, "303 303 403 403 403 403 403 403 403",
          {"do": "delete", "sure": 1}, a_group),
    Asked("POST that a group ends unasked", EDIT, "422 422 403 403 403 403 403 403 403",
          {"do": "delete"}, a_group),
    Asked("POST a free seat", SEAT, "303 303= 303 303 303 303 303 403 303", {"seat": 1}),
    Asked("POST a seat where Nora sits", SEAT, "303 303 409 409 303= 409 409 403 409", {"seat": 3}),
    Asked("POST that one looks on", SEAT, "303= 303 303 303 303 303= 303 403 303",
          {"seat": "watch"}),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _no_wrong_codes() -> Iterator[None]:
    limits.forget_all()
    yield
    limits.forget_all()


def table_given(asked: Asked) -> tuple[Table, dict[str, PhoneClient]]:
    """A table as the request finds it, and the phones of ROLES; only one of them is to ask."""
    table = make_table()
    phones = {
        "host": host_of(table),
        "host on seat 1": host_of(table),
        "Lena A": seated(table, 0),
        "Felix A": seated(table, 2),
        "Nora B": seated(table, 3),
        "watcher": watcher(table),
        "stranger": stranger(table),
        "stranger when closed": stranger(table),
        "phone of another table": PhoneClient(table, seated(make_table(), 0, "elsewhere").token),
    }
    asked.given(table)
    return table, phones


def arrive(role: str, table: Table, phone: PhoneClient) -> None:
    if role == "host on seat 1":
        Phone.objects.filter(pk=phone.phone.pk).update(player=table.players.get(seat=1))
    if role == "stranger when closed":
        Table.objects.filter(pk=table.pk).update(is_open=False)


def names_of(table: Table) -> dict[str, Any]:
    """What stands for the names in addresses and fields at a table."""
    return {
        "key": table.key,
        "code": table.code,
        "late": LateEntry.objects.values_list("pk", flat=True).first() or 1,
        "result": result_path(table.matches.get()).split("/")[2],
        "wish": SeatRequest.objects.values_list("pk", flat=True).first(),
        "felix": Phone.objects.filter(table=table, player__seat=2).values_list("pk", flat=True)[0],
        **{f"player{n}": table.players.get(seat=n).pk for n in range(4)},
        "group": Group.objects.values_list("key", flat=True).first(),
    }


def send(asked: Asked, table: Table, client: Client, **more: Any) -> Answer:
    names = names_of(table)
    address = asked.address.format(**names)
    if asked.method == "GET":
        return client.get(address, **more)
    fields = {name: filled(str(value), names) for name, value in asked.fields.items()}
    return client.post(address, {"op": new_op(), **fields}, **more)


def filled(text: str, names: dict[str, Any]) -> str:
    """A field with its names filled in; a file that has braces of its own stays as it is."""
    return text if text.startswith("{\n") else text.format(**names)


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """Every row that is stored, as the database holds it."""
    found = {}
    with connection.cursor() as cursor:
        for model in apps.get_app_config("games").get_models(include_auto_created=True):
            name = model._meta.db_table
            cursor.execute(f"SELECT * FROM {name} ORDER BY id")  # noqa: S608 - a name of ours
            found[name] = cursor.fetchall()
    return found


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["form", "htmx"])
@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.what)
def test_every_role_gets_the_answer_of_the_table(asked, headers):
    table, phones = table_given(asked)
    found = {}

    for role in ROLES:
        with transaction.atomic():
            arrive(role, table, phones[role])
            before = everything()
            answer = send(asked, table, phones[role].client, headers=headers)
            found[role] = in_table_form(asked, answer, changed=everything() != before)
            transaction.set_rollback(True)

    assert found == dict(zip(ROLES, asked.answers.split(), strict=True))


def in_table_form(asked: Asked, answer: Answer, *, changed: bool) -> str:
    """The status, and a mark if not that changed which a status says; htmx has 200 for 303."""
    status = answer.status_code
    if asked.method == "POST" and status == 200:
        status = 303
    ought_to_change = (asked.method, status) == ("POST", 303)
    mark = "" if changed == ought_to_change else "=" if ought_to_change else "!"
    return f"{status}{mark}"


def test_every_address_is_asked_with_get_and_post():
    numbers = {"key": "k", "code": "c", "late": 1, "result": "r", "group": "g"}
    asked = {(resolve(each.address.format(**numbers)).view_name, each.method) for each in ASKED}

    assert asked == {(name, method) for name in view_names() for method in ("GET", "POST")}


def view_names(resolver: Any = None, namespace: str = "") -> set[str]:
    """The name of every address there is."""
    names = set()
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLPattern):
            names.add(f"{namespace}{pattern.name}")
        else:
            inner = f"{pattern.namespace}:" if pattern.namespace else ""
            names |= view_names(pattern, namespace + inner)
    return names


POSTS = [asked for asked in ASKED if asked.method == "POST"]


@pytest.mark.parametrize("asked", POSTS, ids=lambda asked: asked.what)
def test_no_post_is_taken_without_a_csrf_token(asked):
    table, _phones = table_given(asked)
    client = Client(enforce_csrf_checks=True)
    client.cookies[access.COOKIE] = HOST_TOKEN
    before = everything()

    without = send(asked, table, client)

    assert (without.status_code, everything()) == (403, before)
    client.get("/csrf/")
    token = client.cookies["csrftoken"].value
    answer = send(asked, table, client, headers={"X-CSRFToken": token})
    told = in_table_form(asked, answer, changed=everything() != before)
    assert told == asked.answers.split()[0]


@pytest.mark.parametrize(
    "asked", [asked for asked in ASKED if "{key}" in asked.address], ids=lambda asked: asked.what
)
def test_the_key_of_no_table_opens_nothing(asked):
    table, phones = table_given(asked)
    before = everything()
    table.key = "A" * 22

    answer = send(asked, table, phones["host"].client)

    assert answer.status_code == (405 if asked.answers.startswith("405") else 404)
    assert everything() == before


def test_nobody_but_the_host_says_yes_to_themselves():
    _table, phones = table_given(Asked("", "", ""))
    lena = phones["Lena A"]
    assert lena.post("seat/", seat=3, me=1).status_code == 409
    wish = SeatRequest.objects.get(phone=lena.phone)
    before = everything()

    own = lena.post("people/", do="yes", request=wish.pk)

    assert (own.status_code, everything()) == (403, before)
    assert phones["Nora B"].post("people/", do="yes", request=wish.pk).status_code == 303
    assert lena.visitor.seat == 3
