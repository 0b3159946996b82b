"""A match on paper: the sheet as it was before there were phones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games import access
from games.hands import note_words
from games.live import verdict_words
from games.views.sheets import knows_gone_matches, sheet_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest, HttpResponse

    from games.sheet import Sheet


class PrintedCell(NamedTuple):
    """A number, the total after it, and whether its side held the chalk."""

    value: int | None
    total: int
    state: str
    chalk: bool


class PrintedRow(NamedTuple):
    """A deal: who gave it and the hands thrown in before it, and its numbers."""

    number: int
    dealer: str
    thrown: tuple[str, ...]
    cells: tuple[PrintedCell, ...]
    note: str
    line: bool
    after: bool


@require_safe
@never_cache
@ensure_csrf_cookie
@knows_gone_matches
def printed(request: HttpRequest, key: str, match_number: int) -> HttpResponse:
    """A match to be printed, black on white, as many pages as it takes."""
    visitor = access.visit(request, key)
    sheet = sheet_at(visitor, match_number).sheet
    rows = list(_rows(sheet))
    context = {
        "table": visitor.table,
        "match": sheet.match,
        "game": sheet.game,
        "line": sheet.line,
        "sides": sheet.sides,
        "rows": rows,
        "thrown_last": [sheet.name_at(s) for s in sheet.thrown_before(sheet.highest + 1)],
        "totals": sheet.totals,
        "verdict": verdict_words(sheet),
        "has_chalk": any(cell.chalk for row in rows for cell in row.cells),
        "has_corrected": any(cell.state == "corrected" for row in rows for cell in row.cells),
        "has_after": any(row.after for row in rows),
    }
    return render(request, "games/print.html", context)


def _rows(sheet: Sheet) -> Iterator[PrintedRow]:
    holders = (sheet.match.first_chalk or None, *sheet.standing.chalk_after)
    decided_in = sheet.decided_in
    for row in sheet.rows:
        number = row.number
        yield PrintedRow(
            number,
            sheet.name_at(sheet.dealer_in(number)),
            tuple(sheet.name_at(seat) for seat in sheet.thrown_before(number)),
            tuple(
                PrintedCell(cell.value, total, cell.state, cell.column == holders[number - 1])
                for cell, total in zip(row.cells, sheet.running[number], strict=True)
            ),
            note_words(sheet.settlement(row)),
            number == decided_in,
            decided_in is not None and number > decided_in,
        )
