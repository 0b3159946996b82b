"""What happens as soon as the process is told to end, before its server waits for anything."""

import asyncio
import signal
import threading
from collections.abc import Callable
from functools import partial
from types import FrameType

import uvicorn

SECONDS_TO_FINISH = 3  # for what is still open; a phone that takes nothing any more never closes


def when_told_to_end(call: Callable[[], None]) -> None:
    """Let ``call`` run on this event loop at SIGTERM or SIGINT, beside what the server does then.

    For streams, which end by nobody's doing: the server waits for them before it tells the
    application that it ends.
    """
    if threading.current_thread() is not threading.main_thread():
        return  # no server in another thread is ended by signals
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        handler = signal.getsignal(number)
        if not callable(handler):
            continue
        signal.signal(number, partial(_end, loop, call, handler))
        server = getattr(handler, "__self__", None)
        if isinstance(server, uvicorn.Server) and server.config.timeout_graceful_shutdown is None:
            server.config.timeout_graceful_shutdown = SECONDS_TO_FINISH


def _end(
    loop: asyncio.AbstractEventLoop,
    call: Callable[[], None],
    handler: Callable[[int, FrameType | None], object],
    number: int,
    frame: FrameType | None,
) -> None:
    loop.call_soon_threadsafe(call)
    handler(number, frame)
