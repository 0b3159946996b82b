"""What search engines may list: the pages that everybody may know of, and nothing of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

LISTED = {"games:home", "games:rules", "games:new", "games:join", "games:import"}


class Unlisted:
    """Asks search engines to leave all others alone: an address is all it takes to read a sheet."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and say so."""
        response = self._get_response(request)
        if request.resolver_match is None or request.resolver_match.view_name not in LISTED:
            response.headers["X-Robots-Tag"] = "noindex"
        return response
