"""Bytes that are hardly HTTP, over real connections: the server answers or hangs up, and goes on."""

# ruff: noqa: E501, ISC004 - long lists, in as few lines as can be read
from __future__ import annotations

import random
import selectors
import socket
import time
from contextlib import ExitStack, suppress
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.serving import Server, copy_store, free_port, start_server, stop_server
from tests.streams import PATIENCE, TOKEN, Phone

AT_ONCE, BATCHES = 100, 15
SECONDS_OF_SILENCE = 1.0
ENOUGH = 65536  # bytes read of an answer

SOUND = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    b"GET /t/{key}/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    b"GET /t/{key}/m/1/changes/?since=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    b"GET /live/nothing/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    b"POST /join/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: csrftoken={token}\r\n"
    b"X-CSRFToken: {token}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 11\r\n\r\ncode=QQQQQQ",
    b"POST /t/{key}/m/1/r/1/A/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    b"Transfer-Encoding: chunked\r\nCookie: csrftoken={token}\r\nX-CSRFToken: {token}\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\n7\r\nvalue=1\r\n0\r\n\r\n",
)
PIECES = (
    b"\x00", b"\xff", b"\r", b"\n", b"\r\n", b"\r\n\r\n", b" ", b"\t", b":", b"%", b"%00", b"%ff", b"?", b"#", b"//", b"../",
    b"\r\nContent-Length: 5", b"\r\nContent-Length: 0", b"\r\nContent-Length: -1", b"\r\nContent-Length: 99999999999999999999",
    b"\r\nTransfer-Encoding: chunked", b"\r\nTransfer-Encoding: xchunked", b"\r\nTransfer-Encoding : chunked",
    b"\r\nHost: evil.example", b"\r\n continued", b"\r\nUpgrade: websocket\r\nConnection: Upgrade",
    b"\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13", b"\r\nExpect: 100-continue", b"\r\nX-Forwarded-For: \xff, ,",
    b"\r\nX: " + b"y" * 70_000, b"HTTP/9.9", b"HTTP/0.9", b"PRI * HTTP/2.0", b"\x16\x03\x01", b"fffffffffffffffff\r\n",
    b"-1\r\n", b"0\r\n\r\n", b"GET http://evil.example/ HTTP/1.1", b"CONNECT evil.example:443 HTTP/1.1", b"{" * 500,
)  # fmt: skip


@pytest.fixture
def host(prepared, tmp_path):
    """The host of a table at a server of its own, whose log is read afterwards."""
    log = tmp_path / "server.log"
    data_dir = copy_store(prepared, tmp_path / "data")
    port = free_port()
    process = start_server(data_dir, port, log)
    yield Phone(Server(f"http://127.0.0.1:{port}", data_dir, log)).start_table()
    assert stop_server(process) == 0, log.read_text()


def garbled(chance: random.Random, request: bytes) -> bytes:
    """A request with a few things put in, taken out or sent twice."""
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        start = chance.randrange(len(request))
        end = min(len(request), start + chance.randrange(12))
        how = chance.randrange(4)
        if how == 0:
            request = request[:start] + chance.choice(PIECES) + request[start:]
        elif how == 1:
            request = request[:start] + request[end:] or b"\n"
        elif how == 2:
            request = request[:end] + request[start:]
        else:
            request = request[:start] + chance.randbytes(end - start) + request[end:]
    return chance.randbytes(200) if chance.random() < 0.03 else request


def send_all(server: Server, requests: list[bytes], seconds: float) -> list[bytes]:
    """Send requests, each on a connection of its own; what came back until nothing is missing.

    Some are broken off, and the server waits for their end: after a while they are hung up.
    """
    parts = urlsplit(server.url)
    answers = {}
    until = time.monotonic() + seconds
    with ExitStack() as open_ones, selectors.DefaultSelector() as waiting:
        for number, request in enumerate(requests):
            connection = socket.create_connection((parts.hostname, parts.port), timeout=20)
            open_ones.enter_context(connection)
            with suppress(ConnectionError):
                connection.sendall(request)
            waiting.register(connection, selectors.EVENT_READ, number)
            answers[number] = b""
        while waiting.get_map() and time.monotonic() < until:
            for key, _events in waiting.select(0.1):
                if not (piece := _received(key.fileobj)):
                    waiting.unregister(key.fileobj)
                answers[key.data] += piece
    return list(answers.values())


def _received(connection: Any) -> bytes:
    try:
        return bytes(connection.recv(ENOUGH))
    except ConnectionError:
        return b""


def status_of(answer: bytes) -> bytes:
    return answer.partition(b"\r\n")[0].partition(b" ")[2][:3]


def test_garbled_requests_break_nothing(host):
    chance = random.Random(7)  # noqa: S311 - the same requests every time
    sound = [
        request.replace(b"{key}", host.key.encode()).replace(b"{token}", TOKEN.encode())
        for request in SOUND
    ]
    before = host.ask("GET", f"/t/{host.key}/m/1/sheet.json")[1]

    whole = send_all(host.server, sound, PATIENCE)
    for _ in range(BATCHES):
        requests = [garbled(chance, chance.choice(sound)) for _ in range(AT_ONCE)]
        for answer in send_all(host.server, requests, SECONDS_OF_SILENCE):
            assert not status_of(answer).startswith(b"5"), answer

    assert list(map(status_of, whole)) == [b"200", b"200", b"204", b"404", b"422", b"403"]
    assert host.ask("GET", f"/t/{host.key}/m/1/sheet.json")[1] == before
    assert host.write(1, "A", 3) == 303
    log = host.server.log.read_text()
    assert "Traceback" not in log, log
    assert host.key not in log


SMUGGLED = b"GET /t/{key}/delete/ HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize(
    "lengths",
    [
        b"Content-Length: 6\r\nTransfer-Encoding: chunked",
        b"Transfer-Encoding: chunked\r\nContent-Length: 6",
        b"Content-Length: 6\r\nContent-Length: 7",
        b"Transfer-Encoding: identity, chunked\r\nContent-Length: 6",
        b"Transfer-Encoding: \x0bchunked\r\nContent-Length: 6",
        b"Content-Length: +6",
        b"Content-Length: 0x6",
    ],
)
def test_two_lengths_of_one_request_are_refused(server, lengths):
    head = b"POST /join/ HTTP/1.1\r\nHost: localhost\r\n" + lengths + b"\r\n\r\n"

    (answer,) = send_all(server, [head + b"0\r\n\r\nX" + SMUGGLED], PATIENCE)

    assert answer.count(b"HTTP/1.1 ") == 1
    assert status_of(answer) == b"400"


def test_a_query_of_any_bytes_is_read(server):
    head = b"GET /join/?code=\xff\xfe HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    (answer,) = send_all(server, [head], PATIENCE)

    assert status_of(answer) in {b"200", b"400"}
