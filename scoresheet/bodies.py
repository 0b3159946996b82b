"""Requests reach the pages whole, or not at all."""

import asyncio
from collections.abc import Mapping, MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

THROWN_AWAY = 32 * 1024 * 1024  # bytes at most, of a body that is too long


class WholeBody:
    """Waits for the whole body of a request before it wakes the pages.

    Two things would go wrong without: a phone that loses its signal half way through sending would
    have the first half taken for a form (``value=1`` of ``value=12``), and four phones with a bad
    signal would hold all threads that make pages.

    ``max_bytes`` is for every address but those of ``more_at``, which take more.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        max_bytes: int,
        more_at: Mapping[str, int] | None = None,
        seconds: float = 30,
    ) -> None:
        self.app = app
        self.max_bytes = max_bytes
        self.more_at = more_at or {}
        self.seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, or answer 408 or 413, or drop one that was broken off."""
        headers = Headers(scope=scope) if scope["type"] == "http" else {}
        if "content-length" not in headers and "transfer-encoding" not in headers:
            await self.app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self.seconds):
                body = await self._read(scope, receive)
        except ClientDisconnect:
            return
        except TimeoutError:
            await _refuse(408, "The request took too long.", scope, receive, send)
            return
        if body is None:
            await _refuse(413, "The request is too large.", scope, receive, send)
            return
        await self.app(_with_length(scope, len(body)), _then(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The body, or None where it is longer than may be.

        The rest of one that is too long is still taken and thrown away: a browser or a proxy that
        is cut off while it sends says something else than the answer.
        """
        body, length = bytearray(), 0
        max_bytes = self.more_at.get(scope["path"], self.max_bytes)
        async for chunk in Request(scope, receive).stream():
            length += len(chunk)
            if length <= max_bytes:
                body += chunk
            elif length > max_bytes + THROWN_AWAY:
                break
            else:
                body.clear()
        return bytes(body) if length <= max_bytes else None


def _with_length(scope: Scope, length: int) -> Scope:
    """The request with its length said, which WSGI needs and a body sent in chunks lacks."""
    scope = dict(scope, headers=list(scope["headers"]))
    headers = MutableHeaders(scope=scope)
    headers["content-length"] = str(length)
    return scope


def _then(body: bytes, receive: Receive) -> Receive:
    """What to receive from now on: the body first, then whatever comes."""
    given = False

    async def receive_body_first() -> MutableMapping[str, Any]:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_body_first


async def _refuse(status: int, text: str, scope: Scope, receive: Receive, send: Send) -> None:
    response = PlainTextResponse(text, status, headers={"Connection": "close"})
    await response(scope, receive, send)
