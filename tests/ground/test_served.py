"""The product as it is served: one real process, asked over the network."""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from tests.serving import (
    ROOT,
    SECONDS_TO_END,
    environment_of,
    free_port,
    start_server,
    stop_server,
)


def connect(server):
    parts = urlsplit(server.url)
    return http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)


def ask(server, method, path, body=None, **headers):
    connection = connect(server)
    connection.request(
        method, path, body, {name.replace("_", "-"): text for name, text in headers.items()}
    )
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer, content


def a_collected_file(server):
    manifest = json.loads((server.data_dir / "static" / "staticfiles.json").read_text())
    return manifest["paths"]["js/sheet.js"]


def test_healthz_answers(server):
    answer, _ = ask(server, "GET", "/healthz")

    assert answer.status == 200


def test_a_page_says_what_a_browser_may_do_with_it(server):
    answer, _ = ask(server, "GET", "/")

    assert answer.status == 200
    directives = answer.headers["Content-Security-Policy"].split("; ")
    assert sorted(directives) == [
        "base-uri 'none'",
        "default-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    ]
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "Server" not in answer.headers


def test_head_is_answered_like_get_without_the_page(server):
    got, page = ask(server, "GET", "/healthz")
    answer, nothing = ask(server, "HEAD", "/healthz")

    assert (answer.status, nothing) == (200, b"")
    assert answer.headers["Content-Length"] == str(len(page)) == got.headers["Content-Length"]


def test_an_unknown_address_is_404(server):
    assert ask(server, "GET", "/nothing/here/")[0].status == 404


@pytest.mark.sqlite  # where names have to be listed otherwise
@pytest.mark.parametrize(
    ("host", "status"), [("192.168.178.20:8000", 200), ("localhost", 200), ("example.org", 400)]
)
def test_only_names_of_this_machine_and_addresses_at_home_are_answered(server, host, status):
    assert ask(server, "GET", "/", Host=host)[0].status == status


def test_a_static_file_is_small_and_never_asked_for_again(server):
    path = f"/static/{a_collected_file(server)}"
    whole, script = ask(server, "GET", path)
    small, packed = ask(server, "GET", path, Accept_Encoding="gzip, br")

    assert re.fullmatch(r"/static/js/sheet\.[0-9a-f]{12}\.js", path)
    assert (whole.status, small.status) == (200, 200)
    assert small.headers["Cache-Control"] == "max-age=315360000, public, immutable"
    assert small.headers["Content-Encoding"] == "br"
    assert len(packed) < len(script) / 2.5


def test_a_post_without_a_token_is_refused_and_one_with_it_is_taken(server):
    form = "language=de"
    kind = "application/x-www-form-urlencoded"
    token = "t" * 32

    refused, _ = ask(server, "POST", "/i18n/setlang/", form, Content_Type=kind)
    taken, _ = ask(
        server,
        "POST",
        "/i18n/setlang/",
        form,
        Content_Type=kind,
        Cookie=f"csrftoken={token}",
        X_CSRFToken=token,
    )

    assert (refused.status, taken.status) == (403, 302)
    cookie = taken.headers["Set-Cookie"]
    assert cookie.startswith("django_language=de; ")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Max-Age=34560000" in cookie
    assert "Secure" not in cookie


def test_a_body_that_is_too_large_is_refused(server):
    assert ask(server, "POST", "/i18n/setlang/", b"x" * (1024 * 1024 + 1))[0].status == 413


def test_phones_that_stop_half_way_through_sending_hold_up_nobody(server):
    parts = urlsplit(server.url)
    half_sent = [socket.create_connection((parts.hostname, parts.port)) for _ in range(12)]
    for phone in half_sent:
        phone.sendall(
            b"POST /i18n/setlang/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\n\r\nvalue"
        )

    answer, _ = ask(server, "GET", "/healthz")

    for phone in half_sent:
        phone.close()
    assert answer.status == 200


def test_a_port_that_is_taken_is_said_in_a_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answer = subprocess.run(
            [sys.executable, "-m", "scoresheet.serve", "--host", "127.0.0.1", "--port", str(port)],
            cwd=ROOT,
            env=environment_of(tmp_path),
            capture_output=True,
            text=True,
            check=False,
        )

    assert answer.returncode == 1
    assert answer.stderr == (
        f"Port {port} is taken by another program; choose another: make run PORT={port + 1}\n"
    )


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_in_good_order(store, ending):
    log = store / "log"
    process = start_server(store, free_port(), log)

    process.send_signal(ending)

    assert process.wait(SECONDS_TO_END) == 0
    assert "Traceback" not in log.read_text()
    assert stop_server(process) == 0


def test_https_is_asked_for_where_the_proxy_speaks_it(store):
    port = free_port()
    process = start_server(store, port, store / "log", HTTPS="true", TRUSTED_PROXIES="127.0.0.0/8")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    answers = []
    for headers in ({}, {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}):
        connection.request("GET", "/", headers={"Host": "localhost", **headers})
        answer = connection.getresponse()
        answer.read()
        answers.append(answer)
    connection.close()
    stop_server(process)

    plain, forwarded = answers
    assert (plain.status, plain.headers["Location"]) == (301, "https://localhost/")
    assert forwarded.status == 200
    assert forwarded.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_a_proxy_that_is_not_named_is_not_believed(store):
    port = free_port()
    process = start_server(store, port, store / "log", HTTPS="true")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/", headers={"Host": "localhost", "X-Forwarded-Proto": "https"})
    status = connection.getresponse().status
    connection.close()
    stop_server(process)

    assert status == 301
