"""How often a wrong table code or recovery link may be tried. Right ones are never counted.

Wrong ones are counted in all and for each address, a network of IPv6 as one. Beyond either count
a wrong one is told so (429), and a right one still passes. Only an address that is beyond its own
count while all are beyond theirs is not looked at: then somebody there is guessing, and whoever
comes from elsewhere finds the door open all the same (docs/security.md has the sums).
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, TypeVar

from django.conf import settings
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

if TYPE_CHECKING:
    from collections.abc import Callable
    from ipaddress import IPv4Network, IPv6Network

    from django.http import HttpRequest

WRONG_PER_ADDRESS = RateLimitItemPerMinute(20, 10)  # in ten minutes
WRONG_IN_ALL = RateLimitItemPerMinute(200)

IPV6_NETWORK = 64  # bits; whoever has one address of it has them all

Found = TypeVar("Found")


class TooMany(Exception):
    """So many wrong secrets came that this one gets no other answer."""


_limiter = MovingWindowRateLimiter(MemoryStorage())


def look_up(request: HttpRequest, kind: str, find: Callable[[], Found | None]) -> Found | None:
    """What a secret of some kind opens, as ``find`` says it; None for a wrong one.

    Raises ``TooMany`` instead when wrong ones came too often.
    """
    place = place_of(address_of(request))
    in_all, here = (WRONG_IN_ALL, kind), (WRONG_PER_ADDRESS, kind, place)
    if not (_limiter.test(*in_all) or _limiter.test(*here)):
        raise TooMany
    found = find()
    if found is None and not all([_limiter.hit(*in_all), _limiter.hit(*here)]):
        raise TooMany
    return found


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
    _limiter.storage.reset()


def _is_trusted(address: str) -> bool:
    try:
        place = ip_address(address)
    except ValueError:
        return False
    return any(place in network for network in _networks(tuple(settings.TRUSTED_PROXIES)))


@lru_cache(maxsize=1)
def _networks(names: tuple[str, ...]) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(ip_network(name) for name in names)
