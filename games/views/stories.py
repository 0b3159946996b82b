"""What there is to look at beside the numbers: the story of a match, its picture, the slate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games import access
from games.drawn import draw
from games.picture import picture_of
from games.recap import story_of
from games.slate import tallies
from games.views.answers import is_htmx
from games.views.people import address_for_phones
from games.views.results import result_path
from games.views.sheets import knows_gone_matches, sheet_at

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from games.drawn import Drawn
    from games.sheet import Row, Sheet

BLOBS_AT_MOST = 40


@require_safe
@never_cache
@ensure_csrf_cookie
@knows_gone_matches
def story(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
    """The story of a match at any time; with HX-Request what the sheet shows of it at the bank."""
    drawn = _drawn(request, key, match_number)
    context = drawn.head | {"story": story_of(drawn.sheet)}
    if is_htmx(request):
        return render(request, "games/_story.html", context)
    address = address_for_phones(request)
    path = reverse("games:story", args=[key, match_number])
    result = drawn.sheet.result()["totals"]
    context |= {
        "result": list(zip(drawn.head["columns"], result, strict=True)),
        "counted": drawn.sheet.decided_in or drawn.sheet.highest,
        "link": address + path,
        "result_link": ""
        if drawn.sheet.match.is_open
        else address + result_path(drawn.sheet.match),
        "deals": _deals(drawn.sheet),
        "decided": drawn.sheet.decided_in,
        "picture_name": _picture_name(drawn.sheet),
    }
    return render(request, "games/story.html", context)


@require_safe
@never_cache
@knows_gone_matches
def picture(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
    """The result, the chart and the facts as one picture that needs nothing else."""
    drawn = _drawn(request, key, match_number)
    answer = render(
        request,
        "games/story.svg",
        drawn.head | picture_of(drawn.sheet),
        content_type="image/svg+xml; charset=utf-8",
    )
    answer["Content-Disposition"] = f'inline; filename="{_picture_name(drawn.sheet)}.svg"'
    return answer


@require_safe
@never_cache
@ensure_csrf_cookie
@knows_gone_matches
def strokes(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
    """The totals as chalk strokes on a slate, where two sides play."""
    drawn = _drawn(request, key, match_number)
    if not drawn.sheet.game.partnerships:
        raise Http404(_("This game is not chalked in strokes."))
    slate = [
        (column, tally, range(min(column.bummerl, BLOBS_AT_MOST)))
        for column, tally in zip(drawn.head["columns"], tallies(drawn.sheet), strict=True)
    ]
    return render(request, "games/strokes.html", drawn.head | {"slate": slate})


def _drawn(request: HttpRequest, key: str, number: int) -> Drawn:
    visitor = access.visit(request, key)
    return draw(sheet_at(visitor, number))


def _picture_name(sheet: Sheet) -> str:
    return f"scoresheet-{sheet.game.slug}-{sheet.match.number}"


def _deals(sheet: Sheet) -> list[tuple[Row, list[tuple[int | None, int]]]]:
    """Every deal with what it paid and the totals after it, the chart in numbers."""
    sums = [0] * len(sheet.sides)
    deals = []
    for row in sheet.rows:
        sums = [total + (value or 0) for total, value in zip(sums, row.values, strict=True)]
        deals.append((row, list(zip(row.values, sums, strict=True))))
    return deals
