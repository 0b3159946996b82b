"""Taking an evening home: as a file, for a spreadsheet, on paper; and deleting the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings
from django.db.models import Count, Q
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe

from games import access, exchange, services
from games.models import Match
from games.views.answers import see_other
from games.views.results import result_path

if TYPE_CHECKING:
    from django.http import HttpRequest

    from games.models import Table


class Line(NamedTuple):
    """A match as the page lists it; ``result`` leads to its result once there is one."""

    match: Match
    deals: int
    totals: str
    result: str


@require_safe
@never_cache
@ensure_csrf_cookie
def take_home(request: HttpRequest, key: str) -> HttpResponse:
    """What a table can be taken home as, and for the host the way to delete it."""
    visitor = access.visit(request, key)
    table = visitor.table
    context = {
        "table": table,
        "game": table.game,
        "visitor": visitor,
        "matches": [_line(match, deals) for match, deals in _matches(table)],
    }
    return render(request, "games/take_home.html", context)


@require_safe
@never_cache
def export_json(request: HttpRequest, key: str) -> HttpResponse:
    """Everything that people wrote, as a file that can be brought back."""
    table = access.visit(request, key).table
    plain = exchange.as_plain(exchange.take(table))
    dumped = {"ensure_ascii": False, "indent": 1}
    response = JsonResponse(plain, json_dumps_params=dumped)
    response["Content-Disposition"] = _file(table, "json")
    return response


@require_safe
@never_cache
def export_csv(request: HttpRequest, key: str) -> HttpResponse:
    """All deals for a spreadsheet program, in the language of the page or of ``lang``."""
    table = access.visit(request, key).table
    language = request.GET.get("lang") or translation.get_language()
    if language not in dict(settings.LANGUAGES):
        raise Http404(_("Nobody here speaks this language."))
    with translation.override(language):
        separator = exchange.separator_of(language)
        text = exchange.as_csv(exchange.take_sheets(table), separator=separator)
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = _file(table, "csv")
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie
def delete(request: HttpRequest, key: str) -> HttpResponse:
    """Ask whether a table shall go for good; a POST deletes it. The host's."""
    visitor = access.visit(request, key)
    visitor.must_host()
    if request.method == "POST":
        services.delete_table(visitor=visitor)
        return see_other(request, reverse("games:home"))
    matches = _matches(visitor.table)
    context = {
        "table": visitor.table,
        "game": visitor.table.game,
        "matches": len(matches),
        "deals": sum(deals for _match, deals in matches),
    }
    return render(request, "games/delete.html", context)


def _matches(table: Table) -> list[tuple[Match, int]]:
    """The matches of a table, each with the number of its deals: one query."""
    written = Q(rounds__entries__points__isnull=False)
    deals = Count("rounds", filter=written, distinct=True)
    matches = table.matches.annotate(deals=deals).order_by("number")
    return [(match, match.deals) for match in matches]


def _line(match: Match, deals: int) -> Line:
    totals = [] if match.is_open else match.result.get("totals", [])
    return Line(
        match,
        deals,
        " : ".join(map(str, totals)),
        "" if match.is_open else result_path(match),
    )


def _file(table: Table, ending: str) -> str:
    """How a browser shall call the file."""
    name = f"scoresheet-{table.game_slug}-{table.created_at:%Y-%m-%d}"
    return f'attachment; filename="{name}.{ending}"'
