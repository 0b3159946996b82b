"""Words that every game shares: rows and their places, breaches, verdicts and standings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias, TypeGuard

ColumnId: TypeAlias = str | int
"""A column of the sheet: side ``"A"`` or ``"B"``, or seat 0 to 3."""

Row: TypeAlias = tuple[int, ...]
"""A complete row: one whole number from zero up for each column."""

OpenRow: TypeAlias = tuple[int | None, ...]
"""A row in which ``None`` stands for a blank: nobody has entered that cell yet."""

Totals: TypeAlias = tuple[int, ...]
"""Points of each column, in the order of the columns."""

Status: TypeAlias = Literal["lawful", "incomplete", "unlawful"]


def gettext_noop(message: str) -> str:
    """The message itself, marked for ``makemessages``; it is translated where it is shown."""
    return message


def ngettext_noop(one: str, many: str) -> tuple[str, str]:
    """Both forms of a message that counts something, marked for ``makemessages``."""
    return one, many


@dataclass(frozen=True, slots=True)
class Sentence:
    """A message with its numbers, to be translated where it is shown.

    ``text`` is in English with ``%(name)s`` placeholders for ``numbers``. A sentence that counts
    has ``many``, its form for other numbers than 1, and ``count``, the number it counts.
    """

    text: str
    numbers: Mapping[str, int | str] = field(default_factory=dict, hash=False)
    many: str = ""
    count: int = 1

    @property
    def message(self) -> str:
        """The sentence in English, with its numbers."""
        return (self.many if self.many and self.count != 1 else self.text) % self.numbers


def sentence(text: str, **numbers: int | str) -> Sentence:
    """A sentence with its numbers.

    >>> sentence("Schneider: %(points)s or more", points=91).message
    'Schneider: 91 or more'
    """
    return Sentence(text, numbers)


def counted(forms: tuple[str, str], count: int, **numbers: int | str) -> Sentence:
    """A sentence that counts something; ``%(n)s`` is the count.

    >>> counted(("%(n)s mark", "%(n)s marks"), 2).message
    '2 marks'
    """
    one, many = forms
    return Sentence(one, {"n": count, **numbers}, many, count)


@dataclass(frozen=True, slots=True)
class Breach:
    """One reason why no deal can give a row, or a doubt that a person should confirm.

    ``code`` is stable and kebab-case. ``text`` is an English message with ``%(name)s``
    placeholders for ``numbers``, so the code and its numbers travel and the text is made at
    the edge. ``column`` is the column whose cell stands against the rule, where one can be named;
    ``answer`` is the name of the answer about a hand that does not fit.
    """

    code: str
    text: str
    numbers: Mapping[str, int | str] = field(default_factory=dict, hash=False)
    column: ColumnId | None = None
    answer: str = ""

    @property
    def message(self) -> str:
        """The text in English, with its numbers."""
        return self.text % self.numbers


class Findings(NamedTuple):
    """What stands against a complete row, and what should be confirmed about it."""

    breaches: tuple[Breach, ...] = ()
    doubts: tuple[Breach, ...] = ()


NOTHING_FOUND = Findings()


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a row stands with the rules.

    A row with a blank is ``incomplete``, never unlawful. It carries a doubt when every way to
    complete it does, and it carries breaches exactly when no way to complete it is left.
    """

    status: Status
    breaches: tuple[Breach, ...] = ()
    doubts: tuple[Breach, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """What the rows of a match add up to, as written.

    ``leaders`` is empty before the first entry. ``line_round`` counts from 1; ``winner`` and
    ``winners`` have the highest total at or over the line in that round, ``winner`` only if
    nobody shares it. ``rows_after_line`` counts later rows with an entry. ``chalk`` is the side
    that holds it for the next deal, ``chalk_after`` the holder after each row; ``None`` is
    unknown, or nobody. ``bummerl`` is what the losing side is chalked, once somebody has won.
    """

    totals: Totals
    leaders: tuple[ColumnId, ...] = ()
    winner: ColumnId | None = None
    winners: tuple[ColumnId, ...] = ()
    line_round: int | None = None
    rows_after_line: int = 0
    chalk: ColumnId | None = None
    chalk_after: tuple[ColumnId | None, ...] = ()
    bummerl: int | None = None


class Place(NamedTuple):
    """Where a row stands on the sheet, as far as it is known.

    ``number`` counts rounds from 1, ``totals`` are the points before this round, ``line`` is
    what the table plays to; ``None`` is unknown for the first two and "no line" for the last.
    """

    number: int | None
    totals: Totals | None
    line: int | None


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number. ``True`` is not one, and neither is ``"3"``."""
    return isinstance(value, int) and not isinstance(value, bool)


def has_entry(row: Sequence[int | None]) -> bool:
    """Whether anybody has entered anything in a row."""
    return any(cell is not None for cell in row)


def is_complete(row: OpenRow) -> TypeGuard[Row]:
    """Whether every cell of a row is entered."""
    return None not in row


def listed(numbers: Sequence[int]) -> str:
    """Numbers as they are named in a message.

    >>> listed((1, 2, 3))
    '1, 2, 3'
    """
    return ", ".join(str(number) for number in numbers)


def closest(number: int, lawful: Iterable[int]) -> str:
    """The lawful numbers next below and next above, as they are named in a message.

    >>> closest(5, [1, 4, 6, 8])
    '4, 6'
    """
    known = sorted(lawful)
    below = [other for other in known if other < number][-1:]
    above = [other for other in known if other > number][:1]
    return listed((*below, *above))
