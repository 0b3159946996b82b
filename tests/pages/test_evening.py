"""The page of an evening: what it tells, what the host may say there, and who pays whom."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from games import drawn
from games.gathered import evening_of
from games.models import Match, Table
from games.retold import duration_words, gain_words
from games.stakes import money_words
from tests.games.helpers import host_of, make_table, seated, stored, stranger, watcher
from tests.games.test_evening import (
    BAUERNSCHNAPSEN,
    BAUERNSTOSS,
    SCHAFKOPF,
    change_partners,
    play,
)

pytestmark = pytest.mark.django_db

NASTY = '<b>"Li&na"</b>'


def texts(source: str) -> str:
    """What a page says, on one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", source)).split())


def page(table: Table, path: str = "evening/", **query) -> str:
    host = host_of(table)
    answer = host.client.get(host.url(path), query)
    assert answer.status_code == 200
    return answer.content.decode()


def payments(source: str) -> list[str]:
    found = re.search(r'<ul class="payments">(.*?)</ul>', source, re.DOTALL)
    return re.findall(r"<li.*?>(.*?)</li>", found[1], re.DOTALL) if found else []


def paid(source: str) -> list[str]:
    return [texts(one) for one in payments(source)]


def settle_at(table: Table, cents: int, stake: str = "", currency: str = "€") -> Table:
    """What a table plays for."""
    version = Table.objects.get(pk=table.pk).version + 1
    Table.objects.filter(pk=table.pk).update(
        unit_cents=cents, stake=stake, currency=currency, version=version
    )
    return table


def stake_of(table: Table) -> tuple[str, int | None, str]:
    now = Table.objects.get(pk=table.pk)
    return now.stake, now.unit_cents, now.currency


# ---- what it tells ----


def test_an_evening_before_its_first_number():
    said = texts(page(make_table()))

    assert "Nothing has been entered yet." in said
    assert "1 match · 0 deals" in said
    assert "Settle up" not in said


def test_an_evening_of_two_sides():
    source = page(play("bauernstoss", BAUERNSTOSS))
    said = texts(source)

    assert "2 matches · 8 deals" in said
    assert "Match 1 · Lena & Felix win" in said
    assert "Match 2 · Kofi & Nora win" in said
    assert "5 deals · 1 min · to 20" in said
    assert (
        "Lena & Felix 3 of 8 deals won average 2.6 · best 12 · matches won: 1 of 2 · Big Solo 1 · "
        "Small Solo 1 · with the chalk 0 of 2"
    ) in said
    assert "Dealt: Lena 2, Kofi 2, Felix 2, Nora 2." in said
    assert source.count('class="chart"') == 1


def test_an_evening_of_four():
    said = texts(page(play("schafkopf", SCHAFKOPF)))

    assert "Lena −7 Kofi +11 Felix −1 Nora −3 units won or lost" in said
    assert "Lena −7, Kofi +11, Felix −1, Nora −3." in said  # the chart in words
    assert "Biggest deal" in said
    assert "Match 2 · being played" in said
    assert "Lena & Kofi 1 of 1 deals won" in said


def test_players_stand_for_themselves_once_partners_changed():
    table = play("bauernstoss", [BAUERNSTOSS[0], []])
    change_partners(table, 2)
    Table.objects.filter(pk=table.pk).update(version=99)
    found = evening_of(Table.objects.get(pk=table.pk))
    assert len(found.pairings) == 4

    said = texts(page(table))

    assert "Lena 1 Kofi 0 Felix 1 Nora 0 matches won" in said


@pytest.mark.parametrize("game", ["bauernstoss", "schafkopf"])
def test_names_are_shown_as_they_are(game):
    table = play(game, {"bauernstoss": BAUERNSTOSS, "schafkopf": SCHAFKOPF}[game])
    settle_at(table, 10)
    host = host_of(table)
    assert host.post("people/", do="rename", seat=0, name=NASTY).status_code == 303

    source = page(table)

    assert NASTY not in source
    assert html.escape(NASTY).replace("&#x27;", "&#39;") in source


def test_times_travel_in_utc_and_durations_in_words():
    table = play("bauernstoss", BAUERNSTOSS)
    start = datetime(2026, 11, 30, 23, 40, tzinfo=UTC)
    Match.objects.filter(table=table).update(
        started_at=start, ended_at=start + timedelta(minutes=80)
    )
    drawn.forget_all()

    source = page(table)

    assert '<time datetime="2026-11-30T23:40:00+00:00" data-date>' in source
    assert '<time datetime="2026-12-01T01:00:00+00:00">01:00</time>' in source
    assert "1 h 20 min" in texts(source)
    assert "2 h 40 min" in texts(source)


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(1, "1 min"), (59, "59 min"), (60, "1 h"), (80, "1 h 20 min"), (600, "10 h")],
)
def test_a_duration_in_words(minutes, words):
    assert duration_words(minutes) == words


