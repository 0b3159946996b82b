"""Light, dark or as the phone has it: in the first byte of every page, and nowhere else."""

import re

import pytest
from django.test import Client

from games.views import frame
from tests.games.helpers import fill, host_of, make_table, new_op, stranger

pytestmark = pytest.mark.django_db
HTML_TAG = re.compile(r"<html[^>]*>")
SWITCHES = ('name="theme" value="dark"', 'name="language" value="de"')


def page_in(theme, address="/", client=None):
    client = client or Client()
    if theme:
        client.cookies[frame.THEME_COOKIE] = theme
    return client.get(address).content.decode()


@pytest.mark.parametrize(
    ("theme", "tag", "scheme", "papers"),
    [
        ("dark", '<html lang="en" data-theme="dark">', "dark", ["#14181B"]),
        ("light", '<html lang="en" data-theme="light">', "light", ["#FBF7EE"]),
        ("", '<html lang="en">', "light dark", ["#FBF7EE", "#14181B"]),
        ('"><b>', '<html lang="en">', "light dark", ["#FBF7EE", "#14181B"]),
    ],
)
def test_41_the_first_bytes_of_a_page_say_its_theme(theme, tag, scheme, papers):
    page = page_in(theme)

    assert HTML_TAG.findall(page) == [tag]
    assert re.findall(r'name="color-scheme" content="([^"]*)"', page) == [scheme]
    assert re.findall(r'name="theme-color" content="([^"]*)"', page) == papers
    assert page.count("prefers-color-scheme") == (0 if theme in frame.PAPER else 2)


def test_41_a_switch_is_remembered_and_leads_back_to_its_page():
    client = Client()

    answer = client.post("/theme/", {"theme": "dark", "next": "/join/?code=ABC"})

    assert (answer.status_code, answer["Location"]) == (303, "/join/?code=ABC")
    cookie = answer.cookies[frame.THEME_COOKIE]
    assert (cookie.value, cookie["httponly"], cookie["samesite"]) == ("dark", True, "Lax")
    assert cookie["max-age"] == 400 * 24 * 60 * 60
    assert 'data-theme="dark"' in client.get("/join/").content.decode()


@pytest.mark.parametrize("switch", ["/theme/", "/i18n/setlang/"])
def test_a_switch_that_was_refused_still_leads_back_to_its_page(switch):
    client = Client(enforce_csrf_checks=True)

    ours = client.post(switch, {"theme": "dark", "next": "/join/"})
    others = client.post(switch, {"theme": "dark", "next": "//example.org/"})

    assert (ours.status_code, others.status_code) == (403, 403)
    assert 'name="next" value="/join/"' in ours.content.decode()
    assert "example.org" not in others.content.decode()


def test_a_switch_tries_no_wrong_code_again():
    page = Client().get("/j/AAAAAA/").content.decode()

    assert set(re.findall('name="next" value="([^"]*)"', page)) == {"/join/"}


def test_the_phone_s_own_theme_can_be_had_again():
    client = Client()
    client.cookies[frame.THEME_COOKIE] = "dark"

    client.post("/theme/", {"theme": "", "next": "/"})

    assert HTML_TAG.findall(client.get("/").content.decode()) == ['<html lang="en">']


@pytest.mark.parametrize(
    "elsewhere", ["https://example.org/", "//example.org/", "", "javascript:0"]
)
def test_a_switch_leads_nowhere_else(elsewhere):
    answer = Client().post("/theme/", {"theme": "dark", "next": elsewhere})

    assert answer["Location"] == "/"


@pytest.mark.parametrize(
    "path", ["/", "/join/", "/new/schafkopf/", "/games/bauernstoss/", "/nothing/", "people/",
             "house/", "", ".../", ".../r/1/A/", ".../end/"],
)  # fmt: skip
def test_every_page_has_both_switches(path):
    table = make_table()
    host = host_of(table)

    address = path if path.startswith("/") else host.url(path)
    page = host.client.get(address).content.decode()

    assert [switch for switch in SWITCHES if switch not in page] == []
    assert set(re.findall(r'name="next" value="([^"]*)"', page)) == {address}


def after_a_post(kind):
    """A page that answers a POST, and where its switches have to lead."""
    table = make_table()
    fill(table, [(3, 0)])
    host, outside = host_of(table), stranger(table)
    key, round_one = f"/t/{table.key}/", f"/t/{table.key}/m/1/r/1/"
    cell = {"value": "x", "op": new_op(), "base": 0}
    row = {"value_A": "x", "op": new_op(), "base": 0}
    return {
        "set-up": lambda: (host.client.post("/new/bauernstoss/", {}), "/new/bauernstoss/"),
        "code": lambda: (Client().post("/join/", {"code": ""}), "/join/"),
        "seat": lambda: (outside.post("seat/", seat="7"), key),
        "people": lambda: (host.post("people/", do="juggle"), f"{key}people/"),
        "house": lambda: (host.post("house/", line="1"), f"{key}house/"),
        "cell": lambda: (host.post(".../r/1/A/", cell), f"{round_one}A/"),
        "row": lambda: (host.post(".../r/1/", row), f"{key}m/1/"),
        "end": lambda: (host.post(".../end/"), f"{key}m/1/end/"),
        "nothing": lambda: (host.client.post("/nothing/", {}), "/"),
    }[kind]()


@pytest.mark.parametrize(
    "kind", ["set-up", "code", "seat", "people", "house", "cell", "row", "end", "nothing"]
)
def test_switches_lead_back_from_a_page_that_answers_a_post(kind):
    answer, back = after_a_post(kind)

    page = answer.content.decode()
    assert answer.status_code >= 400
    assert set(re.findall(r'name="next" value="([^"]*)"', page)) == {back}
    assert Client().get(back).status_code in {200, 403}


def test_what_all_phones_share_of_a_sheet_knows_no_theme():
    table = make_table()
    fill(table, [(1, 0), (0, 2)])
    host = host_of(table)

    shared = []
    for theme in ("dark", "light", ""):
        host.client.cookies[frame.THEME_COOKIE] = theme
        page = host.get("").content.decode()
        main = re.sub(r"[0-9a-zA-Z-]{36,}", "", page[page.index("<main") :])
        shared.append((main, host.get(".../changes/").content))

    assert shared[0] == shared[1] == shared[2]
