"""The page for the television: all to read, nothing to tap, and how to join while one can."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import drawn
from games.models import Table
from tests.games.helpers import fill, host_of, make_table, new_op, seated, stranger, watcher

pytestmark = pytest.mark.django_db

CONTROLS = re.compile(r"<(input|select|textarea|button)\b([^>]*)>")


def page_of(phone):
    answer = phone.get("tv/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_46_the_wall_shows_what_the_sheet_shows():
    table = make_table(house={"line": 20})
    host = host_of(table)
    fill(table, [(3, 0), (0, 2)])
    host.write(3, "A", 0)

    page = page_of(stranger(table))

    assert re.findall(r'data-total="[AB]">(\d+)<', page) == ["3", "2"]
    assert "<strong>17 to go</strong>" in page
    assert "leads by 1" in page
    assert 'data-dealer="' in page
    assert 'data-cell="3.A"' in page
    assert '<td data-cell="3.B" data-version="0" data-state="open"' in page  # blank is not 0


def test_46_there_is_nothing_to_tap_but_theme_and_language():
    table = make_table()
    fill(table, [(3, 0)])
    host_of(table).post(".../thrown-in/", before=2, seen=0, op=new_op())

    page = page_of(host_of(table))

    controls = [attributes for _tag, attributes in CONTROLS.findall(page)]
    allowed = ('name="csrfmiddlewaretoken"', 'name="next"', 'name="theme"', 'name="language"')
    assert [one for one in controls if not any(name in one for name in allowed)] == []
    assert "data-pad" not in page
    assert "data-may" not in page


def test_41_the_wall_is_dark_from_its_first_byte_unless_somebody_wants_it_light():
    phone = watcher(make_table())

    dark = page_of(phone)
    phone.client.cookies["theme"] = "light"
    light = page_of(phone)

    for page, theme in ((dark, "dark"), (light, "light")):
        assert f'<html lang="en" data-theme="{theme}">' in page
        assert f'<meta name="color-scheme" content="{theme}">' in page
        assert page.count('name="theme-color"') == 1


def test_46_the_newest_match_is_on_the_wall():
    table = make_table(house={"line": 3})
    fill(table, [(3, 0)])
    banked = page_of(stranger(table))
    host_of(table).post("next/")

    page = page_of(stranger(table))

    assert "<h2>Lena &amp; Felix win</h2>" in banked
    assert 'data-match="2"' in page
    assert "win</h2>" not in page


def test_46_an_unknown_browser_may_look_and_leaves_no_trace():
    table = make_table()
    phone = stranger(table)

    page_of(phone)

    assert table.phones.count() == 1
    assert "phone" not in phone.client.cookies


def test_46_a_closed_table_is_shown_to_those_it_knows_alone():
    table = make_table()
    known = watcher(table)
    host_of(table).post("people/", do="close")

    assert stranger(table).get("tv/").status_code == 403
    assert known.get("tv/").status_code == 200


def test_46_the_code_stands_on_the_wall_for_strangers_too():
    table = make_table()

    page = page_of(stranger(table))

    assert f"data-table-code>{table.code}<" in page
    assert 'class="qr"' in page


@pytest.mark.parametrize("how", ["closed", "asleep"])
def test_46_no_code_is_shown_that_lets_nobody_in(how):
    table = make_table()
    known = watcher(table)
    if how == "closed":
        host_of(table).post("people/", do="close")
    else:
        Table.objects.update(touched_at=timezone.now() - timedelta(hours=25))

    page = page_of(known)

    assert table.code not in page
    assert 'class="qr"' not in page


def test_46_the_code_alone_is_asked_for_anew():
    table = make_table()
    phone = stranger(table, htmx=True)
    host_of(table).post("people/", do="renew")
    code = Table.objects.get().code

    part = phone.get("tv/").content.decode()

    assert part.startswith('<aside id="invitation"')
    assert f"data-table-code>{code}<" in part
    assert "data-sheet" not in part


@pytest.mark.parametrize(
    ("cookie", "theme"), [("", "dark"), ("light", "light"), ("dark", "dark"), ("pink", "dark")]
)
def test_46_the_wall_is_dark_unless_light_was_asked_for(cookie, theme):
    phone = stranger(make_table())
    phone.client.cookies["theme"] = cookie

    assert f'<html lang="en" data-theme="{theme}"' in page_of(phone)


@pytest.mark.parametrize("game", ["bauernstoss", "bauernschnapsen", "schafkopf"])
def test_every_game_has_a_wall_in_both_languages(game):
    phone = stranger(make_table(game))

    english = page_of(phone)
    phone.client.cookies["django_language"] = "de"
    german = page_of(phone)

    assert "deals" in english
    assert "gibt" in german
    assert 'lang="de"' in german


def test_links_of_people_and_of_the_sheet_lead_to_the_wall():
    table = make_table()
    address = f'href="/t/{table.key}/tv/"'

    assert address in watcher(table).get("people/").content.decode()
    assert address in seated(table, 0).get("").content.decode()
    assert address in stranger(table).get("").content.decode()  # beside "Who are you?"


def test_the_wall_takes_the_queries_of_a_sheet_and_one_when_it_was_drawn():
    table = make_table(house={"line": "none"})
    fill(table, [(3, 0), (0, 2), (1, 0)])
    phone = watcher(table)
    drawn.forget_all()

    with CaptureQueriesContext(connection) as first:
        page_of(phone)
    with CaptureQueriesContext(connection) as again:
        page_of(phone)

    assert (len(first), len(again)) == (6, 1)


def test_the_wall_is_never_kept_and_is_for_looking():
    table = make_table()

    assert "no-store" in stranger(table).get("tv/")["Cache-Control"]
    assert host_of(table).post("tv/").status_code == 405
    assert Client().get("/t/nothing/tv/").status_code == 404
