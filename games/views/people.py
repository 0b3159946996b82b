"""The people of a table: seats, names, the code, phones, hosts, and who may come in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import segno
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods

from games import access, services
from games.forms import Wrong
from games.models import SeatRequest
from games.views.answers import is_htmx, see_other
from games.views.joining import waiting_page
from games.views.people_shown import asked, phones_of, seating_of, sides_of, sitting_out
from games.views.people_verbs import carry_out
from scoresheet import lan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.http import HttpRequest, QueryDict
    from django.utils.safestring import SafeString

    from games.access import Visitor

HERE = {"localhost", "127.0.0.1", "::1"}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie
def people(request: HttpRequest, key: str) -> HttpResponse:
    """Who sits where, how others join, and what host and players may change about it."""
    visitor = access.visit(request, key)
    if request.method != "POST":
        return _looked_at(request, visitor)
    visitor.must_play()
    if request.POST.get("do") == "recovery":
        return _recovery_link(request, visitor)
    try:
        address = carry_out(visitor, request.POST)
    except services.Refusal as refusal:
        return _refused(request, visitor, refusal)
    if is_htmx(request) and _is_on_sheet(request.POST):
        return render(request, "games/_requests.html", asked(visitor, on_sheet=True))
    return see_other(request, address)


def _looked_at(request: HttpRequest, visitor: Visitor) -> HttpResponse:
    if "waiting" in request.GET:
        return _waiting(request, visitor)
    if "requests" in request.GET and is_htmx(request):
        return _news(request, visitor)
    return _page(request, visitor)


def _refused(request: HttpRequest, visitor: Visitor, refusal: services.Refusal) -> HttpResponse:
    """A question as a page of its own; any other word on the page it belongs to."""
    if is_htmx(request) and _is_on_sheet(request.POST):
        context = {**asked(visitor, on_sheet=True), "wrong": refusal}
        return render(request, "games/_requests.html", context, status=refusal.status)
    if isinstance(refusal, services.NeedsSure):
        fields = [
            (name, value)
            for name, value in request.POST.items()
            if name not in {"csrfmiddlewaretoken", "sure"}
        ]
        context = {"table": visitor.table, "question": refusal, "fields": fields}
        return render(request, "games/people_question.html", context, status=refusal.status)
    return _page(request, visitor, refusal)


def _page(
    request: HttpRequest,
    visitor: Visitor,
    refusal: services.Refusal | None = None,
    **more: Any,
) -> HttpResponse:
    table = visitor.table
    path = reverse("games:join-link", args=[table.code])
    link = address_for_phones(request) + path
    requests = asked(visitor, on_sheet=False)
    out = sitting_out(visitor)
    boxes = _boxes(visitor, requests["seats"], out)
    newcomer: dict[str, Any] = {"id": "newcomer"}
    wrong = _put_beside([*boxes, newcomer], request.POST, refusal) if refusal else None
    context = {
        **requests,
        **phones_of(visitor),
        "seating": seating_of(visitor, requests["seats"], out, request.POST),
        "newcomer": newcomer,
        "path": path,
        "game": table.game,
        "boxes": boxes,
        "link": link,
        "qr": qr_code(link) if visitor.phone is not None and services.code_works(table) else "",
        "own": next((box for box in boxes if box.get("mine")), None),
        "wrong": wrong,
        "refused": "refused" in request.GET,
        **more,
    }
    return render(request, "games/people.html", context, status=refusal.status if refusal else 200)


def _boxes(
    visitor: Visitor, seats: Iterable[Mapping[str, Any]], out: Iterable[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The seats, who sits out, the sides: what each is called, and who may change it."""
    places = [
        {**seat, "id": f"seat-{seat['seat']}", "may": visitor.is_host or seat["mine"]}
        for seat in seats
    ]
    sides = sides_of(visitor) if visitor.table.game.partnerships else []
    return [*places, *out, *sides]


def _put_beside(
    boxes: list[dict[str, Any]], typed: QueryDict, refusal: services.Refusal
) -> Wrong | None:
    """Keep a refused name in its box, with the reason; anything else is said above."""
    wrong = Wrong(refusal.code, refusal.say)
    place = f"player-{typed['player']}" if "player" in typed else f"seat-{typed.get('seat', '')}"
    ids = {
        "rename": place.strip(),
        "rename-side": f"side-{typed.get('column', '').strip()}",
        "take-in": "newcomer",
    }
    for box in boxes:
        if box["id"] == ids.get(typed.get("do", "")):
            box["wrong"], box["typed"] = wrong, typed.get("name", "")
            return None
    return wrong


def _recovery_link(request: HttpRequest, visitor: Visitor) -> HttpResponse:
    """A fresh recovery link, on this one page only: the store keeps its hash."""
    visitor.must_host()
    secret = services.new_recovery_link(visitor=visitor)
    link = address_for_phones(request) + reverse("games:recover", args=[secret])
    return _page(request, visitor, recovery=link, recovery_qr=qr_code(link))


def _waiting(request: HttpRequest, visitor: Visitor) -> HttpResponse:
    """What a phone that asked for a seat sees: still waiting, seated, or turned down."""
    wish = (
        SeatRequest.objects.filter(phone=visitor.phone).select_related("player").first()
        if visitor.phone
        else None
    )
    if wish is not None and wish.player is not None:
        if is_htmx(request):
            return HttpResponse(status=204)
        return waiting_page(request, visitor.table, wish.player.name)
    if visitor.plays:
        address = reverse("games:table", args=[visitor.table.key])
    else:
        address = reverse("games:people", args=[visitor.table.key]) + "?refused"
    return see_other(request, address)


def _news(request: HttpRequest, visitor: Visitor) -> HttpResponse:
    """Phones that ask for something, or 204 while the page knows them.

    A phone that is something else by now, as the host or put out, loads the page anew.
    """
    if request.GET.get("role", visitor.role) != visitor.role:
        return HttpResponse(headers={"HX-Refresh": "true"})
    context = asked(visitor, on_sheet=_is_on_sheet(request.GET))
    if request.GET["requests"] == context["state"]:
        return HttpResponse(status=204)
    return render(request, "games/_requests.html", {**context, "is_news": True})


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
