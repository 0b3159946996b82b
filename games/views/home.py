"""The first page, and what machines ask."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Exists, Max, OuterRef, Q, Sum
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import condition, require_safe

from games import access, rules, words
from games.models import Match, Side, Table
from games.sheet import MARKS
from games.upkeep import readiness
from scoresheet.staticfiles import BUNDLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpRequest

    from games.rules import Game

TABLES_SHOWN = 20
STATIC = Path(settings.BASE_DIR) / "static"
THEME = "js/theme.js"  # a part of the sheet's scripts, and alone on all other pages
WORKER = STATIC / "sw.js"
SHELL = ("*.css", "*.js", "*.svg", "*.woff2")  # what a page needs to be there without signal


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
    """That this process is alive: asks nothing and nobody."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Whether this process can do its work: 200, or 503 with the reasons.

    Redis gone for a while is no reason, or all machines would be sent away at once.
    """
    missing = readiness.what_is_missing()
    told = [*(missing or ["ready"]), *readiness.what_is_slower()]
    text = "".join(f"{line}\n" for line in told)
    return HttpResponse(text, status=503 if missing else 200, content_type="text/plain")


@require_safe
@never_cache
@ensure_csrf_cookie
def csrf(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """A fresh CSRF cookie for a page that was open for long."""
    return HttpResponse(status=204)


def _worker() -> str:
    """The worker's text; the same for as long as a process runs, but where sources are changed."""
    return _draw_worker() if settings.DEBUG else _kept_worker()


def _draw_worker() -> str:
    """What it is made of, after the addresses of the files it keeps for a phone without signal."""
    names = {path.relative_to(STATIC).as_posix() for kind in SHELL for path in STATIC.rglob(kind)}
    names |= set(BUNDLES)
    names -= {WORKER.name, *(part for parts in BUNDLES.values() for part in parts)} - {THEME}
    names.add(words.HTMX)  # comes to a sheet with the first tap that asks with it
    shell = [static(name) for name in sorted(names)]
    shell += [
        reverse("games:words", args=[of, words.words_of(of).mark])
        for of, _name in settings.LANGUAGES
    ]
    return f"const SHELL = {json.dumps(shell)};\n{WORKER.read_text()}"


_kept_worker = lru_cache(_draw_worker)


def _worker_etag(request: HttpRequest) -> str:  # noqa: ARG001
    return f'"{hashlib.sha256(_worker().encode()).hexdigest()[:16]}"'


@require_safe
@condition(etag_func=_worker_etag)
def worker(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """The service worker: at the root, so that it may answer for every page."""
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(_worker(), content_type="text/javascript; charset=utf-8", headers=headers)


@require_safe
def words_script(request: HttpRequest, language: str, mark: str) -> HttpResponse:  # noqa: ARG001
    """What only scripts need of a sheet, in one language; kept by browsers for good."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    told = words.words_of(language)
    is_same = mark == told.mark  # else a page of another release asks, and takes what there is
    headers = {"Cache-Control": "public, max-age=31536000, immutable" if is_same else "no-cache"}
    return HttpResponse(told.script, content_type="text/javascript; charset=utf-8", headers=headers)


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
        if table.pk in matches  # it is still there
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
