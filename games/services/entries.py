"""The life of one number: writing a cell or a whole row, step by step as design section 6 says."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from games.kept import Snapshot, read_evening
from games.models import Change, LateEntry, Match, Round
from games.services.attempt import (
    Attempt,
    judge,
    number_in,
    refuse_closed,
    refuse_moved,
    refuse_older,
)
from games.services.banking import conclude
from games.services.refusals import Refusal
from games.services.turn import (
    Turn,
    begin,
    clear_implied,
    note_change,
    note_version,
    op_reused,
    put,
    sheet_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from games.access import Visitor
    from games.rules import Breach
    from games.sheet import Cell, Sheet

A_SLIP = timedelta(seconds=60)  # one may mend one's own number so long without a mark


def write_entry(  # noqa: PLR0913 - the fields of the form
    *,
    visitor: Visitor,
    match: Match,
    round_number: int,
    column: str,
    text: str,
    op: str,
    base: int,
    sure: bool = False,
) -> Sheet:
    """Write or clear one cell.

    ``text`` is what was typed ("" clears), ``base`` the entry version the phone saw. Raises
    ``Refusal`` subclasses in the order of design section 6; on ``ended`` the number is kept as a
    late entry. Returns the sheet as it stands afterwards. Who may write which column is the
    door's question, asked before.
    """
    attempt = Attempt(round_number, {column: text}, op, base, sure)
    return carry_out(visitor, match.number, lambda _sheet: attempt)


def write_round(  # noqa: PLR0913 - the fields of the form
    *,
    visitor: Visitor,
    match: Match,
    round_number: int,
    texts: Mapping[str, str],
    op: str,
    base: int,
    sure: bool = False,
) -> Sheet:
    """Write a whole row at once; columns left out stay. ``base`` is the round's version."""
    attempt = Attempt(round_number, texts, op, base, sure, whole_row=True)
    return carry_out(visitor, match.number, lambda _sheet: attempt)


def decide_late(*, visitor: Visitor, late_id: int, take: bool) -> Sheet | None:
    """Take a late entry (a host's write with the present base) or drop it.

    Raises ``LateEntry.DoesNotExist`` for another table's, ``Refusal`` when a taken number does
    not fit: it stays offered. Deciding twice changes nothing.
    """
    with transaction.atomic():
        turn = begin(visitor)
        late = LateEntry.objects.select_related("match").get(pk=late_id, table=turn.table)
        if late.decision != LateEntry.Decision.OPEN:
            return None
        after = None
        if take:
            sheet = sheet_of(turn, late.match.number)
            attempt = Attempt(
                late.round_number,
                {late.column: str(late.value)},
                late.op,
                sheet.row(late.round_number).cell(late.column).version,
                why=Change.Why.LATE,
            )
            _refuse_after_line(sheet, late.round_number)
            after = _write_locked(turn, sheet, attempt)
        late.decision = LateEntry.Decision.TAKEN if take else LateEntry.Decision.DROPPED
        late.save(update_fields=["decision"])
        turn.done()
        return after


def carry_out(visitor: Visitor, number: int, attempt_of: Callable[[Sheet], Attempt]) -> Sheet:
    """Lock the table and carry out an attempt, made from the sheet as it then stands."""
    with transaction.atomic():
        turn = begin(visitor)
        sheet = sheet_of(turn, number)
        attempt = attempt_of(sheet)
        try:
            after = _write_locked(turn, sheet, attempt)
        except Refusal as caught:  # before anything was written; raised once the late entry is kept
            refusal = caught
            if caught.code == "ended" and attempt.of is None:
                _keep_late(turn, sheet, attempt)
        else:
            turn.after = Snapshot(after, read_evening(turn.table))
            return after
    raise refusal


def _write_locked(turn: Turn, sheet: Sheet, attempt: Attempt) -> Sheet:
    """All steps, refusals first: nothing is written before the last of them."""
    what = f"m{sheet.match.number} {attempt.what}"
    seen, waits = turn.look_up(attempt.op)
    if seen is not None:
        if seen != what:
            raise op_reused()
        return sheet
    values = {column: number_in(column, text) for column, text in attempt.texts.items()}
    refuse_moved(turn, sheet, attempt)
    row = sheet.row(attempt.round_number)
    changed = {c: v for c, v in values.items() if row.cell(c).value != v}
    doubts: tuple[Breach, ...] = ()
    if changed:
        refuse_closed(turn, sheet, attempt.round_number)
        refuse_older(turn, sheet, attempt, changed)
        doubts = judge(sheet, attempt, values, changed)
    turn.note_op(attempt.op, what)
    closed = _close_late(turn, attempt.op) if waits else 0
    confirmed = {c: v for c, v in values.items() if v is not None and row.cell(c).implied}
    if not changed and not confirmed:
        if attempt.hand is not None and (sheet.match.is_open or turn.visitor.is_host):
            return _tell(turn, sheet, attempt)
        if closed:
            turn.done()
        return sheet
    return _write_cells(turn, sheet, attempt, {**changed, **confirmed}, changed, doubts)


