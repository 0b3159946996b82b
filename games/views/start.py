"""A new table: who sits where, who deals first, how it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods

from games import access, services
from games.forms import SetUp
from games.models import Player
from games.views.answers import see_other
from games.views.home import game_or_404

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from games.rules import Game

NAMES_SUGGESTED = 12


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie
def new_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Fill in and start a table; the phone that starts it is its host."""
    game = game_or_404(slug)
    if request.method != "POST":
        return _page(request, game, SetUp(game))
    form = SetUp(game, request.POST.dict())
    if not form.is_valid:
        return _page(request, game, form, status=422)
    token = access.token_for(request)
    table = services.start_table(token_hash=access.hash_of(token), new=form.new_table())
    response = see_other(request, reverse("games:table", args=[table.key]))
    access.remember(request, response, token)
    return response


def _page(request: HttpRequest, game: Game, form: SetUp, status: int = 200) -> HttpResponse:
    context = {"game": game, "form": form, "suggested": names_used(access.token_hash(request))}
    return render(request, "games/new.html", context, status=status)


def names_used(token_hash: str) -> list[str]:
    """Names that played at the latest tables of a browser, to be suggested."""
    if not token_hash:
        return []
    names = (
        Player.objects.filter(table__phones__token_hash=token_hash)
        .order_by("-table__touched_at", F("seat").asc(nulls_last=True))
        .values_list("name", flat=True)[: 4 * NAMES_SUGGESTED]
    )
    return list(dict.fromkeys(names))[:NAMES_SUGGESTED]
