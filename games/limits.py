"""How often a wrong table code or recovery link may be tried. Right ones are never counted.

With ``REDIS_URL`` all processes count together. While Redis is away each one counts for itself:
nobody is kept out by that, and nobody may try without end.
"""

from __future__ import annotations

import logging
import time
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from django.conf import settings
from limits import RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, Storage
from limits.strategies import MovingWindowRateLimiter

if TYPE_CHECKING:
    from collections.abc import Callable
    from ipaddress import IPv4Network, IPv6Network

    from django.http import HttpRequest

WRONG_PER_ADDRESS = RateLimitItemPerMinute(20, 10)  # in ten minutes
WRONG_IN_ALL = RateLimitItemPerMinute(200)

SECONDS_TO_ANSWER = 0.5
SECONDS_AWAY = 5.0  # in which Redis is not asked again

logger = logging.getLogger(__name__)


class Counts:
    """What was tried how often: in all processes while Redis is there, else in this one."""

    def __init__(self, redis_url: str | None) -> None:
        self._here = MovingWindowRateLimiter(MemoryStorage())
        self._everywhere = MovingWindowRateLimiter(_stored_in(redis_url)) if redis_url else None
        self._away_until = 0.0

    def ask(self, question: Callable[[MovingWindowRateLimiter], bool]) -> bool:
        """What the counts say; Redis has half a second to answer."""
        if self._everywhere is not None and time.monotonic() >= self._away_until:
            try:
                return question(self._everywhere)
            except StorageError:
                self._away_until = time.monotonic() + SECONDS_AWAY
                logger.warning("Redis cannot be reached: wrong codes are counted here alone")
        return question(self._here)

    def forget_all(self) -> None:
        """Start counting anew."""
        self._here.storage.reset()
        if self._everywhere is not None:
            self._everywhere.storage.reset()


def _stored_in(redis_url: str) -> Storage:
    # Large, and a sheet at home has none.
    from limits.storage import RedisStorage  # noqa: PLC0415
    from redis import ConnectionPool  # noqa: PLC0415
    from redis.backoff import NoBackoff  # noqa: PLC0415
    from redis.retry import Retry  # noqa: PLC0415

    pool = ConnectionPool.from_url(
        redis_url,
        socket_connect_timeout=SECONDS_TO_ANSWER,
        socket_timeout=SECONDS_TO_ANSWER,
        retry=Retry(NoBackoff(), 1),  # at once, for a connection that was closed meanwhile
    )
    prefix = f"{settings.REDIS_PREFIX}:limits"
    return RedisStorage(redis_url, pool, key_prefix=prefix, wrap_exceptions=True)


_counts = Counts(settings.REDIS_URL)


def too_many_in_all() -> bool:
    """Whether so many wrong codes came in from everywhere that none is looked at now."""
    return not _counts.ask(lambda counts: counts.test(WRONG_IN_ALL, "codes"))


def note_wrong_code(request: HttpRequest) -> bool:
    """Count a wrong code; False when its address has tried too often."""
    address = address_of(request)
    in_all = _counts.ask(lambda counts: counts.hit(WRONG_IN_ALL, "codes"))
    here = _counts.ask(lambda counts: counts.hit(WRONG_PER_ADDRESS, "codes", address))
    return in_all and here


def address_of(request: HttpRequest) -> str:
    """Where a request comes from: the last hop that is not one of the trusted proxies.

    ``X-Forwarded-For`` counts only as far as trusted proxies wrote it; what stands left of the
    first address that is not trusted can be anybody's invention.
    """
    address: str = request.META.get("REMOTE_ADDR", "")
    hops = [hop.strip() for hop in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    for hop in reversed([hop for hop in hops if hop]):
        if not _is_trusted(address):
            break
        address = hop
    return address


def forget_all() -> None:
    """Start counting anew."""
    _counts.forget_all()


def _is_trusted(address: str) -> bool:
    try:
        place = ip_address(address)
    except ValueError:
        return False
    return any(place in network for network in _networks(tuple(settings.TRUSTED_PROXIES)))


@lru_cache(maxsize=1)
def _networks(names: tuple[str, ...]) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(ip_network(name) for name in names)
