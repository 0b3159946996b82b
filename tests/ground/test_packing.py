"""Pages go over the wire packed, and their length tells nothing."""

import gzip

import brotli
import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from scoresheet.packing import AT_LEAST, Packing

TEXT = b"Lena deals. " * 50


def packed(accepted, content=TEXT, **headers):
    request = RequestFactory().get("/", headers={"Accept-Encoding": accepted})
    return Packing(lambda _request: HttpResponse(content, headers=headers))(request)


@pytest.mark.parametrize("accepted", ["br", "gzip, deflate, br", "gzip, deflate, br, zstd"])
def test_a_browser_that_knows_brotli_gets_it(accepted):
    answer = packed(accepted)

    assert brotli.decompress(answer.content) == TEXT
    assert answer.headers["Content-Encoding"] == "br"
    assert answer.headers["Content-Length"] == str(len(answer.content))
    assert answer.headers["Vary"] == "Accept-Encoding"


def test_another_browser_gets_gzip():
    answer = packed("gzip, deflate")

    assert gzip.decompress(answer.content) == TEXT
    assert answer.headers["Content-Encoding"] == "gzip"


@pytest.mark.parametrize(
    ("accepted", "content", "headers"),
    [
        ("", TEXT, {}),
        ("gzip, br", b"x" * (AT_LEAST - 1), {}),
        ("gzip, br", TEXT, {"Content-Encoding": "br"}),
    ],
    ids=["asked for plain", "short", "packed already"],
)
def test_what_need_not_be_packed_goes_as_it_is(accepted, content, headers):
    answer = packed(accepted, content, **headers)

    assert answer.content == content
    assert not answer.has_header("X-Padding")


def test_the_length_of_the_same_page_differs_from_answer_to_answer():
    lengths = {len(packed("br").headers["X-Padding"]) for _ in range(40)}

    assert len(lengths) > 1


def test_an_etag_says_that_the_bytes_are_others():
    assert packed("br", ETag='"1"').headers["ETag"] == 'W/"1"'


def test_a_page_is_packed():
    answer = Client().get("/join/", headers={"Accept-Encoding": "br"})

    assert b"<h1" in brotli.decompress(answer.content)
