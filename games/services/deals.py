"""Deals in the wrong place: the host removes one, puts a blank one in, or swaps two.

The later deals change their numbers in one transaction, with all that belongs to them. What stood
where stays in the history, and what is under way to an old number is refused (``refuse_moved``).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.kept import Snapshot, read_evening
from games.models import HIGHEST_ROUND, Change, Entry, LateEntry, Match, Round
from games.moves import Move
from games.services.banking import conclude, next_begun
from games.services.refusals import NeedsSure, Refusal
from games.services.turn import begin, clear_implied, note_version, put, sheet_of
from games.sheet import Cell, Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from games.access import Visitor
    from games.services.turn import Turn
    from games.sheet import Sheet

Do = Literal["remove", "insert", "up", "down", "back"]


class Plan(NamedTuple):
    """A move that is possible, and the numbers and the hand that a removed deal gets back by it."""

    move: Move
    numbers: Mapping[str, int] = {}
    hand: Mapping[str, Any] | None = None


def move_deals(  # noqa: PLR0913 - the fields of the form
    *, visitor: Visitor, match: Match, number: int, do: Do, op: str, base: int, sure: bool = False
) -> Sheet:
    """Take a deal out, put a blank one in its place, or move it up or down by one.

    ``back`` brings the deal back that was taken out here last. ``base`` is the match version that
    the page showed; an older one is refused with ``changed``. Raises ``NeedsSure`` before numbers
    go, and where the match would end, open again, or hold rows that no deal can give there.
    """
    with transaction.atomic():
        turn = begin(visitor)
        sheet = sheet_of(turn, match.number)
        what = f"m{match.number} deal {number} {do}"
        if not turn.use_op(op, what):
            return sheet
        if base < sheet.match.version:
            raise Refusal("changed", _("The match has changed meanwhile. Please look again."))
        plan = _plan(turn, sheet, number, do)
        if not sure and (details := _consequences(sheet, plan)):
            raise NeedsSure(do, _question(number, do), details)
        after = carry_out(turn, sheet, plan)
        moved = {"what": plan.move.what, "number": plan.move.number, "cells": _numbers(sheet, plan)}
        after = conclude(turn, after, moved=moved)
        turn.done()
        turn.after = Snapshot(after, read_evening(turn.table))
        return after


def _question(number: int, do: Do) -> str:
    """What is asked before a deal is moved."""
    words = {
        "remove": _("Remove deal %(number)s?"),
        "insert": _("Insert a blank deal above deal %(number)s?"),
        "up": _("Move deal %(number)s up?"),
        "down": _("Move deal %(number)s down?"),
        "back": _("Put deal %(number)s back?"),
    }
    return words[do] % {"number": number}


def carry_out(turn: Turn, sheet: Sheet, plan: Plan) -> Sheet:
    """Move the deals with all that belongs to them; the sheet as it stands afterwards."""
    move = plan.move
    touched = _touched(sheet, move)
    for number in touched:
        sheet = clear_implied(turn, sheet, number)
    match = sheet.match
    match.moves = [*match.moves, list(move)]
    _move_what_lies_between(match, move)
    after = moved(sheet, move)
    _store(after, touched)
    _note_moves(turn, sheet, after, move)
    for late in LateEntry.objects.filter(match=match, decision=LateEntry.Decision.OPEN):
        now = move.place_of(late.round_number) or late.round_number
        late.round_number = min(now, HIGHEST_ROUND)
        late.save(update_fields=["round_number"])
    note_version(match, turn.version, "moves", "thrown_in", "dealer_corrections", "banking")
    for column, value in plan.numbers.items():
        after = put(turn, after, move.number, column, value, why=Change.Why.UNDO)
    if plan.hand is None:
        return after
    Round.objects.filter(match=match, number=move.number).update(hand=plan.hand)
    return after.with_row(replace(after.row(move.number), hand=plan.hand))


def move_back(turn: Turn, sheet: Sheet, banked_by: Mapping[str, Any]) -> Sheet:
    """Bring the deals back to where they were before the move that banked the match."""
    move = Move(turn.version, banked_by["what"], banked_by["number"]).back(turn.version)
    return carry_out(turn, sheet, Plan(move, banked_by["cells"]))


def moved(sheet: Sheet, move: Move) -> Sheet:
    """The sheet as it would be after a move; every cell it touches gets the move's version."""
    rows = {number: _moved_row(sheet, move, number) for number in _touched(sheet, move)}
    return replace(sheet, stored_rows={**sheet.stored_rows, **rows})


