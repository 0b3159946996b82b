"""Seats of people: a person has one, or sits out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.models import Table


def seat_people(table: Table, people: Sequence[int]) -> bool:
    """Let these people sit on seats 0, 1, ..., and all others sit out; whether anybody moved."""
    wanted = {player: seat for seat, player in enumerate(people)}
    moved = [player for player in table.players.all() if player.seat != wanted.get(player.pk)]
    table.players.filter(pk__in=[player.pk for player in moved]).update(seat=None)
    for player in moved:
        player.seat = wanted.get(player.pk)
        player.save(update_fields=["seat"])
    return bool(moved)
