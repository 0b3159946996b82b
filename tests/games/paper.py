"""A sheet of paper, for tests: what should stand after all that was written, without the product.

One dict of cells, what was written in each by whom, and a count of what everybody sees change. It
knows free numbers and no line: nothing is unlawful, and only a tap ends a match.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tests.shown import Place

Said = Literal["", "ended", "not-open", "changed"]  # why a number was refused; "": written


@dataclass
class Paper:
    """What stands, and what is asked of a phone that comes to write."""

    host: str
    version: int = 1  # of a table that was just started
    cells: dict[Place, int | None] = field(default_factory=dict)
    writers: dict[Place, list[tuple[int, str]]] = field(default_factory=dict)
    ops: set[str] = field(default_factory=set)
    late: dict[str, tuple[Place, int]] = field(default_factory=dict)  # that the host may decide on
    late_ones: set[str] = field(default_factory=set)  # that ever were
    is_open: bool = True

    @property
    def highest(self) -> int:
        """The last deal in which something stands."""
        return max((number for number, _column in self.standing), default=0)

    @property
    def standing(self) -> dict[Place, int]:
        """The cells in which something stands."""
        return {place: value for place, value in self.cells.items() if value is not None}

    def write(self, who: str, op: str, place: Place, text: str, base: int) -> Said:
        """A phone writes a cell, or tries to."""
        if op in self.ops:
            return ""
        value = int(text) if text else None
        said = self._refuse(who, place, value, base)
        if said == "ended" and value is not None and op not in self.late_ones:
            self.late[op] = place, value
            self.late_ones.add(op)
            self.version += 1
        if not said:
            self._put(who, op, place, value)
        return said

    def take_late(self, op: str) -> None:
        """The host takes a number that came after the end, as if writing it now."""
        if op not in self.late:
            return
        place, value = self.late[op]
        base = self.writers.get(place, [(0, "")])[-1][0]
        if self._refuse(self.host, place, value, base):
            return
        self._put(self.host, op, place, value)

    def drop_late(self, op: str) -> None:
        """The host does not want a number that came after the end."""
        if self.late.pop(op, None):
            self.version += 1

    def end(self) -> None:
        """Somebody ends the match."""
        if self.is_open and self.highest:
            self.is_open = False
            self.version += 1

    def take_back(self) -> None:
        """Somebody takes the end back."""
        if not self.is_open:
            self.is_open = True
            self.version += 1

    def _refuse(self, who: str, place: Place, value: int | None, base: int) -> Said:
        if self.cells.get(place) == value:
            return ""
        is_next = place[0] <= self.highest + 1
        if not self.is_open and not (who == self.host and is_next):
            return "ended"
        if not is_next:
            return "not-open"
        since = [writer for version, writer in self.writers.get(place, []) if version > base]
        return "changed" if any(writer != who for writer in since) else ""

    def _put(self, who: str, op: str, place: Place, value: int | None) -> None:
        self.ops.add(op)
        was_late = self.late.pop(op, None) is not None
        if self.cells.get(place) != value:
            self.version += 1
            self.cells[place] = value
            self.writers.setdefault(place, []).append((self.version, who))
        elif was_late:
            self.version += 1
