"""Mending a sheet: its history, taking a write back, and deals in the wrong place."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import access, drawn, kept, live, posted, services
from games.history import read_history
from games.models import HIGHEST_ROUND
from games.services import NeedsSure, Refusal
from games.sheet import MARKS
from games.views.answers import is_htmx
from games.views.sheets import knows_gone_matches, sheet_at

if TYPE_CHECKING:
    from django.http import HttpRequest

    from games.access import Visitor
    from games.sheet import Sheet

MOVES = ("remove", "insert", "up", "down", "back")


@require_safe
@never_cache
@ensure_csrf_cookie
@knows_gone_matches
def history(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
    """Every write, newest first; ``deal`` shows those of one, ``before`` goes on further back."""
    visitor = access.visit(request, key)
    sheet = sheet_at(visitor, match_number).sheet
    deal = posted.version(request.GET.get("deal", ""))
    if deal is not None and not 1 <= deal <= HIGHEST_ROUND:
        raise Http404(_("There is no such deal on this sheet."))
    before = posted.version(request.GET.get("before", ""))
    writes, more = read_history(sheet, visitor, number=deal, before=before)
    context = {
        **_around(visitor, sheet),
        "deal": deal,
        "writes": writes,
        "more": more,
        "is_first": before is None,
        "deals": range(1, sheet.highest + 1),
        "comes_back": sheet.match.last_removed if visitor.is_host else None,
    }
    return render(request, "games/history.html", context)


@require_POST
@never_cache
@knows_gone_matches
def undo(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
    """Take back what one write has changed: the host any, a player what this phone wrote."""
    visitor = access.visit(request, key)
    visitor.must_play()
    sheet = sheet_at(visitor, match_number).sheet
    back_to = "history" if request.POST.get("to") == "history" else ""
    try:
        after = services.take_back(
            visitor=visitor,
            match=sheet.match,
            version=posted.whole(request.POST, "version"),
            **posted.attempt(request.POST),
        )
    except Refusal as refusal:
        fields = {"version": request.POST.get("version", ""), "to": back_to}
        return _asked(request, visitor, sheet, refusal, fields)
    return _done(request, after, "history/" if back_to else "")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie
@knows_gone_matches
def deal(request: HttpRequest, key: str, match_number: int, number: int) -> HttpResponse:
    """What the host can do about a deal in the wrong place; POST does it, after a question."""
    visitor = access.visit(request, key)
    sheet = sheet_at(visitor, match_number).sheet
    if not 1 <= number <= HIGHEST_ROUND:
        raise Http404(_("There is no such deal on this sheet."))
    visitor.must_host()
    if request.method != "POST":
        if number > sheet.highest:
            raise Http404(_("This deal is not open yet."))
        return render(request, "games/deal.html", _of_deal(visitor, sheet, number))
    try:
        do: Any = posted.one_of(request.POST, "do", MOVES)
        after = services.move_deals(
            visitor=visitor,
            match=sheet.match,
            number=number,
            do=do,
            **posted.attempt(request.POST),
        )
    except Refusal as refusal:
        return _asked(request, visitor, sheet, refusal, {"do": request.POST.get("do", "")}, number)
    return _done(request, after, f"#r{min(number, after.highest)}" if after.highest else "")


def _around(visitor: Visitor, sheet: Sheet) -> dict[str, Any]:
    """What every page here shows of its match."""
    return {
        "table": sheet.match.table,
        "match": sheet.match,
        "match_url": live.match_url(sheet),
        "visitor": visitor,
        "role": visitor.role,
        "game": sheet.game,
        "version": sheet.match.table.version,
    }


def _of_deal(visitor: Visitor, sheet: Sheet, number: int) -> dict[str, Any]:
    """A deal with its numbers, and which ways it can go."""
    row = sheet.row(number)
    return {
        **_around(visitor, sheet),
        "number": number,
        "sides": [
            {"side": side, "cell": cell, "shape": MARKS[side.column]}
            for side, cell in zip(sheet.sides, row.cells, strict=True)
        ],
        "may_go_up": 1 < number <= sheet.highest,
        "may_go_down": number < sheet.highest,
        "has_room": sheet.highest < HIGHEST_ROUND,
        "comes_back": sheet.match.last_removed == number,
    }


def _asked(  # noqa: PLR0913 - what is answered, and to what
    request: HttpRequest,
    visitor: Visitor,
    sheet: Sheet,
    refusal: Refusal,
    fields: dict[str, str],
    number: int | None = None,
) -> HttpResponse:
    """A question or a refusal, beside what stands now; a yes sends the same once more."""
    match = access.find_match(visitor, sheet.match.number)
    sheet = kept.load_sheet(match, access.sides_of(match))
    context = {
        **_around(visitor, sheet),
        "number": number,
        "refusal": refusal,
        "is_question": isinstance(refusal, NeedsSure),
        "fields": {
            **fields,
            "op": request.POST.get("op", str(uuid.uuid4())),
            "base": request.POST.get("base", ""),
        },
        "row": sheet.row(number) if number is not None and number <= sheet.highest else None,
        "sides": sheet.sides,
    }
    template = "games/asked.html#answer" if is_htmx(request) else "games/asked.html"
    return render(request, template, context, status=refusal.status)


def _done(request: HttpRequest, after: Sheet, to: str) -> HttpResponse:
    """The rows that changed, or the way back."""
    if is_htmx(request):
        return HttpResponse(drawn.draw_written(after).parts(after.match.table.version - 1))
    return HttpResponseRedirect(f"{live.match_url(after)}{to}", status=303)
