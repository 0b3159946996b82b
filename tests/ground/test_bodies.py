"""A request reaches the pages whole, or not at all."""

import asyncio

import pytest
from django.conf import settings
from django.urls import reverse

from games.exchange import MOST_BYTES
from scoresheet import bodies
from scoresheet.bodies import WholeBody


def post(*chunks, headers=((b"content-length", b"8"),), path="/", **limits):
    """Send these chunks; what the pages were given, what was answered."""
    given, sent = [], []
    waiting = list(chunks)

    async def pages(scope, receive, send):
        given.append((dict(scope["headers"]).get(b"content-length"), (await receive())["body"]))

    async def receive():
        if not waiting:
            await asyncio.sleep(10)
        return waiting.pop(0)

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": path, "headers": list(headers)}
    app = WholeBody(pages, **{"max_bytes": 100, "seconds": 5} | limits)
    asyncio.run(app(scope, receive, send))
    return given, [message["status"] for message in sent if "status" in message]


def chunk(body, *, more=False):
    return {"type": "http.request", "body": body, "more_body": more}


GONE = {"type": "http.disconnect"}


def test_a_body_in_pieces_arrives_as_one():
    assert post(chunk(b"value=", more=True), chunk(b"12")) == ([(b"8", b"value=12")], [])


def test_a_body_broken_off_never_arrives():
    assert post(chunk(b"value=1", more=True), GONE) == ([], [])


def test_a_body_in_chunks_gets_its_length():
    chunked = [(b"transfer-encoding", b"chunked")]

    assert post(chunk(b"value=12"), headers=chunked) == ([(b"8", b"value=12")], [])


@pytest.mark.parametrize(("length", "answered"), [(100, []), (101, [413])])
def test_a_body_has_a_largest_size(length, answered):
    given, statuses = post(chunk(b"x" * length))

    assert (len(given), statuses) == (1 - len(answered), answered)


def test_a_body_that_is_too_large_is_taken_to_its_end_before_it_is_refused():
    """Who is cut off while sending sees no answer."""
    halves = [chunk(b"x" * 200, more=True), chunk(b"x" * 200, more=True)]

    assert post(*halves, seconds=0.02) == ([], [408])  # it waits for the end
    assert post(*halves, chunk(b"")) == ([], [413])


def test_a_body_without_end_is_not_taken_for_ever():
    piece = chunk(b"x" * (bodies.THROWN_AWAY // 2), more=True)

    assert post(piece, piece, piece, seconds=5) == ([], [413])


@pytest.mark.parametrize(("path", "answered"), [("/import/", []), ("/import", [413])])
def test_one_address_takes_more_than_the_others(path, answered):
    given, statuses = post(chunk(b"x" * 101), path=path, more_at={"/import/": 101})

    assert (len(given), statuses) == (1 - len(answered), answered)


def test_a_body_that_never_comes_is_given_up():
    assert post(chunk(b"value", more=True), seconds=0.02) == ([], [408])


def test_a_request_without_a_body_does_not_wait():
    assert post(chunk(b""), headers=[], seconds=0.0) == ([(None, b"")], [])


def test_the_address_that_takes_more_is_where_tables_are_brought_back():
    assert list(settings.LARGER_BODIES_AT_MOST) == [reverse("games:import")]
    largest = settings.LARGER_BODIES_AT_MOST[reverse("games:import")]
    assert settings.BODY_AT_MOST < MOST_BYTES < largest <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE
