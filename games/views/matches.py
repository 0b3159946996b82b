"""The buttons of a match: thrown in, chalk, dealer, the end, taking it back, the next one."""

from __future__ import annotations

import uuid
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST

from games import access, kept, posted, services
from games.services import Refusal
from games.views.answers import is_htmx, see_other
from games.views.sheets import knows_gone_matches

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse, QueryDict

    from games.access import Visitor
    from games.models import Match

SEATS = ("0", "1", "2", "3")


def verb(carry_out: Callable[[Visitor, Match, QueryDict], None]) -> Callable[..., HttpResponse]:
    """A POST of host or player that changes a match, and leads back to its sheet."""

    @wraps(carry_out)
    def view(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
        visitor, match = access.visit_match(request, key, match_number)
        visitor.must_play()
        try:
            carry_out(visitor, match, request.POST)
        except Refusal as refusal:
            return _refused(request, match, refusal)
        return see_other(request, match.get_absolute_url())

    return require_POST(never_cache(knows_gone_matches(view)))


@verb
def thrown_in(visitor: Visitor, match: Match, post: QueryDict) -> None:
    """Note a thrown-in hand, or take the last one back."""
    services.throw_in(
        visitor=visitor,
        match=match,
        before=posted.whole(post, "before"),
        seen=posted.whole(post, "seen"),
        op=posted.op(post),
        undo=posted.flag(post, "undo"),
    )


@verb
def chalk(visitor: Visitor, match: Match, post: QueryDict) -> None:
    """Say who holds the first chalk; an empty side: later."""
    side = posted.one_of(post, "side", {"A", "B", ""})
    services.set_chalk(visitor=visitor, match=match, side=side)


@verb
def dealer(visitor: Visitor, match: Match, post: QueryDict) -> None:
    """Say who really gives the next deal."""
    seat = int(posted.one_of(post, "seat", SEATS))
    services.set_dealer(visitor=visitor, match=match, seat=seat, op=posted.op(post))


@verb
def reopen(visitor: Visitor, match: Match, post: QueryDict) -> None:
    """Take the end of a match back."""
    base = posted.whole_or_none(post, "base")
    services.reopen_match(visitor=visitor, match=match, base=base)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie
@knows_gone_matches
def end(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
    """Ask whether the match shall end; with ``sure`` end it."""
    visitor, match = access.visit_match(request, key, match_number)
    visitor.must_play()
    if request.method != "POST":
        if not match.is_open:
            return redirect(match)
        try:
            question: Refusal = services.end_question(
                kept.load_sheet(match, access.sides_of(match))
            )
        except Refusal as refusal:
            question = refusal
        return render(request, "games/question.html", _question(match, question, "end"))
    try:
        services.end_match(visitor=visitor, match=match, sure=posted.flag(request.POST, "sure"))
    except Refusal as refusal:
        return _refused(request, match, refusal, verb="end")
    return see_other(request, match.get_absolute_url())


@require_POST
@never_cache
def next_match(request: HttpRequest, key: str) -> HttpResponse:
    """Start the next match, if the current one has ended."""
    visitor = access.visit(request, key)
    visitor.must_play()
    try:
        after = posted.whole_or_none(request.POST, "after")
        number = services.next_match(visitor=visitor, after=after)
    except Refusal as refusal:
        return _refused(request, access.newest_match(visitor.table), refusal)
    return see_other(request, reverse("games:match", args=[key, number]))


def _question(match: Match, refusal: Refusal, verb: str) -> dict[str, Any]:
    return {
        "table": match.table,
        "match": match,
        "match_url": match.get_absolute_url(),
        "refusal": refusal,
        "verb": verb,
        "op": str(uuid.uuid4()),
    }


def _refused(request: HttpRequest, match: Match, refusal: Refusal, verb: str = "") -> HttpResponse:
    template = "games/question.html#answer" if is_htmx(request) else "games/question.html"
    context = _question(match, refusal, verb)
    return render(request, template, context, status=refusal.status)
