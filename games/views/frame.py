"""What stands around every page: light or dark, the way back after a switch, the app it can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_cookie

from games import rules
from games.views.answers import see_other

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

THEME_COOKIE = "theme"
PAPER = {
    "light": "#FBF7EE",
    "dark": "#14181B",
}  # --paper of both themes, for the browser's own bars
# Pages that answer a POST and can also be asked for.
ASKED_AGAIN = {
    "new", "join", "import", "people", "recover", "house", "evening", "regulars", "group-edit",
    "cell", "end",
}  # fmt: skip
SWITCHES = {"theme", "set_language"}
# The icons by their size in pixels; "maskable" ones may be cut to any shape.
ICONS = (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("maskable-512", 512, "maskable"))


def frame(request: HttpRequest) -> dict[str, str]:
    """What the frame of a page asks for, in every template that is drawn for a request."""
    return {"theme": theme_of(request), "way_back": way_back(request)}


def theme_of(request: HttpRequest) -> str:
    """The theme this browser chose, "" for whatever its system says."""
    chosen = request.COOKIES.get(THEME_COOKIE, "")
    return chosen if chosen in PAPER else ""


def way_back(request: HttpRequest) -> str:
    """Where a switch leads: to this page, or to one above it if nobody can ask for this one."""
    match = request.resolver_match
    name = match.url_name if match else None
    if name in SWITCHES:  # the switch itself was refused
        return _safe(request, request.POST.get("next", ""))
    if name == "join-link":  # asked for again, a wrong code would count once more
        return reverse("games:join")
    if request.method != "POST" or name in ASKED_AGAIN:
        return request.get_full_path()
    given = match.kwargs if match else {}
    if "match_number" in given:
        return reverse("games:match", args=[given["key"], given["match_number"]])
    if "key" in given:
        return reverse("games:table", args=[given["key"]])
    return reverse("games:home")


def _safe(request: HttpRequest, address: str) -> str:
    """An address of this site, or the first page."""
    is_ours = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if is_ours else reverse("games:home")


@require_POST
@never_cache
def switch_theme(request: HttpRequest) -> HttpResponse:
    """Remember light or dark for this browser, or follow its system again; back to the page."""
    response = see_other(request, _safe(request, request.POST.get("next", "")))
    theme = request.POST.get("theme", "")
    if theme in PAPER:
        response.set_cookie(
            THEME_COOKIE,
            theme,
            max_age=settings.DAYS_400,
            secure=settings.HTTPS,
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(THEME_COOKIE, samesite="Lax")
    return response


@require_safe
@vary_on_cookie
def manifest(request: HttpRequest) -> JsonResponse:
    """What a phone needs to keep the product on its home screen, in the reader's language."""
    paper = PAPER[theme_of(request) or "light"]
    told = {
        "id": "/",
        "name": "Scoresheet",
        "short_name": "Scoresheet",
        "description": _("The score sheet for your card table, live on every phone."),
        "lang": get_language(),
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": paper,
        "theme_color": paper,
        "categories": ["games"],
        "icons": [
            {"src": static("icons/scoresheet.svg"), "type": "image/svg+xml", "sizes": "any"},
            *[
                {
                    "src": static(f"icons/{name}.png"),
                    "type": "image/png",
                    "sizes": f"{size}x{size}",
                    "purpose": purpose,
                }
                for name, size, purpose in ICONS
            ],
        ],
        "shortcuts": [
            {"name": _(game.name), "url": reverse("games:new", args=[game.slug])}
            for game in rules.all_games()
        ],
    }
    headers = {"Cache-Control": "no-cache"}
    return JsonResponse(told, content_type="application/manifest+json", headers=headers)
