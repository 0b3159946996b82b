"""How phones hear news: the parts of a sheet that changed since a version.

The parts hold no input and nothing that depends on who looks, so one rendering per language
serves every phone. The version in the database is the truth; what is sent here only follows it.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import rules
from games.hands import note_words, offers, signed
from games.rules.sheet import enough_in_one_deal
from games.services import holding_words
from games.sheet import MARKS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.access import SideLike
    from games.kept import Evening
    from games.models import Match
    from games.rules import Settlement
    from games.sheet import Agreed, Cell, Row, Sheet

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
    """A cell as a sheet draws it. ``only``: the few numbers it can hold; ``sum``: the side’s now.

    These are plain values, so that what is equal is drawn once; the properties are for drawing.
    """

    number: int
    column: str
    value: int | None
    version: int
    state: str
    was: int | None
    note: str
    only: tuple[int, ...] | None
    offer: int | None
    sum: int | None

    @property
    def address(self) -> str:
        """The address of its page, from the match's."""
        return f"r/{self.number}/{self.column}/"

    @property
    def text(self) -> str:
        """The number in digits, "" for none."""
        return "" if self.value is None else str(self.value)

    @property
    def attributes(self) -> SafeString:
        """What the page's script reads."""
        return _attributes(
            cell=f"{self.number}.{self.column}",
            version=self.version,
            state=self.state,
            value=self.value,
            was=self.was,
            only=" ".join(map(str, self.only)) if self.only else None,
            offer=self.offer,
            sum=self.sum,
        )


class ShownRow(NamedTuple):
    """A round as a sheet draws it, after the names of those who gave the hands thrown in."""

    number: int
    note: str
    version: int
    since: int
    unlawful: bool
    after_line: bool
    line: bool
    dashes: tuple[str, ...]
    cells: tuple[ShownCell, ...]

    @property
    def attributes(self) -> SafeString:
        """What the page's script reads, and its looks."""
        return _attributes(
            round=self.number,
            version=self.version,
            since=self.since or None,
            unlawful=self.unlawful,
            after=self.after_line,
            line=self.line,
            note=bool(self.note),
        )


class ShownColumn(NamedTuple):
    """A side as the head of a sheet draws it; ``to_go`` is what it lacks to the line."""

    id: str
    shape: str
    name: str
    total: int
    leads: bool
    leads_by: int
    won: bool
    to_go: int | None
    to_go_words: str
    bummerl: int
    needs: int | None
    chalk: bool
    gap: str


def _attributes(**values: object) -> SafeString:
    """What a page's script reads: `` data-version="3" data-line``; none for None and False."""
    html = "".join(
        f" data-{name}" if value is True else f' data-{name}="{escape(str(value))}"'
        for name, value in values.items()
        if value is not None and value is not False
    )
    return mark_safe(html)  # noqa: S308 - escaped above


def shown_rows(sheet: Sheet, rows: Sequence[Row]) -> list[ShownRow]:
    """Rounds with everything that is drawn of them."""
    crossing = sheet.position.crossing
    two = sheet.game.partnerships
    shown = []
    for row in rows:
        told = sheet.settlement(row)
        has_sums = two and not row.is_blank
        sums = sheet.running[min(row.number, sheet.highest)] if has_sums else None
        shown.append(
            ShownRow(
                row.number,
                "" if two else note_words(told),
                row.version,
                sheet.match.moved_at(row.number),
                row.number in sheet.unlawful,
                crossing is not None and row.number > crossing,
                crossing == row.number,
                tuple(sheet.name_at(seat) for seat in sheet.thrown_before(row.number)),
                _shown_cells(sheet, row, told, sums),
            )
        )
    return shown


