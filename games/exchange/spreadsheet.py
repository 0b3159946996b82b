"""All deals of an evening as a table for spreadsheet programs."""

from __future__ import annotations

import csv
from io import StringIO
from typing import TYPE_CHECKING

from django.utils.formats import get_format
from django.utils.translation import gettext as _

from games.hands import note_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from games.sheet import Row, Sheet

BYTE_ORDER_MARK = "\ufeff"  # without it Excel takes "Jürgen" for another alphabet
# A cell that begins so is a formula to a spreadsheet program, and names are whatever people type.
STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")

Cell = str | int | None


def separator_of(language: str) -> str:
    """What separates cells: a semicolon where a comma stands in decimal numbers."""
    return ";" if get_format("DECIMAL_SEPARATOR", language) == "," else ","


def as_csv(sheets: Sequence[Sheet], *, separator: str) -> str:
    """One line for each deal of all matches, with who dealt, numbers and totals."""
    out = StringIO()
    write = csv.writer(out, delimiter=separator, lineterminator="\r\n").writerow
    out.write(BYTE_ORDER_MARK)
    sides = max(len(sheet.sides) for sheet in sheets)
    write(_titles(sides))
    for sheet in sheets:
        for row in sheet.rows:
            write([_harmless(cell) for cell in _line(sheet, row)])
    return out.getvalue()


def _titles(sides: int) -> list[str]:
    titles = [_("Match"), _("Date"), _("Deal"), _("Dealer")]
    for number in range(1, sides + 1):
        titles += [
            _("Side %(n)s") % {"n": number},
            _("Points %(n)s") % {"n": number},
            _("Total %(n)s") % {"n": number},
        ]
    return [*titles, _("Remark")]


def _line(sheet: Sheet, row: Row) -> Iterator[Cell]:
    yield sheet.match.number
    yield f"{sheet.match.started_at:%Y-%m-%d}"
    yield row.number
    yield sheet.name_at(sheet.dealer_in(row.number))
    totals = sheet.running[row.number]
    for side, value, total in zip(sheet.sides, row.values, totals, strict=True):
        yield side.name
        yield value
        yield total
    yield ", ".join(_remarks(sheet, row))


def _remarks(sheet: Sheet, row: Row) -> Iterable[str]:
    if note := note_words(sheet.settlement(row)):
        yield note
    if sheet.decided_in is not None and row.number > sheet.decided_in:
        yield _("after the line, counts nothing")


def _harmless(cell: Cell) -> Cell:
    """A text that no program takes for a formula: an apostrophe says that it is none."""
    if isinstance(cell, str) and cell.startswith(STARTS_A_FORMULA):
        return f"'{cell}"
    return cell
