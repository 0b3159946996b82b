"""How often a wrong table code or recovery link may be tried. Right ones are never counted.

Wrong ones are counted in all and for each address, a network of IPv6 as one. Beyond either count
a wrong one is told so (429), and a right one still passes. Only an address that is beyond its own
count while all are beyond theirs is not looked at: then somebody there is guessing, and whoever
comes from elsewhere finds the door open all the same (docs/security.md has the sums).

With ``REDIS_URL`` all processes count together. While Redis is away each one counts for itself:
nobody is kept out by that, and nobody may try without end.
"""

from __future__ import annotations

import logging
import time
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, TypeVar

from django.conf import settings
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, Storage
from limits.strategies import MovingWindowRateLimiter

if TYPE_CHECKING:
    from collections.abc import Callable
    from ipaddress import IPv4Network, IPv6Network

    from django.http import HttpRequest

WRONG_PER_ADDRESS = RateLimitItemPerMinute(20, 10)  # in ten minutes
WRONG_IN_ALL = RateLimitItemPerMinute(200)

IPV6_NETWORK = 64  # bits; whoever has one address of it has them all

SECONDS_TO_ANSWER = 0.5
SECONDS_AWAY = 5.0  # in which Redis is not asked again

Found = TypeVar("Found")

logger = logging.getLogger(__name__)


class TooMany(Exception):
    """So many wrong secrets came that this one gets no other answer."""


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
        self._here = MovingWindowRateLimiter(MemoryStorage())
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


def look_up(request: HttpRequest, kind: str, find: Callable[[], Found | None]) -> Found | None:
    """What a secret of some kind opens, as ``find`` says it; None for a wrong one.

    Raises ``TooMany`` instead when wrong ones came too often.
    """
    place = place_of(address_of(request))
    in_all, here = (WRONG_IN_ALL, kind), (WRONG_PER_ADDRESS, kind, place)
    if not (_has_room(*in_all) or _has_room(*here)):
        raise TooMany
    found = find()
    if found is None and not all([_count(*in_all), _count(*here)]):
        raise TooMany
    return found


def _has_room(most: RateLimitItem, *of: str) -> bool:
    return _counts.ask(lambda counts: counts.test(most, *of))


def _count(most: RateLimitItem, *of: str) -> bool:
    return _counts.ask(lambda counts: counts.hit(most, *of))


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


def place_of(address: str) -> str:
    """Where an address lies, as wrong codes are counted: itself, or its network in IPv6."""
    try:
        place = ip_address(address)
    except ValueError:
        return address
    if not isinstance(place, IPv6Address):
        return str(place)
    if place.ipv4_mapped:
        return str(place.ipv4_mapped)
    return str(ip_network((place.packed, IPV6_NETWORK), strict=False))


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
