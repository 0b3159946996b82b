"""The product as it is served, until its power goes at a moment that a test has chosen.

``python -m uvicorn tests.soak.falls:application``. The test writes the moment and a number into a
file of the data folder: at the so many-th such moment from then on the process kills itself, and
leaves everything as it is, as when the power goes.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from django.db.backends.base.base import BaseDatabaseWrapper

from scoresheet.asgi import application as product
from tests.soak.power import (
    AFTER_THE_ANSWER,
    AFTER_THE_COMMIT,
    BEFORE_THE_COMMIT,
    ORDER,
    WITHIN_THE_ANSWER,
)

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

TO_LEAVE = 0.05  # seconds until what was sent has left the process

_order = Path(os.environ["DATA_DIR"]) / ORDER
_passed = itertools.count(1)
_commit = BaseDatabaseWrapper._commit  # type: ignore[attr-defined]  # Django's one place for it


def _goes(moment: str) -> bool:
    """Whether the power goes at this moment, which has come."""
    try:
        wanted, _, number = _order.read_text().rpartition(" ")
    except FileNotFoundError:
        return False
    return wanted == moment and next(_passed) >= int(number)


def _fall(moment: str) -> None:
    os.write(2, f"The power goes {moment}.\n".encode())
    os.kill(os.getpid(), signal.SIGKILL)


def _commit_or_fall(connection: BaseDatabaseWrapper) -> None:
    if _goes(BEFORE_THE_COMMIT):
        _fall(BEFORE_THE_COMMIT)
    _commit(connection)
    if _goes(AFTER_THE_COMMIT):
        _fall(AFTER_THE_COMMIT)


BaseDatabaseWrapper._commit = _commit_or_fall  # type: ignore[attr-defined]


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer as the product does; the answer to a write may be the last."""
    if scope["type"] != "http" or scope["method"] != "POST":
        await product(scope, receive, send)
        return
    is_cut, is_last = _goes(WITHIN_THE_ANSWER), _goes(AFTER_THE_ANSWER)

    async def send_or_fall(message: Message) -> None:
        body = message.get("body", b"")
        if is_cut and body:
            await send({**message, "body": body[: len(body) // 2], "more_body": True})
            await asyncio.sleep(TO_LEAVE)
            _fall(WITHIN_THE_ANSWER)
        await send(message)
        if is_last and message["type"] == "http.response.body" and not message.get("more_body"):
            await asyncio.sleep(TO_LEAVE)
            _fall(AFTER_THE_ANSWER)

    await product(scope, receive, send_or_fall)
