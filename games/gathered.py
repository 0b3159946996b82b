"""Evenings as they stand at a version of their table, kept in this process.

A match is folded once for each version it has had, so a number costs the fold of its own match
alone; the evening is put together from the folds once for each version of the table.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any

from games import kept
from games.access import SideLike
from games.evening import Evening, Played, Told, gather, played
from games.models import Entry, Match, Round, Side, Table
from games.prepared import Given, Prepared, columns_of, stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FOLDS_KEPT = 8192  # of some 10 kB, where there are thirty rounds
EVENINGS_KEPT = 256

Fold = tuple[str, int, int]  # the key of a table, a match, the version of the match

_folds: OrderedDict[Fold, Played] = OrderedDict()
_evenings: OrderedDict[str, tuple[int, Evening]] = OrderedDict()
_keeping = Lock()

_MATCHES = Prepared(
    Match.objects.filter(table=Given("table")).order_by("number").values_list(*columns_of(Match))
)
_SIDES = Prepared(
    Side.objects.filter(match__table=Given("table"))
    .order_by("match", "column", "players__seat", "players__pk")
    .values_list("match", "pk", "column", "name", "players__pk", "players__name")
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
    with _keeping:
        version, found = _evenings.get(table.key, (0, None))
        if found is not None and version == table.version:
            _evenings.move_to_end(table.key)
            return found
    return _read(table)


def forget_all() -> None:
    """Read and fold everything anew."""
    with _keeping:
        _folds.clear()
        _evenings.clear()


def _read(table: Table) -> Evening:
    """An evening as it stands in the store; kept, unless somebody wrote while it was read."""
    matches: list[Match] = [stored(Match, row) for row in _MATCHES.ask(table=table.pk)]
    for match in matches:
        match.table = table
    sides = _sides_of(table)
    folds = _folded(table, matches, sides)
    evening = gather(
        [Told(folds[match.pk], sides[match.pk]) for match in matches],
        partnerships=table.game.partnerships,
    )
    if _VERSIONS.ask(table=table.pk) == [(table.version,)]:
        _keep(table, evening, {match: folds[match.pk] for match in matches})
    return evening


def _sides_of(table: Table) -> dict[int, tuple[SideLike, ...]]:
    """The columns of every match, left to right, with their players by seat."""
    found: dict[int, dict[str, SideLike]] = {}
    for match, pk, column, name, player_id, player in _SIDES.ask(table=table.pk):
        sides = found.setdefault(match, {})
        before = sides.get(column, SideLike(pk, column, name, (), ()))
        sides[column] = SideLike(
            pk, column, name, (*before.player_ids, player_id), (*before.players, player)
        )
    return {match: tuple(sides.values()) for match, sides in found.items()}


def _folded(
    table: Table, matches: Sequence[Match], sides: dict[int, tuple[SideLike, ...]]
) -> dict[int, Played]:
    """Every match folded; those that changed since they were last folded are read."""
    with _keeping:
        known = {match.pk: _folds.get(_fold(table, match)) for match in matches}
    folds = {match: fold for match, fold in known.items() if fold is not None}
    changed = [match for match in matches if match.pk not in folds]
    if changed:
        since = min(match.version for match in changed)
        entries = _by_match(_ENTRIES.ask(table=table.pk, since=since))
        rounds = _by_match(_ROUNDS.ask(table=table.pk, since=since))
        for match in changed:
            rows = entries.get(match.pk, []), rounds.get(match.pk, [])
            folds[match.pk] = played(kept.sheet_from(match, sides[match.pk], *rows))
    return folds


def _by_match(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    found: dict[int, list[tuple[Any, ...]]] = {}
    for match, *row in rows:
        found.setdefault(match, []).append(tuple(row))
    return found


def _fold(table: Table, match: Match) -> Fold:
    return table.key, match.pk, match.version


def _keep(table: Table, evening: Evening, folds: dict[Match, Played]) -> None:
    with _keeping:
        before, _evening = _evenings.get(table.key, (0, None))
        if before <= table.version:
            _evenings[table.key] = (table.version, evening)
            _evenings.move_to_end(table.key)
        for match, fold in folds.items():
            _folds[_fold(table, match)] = fold
            _folds.move_to_end(_fold(table, match))
        while len(_evenings) > EVENINGS_KEPT:
            _evenings.popitem(last=False)
        while len(_folds) > FOLDS_KEPT:
            _folds.popitem(last=False)
