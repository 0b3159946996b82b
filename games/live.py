"""How phones hear news: the parts of a sheet that changed since a version.

The parts hold no input and nothing that depends on who looks, so one rendering per language
serves every phone. The version in the database is the truth; what is sent here only follows it.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import rules
from games.hands import note_words, offers, signed
from games.models import LateEntry, Match, Phone, SeatRequest
from games.rules.sheet import enough_in_one_deal
from games.services import holding_words
from games.sheet import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.db.models import QuerySet

    from games.access import SideLike
    from games.models import Table
    from games.rules import Settlement
    from games.sheet import Cell, Row, Sheet

CHIPS_AT_MOST = 12  # lawful values that a cell carries along
USUAL_AT_MOST = 24  # keys a pad has room for; above CHIPS_AT_MOST
Entries = tuple[int | None, ...]


def drawn_rows(sheet: Sheet) -> list[Row]:
    """The rounds a sheet shows: those with entries, and the next one while it is open."""
    rows = list(sheet.rows)
    if sheet.next_round is not None:
        rows.append(sheet.row(sheet.next_round))
    return rows


class ShownCell(NamedTuple):
    """A cell as a sheet draws it. ``only``: the few numbers it can hold; ``running``: its sum."""

    column: str
    value: int | None
    version: int
    state: str
    only: str
    note: str
    offer: int | None
    running: int


class ShownRow(NamedTuple):
    """A round as a sheet draws it, after the names of those who gave the hands thrown in."""

    number: int
    note: str
    version: int
    open: bool
    unlawful: bool
    after_line: bool
    line: bool
    dashes: tuple[str, ...]
    cells: tuple[ShownCell, ...]


def shown_rows(sheet: Sheet, rows: Sequence[Row]) -> list[ShownRow]:
    """Rounds with everything that is drawn of them."""
    crossing = sheet.position.crossing
    running = _running(sheet)
    names = sheet.game.value_names(sheet.house)
    two = sheet.game.partnerships
    shown = []
    for row in rows:
        told = sheet.settlement(row)
        offered = offers(told, row)
        sums = running[min(row.number, sheet.highest)]
        cells = tuple(
            ShownCell(
                column=cell.column,
                value=cell.value,
                version=cell.version,
                state=cell.state,
                only=" ".join(map(str, lawful_values(sheet, row, index) or ())),
                note=_side_note(cell, told, names) if two else "",
                offer=offered[index],
                running=sums[index],
            )
            for index, cell in enumerate(row.cells)
        )
        shown.append(
            ShownRow(
                number=row.number,
                note="" if two else note_words(told),
                version=row.version,
                open=row.is_blank,
                unlawful=row.number in sheet.unlawful,
                after_line=crossing is not None and row.number > crossing,
                line=crossing == row.number,
                dashes=tuple(sheet.name_at(seat) for seat in sheet.thrown_before(row.number)),
                cells=cells,
            )
        )
    return shown


def _side_note(cell: Cell, told: Settlement | None, names: Mapping[int, str]) -> str:
    """What stands small under a side's number: its hand, else the name such a number has."""
    if not cell.value:
        return ""
    return note_words(told) or (_(names[cell.value]) if cell.value in names else "")


def head_context(sheet: Sheet, *, current: int) -> dict[str, Any]:
    """Totals, distances, dealer, chalk, and the sentence that says what happens now."""
    match = sheet.match
    table = match.table
    dealer = sheet.dealer
    late = LateEntry.objects.filter(table=table, decision=LateEntry.Decision.OPEN)
    late_numbers = list(late.select_related("match"))
    evening = _evening(table)
    chalked = _bummerl(one["result"] for one in evening)
    return {
        "table": table,
        "match": match,
        "game": sheet.game,
        "version": table.version,
        "current": current,
        "status": sheet.status,
        "how": match.how,
        "line": sheet.line,
        "columns": [_column(sheet, index, side, chalked) for index, side in enumerate(sheet.sides)],
        "next_round": sheet.next_round,
        "highest": sheet.highest,
        "drawn": sheet.next_round or sheet.highest,
        "begun": sheet.has_begun,
        "crossing": sheet.position.crossing,
        "unlawful": sheet.unlawful,
        "dealer": dealer,
        "dealer_name": sheet.name_at(dealer),
        "forehand_name": sheet.name_at(dealer + 1),
        "holding": holding_words(sheet) if sheet.holding else "",
        "waiting": [row.number for row in sheet.rows if None in row.values],
        "verdict": verdict_words(sheet),
        "minutes": _minutes(match),
        "bummerl": sum(sheet.bummerl.values()),
        "chalk": sheet.chalk,
        "asks_chalk": sheet.asks_chalk,
        "thrown_total": match.thrown_total,
        "seated": evening[0]["seated"],
        "wishes": evening[0]["wishes"],
        "thrown_here": len(sheet.thrown_before(sheet.highest + 1)),
        "dashes_at_end": (
            []
            if sheet.next_round
            else [sheet.name_at(s) for s in sheet.thrown_before(sheet.highest + 1)]
        ),
        "late_numbers": late_numbers,
        "late_count": len(late_numbers),
        "match_url": match_url(sheet),
        "stored_version": evening[0]["stored_version"],
    }


