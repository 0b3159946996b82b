"""A file becomes a table again, whole or not at all."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import exchange, services
from games.models import Change, LateEntry, Phone, Table
from games.services import Refusal
from tests.games.helpers import (
    HOST_TOKEN,
    PhoneClient,
    host_of,
    make_table,
    match_of,
    new_op,
    row_version,
)
from tests.games.taken_home import (
    EVENINGS,
    bring,
    exported,
    four_players,
    newest_table,
    rows,
    sheets,
    two_sides,
    without_marks,
)

pytestmark = pytest.mark.django_db

PAGES = ("", "take-home/", "export.json", "export.csv", "people/", "house/", "tv/")
PAGES_OF_A_MATCH = (".../", ".../sheet.json", ".../story/", ".../print/", ".../changes/")
MEGABYTE = 1024 * 1024


def brought(plain: Any) -> PhoneClient:
    """The phone that brought a table back, as its host."""
    client = Client()
    answer = bring(plain, client)
    assert answer.status_code == 303, answer.context["wrong"]
    table = newest_table()
    assert answer["Location"] == f"/t/{table.key}/"
    return PhoneClient(table, client.cookies["phone"].value, client=client)


@pytest.mark.parametrize("evening", EVENINGS)
def test_a_table_that_is_brought_back_is_as_it_was(evening):
    table = evening()
    home = exported(table)

    new = brought(home).table

    assert new.pk != table.pk
    as_it_was = [json.loads(json.dumps(one)) for one in sheets(table)]
    taken = exchange.take(new)
    assert [sheet_plain(one) for one in taken.matches] == as_it_was
    assert without_marks(exported(new)) == home


def sheet_plain(taken: exchange.TakenMatch) -> dict[str, Any]:
    """The same as ``sheets`` says, asked of the table itself."""
    table = taken.sheet.match.table
    phone = PhoneClient(table)
    sheet = phone.sheet(taken.sheet.match.number)
    sheet.pop("version")
    return sheet | {
        "rounds": [{"number": r["number"], "entries": r["entries"]} for r in sheet["rounds"]]
    }


def test_the_phone_that_brings_a_table_is_its_host_and_can_play_on():
    host = brought(exported(two_sides()))

    assert host.phone.is_host
    assert host.phone.player is None
    assert host.table.code
    assert host.write(1, "B", 2, match=2).status_code == 303
    assert host.entries(2) == [[0, 2]]
    # A number that stood is taken for what it is: somebody else's.
    assert host.write(1, "A", 1, base=0, match=2).status_code == 409
    assert host.write(1, "A", 1, match=2, sure=1).status_code in {303, 422}


def test_a_bank_that_was_brought_back_can_be_taken_back():
    table = two_sides()
    home = exported(table)
    home["matches"].pop()
    host = brought(home)

    assert host.post(".../reopen/").status_code == 303
    assert host.sheet()["status"] == "open"
    assert host.entries() == [[1, None]]


def test_a_late_number_still_waits_for_the_host():
    host = brought(exported(two_sides()))
    late = LateEntry.objects.get(table=host.table)

    assert host.post(f"late/{late.pk}/", do="drop").status_code == 303
    assert LateEntry.objects.get(pk=late.pk).decision == "dropped"


def test_every_number_is_marked_as_brought_back_after_its_history():
    before = timezone.now()
    host = brought(exported(two_sides()))

    cell = Change.objects.filter(
        table=host.table, match_number=1, round_number=1, column="A"
    ).order_by("pk")
    assert [(c.before, c.after, c.why, c.who) for c in cell] == [
        (None, 2, "own", "Lena"),
        (2, 1, "host", ""),
        (1, 1, "import", ""),
    ]
    assert cell[2].at > cell[1].at > before
    page = host.get(".../r/1/A/").content.decode()
    assert "brought back" in page
    numbers = [cell for sheet in sheets(host.table) for row in sheet["rounds"]
               for cell in row["entries"] if cell is not None]  # fmt: skip
    assert Change.objects.filter(table=host.table, why="import").count() == len(numbers)


def test_a_hand_that_was_worked_out_comes_along():
    host = brought(exported(four_players()))

    taken = exchange.take(host.table).matches[0]
    told = taken.sheet.settlement(taken.sheet.row(1))
    assert told is not None
    assert told.entries == taken.sheet.row(1).values


def test_a_file_can_be_chosen_as_well_as_pasted():
    client = Client()
    home = exported(two_sides())
    file = SimpleUploadedFile("x.json", b"\xef\xbb\xbf" + json.dumps(home).encode())

    answer = client.post("/import/", {"file": file, "text": "nonsense"})

    assert answer.status_code == 303
    assert without_marks(exported(newest_table())) == home


def test_whoever_brings_a_table_keeps_the_others():
    table = two_sides()
    client = Client()
    client.cookies["phone"] = HOST_TOKEN

    assert bring(exported(table), client).status_code == 303
    assert Phone.objects.filter(table=newest_table()).get().token_hash == (
        host_of(table).phone.token_hash
    )


def changed(path: str, value: Any) -> Any:
    """A valid file with one value set; a path is ``matches.0.rounds.1``."""
    home = deepcopy(_home(two_sides))
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    inner: Any = home
    for step in way:
        inner = inner[step]
    inner[last] = value
    return home


def without(path: str) -> Any:
    """A valid file that lacks one value."""
    home = deepcopy(_home(two_sides))
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    inner: Any = home
    for step in way:
        inner = inner[step]
    del inner[last]
    return home


ROUND = "matches.0.rounds.1"
CELL = f"{ROUND}.entries.1"
LINE = "matches.0.history.0"
FAR = (timezone.now() + timedelta(days=9)).isoformat()
REFUSED = [
    ("format", "chess", "This is no file that was taken home"),
    ("edition", 2, "another edition"),
    ("edition", True, "another edition"),
    ("edition", "1", "another edition"),
    ("game", "poker", "“game”: Here belongs one of these"),
    ("game", ["bauernstoss"], "“game”: Here belongs one of these"),
    ("colour", "red", "Nobody knows what “colour” is."),
    ("house", {"line": 0}, "“house”: No house rule “line”"),
    ("house", {"jokers": True}, "“house”: No house rule “jokers”"),
    ("house", {"line": {"deep": 1}}, "“house”: No house rule “line”"),
    ("house", [], "“house”: Here belong names with values"),
    ("agreed", "x" * 201, "“agreed”: At most 200 characters fit here."),
    ("agreed", "\ud800", "“agreed”: This cannot hold control characters."),
    ("unit_cents", 0, "“unit_cents”: Here belongs a whole number from 1 to 999999."),
    ("unit_cents", 1.5, "“unit_cents”: Here belongs a whole number"),
    ("unit_cents", 10**400, "“unit_cents”: Here belongs a whole number"),
    ("currency", "€" * 9, "“currency”: A currency has at most 8 characters."),
    ("currency", None, "“currency”: Here belongs a text"),
    ("started_at", "yesterday", "“started_at”: Here belongs a time since 2000"),
    ("started_at", "2026-01-01T10:00:00", "“started_at”: Here belongs a time since 2000"),
    ("started_at", "1999-12-31T23:59:59+00:00", "“started_at”: Here belongs a time since 2000"),
    ("started_at", FAR, "“started_at”: This time is in the future."),
    ("started_at", "9999-12-31T23:59:59-23:59", "“started_at”: This time is in the future."),
    ("started_at", 20260101, "“started_at”: Here belongs a text"),
    ("players", {}, "“players”: Here belongs a list of at most 100."),
    ("players.0", "Lena", "Player 1: Here belong names with values"),
    ("players.0.name", "", "Player 1, “name”: A name is missing here."),
    ("players.0.name", "x" * 41, "Player 1, “name”: A name has at most 40 characters."),
    ("players.0.name", "x" * 5000, "Player 1, “name”: A name has at most 40 characters."),
    ("players.0.name", "a\x00b", "Player 1, “name”: A name cannot hold control characters."),
    ("players.0.name", "a\u202eb", "Player 1, “name”: A name cannot hold control characters."),
    ("players.2.name", "LENA", "Player 3, “name”: Somebody at this table has that name already."),
    ("players.0.seat", 1, "“players”: On each of the seats 0 to 3"),
    ("players.0.seat", 4, "Player 1, “seat”: Here belongs a whole number from 0 to 3."),
    ("players.0.seat", None, "“players”: On each of the seats 0 to 3"),
    ("players.0.seat", True, "Player 1, “seat”: Here belongs a whole number"),
    ("matches", [], "“matches”: There is no match in this file."),
    ("matches.0", None, "Match 1: Here belong names with values"),
    ("matches.1.number", 3, "Match 2, “number”: Matches have to be in their order"),
    ("matches.0.start_dealer", 4, "Match 1, “start_dealer”: Here belongs a whole number"),
    ("matches.0.first_chalk", "C", "Match 1, “first_chalk”: Here belongs one of these: A, B."),
    ("matches.0.dealer_corrections.0.deal", 0, "Match 1, “dealer_corrections”, 1, “deal”"),
    ("matches.0.dealer_corrections", [{"deal": 2, "thrown_in": 0, "seat": 0}] * 2,
     "Deals have to be in their order, and each once."),
    ("matches.0.thrown_in", [{"before": 2, "hands": 1}] * 2, "each once"),
    ("matches.0.thrown_in.0.hands", 10**30, "Match 1, “thrown_in”, 1, “hands”"),
    ("matches.0.ended_at", None, "A match that has ended says when and how"),
    ("matches.0.ended_at", "2001-01-01T00:00:00+00:00", "The match ends before it starts."),
    ("matches.0.how", None, "A match that has ended says when and how"),
    ("matches.0.how", "won", "Match 1, “how”: Here belongs one of these: line, tap."),
    ("matches.0.ended_by", "\t", "Match 1, “ended_by”"),
    ("matches.0.corrected", 1, "Match 1, “corrected”: Here belongs true or false."),
    ("matches.0.banking.cells.0.column", "C", "Match 1, “banking”, “cells”, 1, “column”"),
    ("matches.0.banking.house", {"line": -1}, "No house rule “line”"),
    ("matches.0.sides.0.column", "B", "Here belong all sides of the game, in their order."),
    ("matches.0.sides", [], "Match 1, “sides”: Here belong all sides of the game"),
    ("matches.0.sides.0.name", "Kofi & Nora", "The other side has that name already."),
    ("matches.0.sides.0.players", [0], "Every side has players of its own"),
    ("matches.0.sides.0.players", [0, 0], "Every side has players of its own"),
    ("matches.0.sides.0.players", [0, 1], "Every side has players of its own"),
    ("matches.0.sides.0.players", [0, 9], "Here belongs a whole number from 0 to 3."),
    (f"{ROUND}.number", 5, "Match 1, deal 2, “number”: Deals have to be in their order"),
    (f"{ROUND}.entries", [None], "Match 1, deal 2, “entries”: Here belongs one number for each"),
    (f"{CELL}.value", 13, "Match 1, deal 2: "),
    (f"{CELL}.value", -1, "Here belongs a whole number from 0 to 9999."),
    (f"{CELL}.value", 10000, "Here belongs a whole number from 0 to 9999."),
    (f"{CELL}.value", "3", "Match 1, deal 2, “entries”, 2, “value”: Here belongs a whole number"),
    (f"{CELL}.value", 3.0, "Here belongs a whole number"),
    (f"{CELL}.value", True, "Here belongs a whole number"),
    (f"{CELL}.state", "open", "Here belongs one of these: written, corrected, implied."),
    (f"{ROUND}.entries.0", {"value": 3}, "Match 1, deal 2: "),
    (f"{ROUND}.hand", {"a b": 1}, "Match 1, deal 2, “hand”: “a b” is no word of this game."),
    (f"{ROUND}.hand", {"kind": {"deep": 1}}, "Match 1, deal 2, “hand”, “kind”"),
    (f"{ROUND}.hand", {f"q{n}": 1 for n in range(41)}, "Here belongs a list of at most 40."),
    (f"{ROUND}.confirmed", {"rare": ["C"]}, "Match 1, deal 2, “confirmed”, “rare”, 1"),
    (f"{ROUND}.confirmed", {"\x00": ["A"]}, "is no word of this game."),
    (f"{LINE}.why", "magic", "Match 1, line 1 of the history, “why”: Here belongs one of these"),
    (f"{LINE}.deal", 301, "Match 1, line 1 of the history, “deal”"),
    (f"{LINE}.after", -3, "Match 1, line 1 of the history, “after”"),
    (f"{LINE}.who", "\x07", "Match 1, line 1 of the history, “who”"),
    ("matches.0.late.0.decision", "maybe", "Match 1, late number 1, “decision”"),
    ("matches.1.house", {"line": 0}, "Match 2, “house”: No house rule “line”"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "say"), REFUSED)
def test_what_could_not_have_been_written_is_refused_where_it_stands(path, value, say):
    file = changed(path, value)
    before = rows()

    answer = bring(file)

    assert (answer.status_code, rows()) == (422, before)
    assert say in answer.context["wrong"]["text"].say
    assert answer.context["typed"] == json.dumps(file)


NEEDED = [
    "game", "house", "started_at", "players", "matches", "players.1.name", "players.1.seat",
    "matches.0.number", "matches.0.house", "matches.0.start_dealer", "matches.0.started_at",
    "matches.0.ended_at", "matches.0.how", "matches.0.sides", "matches.0.rounds",
    f"{ROUND}.number", f"{ROUND}.entries", f"{CELL}.value", f"{LINE}.at", f"{LINE}.why",
]  # fmt: skip
SPARED = [
    "agreed", "unit_cents", "currency", "matches.0.first_chalk", "matches.0.dealer_corrections",
    "matches.0.thrown_in", "matches.0.ended_by", "matches.0.corrected", "matches.0.banking",
    "matches.0.history", "matches.0.late", f"{CELL}.state", f"{CELL}.at",
]  # fmt: skip


@pytest.mark.parametrize("path", NEEDED)
def test_what_is_needed_is_missed(path):
    file = without(path)
    before = rows()

    answer = bring(file)

    assert (answer.status_code, rows()) == (422, before)
    name = path.rpartition(".")[2]
    assert f"“{name}” is missing." in answer.context["wrong"]["text"].say


def test_more_deals_than_any_evening_has_are_not_even_judged():
    home = deepcopy(_home(two_sides))
    home["matches"] = [home["matches"][0] | {"rounds": ["junk"] * 51}] * 100
    before = rows()

    answer = bring(home)

    assert (answer.status_code, rows()) == (422, before)
    assert "These are more than 5000 deals" in answer.context["wrong"]["text"].say


@pytest.mark.parametrize("path", SPARED)
def test_what_is_marked_in_the_docs_may_be_left_out(path):
    assert bring(without(path)).status_code == 303


def test_a_match_before_the_last_cannot_be_open():
    home = exported(two_sides())
    first = home["matches"][0]
    first |= {"ended_at": None, "how": None, "rounds": first["rounds"][:1]}
    before = rows()

    answer = bring(home)

    assert (answer.status_code, rows()) == (422, before)
    assert "Match 1: Only the last match can be open." in answer.context["wrong"]["text"].say


def test_an_open_match_cannot_have_reached_its_line():
    home = exported(two_sides())
    home["matches"][0] |= {"ended_at": None, "how": None}
    home["matches"].pop()

    answer = bring(home)

    assert answer.status_code == 422
    assert "The line is reached in deal 2" in answer.context["wrong"]["text"].say


def test_a_row_that_no_deal_gives_may_say_so_of_itself():
    file = changed(f"{CELL}.value", 13)
    assert bring(file).status_code == 422

    file["matches"][0]["rounds"][1]["unlawful"] = True

    assert brought(file).entries() == [[1, 0], [0, 13]]


def test_a_table_with_numbers_of_its_own_may_have_any():
    file = changed(f"{CELL}.value", 13)
    file["matches"][0]["house"] = {"free_numbers": True, "line": 3}

    assert brought(file).entries() == [[1, 0], [0, 13]]


@pytest.mark.parametrize(
    ("text", "say"),
    [
        ("", "Choose a file, or paste what is in it."),
        ("  \n", "Choose a file, or paste what is in it."),
        ("Lena 3 : 1 Kofi", "This breaks off or is no JSON: line 1, character 1."),
        ('{"format": "scoresheet",', "This breaks off or is no JSON: line 1, character 25."),
        ("[" * 100_000, "This is nested too deeply."),
        ('{"a":' * 100_000, "This is nested too deeply."),
        ("9" * 5000, "A number in this file is far too long."),
        ('{"edition": NaN}', "“NaN” is no number."),
        ('{"edition": -Infinity}', "“-Infinity” is no number."),
        ('{"edition": 1, "edition": 1}', "“edition” stands there twice."),
        ("null", "This is no file that was taken home"),
        ("[]", "This is no file that was taken home"),
        ("1e999", "This is no file that was taken home"),
        ("x" * 5 * MEGABYTE + "x", "This is more than 5 MB"),
        ("x" * 10 * MEGABYTE, "This is more than 5 MB"),
    ],
    ids=lambda text: text[:20],
)
def test_junk_is_refused_before_anything_is_made_of_it(text, say):
    before = rows()

    pasted = bring(text)
    file = SimpleUploadedFile("evening.json", text.encode() or b" ")
    chosen = Client().post("/import/", {"file": file, "text": ""})

    assert (pasted.status_code, chosen.status_code, rows()) == (422, 422, before)
    assert say in pasted.context["wrong"]["text"].say
    if text.strip():
        assert say in chosen.context["wrong"]["file"].say


def test_a_picture_is_no_evening():
    before = rows()
    file = SimpleUploadedFile("cat.png", b"\x89PNG\r\n\x1a\n\xff\xff")

    answer = Client().post("/import/", {"file": file})

    assert (answer.status_code, rows()) == (422, before)
    assert "This is no text" in answer.context["wrong"]["file"].say


# Any evening there and back; and any damage is refused or harmless. ----------------------

SOME = settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
A_STEP = st.tuples(
    st.sampled_from(["write"] * 6 + ["throw", "dealer", "chalk", "end", "next", "house", "rename"]),
    st.integers(0, 3),
    st.sampled_from([0, 0, 0, 1, 2, 3, 8, 12, 20]),
)


def play(table: Table, step: tuple[str, int, int]) -> None:
    """One thing that happens at a table, if it can."""
    verb, who, value = step
    host = host_of(table)
    number = table.matches.count()
    match = match_of(table, number)
    sheet = host.sheet(number)
    column = sheet["columns"][who % len(sheet["columns"])]["id"]
    last = len(sheet["rounds"])
    if verb == "write":
        texts = {one["id"]: str(value) if one["id"] == column else "0" for one in sheet["columns"]}
        services.write_round(
            visitor=host.visitor, match=match, round_number=last + 1, texts=texts, op=new_op(),
            base=row_version(table, last + 1, number), sure=True,
        )  # fmt: skip
    elif verb == "throw":
        services.throw_in(visitor=host.visitor, match=match, before=last + 1,
                          seen=match.thrown_total, op=new_op())  # fmt: skip
    elif verb == "dealer":
        services.set_dealer(visitor=host.visitor, match=match, seat=who, op=new_op())
    elif verb == "chalk":
        services.set_chalk(visitor=host.visitor, match=match, side=column)
    elif verb == "end":
        services.end_match(visitor=host.visitor, match=match, sure=True)
    elif verb == "next":
        services.next_match(visitor=host.visitor)
    elif verb == "house":
        house = table.game.house_rules({"line": value or "none", "free_numbers": who > 1})
        services.change_house(
            visitor=host.visitor, house=house, agreed=f"{who}\n{value}", sure=True
        )
    else:
        services.rename_player(visitor=host.visitor, seat=who, name=f"P{who}{value}")


@SOME
@given(
    game=st.sampled_from(["bauernstoss", "bauernschnapsen", "schafkopf"]),
    steps=st.lists(A_STEP, min_size=3, max_size=25),
)
def test_any_evening_comes_back_as_it_was(game, steps):
    table = make_table(game)
    for step in steps:
        try:
            play(table, step)
        except Refusal:
            continue
    home = exported(table)

    new = brought(home).table

    assert without_marks(exported(new)) == home
    assert [sheet_plain(one) for one in exchange.take(new).matches] == [
        sheet_plain(one) for one in exchange.take(table).matches
    ]


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 12),
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["A", "B", "0", "line", "implied", "2026-01-01T00:00:00+00:00", "rufer"]),
    st.lists(st.integers(0, 4), max_size=5),
    st.dictionaries(st.sampled_from(["kind", "declarer", "value", "deal", "line"]),
                    st.integers(0, 9), max_size=3),
)  # fmt: skip


def places(plain: Any) -> list[tuple[Any, Any]]:
    """Everything in a file that can be replaced: what holds it, and under which name or number."""
    names = list(plain) if isinstance(plain, dict) else range(len(plain))
    found: list[tuple[Any, Any]] = []
    for name in names:
        found.append((plain, name))
        if isinstance(plain[name], dict | list):
            found += places(plain[name])
    return found


def damage(file: Any, data: st.DataObject) -> None:
    """Replace, remove or double something, up to three times."""
    for _ in range(data.draw(st.integers(1, 3))):
        inside, name = data.draw(st.sampled_from(places(file)))
        how = data.draw(st.sampled_from(["replace", "replace", "remove", "double"]))
        if how == "replace":
            inside[name] = data.draw(JUNK)
        elif how == "remove":
            del inside[name]
        elif isinstance(inside, list):
            inside.insert(name, deepcopy(inside[name]))


@settings(SOME, max_examples=60)
@given(evening=st.sampled_from(EVENINGS), data=st.data())
def test_a_damaged_file_is_refused_or_makes_a_table_that_works(evening, data):
    file = deepcopy(_home(evening))
    damage(file, data)
    before = rows()
    client = Client()

    answer = bring(file, client)

    assert answer.status_code in {303, 422}
    if answer.status_code == 422:
        assert rows() == before
        assert answer.context["wrong"]["text"].say
        return
    assert rows()["Table"] == before["Table"] + 1
    look_at_everything(PhoneClient(newest_table(), client.cookies["phone"].value, client=client))


def look_at_everything(phone: PhoneClient) -> None:
    """Every page works, and the file of what was made of a file is the same."""
    for page in PAGES:
        assert phone.get(page).status_code == 200
    for number in range(1, phone.table.matches.count() + 1):
        for page in PAGES_OF_A_MATCH:
            assert phone.get(page, match=number).status_code == 200
    again = exported(phone.table)
    assert without_marks(exported(brought(again).table)) == without_marks(again)


_homes: dict[Any, Any] = {}


def _home(evening: Any) -> Any:
    """An evening's file, made once: the tests need no other."""
    if evening not in _homes:
        _homes[evening] = exported(evening())
    return _homes[evening]
