"""Pages for what went wrong: kind words, the right status, a way on."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import requires_csrf_token

from games.access import TableDeleted

if TYPE_CHECKING:
    from django.http import HttpRequest

OUR_SIDE = HTTPStatus.INTERNAL_SERVER_ERROR  # from here on it is not the phone's doing
ICONS = {
    "bad-request": "message-circle-question-mark",
    "forbidden": "lock",
    "not-found": "spade",
    "deleted": "spade",
    "csrf": "refresh-cw",
    "server-error": "triangle-alert",
    "busy": "hourglass",
    "no-room": "triangle-alert",
    "read-only": "triangle-alert",
    "no-store": "triangle-alert",
}


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


def store_unwell(request: HttpRequest, code: str, seconds: int) -> HttpResponse:
    """503: the store cannot be used for a moment. Asks the database nothing."""
    title, say = {
        "busy": (
            _("Just a moment"),
            _("Many people are writing at once. Nothing is lost: please send it once more."),
        ),
        "no-store": (
            _("The score sheets cannot be reached just now"),
            _("What was entered before is kept. Please try again in a minute."),
        ),
    }.get(
        code,
        (
            _("Nothing can be written just now"),
            _(
                "This server’s disk takes nothing more. What was entered before is kept. "
                "Please tell the person who runs it."
            ),
        ),
    )
    response = _page(request, HTTPStatus.SERVICE_UNAVAILABLE, code, title, say)
    response["Retry-After"] = str(seconds)
    response["Cache-Control"] = "no-store"
    return response


def _page(
    request: HttpRequest, status: HTTPStatus, code: str, title: str, say: str
) -> HttpResponse:
    htmx = request.headers.get("HX-Request") == "true"
    template = "errors/_fragment.html" if htmx else "errors/page.html"
    icon = f"icons/{ICONS[code]}.html"
    context = {
        "code": code,
        "icon": icon,
        "heading": title,
        "say": say,
        "status": int(status),
        "once_more": _once_more(request) if status == HTTPStatus.SERVICE_UNAVAILABLE else [],
        "number": request.headers.get("X-Request-ID", "") if status >= OUR_SIDE else "",
    }
    return render(request, template, context, status=status)


def _once_more(request: HttpRequest) -> list[tuple[str, str]]:
    """What a form has sent, so that it can be sent again as it is; nothing with files."""
    if request.FILES:
        return []
    return [
        (name, str(value))
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken"
    ]


def _said(exception: Exception | None) -> str:
    """What the door says for people to read; anything longer or other is not for them."""
    said = exception.args[0] if exception is not None and exception.args else ""
    return said if isinstance(said, str) else ""
