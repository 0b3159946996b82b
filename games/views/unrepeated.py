"""What a browser has already is not sent with every page."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

ONE_IN = 20  # pages, which renews a cookie of a year often enough
OK = 200


class Unrepeated:
    """Leaves the CSRF cookie out of most pages for a browser that has it: a 25th of a sheet."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, with the cookie where it is new, asked for, or to be renewed."""
        response = self._get_response(request)
        name = settings.CSRF_COOKIE_NAME
        cookie = response.cookies.get(name)
        is_known = cookie is not None and cookie.value == request.COOKIES.get(name)
        if is_known and response.status_code == OK and secrets.randbelow(ONE_IN):
            del response.cookies[name]
        return response
