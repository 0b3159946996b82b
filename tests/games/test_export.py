"""A table as a file: all that people wrote, and nothing that opens a table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import (
    Change,
    Entry,
    LateEntry,
    Match,
    Member,
    Op,
    Phone,
    Player,
    Round,
    Side,
    Table,
)
from tests.games.helpers import host_of, let_play, make_table, stranger, watcher
from tests.games.taken_home import EVENINGS, bring, exported, newest_table, sheets, two_sides
from tests.games.test_query_counts import long_match

pytestmark = pytest.mark.django_db

DOCS = Path(__file__).resolve().parents[2] / "docs" / "export.md"
# What each model stores, as the file has it; and what belongs to a site and not to the evening.
IN_THE_FILE = {
    Table: {"game_slug", "house", "agreed", "unit_cents", "currency", "stake",
            "created_at"},
    Player: {"name", "seat"},
    Match: {"number", "house", "start_dealer", "first_chalk", "dealer_corrections", "thrown_in",
            "started_at", "ended_at", "ended_by", "how", "corrected", "banking", "moves"},
    Side: {"column", "name", "players"},
    Member: {"player", "place", "name"},
    Round: {"number", "hand", "confirmed"},
    Entry: {"points", "state", "corrected", "was", "written_at"},
    Change: {"at", "who", "match_number", "round_number", "column", "before", "after", "hand",
             "why", "from_round"},
    LateEntry: {"match", "round_number", "column", "value", "who", "at", "decision"},
}  # fmt: skip
LEFT_OUT = {
    Table: {"key", "code", "is_open", "edition", "version", "names_version", "matches_made",
            "match_removed_version", "first_entry_at", "touched_at", "recovery_hash"},
    Player: {"table", "seat_code", "code_misses", "code_closed_until"},
    Match: {"table", "version", "blank_version", "result"},
    Side: {"match"},
    Member: {"side"},
    Round: {"match", "version"},
    Entry: {"round", "side", "version", "written_by"},
    Change: {"table", "version", "phone", "op"},
    LateEntry: {"table", "op", "phone"},
}  # fmt: skip


@pytest.mark.parametrize("model", IN_THE_FILE, ids=lambda model: model.__name__)
def test_whatever_is_stored_is_in_the_file_or_left_out_on_purpose(model):
    stored = {field.name for field in (*model._meta.fields, *model._meta.many_to_many)} - {"id"}

    assert stored == IN_THE_FILE[model] | LEFT_OUT[model]


def test_the_file_says_who_wrote_what_and_how_it_came_out():
    table = two_sides()

    first, second = exported(table)["matches"]

    assert [side["players"] for side in first["sides"]] == [[0, 2], [1, 3]]
    assert (first["first_chalk"], first["how"], first["ended_by"]) == ("B", "line", "Nora")
    assert first["thrown_in"] == [{"before": 2, "hands": 1}]
    assert first["dealer_corrections"] == [{"deal": 2, "thrown_in": 1, "seat": 0}]
    values = [[cell["value"] for cell in one["entries"]] for one in first["rounds"]]
    states = [[cell["state"] for cell in one["entries"]] for one in first["rounds"]]
    assert (values, states) == (
        [[1, 0], [0, 3]],
        [["corrected", "implied"], ["implied", "written"]],
    )
    told = [(one["deal"], one["column"], one["before"], one["after"], one["who"], one["why"])
            for one in first["history"]]  # fmt: skip
    assert told[:3] == [
        (1, "A", None, 2, "Lena", "own"),
        (1, "A", 2, 1, "", "host"),
        (2, "B", None, 3, "Nora", "own"),
    ]
    assert [(one["deal"], one["value"], one["decision"]) for one in first["late"]] == [
        (3, 1, "open")
    ]
    assert second["rounds"][0]["entries"][1] is None


@pytest.mark.parametrize("evening", EVENINGS)
def test_the_file_holds_nothing_that_opens_a_table(evening):
    table = evening()
    secrets = {
        table.key,
        table.code,
        *table.players.values_list("seat_code", flat=True),
        *Phone.objects.values_list("token_hash", flat=True),
        *Op.objects.values_list("op", flat=True),
        *LateEntry.objects.values_list("op", flat=True),
    }

    text = Client().get(f"/t/{table.key}/export.json").content.decode()

    assert [secret for secret in secrets if secret in text] == []
    assert not re.search(r'"(key|code|token|op|phone|version)"', text)


def test_the_file_has_a_name_and_is_never_kept():
    table = two_sides()

    answer = host_of(table).get("export.json")

    assert re.fullmatch(
        r'attachment; filename="scoresheet-bauernstoss-\d{4}-\d\d-\d\d\.json"',
        answer["Content-Disposition"],
    )
    assert answer["Content-Type"] == "application/json"
    assert "no-store" in answer["Cache-Control"]


def test_whoever_may_see_the_sheet_may_take_it_home():
    table = two_sides()
    told = watcher(table).get("export.json").status_code
    Table.objects.filter(pk=table.pk).update(is_open=False)

    assert told == 200
    assert host_of(table).get("export.json").status_code == 200
    for path in ("export.json", "export.csv", "take-home/", ".../print/"):
        assert stranger(table).get(path).status_code == 403


def forty_matches(table: Table) -> None:
    first = Match.objects.get(table=table)
    for number in range(2, 41):
        Match.objects.filter(table=table, number=number - 1).update(
            ended_at=first.started_at, how="tap"
        )
        match = Match.objects.create(
            table=table, number=number, start_dealer=0, started_at=first.started_at, version=2
        )
        for column, pair in (("A", (0, 2)), ("B", (1, 3))):
            side = Side.objects.create(match=match, column=column, name=column)
            let_play(side, table.players.filter(seat__in=pair).order_by("seat"))
        written = Round.objects.create(match=match, number=1, version=2)
        side = match.sides.get(column="A")
        Entry.objects.create(round=written, side=side, points=3, version=2)
        Change.objects.create(table=table, version=2, at=first.started_at, match_number=number,
                              round_number=1, column="A", after=3, why="own")  # fmt: skip
    Table.objects.filter(pk=table.pk).update(matches_made=40)


@pytest.mark.parametrize(
    ("page", "queries"),
    [("export.json", 9), ("export.csv", 6), ("take-home/", 2), ("delete/", 2)],
)
def test_forty_matches_take_the_same_queries_as_one(page, queries):
    table = make_table(house={"line": "none"})
    long_match(table, 1)
    host = host_of(table)
    found = []
    for fuller in (lambda _table: None, forty_matches):
        fuller(table)
        with CaptureQueriesContext(connection) as captured:
            assert host.get(page).status_code == 200
        found.append(len(captured))

    assert found == [queries, queries]


def example() -> str:
    return DOCS.read_text().split("```json\n")[1].split("```")[0]


def test_the_example_of_the_docs_can_be_brought_back():
    assert bring(example()).status_code == 303

    first, second = sheets(newest_table())
    assert (first["status"], first["winner"], first["totals"]) == ("banked", "B", [1, 3])
    assert (second["status"], second["totals"]) == ("open", [8, 0])


def test_the_docs_name_everything_that_stands_in_a_file():
    text = DOCS.read_text().split("## An example")[0]
    for evening in EVENINGS:
        exported_names = names_in(exported(evening()))
        assert [name for name in sorted(exported_names) if f"`{name}`" not in text] == []
    for word in (*Change.Why.values, *Match.How.values):
        assert f"`{word}`" in text or f'`"{word}"`' in text


def names_in(plain: object) -> set[str]:
    """The names that the format gives; house rules, hands and doubts have the game's."""
    if isinstance(plain, list):
        return set().union(*map(names_in, plain))
    if not isinstance(plain, dict):
        return set()
    found = set(plain)
    for name, value in plain.items():
        if name not in {"house", "hand", "confirmed", "banking"}:
            found |= names_in(value)
    return found


def test_what_was_written_in_a_match_that_was_taken_back_is_not_in_the_next():
    table = make_table()
    host = host_of(table)
    assert host.write(1, "A", 3).status_code == 303
    for _ in range(2):
        assert (host.end().status_code, host.post("next/").status_code) == (303, 303)
        history = exported(table)["matches"][1]["history"]
        assert host.write(1, "A", 1, match=2).status_code == 303
        assert len(exported(table)["matches"][1]["history"]) == 1
        assert host.write(1, "A", "", match=2).status_code == 303
        assert host.post(".../reopen/").status_code == 303

    assert history == []
