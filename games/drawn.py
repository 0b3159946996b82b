"""A match drawn in one language, as it stood at one version: every piece once, for every phone.

The page, ``changes`` and the stream share the pieces. They are kept in this process for as long as
there is room; a table's next version is another piece, so none can be out of date.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.functional import cached_property
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games import access, rules
from games.live import ShownRow, drawn_rows, head_context, match_url, shown_rows
from games.models import HIGHEST_ROUND
from games.recap import story_of
from games.sheet import load_sheet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.models import Match, Table
    from games.sheet import Sheet

MATCHES_KEPT = 0 if settings.DEBUG else 128  # some 350 kB each, where there are a hundred rounds
ROWS_KEPT = 0 if settings.DEBUG else 8192  # some 3 kB each

Parts = tuple[int, tuple[int, ...], bool]  # the first round, rounds that are gone, whether names
Place = tuple[str, int | None, int, str | None]  # table, match (None: newest), version, language


class Drawn:
    """One match, drawn piece by piece as pieces are asked for."""

    def __init__(self, sheet: Sheet, current: int) -> None:
        self.sheet = sheet
        self.current = current
        self.head = head_context(sheet, current=current)
        self._parts: dict[Parts, str] = {}

    @property
    def version(self) -> int:
        """The table's version that is drawn here."""
        version: int = self.sheet.match.table.version
        return version

    @property
    def is_of_one_version(self) -> bool:
        """Whether nothing was written while the sheet was read."""
        stored: int = self.head["stored_version"]
        return stored == self.version

    @cached_property
    def page(self) -> dict[str, Any]:
        """Everything of the sheet's page that is the same for every viewer."""
        rows = self._rows(drawn_rows(self.sheet)).replace(
            'href="r/', f'href="{match_url(self.sheet)}r/'
        )
        story = None if self.head["status"] == "open" else story_of(self.sheet)
        return {**self.head, "story": story, "rows": mark_safe(rows)}  # noqa: S308 - drawn by a template

    def parts(self, since: int | None) -> str:
        """The rows and the header that changed after a version, as HTML for every phone.

        ``since=None`` gives everything. Rows after one that changed come along, as sums, the line
        and what a cell can hold follow from the rows above. So does the next open round; rounds
        that are no longer drawn are named as gone.
        """
        which = self._changed(since)
        if which not in self._parts:
            first, gone, names = which
            rows = [row for row in drawn_rows(self.sheet) if row.number >= first]
            context = {**self.head, "rows": self._rows(rows), "gone": gone, "names": names}
            self._parts[which] = render_to_string("games/_parts.html", context).strip()
        return self._parts[which]

    def _changed(self, since: int | None) -> Parts:
        sheet = self.sheet
        last = sheet.next_round or sheet.highest
        first = min(
            (
                row.number
                for row in drawn_rows(sheet)
                if since is None or row.version > since or row.number > sheet.highest
            ),
            default=HIGHEST_ROUND + 1,
        )
        gone = {last + 1}
        for number, row in sheet.stored_rows.items():
            if number > last and row.version > (since or 0):
                gone |= {number, number + 1}
        names = since is None or sheet.match.table.names_version > since
        return first, tuple(n for n in sorted(gone) if n <= HIGHEST_ROUND), names

    def _rows(self, rows: Iterable[Any]) -> SafeString:
        return rows_html(self.sheet, shown_rows(self.sheet, list(rows)))


_kept: OrderedDict[Place, Drawn] = OrderedDict()
_keeping = Lock()


def find_drawn(table: Table, number: int | None = None) -> Drawn | None:
    """A match (None: the newest) at the table's version, if it was drawn before: no query."""
    place = _place(table, number)
    with _keeping:
        if place in _kept:
            _kept.move_to_end(place)
        return _kept.get(place)


def draw(match: Match) -> Drawn:
    """Read a match and keep it for all who ask for this version."""
    table = match.table
    current = access.current_number(table, shown=match.number)
    drawn = Drawn(load_sheet(match, access.sides_of(match)), current)
    if drawn.is_of_one_version:
        _keep(_place(table, match.number), drawn)
        if match.number == current:
            _keep(_place(table, None), drawn)
    return drawn


def draw_newest(table: Table) -> Drawn:
    """The newest match of a table, from what is kept if it can be."""
    return find_drawn(table) or draw(access.newest_match(table))


def answer_parts(sheet: Sheet, number: int, *, current: int) -> str:
    """The answer to a write: the row it changed, the round it opened, and the totals."""
    numbers = {number, sheet.next_round if sheet.next_round == number + 1 else number}
    rows = shown_rows(sheet, [sheet.row(n) for n in sorted(numbers)])
    news = [row._replace(dashes=()) for row in rows]  # hands thrown in are none
    context = {
        **head_context(sheet, current=current),
        "rows": rows_html(sheet, news),
        "gone": [],
        "names": False,
        "answer": True,
    }
    return render_to_string("games/_parts.html", context)


def rows_html(sheet: Sheet, rows: Iterable[ShownRow]) -> SafeString:
    """Rounds as HTML; their links count from the match's address."""
    slug, language = sheet.game.slug, get_language()
    html = "".join(_row_html(row, slug, language) for row in rows)
    return mark_safe(html)  # noqa: S308 - drawn by a template


def forget_all() -> None:
    """Draw everything anew."""
    with _keeping:
        _kept.clear()
    _row_html.cache_clear()


@lru_cache(maxsize=ROWS_KEPT)
def _row_html(row: ShownRow, slug: str, language: str | None) -> str:  # noqa: ARG001 - the one now
    return render_to_string("games/_row.html", {"row": row, "game": rules.find_game(slug)})


def _place(table: Table, number: int | None) -> Place:
    return table.key, number, table.version, get_language()


def _keep(place: Place, drawn: Drawn) -> None:
    with _keeping:
        _kept[place] = drawn
        while len(_kept) > MATCHES_KEPT:
            _kept.popitem(last=False)
