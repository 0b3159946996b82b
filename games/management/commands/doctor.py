"""``manage.py doctor``: look a set-up over, and say what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from games.upkeep import doctor

if TYPE_CHECKING:
    from argparse import ArgumentParser

MARKS = {"fine": "ok  ", "note": "note", "wrong": "BAD "}


class Command(BaseCommand):
    """A line for each finding; exit status 1 when something is wrong."""

    help = "Look this set-up over, and say what to do."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """By default only what holds everywhere is looked at."""
        parser.add_argument("--deploy", action="store_true", help="and what a public server needs")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Look, and tell."""
        wrong = 0
        for what, weight, say in doctor.look(deploy=options["deploy"]):
            self.stdout.write(f"{MARKS[weight]}  {what}: {say}")
            wrong += weight == "wrong"
        if wrong:
            raise CommandError(f"{wrong} thing{'' if wrong == 1 else 's'} to put right.")
        self.stdout.write("All is well.")
