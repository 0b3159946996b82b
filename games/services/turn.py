"""What every verb starts and ends with: the locked table, the next version, the ops."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from games import bus, kept, measured
from games.access import MatchGone, TableDeleted, Visitor, current_number, sides_of, stored_match
from games.models import Change, Entry, LateEntry, Match, Op, Phone, Round, Table
from games.prepared import Given, Insertion, Prepared, columns_of, stored, update
from games.services.refusals import Malformed
from games.sheet import Cell, Row

if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from datetime import datetime
    from typing import Any

    from games.kept import Snapshot
    from games.sheet import Sheet


_LOCKED = Prepared(
    Table.objects.select_for_update().filter(pk=Given("pk")).values_list(*columns_of(Table))
)
_PHONES = Prepared(
    Phone.objects.filter(pk=Given("pk")).values_list("table_id", "player_id", "is_host")
)
_NEW_OPS = Insertion(Op)
_NEW_CHANGES = Insertion(Change)
_NEW_ROUNDS = Insertion(Round, unique=("match", "number"), renew=("version",))
_NEW_ENTRIES = Insertion(
    Entry,
    unique=("round", "side"),
    renew=("points", "state", "corrected", "was", "version", "written_by", "written_at"),
)
_OPS = Prepared(
    Table.objects.filter(pk=Given("table")).values_list(
        Subquery(Op.objects.filter(table=OuterRef("pk"), op=Given("op")).values("what")),
        Exists(
            LateEntry.objects.filter(
                table=OuterRef("pk"), op=Given("op"), decision=LateEntry.Decision.OPEN
            )
        ),
    )
)


@dataclass
class Turn:
    """One verb at one table: who, when, and the version its changes will carry."""

    visitor: Visitor
    table: Table
    now: datetime
    version: int
    after: Snapshot | None = None  # what the verb leaves, where it has that at hand
    cells: int = 0  # that the verb has written

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
        update(self.table, "version", "touched_at", *fields)
        transaction.on_commit(self._tell)

    def _tell(self) -> None:
        """Keep what stands now for all who will ask, and let them know."""
        if self.after is not None:
            kept.keep(self.after)
        bus.publish(self.table.pk, self.version)
        measured.ENTRIES.inc(self.cells)

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
        _NEW_OPS.write(table_id=self.table.pk, op=op, what=what)

    def seen_op(self, op: str) -> str | None:
        """What an op was accepted for, None if it was not."""
        return self.look_up(op)[0]

    def look_up(self, op: str) -> tuple[str | None, bool]:
        """What an op was accepted for; and whether its number waits, as it came after the end."""
        ((what, waits),) = _OPS.ask(table=self.table.pk, op=op)
        if what is not None:
            measured.REPEATS.inc()
        return what, waits


def op_reused() -> Malformed:
    """An op that already stands for another write."""
    return Malformed(
        "op-reused", _("This page has sent something else before. Please try once more.")
    )


def begin(visitor: Visitor) -> Turn:
    """Lock the table, so that it has one writer at a time. Needs a transaction; once per verb.

    On SQLite the transaction itself is the lock (BEGIN IMMEDIATE), on PostgreSQL the row. Raises
    ``TableDeleted`` for a table that went while the verb waited for it.
    """
    assert transaction.get_connection().in_atomic_block  # noqa: S101 - a bug, not an input
    rows = _LOCKED.ask(pk=visitor.table.pk)
    if not rows:
        raise TableDeleted
    table: Table = stored(Table, rows[0])
    return Turn(_at_the_table(visitor, table), table, timezone.now(), table.version + 1)


def _at_the_table(visitor: Visitor, table: Table) -> Visitor:
    """The visitor, if what the door saw still holds now that the table is locked.

    Raises ``PermissionDenied`` for a phone that was put out or moved to another seat meanwhile.
    """
    seen = visitor.phone
    if seen is not None:
        now = _PHONES.ask(pk=seen.pk)
        if now != [(table.pk, seen.player_id, seen.is_host)]:
            raise PermissionDenied(_("Your seat has changed meanwhile. Please look again."))
    return replace(visitor, table=table)


def sheet_of(turn: Turn, number: int) -> Sheet:
    """The sheet of a match as it stands now that the table is locked.

    Raises ``MatchGone`` when the match was taken back before the lock was had.
    """
    match = stored_match(turn.table, number)
    if match is None:
        raise MatchGone(turn.visitor, number, current_number(turn.table))
    if (found := kept.find(turn.table, number)) is not None:
        return found.sheet.with_match(match)
    return kept.load_sheet(match, sides_of(match))


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
    turn.cells += not implied
    cell = Cell(
        column=column,
        value=value,
        version=before.version if implied else turn.version,
        implied=implied and value is not None,
        corrected=before.corrected if implied else corrected,
        was=_was(before, value) if corrected and not implied else before.was,
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
    round_id = _NEW_ROUNDS.write(
        match_id=sheet.match.pk, number=number, version=turn.version, hand=None, confirmed={}
    )
    side = next(side for side in sheet.sides if side.column == column)
    _NEW_ENTRIES.write(
        round_id=round_id,
        side_id=side.id,
        points=cell.value,
        state=Entry.State.IMPLIED if cell.implied else Entry.State.WRITTEN,
        corrected=cell.corrected,
        was=cell.was,
        version=cell.version,
        written_by_id=cell.written_by,
        written_at=cell.written_at,
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
    _NEW_CHANGES.write(
        table_id=turn.table.pk,
        version=turn.version,
        at=turn.now,
        phone_id=turn.visitor.phone.pk if turn.visitor.phone else None,
        who=turn.who,
        match_number=sheet.match.number,
        round_number=number,
        column=column,
        before=before,
        after=after,
        op=op,
        why=why,
        hand=hand,
        from_round=None,
    )


def _was(before: Cell, value: int | None) -> int | None:
    """The number that stood before a correction; a cell that was cleared remembers it."""
    if before.value is None or before.implied or before.value == value:
        return before.was
    return before.value


def clear_implied(turn: Turn, sheet: Sheet, number: int, *, keep: Container[str] = ()) -> Sheet:
    """Take the implied numbers of a round back to blank, all but those of the columns kept."""
    for cell in sheet.row(number).cells:
        if cell.implied and cell.column not in keep:
            sheet = put(turn, sheet, number, cell.column, None, why=Change.Why.IMPLIED)
    return sheet


def note_version(match: Match, version: int, *fields: str) -> None:
    """Stamp a match with the version at which it changed, and save the named fields."""
    match.version = version
    update(match, "version", *fields)
