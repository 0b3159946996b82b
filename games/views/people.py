"""The people of a table: seats, names, the code, and who may come in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import segno
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods

from games import access, services
from games.forms import Wrong
from games.models import SeatRequest, Side
from games.names import clean_name
from games.views.answers import is_htmx, see_other
from games.views.joining import read_seat, seats_of, waiting_page
from scoresheet import lan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from django.http import HttpRequest, QueryDict
    from django.utils.safestring import SafeString

    from games.access import Visitor

HERE = {"localhost", "127.0.0.1", "::1"}
REQUESTS_ON_SHEET = 2  # more at a time would push the sheet away
REQUEST_DIGITS = 18  # more than any database counts to


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie
def people(request: HttpRequest, key: str) -> HttpResponse:
    """Who sits where, how others join, and what host and players may change about it."""
    visitor = access.visit(request, key)
    if request.method != "POST":
        return _looked_at(request, visitor)
    visitor.must_play()
    verb = VERBS.get(request.POST.get("do", ""))
    try:
        if verb is None:
            raise services.Malformed("do", _("This page does not know what to do."))
        verb(visitor, request.POST)
    except services.Refusal as refusal:
        return _page(request, visitor, refusal)
    if is_htmx(request) and _is_on_sheet(request.POST):
        return render(request, "games/_requests.html", _asked(visitor, on_sheet=True))
    return see_other(request, reverse("games:people", args=[key]))


def _looked_at(request: HttpRequest, visitor: Visitor) -> HttpResponse:
    if "waiting" in request.GET:
        return _waiting(request, visitor)
    if "requests" in request.GET and is_htmx(request):
        return _news(request, visitor)
    return _page(request, visitor)


def _page(
    request: HttpRequest, visitor: Visitor, refusal: services.Refusal | None = None
) -> HttpResponse:
    table = visitor.table
    path = reverse("games:join-link", args=[table.code])
    link = address_for_phones(request) + path
    asked = _asked(visitor, on_sheet=False)
    boxes = _boxes(visitor, asked["seats"])
    wrong = _put_beside(boxes, request.POST, refusal) if refusal else None
    context = {
        **asked,
        "path": path,
        "game": table.game,
        "boxes": boxes,
        "link": link,
        "qr": qr_code(link) if visitor.phone is not None and services.code_works(table) else "",
        "own": next((box for box in boxes if box.get("mine")), None),
        "wrong": wrong,
        "refused": "refused" in request.GET,
    }
    return render(request, "games/people.html", context, status=refusal.status if refusal else 200)


def _boxes(visitor: Visitor, seats: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The seats, then the sides: what each is called and whether this phone may change it."""
    places = [
        {**seat, "id": f"seat-{seat['seat']}", "may": visitor.is_host or seat["mine"]}
        for seat in seats
    ]
    sides = _sides(visitor) if visitor.table.game.partnerships else []
    return [*places, *sides]


def _put_beside(
    boxes: list[dict[str, Any]], typed: QueryDict, refusal: services.Refusal
) -> Wrong | None:
    """Keep a refused name in its box, with the reason; anything else is said above."""
    wrong = Wrong(refusal.code, refusal.say)
    ids = {
        "rename": f"seat-{typed.get('seat', '').strip()}",
        "rename-side": f"side-{typed.get('column', '').strip()}",
    }
    for box in boxes:
        if box["id"] == ids.get(typed.get("do", "")):
            box["wrong"], box["typed"] = wrong, typed.get("name", "")
            return None
    return wrong


def _waiting(request: HttpRequest, visitor: Visitor) -> HttpResponse:
    """What a phone that asked for a seat sees: still waiting, seated, or turned down."""
    wish = (
        SeatRequest.objects.filter(phone=visitor.phone).select_related("player").first()
        if visitor.phone
        else None
    )
    if wish is not None:
        if is_htmx(request):
            return HttpResponse(status=204)
        return waiting_page(request, visitor.table, wish.player.name)
    if visitor.seat is None:
        address = reverse("games:people", args=[visitor.table.key]) + "?refused"
    else:
        address = reverse("games:table", args=[visitor.table.key])
    return see_other(request, address)


def _news(request: HttpRequest, visitor: Visitor) -> HttpResponse:
    """Phones that ask for a seat, or 204 while the page knows them."""
    context = _asked(visitor, on_sheet=_is_on_sheet(request.GET))
    if request.GET["requests"] == context["state"]:
        return HttpResponse(status=204)
    return render(request, "games/_requests.html", {**context, "is_news": True})


