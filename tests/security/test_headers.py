"""What answers of every kind tell the browser to be careful about; asked over the network."""

from __future__ import annotations

import json

import pytest

from scoresheet.headers import NOBODYS
from tests.streams import TOKEN, Phone

CARE = {
    "Content-Security-Policy",
    "Cross-Origin-Resource-Policy",
    "Permissions-Policy",
    "Referrer-Policy",
    "X-Content-Type-Options",
    "X-Frame-Options",
}
CARE_OF_DATA = {"Cross-Origin-Resource-Policy", "X-Content-Type-Options"}
POLICY = {
    "base-uri 'none'",
    "default-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
}
CELL = {"value": "1", "base": "0"}
# kind of answer -> method, address, status
ANSWERS = {
    "page": ("GET", "/t/{key}/", 200),
    "first page": ("GET", "/", 200),
    "part of a page": ("GET", "/t/{key}/m/1/changes/", 200),
    "nothing new": ("GET", "/csrf/", 204),
    "picture": ("GET", "/t/{key}/m/1/story.svg", 200),
    "json": ("GET", "/t/{key}/m/1/sheet.json", 200),
    "file taken home": ("GET", "/t/{key}/export.json", 200),
    "spreadsheet": ("GET", "/t/{key}/export.csv", 200),
    "manifest": ("GET", "/manifest.webmanifest", 200),
    "health": ("GET", "/healthz", 200),
    "head": ("HEAD", "/t/{key}/", 200),
    "address without its slash": ("GET", "/t/{key}", 301),
    "way on": ("GET", "/i18n/setlang/", 302),
    "nothing there": ("GET", "/t/nothing/", 404),
    "not allowed": ("GET", "/t/{key}/m/1/undo/", 405),
    "not for this phone": ("GET", "/t/{key}/delete/", 403),
    "unreadable": ("GET", "/?a=%00&b=%ff", 200),
    "no such file": ("GET", "/static/nothing.js", 404),
    "stream of no table": ("GET", "/live/nothing/", 404),
    "stream that is written to": ("POST", "/live/{key}/", 405),
}
# What is never shown as a page.
DATA = {
    "worker": "/sw.js",
    "words": "/words/de.0.js",
    "static file": "{static}",
    "picture in a file": "/static/icons/icon-192.png",
}


@pytest.fixture(scope="module")
def host(server):
    return Phone(server).start_table()


@pytest.fixture(scope="module")
def stranger(host):
    return Phone(host.server).look_at(host)


def careful(answer):
    return {name for name in CARE if answer.headers.get(name)}


def an_address(host, address):
    files = json.loads((host.server.data_dir / "static" / "staticfiles.json").read_text())
    return address.format(key=host.key, static="/static/" + files["paths"]["js/sheet.js"])


@pytest.mark.parametrize("kind", ANSWERS)
def test_every_kind_of_answer_is_careful(host, stranger, kind):
    method, address, status = ANSWERS[kind]

    answer = ask(stranger, method, an_address(host, address))

    assert answer.status == status
    assert careful(answer) == CARE
    assert set(answer.headers["Content-Security-Policy"].split("; ")) == POLICY
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Strict-Transport-Security"] is None
    assert answer.headers["Server"] is None


@pytest.mark.parametrize("kind", DATA)
def test_data_is_nothing_but_data(host, stranger, kind):
    answer = ask(stranger, "HEAD", an_address(host, DATA[kind]))

    assert answer.status == 200
    assert careful(answer) >= CARE_OF_DATA
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Strict-Transport-Security"] is None
    assert answer.headers["Server"] is None


def test_the_worker_has_the_policy_of_pages(stranger):
    policy = ask(stranger, "GET", "/sw.js").headers["Content-Security-Policy"]

    assert set(policy.split("; ")) == POLICY


def ask(phone, method, address):
    answer, _text = phone.ask(method, address, Accept="*/*")
    return answer


def test_answers_that_are_kept_are_careful_too(stranger):
    etag = ask(stranger, "GET", "/sw.js").headers["ETag"]

    answer, _text = stranger.ask("GET", "/sw.js", If_None_Match=etag)

    assert answer.status == 304
    assert careful(answer) == CARE


def test_a_stream_is_careful(host):
    with_stream = host.listen()

    assert with_stream.answer.status == 200
    assert careful(with_stream.answer) >= CARE_OF_DATA
    assert with_stream.answer.headers["Cache-Control"] == "no-store"
    with_stream.close()


def test_what_is_refused_before_the_pages_is_careful(host):
    answer, _text = host.ask("POST", "/join/", "code=" + "x" * (1024 * 1024))

    assert answer.status == 413
    assert careful(answer) == CARE


