"""Evenings as they stand at a version of their table, kept in this process.

A match is folded once for each version it has had, so a number costs the fold of its own match
alone; the evening is put together from the folds once for each version of the table.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from cachetools import LRUCache
from django.db.models import F

from games import kept
from games.access import ReadAnew, SideLike
from games.evening import Evening, Played, Told, gather
from games.evening import played as fold_match
from games.models import Entry, Match, Round, Side, Table
from games.prepared import Given, Prepared, columns_of, stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FOLDS_KEPT = 4096  # of some 10 kB, where there are thirty rounds
EVENINGS_KEPT = 256

Fold = tuple[str, int, int]  # the key of a table, a match, the version of the match

_folds: LRUCache[Fold, Played] = LRUCache(FOLDS_KEPT)
_evenings: LRUCache[str, tuple[int, Evening]] = LRUCache(EVENINGS_KEPT)
_keeping = Lock()

_SIDES = Prepared(
    Side.objects.filter(match__table=Given("table"))
    .order_by("match__number", "column", F("players__seat").asc(nulls_last=True), "players__pk")
    .values_list("match", "match__version", "pk", "column", "name", "players__pk", "players__name")
)
_MATCHES = Prepared(
    Match.objects.filter(table=Given("table"), version__gte=Given("since")).values_list(
        *columns_of(Match)
    )
)
_ENTRIES = Prepared(
    Entry.objects.filter(
        round__match__table=Given("table"), round__match__version__gte=Given("since")
    ).values_list("round__match", *kept.ENTRY)
)
_ROUNDS = Prepared(
    Round.objects.filter(
        match__table=Given("table"), match__version__gte=Given("since")
    ).values_list("match", *kept.ROUND)
)
_VERSIONS = Prepared(Table.objects.filter(pk=Given("table")).values_list("version"))


def evening_of(table: Table) -> Evening:
    """All matches of a table: no query where they are known at its version, else five at most."""
    return find(table) or _read(table)


def find(table: Table) -> Evening | None:
    """All matches of a table at its version, if they are kept: no query."""
    with _keeping:
        version, found = _evenings.get(table.key, (0, None))
    return found if version == table.version else None


def forget_all() -> None:
    """Read and fold everything anew."""
    with _keeping:
        _folds.clear()
        _evenings.clear()


class Seated(NamedTuple):
    """Who sits at a match, and the version it has."""

    match: int
    version: int
    sides: tuple[SideLike, ...]


def _read(table: Table) -> Evening:
    """An evening as it stands in the store; kept, unless somebody wrote while it was read.

    ``ReadAnew`` if a match went meanwhile.
    """
    seated = _seated(table)
    folds = _folded(table, seated)
    if not folds or any(one.match not in folds for one in seated):
        raise ReadAnew
    evening = gather(
        [Told(folds[one.match], one.sides) for one in seated],
        partnerships=table.game.partnerships,
    )
    if _VERSIONS.ask(table=table.pk) == [(table.version,)]:
        _keep(table, evening, {(table.key, *one[:2]): folds[one.match] for one in seated})
    return evening


def _seated(table: Table) -> list[Seated]:
    """Who sat at every match, side by side, with their players by seat."""
    found: dict[tuple[int, int], dict[str, SideLike]] = {}
    for match, version, pk, column, name, player_id, player in _SIDES.ask(table=table.pk):
        sides = found.setdefault((match, version), {})
        before = sides.get(column)
        sides[column] = SideLike(
            pk,
            column,
            name,
            (*(before.player_ids if before else ()), player_id),
            (*(before.players if before else ()), player),
        )
    return [Seated(*match, tuple(sides.values())) for match, sides in found.items()]


def _folded(table: Table, seated: Sequence[Seated]) -> dict[int, Played]:
    """Every match folded; those that changed since they were last folded are read."""
    with _keeping:
        known = {one.match: _folds.get((table.key, *one[:2])) for one in seated}
    folds = {match: fold for match, fold in known.items() if fold is not None}
    changed = {one.match: one for one in seated if one.match not in folds}
    if changed:
        since = min(one.version for one in changed.values())
        entries = _by_match(_ENTRIES.ask(table=table.pk, since=since))
        rounds = _by_match(_ROUNDS.ask(table=table.pk, since=since))
        for row in _MATCHES.ask(table=table.pk, since=since):
            match: Match = stored(Match, row)
            if match.pk in changed:
                match.table = table
                rows = entries.get(match.pk, []), rounds.get(match.pk, [])
                sheet = kept.sheet_from(match, changed[match.pk].sides, *rows)
                folds[match.pk] = fold_match(sheet)
    return folds


def _by_match(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    found: dict[int, list[tuple[Any, ...]]] = {}
    for match, *row in rows:
        found.setdefault(match, []).append(tuple(row))
    return found


def _keep(table: Table, evening: Evening, folds: dict[Fold, Played]) -> None:
    with _keeping:
        before, _evening = _evenings.get(table.key, (0, None))
        if before <= table.version:
            _evenings[table.key] = (table.version, evening)
        _folds.update(folds)
