"""Bringing a table back that was taken home: as a new one of the phone that brings it."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from games.models import Change, Entry, LateEntry, Match, Member, Phone, Player, Round, Side
from games.moves import moves_of
from games.prepared import Insertion
from games.services.tables import free_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from games.exchange import Taken, TakenMatch
    from games.models import Table
    from games.sheet import Sheet


_NEW_ENTRIES = Insertion(Entry)
_NEW_CHANGES = Insertion(Change)


def import_table(*, token_hash: str, taken: Taken) -> Table:
    """Store a table as it was taken home, all of it or nothing; the phone that asks is the host.

    Its history stays as it was, and every number is marked as brought back, by whom and when.
    """
    now = timezone.now()
    table = taken.table
    table.touched_at, table.matches_made = now, len(taken.matches)
    table.version = 1 + max(_versions(taken), default=0)
    # What takes long comes before the lock, for which all tables have to wait.
    changes = [change for one in taken.matches for change in _history(one, now)]
    with transaction.atomic():
        table.code = free_code()
        table.save()
        Phone.objects.create(table=table, token_hash=token_hash, is_host=True, seen_at=now)
        for player in taken.players:
            player.table = table
        players = Player.objects.bulk_create(taken.players)
        Match.objects.bulk_create(_match(table, one, players) for one in taken.matches)
        _write_sheets([one.sheet for one in taken.matches], players)
        _NEW_CHANGES.write_all({**vars(change), "table_id": table.pk} for change in changes)
        LateEntry.objects.bulk_create(late for one in taken.matches for late in _late(table, one))
        return table


def _versions(taken: Taken) -> Iterator[int]:
    """The versions of the table at which something happened before it was taken home."""
    for one in taken.matches:
        yield from (change.version for change in one.history)
        yield from (move.version for move in moves_of(one.sheet.match.moves))


def _match(table: Table, one: TakenMatch, players: list[Player]) -> Match:
    match = one.sheet.match
    match.table, match.version = table, table.version  # the table has a number by now
    if not match.is_open:
        sides = tuple(
            replace(side, player_ids=tuple(players[place].pk for place in side.player_ids))
            for side in one.sheet.sides
        )
        match.result = replace(one.sheet, sides=sides).result()
    return match


def _write_sheets(sheets: list[Sheet], players: list[Player]) -> None:
    """The sides of all matches with their players, the rounds and the numbers."""
    sides = {
        (side.match_id, side.column): side.pk
        for side in Side.objects.bulk_create(
            Side(match=sheet.match, column=side.column, name=side.name)
            for sheet in sheets
            for side in sheet.sides
        )
    }
    Member.objects.bulk_create(
        Member(
            side_id=sides[sheet.match.pk, side.column],
            player=players[player],
            place=place,
            name=name,
        )
        for sheet in sheets
        for side in sheet.sides
        for place, (player, name) in enumerate(zip(side.player_ids, side.players, strict=True))
    )
    rounds = {
        (each.match_id, each.number): each.pk
        for each in Round.objects.bulk_create(
            Round(
                match_id=sheet.match.pk,
                number=row.number,
                hand=row.hand,
                confirmed=row.confirmed,
                version=sheet.match.version,
            )
            for sheet in sheets
            for row in sheet.rows
        )
    }
    _NEW_ENTRIES.write_all(
        {
            "round_id": rounds[sheet.match.pk, row.number],
            "side_id": sides[sheet.match.pk, cell.column],
            "points": cell.value,
            "state": Entry.State.IMPLIED if cell.implied else Entry.State.WRITTEN,
            "corrected": cell.corrected,
            "was": cell.was,
            "version": sheet.match.version,
            "written_by_id": None,
            "written_at": cell.written_at,
        }
        for sheet in sheets
        for row in sheet.rows
        for cell in row.cells
        if cell.value is not None
    )


def _history(one: TakenMatch, now: datetime) -> Iterator[Change]:
    """What was written, and after it that it was brought back."""
    stood: dict[tuple[int, str], int | None] = {}
    match, version = one.sheet.match, one.sheet.match.table.version
    for change in one.history:
        stood[change.round_number, change.column] = change.after
        change.match_number = match.number
        yield change
    for row in one.sheet.rows:
        for cell in row.cells:
            if cell.value is not None:
                yield Change(
                    version=version,
                    at=now,
                    match_number=match.number,
                    round_number=row.number,
                    column=cell.column,
                    before=stood.get((row.number, cell.column)),
                    after=cell.value,
                    why=Change.Why.IMPORT,
                )


def _late(table: Table, one: TakenMatch) -> Iterable[LateEntry]:
    for late in one.late:
        late.table, late.match, late.op = table, one.sheet.match, str(uuid.uuid4())
        yield late
