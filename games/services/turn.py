"""What every verb starts and ends with: the locked table, the next version, the ops."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import bus
from games.access import MatchGone, Visitor, current_number, sides_of
from games.models import Change, Entry, Match, Op, Round, Table
from games.services.refusals import Malformed
from games.sheet import Cell, Row, Sheet, load_sheet

if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from datetime import datetime
    from typing import Any


@dataclass
class Turn:
    """One verb at one table: who, when, and the version its changes will carry."""

    visitor: Visitor
    table: Table
    now: datetime
    version: int

    @property
    def who(self) -> str:
        """The name that goes into the history."""
        return self.visitor.name

    def done(self, *fields: str) -> None:
        """Raise the table's version; the verb has changed something people see.

        Phones are told once the transaction is committed.
        """
        self.table.version = self.version
        self.table.touched_at = self.now
        self.table.save(update_fields=["version", "touched_at", *fields])
        transaction.on_commit(partial(bus.publish, self.table.pk, self.version))

    def use_op(self, op: str, what: str) -> bool:
        """Note an accepted attempt; False when it was accepted before, so nothing is left to do.

        Raises ``Malformed`` (``op-reused``) when the same op came with something else.
        """
        if seen := self.seen_op(op):
            if seen != what:
                raise op_reused()
            return False
        self.note_op(op, what)
        return True

    def note_op(self, op: str, what: str) -> None:
        """Keep an attempt as accepted; ``seen_op`` was asked before."""
        Op.objects.create(table=self.table, op=op, what=what)

    def seen_op(self, op: str) -> str | None:
        """What an op was accepted for, None if it was not."""
        return Op.objects.filter(table=self.table, op=op).values_list("what", flat=True).first()


def op_reused() -> Malformed:
    """An op that already stands for another write."""
    return Malformed(
        "op-reused", _("This page has sent something else before. Please try once more.")
    )


def begin(visitor: Visitor) -> Turn:
    """Lock the table, so that it has one writer at a time. Needs a transaction; once per verb.

    On SQLite the transaction itself is the lock (BEGIN IMMEDIATE), on PostgreSQL the row.
    """
    assert transaction.get_connection().in_atomic_block  # noqa: S101 - a bug, not an input
    table = Table.objects.select_for_update().get(pk=visitor.table.pk)
    return Turn(_at_the_table(visitor, table), table, timezone.now(), table.version + 1)


def _at_the_table(visitor: Visitor, table: Table) -> Visitor:
    """The visitor, if what the door saw still holds now that the table is locked.

    Raises ``PermissionDenied`` for a phone that was put out or moved to another seat meanwhile.
    """
    seen = visitor.phone
    if seen is not None:
        now = table.phones.filter(pk=seen.pk).values_list("player_id", "is_host").first()
        if now != (seen.player_id, seen.is_host):
            raise PermissionDenied(_("Your seat has changed meanwhile. Please look again."))
    return replace(visitor, table=table)


def sheet_of(turn: Turn, number: int) -> Sheet:
    """The sheet of a match as it stands now that the table is locked.

    Raises ``MatchGone`` when the match was taken back before the lock was had.
    """
    match = turn.table.matches.filter(number=number).first()
    if match is None:
        raise MatchGone(turn.visitor, number, current_number(turn.table))
    match.table = turn.table
    return load_sheet(match, sides_of(match))


def put(  # noqa: PLR0913 - a cell has that many facts
    turn: Turn,
    sheet: Sheet,
    number: int,
    column: str,
    value: int | None,
    *,
    why: str,
    op: str = "",
    corrected: bool = False,
    hand: Mapping[str, Any] | None = None,
) -> Sheet:
    """Write one cell and its history; the sheet as it stands afterwards.

    Implied numbers come and go without a new cell version, so that they never make the base of
    a page old; the round's version rises with every change.
    """
    before = sheet.row(number).cell(column)
    implied = why == Change.Why.IMPLIED
    cell = Cell(
        column=column,
        value=value,
        version=before.version if implied else turn.version,
        implied=implied and value is not None,
        corrected=before.corrected if implied else corrected,
        written_by=turn.visitor.phone.pk if turn.visitor.phone and not implied else None,
        written_at=turn.now,
    )
    row = sheet.row(number)
    after = Row(
        number,
        turn.version,
        tuple(cell if c.column == column else c for c in row.cells),
        row.confirmed,
        stored=True,
        hand=row.hand,
    )
    stored = _store_round(sheet.match, row, turn.version)
    side = next(side for side in sheet.sides if side.column == column)
    entry = Entry(
        round_id=stored,
        side_id=side.id,
        points=cell.value,
        state=Entry.State.IMPLIED if cell.implied else Entry.State.WRITTEN,
        corrected=cell.corrected,
        version=cell.version,
        written_by_id=cell.written_by,
        written_at=cell.written_at,
    )
    Entry.objects.bulk_create(
        [entry],
        update_conflicts=True,
        unique_fields=["round", "side"],
        update_fields=["points", "state", "corrected", "version", "written_by", "written_at"],
    )
    note_change(turn, sheet, (number, column, before.value, cell.value), why=why, op=op, hand=hand)
    return sheet.with_row(after)


def note_change(  # noqa: PLR0913 - a line of the history
    turn: Turn,
    sheet: Sheet,
    what: tuple[int, str, int | None, int | None],
    *,
    why: str,
    op: str = "",
    hand: Mapping[str, Any] | None = None,
) -> None:
    """Add a line to the history of a cell; ``what`` is its round, column, value before, after."""
    number, column, before, after = what
    Change.objects.create(
        table=turn.table,
        version=turn.version,
        at=turn.now,
        phone=turn.visitor.phone,
        who=turn.who,
        match_number=sheet.match.number,
        round_number=number,
        column=column,
        before=before,
        after=after,
        op=op,
        why=why,
        hand=hand,
    )


def clear_implied(turn: Turn, sheet: Sheet, number: int, *, keep: Container[str] = ()) -> Sheet:
    """Take the implied numbers of a round back to blank, all but those of the columns kept."""
    for cell in sheet.row(number).cells:
        if cell.implied and cell.column not in keep:
            sheet = put(turn, sheet, number, cell.column, None, why=Change.Why.IMPLIED)
    return sheet


def note_version(match: Match, version: int, *fields: str) -> None:
    """Stamp a match with the version at which it changed, and save the named fields."""
    match.version = version
    match.save(update_fields=["version", *fields])


def _store_round(match: Match, row: Row, version: int) -> int:
    """Write a round, new or old, in one statement; its primary key."""
    stored = Round(match=match, number=row.number, version=version)
    Round.objects.bulk_create(
        [stored],
        update_conflicts=True,
        unique_fields=["match", "number"],
        update_fields=["version"],
    )
    return stored.pk
