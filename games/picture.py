"""The picture of a match that people send around: texts fitted to their places, without a key."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import regex
from django.utils.translation import gettext as _

from games.live import verdict_words
from games.recap import story_of
from games.sheet import MARKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.sheet import Sheet

TWO_PLACES = ((60, 196), (60, 348))
FOUR_PLACES = ((60, 206), (290, 206), (60, 340), (290, 340))
FACT_PLACES = ((60, 508), (640, 508), (60, 576), (640, 576))
# A picture has no style sheet: the colours of the light pages.
PAINT: Mapping[str, str] = MappingProxyType(
    {
        "paper": "#FBF7EE",
        "ink": "#1F1B16",
        "soft": "#6B6358",
        "rule": "#D9CFBC",
        "A": "#005A8E",
        "B": "#A84A00",
        "C": "#00704F",
        "D": "#8F3F6D",
    }
)
# Widths of letters as parts of the size of the type, in the widest of the usual faces, bold.
SLIM, USUAL, CAPITAL, WIDE = 0.4, 0.66, 0.8, 1.2
SLIM_LETTERS = frozenset("iljtfrI.,:;'!|() ·’-")


@dataclass(frozen=True)
class Fitted:
    """A text in the size in which it fits its place, cut if it must be."""

    text: str
    size: int


@dataclass(frozen=True)
class Standing:
    """A side with its total, and where they stand."""

    shape: str
    name: Fitted
    total: int
    size: int
    x: int
    y: int

    @property
    def colour(self) -> str:
        """The side's own."""
        return PAINT[self.shape]

    @property
    def name_x(self) -> int:
        """The name stands beside the mark."""
        return self.x + 30

    @property
    def total_y(self) -> int:
        """The total stands under the name."""
        return self.y + 14 + self.size * 3 // 4


def picture_of(sheet: Sheet) -> dict[str, Any]:
    """What is drawn of a match, for a picture of 1200 by 630."""
    story = story_of(sheet)
    number = {"number": sheet.match.number}
    return {
        "paint": PAINT,
        "headline": _headline(sheet),
        "title": fitted(verdict_words(sheet) or _("Match %(number)s so far") % number, 960, 54, 26),
        "standings": _standings(sheet),
        "chart": story["chart"] if story else None,
        "described": story["described"] if story else "",
        "facts": [
            (
                fact,
                fitted(fact.label, 500, 22, 18),
                fitted(fact.words or fact.name, 530, 26, 18),
                *xy,
            )
            for fact, xy in zip(story["facts"] if story else (), FACT_PLACES, strict=False)
        ],
    }


def _headline(sheet: Sheet) -> str:
    numbers = {"number": sheet.match.number, "line": sheet.line}
    if sheet.line:
        match = _("Match %(number)s · to %(line)s") % numbers
    else:
        match = _("Match %(number)s") % numbers
    return f"{_(sheet.game.name)} · {match}"


def _standings(sheet: Sheet) -> list[Standing]:
    """Two sides one above the other, or four players in a square."""
    of_four = not sheet.game.partnerships
    places = FOUR_PLACES if of_four else TWO_PLACES
    return [
        Standing(
            shape=MARKS[side.column],
            name=fitted(side.name, 180 if of_four else 390, 28, 22),
            total=total,
            size=76 if of_four else 116,
            x=x,
            y=y,
        )
        for side, total, (x, y) in zip(sheet.sides, sheet.result()["totals"], places, strict=False)
    ]


def fitted(text: str, width: int, size: int, smallest: int) -> Fitted:
    """A text in the largest size down to the smallest that fits a width, else cut with a dot.

    >>> fitted("Lena & Felix", 390, 28, 22)
    Fitted(text='Lena & Felix', size=28)
    >>> fitted("Maximilian-Alexander von und zu Hohenburg", 180, 28, 22)
    Fitted(text='Maximilian-Al…', size=22)
    """
    if not text:
        return Fitted("", size)
    fits = min(size, int(width / _width(text)))
    if fits >= smallest:
        return Fitted(text, fits)
    kept = regex.findall(r"\X", text)  # letters as people see them
    while len(kept) > 1 and _width("".join(kept) + "…") * smallest > width:
        kept.pop()
    return Fitted("".join(kept).rstrip() + "…", smallest)


def _width(text: str) -> float:
    """About how wide a text is, in sizes of the type."""
    return sum(_letter(cluster[0]) for cluster in regex.findall(r"\X", text))


def _letter(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return WIDE
    if letter in SLIM_LETTERS:
        return SLIM
    return CAPITAL if letter.isupper() or letter in "mw&%" else USUAL
