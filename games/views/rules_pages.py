"""The rules of a game, a page for each; its numbers come from the code that judges the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games.views.home import game_or_404

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

    from games.rules import Game


@require_safe
@never_cache
@ensure_csrf_cookie
def game_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """How a game is played, what a deal pays, and how it goes on the sheet."""
    game = game_or_404(slug)
    context = {
        "game": game,
        "headings": headings(),
        "facts": game.facts({}),
        "ways": [_way(game, house) for house in _houses(game)],
        "house": game.house,
    }
    return render(request, f"games/rules_{game.slug}.html", context)


def headings() -> dict[str, str]:
    """The sections of a page in their order: what an address ends with, and the heading."""
    return {
        "players": _("Players and cards"),
        "deal": _("The deal"),
        "bidding": _("The bidding"),
        "play": _("The play"),
        "scoring": _("What a deal pays"),
        "sheet": _("On the sheet"),
        "worked": _("A worked hand"),
        "ending": _("The end of a match"),
        "variations": _("What tables play differently"),
        "tips": _("Tips"),
        "questions": _("Questions"),
    }


def _houses(game: Game) -> list[Mapping[str, object]]:
    """The house rules of each way to play a game, or only the usual ones."""
    rule = next((rule for rule in game.house if rule.name == "variation"), None)
    return [{}] if rule is None else [{"variation": value} for value in rule.choices]


def _way(game: Game, house: Mapping[str, object]) -> dict[str, object]:
    """A way to play: its line and facts, and what deals pay far from it, by how many get it."""
    columns = len(game.columns)
    rows = game.completions((None,) * columns, house=house, number=2, totals=(0,) * columns) or ()
    paid: dict[int, set[int]] = {}
    for row in rows:
        if any(row):
            paid.setdefault(sum(map(bool, row)), set()).add(max(row))
    names = game.value_names(house)
    settled = game.house_rules(house)
    return {
        "label": next((rule.label_of(settled[rule.name]) for rule in game.house[:1] if house), ""),
        "house": house,
        "line": game.line(house),
        "facts": game.facts(house),
        "values": [(value, names.get(value, "")) for value in sorted(set().union(*paid.values()))],
        "paid": {f"to_{count}": sorted(values) for count, values in paid.items()},
    }
