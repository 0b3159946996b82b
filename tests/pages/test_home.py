"""The first page, and what machines ask."""

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import OperationalError
from django.test import Client

from games import access, services
from games.models import Table
from games.upkeep import readiness
from tests.games.helpers import HOST_TOKEN, fill, host_of, make_table

pytestmark = pytest.mark.django_db
QUERIES_OF_HOME = 4  # tables, players, newest matches, totals


def test_the_games_stand_on_the_first_page():
    page = Client().get("/").content.decode()

    slugs = ("bauernstoss", "bauernschnapsen", "schafkopf")
    assert [slug for slug in slugs if f'href="/new/{slug}/"' not in page] == []
    assert "Tables of this phone" not in page


@pytest.mark.parametrize("tables", [1, 10])
def test_home_takes_the_same_queries_however_many_tables_there_are(
    tables, django_assert_num_queries
):
    for _ in range(tables):
        table = make_table()
    fill(table, [(1, 0), (0, 2)])

    with django_assert_num_queries(QUERIES_OF_HOME):
        page = host_of(table).client.get("/").content.decode()

    assert page.count("Lena") == tables


def test_a_table_of_this_phone_shows_names_and_totals():
    table = make_table()
    fill(table, [(1, 0), (0, 2), (3, 0)])

    page = host_of(table).client.get("/").content.decode()

    assert f'href="/t/{table.key}/"' in page
    assert '<span class="A">4</span><span class="B">2</span>' in page
    assert "3 deals" in page
    assert "banked" not in page


def test_a_table_shows_its_newest_match():
    table = make_table(house={"line": 1})
    fill(table, [(1, 0)])

    ended = host_of(table).client.get("/").content.decode()
    services.next_match(visitor=host_of(table).visitor)
    fresh = host_of(table).client.get("/").content.decode()

    assert "banked" in ended
    assert "match 2" in fresh
    assert "not begun" in fresh


def test_tables_of_other_phones_are_not_shown():
    make_table()
    other = Client()
    other.cookies[access.COOKIE] = "another"

    assert "Tables of this phone" not in other.get("/").content.decode()


def test_the_first_page_is_never_kept_and_sets_the_csrf_cookie():
    answer = Client().get("/")

    assert "no-store" in answer["Cache-Control"]
    assert "csrftoken" in answer.cookies


def test_csrf_answers_nothing_but_the_cookie():
    answer = Client().get("/csrf/")

    assert (answer.status_code, answer.content) == (204, b"")
    assert "csrftoken" in answer.cookies
    assert "no-store" in answer["Cache-Control"]


def test_healthz_says_ok():
    answer = Client().get("/healthz")

    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert "no-store" in answer["Cache-Control"]


def test_healthz_asks_the_store_nothing():
    def broken(execute, sql, params, many, context):
        raise OperationalError("gone")

    with connection.execute_wrapper(broken):
        assert Client().get("/healthz").status_code == 200
        answer = Client().get("/readyz")

    assert answer.status_code == 503
    assert answer.content == b"The store does not answer.\n"


def test_readyz_says_ready():
    answer = Client().get("/readyz")

    assert (answer.status_code, answer.content) == (200, b"ready\n")
    assert "no-store" in answer["Cache-Control"]


def test_readyz_names_everything_that_is_missing(settings, monkeypatch):
    monkeypatch.setattr(readiness, "ROOM", 1 << 62)
    monkeypatch.setattr(readiness, "_known_migrated", set())
    MigrationRecorder(connection).migration_qs.filter(app="games").latest("pk").delete()

    answer = Client().get("/readyz")

    assert answer.status_code == 503
    assert answer.content.decode().splitlines() == [
        "The store is of another release; manage.py migrate brings it to this one.",
        "The disk is full.",
    ]


def test_readyz_stays_ready_while_redis_is_away_and_says_so(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    answer = Client().get("/readyz")

    assert answer.status_code == 200
    assert answer.content.decode().splitlines() == [
        "ready",
        "Redis does not answer: phones of other processes hear news two seconds late.",
    ]


@pytest.mark.parametrize("address", ["/", "/games/schafkopf/", "/join/"])
def test_search_engines_may_list_what_everybody_may_know(address):
    assert "X-Robots-Tag" not in Client().get(address).headers


@pytest.mark.parametrize("address", ["", "evening/", "m/1/story/", "export.json"])
def test_search_engines_list_nothing_of_a_table(address):
    assert host_of(make_table()).get(address)["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("address", ["/games/skat/", "/new/skat/"])
def test_a_game_that_is_not_there_is_not_found(address):
    answer = Client().get(address)

    assert answer.status_code == 404
    assert "There is no such game here." in answer.content.decode()


def test_pages_speak_german_when_asked():
    answer = Client().get("/", headers={"Accept-Language": "de"})

    assert '<html lang="de">' in answer.content.decode()


def test_the_language_can_be_switched():
    client = Client()

    answer = client.post("/i18n/setlang/", {"language": "de", "next": "/join/"})

    assert answer["Location"] == "/join/"
    assert '<html lang="de">' in client.get("/").content.decode()


def test_looking_at_pages_leaves_no_trace():
    table = make_table()
    client = Client()
    before = table.phones.count()

    for address in ("/", f"/t/{table.key}/people/", f"/t/{table.key}/house/", f"/j/{table.code}/"):
        client.get(address)

    assert table.phones.count() == before
    assert access.COOKIE not in client.cookies
    assert Table.objects.get().version == table.version


def test_a_host_keeps_only_the_hash_of_a_token():
    table = make_table()

    assert HOST_TOKEN not in table.phones.get().token_hash


def test_a_browser_gets_its_csrf_cookie_once_and_then_now_and_again(monkeypatch):
    browser = Client()
    monkeypatch.setattr("secrets.randbelow", lambda _most: 1)
    first = browser.get("/").cookies["csrftoken"].value

    assert "csrftoken" not in browser.get("/").cookies
    assert browser.get("/csrf/").cookies["csrftoken"].value == first
    monkeypatch.setattr("secrets.randbelow", lambda _most: 0)
    assert browser.get("/").cookies["csrftoken"].value == first
