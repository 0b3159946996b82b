"""Bringing a table back that was taken home."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods

from games import access, exchange, services
from games.forms import Wrong
from games.views.answers import see_other

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile
    from django.http import HttpRequest, HttpResponse


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie
def import_table(request: HttpRequest) -> HttpResponse:
    """Choose a file or paste its text; the phone that brings a table is its host."""
    if request.method != "POST":
        return render(request, "games/import.html")
    file, text = request.FILES.get("file"), request.POST.get("text", "")
    try:
        taken = exchange.read_file(_contents(file, text))
    except exchange.Unreadable as refusal:
        box = "file" if file else "text"
        typed = text if len(text) <= exchange.MOST_BYTES else ""
        context = {"wrong": {box: Wrong(refusal.code, refusal.say)}, "typed": typed}
        return render(request, "games/import.html", context, status=refusal.status)
    token = access.token_for(request)
    table = services.import_table(token_hash=access.hash_of(token), taken=taken)
    response = see_other(request, reverse("games:table", args=[table.key]))
    access.remember(request, response, token)
    return response


def _contents(file: UploadedFile[Any] | None, text: str) -> bytes | str:
    """What was sent: the file where one was chosen, else the text. Nothing big is read."""
    if file is None:
        if not text.strip():
            raise exchange.Unreadable(_("Choose a file, or paste what is in it."))
        return text
    data: bytes = file.read(exchange.MOST_BYTES + 1)
    return data