def test_refusals_and_ways_on_of_a_post_are_careful(host, stranger):
    path = f"/t/{host.key}/m/1/r/1/A/"

    refused = [stranger.post(path, **CELL), host.post(path, value="x", base="0")]
    forged, _text = stranger.ask("POST", "/join/", "code=QQQQQQ", X_CSRFToken="u" * 32)
    written = host.post(path, **CELL)

    statuses = [answer.status for answer in (*refused, forged, written)]
    assert statuses == [403, 422, 403, 303]
    assert all(careful(answer) == CARE for answer in (*refused, forged, written))


def test_no_policy_allows_what_stands_in_the_page(host):
    policy = ask(host, "GET", f"/t/{host.key}/").headers["Content-Security-Policy"]

    assert "unsafe" not in policy
    assert "*" not in policy
    assert "data:" not in policy
    assert "http" not in policy


def test_what_no_page_uses_is_allowed_to_nobody(host):
    policy = ask(host, "GET", "/").headers["Permissions-Policy"]

    assert policy == ",".join(f"{feature}=()" for feature in NOBODYS)
    assert {"camera", "microphone", "geolocation"} <= set(NOBODYS)
    assert not {"screen-wake-lock", "web-share", "clipboard-write"} & set(NOBODYS)


PRIVATE = (
    "/t/{key}/",
    "/t/{key}/m/1/",
    "/t/{key}/people/",
    "/t/{key}/tv/",
    "/t/{key}/evening/",
    "/t/{key}/house/",
    "/t/{key}/take-home/",
    "/t/{key}/export.json",
    "/t/{key}/export.csv",
    "/t/{key}/m/1/sheet.json",
    "/t/{key}/m/1/story/",
    "/t/{key}/m/1/story.svg",
    "/t/{key}/m/1/history/",
    "/t/{key}/m/1/print/",
    "/t/{key}/m/1/r/1/A/",
    "/t/{key}/m/1/changes/",
    "/t/nothing/",
    "/csrf/",
    "/join/",
    "/",
    "/t/{key}/regulars/",
)


@pytest.mark.parametrize("address", PRIVATE)
def test_no_page_of_a_table_is_kept_by_anybody_in_between(host, address):
    said = ask(host, "GET", address.format(key=host.key)).headers["Cache-Control"]

    assert "no-store" in said.split(", ")


@pytest.mark.parametrize("address", ["/manifest.webmanifest", "/t/{key}/", "/"])
def test_answers_that_differ_by_who_asks_say_so(host, address):
    vary = ask(host, "GET", address.format(key=host.key)).headers["Vary"]

    assert {"Cookie", "Accept-Language"} <= set(vary.split(", "))


FOUR = "player_0=Ida&player_1=Jo&player_2=Kai&player_3=Lea"


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(host):
    new = Phone(host.server)
    started, _text = new.ask("POST", "/new/bauernstoss/", FOUR)
    pages, _text = new.ask("GET", "/", Cookie="")
    theme, _text = new.ask("POST", "/theme/", "theme=dark")
    language, _text = new.ask("POST", "/i18n/setlang/", "language=de")

    flags = {}
    for answer in (started, pages, theme, language):
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _is, rest = cookie.partition("=")
            flags[name] = {part.lower() for part in rest.split("; ")[1:]}
    assert flags.keys() == {"phone", "csrftoken", "theme", "django_language"}
    assert all({"samesite=lax", "path=/"} <= each for each in flags.values())
    assert {name for name, each in flags.items() if "httponly" not in each} == {"csrftoken"}
    assert not any("domain" in flag for each in flags.values() for flag in each)


METHODS = ("OPTIONS", "TRACE", "CONNECT", "PUT", "PATCH", "DELETE", "PROPFIND", "get")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "address", ["/", "/t/{key}/", "/t/{key}/m/1/r/1/A/", "/healthz", "/live/{key}/", "/static/x"]
)
def test_other_methods_do_nothing_and_send_nothing_back(host, method, address):
    before = sheet_of(host)

    answer, text = host.ask(method, address.format(key=host.key))

    assert answer.status in {400, 404, 405}
    assert TOKEN not in text
    assert sheet_of(host) == before


@pytest.mark.parametrize("header", ["X_HTTP_Method_Override", "X_HTTP_Method", "X_Method_Override"])
def test_no_header_makes_another_method_of_one(host, header):
    before = sheet_of(host)

    answer, _text = host.ask("GET", f"/t/{host.key}/delete/?_method=POST", **{header: "POST"})

    assert answer.status == 200
    assert sheet_of(host) == before


def sheet_of(phone):
    answer, text = phone.ask("GET", f"/t/{phone.key}/m/1/sheet.json")
    assert answer.status == 200
    return json.loads(text)
