"""``manage.py restore FILE``: a copy of the store becomes the store again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.upkeep import restore
from games.upkeep.store_file import StoreTrouble

if TYPE_CHECKING:
    from argparse import ArgumentParser

ELSEWHERE = """The store is PostgreSQL, which brings its own tool. Stop the server, and then:

  pg_restore --clean --if-exists --no-owner --dbname="$DATABASE_URL" scoresheet.dump
  manage.py migrate
  manage.py restore --already-back

The last line makes phones take over what the copy says."""


class Command(BaseCommand):
    """The store of before is kept aside, and a running server goes on."""

    help = "Bring a copy of the store back. What is there now is kept aside."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """A copy, or word that other tools have brought one back."""
        parser.add_argument("file", nargs="?", type=Path, help="a copy made by manage.py backup")
        parser.add_argument(
            "--server-is-stopped",
            action="store_true",
            help="no server uses the store: a broken one may be replaced",
        )
        parser.add_argument(
            "--already-back",
            action="store_true",
            help="pg_restore has brought the store back; only see to it that phones take it over",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Bring it back, and say where the store of before lies."""
        if options["already_back"]:
            restore.renumber()
            self.stdout.write("Phones take over what the store holds now.")
            return
        if not settings.EMBEDDED:
            raise CommandError(ELSEWHERE)
        if options["file"] is None:
            raise CommandError("Name the copy: manage.py restore FILE")
        try:
            done = restore.restore(options["file"], server_is_stopped=options["server_is_stopped"])
        except StoreTrouble as trouble:
            raise CommandError(f"Nothing was changed. {trouble}") from trouble
        for line in restore.describe(done):
            self.stdout.write(line)
