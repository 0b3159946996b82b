"""The product on a home screen: what a phone needs for it."""

import json
import re
import struct
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests.games.helpers import host_of, make_table


def manifest(**headers):
    answer = Client().get("/manifest.webmanifest", headers=headers)
    assert answer.status_code == 200
    return answer, json.loads(answer.content)


def file_of(address):
    found = finders.find(address.removeprefix("/static/"))
    assert found, address
    return Path(found)


def picture(path):
    """Width and height of a PNG."""
    head = path.read_bytes()[:24]
    assert head.startswith(b"\x89PNG\r\n\x1a\n"), path
    return struct.unpack(">II", head[16:24])


def test_the_manifest_makes_an_app_of_the_whole_site():
    answer, told = manifest()

    assert answer.headers["Content-Type"] == "application/manifest+json"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert {told[name] for name in ("id", "start_url", "scope")} == {"/"}
    assert (told["name"], told["display"]) == ("Scoresheet", "standalone")


def test_the_manifest_speaks_the_reader_s_language():
    (english, told), (_, erzaehlt) = manifest(accept_language="en"), manifest(accept_language="de")

    assert (told["lang"], erzaehlt["lang"]) == ("en", "de")
    assert told["description"] != erzaehlt["description"]
    assert {"Cookie", "Accept-Language"} <= set(re.split(", ?", english.headers["Vary"]))


def test_the_manifest_wears_the_theme_of_its_browser():
    client = Client()
    client.cookies["theme"] = "dark"

    told = client.get("/manifest.webmanifest").json()

    assert told["background_color"] == told["theme_color"] == "#14181B"
    assert manifest()[1]["background_color"] == "#FBF7EE"


def test_icons_are_what_the_manifest_says():
    icons = manifest()[1]["icons"]

    pngs = {(icon["sizes"], icon["purpose"]) for icon in icons if icon["type"] == "image/png"}
    assert pngs == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    for icon in icons:
        path = file_of(icon["src"])
        if icon["type"] == "image/png":
            width, height = picture(path)
            assert icon["sizes"] == f"{width}x{height}"
        else:
            assert path.read_text().startswith("<svg")


def test_shortcuts_lead_to_the_games():
    shortcuts = manifest()[1]["shortcuts"]

    assert [one["name"] for one in shortcuts] == [
        "Bauernstoss", "Bauernschnapsen", "Bavarian Schafkopf",
    ]  # fmt: skip
    assert {Client().get(one["url"]).status_code for one in shortcuts} == {200}


def test_every_page_names_the_manifest_and_an_icon_for_iphones():
    page = Client().get("/join/").content.decode()

    link = '<link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials">'
    assert link in page
    icon = re.findall(r'rel="apple-touch-icon" href="([^"]*)"', page)
    assert [picture(file_of(address)) for address in icon] == [(180, 180)]


@pytest.mark.django_db
def test_the_hint_of_the_home_screen_is_for_phones_with_a_table():
    table = make_table()

    assert "data-install" in host_of(table).client.get("/").content.decode()
    assert "data-install" not in Client().get("/").content.decode()
