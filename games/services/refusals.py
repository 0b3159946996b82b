"""Why a verb was refused: one class per reason a page has to answer differently.

``code`` is stable and stands in the page as ``data-code``; ``status`` is the HTTP status.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import measured
from games.rules import Sentence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from games.moves import Move
    from games.rules import Breach
    from games.sheet import Sheet


class Refusal(Exception):
    """A verb that was not carried out, in words for the person who asked."""

    status = 409

    def __init__(self, code: str, say: str) -> None:
        super().__init__(say)
        self.code = code
        self.say = say
        measured.REFUSALS.labels(code).inc()


class Malformed(Refusal):
    """A field is missing or no value it can hold."""

    status = 422


class NeedsSure(Refusal):
    """Possible, but a person should say yes first (``sure=1``)."""

    status = 422

    def __init__(self, code: str, say: str, details: Sequence[str] = ()) -> None:
        super().__init__(code, say)
        self.details = tuple(details)


class NotANumber(Refusal):
    """The text in the box is no whole number; it stays there."""

    status = 422

    def __init__(self, text: str, column: str) -> None:
        super().__init__(
            "not-whole",
            _("“%(text)s” is not a whole number. Enter 0 or a number like 12.")
            % {"text": text.strip()[:40]},
        )
        self.column = column


class Conflict:
    """A cell that somebody else changed meanwhile: what stands, who wrote it, when."""

    def __init__(  # noqa: PLR0913 - one per thing the panel shows
        self,
        *,
        column: str,
        mine: int | None,
        value: int | None,
        version: int,
        who: str,
        at: datetime | None,
    ) -> None:
        self.column = column
        self.mine = mine
        self.value = value
        self.version = version
        self.who = who
        self.at = at


class WrittenMeanwhile(Refusal):
    """The cells are newer than the page; the person chooses between both values."""

    def __init__(self, conflicts: Sequence[Conflict], version: int) -> None:
        super().__init__("changed", _("Somebody wrote here meanwhile."))
        self.conflicts = tuple(conflicts)
        self.version = version


class DealMoved(WrittenMeanwhile):
    """The number of the deal means another one by now; ``now`` is where the deal went.

    ``move`` is what the host did first to it, ``now`` is None for a deal that was removed.
    """

    def __init__(
        self, conflicts: Sequence[Conflict], version: int, *, move: Move, now: int | None
    ) -> None:
        super().__init__(conflicts, version)
        self.move = move
        self.now = now


class Unlawful(Refusal):
    """No deal can give this row."""

    status = 422

    def __init__(
        self, breaches: Sequence[Breach], *, only: int | None = None, against: Sequence[str] = ()
    ) -> None:
        super().__init__(breaches[0].code, " ".join(in_words(breach) for breach in breaches))
        self.breaches = tuple(breaches)
        self.only = only
        self.against = tuple(against)


class Doubtful(NeedsSure):
    """A deal can give this row, but hardly ever does."""

    def __init__(self, doubts: Sequence[Breach]) -> None:
        super().__init__(doubts[0].code, " ".join(in_words(doubt) for doubt in doubts))
        self.doubts = tuple(doubts)


def in_words(said: Breach | Sentence) -> str:
    """A breach, a doubt or a sentence of the rules in the reader's language."""
    if isinstance(said, Sentence) and said.many:
        return ngettext(said.text, said.many, said.count) % said.numbers
    return _(said.text) % said.numbers


def holding_words(sheet: Sheet) -> str:
    """Which deal keeps the match from being banked, and whose number is missing."""
    number = sheet.holding[0]
    names = [
        side.name
        for side, value in zip(sheet.sides, sheet.row(number).values, strict=True)
        if value is None
    ]
    return _("Deal %(number)s is still open: %(names)s") % {
        "number": number,
        "names": ", ".join(names),
    }
