"""Where answers lead, which hosts are believed, how much is read: not up to whoever asks."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.conf import settings
from django.test import Client

from scoresheet.wsgi import Request
from tests.games.helpers import host_of, make_table, new_op, seated
from tests.games.test_access_matrix import ASKED, everything, filled, names_of, table_given

pytestmark = pytest.mark.django_db

ELSEWHERE = (
    "https://evil.example/",
    "//evil.example/",
    "///evil.example/",
    "/\\evil.example/",
    "\\\\evil.example/",
    "http:evil.example",
    "https:///evil.example",
    "javascript:alert(1)",
    "\x00//evil.example",
    "http://testserver@evil.example/",
    "http://testserver.evil.example/",
    "",
)
HTMX = {"HX-Request": "true"}


def way_of(answer):
    return answer.headers.get("Location") or answer.headers.get("HX-Redirect")


@pytest.mark.parametrize("address", ELSEWHERE)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
def test_a_switch_leads_back_to_this_site_alone(address, headers):
    theme = Client().post("/theme/", {"theme": "dark", "next": address}, headers=headers)
    language = Client().post("/i18n/setlang/", {"language": "de", "next": address}, headers=headers)

    assert way_of(theme) == "/"
    assert way_of(language) in {"/", None}
    assert language.status_code in {204, 302}


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
def test_no_way_back_adds_a_header(headers):
    way = "/games/\r\nSet-Cookie: x=1\r\n\r\nä"

    answer = Client().post("/theme/", {"theme": "dark", "next": way}, headers=headers)

    assert way_of(answer) == "/games/%0D%0ASet-Cookie:%20x=1%0D%0A%0D%0A%C3%A4"
    assert "x" not in answer.cookies


def test_an_address_with_two_slashes_leads_to_no_other_host():
    for path in ("//evil.example", "//evil.example/join", "///join", "/\\evil.example/join"):
        assert Client().get("/", PATH_INFO=path).status_code == 404
    answer = Client().get("/join", {"code": "//evil.example"})
    assert answer["Location"] == "/join/?code=%2F%2Fevil.example"


POSTS = {
    asked.address: asked
    for asked in ASKED
    if asked.method == "POST" and asked.address.endswith("/") and asked.answers.startswith("303")
}


@pytest.mark.parametrize("address", POSTS)
def test_a_post_without_the_last_slash_is_not_led_on_without_its_fields(address):
    asked = POSTS[address]
    table, phones = table_given(asked)
    names = names_of(table)
    fields = {name: filled(str(value), names) for name, value in asked.fields.items()}
    before = everything()

    path = address.format(**names).removesuffix("/")
    answer = phones["host"].client.post(path, {"op": new_op(), **fields})

    assert (answer.status_code, everything()) == (404, before)


def test_a_page_that_is_kept_holds_no_host_of_whoever_asked_first(settings):
    settings.ALLOWED_HOSTS = ["first.example", "second.example"]
    table = make_table()
    host = host_of(table)

    for path in ("", "tv/", "people/", "m/1/story/", "take-home/", "evening/"):
        pages = [
            host.client.get(f"/t/{table.key}/{path}", HTTP_HOST=name).content.decode()
            for name in ("first.example", "second.example")
        ]
        assert "first.example" not in pages[1]
        assert "second.example" not in pages[0]


@pytest.mark.parametrize("name", ["evil.example", "testserver.evil.example", "testserver@x", "a b"])
def test_a_foreign_host_is_not_answered(name):
    table = make_table()
    before = everything()

    for path in ("/", f"/t/{table.key}/", f"/t/{table.key}/tv/", "/nothing/"):
        answer = host_of(table).client.get(path, HTTP_HOST=name)
        assert answer.status_code == 400
        assert name not in answer.content.decode()
    forwarded = host_of(table).client.get("/", HTTP_X_FORWARDED_HOST=name)

    assert name not in forwarded.content.decode()
    assert everything() == before


CHARSETS = (
    "hex",
    "rot13",
    "idna",
    "utf-16",
    "latin-1",
    "no-such",
    "undefined",
    "a\x00b",
    "x" * 20_000,
)


@pytest.mark.parametrize("charset", CHARSETS)
def test_texts_in_another_charset_are_refused(charset):
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/join/",
        "QUERY_STRING": "a=%ff",
        "CONTENT_TYPE": f"application/x-www-form-urlencoded; charset={charset}",
        "wsgi.input": BytesIO(),
    }

    assert Request(environ).is_foreign
    assert not Request({**environ, "CONTENT_TYPE": "text/plain; charset=UTF-8"}).is_foreign
    assert not Request({**environ, "CONTENT_TYPE": ""}).is_foreign


MULTIPART = "multipart/form-data; boundary=x"
FORM = "application/x-www-form-urlencoded"
FORMS = ("/join/", "/import/", "/new/bauernstoss/", "/t/{key}/people/", "/t/{key}/m/1/r/1/A/")


def parts(count, more=""):
    """A body of so many parts."""
    head = 'Content-Disposition: form-data; name="'
    return "".join(f'--x\r\n{head}{n}"{more}\r\n\r\n1\r\n' for n in range(count)) + "--x--\r\n"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (FORM, "&".join(f"a{n}=1" for n in range(1001))),
        (MULTIPART, parts(1001)),
        (MULTIPART, parts(101, '; filename="a"')),
        (MULTIPART, "--x\r\nX: " + "y" * 5000 + "\r\n\r\n1\r\n--x--\r\n"),
        ("multipart/form-data", "--x--"),
    ],
    ids=["fields", "parts", "files", "head", "no boundary"],
)
@pytest.mark.parametrize("path", FORMS)
def test_more_than_a_form_can_hold_is_refused_kindly(path, kind, body):
    table = make_table()
    seated(table, 0)
    before = everything()

    answer = host_of(table).client.post(path.format(key=table.key), body, content_type=kind)

    assert answer.status_code == 400
    assert "This request makes no sense here." in answer.content.decode()
    assert everything() == before


DEEP = {
    "deep": "[" * 200_000,
    "deep names": '{"a":' * 100_000,
    "huge number": '{"edition": ' + "9" * 100_000 + "}",
    "huge exponent": '{"edition": 1e400}',
    "no number": '{"edition": NaN}',
    "half a character": '{"format": "\\ud800"}',
    "many of one name": '{"a":1,' * 3 + '"a":1}',
}


@pytest.mark.parametrize("kind", DEEP)
def test_files_that_would_be_too_much_are_refused_at_their_box(kind):
    before = everything()

    answer = Client().post("/import/", {"text": DEEP[kind]})

    assert answer.status_code == 422
    assert everything() == before


def test_what_is_read_at_most_is_said_in_one_place():
    assert settings.DATA_UPLOAD_MAX_NUMBER_FIELDS == 1000
    assert settings.DATA_UPLOAD_MAX_NUMBER_FILES == 100
