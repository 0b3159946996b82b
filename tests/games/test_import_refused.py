"""What could not have been written at a table is refused, with its place and the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.games.taken_home import bring, brought, home_of, rows, two_sides

pytestmark = pytest.mark.django_db

MEGABYTE = 1024 * 1024


def changed(path: str, value: Any) -> Any:
    """A valid file with one value set; a path is ``matches.0.rounds.1``."""
    home = home_of(two_sides)
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    inner: Any = home
    for step in way:
        inner = inner[step]
    inner[last] = value
    return home


def without(path: str) -> Any:
    """A valid file that lacks one value."""
    home = home_of(two_sides)
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    inner: Any = home
    for step in way:
        inner = inner[step]
    del inner[last]
    return home


ROUND = "matches.0.rounds.1"
CELL = f"{ROUND}.entries.1"
LINE = "matches.0.history.0"
FAR = "3000-01-01T00:00:00+00:00"
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
    home = home_of(two_sides)
    home["matches"] = [home["matches"][0] | {"rounds": ["junk"] * 51}] * 100
    before = rows()

    answer = bring(home)

    assert (answer.status_code, rows()) == (422, before)
    assert "These are more than 5000 deals" in answer.context["wrong"]["text"].say


@pytest.mark.parametrize("path", SPARED)
def test_what_is_marked_in_the_docs_may_be_left_out(path):
    assert bring(without(path)).status_code == 303


def test_a_match_before_the_last_cannot_be_open():
    home = home_of(two_sides)
    first = home["matches"][0]
    first |= {"ended_at": None, "how": None, "rounds": first["rounds"][:1]}
    before = rows()

    answer = bring(home)

    assert (answer.status_code, rows()) == (422, before)
    assert "Match 1: Only the last match can be open." in answer.context["wrong"]["text"].say


def test_an_open_match_cannot_have_reached_its_line():
    home = home_of(two_sides)
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
