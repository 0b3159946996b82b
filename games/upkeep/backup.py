"""Copies of the store, taken while people write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from games.upkeep import store_file
from games.upkeep.store_file import StoreTrouble

if TYPE_CHECKING:
    from pathlib import Path

NAMED = "scoresheet-*.sqlite3"  # the copies that ``keep_newest`` looks after


def back_up(place: Path | None = None) -> Path:
    """Take a copy, at a place or under the name of this moment; where it lies.

    It is there whole or not at all. Raises ``StoreTrouble``.
    """
    place = place or store_file.backups_folder() / f"scoresheet-{moment()}.sqlite3"
    source = store_file.live_file()
    if place.exists():
        raise StoreTrouble(f"{place} is there already, and stays as it is. Name another place.")
    if not source.exists():
        raise StoreTrouble(f"There is no store at {source} yet, so there is nothing to copy.")
    aside = store_file.copy(source, place.parent)
    with store_file.told(place):
        aside.rename(place)
    return place


def keep_newest(number: int) -> list[Path]:
    """Delete all but the newest copies that lie in the usual folder; those that went."""
    copies = sorted(store_file.backups_folder().glob(NAMED))
    gone = copies[:-number]
    for path in gone:
        with store_file.told(path):
            path.unlink()
    return gone


def newest() -> Path | None:
    """The newest copy in the usual folder."""
    return max(store_file.backups_folder().glob(NAMED), default=None)


def moment() -> str:
    """This moment, as it stands in the names of files: they sort by time."""
    return f"{timezone.now():%Y-%m-%dT%H-%M-%SZ}"
