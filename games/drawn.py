"""A match drawn in one language, as it stood at one version: every piece once, for every phone.

The page, ``changes`` and the stream share the pieces. They are kept in this process for as long as
there is room; a table's next version is another piece, so none can be out of date.
"""

from __future__ import annotations

import re
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from cachetools import LRUCache
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.functional import cached_property
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games import access, gathered, groups, kept, measured
from games.kept import Snapshot
from games.live import ShownRow, drawn_rows, head_context, shown_rows
from games.models import HIGHEST_ROUND
from games.page import GAPS, Viewer, page_context, viewer_context
from games.recap import story_of
from games.retold import evening_context

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from games.models import Table
    from games.sheet import Sheet

KEEPS = not settings.DEBUG  # whoever works on a template sees it at once
MATCHES_KEPT = 128  # some 350 kB each, where there are a hundred rounds
EVENINGS_KEPT = 256  # some 40 kB each, where there are forty matches
# What makes a template easy to read, and a page longer; before a block and after an icon none of it
# is seen.
_BLOCK = (
    r"</?(?:body|dialog|div|form|h[1-6]|head|header|link|main|meta|nav|p|script|section"
    r"|table|tbody|td|th|thead|tr)\b"
)
_BLANKS = re.compile(rf"(</svg>)?\s*\n\s*({_BLOCK})?")
PIECES_KEPT = 8192 if KEEPS else 0  # some 3 kB each

Parts = tuple[int, tuple[int, ...], bool]  # the first round, rounds that are gone, whether names
Place = tuple[str, int, int, str | None]  # table, match, version, language


class Drawn:
    """One match, drawn piece by piece as pieces are asked for.

    The answer to a number and the news of it come from two threads at once; who is second waits,
    and finds most pieces drawn.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.sheet = snapshot.sheet
        self._evening = snapshot.evening
        self._busy = Lock()
        self._rows: dict[int, ShownRow] = {}
        self._parts: dict[Parts, str] = {}
        self._pages: dict[Viewer, str] = {}

    def page(self, viewer: Viewer) -> str:
        """The whole page for one kind of viewer, with gaps to ``fill``."""
        with self._busy:
            measured.PAGES.labels("kept" if viewer in self._pages else "drawn").inc()
            if viewer not in self._pages:
                self._pages[viewer] = self._draw_page(viewer)
            return self._pages[viewer]

    def parts(self, since: int | None) -> str:
        """The rows and the header that changed after a version, as HTML for every phone.

        ``since=None`` gives everything. Rows after one that changed come along, as sums, the line
        and what a cell can hold follow from the rows above. So does the next open round; rounds
        that are no longer drawn are named as gone.
        """
        which = self._changed(since)
        with self._busy:
            if which not in self._parts:
                first, gone, names = which
                numbers = [row.number for row in drawn_rows(self.sheet) if row.number >= first]
                rows = self._rows_html(self._shown(numbers))
                self._parts[which] = self._draw_parts(rows=rows, gone=gone, names=names).strip()
            return self._parts[which]

    def answer(self, number: int) -> str:
        """The answer to a write: the row it changed, the round it opened, and the totals."""
        opened = [number + 1] if self.sheet.next_round == number + 1 else []
        with self._busy:
            rows = self._shown([number, *opened])
            news = [row._replace(dashes=()) for row in rows]  # hands thrown in are none
            return self._draw_parts(rows=self._rows_html(news), answer=True)

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

    @cached_property
    def head(self) -> dict[str, Any]:
        """What stands around the rows: as values, and the parts that are the same everywhere."""
        head = head_context(self.sheet, self._evening)
        game, line = head["game"], head["line"]
        return {
            **head,
            "drawn_columns": [
                (column, piece("_column", column=column, game=game, line=line))
                for column in head["columns"]
            ],
            "drawn_now": render_to_string("games/_now.html", head),
            "drawn_verdict": render_to_string("games/_verdict.html", head),
        }

    @cached_property
    def around(self) -> dict[str, Any]:
        """What every page of this match shows."""
        context = page_context(self.sheet)
        match_url = self.head["match_url"]
        rows = self._rows_html(self._shown([row.number for row in drawn_rows(self.sheet)]))
        here = rows.replace('href="r/', f'href="{match_url}r/')
        ended = self.head["status"] != "open"
        return {
            **self.head,
            **context,
            "story": story_of(self.sheet) if ended else None,
            "rows": mark_safe(here),  # noqa: S308 - drawn by a template
        }

    def _draw_page(self, viewer: Viewer) -> str:
        around = self.around
        context = {
            **around,
            **viewer_context(viewer, self.sheet, around["late_numbers"]),
            **GAPS,
            "was": "" if viewer.role == "stranger" else self._old_addresses,
        }
        return _BLANKS.sub(
            lambda blank: "".join(part for part in blank.groups() if part) or "\n",
            render_to_string("games/sheet.html", context),
        )

    @cached_property
    def _old_addresses(self) -> str:
        """Where the table was before; its own phones may have numbers that were meant for there."""
        return " ".join(access.old_addresses(self.sheet.match.table))

    def _draw_parts(self, **more: Any) -> str:
        return render_to_string("games/_parts.html", {**self.head, **more})

    def _shown(self, numbers: Sequence[int]) -> list[ShownRow]:
        lacking = [self.sheet.row(number) for number in numbers if number not in self._rows]
        self._rows |= {row.number: row for row in shown_rows(self.sheet, lacking)}
        return [self._rows[number] for number in numbers]

    def _rows_html(self, rows: Iterable[ShownRow]) -> SafeString:
        """Rounds as HTML; their links count from the match's address."""
        return format_html_join(
            "", "{}", ((piece("_row", row=row, game=self.sheet.game),) for row in rows)
        )


