"""Working a hand out: the form, its answer while one taps, and writing it."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST

from games import access, hands, kept, live, posted, services
from games.models import HIGHEST_ROUND
from games.rules import HandRefused
from games.services import Refusal, WrittenMeanwhile
from games.views.answers import is_htmx
from games.views.cells import written
from games.views.sheets import knows_gone_matches, sheet_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, QueryDict

    from games.access import Visitor
    from games.hands import Worked
    from games.sheet import Sheet

DO = ("", "work", "write")


@require_POST
@never_cache
@ensure_csrf_cookie
@knows_gone_matches
def settle(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
    """Work a hand out. ``do``: nothing opens the form, ``work`` answers, ``write`` writes it."""
    visitor = access.visit(request, key)
    sheet = sheet_at(visitor, match_number).sheet
    number = _round_of(sheet, request.POST)
    do = request.POST.get("do", "")
    if do not in DO:
        raise Http404(_("There is nothing here."))
    if do == "write":
        visitor.must_play()
        return _write(request, visitor, sheet, number)
    hand = hands.read_hand(sheet, number, request.POST)
    context = _context(request.POST, visitor, sheet, number, hand)
    worked: Worked = context["worked"]
    if do == "work" and is_htmx(request):
        return render(request, "games/settle.html#worked", context, status=worked.status)
    context["fields"] = hands.fields_of(sheet, number, hand, request.POST)
    template = "games/settle.html#form" if is_htmx(request) else "games/settle.html"
    return render(request, template, context, status=worked.status if do else 200)


def _round_of(sheet: Sheet, post: QueryDict) -> int:
    """The round a hand is worked out for: the one asked for, else the next one."""
    text = post.get("round", "")
    number = int(text) if posted.WHOLE.match(text) else 0
    if not text:
        number = sheet.next_round or max(sheet.highest, 1)
    if not sheet.game.questions(sheet.house) or not 1 <= number <= HIGHEST_ROUND:
        raise Http404(_("There is no such deal on this sheet."))
    if number > sheet.highest + 1:
        raise Http404(_("This deal is not open yet."))
    return number


def _write(request: HttpRequest, visitor: Visitor, sheet: Sheet, number: int) -> HttpResponse:
    hand = hands.read_hand(sheet, number, request.POST)
    refusal: Refusal | None = None
    try:
        _must_be_told(sheet, number, hand)
        after = services.write_hand(
            visitor=visitor,
            match=sheet.match,
            round_number=number,
            hand=hand,
            columns=visitor.columns(sheet.sides),
            **posted.attempt(request.POST),
            shown=_shown(request.POST),
        )
        return written(request, after, number)
    except HandRefused:
        status = 422
    except Refusal as refused:
        refusal, status = refused, refused.status
    sheet = kept.load_sheet(sheet.match, sheet.sides)
    context = _context(request.POST, visitor, sheet, number, hand, refusal=refusal)
    if is_htmx(request):
        return render(request, "games/settle.html#worked", context, status=status)
    context["fields"] = hands.fields_of(sheet, number, hand, request.POST)
    return render(request, "games/settle.html", context, status=status)


def _must_be_told(sheet: Sheet, number: int, hand: Mapping[str, Any]) -> None:
    """Raise ``HandRefused`` for a hand with a question that is open."""
    if missing := hands.work_out(sheet, number, hand).missing:
        raise HandRefused(missing)


def _shown(post: QueryDict) -> tuple[int, ...] | None:
    """The numbers that the page showed when its button was tapped."""
    if "shown" not in post:
        return None
    texts = str(post["shown"]).split()
    if not all(posted.WHOLE.match(text) for text in texts):
        raise posted.malformed("shown")
    return tuple(map(int, texts))


def _context(  # noqa: PLR0913 - who asks, about what, and what came of it
    post: QueryDict,
    visitor: Visitor,
    sheet: Sheet,
    number: int,
    hand: Mapping[str, Any],
    *,
    refusal: Refusal | None = None,
) -> dict[str, Any]:
    """What the form and its answer show.

    ``base`` is what the page saw when it was opened, or after a conflict what it shows now.
    """
    columns = visitor.columns(sheet.sides)
    worked = hands.work_out(sheet, number, hand)
    row = sheet.row(number)
    base = str(row.version if len(columns) != 1 else row.cell(columns[0]).version)
    if isinstance(refusal, WrittenMeanwhile):
        base = str(refusal.version)
    elif posted.WHOLE.match(str(post.get("base", ""))):
        base = str(post["base"])
    return {
        "table": sheet.match.table,
        "match": sheet.match,
        "match_url": live.match_url(sheet),
        "game": sheet.game,
        "sides": sheet.sides,
        "number": number,
        "worked": worked,
        "answers": hands.sent_again(sheet, number, hand),
        "refusal": refusal,
        "sure": "1" if worked.doubts else "",
        "op": str(uuid.uuid4()),
        "base": base,
        "own": [share for share in worked.shares if share.column in columns],
        "may_write": bool(columns) and (sheet.match.is_open or visitor.is_host),
        "whole_row": len(columns) > 1,
    }
