"""The history of a match in the order of its writes, newest first: who, when, what, and why."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _

from games.models import Change
from games.moves import moves_of
from games.sheet import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from games.access import Visitor
    from games.moves import Move
    from games.sheet import Cell, Sheet

WRITES_AT_MOST = 40  # on one page
FOLLOWS = (Change.Why.IMPLIED, Change.Why.MOVED)


class Line(NamedTuple):
    """One cell that a write has changed; ``was`` is the number its deal had before it moved."""

    number: int
    name: str
    shape: str
    before: int | None
    after: int | None
    was: int | None


class Write(NamedTuple):
    """Everything that one write has changed.

    ``number`` is the deal that somebody wrote in, ``now`` the number it has by now (None: it was
    removed), ``follows`` what the rules made of it, ``moved`` the move in words, if it was one, and
    ``gone`` what stood in a deal that was removed. ``back`` says that this viewer may take it back,
    ``puts`` which numbers would stand then, ``comes_back`` that a removed deal can be put back.
    """

    version: int
    at: datetime
    who: str
    why: str
    number: int
    now: int | None
    lines: tuple[Line, ...]
    follows: tuple[Line, ...]
    moved: str
    gone: str
    back: bool
    puts: str
    comes_back: bool


def read_history(
    sheet: Sheet, visitor: Visitor, *, number: int | None = None, before: int | None = None
) -> tuple[list[Write], int | None]:
    """The newest writes, those of one deal or all, before a version; two queries.

    With them the version before which there are more, None where that is all.
    """
    changes = Change.objects.filter(
        table=sheet.match.table,
        match_number=sheet.match.number,
        version__gt=sheet.match.blank_version,
    )
    if number is not None:
        changes = changes.filter(round_number=number)
    older = changes if before is None else changes.filter(version__lt=before)
    versions = older.order_by("-version").values_list("version", flat=True).distinct()
    newest = list(versions[: WRITES_AT_MOST + 1])
    shown = newest[:WRITES_AT_MOST]
    found = changes.filter(version__in=shown).order_by("-version", "pk")
    writes = [
        _write(sheet, visitor, list(one), is_part=number is not None)
        for _version, one in groupby(found, key=lambda change: change.version)
    ]
    return writes, shown[-1] if len(newest) > len(shown) else None


def own_last(visitor: Visitor, cell: Cell, changes: Iterable[Change]) -> int | None:
    """The version of this phone's own write in a cell, if it is the last there: to take back.

    ``changes`` are those of the cell, the newest first. What was taken back is not done again so.
    """
    last = next((one for one in changes if one.why != Change.Why.IMPLIED), None)
    phone = visitor.phone
    if last is None or phone is None or last.phone_id != phone.pk or last.version != cell.version:
        return None
    is_entry = last.why not in {Change.Why.UNDO, Change.Why.MOVED} and last.before != last.after
    return last.version if is_entry else None


def move_words(move: Move, who: str) -> str:
    """What somebody did to a deal in the wrong place."""
    told = {"who": who or _("The host"), "number": move.number, "next": move.number + 1}
    if move.what == "remove":
        return _("%(who)s removed deal %(number)s") % told
    if move.what == "insert":
        return _("%(who)s put in deal %(number)s") % told
    return _("%(who)s swapped deals %(number)s and %(next)s") % told


def _write(sheet: Sheet, visitor: Visitor, changes: Sequence[Change], *, is_part: bool) -> Write:
    """One write; of a move only what one deal has of it is listed, in the history of that deal."""
    version = changes[0].version
    moves = moves_of(sheet.match.moves)
    move = next((one for one in moves if one.version == version), None)
    is_last_removal = move is not None and move.what == "remove" and move == moves[-1]
    written = [one for one in changes if one.why not in FOLLOWS]
    first = (written or changes)[0]
    listed = [one for one in changes if one.why == Change.Why.MOVED] if is_part else []
    gone = [
        one.before
        for one in changes
        if move and move.what == "remove" and one.why == Change.Why.MOVED
        and one.round_number == move.number and one.before is not None
    ]  # fmt: skip
    changed = [one for one in written if one.before != one.after]
    now = sheet.match.whereabouts(first.round_number, version)
    return Write(
        version=version,
        at=first.at,
        who=first.who,
        why=Change.Why.MOVED if move else first.why,
        number=first.round_number,
        now=now,
        lines=tuple(_line(sheet, one) for one in written or listed),
        follows=tuple(_line(sheet, one) for one in changes if one.why == Change.Why.IMPLIED),
        moved=move_words(move, first.who) if move else "",
        gone=" : ".join(map(str, gone)),
        back=move is None and _can_go_back(sheet, visitor, changed, now),
        puts=" : ".join("–" if one.before is None else str(one.before) for one in changed)
        if any(one.before is not None for one in changed)
        else "",
        comes_back=is_last_removal and visitor.is_host and not is_part,
    )


def _line(sheet: Sheet, change: Change) -> Line:
    side = next(side for side in sheet.sides if side.column == change.column)
    was = change.from_round if change.after is not None else None
    return Line(
        change.round_number, side.name, MARKS[change.column], change.before, change.after, was
    )


def _can_go_back(
    sheet: Sheet, visitor: Visitor, changed: Sequence[Change], now: int | None
) -> bool:
    """Whether a write can be taken back by this viewer, and that would change something."""
    if not changed or now is None:
        return False
    cells = [sheet.row(now).cell(one.column) for one in changed]
    if all(cell.value == one.before for cell, one in zip(cells, changed, strict=True)):
        return False
    if visitor.is_host:
        return True
    phone = visitor.phone
    mine = visitor.columns(sheet.sides)
    return sheet.match.is_open and all(
        phone is not None
        and one.phone_id == phone.pk
        and one.column in mine
        and cell.version == one.version
        for cell, one in zip(cells, changed, strict=True)
    )
