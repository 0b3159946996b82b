"""Behind a proxy that speaks https: redirects, promises, cookies; the check before deployment."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.conf import settings
from django.urls import get_resolver

from tests.serving import (
    ROOT,
    Server,
    copy_store,
    environment_of,
    free_port,
    start_server,
    stop_server,
)
from tests.streams import Phone

YEAR = "max-age=31536000"
FOUR = "player_0=Ida&player_1=Jo&player_2=Kai&player_3=Lea"


@pytest.fixture(scope="module")
def phone(prepared, tmp_path_factory):
    """A phone at a server that is reached by https, through a proxy on this machine."""
    log = tmp_path_factory.mktemp("https") / "server.log"
    data_dir = copy_store(prepared, log.parent / "data")
    port = free_port()
    process = start_server(data_dir, port, log, HTTPS="true", TRUSTED_PROXIES="127.0.0.1")
    yield Phone(Server(f"http://127.0.0.1:{port}", data_dir, log))
    assert stop_server(process) == 0, log.read_text()


def ask(phone, method, path, form=None, **headers):
    """Ask as the proxy does; a browser says where a form comes from."""
    origin = phone.server.url.replace("http", "https")
    more = {"X_Forwarded_Proto": "https", "Referer": f"{origin}/", "Origin": origin, **headers}
    answer, _text = phone.ask(method, path, form, **more)
    return answer


@pytest.mark.parametrize(
    "path", ["/", "/join/", "/nothing/", "/static/nothing.js", "/live/nothing/"]
)
def test_every_answer_promises_https_for_a_year(phone, path):
    answer = ask(phone, "GET", path)

    assert answer.headers["Strict-Transport-Security"] == YEAR


def test_plain_http_leads_to_https_and_nothing_is_written(phone):
    asked = ask(phone, "GET", "/join/?code=A", X_Forwarded_Proto="http")
    posted = ask(phone, "POST", "/new/bauernstoss/", FOUR, X_Forwarded_Proto="http")

    for answer in (asked, posted):
        assert answer.status == 301
        assert answer.headers["Location"].startswith("https://127.0.0.1:")
        assert answer.headers["Strict-Transport-Security"] is None
        assert answer.headers["Set-Cookie"] is None


def test_a_stream_is_not_sent_in_the_clear(phone):
    assert ask(phone, "GET", "/live/nothing/", X_Forwarded_Proto="http").status == 403
    assert ask(phone, "GET", "/live/nothing/").status == 404


def test_every_cookie_goes_by_https_alone(phone):
    started = ask(phone, "POST", "/new/bauernstoss/", FOUR)
    page = ask(phone, "GET", "/")
    theme = ask(phone, "POST", "/theme/", "theme=dark")
    language = ask(phone, "POST", "/i18n/setlang/", "language=de")

    cookies = [
        cookie
        for answer in (started, page, theme, language)
        for cookie in answer.headers.get_all("Set-Cookie") or ()
    ]
    assert {cookie.partition("=")[0] for cookie in cookies} == {
        "phone",
        "csrftoken",
        "theme",
        "django_language",
    }
    assert all("; Secure" in cookie for cookie in cookies)


def test_a_form_of_another_site_is_refused(phone):
    foreign = {"Origin": "https://evil.example", "Referer": "https://evil.example/"}

    assert ask(phone, "POST", "/theme/", "theme=dark", **foreign).status == 403
    assert ask(phone, "POST", "/theme/", "theme=dark", Origin="null").status == 403
    assert ask(phone, "POST", "/theme/", "theme=dark").status == 303


def test_pages_are_their_windows_own(phone):
    assert ask(phone, "GET", "/").headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_whoever_is_no_trusted_proxy_says_nothing_about_https(server):
    answer, _text = Phone(server).ask("GET", "/", X_Forwarded_Proto="https")

    assert answer.headers["Strict-Transport-Security"] is None


def test_the_check_before_deployment_has_nothing_to_say(tmp_path):
    found = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=environment_of(tmp_path, HTTPS="true", ALLOWED_HOSTS="sheet.example.org"),
        capture_output=True,
        text=True,
        check=False,
    )

    assert (found.returncode, found.stderr) == (0, "")
    assert "no issues" in found.stdout


def test_there_is_no_admin_and_no_login():
    names = {app.partition(".contrib.")[2] for app in settings.INSTALLED_APPS}

    assert names == {"", "staticfiles"}
    assert "admin" not in str(get_resolver().reverse_dict.keys())
