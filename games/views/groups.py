"""A group by its secret link: who wins how often, against whom and with whom; and who is who."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe

from games import posted, services
from games.forms import Wrong
from games.groups import gather, visit_group
from games.names import clean_name
from games.views.answers import see_other
from games.views.groups_shown import choose, shown_of
from games.views.people import address_for_phones

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, QueryDict

    from games.groups import Guest

BOXES = ("rename", "merge")  # what is typed or chosen; what was wrong stands there


@require_safe
@never_cache
@ensure_csrf_cookie
def group(request: HttpRequest, key: str) -> HttpResponse:
    """The ranking, head to head, partners and evenings of a season, for whoever has the link."""
    guest = visit_group(request, key)
    gathered = gather(guest.group)
    chosen = choose(gathered, request.GET.get("season", ""), request.GET.get("game", ""))
    context = {
        "group": guest.group,
        "guest": guest,
        "link": address_for_phones(request) + guest.group.get_absolute_url(),
        "chosen": chosen,
        **shown_of(gathered, chosen.matches, guest),
    }
    return render(request, "games/group.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie
def edit_group(request: HttpRequest, key: str) -> HttpResponse:
    """The name of a group, who is who in it, and its end; for hosts of its tables."""
    guest = visit_group(request, key)
    guest.must_host()
    if request.method != "POST":
        return _edit_page(request, guest)
    do = request.POST.get("do", "")
    try:
        VERBS[posted.one_of(request.POST, "do", VERBS)](guest, request.POST)
    except services.Refusal as refusal:
        return _edit_page(request, guest, do, refusal)
    address = "games:home" if do == "delete" else "games:group-edit"
    return see_other(request, reverse(address, args=[] if do == "delete" else [key]))


def _edit_page(
    request: HttpRequest, guest: Guest, do: str = "", refusal: services.Refusal | None = None
) -> HttpResponse:
    names = sorted(gather(guest.group).names.values(), key=str.casefold)
    question = refusal if isinstance(refusal, services.NeedsSure) else None
    wrong = Wrong(refusal.code, refusal.say) if refusal and not question else None
    context = {
        "group": guest.group,
        "names": names,
        "aliases": guest.group.aliases.order_by("member", "name"),
        "question": question,
        "wrong": {do if do in BOXES else "above": wrong},
        "typed": request.POST,
    }
    status = refusal.status if refusal else 200
    return render(request, "games/group_edit.html", context, status=status)


def _rename(guest: Guest, typed: QueryDict) -> None:
    services.rename_group(guest=guest, name=clean_name(posted.text(typed, "name")))


def _merge(guest: Guest, typed: QueryDict) -> None:
    services.merge_names(
        guest=guest, name=posted.text(typed, "one"), member=posted.text(typed, "member")
    )


def _split(guest: Guest, typed: QueryDict) -> None:
    services.split_name(guest=guest, name=posted.text(typed, "one"))


def _delete(guest: Guest, typed: QueryDict) -> None:
    services.delete_group(guest=guest, sure=posted.flag(typed, "sure"))


VERBS: dict[str, Callable[[Guest, QueryDict], None]] = {
    "rename": _rename,
    "merge": _merge,
    "split": _split,
    "delete": _delete,
}