def _asked(visitor: Visitor, *, on_sheet: bool) -> dict[str, Any]:
    """The phones that ask for a seat: on the sheet the first few, else with the phones of seats.

    ``state`` says in short what is shown; with it a page asks whether that is still so.
    """
    requests = _requests(visitor) if visitor.plays else []
    seats = [] if on_sheet else seats_of(visitor)
    state = "".join(f"{wish.pk}-" for wish in requests)
    state += ".".join(str(place["phones"]) for place in seats)
    return {
        "table": visitor.table,
        "visitor": visitor,
        "requests": requests[:REQUESTS_ON_SHEET] if on_sheet else requests,
        "seats": seats,
        "state": state,
        "on_sheet": on_sheet,
    }


def _is_on_sheet(fields: QueryDict) -> bool:
    return "sheet" in fields


def address_for_phones(request: HttpRequest) -> str:
    """The site's address as other phones reach it: "localhost" would be each phone itself."""
    host, _colon, port = request.get_host().rpartition(":")
    name = host if port.isdigit() else request.get_host()
    if settings.EMBEDDED and name.strip("[]") in HERE and (found := lan.addresses()):
        name = found[0]
        return (
            f"{request.scheme}://{name}:{port}" if port.isdigit() else f"{request.scheme}://{name}"
        )
    return request.build_absolute_uri("/").rstrip("/")


def qr_code(text: str) -> SafeString:
    """A QR code as inline SVG: always dark on white, as cameras want it."""
    code = segno.make(text, error="m", micro=False)
    svg: str = code.svg_inline(
        border=3, omitsize=True, svgclass="qr", lineclass=None, light="#fff", dark="#000"
    )
    return mark_safe(svg)  # noqa: S308 - made here, of squares


def _sides(visitor: Visitor) -> list[dict[str, Any]]:
    own = visitor.phone.player_id if visitor.phone else None
    newest = access.current_number(visitor.table)
    sides = Side.objects.filter(match__table=visitor.table, match__number=newest)
    return [
        {
            "id": f"side-{side.column}",
            "column": side.column,
            "mark": side.column,
            "name": side.name,
            "may": visitor.is_host or own in {player.pk for player in side.players.all()},
        }
        for side in sides.order_by("column").prefetch_related("players")
    ]


def _requests(visitor: Visitor) -> list[SeatRequest]:
    return list(visitor.table.seat_requests.select_related("player").order_by("at"))


def _free(visitor: Visitor, typed: QueryDict) -> None:
    visitor.must_host()
    services.free_seat(visitor=visitor, seat=read_seat(typed.get("seat", "")))


def _close(visitor: Visitor, typed: QueryDict) -> None:  # noqa: ARG001
    visitor.must_host()
    services.set_open(visitor=visitor, is_open=False)


def _open(visitor: Visitor, typed: QueryDict) -> None:  # noqa: ARG001
    visitor.must_host()
    services.set_open(visitor=visitor, is_open=True)


def _renew(visitor: Visitor, typed: QueryDict) -> None:  # noqa: ARG001
    visitor.must_host()
    services.renew_code(visitor=visitor)


def _rename(visitor: Visitor, typed: QueryDict) -> None:
    seat = read_seat(typed.get("seat", ""))
    if not visitor.is_host and visitor.seat != seat:
        raise PermissionDenied(_("Only the host can change other people’s names."))
    services.rename_player(visitor=visitor, seat=seat, name=clean_name(typed.get("name", "")))


def _rename_side(visitor: Visitor, typed: QueryDict) -> None:
    column = typed.get("column", "").strip()
    sides = {side["column"]: side for side in _sides(visitor)}
    if not visitor.table.game.partnerships or column not in sides:
        raise services.Malformed("column", _("Choose one of the two sides."))
    if not sides[column]["may"]:
        raise PermissionDenied(_("Only the host can change the other side’s name."))
    text = typed.get("name", "")
    name = clean_name(text) if text.strip() else ""
    services.rename_side(visitor=visitor, column=column, name=name)


def _yes(visitor: Visitor, typed: QueryDict) -> None:
    _answer(visitor, typed, yes=True)


def _no(visitor: Visitor, typed: QueryDict) -> None:
    _answer(visitor, typed, yes=False)


def _answer(visitor: Visitor, typed: QueryDict, *, yes: bool) -> None:
    number = typed.get("request", "").strip()
    if not (number.isascii() and number.isdigit() and len(number) <= REQUEST_DIGITS):
        raise services.Malformed("request", _("This page does not know what to do."))
    services.answer_request(visitor=visitor, request_id=int(number), yes=yes)


VERBS: dict[str, Callable[[Visitor, QueryDict], None]] = {
    "free": _free,
    "close": _close,
    "open": _open,
    "renew": _renew,
    "rename": _rename,
    "rename-side": _rename_side,
    "yes": _yes,
    "no": _no,
}