def _moved_row(sheet: Sheet, move: Move, number: int) -> Row:
    source = move.source_of(number)
    if source is None:
        cells = tuple(Cell(column, version=move.version) for column in sheet.columns)
        return Row(number, move.version, cells, {}, stored=True)
    row = sheet.row(source)
    cells = tuple(replace(cell, version=move.version) for cell in row.cells)
    return replace(row, number=number, version=move.version, cells=cells, stored=True)


def _touched(sheet: Sheet, move: Move) -> list[int]:
    """The rounds with something in them, now or after the move, whose number it touches."""
    last = max([*sheet.stored_rows, sheet.highest + (move.what == "insert")])
    return [number for number in range(1, min(last, HIGHEST_ROUND) + 1) if move.touches(number)]


def _plan(turn: Turn, sheet: Sheet, number: int, do: Do) -> Plan:
    """What is to be done; refused where it cannot be."""
    if do == "back":
        return _plan_back(turn, sheet, number)
    if number > sheet.highest:
        raise Refusal("not-open", _("Deal %(number)s has not begun.") % {"number": number})
    if do == "remove":
        _refuse_late(sheet, number)
        return Plan(Move(turn.version, "remove", number))
    if do == "insert":
        _refuse_full(sheet)
        return Plan(Move(turn.version, "insert", number))
    upper = number - 1 if do == "up" else number
    if not 1 <= upper < sheet.highest:
        raise Refusal("at-the-edge", _("There is no deal to swap it with."))
    return Plan(Move(turn.version, "swap", upper))


def _plan_back(turn: Turn, sheet: Sheet, number: int) -> Plan:
    """Bring the deal back that was removed last, with the numbers that it had."""
    match = sheet.match
    if match.last_removed != number or number > sheet.highest + 1:
        raise Refusal("changed", _("The match has changed meanwhile. Please look again."))
    _refuse_full(sheet)
    changes = Change.objects.filter(
        table=turn.table,
        match_number=match.number,
        round_number=number,
        version=match.moves[-1][0],
        why=Change.Why.MOVED,
    )
    numbers = {one.column: one.before for one in changes if one.before is not None}
    hand = next((one.hand for one in changes if one.hand), None)
    return Plan(Move(turn.version, "insert", number), numbers, hand)


def _refuse_full(sheet: Sheet) -> None:
    if sheet.highest >= HIGHEST_ROUND:
        raise Refusal("full", _("A sheet has room for %(most)s deals.") % {"most": HIGHEST_ROUND})


def _refuse_late(sheet: Sheet, number: int) -> None:
    """A late number would be offered for another deal; the host decides on it first."""
    waiting = sheet.match.late_entries.filter(decision=LateEntry.Decision.OPEN, round_number=number)
    if waiting.exists():
        raise Refusal("late-waits", _("A late number waits for this deal. Take or drop it first."))


def _consequences(sheet: Sheet, plan: Plan) -> list[str]:
    """What a person should know before; a deal with numbers never goes without a question."""
    move, match = plan.move, sheet.match
    after = moved(replace(sheet, stored_rows=_without_implied(sheet, move)), move)
    if plan.numbers:
        row = after.row(move.number)
        cells = tuple(replace(c, value=plan.numbers.get(c.column)) for c in row.cells)
        after = after.with_row(replace(row, cells=cells))
    details = []
    if gone := _numbers(sheet, plan):
        names = {side.column: side.name for side in sheet.sides}
        details += [
            _("%(name)s: %(value)s") % {"name": names[c], "value": v} for c, v in gone.items()
        ]
        details.append(_("These numbers stay in the history."))
    elif move.what == "remove":
        details.append(_("It is blank; later deals move up."))
    strange = [n for n in after.unlawful if move.source_of(n) not in sheet.unlawful]
    if strange:
        details.append(
            ngettext(
                "Deal %(numbers)s would be a row that no deal there can give; it stays, marked.",
                "Deals %(numbers)s would be rows that no deal there can give; they stay, marked.",
                len(strange),
            )
            % {"numbers": ", ".join(map(str, strange))}
        )
    banks = after.position.bank_round is not None
    if match.is_open and banks:
        details.append(
            _("The line %(line)s is reached: the match would be banked.") % {"line": sheet.line}
        )
    elif match.how == Match.How.LINE and sheet.line and not banks and not next_begun(match):
        details.append(_("The line is no longer reached: the match would be open again."))
    elif not match.is_open and after.winners != sheet.winners:
        details.append(_("The match would come out another way."))
    return details


