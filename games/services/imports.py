"""Bringing a table back that was taken home: as a new one of the phone that brings it."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from games.models import Change, Entry, LateEntry, Match, Phone, Player, Round, Side
from games.services.tables import free_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from games.exchange import Taken, TakenMatch
    from games.models import Table
    from games.sheet import Sheet


def import_table(*, token_hash: str, taken: Taken) -> Table:
    """Store a table as it was taken home, all of it or nothing; the phone that asks is the host.

    Its history stays as it was, and every number is marked as brought back, by whom and when.
    """
    with transaction.atomic():
        now = timezone.now()
        table = taken.table
        table.code, table.touched_at = free_code(), now
        table.matches_made = len(taken.matches)
        table.save()
        Phone.objects.create(table=table, token_hash=token_hash, is_host=True, seen_at=now)
        for player in taken.players:
            player.table = table
        players = Player.objects.bulk_create(taken.players)
        Match.objects.bulk_create(map(_match, taken.matches))
        _write_sheets([one.sheet for one in taken.matches], players)
        Change.objects.bulk_create(
            _of_table(change, table, one) for one in taken.matches for change in _history(one, now)
        )
        LateEntry.objects.bulk_create(late for one in taken.matches for late in _late(table, one))
        return table


def _match(one: TakenMatch) -> Match:
    match = one.sheet.match
    match.table_id = match.table.pk
    if not match.is_open:
        match.result = one.sheet.result()
    return match


def _write_sheets(sheets: list[Sheet], players: list[Player]) -> None:
    """The sides of all matches with their players, the rounds and the numbers."""
    sides = {
        (side.match_id, side.column): side
        for side in Side.objects.bulk_create(
            Side(match=sheet.match, column=side.column, name=side.name)
            for sheet in sheets
            for side in sheet.sides
        )
    }
    plays = Side.players.through
    plays.objects.bulk_create(
        plays(side_id=sides[sheet.match.pk, side.column].pk, player_id=players[place].pk)
        for sheet in sheets
        for side in sheet.sides
        for place in side.player_ids
    )
    rounds = {
        (each.match_id, each.number): each
        for each in Round.objects.bulk_create(
            Round(
                match=sheet.match,
                number=row.number,
                hand=row.hand,
                confirmed=row.confirmed,
                version=row.version,
            )
            for sheet in sheets
            for row in sheet.rows
        )
    }
    Entry.objects.bulk_create(
        Entry(
            round=rounds[sheet.match.pk, row.number],
            side=sides[sheet.match.pk, cell.column],
            points=cell.value,
            state=Entry.State.IMPLIED if cell.implied else Entry.State.WRITTEN,
            corrected=cell.corrected,
            version=cell.version,
            written_at=cell.written_at,
        )
        for sheet in sheets
        for row in sheet.rows
        for cell in row.cells
        if cell.value is not None
    )


def _of_table(change: Change, table: Table, one: TakenMatch) -> Change:
    change.table, change.version = table, table.version
    change.match_number = one.sheet.match.number
    return change


def _history(one: TakenMatch, now: datetime) -> Iterator[Change]:
    """What was written, and after it that it was brought back."""
    stood: dict[tuple[int, str], int | None] = {}
    for change in one.history:
        stood[change.round_number, change.column] = change.after
        yield change
    for row in one.sheet.rows:
        for cell in row.cells:
            if cell.value is not None:
                yield Change(
                    at=now,
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
