"""The sheet of a match: the page, what changed since, and the same as JSON."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games import access, live, posted
from games.access import MatchGone
from games.drawn import Drawn, draw, draw_newest, find_drawn
from games.models import EDITION
from games.sheet import Sheet, load_sheet
from games.views.answers import is_htmx
from games.views.joining import seats_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

    from games.access import Visitor


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
@never_cache
@ensure_csrf_cookie
def table_page(request: HttpRequest, key: str) -> HttpResponse:
    """The newest match of a table, banked or not."""
    visitor = access.visit(request, key)
    return _page(request, visitor, draw_newest(visitor.table))


@require_safe
@never_cache
@ensure_csrf_cookie
@knows_gone_matches
def match_page(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
    """One match of the evening."""
    visitor = access.visit(request, key)
    return _page(request, visitor, _drawn(visitor, match_number))


@require_safe
@never_cache
@knows_gone_matches
def sheet_json(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
    """The sheet for programs (design: stable hooks)."""
    _visitor, match = access.visit_match(request, key, match_number)
    sheet = load_sheet(match, access.sides_of(match))
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
@knows_gone_matches
def changes(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
    """What changed after ``since``; 204 when nothing did, everything without a usable number."""
    visitor = access.visit(request, key)
    since = posted.version(request.GET.get("since", ""))
    if since == visitor.table.version:
        access.find_match(visitor, match_number)
        return HttpResponse(status=204)
    if since is not None and since > visitor.table.version:
        since = None
    return HttpResponse(_drawn(visitor, match_number).parts(since))


def _drawn(visitor: Visitor, number: int) -> Drawn:
    return find_drawn(visitor.table, number) or draw(access.find_match(visitor, number))


def _page(request: HttpRequest, visitor: Visitor, drawn: Drawn) -> HttpResponse:
    context = drawn.page | viewer_context(visitor, drawn.sheet)
    context["late"] = context["late_numbers"] if visitor.is_host else []
    return render(request, "games/sheet.html", context)


def viewer_context(visitor: Visitor, sheet: Sheet) -> dict[str, Any]:
    """What depends on who looks: role, columns, the buttons; outside every fragment."""
    match = sheet.match
    return {
        "visitor": visitor,
        "role": visitor.role,
        "may": " ".join(visitor.columns(sheet.sides)),
        "seats": [] if visitor.phone else seats_of(visitor),
        "all_values": live.usual_values(sheet),
        "value_names": sheet.game.value_names(sheet.house),
        "dealer_choices": sheet.names_by_seat,
        "own": _own(visitor, sheet),
        "tie": sheet.game.partnerships and _may_tie(sheet),
        "settles": bool(sheet.game.questions(sheet.house)),
        "chalk_question": sheet.game.chalk_question(sheet.house),
        "previous": match.number - 1 if match.number > 1 and not sheet.has_begun else None,
        "release": settings.RELEASE,
        "beyond_tap": sheet.highest + 1 if match.how == "tap" and visitor.is_host else None,
    }


def _own(visitor: Visitor, sheet: Sheet) -> str:
    """The column of the person who sits with this phone, "" without a seat."""
    player = visitor.phone.player_id if visitor.phone else None
    return next((s.column for s in sheet.sides if player in s.player_ids), "") if player else ""


def _may_tie(sheet: Sheet) -> bool:
    """Whether the next deal can pay nobody anything."""
    nothing = (0,) * len(sheet.sides)
    number = sheet.highest + 1
    return bool(sheet.game.completions(nothing, house=sheet.house, number=number))