@pytest.mark.parametrize("path", ["", ".../", ".../story/"])
def test_the_evening_is_linked(path):
    table = play("bauernstoss", [BAUERNSTOSS[0]])

    assert f'href="/t/{table.key}/evening/"' in page(table, path)


def test_the_evening_is_linked_from_the_first_page():
    table = make_table()

    assert f'href="/t/{table.key}/evening/"' in host_of(table).client.get("/").content.decode()


# ---- settling up ----


def test_units_become_money_and_three_payments():
    table = settle_at(play("schafkopf", SCHAFKOPF), 10)

    source = page(table)

    assert paid(source) == ["Lena pays Kofi €0.70", "Felix pays Kofi €0.10", "Nora pays Kofi €0.30"]
    assert "Settle up · €0.10 for each unit" in texts(source)
    assert "Lena −€0.70 Kofi +€1.10 Felix −€0.10 Nora −€0.30" in texts(source)
    assert "3 payments settle it." in texts(source)
    assert "odd cent" not in texts(source)


def test_only_chosen_matches_are_settled():
    table = settle_at(play("schafkopf", SCHAFKOPF), 10)

    source = page(table, match=2)

    assert paid(source) == ["Kofi pays Lena €0.10", "Nora pays Felix €0.10"]
    assert "Only match 2" in texts(source)
    assert re.findall(r'value="(\d)" checked', source) == ["2"]


@pytest.mark.parametrize("query", [{}, {"match": [1, 2]}, {"match": ["7", "x", "-1", "9" * 40]}])
def test_all_matches_are_settled_unless_some_are_chosen(query):
    table = settle_at(play("schafkopf", SCHAFKOPF), 10)

    source = page(table, **query)

    assert len(payments(source)) == 3
    assert "Only match" not in texts(source)
    assert re.findall(r'value="(\d)" checked', source) == ["1", "2"]


@pytest.mark.parametrize(
    ("stake", "cents", "found"),
    [
        ("match", 100, ["Kofi pays Lena €1.00", "Nora pays Felix €1.00"]),
        ("points", 10, ["Kofi pays Lena €2.25", "Nora pays Felix €2.25"]),
        ("bummerl", 50, ["Kofi pays Lena €0.75", "Nora pays Felix €0.75"]),
    ],
)
def test_a_losing_side_pays_its_stake_together(stake, cents, found):
    table = settle_at(play("bauernschnapsen", BAUERNSCHNAPSEN), cents, stake)

    assert paid(page(table)) == found


def test_an_odd_cent_is_said_before_anybody_pays():
    """25 cents lost by two: 12 for who is listed first, 13 for the other; so for the winners."""
    table = settle_at(play("bauernstoss", [BAUERNSTOSS[0]]), 25, "match")

    source = page(table)

    assert "Lena +€0.13 Kofi −€0.12 Felix +€0.12 Nora −€0.13" in texts(source)
    assert paid(source) == ["Kofi pays Felix €0.12", "Nora pays Lena €0.13"]
    assert "an odd cent goes to whoever is nearest to it" in texts(source)


def test_numbers_of_a_tables_own_may_give_parts_of_units_and_lose_no_cent():
    """1 for Lena is three quarters of a unit above the average, and the others a quarter below."""
    table = settle_at(play("schafkopf", [[(1, 0, 0, 0)]], {"free_numbers": True}), 10)

    said = texts(page(table))

    assert "Lena +0.75 Kofi −0.25 Felix −0.25 Nora −0.25" in said
    assert "Lena +€0.08 Kofi −€0.02 Felix −€0.03 Nora −€0.03" in said
    with override("de"):
        assert gain_words(Fraction(-1, 4)) == "−0,25"


def test_nobody_owes_anything_where_nobody_won():
    table = settle_at(play("bauernstoss", [[(1, 0)]]), 100, "match")

    assert "Nobody owes anybody anything." in texts(page(table))


@pytest.mark.parametrize(
    ("language", "currency", "words"),
    [("en", "€", "€0.40"), ("de", "€", "0,40\xa0€"), ("en", "CHF", "0.40\xa0CHF"),
     ("de", "Nüsse", "0,40\xa0Nüsse")],
)  # fmt: skip
def test_money_is_written_as_the_language_does(language, currency, words):
    with override(language):
        assert money_words(40, currency) == words
        assert money_words(40, currency, signed=True) == f"+{words}"
        assert money_words(-40, currency, signed=True) == f"−{words}"


