"""The statements of a number by Django's ORM and nothing else: what the product is measured by.

Needs Django to be set up; ``inside`` does it. When a POST asks the store for something else than it
did, this has to follow; the table of the bench tells how many statements each has.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Subquery
from django.utils import timezone

from bench.sheets import Entry, Sheet
from games import access
from games.models import Change, LateEntry, Match, Op, Phone, Round, SeatRequest, Side, Table
from games.models import Entry as StoredEntry

OPEN = LateEntry.Decision.OPEN


def write(sheet: Sheet, sides: Mapping[tuple[str, str], int]) -> None:
    """Write the next number of a sheet, as a POST does for a sheet that its process has seen."""
    entry, op = sheet.next_entry(), sheet.new_op()
    phone = Phone.objects.select_related("table", "player").get(
        table__key=sheet.key, token_hash=access.hash_of(sheet.seated[entry.seat])
    )
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=phone.table_id)
        Phone.objects.values_list("table_id", "player_id", "is_host").get(pk=phone.pk)
        match = Match.objects.get(table=table, number=1)
        _ask_for(op, table)
        Op.objects.create(table=table, op=op, what=f"m1 cell {entry.place}={entry.value}")
        table.version = match.version = table.version + 1
        _put(entry, phone, match, sides[sheet.key, entry.column])
        _note(entry, phone, table, op)
        match.save(update_fields=["version"])
        table.save(update_fields=["version", "touched_at"])
        _look_around(match)


def _ask_for(op: str, table: Table) -> None:
    seen = Op.objects.filter(table=OuterRef("pk"), op=op).values("what")
    late = LateEntry.objects.filter(table=OuterRef("pk"), op=op, decision=OPEN)
    Table.objects.values_list(Subquery(seen), Exists(late)).get(pk=table.pk)


def _look_around(match: Match) -> None:
    """What else the answer shows of the table."""
    of_the_table = {"table": OuterRef("table")}
    sitting = Phone.objects.filter(**of_the_table, player__seat__isnull=False)
    seated = sitting.values("table").annotate(n=Count("player"))
    wishes = SeatRequest.objects.filter(**of_the_table).values("table").annotate(n=Count("pk"))
    late = LateEntry.objects.filter(**of_the_table, decision=OPEN)
    around = (Subquery(seated.values("n")), Subquery(wishes.values("n")), Exists(late))
    Match.objects.values_list("number", "table__version", *around).get(pk=match.pk)


def _put(entry: Entry, phone: Phone, match: Match, side: int) -> None:
    (row,) = Round.objects.bulk_create(
        [Round(match=match, number=entry.number, version=match.version)],
        update_conflicts=True,
        unique_fields=["match", "number"],
        update_fields=["version"],
    )
    StoredEntry.objects.bulk_create(
        [
            StoredEntry(
                round=row,
                side_id=side,
                points=entry.value,
                version=match.version,
                written_by=phone,
                written_at=timezone.now(),
            )
        ],
        update_conflicts=True,
        unique_fields=["round", "side"],
        update_fields=["points", "state", "corrected", "version", "written_by", "written_at"],
    )


def _note(entry: Entry, phone: Phone, table: Table, op: str) -> None:
    Change.objects.create(
        table=table,
        version=table.version,
        at=timezone.now(),
        phone=phone,
        who=phone.player.name if phone.player else "",
        match_number=1,
        round_number=entry.number,
        column=entry.column,
        after=entry.value,
        op=op,
        why=Change.Why.OWN,
    )


def sides_of_all() -> dict[tuple[str, str], int]:
    """The columns of all tables, by key and letter."""
    return {
        (key, column): side
        for key, column, side in Side.objects.values_list("match__table__key", "column", "pk")
    }