def _shown_cells(
    sheet: Sheet, row: Row, told: Settlement | None, sums: Sequence[int] | None
) -> tuple[ShownCell, ...]:
    two = sheet.game.partnerships
    names = sheet.game.value_names(sheet.house) if two else {}
    only = lawful_values(sheet, row)
    offered = offers(told, row)
    return tuple(
        ShownCell(
            row.number,
            cell.column,
            cell.value,
            cell.version,
            cell.state,
            cell.was if cell.state == "corrected" else None,
            _side_note(cell, told, names) if two else "",
            only[index],
            offered[index],
            sums[index] if sums else None,
        )
        for index, cell in enumerate(row.cells)
    )


def _side_note(cell: Cell, told: Settlement | None, names: Mapping[int, str]) -> str:
    """What stands small under a side's number: its hand, else the name such a number has."""
    if not cell.value:
        return ""
    return note_words(told) or (_(names[cell.value]) if cell.value in names else "")


def head_context(sheet: Sheet, evening: Evening) -> dict[str, Any]:
    """Totals, distances, dealer, chalk, and the sentence that says what happens now."""
    match = sheet.match
    table = match.table
    dealer = sheet.dealer
    return {
        "table": table,
        "match": match,
        "game": sheet.game,
        "version": table.version,
        "current": evening.current,
        "status": sheet.status,
        "how": match.how,
        "line": sheet.line,
        "columns": _columns(sheet, evening),
        "next_round": sheet.next_round,
        "highest": sheet.highest,
        "dealer": dealer,
        "dealer_name": sheet.name_at(dealer),
        "forehand_name": sheet.name_at(dealer + 1),
        "holding": holding_words(sheet) if sheet.holding else "",
        "waiting": [row.number for row in sheet.rows if None in row.values],
        "verdict": verdict_words(sheet),
        "minutes": _minutes(match),
        "bummerl": sum(sheet.bummerl.values()),
        "thrown_total": match.thrown_total,
        "wishes": evening.wishes,
        "dashes_at_end": (
            []
            if sheet.next_round
            else [sheet.name_at(s) for s in sheet.thrown_before(sheet.highest + 1)]
        ),
        "late_numbers": evening.late,
        "late_count": len(evening.late),
        "match_url": match_url(sheet),
        "parts_attributes": _parts_attributes(sheet, evening),
        "now_attributes": _now_attributes(sheet, evening),
    }


def _parts_attributes(sheet: Sheet, evening: Evening) -> SafeString:
    """What these parts belong to, and what they are drawn from."""
    return _attributes(
        match=sheet.match.number,
        current=evening.current,
        version=sheet.match.table.version,
        base=sheet.match.version,
        status=sheet.status,
        drawn=sheet.next_round or sheet.highest,
        names=sheet.match.table.names_version,
    )


def _now_attributes(sheet: Sheet, evening: Evening) -> SafeString:
    """What steers the things that stand outside the parts."""
    return _attributes(
        next=sheet.highest + 1,
        thrown=sheet.match.thrown_total,
        seated=evening.seated,
        here=len(sheet.thrown_before(sheet.highest + 1)) or None,
        begun=sheet.has_begun,
        asks=sheet.asks_chalk and sheet.chalk is None,
        unlawful=" ".join(map(str, sheet.unlawful)) or None,
        crossing=sheet.position.crossing,
    )


def verdict_words(sheet: Sheet) -> str:
    """How an ended match came out, in one sentence; "" while it is open."""
    if sheet.status == "open":
        return ""
    sides = {side.column: side for side in sheet.sides}
    return outcome_words(
        [sides[column] for column in sheet.winners], [sides[column] for column in sheet.leaders]
    )


def outcome_words(winners: Sequence[SideLike], leaders: Sequence[SideLike]) -> str:
    """How an ended match came out, by who won or was in front."""
    if len(winners) == 1:
        (winner,) = winners
        if len(winner.players) > 1:
            return _("%(names)s win") % {"names": winner.name}
        return _("%(name)s wins") % {"name": winner.name}
    if winners:
        return _("A tie: %(names)s") % {"names": ", ".join(winner.name for winner in winners)}
    if len(leaders) == 1:
        return _("Ended early, %(name)s in front") % {"name": leaders[0].name}
    return _("Ended early, all square")


