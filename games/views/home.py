"""The first page, the rules of a game, and what machines ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import DatabaseError, connection
from django.db.models import Exists, Max, OuterRef, Q, Sum
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games import access, rules
from games.models import Match, Side, Table
from games.rules.catalogue import bauernschnapsen
from games.rules.house import read_house
from games.sheet import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.http import HttpRequest

    from games.rules import Game

TABLES_SHOWN = 20


@dataclass(frozen=True)
class TableLine:
    """A table of this phone, as the list shows it."""

    table: Table
    names: tuple[str, ...]
    match: Match
    deals: int
    totals: tuple[tuple[str, int], ...]


@require_safe
@never_cache
@ensure_csrf_cookie
def home(request: HttpRequest) -> HttpResponse:
    """The games, a box for a code, and the tables of this phone."""
    context = {
        "games": [(game, card_number(game)) for game in rules.all_games()],
        "tables": tables_of(access.token_hash(request)),
    }
    return render(request, "games/home.html", context)


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Whether this process can answer: 200 ok, or 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse("no database\n", status=503, content_type="text/plain")
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
@ensure_csrf_cookie
def csrf(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """A fresh CSRF cookie for a page that was open for long."""
    return HttpResponse(status=204)


@require_safe
@never_cache
@ensure_csrf_cookie
def game_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """What a game is, what its sheet holds and when a match ends."""
    game = game_or_404(slug)
    context = {
        "game": game,
        "card": card_number(game),
        "house": game.house,
        "contracts": _contracts(game),
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
    tables = Table.objects.known_to(token_hash).prefetch_related("players")[:TABLES_SHOWN]
    later = Match.objects.filter(table=OuterRef("table"), number__gt=OuterRef("number"))
    newest = (
        Match.objects.filter(~Exists(later), table__in=[table.pk for table in tables])
        .annotate(deals=Max("rounds__number", filter=Q(rounds__entries__points__isnull=False)))
        .order_by()
    )
    matches = {match.table_id: match for match in newest}
    totals = _totals(match.pk for match in matches.values())
    return [
        TableLine(
            table=table,
            names=_names(table),
            match=matches[table.pk],
            deals=matches[table.pk].deals or 0,
            totals=totals.get(matches[table.pk].pk, ()),
        )
        for table in tables
    ]


def _names(table: Table) -> tuple[str, ...]:
    seated = [player for player in table.players.all() if player.seat is not None]
    return tuple(player.name for player in sorted(seated, key=lambda player: player.seat or 0))


def _totals(match_ids: Iterable[int]) -> dict[int, tuple[tuple[str, int], ...]]:
    found: dict[int, tuple[tuple[str, int], ...]] = {}
    sums = (
        Side.objects.filter(match__in=list(match_ids))
        .annotate(total=Sum("entries__points"))
        .order_by("column")
        .values_list("match_id", "column", "total")
    )
    for match_id, column, total in sums:
        found[match_id] = (*found.get(match_id, ()), (MARKS[column], total or 0))
    return found


def _variations(game: Game) -> list[Mapping[str, object]]:
    """The ways of a game that have a line of their own, or only the usual one."""
    rule = next((rule for rule in game.house if rule.name == "variation"), None)
    return [{}] if rule is None else [{"variation": value} for value in rule.choices]


def _variation(game: Game, house: Mapping[str, object]) -> dict[str, object]:
    """A way to play: its line, and what deals pay far from it, by how many columns get it."""
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
        "line": game.line(house),
        "values": [(value, names.get(value, "")) for value in sorted(set().union(*paid.values()))],
        "paid": {f"to_{count}": sorted(values) for count, values in paid.items()},
    }


def _contracts(game: Game) -> tuple[bauernschnapsen.rows.Contract, ...]:
    """The contracts of a game that has them, as usually played, the cheapest first."""
    if game is not bauernschnapsen.GAME:
        return ()
    contracts = bauernschnapsen.rows.contracts(read_house(game.house, {}))
    return tuple(sorted(contracts, key=lambda contract: contract.stakes))
