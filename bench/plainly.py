"""The statements of a number by Django's ORM and nothing else: what the product is measured by.

Needs Django to be set up; ``inside`` does it. When a POST asks the store for something else than it
did, this has to follow; the table of the bench tells how many statements each has.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.db.models import Count, F
from django.utils import timezone

from bench.sheets import Entry, Sheet
from games import access
from games.models import Change, LateEntry, Match, Op, Phone, Round, Side, Table
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
        Op.objects.filter(table=table, op=op).values_list("what", flat=True).first()
        Op.objects.create(table=table, op=op, what=f"m1 cell {entry.place}={entry.value}")
        LateEntry.objects.filter(table=table, op=op, decision=OPEN).values_list("pk").first()
        table.version = match.version = table.version + 1
        _put(entry, phone, match, sides[sheet.key, entry.column])
        _note(entry, phone, table, op)
        match.save(update_fields=["version"])
        table.save(update_fields=["version", "touched_at"])
        list(LateEntry.objects.filter(table=table, decision=OPEN).select_related("match"))
        list(
            Match.objects.filter(table=table)
            .order_by("number")
            .annotate(seated=Count("table__phones__player"))
            .values_list("number", "result", "seated", F("table__version"))
        )


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
