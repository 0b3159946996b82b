"""The house rules of a table: seen by everybody, changed by the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods

from games import access, services
from games.forms import HouseForm
from games.views.answers import see_other

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from games.access import Visitor


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie
def house(request: HttpRequest, key: str) -> HttpResponse:
    """What the table plays; the host may change it, after a question if numbers are touched."""
    visitor = access.visit(request, key)
    table = visitor.table
    if request.method != "POST":
        return _page(request, visitor, HouseForm(table.game, now=table.house))
    visitor.must_host()
    form = HouseForm(table.game, {"agreed": table.agreed, **request.POST.dict()}, now=table.house)
    if not form.is_valid:
        return _page(request, visitor, form, status=422)
    try:
        services.change_house(
            visitor=visitor,
            house=form.house,
            agreed=form.agreed,
            sure=request.POST.get("sure") == "1",
        )
    except services.NeedsSure as question:
        return _page(request, visitor, form, question, status=question.status)
    return see_other(request, reverse("games:table", args=[key]))


def _page(
    request: HttpRequest,
    visitor: Visitor,
    form: HouseForm,
    question: services.NeedsSure | None = None,
    status: int = 200,
) -> HttpResponse:
    table = visitor.table
    context = {
        "table": table,
        "game": table.game,
        "visitor": visitor,
        "form": form,
        "agreed": form.typed.texts.get("agreed", table.agreed),
        "in_words": [(rule.label, rule.label_of(form.now[rule.name])) for rule in table.game.house],
        "question": question,
    }
    return render(request, "games/house.html", context, status=status)
