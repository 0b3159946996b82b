"""A table that has another address, or changed while it was read: its phones come through."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.http import HttpResponseRedirect
from django.urls import reverse

from games.access import Moved, ReadAnew

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse
    from django.urls import ResolverMatch

SAFE = ("GET", "HEAD")

logger = logging.getLogger(__name__)


class LeadsOn:
    """Answers for every view that finds its table moved, or other than a moment before."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Let the request through; there is something to do only where its view gives up."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The same page once more, or at its new address; a POST goes there with all it holds."""
        asked = request.resolver_match
        try:
            if isinstance(exception, ReadAnew) and asked is not None:
                logger.info("A table changed while it was read")
                answer: HttpResponse = asked.func(request, *asked.args, **asked.kwargs)
                return answer  # and what it raises a second time is our own mistake
        except Moved as moved:
            exception = moved
        if isinstance(exception, Moved) and asked is not None:
            return _led_on(request, asked, exception.visitor.table.key)
        return None


def _led_on(request: HttpRequest, asked: ResolverMatch, key: str) -> HttpResponse:
    address = reverse(asked.view_name, kwargs={**asked.kwargs, "key": key})
    if query := request.META.get("QUERY_STRING", ""):
        address += f"?{query}"
    return HttpResponseRedirect(
        address,
        preserve_request=request.method not in SAFE,
        headers={"Cache-Control": "no-store"},
    )
