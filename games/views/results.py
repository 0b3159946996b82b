"""The result of a match for people who are not to see the sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.signing import BadSignature, Signer
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import kept
from games.live import verdict_words
from games.models import Match
from games.sheet import MARKS

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

_signer = Signer(sep=".", salt="games.result")
ID_DIGITS = 18  # more than any store counts to


def result_path(match: Match) -> str:
    """The address that shows the result of a match and nothing else; it leads to no sheet."""
    return reverse("games:result", args=[_signer.sign(str(match.pk))])


@require_safe
@never_cache
def result(request: HttpRequest, signed: str) -> HttpResponse:
    """How a match came out, corrections included; nothing once its table is deleted."""
    match = _match_of(signed)
    snapshot = kept.find(match.table, match.number) or kept.read(match)
    sheet = snapshot.sheet
    if sheet.match.is_open:
        raise Http404(_("This match is being played on. Its result comes when it ends."))
    shapes = [MARKS[column] for column in sheet.columns]
    context = {
        "match": sheet.match,
        "game": sheet.game,
        "verdict": verdict_words(sheet),
        "result": list(zip(shapes, sheet.sides, sheet.result()["totals"], strict=True)),
        "deals": sheet.decided_in or sheet.highest,
        "line": sheet.line,
    }
    return render(request, "games/result.html", context)


def _match_of(signed: str) -> Match:
    """The match of a link. Raises ``Http404`` for any text that we have not signed."""
    gone = Http404(_("There is no result here, or none any more."))
    try:
        pk = _signer.unsign(signed)
    except BadSignature:
        raise gone from None
    match = Match.objects.select_related("table").filter(pk=pk[:ID_DIGITS]).first()
    if match is None:
        raise gone
    return match
