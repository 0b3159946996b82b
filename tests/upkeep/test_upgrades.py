"""A store of the first release, with two evenings in it, comes to this one and loses nothing."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.serving import OwnServer, Server, manage
from tests.streams import Phone

pytestmark = pytest.mark.sqlite

FIRST_RELEASE = Path(__file__).parent.parent / "data" / "first-release.sql"
KEPT = {
    "cells": """SELECT m.table_id, m.number, r.number, s."column", e.points, e.state
        FROM games_entry e JOIN games_round r ON r.id = e.round_id
        JOIN games_side s ON s.id = e.side_id JOIN games_match m ON m.id = r.match_id
        ORDER BY 1, 2, 3, 4""",
    "history": """SELECT table_id, version, who, match_number, round_number, "column", before,
        after, op, why FROM games_change ORDER BY id""",
    "tables": "SELECT key, code, game_slug, house, version FROM games_table ORDER BY id",
    "people": "SELECT table_id, seat, name, seat_code FROM games_player ORDER BY id",
    "phones": "SELECT table_id, token_hash, player_id, is_host FROM games_phone ORDER BY id",
    "late": "SELECT match_id, round_number, value, decision FROM games_lateentry ORDER BY id",
    "attempts": "SELECT table_id, op, what FROM games_op ORDER BY id",
}
WHO_PLAYS = 'SELECT side_id, player_id FROM "{}" ORDER BY 1, 2'


@pytest.fixture
def first(tmp_path):
    """A data folder as the first release has left it."""
    store = tmp_path / "first" / "scoresheet.sqlite3"
    store.parent.mkdir()
    with closing(sqlite3.connect(store)) as made:
        made.executescript(FIRST_RELEASE.read_text())
    return store


def ask(store, sql):
    with closing(sqlite3.connect(store)) as asked:
        return asked.execute(sql).fetchall()


def all_kept(store):
    return {what: ask(store, sql) for what, sql in KEPT.items()}


def test_everything_is_there_and_the_way_back_is_open(first):
    before = all_kept(first)
    players = ask(first, WHO_PLAYS.format("games_side_players"))
    assert len(before["cells"]) == 15

    manage("migrate", data_dir=first.parent)
    assert all_kept(first) == before
    assert ask(first, WHO_PLAYS.format("games_member")) == players
    assert ask(first, "PRAGMA foreign_key_check") == []
    ((result,),) = ask(first, "SELECT result FROM games_match WHERE how = 'tap'")
    assert json.loads(result)["players"] == {"A": [1, 3], "B": [2, 4]}

    manage("migrate", "games", "0001", data_dir=first.parent)
    assert all_kept(first) == before
    assert ask(first, WHO_PLAYS.format("games_side_players")) == players

    manage("migrate", data_dir=first.parent)
    assert all_kept(first) == before
    assert ask(first, WHO_PLAYS.format("games_member")) == players


def test_an_old_copy_is_brought_back_and_shown(first, store):
    cells = ask(first, KEPT["cells"])
    manage("restore", str(first), data_dir=store)
    assert ask(store / "scoresheet.sqlite3", KEPT["cells"]) == cells
    ((key,), _other) = ask(first, "SELECT key FROM games_table ORDER BY id")

    server = OwnServer(store)
    watcher = Phone(Server(server.url, store, server.log), key)
    pages = ["m/1/", "m/1/sheet.json", "m/1/story/", "m/1/history/", "evening/", "export.json"]
    answers = {page: watcher.ask("GET", f"/t/{key}/{page}") for page in pages}
    server.stop()

    assert {page: answer.status for page, (answer, _text) in answers.items()} == dict.fromkeys(
        pages, 200
    )
    assert json.loads(answers["m/1/sheet.json"][1])["totals"] == [5, 0]
