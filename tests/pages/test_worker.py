"""The service worker as the server hands it out, and what tells an open page of a new release."""

import json

import pytest
from django.conf import settings

from tests.games.helpers import host_of, make_table


def test_the_worker_knows_every_file_a_page_needs_and_is_asked_anew_each_time(client):
    answer = client.get("/sw.js")

    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    first, _, program = answer.content.decode().partition("\n")
    shell = json.loads(first.removeprefix("const SHELL = ").removesuffix(";"))
    for name in ("css/scoresheet.css", "js/sheet.js", "js/hand.js", "fonts/fraunces-digits.woff2",
                 "icons/scoresheet.svg"):  # fmt: skip
        assert f"/static/{name}" in shell
    assert not {"/static/sw.js", "/static/js/pad.js"} & set(shell)
    assert 'addEventListener("fetch"' in program


def test_an_unchanged_worker_is_not_sent_again(client):
    answer = client.get("/sw.js")

    again = client.get("/sw.js", headers={"If-None-Match": answer.headers["ETag"]})

    assert again.status_code == 304


@pytest.mark.django_db
def test_a_sheet_names_its_release_and_its_stream():
    table = make_table()

    page = host_of(table).get("").content.decode()

    assert f'data-release="{settings.RELEASE}"' in page
    assert f'data-live-url="/live/{table.key}/"' in page
