"""A table with everything that was written at it, in memory: between the store and a file."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from games.access import ReadAnew, SideLike, table_of
from games.kept import ENTRY, ROUND, sheet_from
from games.models import Change, Entry, LateEntry, Player, Round, Side, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from games.sheet import Sheet

TRIES = 3  # to read a table in one go while people write at it


@dataclass(frozen=True)
class TakenMatch:
    """One match: its sheet, who wrote what when, and the numbers that came after its end."""

    sheet: Sheet
    history: Sequence[Change]
    late: Sequence[LateEntry]


@dataclass(frozen=True)
class Taken:
    """A table taken home. ``SideLike.player_ids`` of its sheets are places in ``players``."""

    table: Table
    players: Sequence[Player]
    matches: Sequence[TakenMatch]


def take(table: Table) -> Taken:
    """Everything of a table, as it stood at one version: the same few queries at any size."""
    for _ in range(TRIES):
        taken = _read(table)
        now = table_of(table.pk)
        if now is None:
            raise ReadAnew
        if now.version == table.version:
            break
        table = now
    return taken


def take_sheets(table: Table) -> list[Sheet]:
    """The sheets of all matches, in their order: five queries."""
    return _sheets(table, _places(table.players.order_by("pk")))


def _read(table: Table) -> Taken:
    players = list(table.players.order_by("pk"))
    changes = _by_match(Change.objects.filter(table=table).order_by("version", "pk"))
    late: dict[int, list[LateEntry]] = defaultdict(list)
    for one in LateEntry.objects.filter(table=table).order_by("pk"):
        late[one.match_id].append(one)
    matches = [
        TakenMatch(
            sheet,
            # What is older was written in a match of this number that was taken back.
            [c for c in changes[sheet.match.number] if c.version > sheet.match.blank_version],
            late[sheet.match.pk],
        )
        for sheet in _sheets(table, _places(players))
    ]
    return Taken(table, players, matches)


def _places(players: Iterable[Player]) -> dict[int, int]:
    return {player.pk: place for place, player in enumerate(players)}


def _by_match(changes: Iterable[Change]) -> Mapping[int, list[Change]]:
    found: dict[int, list[Change]] = defaultdict(list)
    for change in changes:
        found[change.match_number].append(change)
    return found


def _sheets(table: Table, places: Mapping[int, int]) -> list[Sheet]:
    """Four queries: matches, sides with players, rounds, cells.

    ``ReadAnew`` if a match came or went meanwhile.
    """
    sides = _sides(table, places)
    entries, rounds = _entries(table), _rounds(table)
    sheets = []
    matches = list(table.matches.order_by("number"))
    if not matches or {match.pk for match in matches} != set(sides):
        raise ReadAnew
    for match in matches:
        match.table = table
        sheets.append(sheet_from(match, sides[match.pk], entries[match.pk], rounds[match.pk]))
    return sheets


def _sides(table: Table, places: Mapping[int, int]) -> Mapping[int, tuple[SideLike, ...]]:
    found: dict[int, dict[str, SideLike]] = defaultdict(dict)
    rows = (
        Side.objects.filter(match__table=table)
        .order_by("match", "column", "members__place")
        .values_list("match", "pk", "column", "name", "members__player", "members__name")
    )
    for match, pk, column, name, player, called in rows:
        if player not in places:
            raise ReadAnew
        before = found[match].get(column)
        found[match][column] = SideLike(
            pk,
            column,
            name,
            (*(before.player_ids if before else ()), places[player]),
            (*(before.players if before else ()), called),
        )
    return {match: tuple(columns.values()) for match, columns in found.items()}


def _entries(table: Table) -> Mapping[int, list[tuple[Any, ...]]]:
    found: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    rows = Entry.objects.filter(round__match__table=table).values_list("round__match", *ENTRY)
    for match, *row in rows:
        found[match].append(tuple(row))
    return found


def _rounds(table: Table) -> Mapping[int, list[tuple[Any, ...]]]:
    found: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    rows = Round.objects.filter(match__table=table).values_list("match", *ROUND)
    for match, *row in rows:
        found[match].append(tuple(row))
    return found
