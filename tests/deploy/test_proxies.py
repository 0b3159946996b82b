"""The sheet behind nginx and behind Caddy, as deploy/ sets them up."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.deploy.proxies import (
    PROXIES,
    SITE,
    Proxied,
    ProxiedStream,
    ask_plainly,
    make_certificate,
    nginx_files,
    proxied,
)
from tests.serving import copy_store, free_port, start_server, stop_server

MEGABYTE = 1024 * 1024


def serve_behind_a_proxy(data_dir, port):
    """The sheet with the settings that the files of deploy/ ask for."""
    return start_server(
        data_dir,
        port,
        data_dir / "log",
        HTTPS="true",
        TRUSTED_PROXIES="127.0.0.1",
        ALLOWED_HOSTS=f"{SITE},127.0.0.1",
    )


@pytest.fixture(scope="module", params=PROXIES)
def site(request, prepared, tmp_path_factory):
    """A sheet with a proxy in front."""
    folder = tmp_path_factory.mktemp(request.param)
    data_dir = copy_store(prepared, folder / "data")
    port = free_port()
    process = serve_behind_a_proxy(data_dir, port)
    try:
        with proxied(request.param, folder / "proxy", port) as site:
            yield site
    finally:
        assert stop_server(process) == 0
    assert "Traceback" not in (data_dir / "log").read_text()


def test_who_comes_without_https_is_sent_there(site):
    answer = ask_plainly(site, "/games/schafkopf/?from=card")

    assert answer.status in {301, 308}
    assert answer.headers["Location"].endswith("/games/schafkopf/?from=card")
    assert answer.headers["Location"].startswith(f"https://{SITE}")


def test_pages_come_over_http_2_and_ask_for_https_from_now_on(site):
    reply = site.ask("/")

    assert (reply.protocol, reply.status) == ("HTTP/2", 200)
    assert reply.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "<html" in reply.body.decode()


def test_a_table_is_started_and_its_cookie_is_for_https_alone(site):
    reply = site.post("/new/schafkopf/", player_0="Lena", player_1="Kofi", player_2="Felix",
                      player_3="Nora")  # fmt: skip

    cookies = reply.headers.get_all("Set-Cookie")
    assert reply.status == 303
    assert [cookie for cookie in cookies if cookie.startswith("phone=") and "; Secure" in cookie]


def test_a_form_of_another_site_is_refused(site):
    reply = site.post("/new/schafkopf/", "--header", "Origin: https://elsewhere.example", **{
        f"player_{seat}": name for seat, name in enumerate(("Lena", "Kofi", "Felix", "Nora"))
    })  # fmt: skip

    assert reply.status == 403
    assert "Location" not in reply.headers


def test_the_stream_brings_each_number_before_the_next_is_written(site):
    key, cookie = site.start_table()
    stream = ProxiedStream(site, key)

    seen = []
    for number in (1, 2, 3):
        path = f"/t/{key}/m/1/r/{number}/A/"
        assert site.post(path, cookie=cookie, value="2", base="0").status == 303
        event = stream.next()
        while number not in event.rounds:
            event = stream.next()
        seen.append(number)
    stream.close()

    assert seen == [1, 2, 3]


def test_wrong_codes_count_for_the_phone_that_sends_them(site):
    def try_code(*options):
        return site.post("/join/", *options, code="WRRRNG").status

    tries = [try_code() for _ in range(21)]

    assert 429 not in tries[:20]
    assert tries[20] == 429
    assert try_code("--header", "X-Forwarded-For: 203.0.113.9") == 429
    assert try_code("--interface", "127.0.0.2") == tries[0]


@pytest.mark.parametrize(
    ("path", "megabytes", "is_too_large"),
    [("/i18n/setlang/", 2, True), ("/import/", 2, False), ("/import/", 17, True)],
)
def test_a_body_may_be_as_large_as_its_address_takes(site, path, megabytes, is_too_large):
    reply = site.ask(path, "--cookie", f"csrftoken={'t' * 32}", body=b"x" * (megabytes * MEGABYTE))

    assert (reply.status == 413) is is_too_large
    assert reply.status < 500


def test_static_files_come_compressed_and_are_kept(site, prepared):
    manifest = json.loads((prepared / "static" / "staticfiles.json").read_text())

    reply = site.ask(f"/static/{manifest['paths']['js/sheet.js']}", "--header",
                     "Accept-Encoding: br")  # fmt: skip

    assert reply.status == 200
    assert reply.headers["Content-Encoding"] == "br"
    assert reply.headers["Cache-Control"] == "max-age=315360000, public, immutable"


@pytest.mark.parametrize("kind", PROXIES)
def test_no_log_names_a_page_while_the_sheet_is_away(kind, store):
    port = free_port()
    process = serve_behind_a_proxy(store, port)
    with proxied(kind, store / "proxy", port) as site:
        key, _cookie = site.start_table()
        assert site.ask(f"/t/{key}/").status == 200
        stop_server(process)

        status = site.ask(f"/t/{key}/").status

    written = [path for path in (store / "proxy").rglob("*log") if path.is_file()]
    assert status in {502, 503, 504}
    assert written
    assert [path.name for path in written if key in path.read_text()] == []


def test_nginx_gives_static_files_while_the_sheet_is_away(store):
    manifest = json.loads((store / "static" / "staticfiles.json").read_text())
    path = f"/static/{manifest['paths']['js/sheet.js']}"
    port = free_port()
    process = serve_behind_a_proxy(store, port)
    with proxied("nginx", store / "proxy", port) as site:
        before = site.ask(path)
        stop_server(process)

        after = site.ask(path)

    assert (before.status, after.status) == (200, 200)
    assert after.body == before.body


def test_nginx_has_nothing_to_say_against_its_file(tmp_path):
    certificate, key = make_certificate(tmp_path)
    site = Proxied(free_port(), free_port(), certificate, tmp_path / "log")
    main = nginx_files(tmp_path, site, key, free_port())

    tried = subprocess.run(
        ["nginx", "-t", "-e", "stderr", "-c", str(main)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert tried.returncode == 0, tried.stderr
    assert "[warn]" not in tried.stderr
    assert "test is successful" in tried.stderr


def test_caddys_file_is_valid_and_in_the_usual_shape():
    file = "deploy/Caddyfile"
    root = Path(__file__).resolve().parents[2]

    tried = subprocess.run(
        ["caddy", "validate", "--adapter", "caddyfile", "--config", file],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    shaped = subprocess.run(["caddy", "fmt", file], cwd=root, capture_output=True, check=False)

    assert tried.returncode == 0, tried.stderr
    assert shaped.stdout == (root / file).read_bytes()
