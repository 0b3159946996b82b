"""The match after: who starts it, who deals, and how many taps make one."""

import pytest

from games.models import Match
from tests.games.helpers import (
    fill,
    host_of,
    make_table,
    seated,
    stored,
    watcher,
)

pytestmark = pytest.mark.django_db


def numbers(table):
    return list(Match.objects.filter(table=table).order_by("number").values_list("number", "how"))


# The next match ---------------------------------------------------------------------------------


def test_while_a_match_is_open_no_next_one_is_made():
    table = make_table()
    fill(table, [(3, 0)])
    before = stored(table)

    answer = host_of(table).post("next/")

    assert (answer.status_code, answer["Location"]) == (303, host_of(table).url(".../", 1))
    assert stored(table) == before


def test_the_next_match_has_the_same_players_sides_and_house_rules_and_no_chalk():
    table = make_table(house={"line": 5}, side_names={"A": "Die Alten"})
    host = host_of(table)
    host.post(".../chalk/", side="B")
    fill(table, [(3, 0), (2, 0)])

    host.post("next/")
    first, second = host.sheet(1), host.sheet(2)

    assert second["columns"] == first["columns"]
    assert second["columns"][0]["name"] == "Die Alten"
    assert second["house"] == first["house"]
    assert (second["match"], second["rounds"], second["chalk"]) == (2, [], None)


def test_the_next_match_is_dealt_by_who_would_have_dealt_next():
    table = make_table(first_dealer=1)
    fill(table, [(3, 0), (0, 1)])  # dealt by 1 and 2
    host = host_of(table)
    host.end()

    host.post("next/")

    assert host.sheet(2)["dealer"] == 3


def test_four_taps_make_one_match():
    table = make_table()
    fill(table, [(3, 0)])
    phones = [host_of(table), seated(table, 1), seated(table, 2), seated(table, 3)]
    phones[0].end()

    answers = [phone.post("next/", after=1) for phone in phones]

    assert {a["Location"] for a in answers} == {phones[0].url(".../", 2)}
    assert numbers(table) == [(1, "tap"), (2, "")]


def test_a_tap_meant_for_an_earlier_match_makes_none():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    host.end()
    host.post("next/", after=1)
    host.write(1, "A", 3, match=2)
    host.end(match=2)

    late = host.post("next/", after=1)
    made = numbers(table)
    right = host.post("next/", after=2)

    assert (late["Location"], len(made)) == (host.url(".../", 2), 2)
    assert right["Location"] == host.url(".../", 3)


def test_a_watcher_starts_no_match():
    table = make_table()
    fill(table, [(3, 0)])
    host_of(table).end()

    assert (watcher(table).post("next/").status_code, numbers(table)) == (403, [(1, "tap")])


@pytest.mark.parametrize("text", ["x", "-1", "1.0"])
def test_a_malformed_number_of_the_match_before_is_refused(text):
    table = make_table()
    fill(table, [(3, 0)])
    host_of(table).end()

    assert host_of(table).post("next/", after=text).status_code == 422


def test_the_table_shows_its_newest_match_banked_or_not():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    host.end()
    banked = host.get("").context["match"].number
    host.post("next/")

    assert (banked, host.get("").context["match"].number) == (1, 2)


def test_the_page_of_an_old_match_names_the_current_one():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    host.end()
    host.post("next/")

    assert 'data-current="2"' in host.get(".../").content.decode()
