"""``manage.py backup [FILE]``: a copy of the store, taken while people write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.upkeep import backup
from games.upkeep.store_file import StoreTrouble

if TYPE_CHECKING:
    from argparse import ArgumentParser

ELSEWHERE = """The store is PostgreSQL, which brings its own tool. With the address of DATABASE_URL:

  pg_dump --format=custom --file=scoresheet.dump "$DATABASE_URL"

docs/operating.md says how to bring it back."""


class Command(BaseCommand):
    """Copies the store, reads the copy through, and says where it lies."""

    help = "Copy the store while it is in use. The copy is checked, and only its owner may read it."
    requires_system_checks = ()  # a store in trouble is copied all the same

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Nothing is needed."""
        parser.add_argument(
            "file", nargs="?", type=Path, help="by default backups/ in the data folder"
        )
        parser.add_argument(
            "--keep", type=int, metavar="N", help="keep only the newest N of the usual folder"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Copy, and then clear up."""
        keep = options["keep"]
        if not settings.EMBEDDED:
            raise CommandError(ELSEWHERE)
        if keep is not None and (keep < 1 or options["file"]):
            raise CommandError("--keep takes a number from 1, and copies in the usual folder only.")
        try:
            place = backup.back_up(options["file"])
            self.stdout.write(f"{place}  ({place.stat().st_size:,} bytes, read through: sound)")
            for path in backup.keep_newest(keep) if keep else ():
                self.stdout.write(f"deleted {path.name}")
        except StoreTrouble as trouble:
            raise CommandError(f"No copy was made. {trouble}") from trouble
