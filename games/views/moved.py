"""A table that has another address, or changed while it was read: its phones are led on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponseRedirect
from django.urls import reverse

from games.access import Moved, ReadAnew

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

SAFE = ("GET", "HEAD")


class LeadsOn:
    """Answers for every view that finds its table moved, or other than it was a moment before."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Let the request through; there is something to do only where its view gives up."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The same page once more, where it is now; a POST goes there with all it holds (307)."""
        asked = request.resolver_match
        if isinstance(exception, ReadAnew):
            address = request.get_full_path()
        elif isinstance(exception, Moved) and asked is not None:
            kwargs = {**asked.kwargs, "key": exception.visitor.table.key}
            address = reverse(asked.view_name, kwargs=kwargs)
            if query := request.META.get("QUERY_STRING", ""):
                address += f"?{query}"
        else:
            return None
        return HttpResponseRedirect(
            address,
            preserve_request=request.method not in SAFE,
            headers={"Cache-Control": "no-store"},
        )