def _tell(turn: Turn, sheet: Sheet, attempt: Attempt) -> Sheet:
    """Keep the hand of numbers that stand already; nobody's cell changes by it."""
    row = sheet.row(attempt.round_number)
    told = replace(row, hand=attempt.hand, version=turn.version)
    if attempt.hand == row.hand or sheet.settlement(told) is None:
        return sheet
    Round.objects.filter(match=sheet.match, number=row.number).update(
        hand=attempt.hand, version=turn.version
    )
    for column in attempt.texts:
        value = row.cell(column).value
        note_change(
            turn,
            sheet,
            (row.number, column, value, value),
            why=Change.Why.CALCULATOR,
            op=attempt.op,
            hand=attempt.hand,
        )
    note_version(sheet.match, turn.version)
    turn.done()
    return sheet.with_row(told)


def _write_cells(  # noqa: PLR0913 - what was asked, what changes, what was judged
    turn: Turn,
    sheet: Sheet,
    attempt: Attempt,
    cells: Mapping[str, int | None],
    changed: Mapping[str, int | None],
    doubts: tuple[Breach, ...],
) -> Sheet:
    """Step 8: write, note the doubts that were confirmed, and see what follows."""
    number = attempt.round_number
    before = sheet.row(number)
    if changed:
        sheet = clear_implied(turn, sheet, number, keep=cells)
    for column, value in cells.items():
        sheet = put(
            turn,
            sheet,
            number,
            column,
            value,
            why=attempt.why or _why(turn, sheet, before.cell(column), attempt.hand),
            op=attempt.op,
            hand=attempt.hand,
            corrected=_corrects(turn, sheet, number, before.cell(column), value),
        )
    sheet = _note_round(sheet, attempt, changed, doubts)
    written = [(number, column, before.cell(column).value) for column in cells]
    sheet = conclude(turn, sheet, written=written, corrected=bool(changed))
    if turn.table.first_entry_at is None:
        turn.table.first_entry_at = turn.now
        turn.done("first_entry_at")
    else:
        turn.done()
    return sheet


def _note_round(
    sheet: Sheet,
    attempt: Attempt,
    changed: Mapping[str, int | None],
    doubts: tuple[Breach, ...],
) -> Sheet:
    """Keep what was confirmed, and the hand.

    A confirmation lapses when the cells it was given for change, a hand when a number of its row
    says otherwise.
    """
    row = sheet.row(attempt.round_number)
    kept = {
        code: list(columns)
        for code, columns in row.confirmed.items()
        if not set(columns) & set(changed)
    }
    said = [cell.column for cell in row.cells if cell.value is not None]
    for doubt in doubts:
        kept.setdefault(doubt.code, said if doubt.column is None else [str(doubt.column)])
    told = (hand for hand in (attempt.hand, row.hand) if hand is not None and not row.is_blank)
    hand = next((one for one in told if sheet.settlement(replace(row, hand=one))), None)
    if kept != dict(row.confirmed) or hand != row.hand:
        Round.objects.filter(match=sheet.match, number=row.number).update(confirmed=kept, hand=hand)
    return sheet.with_row(replace(row, confirmed=kept, hand=hand))


def _why(turn: Turn, sheet: Sheet, cell: Cell, hand: Mapping[str, Any] | None) -> str:
    """In whose name a cell is written: worked out, one's own, for the partner, or as the host."""
    if hand is not None:
        return Change.Why.CALCULATOR
    player = turn.visitor.phone.player_id if turn.visitor.phone else None
    side = next(side for side in sheet.sides if side.column == cell.column)
    if player is None or player not in side.player_ids:
        return Change.Why.HOST
    mine = cell.written_by in {None, turn.visitor.phone.pk if turn.visitor.phone else None}
    return Change.Why.OWN if mine else Change.Why.PARTNER


def _corrects(turn: Turn, sheet: Sheet, number: int, cell: Cell, value: int | None) -> bool:
    """Whether a number that stood is changed by somebody else, or later than a slip is mended."""
    if cell.corrected:
        return True
    if cell.value is None or cell.implied or cell.value == value:
        return False
    phone = turn.visitor.phone
    if phone is None or cell.written_by != phone.pk or number < sheet.highest:
        return True
    return cell.written_at is not None and turn.now - cell.written_at > A_SLIP


def _keep_late(turn: Turn, sheet: Sheet, attempt: Attempt) -> None:
    """Keep a number that came after the end, once per op, for the host to decide."""
    if attempt.whole_row:
        return
    ((column, text),) = attempt.texts.items()
    value = number_in(column, text)
    if value is None:
        return
    _late, created = LateEntry.objects.get_or_create(
        table=turn.table,
        op=attempt.op,
        defaults={
            "match": sheet.match,
            "round_number": attempt.round_number,
            "column": column,
            "value": value,
            "phone": turn.visitor.phone,
            "who": turn.who,
            "at": turn.now,
        },
    )
    if created:
        turn.done()


def _close_late(turn: Turn, op: str) -> int:
    """Close the late entry that an op now wrote after all; how many there were."""
    late = LateEntry.objects.filter(table=turn.table, op=op, decision=LateEntry.Decision.OPEN)
    return late.update(decision=LateEntry.Decision.WRITTEN)


def _refuse_after_line(sheet: Sheet, number: int) -> None:
    """A number for a round beyond the line can only be dropped."""
    line_round = sheet.position.crossing or sheet.highest
    if sheet.match.how == Match.How.LINE and number > line_round:
        raise Refusal(
            "ended", _("The line was reached before deal %(number)s.") % {"number": number}
        )
