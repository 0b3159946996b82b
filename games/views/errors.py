"""Pages for what went wrong: kind words, the right status, a way on."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.db import InterfaceError, OperationalError
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import requires_csrf_token

from games.access import TableDeleted

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

SECONDS_TO_TRY_AGAIN = 5
ICONS = {
    "bad-request": "message-circle-question-mark",
    "forbidden": "lock",
    "not-found": "spade",
    "deleted": "spade",
    "csrf": "refresh-cw",
    "server-error": "triangle-alert",
    "busy": "hourglass",
}

logger = logging.getLogger(__name__)


@never_cache
@requires_csrf_token
def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    """400: a request no page of ours sends."""
    say = _("This request makes no sense here.")
    return _page(request, HTTPStatus.BAD_REQUEST, "bad-request", _("That did not work"), say)


@never_cache
@requires_csrf_token
def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403: somebody else may do that."""
    say = _said(exception) or _("That is not for this phone to do.")
    return _page(request, HTTPStatus.FORBIDDEN, "forbidden", _("Not from this phone"), say)


@never_cache
@requires_csrf_token
def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404: nothing lies at this address."""
    say = _said(exception) or _("There is nothing at this address.")
    if isinstance(exception, TableDeleted):
        return _page(request, HTTPStatus.NOT_FOUND, "deleted", _("This table was deleted"), say)
    return _page(request, HTTPStatus.NOT_FOUND, "not-found", _("Nothing here"), say)


@never_cache
@requires_csrf_token
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """403: the page was open for so long that its form has grown stale."""
    say = _(
        "This page was open for long, or this browser keeps no cookies. "
        "Go back, load the page anew and send it once more."
    )
    return _page(request, HTTPStatus.FORBIDDEN, "csrf", _("Please send it once more"), say)


@never_cache
def server_error(request: HttpRequest) -> HttpResponse:
    """500: our own fault. Asks the database nothing, and still answers if the page breaks too."""
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    title = _("That was our mistake")
    say = _("Something went wrong on this side. What was entered before is kept.")
    try:
        return _page(request, status, "server-error", title, say)
    except Exception:
        return HttpResponse(f"{title}\n{say}\n", status=status, content_type="text/plain")


@never_cache
@requires_csrf_token
def busy(request: HttpRequest) -> HttpResponse:
    """503: the store cannot be had right now. Phones send their numbers again by themselves."""
    say = _("Too much is going on at once. Please try again in a moment; nothing was changed.")
    status = HTTPStatus.SERVICE_UNAVAILABLE
    response = _page(request, status, "busy", _("One moment, please"), say)
    response["Retry-After"] = str(SECONDS_TO_TRY_AGAIN)
    return response


class WhenBusy:
    """Answers for every view whose store did not: too many wait for a lock, or it is away."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Let the request through; there is something to do only where its view gives up."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Kind words; the log gets one line."""
        if not isinstance(exception, OperationalError | InterfaceError):
            return None
        logger.error("The store cannot be had: %s", str(exception).partition("\n")[0])
        return busy(request)


def _page(
    request: HttpRequest, status: HTTPStatus, code: str, title: str, say: str
) -> HttpResponse:
    htmx = request.headers.get("HX-Request") == "true"
    template = "errors/_fragment.html" if htmx else "errors/page.html"
    icon = f"icons/{ICONS[code]}.html"
    context = {"code": code, "icon": icon, "heading": title, "say": say, "status": int(status)}
    return render(request, template, context, status=status)


def _said(exception: Exception | None) -> str:
    """What the door says for people to read; anything longer or other is not for them."""
    said = exception.args[0] if exception is not None and exception.args else ""
    return said if isinstance(said, str) else ""
