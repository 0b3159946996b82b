"""``/metrics`` for Prometheus: only where METRICS_TOKEN is set, and only for who knows it."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.requests import Request

NO_STORE = {"Cache-Control": "no-store"}


def routes(token: str | None) -> list[Route]:
    """The address of the numbers; without a token there is none."""
    if token is None:
        return []
    wanted = f"Bearer {token}".encode()

    async def metrics(request: Request) -> Response:
        given = request.headers.get("Authorization", "").encode()
        if not secrets.compare_digest(given, wanted):
            headers = {"WWW-Authenticate": "Bearer", **NO_STORE}
            return PlainTextResponse("The token is missing or wrong.\n", 401, headers)
        return Response(generate_latest(), headers=NO_STORE, media_type=CONTENT_TYPE_LATEST)

    return [Route("/metrics", metrics, name="metrics")]
