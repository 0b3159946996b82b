"""What follows from the rows as they stand: banking, and taking a bank back (design: banking)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.models import Change, LateEntry, Match
from games.services.seating import seat_people
from games.services.turn import clear_implied, note_version, put

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from games.services.turn import Turn
    from games.sheet import Sheet

Written = tuple[int, str, int | None]  # round, column, value before


def conclude(  # noqa: PLR0913 - all that a verb may have changed
    turn: Turn,
    sheet: Sheet,
    *,
    written: Sequence[Written] = (),
    house_before: Mapping[str, Any] | None = None,
    moved: Mapping[str, Any] | None = None,
    corrected: bool = True,
) -> Sheet:
    """Bank, reopen or re-judge a match after a change, in the change's own transaction.

    ``written``, ``house_before`` and ``moved`` are what the transaction changed: a bank keeps them,
    so that ``reopen_match`` can take back all of it. ``corrected=False``: an implied number was
    only confirmed, an ended match needs no mark.
    """
    match = sheet.match
    if match.is_open:
        if sheet.position.bank_round is not None:
            cells = [list(cell) for cell in written]
            return _bank(turn, sheet, {"cells": cells, "house": house_before, "moved": moved})
        note_version(match, turn.version)
        return sheet
    match.corrected = match.corrected or corrected
    if match.how == Match.How.LINE and sheet.line is not None:
        if sheet.position.bank_round is not None:
            sheet = _imply(turn, sheet)
        elif not next_begun(match):
            return open_again(turn, sheet)
    match.result = sheet.result()
    note_version(match, turn.version, "corrected", "result")
    return sheet


def end(turn: Turn, sheet: Sheet, how: str) -> None:
    """Close a match and keep its result for lists."""
    match = sheet.match
    match.ended_at, match.ended_by, match.how = turn.now, turn.who, how
    match.corrected = False
    match.result = sheet.result()
    note_version(
        match, turn.version, "ended_at", "ended_by", "how", "corrected", "banking", "result"
    )


def open_again(turn: Turn, sheet: Sheet) -> Sheet:
    """Open an ended match: implied numbers go blank, a next match that has not begun goes away."""
    remove_next(turn, sheet)
    for row in sheet.rows:
        sheet = clear_implied(turn, sheet, row.number)
    match = sheet.match
    match.ended_at, match.ended_by, match.how = None, "", ""
    match.banking, match.result, match.corrected = {}, {}, False
    note_version(
        match, turn.version, "ended_at", "ended_by", "how", "corrected", "banking", "result"
    )
    return sheet


def next_begun(match: Match) -> bool:
    """Whether the match after this one has begun."""
    later = Match.objects.filter(table_id=match.table_id, number=match.number + 1).first()
    return later is not None and has_begun(later)


def has_begun(match: Match) -> bool:
    """Whether a match has a non-blank entry, a thrown-in hand, or a late entry to decide on.

    One that has ended had an entry then: it stays begun when that is cleared, since another match
    and late entries may follow it. The latter stay undecided when it is opened again.
    """
    if not match.is_open or match.thrown_total > 0:
        return True
    if match.rounds.filter(entries__points__isnull=False).exists():
        return True
    return match.late_entries.filter(decision=LateEntry.Decision.OPEN).exists()


def remove_next(turn: Turn, sheet: Sheet) -> None:
    """Remove the next match, which has not begun; its addresses mean nothing any more.

    Whoever sat elsewhere in it sits again as in this one.
    """
    later = turn.table.matches.filter(number=sheet.match.number + 1)
    if later.exists():
        later.delete()
        turn.table.match_removed_version = turn.version
        if seat_people(turn.table, [player for player, _name in sheet.players_by_seat]):
            turn.table.names_version = turn.version
        turn.table.save(update_fields=["match_removed_version", "names_version"])


def _bank(turn: Turn, sheet: Sheet, banking: Mapping[str, Any]) -> Sheet:
    sheet = _imply(turn, sheet)
    sheet.match.banking = dict(banking)
    end(turn, sheet, Match.How.LINE)
    return sheet


def _imply(turn: Turn, sheet: Sheet) -> Sheet:
    """Write the numbers that only one reading leaves, up to the round that banks."""
    for (number, index), value in sheet.position.implied.items():
        column = sheet.columns[index]
        sheet = put(turn, sheet, number, column, value, why=Change.Why.IMPLIED)
    return sheet
