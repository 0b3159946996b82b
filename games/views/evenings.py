"""The evening: all matches of a table, who did what, and who pays whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods

from games import access, posted, services
from games.forms import Typed
from games.gathered import evening_of
from games.retold import evening_context
from games.stakes import StakeForm
from games.views.answers import see_other

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from games.access import Visitor
    from games.evening import Evening


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
    found = evening_of(table)
    chosen = _chosen(request, found)
    context = evening_context(found, table, chosen) | {
        "table": table,
        "game": table.game,
        "visitor": visitor,
        "form": form,
        "chosen": chosen,
        "newest": found.matches[-1].played.number,
    }
    return render(request, "games/evening.html", context, status=status)


def _chosen(request: HttpRequest, found: Evening) -> frozenset[int]:
    """The matches that somebody wants to settle; none means all."""
    numbers = {posted.version(text) for text in request.GET.getlist("match")}
    played = {told.played.number for told in found.matches}
    chosen = frozenset(number for number in played if number in numbers)
    return frozenset() if chosen == played else chosen