class DrawnEvening(NamedTuple):
    """What everybody sees of an evening; the matches that can be settled, and those that are."""

    html: SafeString
    newest: int
    paying: tuple[int, ...]
    settled: frozenset[int]

    @property
    def choices(self) -> SafeString:
        """The matches that can be settled, as boxes to tick."""
        return piece("_evening_choices", paying=self.paying, settled=self.settled)


_drawn: LRUCache[Place, Drawn] = LRUCache(MATCHES_KEPT)
_evenings: LRUCache[tuple[Place, frozenset[int]], DrawnEvening] = LRUCache(EVENINGS_KEPT)
_drawing = Lock()


def draw(snapshot: Snapshot) -> Drawn:
    """A match in the language of now; what was drawn of it before serves again."""
    if not (KEEPS and snapshot.is_of_one_version):
        return Drawn(snapshot)
    match, version = snapshot.sheet.match, snapshot.evening.version
    place = (match.table.key, match.number, version, get_language())
    with _drawing:
        return _drawn.get(place) or _drawn.setdefault(place, Drawn(snapshot))


def draw_newest(table: Table) -> Drawn:
    """The newest match of a table."""
    return draw(kept.find(table) or kept.read(access.newest_match(table)))


def draw_written(sheet: Sheet) -> Drawn:
    """A match as a verb has left it."""
    match = sheet.match
    snapshot = kept.find(match.table, match.number)
    return draw(snapshot or Snapshot(sheet, kept.read_evening(match.table)))


def draw_evening(table: Table, chosen: frozenset[int]) -> DrawnEvening:
    """The evening of a table in the language of now; settled are the ``chosen`` matches, or all."""
    evening = gathered.evening_of(table)
    chosen &= {told.played.number for told in evening.matches}
    place = (table.key, 0, table.version, get_language()), chosen
    with _drawing:
        found = _evenings.get(place)
    if found is not None:
        return found
    context = evening_context(evening, table, chosen)
    matches = [
        piece("_evening_match", table_key=table.key, match=match) for match in context["matches"]
    ]
    html = render_to_string(
        "games/_evening.html", context | {"game": table.game, "drawn_matches": matches}
    )
    money = context["money"]
    drawn = DrawnEvening(
        html,
        newest=evening.matches[-1].played.number,
        paying=money.matches if money else (),
        settled=money.settled if money else frozenset(),
    )
    if KEEPS and gathered.find(table) is evening:
        with _drawing:
            _evenings[place] = drawn
    return drawn


def piece(template: str, **shown: Hashable) -> SafeString:
    """What a template makes of plain values in the language of now: drawn once for equal ones."""
    return _piece(template, get_language(), tuple(shown.items()))


def forget_all() -> None:
    """Read and draw everything anew."""
    kept.forget_all()
    gathered.forget_all()
    groups.forget_all()
    with _drawing:
        _drawn.clear()
        _evenings.clear()
    _piece.cache_clear()


@lru_cache(maxsize=PIECES_KEPT)
def _piece(
    template: str,
    language: str | None,  # noqa: ARG001 - the one of now
    shown: tuple[tuple[str, Hashable], ...],
) -> SafeString:
    return render_to_string(f"games/{template}.html", dict(shown))
