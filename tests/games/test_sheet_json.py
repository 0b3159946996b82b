"""The sheet for programs, key by key."""

import pytest

from tests.games.helpers import (
    fill,
    host_of,
    make_table,
    new_op,
    row_version,
    seated,
    stored,
    stranger,
    watcher,
)

pytestmark = pytest.mark.django_db

KEYS = ["edition", "game", "house", "match", "version", "status", "how", "columns", "rounds",
        "totals", "leaders", "line", "winner", "winners", "chalk", "dealer"]  # fmt: skip


def test_an_empty_sheet_has_every_key():
    table = make_table(first_dealer=2)

    sheet = host_of(table).sheet()

    assert list(sheet) == KEYS
    assert sheet == {
        "edition": 1,
        "game": "bauernstoss",
        "house": {"variation": "main", "free_numbers": False, "line": "game"},
        "match": 1,
        "version": sheet["version"],
        "status": "open",
        "how": None,
        "columns": [
            {"id": "A", "name": "Lena & Felix", "players": ["Lena", "Felix"]},
            {"id": "B", "name": "Kofi & Nora", "players": ["Kofi", "Nora"]},
        ],
        "rounds": [],
        "totals": [0, 0],
        "leaders": [],
        "line": 20,
        "winner": None,
        "winners": [],
        "chalk": None,
        "dealer": 2,
    }


def test_rounds_are_all_up_to_the_highest_with_an_entry():
    table = make_table()
    fill(table, [(3, 0), (None, 1), (1, 0)])
    host = host_of(table)
    host.write(2, "B", "")
    host.write_row(1, {"A": "", "B": ""})

    assert host.sheet()["rounds"] == [
        {"number": 1, "entries": [None, None], "version": row_version(table, 1)},
        {"number": 2, "entries": [None, None], "version": row_version(table, 2)},
        {"number": 3, "entries": [1, 0], "version": row_version(table, 3)},
    ]


def test_every_number_has_the_version_at_which_it_last_changed():
    table = make_table()
    host = host_of(table)
    host.write(1, "A", 3)
    first = host.sheet()
    host.write(2, "A", 3)
    second = host.sheet()

    assert second["version"] == first["version"] + 1
    assert [row["version"] for row in second["rounds"]] == [first["version"], second["version"]]


def test_blanks_count_nothing_and_leaders_are_in_front():
    table = make_table()
    fill(table, [(3, None), (None, 2)])
    one = host_of(table).sheet()
    fill(table, [(3, None), (None, 3)])
    two = host_of(table).sheet()

    assert (one["totals"], one["leaders"]) == ([3, 2], ["A"])
    assert (two["totals"], two["leaders"]) == ([3, 3], ["A", "B"])


def test_a_zero_is_an_entry():
    table = make_table()
    fill(table, [(0, None)])

    sheet = host_of(table).sheet()

    assert (sheet["leaders"], sheet["rounds"][0]["entries"]) == (["A", "B"], [0, None])


@pytest.mark.parametrize(
    ("game", "house", "line"),
    [
        ("bauernstoss", {}, 20),
        ("bauernstoss", {"variation": "schoofkopp"}, 15),
        ("bauernstoss", {"variation": "deutscher"}, 9),
        ("bauernschnapsen", {}, 24),
        ("schafkopf", {}, None),
        ("schafkopf", {"line": 100}, 100),
        ("bauernstoss", {"line": "none"}, None),
    ],
)
def test_the_line_is_the_games_or_the_tables_own(game, house, line):
    table = make_table(game, house)

    sheet = host_of(table).sheet()

    assert (sheet["game"], sheet["line"]) == (game, line)
    assert sheet["house"] == table.game.house_rules(house)


def test_a_banked_sheet_has_a_winner():
    table = make_table()
    fill(table, [(12, 0), (8, 0)])

    sheet = host_of(table).sheet()

    assert [sheet[key] for key in ("status", "how", "winner", "winners", "leaders", "chalk")] == [
        "banked", "line", "A", ["A"], ["A"], "A",
    ]  # fmt: skip


def test_a_sheet_that_ended_early_has_none():
    table = make_table()
    fill(table, [(12, 0)])
    host_of(table).end()

    sheet = host_of(table).sheet()

    assert [sheet[key] for key in ("status", "how", "winner", "winners", "leaders")] == [
        "ended-early", "tap", None, [], ["A"],
    ]  # fmt: skip


def test_joint_winners_leave_no_sole_one():
    table = make_table("schafkopf")
    fill(table, [(14, 0, 14, 0)])
    host_of(table).end()

    sheet = host_of(table).sheet()

    assert (sheet["status"], sheet["winner"], sheet["winners"]) == ("banked", None, ["0", "2"])


def test_the_columns_of_schafkopf_are_the_four_seats_as_strings():
    table = make_table("schafkopf")
    fill(table, [(14, 14, 0, 0)])

    sheet = host_of(table).sheet()

    assert sheet["columns"] == [
        {"id": "0", "name": "Lena", "players": ["Lena"]},
        {"id": "1", "name": "Kofi", "players": ["Kofi"]},
        {"id": "2", "name": "Felix", "players": ["Felix"]},
        {"id": "3", "name": "Nora", "players": ["Nora"]},
    ]
    assert (sheet["totals"], sheet["leaders"]) == ([14, 14, 0, 0], ["0", "1"])


@pytest.mark.parametrize("phone", [watcher, stranger], ids=["watcher", "stranger"])
def test_everybody_with_the_link_reads_the_same_sheet(phone):
    table = make_table()
    fill(table, [(3, 0)])

    assert phone(table).sheet() == seated(table, 0).sheet() == host_of(table).sheet()


def test_reading_the_sheet_leaves_no_trace():
    table = make_table()
    before = (stored(table), table.phones.count())

    stranger(table).sheet()

    assert (stored(table), table.phones.count()) == before


def test_the_version_never_falls_whatever_happens():
    table = make_table()
    host = host_of(table)
    verbs = [
        lambda: host.write(1, "A", 12, sure="1"),
        lambda: host.post(".../thrown-in/", before=2, seen=0, op=new_op()),
        lambda: host.post(".../dealer/", seat=0, op=new_op()),
        lambda: host.write(2, "A", 8),
        lambda: host.post("next/"),
        lambda: host.post(".../chalk/", match=2, side="A"),
        lambda: host.post(".../reopen/"),
        host.end,
        lambda: host.post("house/", line="30"),
    ]

    versions = [host.sheet()["version"]]
    for verb in verbs:
        assert verb().status_code == 303
        versions.append(host.sheet()["version"])

    assert versions == list(range(versions[0], versions[0] + len(verbs) + 1))


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_the_sheet_for_programs_is_read_alone(method):
    table = make_table()
    host = host_of(table)

    assert getattr(host.client, method)(host.url(".../sheet.json")).status_code == 405