def _without_implied(sheet: Sheet, move: Move) -> dict[int, Row]:
    """The rows with what people said alone, where the move touches them."""
    return {
        number: replace(
            row, cells=tuple(cell.blank() if cell.implied else cell for cell in row.cells)
        )
        if move.touches(number)
        else row
        for number, row in sheet.stored_rows.items()
    }


def _numbers(sheet: Sheet, plan: Plan) -> dict[str, int]:
    """The numbers that people wrote in a deal that is to be removed."""
    if plan.move.what != "remove":
        return {}
    row = sheet.row(plan.move.number)
    return {c.column: n for c, n in zip(row.cells, row.said, strict=True) if n is not None}


def _move_what_lies_between(match: Match, move: Move) -> None:
    """Let thrown-in hands, corrections of the dealer and what the bank wrote follow their deals.

    What came before a removed deal comes before the next one. Two deals that are swapped were
    written in the wrong order, but dealt in this one: hands thrown in and dealers stay.
    """

    def near(number: int) -> int:
        return move.place_of(number) or number

    placed = [[move.place_of(number), *rest] for number, *rest in match.banking.get("cells", ())]
    match.banking |= {"cells": [cell for cell in placed if cell[0]]} if placed else {}
    if by := match.banking.get("moved"):
        match.banking |= {"moved": {**by, "number": near(by["number"])}}
    if move.what == "swap":
        return
    thrown_in: Counter[str] = Counter()
    for before, count in match.thrown_in.items():
        thrown_in[str(near(int(before)))] += count
    match.thrown_in = dict(thrown_in)
    corrections = {(near(n), thrown): [near(n), thrown, s] for n, thrown, s in _by_place(match)}
    match.dealer_corrections = list(corrections.values())


def _by_place(match: Match) -> list[tuple[int, int, int]]:
    return sorted((number, thrown, seat) for number, thrown, seat in match.dealer_corrections)


def _store(sheet: Sheet, numbers: Iterable[int]) -> None:
    """Write rounds as they stand now, with all their cells."""
    rows = [sheet.row(number) for number in numbers]
    Round.objects.bulk_create(
        [
            Round(
                match=sheet.match,
                number=row.number,
                version=row.version,
                confirmed=dict(row.confirmed),
                hand=row.hand,
            )
            for row in rows
        ],
        update_conflicts=True,
        unique_fields=["match", "number"],
        update_fields=["version", "confirmed", "hand"],
    )
    keys = dict(Round.objects.filter(match=sheet.match).values_list("number", "pk"))
    sides = {side.column: side.id for side in sheet.sides}
    Entry.objects.bulk_create(
        [
            Entry(
                round_id=keys[row.number],
                side_id=sides[cell.column],
                points=cell.value,
                state=Entry.State.IMPLIED if cell.implied else Entry.State.WRITTEN,
                corrected=cell.corrected,
                was=cell.was,
                version=cell.version,
                written_by_id=cell.written_by,
                written_at=cell.written_at,
            )
            for row in rows
            for cell in row.cells
        ],
        update_conflicts=True,
        unique_fields=["round", "side"],
        update_fields=[
            "points",
            "state",
            "corrected",
            "was",
            "version",
            "written_by",
            "written_at",
        ],
    )


def _note_moves(turn: Turn, before: Sheet, after: Sheet, move: Move) -> None:
    """Add a line to the history of every cell that held a number, or holds one now."""
    phone = turn.visitor.phone
    lines = []
    for number in _touched(before, move):
        row = before.row(number)
        is_removed = move.what == "remove" and number == move.number
        for old, new in zip(row.cells, after.row(number).cells, strict=True):
            if old.value is None and new.value is None:
                continue
            lines.append(
                Change(
                    table=turn.table,
                    version=turn.version,
                    at=turn.now,
                    phone=phone,
                    who=turn.who,
                    match_number=before.match.number,
                    round_number=number,
                    column=new.column,
                    before=old.value,
                    after=new.value,
                    hand=row.hand if is_removed else None,  # so that it can come back
                    why=Change.Why.MOVED,
                    from_round=move.source_of(number),
                )
            )
    Change.objects.bulk_create(lines)
