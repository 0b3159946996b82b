"""How often a wrong table code or recovery link may be tried. Right ones are never counted."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from django.conf import settings
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

    from django.http import HttpRequest

WRONG_PER_ADDRESS = RateLimitItemPerMinute(20, 10)  # in ten minutes
WRONG_IN_ALL = RateLimitItemPerMinute(200)

_limiter = MovingWindowRateLimiter(MemoryStorage())


def too_many_in_all() -> bool:
    """Whether so many wrong codes came in from everywhere that none is looked at now."""
    return not _limiter.test(WRONG_IN_ALL, "codes")


def note_wrong_code(request: HttpRequest) -> bool:
    """Count a wrong code; False when its address has tried too often."""
    in_all = _limiter.hit(WRONG_IN_ALL, "codes")
    here = _limiter.hit(WRONG_PER_ADDRESS, "codes", address_of(request))
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
