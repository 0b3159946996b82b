"""Coming to a table: by code, by link, and taking a seat."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.db.models import Count
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import access, limits, services
from games.forms import SEATS, Wrong
from games.models import Table
from games.sheet import MARKS
from games.views.answers import see_other

if TYPE_CHECKING:
    from django.http import HttpRequest

    from games.access import Visitor

WATCH = "watch"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie
def join(request: HttpRequest) -> HttpResponse:
    """Type a table's code."""
    if request.method != "POST":
        return _join_page(request, request.GET.get("code", ""))
    code = request.POST.get("code", "")
    table, wrong, status = _try_code(request, code)
    if table is None:
        return _join_page(request, code, wrong, status)
    return see_other(request, reverse("games:table", args=[table.key]))


@require_safe
@never_cache
@ensure_csrf_cookie
def join_by_link(request: HttpRequest, code: str) -> HttpResponse:
    """The link of the QR code: on to the table, and no trace is left."""
    table, wrong, status = _try_code(request, code)
    if table is None:
        if status == HTTPStatus.UNPROCESSABLE_ENTITY:
            status = HTTPStatus.NOT_FOUND
        return _join_page(request, code, wrong, status)
    return HttpResponseRedirect(reverse("games:table", args=[table.key]))


@require_POST
@never_cache
@ensure_csrf_cookie
def seat(request: HttpRequest, key: str) -> HttpResponse:
    """Sit down, ask for a seat that is taken, or give the own one up."""
    visitor = access.visit(request, key)
    token = access.token_for(request)
    response: HttpResponse
    try:
        _sit(request, visitor, access.hash_of(token))
    except services.Asked as asked:
        response = waiting_page(request, visitor.table, asked.player.name, status=asked.status)
    except services.Refusal as refusal:
        return _seat_page(request, visitor, refusal)
    else:
        response = see_other(request, reverse("games:table", args=[key]))
    access.remember(request, response, token)
    return response


def seats_of(visitor: Visitor) -> list[dict[str, Any]]:
    """The seats 0 to 3: who sits there, whether with a phone, and whether it is this one.

    ``column`` is the column of the sheet, ``mark`` the letter of its shape and colour. One query.
    """
    players = (
        visitor.table.players.filter(seat__isnull=False)
        .annotate(phone_count=Count("phones"))
        .order_by("seat")
    )
    own = visitor.phone.player_id if visitor.phone else None
    places = []
    for player in players:
        seat = player.seat or 0
        column = visitor.table.column_at(seat)
        mine = player.pk == own
        places.append(
            {
                "seat": seat,
                "player": player.pk,
                "name": player.name,
                "column": column,
                "mark": MARKS[column],
                "taken": player.phone_count > 0,
                "phones": player.phone_count,
                "others": player.phone_count - 1,
                "mine": mine,
                "code": player.seat_code if mine else "",
            }
        )
    return places


def waiting_page(request: HttpRequest, table: Table, name: str, status: int = 200) -> HttpResponse:
    """The page of a phone that asked for a seat; it looks by itself whether somebody said yes."""
    context = {"table": table, "name": name, "code": "asked"}
    return render(request, "games/waiting.html", context, status=status)


def _sit(request: HttpRequest, visitor: Visitor, token_hash: str) -> None:
    wanted = request.POST.get("seat", "").strip()
    if wanted == WATCH:
        services.watch(visitor=visitor, token_hash=token_hash)
        return
    services.take_seat(
        visitor=visitor,
        token_hash=token_hash,
        seat=read_seat(wanted),
        code=request.POST.get("code", "").strip(),
        ask=request.POST.get("me") == "1",
    )


def read_seat(text: str) -> int:
    """The seat 0..3 that a form names."""
    for number in SEATS:
        if text.strip() == str(number):
            return number
    raise services.Malformed("seat", _("Choose one of the four seats."))


def _seat_page(request: HttpRequest, visitor: Visitor, refusal: services.Refusal) -> HttpResponse:
    seats = seats_of(visitor)
    wanted = request.POST.get("seat", "").strip()
    context = {
        "table": visitor.table,
        "wanted": next((place for place in seats if str(place["seat"]) == wanted), None),
        "seats": seats,
        "refusal": refusal,
        "wrong_code": isinstance(refusal, services.WrongCode),
        "full": isinstance(refusal, services.Full),
        "typed_code": request.POST.get("code", ""),
    }
    return render(request, "games/seat.html", context, status=refusal.status)


def _try_code(request: HttpRequest, code: str) -> tuple[Table | None, Wrong | None, HTTPStatus]:
    """The table of a code, or what to say and the status. Only wrong codes are counted."""
    wrong = HTTPStatus.UNPROCESSABLE_ENTITY
    if not code.strip():
        return None, Wrong("code-missing", _("Type the six characters of the table’s code.")), wrong
    too_many = Wrong("too-many", _("Too many wrong codes. Wait a few minutes, then try again."))
    try:
        table = limits.look_up(request, "codes", lambda: services.find_by_code(code))
    except limits.TooMany:
        return None, too_many, HTTPStatus.TOO_MANY_REQUESTS
    if table is not None:
        return table, None, HTTPStatus.OK
    return None, Wrong("wrong-code", _("No table has this code now. Ask for it once more.")), wrong


def _join_page(
    request: HttpRequest, code: str, wrong: Wrong | None = None, status: int = HTTPStatus.OK
) -> HttpResponse:
    return render(request, "games/join.html", {"code": code, "wrong": wrong}, status=status)
