"""A table and its regulars: which group it counts in, for those who play at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods

from games import access, posted, services
from games.forms import Wrong
from games.groups import key_in
from games.models import Group
from games.names import clean_name
from games.views.answers import see_other
from games.views.people import address_for_phones

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse, QueryDict

    from games.access import Visitor


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie
def regulars(request: HttpRequest, key: str) -> HttpResponse:
    """The group of a table, with its link, for host and players; the host puts the table in one."""
    visitor = access.visit(request, key)
    visitor.must_play()
    if request.method != "POST":
        return _page(request, visitor)
    visitor.must_host()
    try:
        VERBS[posted.one_of(request.POST, "do", VERBS)](visitor, request.POST)
    except services.Refusal as refusal:
        return _page(request, visitor, refusal)
    return see_other(request, reverse("games:regulars", args=[key]))


def _page(
    request: HttpRequest, visitor: Visitor, refusal: services.Refusal | None = None
) -> HttpResponse:
    table = visitor.table
    group = Group.objects.filter(tables__table=table).first()
    wrong = _beside(request.POST.get("do", ""), refusal) if refusal else {}
    context = {
        "table": table,
        "game": table.game,
        "visitor": visitor,
        "group": group,
        "link": address_for_phones(request) + group.get_absolute_url() if group else "",
        "known": () if group else Group.objects.known_to(access.token_hash(request)),
        "typed": request.POST,
        "wrong": wrong,
        "question": refusal if isinstance(refusal, services.NeedsSure) else None,
    }
    status = refusal.status if refusal else 200
    return render(request, "games/regulars.html", context, status=status)


def _beside(do: str, refusal: services.Refusal) -> dict[str, Wrong]:
    """What to say, by the box it belongs to; "" is above them all, for what nobody has typed."""
    boxes = {"start": ("name-missing", "name-long", "name-characters"), "join": ("no-group",)}
    box = do if refusal.code in boxes.get(do, ()) else ""
    return {box or "above": Wrong(refusal.code, refusal.say)}


def _start(visitor: Visitor, typed: QueryDict) -> None:
    services.start_group(visitor=visitor, name=clean_name(posted.text(typed, "name")))


def _join(visitor: Visitor, typed: QueryDict) -> None:
    link = posted.text(typed, "link")
    if not link.strip():
        raise services.Malformed("no-group", _("Paste the link of the group here."))
    services.join_group(visitor=visitor, key=key_in(link))


def _leave(visitor: Visitor, typed: QueryDict) -> None:
    services.leave_group(visitor=visitor, sure=posted.flag(typed, "sure"))


VERBS: dict[str, Callable[[Visitor, QueryDict], Any]] = {
    "start": _start,
    "join": _join,
    "leave": _leave,
}
