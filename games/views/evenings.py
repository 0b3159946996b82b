"""The evening: all matches of a table, who did what, and who pays whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods

from games import access, posted, services
from games.drawn import draw_evening
from games.forms import Typed
from games.stakes import StakeForm
from games.views.answers import see_other

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from games.access import Visitor

MATCHES_CHOSEN = 1000


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie
def evening(request: HttpRequest, key: str) -> HttpResponse:
    """The evening at a table; the host says what it is played for."""
    visitor = access.visit(request, key)
    if request.method != "POST":
        return _page(request, visitor, _form(visitor, Typed()))
    visitor.must_host()
    form = _form(visitor, Typed(request.POST.dict()))
    if form.wrong:
        return _page(request, visitor, form, status=422)
    services.set_stake(visitor=visitor, stake=form.kind, cents=form.cents, currency=form.currency)
    return see_other(request, f"{reverse('games:evening', args=[key])}#money")


def _form(visitor: Visitor, typed: Typed) -> StakeForm:
    table = visitor.table
    return StakeForm(table.game, typed, house=table.house, now=table)


def _page(
    request: HttpRequest, visitor: Visitor, form: StakeForm, status: int = 200
) -> HttpResponse:
    table = visitor.table
    context = {
        "table": table,
        "game": table.game,
        "visitor": visitor,
        "form": form,
        "drawn": draw_evening(table, _chosen(request)),
    }
    return render(request, "games/evening.html", context, status=status)


def _chosen(request: HttpRequest) -> frozenset[int]:
    """The matches that somebody wants to settle; none means all."""
    numbers = map(posted.version, request.GET.getlist("match")[:MATCHES_CHOSEN])
    return frozenset(number for number in numbers if number is not None)
