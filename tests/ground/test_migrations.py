"""What people wrote stays when what is stored changes, whichever store it is."""

from __future__ import annotations

import json

import pytest

from tests.serving import ask_store, change_store, drop_store, make_database, manage

NOW = "2026-01-02 20:15:00+00:00"
LENA, KOFI, FELIX, NORA = 11, 12, 13, 14
A, B = 31, 32
HOST = 21
RESULT = {"winners": ["A"], "totals": {"A": 3, "B": 1}, "bummerl": {}}
# As it stood at migration 0003: an ended match of partners, a phone, a number and its history.
WRITTEN: dict[str, list[dict[str, object]]] = {
    "games_table": [{
        "id": 1, "key": "a-table", "code": "K7M2QX", "is_open": True, "game_slug": "bauernstoss",
        "house": "{}", "edition": 1, "agreed": "", "currency": "", "version": 9,
        "names_version": 1, "matches_made": 1, "match_removed_version": 0, "created_at": NOW,
        "touched_at": NOW,
    }],
    "games_player": [
        {"id": player, "table_id": 1, "seat": seat, "name": name, "seat_code": "ABCDEF",
         "code_misses": 0}
        for seat, (player, name) in enumerate(
            [(LENA, "Lena"), (KOFI, "Kofi"), (FELIX, "Félix"), (NORA, "Nora")]
        )
    ],
    "games_phone": [
        {"id": HOST, "table_id": 1, "token_hash": "h", "is_host": True, "seen_at": NOW,
         "player_id": LENA}
    ],
    "games_match": [{
        "id": 2, "table_id": 1, "number": 1, "house": '{"line": 3}', "start_dealer": 0,
        "first_chalk": "", "dealer_corrections": "[]", "thrown_in": "{}", "version": 9,
        "blank_version": 0, "started_at": NOW, "ended_at": NOW, "ended_by": "", "how": "line",
        "corrected": False, "banking": "{}", "result": json.dumps(RESULT),
    }],
    "games_side": [
        {"id": A, "match_id": 2, "column": "A", "name": "Lena & Félix"},
        {"id": B, "match_id": 2, "column": "B", "name": "Kofi & Nora"},
    ],
    "games_side_players": [
        {"id": place, "side_id": side, "player_id": player}
        for place, (side, player) in enumerate([(A, FELIX), (A, LENA), (B, KOFI), (B, NORA)], 41)
    ],
    "games_round": [
        {"id": 51, "match_id": 2, "number": 1, "confirmed": "{}", "version": 9}
    ],
    "games_entry": [
        {"id": 61, "round_id": 51, "side_id": A, "points": 3, "state": "written",
         "corrected": False, "version": 9, "written_by_id": HOST, "written_at": NOW}
    ],
    "games_change": [
        {"id": 71, "table_id": 1, "version": 9, "at": NOW, "who": "Lena", "match_number": 1,
         "round_number": 1, "column": "A", "after": 3, "op": "o", "why": "own", "phone_id": HOST}
    ],
}  # fmt: skip


@pytest.fixture
def old_store(tmp_path):
    """A store as an early version of the product left it."""
    data_dir = make_database(tmp_path / "data")
    manage("migrate", "games", "0003", "--verbosity", "0", data_dir=data_dir)
    for table, rows in WRITTEN.items():
        for row in rows:
            names = ", ".join(f'"{name}"' for name in row)
            places = ", ".join("?" for _ in row)
            insert = f"INSERT INTO {table} ({names}) VALUES ({places})"  # noqa: S608
            change_store(data_dir, insert, *row.values())
    yield data_dir
    drop_store(data_dir)


def test_an_evening_of_an_early_version_is_all_there_at_the_newest(old_store):
    manage("migrate", "--verbosity", "0", data_dir=old_store)

    members = ask_store(old_store, "SELECT side_id, place, player_id, name FROM games_member")
    assert sorted(members) == [
        (A, 0, LENA, "Lena"),
        (A, 1, FELIX, "Félix"),
        (B, 0, KOFI, "Kofi"),
        (B, 1, NORA, "Nora"),
    ]
    ((result,),) = ask_store(old_store, "SELECT CAST(result AS text) FROM games_match")
    assert json.loads(result) == {**RESULT, "players": {"A": [LENA, FELIX], "B": [KOFI, NORA]}}
    numbers = ask_store(old_store, "SELECT points, version, written_by_id, was FROM games_entry")
    assert numbers == [(3, 9, HOST, None)]
    history = 'SELECT who, "column", after, why, from_round FROM games_change'
    assert ask_store(old_store, history) == [("Lena", "A", 3, "own", None)]
    new = "SELECT stake, recovery_hash, version FROM games_table"
    assert ask_store(old_store, new) == [("", "", 9)]
