"""Django's pages beside the stream, on the event loop of the server."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from io import BytesIO
from string import printable
from typing import Any, NamedTuple, cast
from urllib.parse import quote

from a2wsgi.wsgi import build_environ
from starlette.types import Receive, Scope, Send


class Answer(NamedTuple):
    """What a page answers with, whole."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Pages:
    """A WSGI application in a few threads.

    Requests come whole (``WholeBody``) and answers go whole, the longest is a file of some hundred
    kB: so each takes one way to a thread and one back, and no thread waits for a slow phone.
    """

    def __init__(self, app: Callable[..., Any], *, threads: int) -> None:
        self.app = app
        self._threads = ThreadPoolExecutor(threads, "pages")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await send({"type": "websocket.close"})
            return
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body = BytesIO(message.get("body", b""))
        environ = build_environ(cast(Any, _with_ascii(scope)), cast(Any, body))
        answer = await asyncio.get_running_loop().run_in_executor(
            self._threads, copy_context().run, self._answer, environ
        )
        start = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
        await send(start)
        await send({"type": "http.response.body", "body": answer.body})

    def _answer(self, environ: Any) -> Answer:
        head: list[Any] = []

        def start_response(status: str, headers: list[tuple[str, str]], *_error: object) -> None:
            head[:] = status, headers

        chunks = self.app(environ, start_response)
        try:
            body = b"".join(chunks)
        finally:
            chunks.close()
        status, headers = head
        pairs = [(name.lower().encode("latin1"), text.encode("latin1")) for name, text in headers]
        return Answer(int(status.split()[0]), pairs, body)


def _with_ascii(scope: Scope) -> Scope:
    """The request with a query as WSGI needs it, whatever bytes somebody has put there."""
    query: bytes = scope["query_string"]
    if query.isascii():
        return scope
    return dict(scope, query_string=quote(query, safe=printable).encode())
