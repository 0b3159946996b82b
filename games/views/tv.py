"""The sheet for the television on the wall: to be read from across the room, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import access, services
from games.drawn import draw_newest
from games.views.answers import is_htmx
from games.views.frame import theme_of
from games.views.people import address_for_phones, qr_code

if TYPE_CHECKING:
    from django.http import HttpRequest

    from games.models import Table


@require_safe
@never_cache
def tv(request: HttpRequest, key: str) -> HttpResponse:
    """The match that is played now; with htmx only the part that says how to join."""
    table = access.visit(request, key).table
    invitation = _invitation(request, table)
    if is_htmx(request):
        return render(request, "games/_invitation.html", invitation)
    theme = {"theme": theme_of(request) or "dark"}  # a wall shines into the room
    return render(request, "games/tv.html", draw_newest(table).around | invitation | theme)


def _invitation(request: HttpRequest, table: Table) -> dict[str, Any]:
    """Link, QR code and code to join with, while they work."""
    if not services.code_works(table):
        return {"table": table}
    link = address_for_phones(request) + reverse("games:join-link", args=[table.code])
    return {"table": table, "code": table.code, "qr": qr_code(link)}
