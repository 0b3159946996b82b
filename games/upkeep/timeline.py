"""Versions after a store was brought back from a copy: newer than anything a phone has seen.

Phones take nothing that is older than what they show. A copy is older, so all versions of a table
are moved up together by as much: what came before what stays as it was, and every phone, page and
stream takes the whole sheet as news. A number that was typed before meets a newer cell, and its
person is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import apps
from django.db.models import F, Max

from games.models import Match, Table

if TYPE_CHECKING:
    from django.db.models import Model

# Where the store of before is lost, phones may have seen more than the copy knows.
MORE_THAN_AN_EVENING = 1_000_000


def version_fields() -> dict[type[Model], list[str]]:
    """Every field that holds a version of a table, by model."""
    found = {}
    for model in apps.get_app_config("games").get_models():
        names = [field.name for field in model._meta.concrete_fields]  # noqa: SLF001
        versions = [name for name in names if name == "version" or name.endswith("_version")]
        if versions:
            found[model] = versions
    return found


def highest_version() -> int:
    """The highest version that any table of this store has had."""
    return Table.objects.aggregate(highest=Max("version"))["highest"] or 0


def move_up(by: int) -> None:
    """Raise every version of every table by as much. Needs a transaction."""
    for model, names in version_fields().items():
        model._base_manager.update(**{name: F(name) + by for name in names})  # noqa: SLF001
    for match in Match.objects.exclude(moves=[]).only("moves").iterator():
        match.moves = [[version + by, *what] for version, *what in match.moves]
        match.save(update_fields=["moves"])
