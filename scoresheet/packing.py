"""Pages as they go over the wire: brotli where the browser takes it, gzip elsewhere."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING

import brotli
from django.http import HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

QUALITY, WINDOW = 6, 16  # as quick as gzip, and a tenth smaller; a long sheet a third
PADDING = 16  # bytes at most, and twice as many letters
AT_LEAST = 200  # bytes; gzip has the same
BROTLI = re.compile(r"\bbr\b")


class Packing(GZipMiddleware):
    """Packs whole answers, and pads them, so that their length tells nothing (BREACH).

    Gzip hides the padding in its own head. Brotli has no place for it, so it is a header.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Pack an answer in the best way that its browser knows."""
        if not isinstance(response, HttpResponse) or not _wants_brotli(request, response):
            return super().process_response(request, response)
        patch_vary_headers(response, ("Accept-Encoding",))
        response.content = brotli.compress(response.content, quality=QUALITY, lgwin=WINDOW)
        response.headers["Content-Length"] = str(len(response.content))
        response.headers["Content-Encoding"] = "br"
        padding = secrets.token_hex(PADDING)
        response.headers["X-Padding"] = padding[secrets.randbelow(len(padding)) :]
        if (etag := response.get("ETag", "")).startswith('"'):
            response.headers["ETag"] = f"W/{etag}"
        return response


def _wants_brotli(request: HttpRequest, response: HttpResponse) -> bool:
    accepted = request.headers.get("Accept-Encoding", "")
    return (
        BROTLI.search(accepted) is not None
        and len(response.content) >= AT_LEAST
        and not response.has_header("Content-Encoding")
    )
