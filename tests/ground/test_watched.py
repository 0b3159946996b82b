"""Seeing it run: numbers of requests, the log, the measures; none of them knows a key or a name."""

from __future__ import annotations

import json
import re

import pytest

from tests.serving import Server, copy_store, free_port, start_server, stop_server
from tests.streams import NAMES, Phone

TOKEN = "m" * 16
NUMBER = re.compile(r"[A-Z2-7]{4}-[A-Z2-7]{4}")


@pytest.fixture(scope="module")
def watched(prepared, tmp_path_factory):
    """A server that logs every request for programs, behind a proxy, with its measures open."""
    data_dir = copy_store(prepared, tmp_path_factory.mktemp("watched") / "data")
    port = free_port()
    process = start_server(
        data_dir,
        port,
        data_dir / "log",
        LOG_FORMAT="json",
        LOG_REQUESTS="true",
        METRICS_TOKEN=TOKEN,
        TRUSTED_PROXIES="127.0.0.0/8",
    )
    yield Server(f"http://127.0.0.1:{port}", data_dir, data_dir / "log")
    stop_server(process)


def measures(server, token=TOKEN):
    answer, text = Phone(server).ask("GET", "/metrics", Authorization=f"Bearer {token}")
    return answer.status, text


def measure(server, name):
    _status, text = measures(server)
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def logged(server):
    lines = server.log.read_text().splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def test_every_answer_has_a_number_that_people_can_read_out(server):
    first, _text = Phone(server).ask("GET", "/healthz")
    second, _text = Phone(server).ask("GET", "/nothing/", X_Request_ID="invented")

    numbers = [answer.headers["X-Request-ID"] for answer in (first, second)]
    assert all(NUMBER.fullmatch(number) for number in numbers)
    assert len(set(numbers)) == 2


@pytest.mark.parametrize(
    ("given", "is_taken"), [("proxy-17.a", True), ("x" * 65, False), ("a b", False), ("", False)]
)
def test_a_trusted_proxys_number_is_taken_if_it_is_one(watched, given, is_taken):
    answer, _text = Phone(watched).ask("GET", "/healthz", X_Request_ID=given)

    assert (answer.headers["X-Request-ID"] == given) == is_taken


def test_a_request_is_logged_by_its_route_with_no_word_of_whose_it_is(watched):
    host = Phone(watched).start_table()
    host.write(1, "A", 3)
    path = f"/t/{host.key}/m/1/"
    answer, page = host.ask("GET", path, X_Request_ID="the-page")
    host.listen().next("message")
    for stream in host.streams:
        stream.close()

    (line,) = [line for line in logged(watched) if line.get("request") == "the-page"]
    assert (line["method"], line["route"], line["status"]) == ("GET", "games:match", 200)
    assert line["ms"] > 0
    assert {"games:cell", "games:new", "stream"} <= {one.get("route") for one in logged(watched)}
    text = watched.log.read_text()
    assert answer.status == 200
    secrets = [host.key, host.cookie.partition("=")[2], *NAMES.values(), path]
    assert [secret for secret in secrets if secret in text] == []
    assert all(secret in page for secret in NAMES.values())


def test_requests_are_not_logged_unless_somebody_asks_for_it(server):
    Phone(server).ask("GET", "/nothing/here/")

    assert "GET" not in server.log.read_text()


def test_measures_are_not_there_without_a_token(server):
    assert Phone(server).ask("GET", "/metrics", Authorization="Bearer ")[0].status == 404


@pytest.mark.parametrize("token", ["", "n" * 16, TOKEN + "m"])
def test_measures_are_for_who_knows_the_token(watched, token):
    status, text = measures(watched, token)

    assert status == 401
    assert "scoresheet_" not in text


def test_what_happens_is_counted(watched):
    names = {
        "written": "scoresheet_entries_written_total",
        "refused": 'scoresheet_refusals_total{code="not-whole"}',
        "repeated": "scoresheet_repeated_attempts_total",
        "drawn": 'scoresheet_sheet_pages_total{how="drawn"}',
        "kept": 'scoresheet_sheet_pages_total{how="kept"}',
        "told": "scoresheet_hub_lag_seconds_count",
        "streams": "scoresheet_streams_open",
        "waited": "scoresheet_store_wait_seconds_count",
        "cells": 'scoresheet_answer_seconds_count{route="games:cell"}',
    }
    before = {what: measure(watched, name) for what, name in names.items()}
    host = Phone(watched).start_table()
    stream = host.listen()
    stream.next("message")
    path, op = f"/t/{host.key}/m/1/r/1/A/", "00000000-0000-4000-8000-000000000001"
    for _ in range(2):
        assert host.post(path, value="3", base="0", op=op).status == 303
    assert host.post(path, value="three", base="0").status == 422
    stream.next("message")
    for _ in range(2):
        host.ask("GET", f"/t/{host.key}/m/1/")

    after = {what: measure(watched, name) for what, name in names.items()}
    stream.close()
    grown = {what: after[what] - before[what] for what in names}
    assert grown.pop("waited") >= 4
    assert grown.pop("told") >= 1
    assert grown == {
        "written": 1, "refused": 1, "repeated": 1, "drawn": 1, "kept": 1, "streams": 1, "cells": 3,
    }  # fmt: skip
    assert 'scoresheet_build_info{process="' in measures(watched)[1]
