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
    from datetime import datetime

    from django.db.models import QuerySet

DAYS_AT_MOST = 365 * 100


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


def _untouched(since: datetime) -> QuerySet[Table]:
    written = Q(matches__rounds__entries__points__isnull=False)
    seated_first = Player.objects.order_by(F("seat").asc(nulls_last=True))
    return (
        Table.objects.filter(touched_at__lt=since)
        .annotate(
            played=Count("matches", distinct=True),
            deals=Count("matches__rounds", filter=written, distinct=True),
        )
        .prefetch_related(Prefetch("players", seated_first))
        .order_by("touched_at")
    )


def _told(table: Any) -> str:
    """A table in one line, without its key."""
    names = ", ".join(player.name for player in table.players.all())
    game = table.game.name
    day = f"{table.touched_at:%Y-%m-%d}"
    return f"{day}  {game}: {names}; matches: {table.played}, deals: {table.deals}"
