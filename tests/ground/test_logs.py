"""The log never holds what it takes to read a sheet."""

import logging

import pytest

from scoresheet.logs import WithoutKeys


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/t/abcDEF123/m/1/", "/t/.../m/1/"),
        ("/live/abcDEF123/?since=4", "/live/.../?since=4"),
        ("/j/K7M3QX", "/j/..."),
        ("/games/schafkopf/", "/games/schafkopf/"),
        ("/static/js/live.js", "/static/js/live.js"),
    ],
)
def test_a_path_is_logged_without_its_key(path, logged):
    record = logging.LogRecord("django.request", 40, "", 1, "Server Error: %s", (path,), None)

    assert WithoutKeys().filter(record) is True
    assert record.getMessage() == f"Server Error: {logged}"
