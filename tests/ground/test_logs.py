"""The log never holds what it takes to read a sheet."""

import json
import logging
import sys

import pytest

from scoresheet.logs import Json, Lines, WithoutKeys
from scoresheet.tracing import Request, now_answered


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/t/abcDEF123/m/1/", "/t/.../m/1/"),
        ("/live/abcDEF123/?since=4", "/live/.../?since=4"),
        ("/j/K7M3QX", "/j/..."),
        ("/g/abcDEF123/edit/", "/g/.../edit/"),
        ("/host/abcDEF123/", "/host/.../"),
        ("/games/schafkopf/", "/games/schafkopf/"),
        ("/static/js/live.js", "/static/js/live.js"),
    ],
)
def test_a_path_is_logged_without_its_key(path, logged):
    record = logging.LogRecord("django.request", 40, "", 1, "Server Error: %s", (path,), None)

    assert WithoutKeys().filter(record) is True
    assert record.getMessage() == f"Server Error: {logged}"


def complain():
    raise ValueError("no number: 'Lena'\nDETAIL: Key (name)=(Lena)")


def an_error(message="Server Error: %s", path="/t/abcDEF123/"):
    try:
        try:
            complain()
        except ValueError as error:
            raise RuntimeError("at /t/abcDEF123/m/1/ and Key (name)=(Lena)") from error
    except RuntimeError:
        record = logging.LogRecord("django.request", 40, "", 1, message, (path,), sys.exc_info())
    assert WithoutKeys().filter(record) is True
    return record


def test_an_error_is_told_with_its_way_through_the_code_and_without_values():
    text = Lines("{levelname}{numbered}: {message}", style="{").format(an_error())

    assert text.startswith("ERROR: Server Error: /t/.../\nTraceback (most recent call last):")
    assert "raise ValueError(" in text
    assert "ValueError: no number: '...'\n" in text
    assert text.endswith("RuntimeError: at /t/.../m/1/ and Key '...'")
    assert "abcDEF123" not in text


def test_for_programs_a_record_is_one_object_on_one_line():
    token = now_answered.set(Request("K7M3-QX8P"))
    record = an_error()
    now_answered.reset(token)
    record.told = {"route": "games:match", "status": 500}

    line = Json().format(record)

    told = json.loads(line)
    assert "\n" not in line
    assert told.pop("time").endswith("+00:00")
    assert "RuntimeError" in told.pop("traceback")
    assert told == {
        "level": "ERROR",
        "logger": "django.request",
        "message": "Server Error: /t/.../",
        "request": "K7M3-QX8P",
        "route": "games:match",
        "status": 500,
    }