@lru_cache(maxsize=65536)
def _values(  # noqa: PLR0913 - the whole place of a cell is the key
    slug: str,
    agreed: Agreed,
    around: Entries,
    index: int,
    number: int,
    totals: tuple[int, ...] | None,
) -> tuple[int, ...] | None:
    completions = rules.find_game(slug).completions(
        around, house=dict(agreed), number=number, totals=totals
    )
    if completions is None:
        return None
    values = list(dict.fromkeys(completion[index] for completion in completions))
    if 0 in values:
        values.remove(0)
        values.insert(0, 0)
    return tuple(values[:USUAL_AT_MOST])  # kept for long, and a far line leaves thousands


@lru_cache(maxsize=16384)
def _row_values(
    slug: str,
    agreed: Agreed,
    said: Entries,
    number: int,
    totals: tuple[int, ...] | None,
) -> tuple[tuple[int, ...] | None, ...]:
    """What each cell of a row can hold beside the others; None where that is too much to list."""
    found = []
    for index in range(len(said)):
        around = (*said[:index], None, *said[index + 1 :])
        values = _values(slug, agreed, around, index, number, totals)
        found.append(None if values is None or len(values) > CHIPS_AT_MOST else values)
    return tuple(found)


def lawful_values(sheet: Sheet, row: Row) -> tuple[tuple[int, ...] | None, ...]:
    """What each cell of a row can hold beside the others, 0 first; None for too many to list."""
    totals = sheet.position.totals_before(row.number)
    return _row_values(sheet.game.slug, sheet.agreed, row.said, row.number, totals)


def usual_values(sheet: Sheet) -> tuple[int, ...]:
    """The values an empty row can hold in any column, the most usual first, for the pad."""
    blank = (None,) * len(sheet.sides)
    values = _values(sheet.game.slug, sheet.agreed, blank, 0, sheet.highest + 1, None)
    return values or (0,)


def match_url(sheet: Sheet) -> str:
    """The address of a match's page."""
    return sheet.match.get_absolute_url()


def _columns(sheet: Sheet, evening: Evening) -> list[ShownColumn]:
    totals, line = sheet.totals, sheet.line
    second = sorted(totals)[-2]
    leaders, winners, needs, chalk = sheet.leaders, sheet.winners, sheet.needs, sheet.chalk
    found = []
    for side, total, gap in zip(sheet.sides, totals, _gaps(sheet), strict=True):
        leads = leaders == (side.column,)
        to_go = max(line - total, 0) if line else None
        found.append(
            ShownColumn(
                id=side.column,
                shape=MARKS[side.column],
                name=side.name,
                total=total,
                leads=leads,
                leads_by=total - second if leads else 0,
                won=side.column in winners,
                to_go=to_go,
                to_go_words=_to_go_words(sheet, to_go),
                bummerl=evening.bummerl.get(frozenset(side.player_ids), 0),
                needs=needs.get(side.column),
                chalk=chalk == side.column,
                gap=gap,
            )
        )
    return found


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


def _gaps(sheet: Sheet) -> list[str]:
    """What each player is above or below all four in complete deals; "" for no whole number."""
    rows = [row.values for row in sheet.rows if None not in row.values]
    if sheet.game.partnerships or not rows:
        return [""] * len(sheet.sides)
    sums = [sum(value or 0 for value in column) for column in zip(*rows, strict=True)]
    found = [divmod(len(sums) * one - sum(sums), len(sums)) for one in sums]
    return ["" if rest else signed(whole) for whole, rest in found]


def _minutes(match: Match) -> int | None:
    """How long an ended match took."""
    if match.ended_at is None:
        return None
    return max(1, round((match.ended_at - match.started_at).total_seconds() / 60))
