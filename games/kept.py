"""Sheets as they stand at a version of their table, kept in this process.

Every verb raises the version of its table, so a sheet that is kept at the version a table has now
is what the store holds; the version comes with the door, or with the lock. A sheet is kept by the
verb that wrote on it, as soon as that is committed, or by whoever read it.
"""

from __future__ import annotations

from collections import Counter
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from cachetools import LRUCache
from django.db.models import Count, F, FilteredRelation, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from games.access import TableDeleted, sides_of
from games.models import Entry, LateEntry, Match, Phone, Round, SeatRequest
from games.prepared import Given, Prepared, columns_of, stored
from games.sheet import Cell, Row, Sheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.db.models import QuerySet

    from games.access import SideLike
    from games.models import Table

SHEETS_KEPT = 4096  # of some 10 kB each; a table's newest is counted twice

Place = tuple[str, int | None]  # the key of a table, the number of a match (None: the newest)


class Evening(NamedTuple):
    """What a sheet shows of its table beside the match, and the version when this was read."""

    version: int
    current: int  # the number of the newest match
    bummerl: Mapping[frozenset[int], int]  # by the players of the side that was chalked
    seated: int
    wishes: int
    late: tuple[LateEntry, ...]


class Snapshot(NamedTuple):
    """A match at one version of its table, and the evening around it."""

    sheet: Sheet
    evening: Evening

    @property
    def is_of_one_version(self) -> bool:
        """Whether nothing was written while this was read."""
        return self.evening.version == self.sheet.match.table.version


_kept: LRUCache[Place, Snapshot] = LRUCache(SHEETS_KEPT)
_keeping = Lock()


def find(table: Table, number: int | None = None) -> Snapshot | None:
    """A match (None: the newest) at the version of the table, if it is kept: no query."""
    place = (table.key, number)
    with _keeping:
        found = _kept.get(place)
    return found if found is not None and found.evening.version == table.version else None


def read(match: Match) -> Snapshot:
    """A match as it stands in the store; kept, unless somebody wrote while it was read."""
    snapshot = Snapshot(load_sheet(match, sides_of(match)), read_evening(match.table))
    if snapshot.is_of_one_version:
        keep(snapshot)
    return snapshot


def keep(snapshot: Snapshot) -> None:
    """Keep a match for all who come at this version; never an older one for a newer."""
    match, evening = snapshot.sheet.match, snapshot.evening
    with _keeping:
        _keep((match.table.key, match.number), snapshot)
        if match.number == evening.current:
            _keep((match.table.key, None), snapshot)


def forget_all() -> None:
    """Read everything anew."""
    with _keeping:
        _kept.clear()


def _keep(place: Place, snapshot: Snapshot) -> None:
    before = _kept.get(place)
    if before is None or before.evening.version <= snapshot.evening.version:
        _kept[place] = snapshot


def load_sheet(match: Match, sides: tuple[SideLike, ...]) -> Sheet:
    """Read the rows of a match: two queries, whatever their number."""
    return sheet_from(match, sides, _ENTRIES.ask(match=match.pk), _ROUNDS.ask(match=match.pk))


def sheet_from(
    match: Match,
    sides: tuple[SideLike, ...],
    entries: Iterable[tuple[Any, ...]],
    rounds: Iterable[tuple[Any, ...]],
) -> Sheet:
    """A sheet from what was asked of ``ENTRY`` and ``ROUND``."""
    columns = tuple(side.column for side in sides)
    cells: dict[int, dict[str, Cell]] = {}
    for number, column, points, version, state, *rest in entries:
        implied = state == Entry.State.IMPLIED
        cells.setdefault(number, {})[column] = Cell(column, points, version, implied, *rest)
    stored = {
        number: Row(
            number,
            version,
            tuple(
                cells.get(number, {}).get(c) or Cell(c, version=match.since(number))
                for c in columns
            ),
            confirmed,
            stored=True,
            hand=hand,
        )
        for number, version, confirmed, hand in rounds
    }
    return Sheet(match, sides, stored)


def _counted(rows: QuerySet[Any], what: str) -> Coalesce:
    of_the_table = rows.filter(table=OuterRef("table")).order_by().values("table")
    return Coalesce(Subquery(of_the_table.annotate(n=Count(what)).values("n")), 0)


ENTRY = (  # what a sheet reads of a cell, and of a round
    "round__number",
    "side__column",
    "points",
    "version",
    "state",
    "corrected",
    "was",
    "written_by",
    "written_at",
)
ROUND = ("number", "version", "confirmed", "hand")
_ENTRIES = Prepared(Entry.objects.filter(round__match=Given("match")).values_list(*ENTRY))
_ROUNDS = Prepared(Round.objects.filter(match=Given("match")).values_list(*ROUND))
_MATCHES = Prepared(
    Match.objects.filter(table=Given("table"))
    .annotate(
        waiting=FilteredRelation(
            "late_entries", condition=Q(late_entries__decision=LateEntry.Decision.OPEN)
        )
    )
    .order_by("number", "waiting__pk")
    .values_list(
        F("table__version"),
        _counted(Phone.objects.filter(player__seat__isnull=False), "player"),
        _counted(SeatRequest.objects.all(), "pk"),
        F("number"),
        F("result"),
        *columns_of(LateEntry, "waiting__"),
    )
)


def read_evening(table: Table) -> Evening:
    """What the sheets of a table show beside a match: one query."""
    rows = _MATCHES.ask(table=table.pk)
    late = []
    results = {}
    for _version, _seated, _wishes, number, result, *waiting in rows:
        results[number] = result
        if waiting[0] is not None:
            late.append(_late_number(number, waiting))
    bummerl: Counter[frozenset[int]] = Counter()
    for result in results.values():
        for column, chalked in result.get("bummerl", {}).items():
            bummerl[frozenset(result["players"][column])] += chalked
    if not rows:  # deleted since the door was opened
        raise TableDeleted
    version, seated, wishes, current, *_rest = rows[-1]
    return Evening(version, current, bummerl, seated, wishes, tuple(late))


def _late_number(match: int, values: Sequence[Any]) -> LateEntry:
    """A number that came after the end of a match, which is known by its number alone."""
    late: LateEntry = stored(LateEntry, values)
    late.match = Match(number=match)
    return late
