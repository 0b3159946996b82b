"""Django's pages on the event loop: one way to a thread and one back."""

import asyncio
import threading

import pytest

from scoresheet.pages import Pages

GONE = {"type": "http.disconnect"}
SCOPE = {
    "type": "http", "scheme": "https", "method": "POST", "path": "/t/ä/", "query_string": b"a=1",
    "http_version": "1.1", "server": ("localhost", 8000), "client": ("10.0.0.7", 5000),
    "headers": [(b"host", b"localhost"), (b"content-length", b"8"), (b"hx-request", b"true")],
}  # fmt: skip


class Chunks:
    """What an application answers with, chunk by chunk."""

    def __init__(self, *chunks, breaks=False):
        self.chunks = chunks
        self.breaks = breaks
        self.closed = 0

    def __iter__(self):
        yield from self.chunks
        if self.breaks:
            raise OSError("The file is gone.")

    def close(self):
        self.closed += 1


def ask(application, *, receives=None, scope=SCOPE):
    """Send one request; what was answered."""
    sent = []

    async def receive():
        return receives or {"type": "http.request", "body": b"value=12", "more_body": False}

    async def send(message):
        sent.append(message)

    asyncio.run(Pages(application, threads=1)(scope, receive, send))
    return sent


def test_a_request_and_its_answer_go_whole():
    seen: list[object] = []
    chunks = Chunks(b"o", b"", b"k\n")

    def application(environ, start_response):
        names = ("REQUEST_METHOD", "PATH_INFO", "QUERY_STRING", "REMOTE_ADDR", "HTTP_HX_REQUEST")
        seen.extend(environ[name] for name in (*names, "wsgi.url_scheme"))
        seen.append(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        start_response("409 Conflict", [("Content-Type", "text/plain"), ("Set-Cookie", "a=ö")])
        return chunks

    sent = ask(application)

    path = "/t/ä/".encode().decode("latin1")
    assert seen == ["POST", path, "a=1", "10.0.0.7", "true", "https", b"value=12"]
    headers = [(b"content-type", b"text/plain"), (b"set-cookie", "a=ö".encode("latin1"))]
    assert sent == [
        {"type": "http.response.start", "status": 409, "headers": headers},
        {"type": "http.response.body", "body": b"ok\n"},
    ]
    assert chunks.closed == 1


def test_pages_are_made_in_threads():
    names = []

    def application(environ, start_response):
        names.append(threading.current_thread().name)
        start_response("200 OK", [])
        return Chunks()

    ask(application)

    assert names[0].startswith("pages")


def test_an_answer_that_breaks_off_is_not_begun():
    chunks = Chunks(b"half", breaks=True)

    def application(environ, start_response):
        start_response("200 OK", [])
        return chunks

    with pytest.raises(OSError, match=r"The file is gone\."):
        ask(application)

    assert chunks.closed == 1


@pytest.mark.parametrize(
    ("scope", "receives", "answered"),
    [(SCOPE, GONE, []), ({"type": "websocket"}, None, [{"type": "websocket.close"}])],
    ids=["nobody is there", "not a page"],
)
def test_what_asks_for_no_page_reaches_no_thread(scope, receives, answered):
    assert ask(None, scope=scope, receives=receives) == answered
