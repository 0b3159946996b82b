"""What only scripts need of a sheet comes once per language, by an address that changes with it."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from games.words import words_of
from tests.games.helpers import host_of, make_table, seated, watcher

KEPT = "public, max-age=31536000, immutable"


def address_of(page):
    (address,) = re.findall(r'<script src="(/words/[^"]+)"', page)
    return address


def given(script):
    return json.loads(script.removeprefix("window.scoresheetGiven = ").rstrip().removesuffix(";"))


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Deal %(number)s"), ("de", "Spiel %(number)s")]
)
@pytest.mark.django_db
def test_a_sheet_names_the_words_of_its_language(language, said):
    phone = host_of(make_table())
    page = phone.client.get(phone.url(""), headers={"Accept-Language": language}).content.decode()

    answer = phone.client.get(address_of(page), headers={"Accept-Language": "en"})

    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == KEPT
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert f'data-t-deal="{said}"' in given(answer.content.decode())["words"]
    assert 'id="words"' not in page


@pytest.mark.django_db
def test_the_words_are_the_same_for_everybody_and_the_wall():
    table = make_table("schafkopf")
    pages = [host_of(table).get(""), seated(table, 1).get(""), watcher(table).get("tv/")]

    assert len({address_of(page.content.decode()) for page in pages}) == 1


@pytest.mark.django_db
def test_who_may_write_gets_the_keys_of_the_pad_and_nobody_else():
    table = make_table()

    assert 'data-values="0 1 2 3 8 12"' in seated(table, 1).get("").content.decode()
    assert "data-values" not in watcher(table).get("").content.decode()


def test_a_page_of_another_release_takes_what_there_is():
    answer = Client().get(reverse("games:words", args=["en", "0" * 12]))

    assert answer.content.decode() == words_of("en").script
    assert answer.headers["Cache-Control"] == "no-cache"


def test_a_language_that_is_not_spoken_has_no_words():
    assert Client().get(reverse("games:words", args=["fr", "0" * 12])).status_code == 404


def test_the_worker_keeps_the_words_of_all_languages():
    worker = Client().get("/sw.js").content.decode()

    for language in ("en", "de"):
        assert reverse("games:words", args=[language, words_of(language).mark]) in worker
    assert "/static/django_htmx/htmx-2.min.js" in worker
