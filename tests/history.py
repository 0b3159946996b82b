"""What a table's history has to say, whatever happened to the phones, the network or the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.shown import Place

NOBODYS = frozenset({"implied", "undo", "late"})  # follow from what somebody decided elsewhere


class Line(NamedTuple):
    """One line of the history: who wrote what where."""

    version: int
    phone: int | None
    place: Place
    after: int | None
    op: str
    why: str

    @property
    def text(self) -> str:
        """What was written, as one types it."""
        return "" if self.after is None else str(self.after)


def assert_nothing_replaced_unseen(lines: Sequence[Line], seen: Mapping[str, int]) -> None:
    """Who replaced somebody else's number had it before the eyes.

    ``seen`` says for each op which version of its cell the person saw who typed it. Who types the
    number that the rules have put there by themselves replaces nothing.
    """
    before: dict[Place, list[Line]] = {}
    for line in lines:
        earlier = before.setdefault(line.place, [])
        confirms = bool(earlier) and (earlier[-1].why, earlier[-1].after) == ("implied", line.after)
        if line.why not in NOBODYS and not confirms:
            unseen = [
                one
                for one in earlier
                if one.version > seen[line.op] and one.phone != line.phone and one.why != "implied"
            ]
            assert not unseen, f"{line} replaced {unseen}, and saw version {seen[line.op]}"
        earlier.append(line)