def verdict_words(sheet: Sheet) -> str:
    """How an ended match came out, in one sentence; "" while it is open."""
    if sheet.status == "open":
        return ""
    names = {side.column: side.name for side in sheet.sides}
    winners = [names[column] for column in sheet.winners]
    leaders = [names[column] for column in sheet.leaders]
    if len(winners) == 1:
        if len(next(s for s in sheet.sides if s.column == sheet.winners[0]).players) > 1:
            return _("%(names)s win") % {"names": winners[0]}
        return _("%(name)s wins") % {"name": winners[0]}
    if winners:
        return _("A tie: %(names)s") % {"names": ", ".join(winners)}
    if len(leaders) == 1:
        return _("Ended early, %(name)s in front") % {"name": leaders[0]}
    return _("Ended early, all square")


@lru_cache(maxsize=65536)
def _values(  # noqa: PLR0913 - the whole place of a cell is the key
    slug: str,
    house: tuple[tuple[str, Any], ...],
    around: Entries,
    index: int,
    number: int,
    totals: tuple[int, ...] | None,
) -> tuple[int, ...] | None:
    completions = rules.find_game(slug).completions(
        around, house=dict(house), number=number, totals=totals
    )
    if completions is None:
        return None
    values = list(dict.fromkeys(completion[index] for completion in completions))
    if 0 in values:
        values.remove(0)
        values.insert(0, 0)
    return tuple(values[:USUAL_AT_MOST])  # kept for long, and a far line leaves thousands


def lawful_values(sheet: Sheet, row: Row, index: int) -> tuple[int, ...] | None:
    """What a cell can hold beside the others of its row, 0 first; None for too many to list."""
    around = tuple(None if i == index else value for i, value in enumerate(row.said))
    values = _values(
        sheet.game.slug,
        tuple(sorted(sheet.house.items())),
        around,
        index,
        row.number,
        sheet.position.totals_before(row.number),
    )
    return None if values is None or len(values) > CHIPS_AT_MOST else values


def usual_values(sheet: Sheet) -> tuple[int, ...]:
    """The values an empty row can hold in any column, the most usual first, for the pad."""
    blank = (None,) * len(sheet.sides)
    values = _values(
        sheet.game.slug, tuple(sorted(sheet.house.items())), blank, 0, sheet.highest + 1, None
    )
    return values or (0,)


def match_url(sheet: Sheet) -> str:
    """The address of a match's page."""
    return sheet.match.get_absolute_url()


def _counted(rows: QuerySet[Any], what: str) -> Coalesce:
    of_the_table = rows.filter(table=OuterRef("table")).order_by().values("table")
    return Coalesce(Subquery(of_the_table.annotate(n=Count(what)).values("n")), 0)


# Put together once: that takes longer than to ask it.
_EVENINGS = Match.objects.order_by("number").values(
    "result",
    stored_version=F("table__version"),
    seated=_counted(Phone.objects.all(), "player"),
    wishes=_counted(SeatRequest.objects.all(), "pk"),
)


def _evening(table: Table) -> list[Any]:
    """What every match of a table came to; its phones counted, its version by now: one query."""
    return list(_EVENINGS.filter(table=table))


def _bummerl(results: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """The Bummerl of an evening by column."""
    chalked: Counter[str] = Counter()
    for result in results:
        chalked.update(result.get("bummerl", {}))
    return chalked


def _column(sheet: Sheet, index: int, side: SideLike, chalked: Mapping[str, int]) -> dict[str, Any]:
    total = sheet.totals[index]
    others = [t for i, t in enumerate(sheet.totals) if i != index]
    leads = sheet.leaders == (side.column,)
    line = sheet.line
    to_go = max(line - total, 0) if line else None
    return {
        "id": side.column,
        "index": index,
        "shape": MARKS[side.column],
        "name": side.name,
        "players": side.players,
        "total": total,
        "leads_by": total - max(others) if leads else 0,
        "leads": leads,
        "won": side.column in sheet.winners,
        "to_go": to_go,
        "to_go_words": _to_go_words(sheet, to_go),
        "bummerl": chalked.get(side.column, 0),
        "needs": sheet.needs.get(side.column),
        "share": min(20, total * 20 // line) if line else None,  # twentieths of the way
        "chalk": sheet.chalk == side.column,
        "gap": "" if sheet.game.partnerships else _gap(sheet, index),
    }


def _to_go_words(sheet: Sheet, to_go: int | None) -> str:
    """What is missing to the line, and the deal that would do when one is enough."""
    if to_go is None:
        return ""
    words = ngettext("%(n)s to go", "%(n)s to go", to_go) % {"n": to_go}
    enough = enough_in_one_deal(sheet.game, sheet.house, to_go) if sheet.match.is_open else None
    if enough is None:
        return words
    name = sheet.game.value_names(sheet.house).get(enough)
    return f"{words}: {_(name) if name else _('one deal')}"


def _gap(sheet: Sheet, index: int) -> str:
    """What a player is above or below all four in complete deals; "" for no whole number."""
    rows = [row.values for row in sheet.rows if None not in row.values]
    found = sum(len(row) * (row[index] or 0) - sum(v or 0 for v in row) for row in rows)
    whole, rest = divmod(found, len(sheet.sides))
    return "" if rest or not rows else signed(whole)


def _minutes(match: Match) -> int | None:
    """How long an ended match took."""
    if match.ended_at is None:
        return None
    return max(1, round((match.ended_at - match.started_at).total_seconds() / 60))


def _running(sheet: Sheet) -> list[tuple[int, ...]]:
    """The totals after every round, before the first at index 0."""
    totals = [(0,) * len(sheet.sides)]
    for row in sheet.rows:
        totals.append(tuple(t + (v or 0) for t, v in zip(totals[-1], row.values, strict=True)))
    return totals
