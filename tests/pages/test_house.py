"""House rules: seen by everybody, changed by the host, asked about when numbers are touched."""

import re

import pytest

from games.models import Match, Table
from tests.games.helpers import fill, host_of, make_table, seated, stranger, watcher

pytestmark = pytest.mark.django_db


def house():
    return Table.objects.get().house


@pytest.mark.parametrize("phone", [stranger, watcher, host_of])
def test_everybody_reads_the_house_rules(phone):
    table = make_table("bauernschnapsen", {"bettler": 5}, agreed="No talking.")

    page = phone(table).get("house/").content.decode()

    assert "5 game points" in page
    assert "No talking." in page
    assert ("<textarea" in page) == (phone is host_of)


def test_the_host_changes_them():
    table = make_table()

    answer = host_of(table).post("house/", variation="deutscher", line="none", agreed="Slowly.")

    assert (answer.status_code, answer["Location"]) == (303, f"/t/{table.key}/")
    assert house() == {"variation": "deutscher", "free_numbers": False, "line": "none"}
    assert Table.objects.get().agreed == "Slowly."
    assert Match.objects.get().house == house()


def test_what_does_not_come_stays_as_it_is():
    table = make_table(house={"variation": "schoofkopp", "free_numbers": True}, agreed="Slowly.")

    host_of(table).post("house/", line="30")

    assert house() == {"variation": "schoofkopp", "free_numbers": True, "line": 30}
    assert Table.objects.get().agreed == "Slowly."


@pytest.mark.parametrize("phone", [stranger, watcher, lambda table: seated(table, 1)])
def test_nobody_else_changes_them(phone):
    table = make_table()

    assert phone(table).post("house/", line="30").status_code == 403
    assert house()["line"] == "game"


@pytest.mark.parametrize(
    ("typed", "box"),
    [
        ({"line": "0"}, "line"),
        ({"line": "number", "line_number": "x"}, "line"),
        ({"variation": "x"}, "variation"),
        ({"agreed": "x" * 201}, "agreed"),
    ],
)
def test_a_value_no_rule_takes_stands_refused_beside_its_box(typed, box):
    table = make_table()

    answer = host_of(table).post("house/", {"free_numbers": "on", **typed})

    page = answer.content.decode()
    assert answer.status_code == 422
    assert re.findall(r'id="(\w+)-wrong"', page) == [box]
    assert 'name="free_numbers" value="on" checked' in page
    assert house() == table.house


def test_a_change_that_touches_numbers_is_asked_about_once():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)

    asked = host.post("house/", variation="schoofkopp", agreed="Slowly.")
    page = asked.content.decode()
    unchanged = house()
    sure = host.post("house/", variation="schoofkopp", agreed="Slowly.", sure="1")

    assert asked.status_code == 422
    assert 'data-code="house"' in page
    assert "Deal 1 does not fit these rules; it stays, marked." in page
    assert 'name="sure" value="1"' in page
    assert 'value="schoofkopp" checked' in page
    assert ">Slowly.</textarea>" in page
    assert unchanged["variation"] == "main"
    assert sure.status_code == 303
    assert house()["variation"] == "schoofkopp"


def test_a_line_that_is_reached_already_is_asked_about():
    table = make_table()
    fill(table, [(3, 0), (2, 0)])
    host = host_of(table)

    asked = host.post("house/", line="number", line_number="5")
    host.post("house/", line="number", line_number="5", sure="1")

    assert "The line 5 is reached: the match would be banked." in asked.content.decode()
    assert not Match.objects.get().is_open


def test_the_page_knows_a_line_that_was_typed():
    table = make_table(house={"line": 33})

    page = host_of(table).get("house/").content.decode()

    assert re.search(r'name="line" id="line-number" value="number" checked', page)
    assert re.search(r'name="line_number" value="33"', page)
