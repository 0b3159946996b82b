"""Answers that several pages give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.encoding import iri_to_uri

if TYPE_CHECKING:
    from django.http import HttpRequest


def is_htmx(request: HttpRequest) -> bool:
    """Whether htmx asks, and wants a part of a page."""
    return bool(request.htmx)  # type: ignore[attr-defined]  # the middleware's attribute


def is_opened(request: HttpRequest) -> bool:
    """Whether a browser opens this address to show it; on plain http only what it takes says so."""
    mode = request.headers.get("Sec-Fetch-Mode", "")
    return mode == "navigate" if mode else "text/html" in request.headers.get("Accept", "")


def see_other(request: HttpRequest, address: str) -> HttpResponse:
    """Go on to another page: 303, or the header that htmx follows."""
    if is_htmx(request):
        return HttpResponse(headers={"HX-Redirect": iri_to_uri(address)})
    return HttpResponseRedirect(address, status=303)
