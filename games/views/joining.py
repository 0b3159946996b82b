"""Coming to a table: by code, by link, and taking a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Count
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games import access, limits, services
from games.forms import SEATS, Wrong
from games.models import Table
from games.views.home import MARKS
from games.views.start import see_other

if TYPE_CHECKING:
    from django.http import HttpRequest

    from games.access import Visitor

WATCH = "watch"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie
def join(request: HttpRequest) -> HttpResponse:
    """Type a table's code."""
    if request.method != "POST":
        return _join_page(request, request.GET.get("code", ""))
    code = request.POST.get("code", "")
    table, wrong, status = _try_code(request, code)
    if table is None:
        return _join_page(request, code, wrong, status=422 if status == 404 else status)
    return see_other(request, reverse("games:table", args=[table.key]))


@require_GET
@never_cache
@ensure_csrf_cookie
def join_by_link(request: HttpRequest, code: str) -> HttpResponse:
    """The link of the QR code: on to the table, and no trace is left."""
    table, wrong, status = _try_code(request, code)
    if table is None:
        return _join_page(request, code, wrong, status=status)
    return HttpResponseRedirect(reverse("games:table", args=[table.key]))


@require_POST
@never_cache
def seat(request: HttpRequest, key: str) -> HttpResponse:
    """Sit down, ask for a seat that is taken, or give the own one up."""
    visitor = access.visit(request, key)
    wanted = request.POST.get("seat", "").strip()
    token = access.token_for(request)
    status = 303
    try:
        if wanted == WATCH:
            services.watch(visitor=visitor, token_hash=access.hash_of(token))
        else:
            services.take_seat(
                visitor=visitor,
                token_hash=access.hash_of(token),
                seat=_seat(wanted),
                code=request.POST.get("code", ""),
                ask=request.POST.get("me") == "1",
            )
        response = see_other(request, reverse("games:table", args=[key]))
    except services.Refusal as refusal:
        response = _seat_page(request, visitor, wanted, refusal)
        status = refusal.status
    if status == 303 or isinstance(refusal_of(response), services.Asked):
        access.remember(response, token)
    return response
