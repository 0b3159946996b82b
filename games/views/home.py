"""The first page, the rules of a game, and what machines ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import DatabaseError, connection
from django.db.models import OuterRef, Subquery, Sum
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET

from games import access, rules
from games.models import Match, Side, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.http import HttpRequest

    from games.rules import Game

TABLES_SHOWN = 20
MARKS = "ABCD"  # circle, triangle, square, diamond


@dataclass(frozen=True)
class TableLine:
    """A table of this phone, as the list shows it."""

    table: Table
    names: tuple[str, ...]
    match: Match
    totals: tuple[tuple[str, int], ...]


@require_GET
@never_cache
@ensure_csrf_cookie
def home(request: HttpRequest) -> HttpResponse:
    """The games, a box for a code, and the tables of this phone."""
    return home_page(request)


def home_page(request: HttpRequest) -> HttpResponse:
    """The first page as this phone sees it: four queries whatever the number of tables."""
    context = {
        "games": [(game, card_number(game)) for game in rules.all_games()],
        "tables": tables_of(access.token_hash(request)),
    }
    return render(request, "games/home.html", context)


@require_GET
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Whether this process can answer: 200 ok, or 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse("no database\n", status=503, content_type="text/plain")
    return HttpResponse("ok\n", content_type="text/plain")


@require_GET
@never_cache
@ensure_csrf_cookie
def csrf(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """A fresh CSRF cookie for a page that was open for long."""
    return HttpResponse(status=204)


@require_GET
def game_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """What a game is, what its sheet holds and when a match ends."""
    game = game_or_404(slug)
    context = {
        "game": game,
        "card": card_number(game),
        "house": game.house,
        "variations": [_variation(game, house) for house in _variations(game)],
    }
    return render(request, f"games/rules_{game.slug}.html", context)


def game_or_404(slug: str) -> Game:
    """The game of an address."""
    try:
        return rules.find_game(slug)
    except rules.UnknownGame:
        raise Http404(_("There is no such game here.")) from None


def card_number(game: Game) -> int:
    """The number on a game's card: its line, or the card points that win a deal."""
    return game.line({}) or CARD_POINTS_TO_WIN


CARD_POINTS_TO_WIN = 61  # of 120, in a game without a line


def tables_of(token_hash: str) -> list[TableLine]:
    """The tables a browser was let in to, each with its newest match."""
    if not token_hash:
        return []
    newest = Match.objects.filter(table=OuterRef("pk")).order_by("-number")
    tables = list(
        Table.objects.known_to(token_hash)
        .annotate(newest_match=Subquery(newest.values("pk")[:1]))
        .prefetch_related("players")[:TABLES_SHOWN]
    )
    matches = Match.objects.in_bulk([table.newest_match for table in tables])
    totals = _totals(matches)
    return [
        TableLine(
            table=table,
            names=_names(table),
            match=matches[table.newest_match],
            totals=totals.get(table.newest_match, ()),
        )
        for table in tables
    ]


def _names(table: Table) -> tuple[str, ...]:
    seated = [player for player in table.players.all() if player.seat is not None]
    return tuple(player.name for player in sorted(seated, key=lambda player: player.seat or 0))


def _totals(match_ids: Iterable[int]) -> dict[int, tuple[tuple[str, int], ...]]:
    found: dict[int, tuple[tuple[str, int], ...]] = {}
    sums = (
        Side.objects.filter(match__in=match_ids)
        .annotate(total=Sum("entries__points"))
        .order_by("column")
        .values_list("match_id", "column", "total")
    )
    for match_id, column, total in sums:
        mark = MARKS[int(column)] if column.isdigit() else column
        found[match_id] = (*found.get(match_id, ()), (mark, total or 0))
    return found


def _variations(game: Game) -> list[Mapping[str, object]]:
    """The ways of a game that have a line of their own, or only the usual one."""
    rule = next((rule for rule in game.house if rule.name == "variation"), None)
    return [{}] if rule is None else [{"variation": value} for value in rule.choices]


def _variation(game: Game, house: Mapping[str, object]) -> dict[str, object]:
    rows = game.completions((None,) * len(game.columns), house=house, totals=None) or ()
    names = game.value_names(house)
    values = sorted({max(row) for row in rows if any(row)})
    label = ""
    for rule in game.house:
        if rule.name in house:
            label = rule.label_of(game.house_rules(house)[rule.name])
    return {
        "label": label,
        "line": game.line(house),
        "values": [(value, names.get(value, "")) for value in values],
        "names": [(value, name) for value, name in sorted(names.items())],
    }
