"""``manage.py prune --older-than DAYS``: delete tables that nobody has touched for long."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Count, F, Prefetch, Q
from django.utils import timezone

from games import services
from games.models import Player, Table

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

DAYS_AT_MOST = 365 * 100
LOOKED_AT_ONCE, TOLD_AT_ONCE = 5000, 200  # tables


class Command(BaseCommand):
    """Says what goes, a line for each table; with ``--dry-run`` nothing does. Never by itself."""

    help = "Delete tables that nobody has touched for so many days. They are gone for good."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The age has no default, so that nothing goes by mistake."""
        parser.add_argument("--older-than", type=int, required=True, metavar="DAYS")
        parser.add_argument("--dry-run", action="store_true", help="only say what would go")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Go through the tables, the oldest first."""
        days = options["older_than"]
        if not 1 <= days <= DAYS_AT_MOST:
            raise CommandError(f"--older-than takes days from 1 to {DAYS_AT_MOST}, not {days}.")
        since = timezone.now() - timedelta(days=days)
        gone = 0
        for table in _untouched(since):
            if options["dry_run"] or services.prune_table(pk=table.pk, untouched_since=since):
                self.stdout.write(_told(table))
                gone += 1
        would = "would go" if options["dry_run"] else "gone"
        self.stdout.write(f"{gone} table{'' if gone == 1 else 's'} {would}.")


def _untouched(since: datetime) -> Iterator[Table]:
    """The tables that nobody has touched since, the oldest first, with what is told of them."""
    pks = [pk for _touched_at, pk in sorted(_found(since))]
    for first in range(0, len(pks), TOLD_AT_ONCE):
        yield from _with_what_is_told(pks[first : first + TOLD_AT_ONCE])


def _found(since: datetime) -> Iterator[tuple[datetime, int]]:
    """When they were touched, and their keys.

    Every table is looked at, in pieces. An index of this moment would be written with each number.
    """
    last = 0
    rows = Table.objects.order_by("pk").values_list("touched_at", "pk")
    while piece := list(rows.filter(pk__gt=last)[:LOOKED_AT_ONCE]):
        last = piece[-1][1]
        yield from (row for row in piece if row[0] < since)


def _with_what_is_told(pks: Sequence[int]) -> QuerySet[Table]:
    written = Q(matches__rounds__entries__points__isnull=False)
    seated_first = Player.objects.order_by(F("seat").asc(nulls_last=True))
    return (
        Table.objects.filter(pk__in=pks)
        .annotate(
            played=Count("matches", distinct=True),
            deals=Count("matches__rounds", filter=written, distinct=True),
        )
        .prefetch_related(Prefetch("players", seated_first))
        .order_by("touched_at", "pk")
    )


def _told(table: Any) -> str:
    """A table in one line, without its key."""
    names = ", ".join(player.name for player in table.players.all())
    game = table.game.name
    day = f"{table.touched_at:%Y-%m-%d}"
    return f"{day}  {game}: {names}; matches: {table.played}, deals: {table.deals}"
