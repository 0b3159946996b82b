"""Every request has a number, for people to read out and for the log; and is measured."""

from __future__ import annotations

import base64
import ipaddress
import logging
import os
import re
import time
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from starlette.datastructures import Headers, MutableHeaders

from games import measured

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.http import HttpRequest, HttpResponse
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "X-Request-ID"
SOUND = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
RANDOM_BYTES = 5  # eight letters; among as many requests as an evening has, hardly one twice

logger = logging.getLogger("scoresheet.requests")


@dataclass
class Request:
    """The request that is answered now: its number, and the name of the route it took."""

    number: str
    route: str = ""


now_answered: ContextVar[Request | None] = ContextVar("now_answered", default=None)


class Traced:
    """Gives every request its number, says it in the answer, and measures how long that took.

    The number of a trusted proxy is taken over, so that both logs can be put together.
    """

    def __init__(self, app: ASGIApp, *, trusted: Sequence[str], log_requests: bool) -> None:
        self.app = app
        self._trusted = [ipaddress.ip_network(network) for network in trusted]
        self._log_requests = log_requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        request = Request(self._number(scope))
        scope = dict(scope, headers=list(scope["headers"]))
        MutableHeaders(scope=scope)[HEADER] = request.number
        is_answered = False

        async def send_numbered(message: Message) -> None:
            nonlocal is_answered
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = request.number
                is_answered = True
                self._note(request, scope, message["status"], time.perf_counter() - began)
            await send(message)

        token = now_answered.set(request)
        try:
            await self.app(scope, receive, send_numbered)
        except Exception:
            if not is_answered:
                self._note(request, scope, 500, time.perf_counter() - began)
            raise
        finally:
            now_answered.reset(token)

    def _number(self, scope: Scope) -> str:
        given = Headers(scope=scope).get(HEADER, "")
        if given and SOUND.fullmatch(given) and self._is_trusted(scope):
            return given
        letters = base64.b32encode(os.urandom(RANDOM_BYTES)).decode()  # no 0 and no 1 among them
        return f"{letters[:4]}-{letters[4:]}"

    def _is_trusted(self, scope: Scope) -> bool:
        try:
            address = ipaddress.ip_address((scope.get("client") or ("",))[0])
        except ValueError:
            return False
        return any(address in network for network in self._trusted)

    def _note(self, request: Request, scope: Scope, status: int, seconds: float) -> None:
        route = request.route or getattr(scope.get("route"), "name", None) or "none"
        measured.ANSWERS.labels(route, status).inc()
        measured.SECONDS.labels(route).observe(seconds)
        if self._log_requests:
            told = {
                "method": scope["method"],
                "route": route,
                "status": status,
                "ms": round(seconds * 1000, 1),
            }
            logger.info("%(method)s %(route)s %(status)s in %(ms)s ms", told, extra={"told": told})


class RouteNamed:
    """Django's part: notes which route a request has taken, for there alone it is known."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and note the name of the route. Never the path: it holds keys."""
        response = self._get_response(request)
        answered = now_answered.get()
        if answered is not None:
            match = request.resolver_match
            is_static = request.path.startswith(settings.STATIC_URL)
            answered.route = match.view_name if match else "static" if is_static else "none"
        return response
