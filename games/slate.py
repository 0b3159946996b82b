"""What a slate shows beside the numbers: chalk strokes, in fives or as a sheep's head.

The first strokes of a head are drawn in the order in which they are chalked, so that the finished
head is the line. A hand is never quite steady: how far each end of a stroke is off comes from a
table, and so the same total always looks the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.sheet import Sheet

FIVE = 5
STROKE_GAP, STROKE_HEIGHT = 13, 56  # between uprights, and how tall they are
BUNDLE_WIDTH, BUNDLE_HEIGHT = 78, 76
FEW = 40  # strokes that are drawn large; with more of them four bundles share a row
DRAWN_AT_MOST = 300
WOBBLE = (2, -1, 3, 0, -2, 1, -3, 2, 0, -1, 3, -2, 1, 2, -3, 0, 1, -2, 3, -1, 0, 2, -2)

# Strokes of a head, drawn in a square of 200: cheeks, chin, ears, wool, eyes, nose and mouth.
HEAD_OF_15 = (
    "M68 82C64 108 74 134 84 154",
    "M132 81C137 107 127 135 116 155",
    "M83 153C88 175 113 175 117 154",
    "M66 84C52 70 32 72 20 90",
    "M20 90C34 106 54 104 68 96",
    "M134 83C148 70 168 71 181 88",
    "M181 89C166 106 146 104 132 96",
    "M70 82C46 72 54 42 78 50",
    "M76 51C70 26 102 20 104 42",
    "M101 43C102 19 134 24 127 50",
    "M124 50C148 42 154 72 131 82",
    "M80 103C83 95 92 95 95 103",
    "M106 103C109 95 118 95 121 103",
    "M90 128C94 137 107 138 111 127",
    "M89 146C95 153 106 153 112 145",
)
HEAD_OF_9 = (
    "M68 82C64 108 74 134 84 154",
    "M132 81C137 107 127 135 116 155",
    "M83 153C88 175 113 175 117 154",
    "M67 84C50 66 28 74 20 90C36 108 54 104 68 96",
    "M133 83C150 66 172 73 181 89C164 108 146 104 132 96",
    "M70 82C46 72 54 42 78 50C72 24 102 20 102 43C102 19 134 24 126 50C148 42 154 72 131 82",
    "M80 103C83 95 92 95 95 103",
    "M106 103C109 95 118 95 121 103",
    "M90 128C94 137 107 138 111 127M101 135C101 144 98 149 90 148",
)
# The ways of Bauernstoss that are chalked as a head, by the name of the house rule.
HEADS: Mapping[object, tuple[str, ...]] = MappingProxyType(
    {"schoofkopp": HEAD_OF_15, "deutscher": HEAD_OF_9}
)


@dataclass(frozen=True)
class Tally:
    """The strokes of one side: how many, and where they are drawn.

    ``fives`` lie in a box of ``width`` and ``height``; ``head`` are the strokes of a head so far,
    ``missing`` those it still lacks. For ``more`` there is no room.
    """

    count: int
    fives: tuple[str, ...]
    width: int
    height: int
    more: int = 0
    head: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def head_count(self) -> int:
        """The strokes of the whole head, 0 where none is drawn."""
        return len(self.head) + len(self.missing)


def tallies(sheet: Sheet) -> tuple[Tally, ...]:
    """What the slate holds of a match, side by side at one size."""
    head = HEADS.get(sheet.house.get("variation"), ())
    if len(head) == sheet.line:
        return tuple(_with_head(total, head) for total in sheet.totals)
    per_row = 2 if max(sheet.totals) <= FEW else 4
    return tuple(_in_fives(total, per_row) for total in sheet.totals)


def _with_head(total: int, head: tuple[str, ...]) -> Tally:
    """A head as far as it goes, and what is chalked beyond it in fives."""
    beyond = _in_fives(max(0, total - len(head)), 3)
    return replace(beyond, count=total, head=head[:total], missing=head[total:])


def _in_fives(total: int, per_row: int) -> Tally:
    drawn = min(total, DRAWN_AT_MOST)
    rows = -(-drawn // (FIVE * per_row)) or 1
    return Tally(
        count=total,
        fives=tuple(_stroke(number, per_row) for number in range(drawn)),
        width=per_row * BUNDLE_WIDTH,
        height=rows * BUNDLE_HEIGHT,
        more=total - drawn,
    )


def _stroke(number: int, per_row: int) -> str:
    """One stroke: four upright, the fifth across them."""
    bundle, place = divmod(number, FIVE)
    row, column = divmod(bundle, per_row)
    x, y = column * BUNDLE_WIDTH + 14, row * BUNDLE_HEIGHT + 10
    off = [WOBBLE[(number * 4 + i) % len(WOBBLE)] for i in range(4)]
    if place == FIVE - 1:
        left, right = x - 8 + off[0], x + 3 * STROKE_GAP + 9 + off[1]
        low, high = y + STROKE_HEIGHT - 13 + off[2], y + 13 + off[3]
        return f"M{left} {low}Q{(left + right) // 2} {(low + high) // 2 + off[1]} {right} {high}"
    top, bottom = x + place * STROKE_GAP + off[0], x + place * STROKE_GAP + off[1]
    high, low = y + off[2], y + STROKE_HEIGHT + off[3]
    return f"M{top} {high}Q{(top + bottom) // 2 + off[3]} {(high + low) // 2} {bottom} {low}"
