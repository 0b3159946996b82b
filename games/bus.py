"""Hints that a table has changed, on their way from the verbs to those who watch it.

A hint says which table and up to which version; what changed is read from the store, so one that is
lost, late or doubled does no harm. Hints reach this process at once, and with ``REDIS_URL`` all
others too (``relay.py``). Where nobody subscribed (Django's commands, a WSGI server) one goes
nowhere.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    Heard = Callable[[int, int], object]

_subscribers: list[tuple[asyncio.AbstractEventLoop, Heard]] = []


def publish(table_id: int, version: int) -> None:
    """Tell all who subscribed, from any thread and at once; never fails, never waits."""
    for loop, heard in tuple(_subscribers):
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(heard, table_id, version)


def subscribe(heard: Heard) -> Callable[[], None]:
    """Let ``heard(table_id, version)`` be called on the running event loop; returns the way out."""
    stop_hearing = _hear_of_this_process(heard)
    if settings.REDIS_URL is None:
        return stop_hearing
    from games.relay import Relay  # noqa: PLC0415 - Redis is large, and a sheet at home has none

    relay = Relay(settings.REDIS_URL, f"{settings.REDIS_PREFIX}:hints", heard)
    stop_telling = _hear_of_this_process(relay.send)
    running = asyncio.create_task(relay.run())

    def leave() -> None:
        stop_hearing()
        stop_telling()
        running.cancel()

    return leave


def _hear_of_this_process(heard: Heard) -> Callable[[], None]:
    subscriber = (asyncio.get_running_loop(), heard)
    _subscribers.append(subscriber)
    return lambda: _subscribers.remove(subscriber)
