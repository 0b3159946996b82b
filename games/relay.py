"""Hints on their way between processes, through Redis or Valkey.

What it loses does no harm: every process looks at the store by itself every two seconds (``hub``).
So nothing here is tried twice, nobody waits for it, and while Redis is away hints are forgotten.
"""

from __future__ import annotations

import asyncio
import logging
import re
from typing import TYPE_CHECKING

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Carry = Callable[["Redis"], Awaitable[None]]

SECONDS_TO_ANSWER = 2.0
SILENCE = 10.0  # seconds; after so many Redis is asked for a sign of life
PAUSE_FIRST, PAUSE_MOST = 0.1, 5.0  # seconds between two tries to reach it, doubling
HINT = re.compile(rb"([0-9]{1,18}) ([0-9]{1,18})")  # a table and its version

logger = logging.getLogger(__name__)


class Relay:
    """Carries hints of this process to all others, and theirs to ``heard``, on the event loop."""

    def __init__(self, url: str, channel: str, heard: Callable[[int, int], object]) -> None:
        self._url = url
        self._channel = channel
        self._heard = heard
        self._waiting: dict[int, int] = {}  # table -> version
        self._something_waits = asyncio.Event()

    def send(self, table: int, version: int) -> None:
        """Let a hint be sent as soon as it can be; of one table the newest is enough."""
        self._waiting[table] = max(version, self._waiting.get(table, 0))
        self._something_waits.set()

    async def run(self) -> None:
        """Carry hints for as long as the process lives, whenever Redis is there."""
        await asyncio.gather(self._keep_at(self._hear_all), self._keep_at(self._send_all))

    async def _keep_at(self, carry: Carry) -> None:
        loop, pause = asyncio.get_running_loop(), PAUSE_FIRST
        while True:
            began = loop.time()
            try:
                async with self._connection() as redis:
                    await carry(redis)
            except (RedisError, OSError) as error:
                if loop.time() - began > PAUSE_MOST:  # it was there: not the next try of many
                    pause = PAUSE_FIRST
                if pause == PAUSE_FIRST:
                    logger.warning("Redis cannot be reached: %s", type(error).__name__)
            await asyncio.sleep(pause)
            pause = min(2 * pause, PAUSE_MOST)

    def _connection(self) -> Redis:
        found: Redis = Redis.from_url(
            self._url,
            socket_connect_timeout=SECONDS_TO_ANSWER,
            socket_timeout=SECONDS_TO_ANSWER,
            retry=Retry(NoBackoff(), 0),
        )
        return found

    async def _hear_all(self, redis: Redis) -> None:
        async with redis.pubsub() as messages:
            await messages.subscribe(self._channel)
            is_asked = False
            while True:
                message = await messages.get_message(timeout=SILENCE)
                if message is None:
                    if is_asked:
                        raise TimeoutError
                    await messages.ping()
                elif message["type"] == "message" and (hint := HINT.fullmatch(message["data"])):
                    self._heard(int(hint[1]), int(hint[2]))
                is_asked = message is None

    async def _send_all(self, redis: Redis) -> None:
        while True:
            await self._something_waits.wait()
            self._something_waits.clear()
            waiting, self._waiting = self._waiting, {}
            async with redis.pipeline(transaction=False) as pipeline:
                for table, version in waiting.items():
                    pipeline.publish(self._channel, f"{table} {version}")
                await pipeline.execute()
