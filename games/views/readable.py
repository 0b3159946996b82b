"""Requests that no page of ours sends are refused before a page reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import QueryDict, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.middleware.common import CommonMiddleware

from games.views.errors import bad_request

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

UNREADABLE = (
    *(BadRequest, MultiPartParserError, SuspiciousOperation, UnreadablePostError),
    *(LookupError, ValueError),  # charsets within a form, and what they make of its texts
)


class Readable:
    """Answers 400 to a request whose texts cannot be read.

    Without it the page that says so would read them once more, and break.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Let through what can be read."""
        if _is_readable(request):
            return self._get_response(request)
        request.GET, request.POST = QueryDict(), QueryDict()
        return bad_request(request)


class WithSlash(CommonMiddleware):
    """Leads on to the address with a slash at its end; a POST would lose its fields on the way."""

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        """Whether there is such an address, and nothing to lose."""
        return request.method in {"GET", "HEAD"} and super().should_redirect_with_slash(request)


def _is_readable(request: HttpRequest) -> bool:
    if getattr(request, "is_foreign", False):
        return False
    try:
        return bool((request.GET, request.POST, request.COOKIES))
    except UNREADABLE:
        return False
