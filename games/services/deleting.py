"""Tables that go for good: deleted by their host, or pruned as nobody has touched them for long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from games import bus
from games.access import hash_of
from games.models import DeletedTable, Group, Table
from games.services.turn import begin

if TYPE_CHECKING:
    from datetime import datetime

    from games.access import Visitor


def delete_table(*, visitor: Visitor) -> None:
    """Delete a table with everything that was written at it. The host's.

    Its streams end, and its address says from now on that it was deleted.
    """
    with transaction.atomic():
        turn = begin(visitor)
        turn.visitor.must_host()
        _delete(turn.table)


def prune_table(*, pk: int, untouched_since: datetime) -> bool:
    """Delete a table unless somebody has touched it since; whether it was deleted."""
    with transaction.atomic():
        table = Table.objects.select_for_update().filter(pk=pk).first()
        if table is None or table.touched_at >= untouched_since:
            return False
        _delete(table)
        return True


def _delete(table: Table) -> None:
    """Take a table out of the store, and let phones that listen find that out at once."""
    pk, next_version = table.pk, table.version + 1
    DeletedTable.objects.create(key_hash=hash_of(table.key), at=timezone.now())
    group = Group.objects.select_for_update().filter(tables__table=table).first()
    table.delete()
    if group is not None and not group.tables.exists():
        group.delete()  # that was its last table
    transaction.on_commit(lambda: bus.publish(pk, next_version))
