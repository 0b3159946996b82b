"""The pages, for a WSGI server; ``asgi.py``, by which the project is served, has them in it."""

import os
from typing import Any

import django
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.utils.http import parse_header_parameters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scoresheet.settings")

UTF_8 = {"utf-8", "utf8"}


class Request(WSGIRequest):
    """A request whose texts are UTF-8, or that says that they are not.

    Django reads texts in whatever charset a request names, while it makes the request: an odd one
    breaks it before anything of ours could answer.
    """

    def __init__(self, environ: dict[str, Any]) -> None:
        kind, charset = _kind_of(environ.get("CONTENT_TYPE", ""))
        self.is_foreign = charset not in UTF_8
        if self.is_foreign:
            environ = {**environ, "CONTENT_TYPE": kind}
        super().__init__(environ)


def _kind_of(header: str) -> tuple[str, str]:
    """The media type and the charset that a header names; "" where there is no reading it."""
    try:
        kind, parameters = parse_header_parameters(header)
    except ValueError:
        return "", ""
    return kind, parameters.get("charset", "utf-8").strip().lower()


class Application(WSGIHandler):
    """Django with requests of our own."""

    request_class = Request


django.setup(set_prefix=False)
application = Application()
