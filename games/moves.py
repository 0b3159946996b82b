"""Deals that were removed, put in, or swapped with the next: what a deal's number has meant since.

A match keeps its moves as lists, oldest first; everything about them is derived from these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

What = Literal["remove", "insert", "swap"]


class Move(NamedTuple):
    """One move: at which version of the table, what, and where.

    ``remove`` takes the deal of this number out and the later ones move up, ``insert`` puts a blank
    one in its place and they move down, ``swap`` changes it with the next.
    """

    version: int
    what: What
    number: int

    def touches(self, number: int) -> bool:
        """Whether this number means another deal since."""
        return number - self.number in {0, 1} if self.what == "swap" else number >= self.number

    def place_of(self, number: int) -> int | None:
        """The number that a deal has since; None for the deal that was removed."""
        if not self.touches(number):
            return number
        if self.what == "swap":
            return 2 * self.number + 1 - number
        if self.what == "insert":
            return number + 1
        return None if number == self.number else number - 1

    def source_of(self, number: int) -> int | None:
        """The number that a deal had before; None for the blank one that was put in."""
        if not self.touches(number):
            return number
        if self.what == "swap":
            return 2 * self.number + 1 - number
        if self.what == "remove":
            return number + 1
        return None if number == self.number else number - 1

    def back(self, version: int) -> Move:
        """The move that brings the deals back to where they were."""
        what: dict[What, What] = {"remove": "insert", "insert": "remove", "swap": "swap"}
        return Move(version, what[self.what], self.number)


def moves_of(kept: Iterable[Sequence[Any]]) -> list[Move]:
    """The moves of a match, oldest first, as its ``moves`` keep them."""
    return [Move(int(version), cast("What", what), int(number)) for version, what, number in kept]
