"""One cell, one row, one late number: the address of every number on the sheet."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games import access, drawn, hands, kept, live, posted, services
from games.history import move_words, own_last
from games.models import HIGHEST_ROUND, Change, LateEntry
from games.moves import moves_of
from games.services import DealMoved, Refusal
from games.sheet import MARKS, Sheet, settled
from games.views.answers import is_htmx, see_other
from games.views.sheets import knows_gone_matches, sheet_at

if TYPE_CHECKING:
    from django.http import HttpRequest

    from games.access import Visitor
    from games.sheet import Row


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@knows_gone_matches
def cell(
    request: HttpRequest, key: str, match_number: int, number: int, column: str
) -> HttpResponse:
    """Who wrote a number and when; for a phone that may write it, the form. POST writes it."""
    visitor = access.visit(request, key)
    sheet = sheet_at(visitor, match_number).sheet
    if column not in sheet.columns or not 1 <= number <= HIGHEST_ROUND:
        raise Http404(_("There is no such cell on this sheet."))
    if request.method != "POST":
        get_token(request)  # so that the cookie goes along
        if number > sheet.highest + 1:
            raise Http404(_("This deal is not open yet."))
        context = cell_context(visitor, sheet, number, column)
        template = "games/cell.html#form" if is_htmx(request) else "games/cell.html"
        return render(request, template, context)
    if column not in visitor.columns(sheet.sides):
        raise PermissionDenied(_("Only the players of this side and the host write here."))
    try:
        after = services.write_entry(
            visitor=visitor,
            match=sheet.match,
            round_number=number,
            column=column,
            text=posted.text(request.POST, "value"),
            **posted.attempt(request.POST),
        )
    except Refusal as refusal:
        sheet = kept.load_sheet(sheet.match, sheet.sides)
        context = cell_context(visitor, sheet, number, column, refusal=refusal)
        context |= _typed(request, refusal)
        return _refused(request, context, refusal)
    return written(request, after, number)


@require_POST
@never_cache
@knows_gone_matches
def whole_row(request: HttpRequest, key: str, match_number: int, number: int) -> HttpResponse:
    """Write a whole row at once; columns left out stay. The host's."""
    visitor = access.visit(request, key)
    sheet = sheet_at(visitor, match_number).sheet
    if not 1 <= number <= HIGHEST_ROUND:
        raise Http404(_("There is no such deal on this sheet."))
    visitor.must_host()
    columns = sheet.columns
    texts = {c: request.POST[f"value_{c}"] for c in columns if f"value_{c}" in request.POST}
    try:
        if not texts:
            raise posted.malformed("value")
        after = services.write_round(
            visitor=visitor,
            match=sheet.match,
            round_number=number,
            texts=texts,
            **posted.attempt(request.POST),
        )
    except Refusal as refusal:
        sheet = kept.load_sheet(sheet.match, sheet.sides)
        context = cell_context(visitor, sheet, number, columns[0], refusal=refusal)
        context |= {**_typed(request, refusal), "typed_row": texts, "as_row": True}
        return _refused(request, context, refusal)
    return written(request, after, number)


@require_POST
@never_cache
def late(request: HttpRequest, key: str, late_id: int) -> HttpResponse:
    """Take or drop a number that came after the end. The host's."""
    visitor = access.visit(request, key)
    visitor.must_host()
    found = (
        LateEntry.objects.filter(table=visitor.table, pk=late_id).select_related("match").first()
    )
    if found is None:
        raise Http404(_("There is no such number waiting."))
    try:
        take = posted.one_of(request.POST, "do", {"take", "drop"}) == "take"
        services.decide_late(visitor=visitor, late_id=late_id, take=take)
    except Refusal as refusal:
        match = found.match
        match.table = visitor.table
        sheet = kept.load_sheet(match, access.sides_of(match))
        context = cell_context(visitor, sheet, found.round_number, found.column, refusal=refusal)
        context |= {"typed": str(found.value), "op": found.op}
        return _refused(request, context, refusal)
    return see_other(request, found.match.get_absolute_url())


