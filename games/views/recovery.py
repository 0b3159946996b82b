"""The recovery link: whoever holds it can make this browser the host of its table."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods

from games import access, limits, services
from games.views.answers import see_other

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from games.models import Table


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie
def recover(request: HttpRequest, secret: str) -> HttpResponse:
    """Ask whether to be host here; a POST does it. A look leaves nothing behind."""
    table, status = _table(request, secret)
    if table is None:
        return _page(request, None, status)
    if request.method != "POST":
        return _page(request, table)
    token = access.token_for(request)
    try:
        services.recover(table=table, token_hash=access.hash_of(token), secret=secret)
    except services.Refusal:  # a newer link was given out while this page was open
        return _page(request, None, HTTPStatus.NOT_FOUND)
    response = see_other(request, reverse("games:table", args=[table.key]))
    access.remember(request, response, token)
    return response


def _table(request: HttpRequest, secret: str) -> tuple[Table | None, HTTPStatus]:
    """The table of a link, or the status to say why not. Only wrong ones are counted."""
    try:
        table = limits.look_up(request, "recovery", lambda: services.find_by_recovery(secret))
    except limits.TooMany:
        return None, HTTPStatus.TOO_MANY_REQUESTS
    return table, HTTPStatus.OK if table is not None else HTTPStatus.NOT_FOUND


def _page(
    request: HttpRequest, table: Table | None, status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        say = _("Too many wrong links. Wait a few minutes, then try again.")
    else:
        say = services.recovery_ended()
    names = table.players.filter(seat__isnull=False).order_by("seat") if table else ()
    context = {"table": table, "say": say, "names": [player.name for player in names]}
    return render(request, "games/recover.html", context, status=status)