def test_thousands_and_nothing():
    assert money_words(123456, "€") == "€1,234.56"
    assert money_words(0, "€", signed=True) == "€0.00"


# ---- what the table plays for ----


@pytest.mark.parametrize(
    ("typed", "cents"), [("0,10", 10), ("10 ct", 10), ("0.1", 10), ("", None), ("100,00", 10000)]
)
def test_the_host_says_what_a_unit_is_worth(typed, cents):
    table = play("schafkopf", SCHAFKOPF)
    before = Table.objects.get(pk=table.pk).version

    answer = host_of(table).post("evening/", unit=typed, currency="CHF")

    assert (answer.status_code, answer["Location"]) == (303, f"/t/{table.key}/evening/#money")
    assert stake_of(table) == ("unit", cents, "CHF")
    assert Table.objects.get(pk=table.pk).version == before + 1


def test_what_is_saved_stands_in_the_boxes():
    table = settle_at(play("bauernstoss", [BAUERNSTOSS[0]]), 1050, "points", "CHF")

    source = page(table)

    assert 'id="unit" name="unit" value="10.50"' in source
    assert 'id="currency" name="currency" value="CHF"' in source
    assert 'value="points" checked' in source


@pytest.mark.parametrize(
    ("typed", "say"),
    [
        ("0.001", "There is nothing smaller than a cent: enter 0.01 or more."),
        ("0", "Enter an amount from 0.01 to 100.00."),
        ("100,01", "Enter an amount from 0.01 to 100.00."),
        ("a beer", "Enter an amount like 0.10 or 10 ct, or nothing at all."),
    ],
)
def test_an_amount_that_is_none_is_refused_beside_its_box_and_stays_there(typed, say):
    table = settle_at(play("schafkopf", SCHAFKOPF), 10)
    before = stored(table), stake_of(table)

    answer = host_of(table).post("evening/", unit=typed, currency="€")
    source = answer.content.decode()

    assert answer.status_code == 422
    assert f'name="unit" value="{typed}"' in source
    assert say in texts(source)
    assert 'id="stake" open' in source
    assert (stored(table), stake_of(table)) == before


@pytest.mark.parametrize("fields", [{"currency": "x" * 9}, {"stake": "bummerl"}, {"stake": ""}])
def test_a_stake_that_is_none_is_refused(fields):
    table = settle_at(play("bauernstoss", [BAUERNSTOSS[0]]), 10, "match")
    before = stored(table), stake_of(table)

    answer = host_of(table).post("evening/", {"unit": "1", **fields})

    assert answer.status_code == 422
    assert (stored(table), stake_of(table)) == before


def test_what_did_not_come_stays_as_it_was():
    table = settle_at(play("bauernstoss", [BAUERNSTOSS[0]]), 10, "points", "CHF")

    assert host_of(table).post("evening/", unit="0,20").status_code == 303

    assert stake_of(table) == ("points", 20, "CHF")


def test_the_same_stake_again_changes_nothing():
    table = play("schafkopf", SCHAFKOPF)
    host = host_of(table)
    assert host.post("evening/", unit="0,10").status_code == 303
    before = stored(table)

    assert host.post("evening/", unit="10 ct").status_code == 303

    assert stored(table) == before


@pytest.mark.parametrize("phone_at", [lambda table: seated(table, 0), watcher, stranger])
def test_only_the_host_says_what_is_played_for(phone_at):
    table = play("schafkopf", SCHAFKOPF)
    phone = phone_at(table)
    before = stored(table), stake_of(table)

    assert phone.post("evening/", unit="1").status_code == 403
    assert (stored(table), stake_of(table)) == before
    source = phone.get("evening/").content.decode()
    assert 'name="unit"' not in source


def test_a_closed_table_shows_its_evening_to_those_who_were_there():
    table = play("schafkopf", SCHAFKOPF)
    inside = watcher(table)
    Table.objects.filter(pk=table.pk).update(is_open=False)

    assert inside.get("evening/").status_code == 200
    assert stranger(table).get("evening/").status_code == 403


# ---- cost ----


@pytest.mark.parametrize("matches", [1, 4])
def test_the_page_takes_the_same_queries_however_long_the_evening(matches):
    table = settle_at(play("bauernstoss", [BAUERNSTOSS[1]] * matches), 10)
    host = host_of(table)
    drawn.forget_all()

    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as captured:
            assert host.get("evening/").status_code == 200
        counts.append(len(captured))

    assert counts == [6, 1]
