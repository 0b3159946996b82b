"""What a phone shows of a sheet, and how it takes news: static/js/live.js, as far as numbers go."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

Place = tuple[int, str]  # a cell: round and column

_HEAD = re.compile(r"<div (data-parts [^>]*)>")
_ROW = re.compile(r"<tr ([^>]*data-version[^>]*)>(.*?)</tr>", re.DOTALL)
_CELL = re.compile(r"<td ([^>]*data-cell[^>]*)>")
_TOTAL = re.compile(r'data-total="(\w)"[^>]*>(\d+)<')
_NOW = re.compile(r'<div id="now" ([^>]*)>(<strong>)?')
_DATA = re.compile(r'data-(\w+)="([^"]*)"')


class Cell(NamedTuple):
    """A cell as the server drew it."""

    version: int
    state: str
    value: int | None

    @property
    def text(self) -> str:
        """Its number as one types it."""
        return "" if self.value is None else str(self.value)


@dataclass
class Row:
    """A deal as the server drew it."""

    version: int
    cells: dict[str, Cell]


@dataclass(frozen=True)
class Parts:
    """News: the rows that changed and the header, at one version."""

    version: int
    status: str
    drawn: int
    next_round: int
    holds: bool
    has_late: bool
    rows: dict[int, Row]
    totals: dict[str, int]

    @classmethod
    def read(cls, html: str) -> Parts:
        """News as a page reads them."""
        head, now = _HEAD.search(html), _NOW.search(html)
        assert head is not None, html
        assert now is not None, html
        told = _data(head[1])
        return cls(
            version=int(told["version"]),
            status=told["status"],
            drawn=int(told["drawn"]),
            next_round=int(_data(now[1])["next"]),
            holds=now[2] is not None,
            has_late='class="late"' in html,
            rows=dict(_row(_data(row), inside) for row, inside in _ROW.findall(html)),
            totals={column: int(total) for column, total in _TOTAL.findall(html)},
        )


def _row(row: Mapping[str, str], inside: str) -> tuple[int, Row]:
    cells = {}
    for cell in map(_data, _CELL.findall(inside)):
        value = int(cell["value"]) if "value" in cell else None
        cells[cell["cell"].split(".")[1]] = Cell(int(cell["version"]), cell["state"], value)
    return int(row["round"]), Row(int(row["version"]), cells)


def _data(attributes: str) -> dict[str, str]:
    return dict(_DATA.findall(attributes))


@dataclass
class Shown:
    """The sheet on one phone. Older never replaces newer.

    ``since`` is what streams and polls have brought, ``version`` that of the newest header.
    ``guarded`` are the cells in which a number of this phone waits: what comes for them is held
    back until they are let go.
    """

    version: int = 0
    since: int = 0
    status: str = "open"
    next_round: int = 1
    drawn: int = 0
    holds: bool = False
    has_late: bool = False
    totals: dict[str, int] = field(default_factory=dict)
    rows: dict[int, Row] = field(default_factory=dict)
    held: dict[Place, Cell] = field(default_factory=dict)

    def take(self, html: str, guarded: Collection[Place] = (), ahead: int = 0) -> None:
        """Take what a stream or a poll has brought."""
        self.apply(html, guarded, ahead)
        self.since = max(self.since, Parts.read(html).version)

    def apply(self, html: str, guarded: Collection[Place] = (), ahead: int = 0) -> None:
        """Take news, of whatever age; the answer to a write is news, too."""
        parts = Parts.read(html)
        is_fresh = parts.version >= self.version
        for number, row in parts.rows.items():
            if is_fresh or number <= max(self.drawn, ahead):  # older news bring no row back
                self._put(number, row, guarded, is_fresh=is_fresh)
        if not is_fresh:
            return
        self.version, self.status, self.drawn = parts.version, parts.status, parts.drawn
        self.next_round, self.holds, self.has_late = parts.next_round, parts.holds, parts.has_late
        self.totals = parts.totals
        self.release(guarded, ahead)

    def release(self, guarded: Collection[Place], ahead: int = 0) -> None:
        """Let cells and rows go that are no longer guarded: show what was held back for them."""
        kept = {number for number, _column in guarded}
        for number in [number for number in self.rows if number > max(self.drawn, ahead)]:
            if number not in kept:
                del self.rows[number]
        for place in [place for place in self.held if place not in guarded]:
            number, column = place
            cell = self.held.pop(place)
            if number in self.rows:
                self.rows[number].cells[column] = cell

    def base(self, place: Place) -> int:
        """The version that a number typed here goes out with."""
        number, column = place
        row = self.rows.get(number)
        return self.version if row is None else row.cells[column].version

    def stored(self, place: Place) -> int | None:
        """The number that stands on the server, as far as this phone knows."""
        number, column = place
        if place in self.held:
            return self.held[place].value
        return self.rows[number].cells[column].value if number in self.rows else None

    def _put(self, number: int, row: Row, guarded: Collection[Place], *, is_fresh: bool) -> None:
        old = self.rows.get(number)
        if old is None:
            self.rows[number] = Row(row.version, dict(row.cells))
            return
        if row.version < old.version or (row.version == old.version and not is_fresh):
            return
        old.version = row.version
        for column, cell in row.cells.items():
            place = number, column
            if place in guarded:
                self.held[place] = cell
            else:
                self.held.pop(place, None)
                old.cells[column] = cell