def cell_context(
    visitor: Visitor, sheet: Sheet, number: int, column: str, *, refusal: Refusal | None = None
) -> dict[str, Any]:
    """A cell's page: value, history, and for a phone that may write it what the form needs."""
    row = sheet.row(number)
    one = row.cell(column)
    index = sheet.columns.index(column)
    match = sheet.match
    changes = Change.objects.filter(
        table=match.table,
        match_number=match.number,
        round_number=number,
        column=column,
        version__gt=match.blank_version,  # not of a match of this number that was taken back
    ).order_by("-version", "-pk")
    history = list(changes)
    may = column in visitor.columns(sheet.sides)
    return {
        "table": match.table,
        "match": match,
        "match_url": live.match_url(sheet),
        "visitor": visitor,
        "role": visitor.role,
        "number": number,
        "row": row,
        "cell": one,
        "side": sheet.sides[index],
        "shape": MARKS[column],
        "sides": [
            {"side": side, "cell": cell, "shape": MARKS[side.column]}
            for side, cell in zip(sheet.sides, row.cells, strict=True)
        ],
        "history": [(change, _told(sheet, change), _moved(sheet, change)) for change in history],
        "undo": own_last(visitor, one, history) if may and match.is_open else None,
        "note": hands.note_words(sheet.settlement(row)),
        "may_write": may and (match.is_open or visitor.is_host),
        "may_row": visitor.is_host,
        "settles": bool(sheet.game.questions(sheet.house)),
        "chips": live.lawful_values(sheet, row)[index] or live.usual_values(sheet),
        "value_names": sheet.game.value_names(sheet.house),
        "begun": sheet.highest > number,
        "highest": sheet.highest,
        "op": str(uuid.uuid4()),
        "base": one.version,
        "row_base": row.version,
        "typed": "" if one.value is None else str(one.value),
        "refusal": refusal,
        "names": {side.column: side.name for side in sheet.sides},
        "game": sheet.game,
        "against": [] if refusal is None else _against(sheet, row, refusal),
        "there": _there(sheet, column, refusal) if isinstance(refusal, DealMoved) else None,
    }


def _told(sheet: Sheet, change: Change) -> str:
    """The hand that a number was worked out from, in a few words."""
    if change.hand is None:
        return ""
    blank = (None,) * len(sheet.sides)
    return hands.note_words(settled(sheet.game, sheet.house, change.hand, blank))


def _moved(sheet: Sheet, change: Change) -> str:
    """Why another number stands in a cell since its deal moved."""
    if change.why != Change.Why.MOVED:
        return ""
    move = next((m for m in moves_of(sheet.match.moves) if m.version == change.version), None)
    return move_words(move, change.who) if move else ""


def _there(sheet: Sheet, column: str, refusal: DealMoved) -> dict[str, Any]:
    """What a number was meant for whose deal has moved: where that is now, and on which base."""
    told = move_words(refusal.move, refusal.conflicts[0].who)
    if refusal.now is None:
        return {"told": told, "number": None}
    row = sheet.row(refusal.now)
    return {
        "told": told,
        "number": row.number,
        "base": row.cell(column).version,
        "row_base": row.version,
    }


def _against(sheet: Sheet, row: Row, refusal: Refusal) -> list[tuple[str, int | None]]:
    """Whose numbers stand against the one that was refused: name and number."""
    columns = refusal.against if isinstance(refusal, services.Unlawful) else ()
    names = {side.column: side.name for side in sheet.sides}
    return [(names[column], row.cell(column).value) for column in columns]


def _typed(request: HttpRequest, refusal: Refusal) -> dict[str, Any]:
    """What was typed stays, and so does the op, unless it was the op that was refused."""
    kept: dict[str, Any] = {"typed": request.POST.get("value", "")}
    if isinstance(refusal, services.NeedsSure):
        kept |= {"op": request.POST.get("op", ""), "base": request.POST.get("base", "")}
        kept |= {"row_base": request.POST.get("base", "")}
    return kept


def _refused(request: HttpRequest, context: dict[str, Any], refusal: Refusal) -> HttpResponse:
    template = "games/cell.html#answer" if is_htmx(request) else "games/cell.html"
    return render(request, template, context, status=refusal.status)


def written(request: HttpRequest, after: Sheet, number: int) -> HttpResponse:
    """The answer to a write: the parts that changed, or the way back to the sheet."""
    if is_htmx(request):
        return HttpResponse(drawn.draw_written(after).answer(number))
    return HttpResponseRedirect(f"{live.match_url(after)}#r{number}", status=303)
