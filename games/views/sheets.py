"""The sheet of a match: the page, what changed since, and the same as JSON."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from games import access, kept, posted
from games.access import MatchGone
from games.drawn import Drawn, draw, draw_newest
from games.models import EDITION, SeatRequest
from games.page import Viewer, fill
from games.sheet import Sheet
from games.views.answers import is_htmx, is_opened
from games.views.frame import theme_of
from games.views.joining import seats_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

    from games.access import Visitor
    from games.kept import Snapshot


def knows_gone_matches(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer for a match that was taken back: the current one; a player's POST is refused."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except MatchGone as gone:
            if request.method == "POST":
                gone.visitor.must_play()
            context = {"table": gone.visitor.table, "number": gone.number, "current": gone.current}
            status = 409 if request.method == "POST" else 200
            template = "games/gone.html#answer" if is_htmx(request) else "games/gone.html"
            return render(request, template, context, status=status)

    return wrapped


@require_safe
@cache_control(no_store=True)
@ensure_csrf_cookie
def table_page(request: HttpRequest, key: str) -> HttpResponse:
    """The newest match of a table, banked or not."""
    visitor = access.visit(request, key)
    return _page(request, visitor, draw_newest(visitor.table))


@require_safe
@cache_control(no_store=True)
@ensure_csrf_cookie
@knows_gone_matches
def match_page(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
    """One match of the evening."""
    visitor = access.visit(request, key)
    return _page(request, visitor, draw(sheet_at(visitor, match_number)))


@require_safe
@never_cache
def sheet_json(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
    """The sheet for programs (design: stable hooks); of a match that is gone, which is now."""
    try:
        _visitor, match = access.visit_match(request, key, match_number)
    except MatchGone as gone:
        told = {"edition": EDITION, "match": gone.number, "status": "gone", "current": gone.current}
        return JsonResponse(told, status=404)
    sheet = kept.load_sheet(match, access.sides_of(match))
    return JsonResponse(
        {
            "edition": EDITION,
            "game": sheet.game.slug,
            "house": sheet.house,
            "match": match.number,
            "version": match.table.version,
            "status": sheet.status,
            "how": match.how or None,
            "columns": [
                {"id": side.column, "name": side.name, "players": list(side.players)}
                for side in sheet.sides
            ],
            "rounds": [
                {"number": row.number, "entries": list(row.values), "version": row.version}
                for row in sheet.rows
            ],
            "totals": list(sheet.totals),
            "leaders": list(sheet.leaders),
            "line": sheet.line,
            "winner": sheet.winners[0] if len(sheet.winners) == 1 else None,
            "winners": list(sheet.winners),
            "chalk": sheet.chalk,
            "dealer": sheet.dealer,
        }
    )


@require_safe
@never_cache
@vary_on_headers("Sec-Fetch-Mode", "Accept")
@knows_gone_matches
def changes(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
    """What changed after ``since``; 204 when nothing did, everything without a usable number.

    It is no page: whoever opens it in a browser is led to the sheet.
    """
    visitor = access.visit(request, key)
    if is_opened(request):
        return redirect("games:match", key, match_number)
    since = posted.version(request.GET.get("since", ""))
    if since == visitor.table.version:
        if kept.find(visitor.table, match_number) is None:
            access.find_match(visitor, match_number)
        return HttpResponse(status=204)
    if since is not None and since > visitor.table.version:
        since = None
    return HttpResponse(draw(sheet_at(visitor, match_number)).parts(since))


def sheet_at(visitor: Visitor, number: int) -> Snapshot:
    """A match as it stood when the door was opened; MatchGone or Http404 as ``find_match``."""
    return kept.find(visitor.table, number) or kept.read(access.find_match(visitor, number))


def _page(request: HttpRequest, visitor: Visitor, drawn: Drawn) -> HttpResponse:
    viewer = Viewer(
        role=visitor.role,
        may=" ".join(visitor.columns(drawn.sheet.sides)),
        own=_own(visitor, drawn.sheet),
        sits=visitor.seat is not None,
        theme=theme_of(request),
    )
    return HttpResponse(fill(drawn.page(viewer), request, door=_door(request, visitor, drawn)))


def _door(request: HttpRequest, visitor: Visitor, drawn: Drawn) -> str:
    """What stands above the sheet about seats, for this phone alone."""
    context = {
        "visitor": visitor,
        "role": visitor.role,
        "table": visitor.table,
        "seats": [] if visitor.phone else seats_of(visitor),
        "wishes": drawn.head["wishes"],
        "asked": drawn.head["wishes"] and _has_asked(visitor),
    }
    return render_to_string("games/_at_the_door.html", context, request)


def _has_asked(visitor: Visitor) -> bool:
    """Whether this phone waits for somebody's yes to a seat."""
    wishes = SeatRequest.objects.filter(phone=visitor.phone, player__isnull=False)
    return visitor.phone is not None and wishes.exists()


def _own(visitor: Visitor, sheet: Sheet) -> str:
    """The column of the person who sits with this phone, "" without a seat."""
    player = visitor.phone.player_id if visitor.phone else None
    return next((s.column for s in sheet.sides if player in s.player_ids), "") if player else ""
