"""The bench's own arithmetic: quantiles, and what is set apart because the disk stood still."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple

MOST_OF_ALL = 0.9


class Span(NamedTuple):
    """From when to when something took place, in seconds of one clock."""

    begin: float
    end: float

    @property
    def ms(self) -> float:
        """How long it took, in milliseconds."""
        return (self.end - self.begin) * 1000

    def overlaps(self, other: Span) -> bool:
        """Whether some of it took place during the other."""
        return self.begin < other.end and other.begin < self.end


def quantile(values: Iterable[float], part: float) -> float:
    """The smallest of the values that is at least as large as this part of them.

    >>> quantile([4, 1, 3, 2], 0.5)
    2
    >>> quantile(range(1, 101), 0.99)
    99
    """
    ordered = sorted(values)
    place = -(-len(ordered) * round(part * 10_000) // 10_000)  # rounded up
    return ordered[max(place, 1) - 1]


def apart(spans: Sequence[Span], stalls: Iterable[Span]) -> list[Span]:
    """Those that no stall of the disk fell into; all of them where stalls are no exception."""
    calm = [span for span in spans if not any(span.overlaps(stall) for stall in stalls)]
    return calm if len(calm) >= MOST_OF_ALL * len(spans) else list(spans)


def first_at_least(heard: Sequence[tuple[int, float]], version: int) -> float | None:
    """When a phone first heard of a version or of a newer one; None if it never did.

    >>> first_at_least([(3, 0.1), (5, 0.2)], 4)
    0.2
    """
    place = bisect_left(heard, (version, float("-inf")))
    return heard[place][1] if place < len(heard) else None


__all__ = ["Span", "apart", "first_at_least", "median", "quantile"]
