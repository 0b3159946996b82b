"""Hands: what happened in a deal, what a form asks about it, and what it comes to (settle)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from games.rules.vocabulary import (
    Breach,
    ColumnId,
    Row,
    Sentence,
    gettext_noop,
    is_whole,
)

Answer: TypeAlias = str | int | bool
"""One word of a hand: ``"big_solo"``, seat 2, ``True``."""

QuestionKind: TypeAlias = Literal["choice", "side", "seat", "points", "count", "switch"]


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a hand comes to.

    ``entries`` is the row it gives, ``None`` for a hand that leaves none. ``steps`` explain it
    one after the other, ``note`` names it in a few words ("Solo", "Schneider", "3 runners").
    ``doubts`` are what a person should confirm. ``chalk_next`` is the side that holds the chalk
    for the next deal, ``each`` what every loser pays and ``gains`` what every player wins or
    loses, in units and summing to zero; a game without these leaves them ``None``.
    """

    entries: Row | None
    steps: tuple[Sentence, ...] = ()
    doubts: tuple[Breach, ...] = ()
    note: tuple[Sentence, ...] = ()
    chalk_next: ColumnId | None = None
    each: int | None = None
    gains: tuple[int, ...] | None = None

    @property
    def lines(self) -> tuple[str, ...]:
        """The steps in English."""
        return tuple(step.message for step in self.steps)


class HandRefused(ValueError):
    """A hand that cannot have happened; ``breaches`` are all the reasons that were found."""

    def __init__(self, breaches: Iterable[Breach]) -> None:
        self.breaches = tuple(breaches)
        super().__init__(" ".join(breach.message for breach in self.breaches))


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to offer, with its label as a message; ``when`` as in ``Question``.

    ``seat``: whose name goes with it, counted clockwise from the dealer.
    """

    value: Answer
    label: str
    when: Mapping[str, tuple[Answer, ...]] = field(default_factory=dict)
    seat: int | None = None

    @property
    def word(self) -> str:
        """The value as a form sends it."""
        return word_of(self.value)


@dataclass(frozen=True, slots=True)
class Question:
    """One thing a form asks about a hand.

    ``name`` is the hand's key. ``choice``: one of the options; ``side`` and ``seat``: a column or
    a player, of whom the options are those to offer (none listed: all); ``points`` and ``count``:
    a whole number from ``lowest`` to ``highest``, typed or stepped; ``switch``: yes or no.
    ``many``: one answer for each seat, in a list. ``when``: asked only while every other answer
    named here is one of those listed. ``usual``: what is chosen before anybody taps.
    ``mirror``: points of side A, of which the other side has what is missing to ``highest``.
    ``optional``: may be left open where nothing depends on it.
    """

    name: str
    label: str
    kind: QuestionKind
    options: tuple[Option, ...] = ()
    when: Mapping[str, tuple[Answer, ...]] = field(default_factory=dict)
    usual: Answer | None = None
    lowest: int = 0
    highest: int = 0
    many: bool = False
    mirror: bool = False
    optional: bool = False


def word_of(value: Answer) -> str:
    """An answer as a form sends it.

    >>> word_of(True), word_of(2), word_of("rufer")
    ('true', '2', 'rufer')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def applies(when: Mapping[str, Sequence[Answer]], hand: Mapping[str, object]) -> bool:
    """Whether every answer named in a condition was given so.

    >>> applies({"kind": ("small_solo", "big_solo")}, {"kind": "played"})
    False
    """
    return all(
        any(type(answer) is type(hand.get(name)) and answer == hand[name] for answer in answers)
        for name, answers in when.items()
    )


class Reading:
    """A hand being read: its answers one by one, and every breach found on the way.

    Each method gives the answer, or ``None`` where it is left out or no answer, which then is
    among the ``breaches``. ``None`` and ``""`` are left out.
    """

    def __init__(self, hand: Mapping[str, object]) -> None:
        self.hand = hand
        self.breaches: list[Breach] = []

    def has(self, name: str) -> bool:
        """Whether anything was answered."""
        return self.hand.get(name) not in (None, "")

    def breach(self, code: str, text: str, name: str, **numbers: int | str) -> None:
        """Note a breach against one answer."""
        self.breaches.append(Breach(code, text, numbers, answer=name))

    def missing(self, name: str, text: str) -> None:
        """Note that an answer is left out which the result depends on."""
        self.breach("missing", text, name)

    def word(self, name: str, words: Iterable[Answer]) -> Answer | None:
        """One of a few words."""
        if not self.has(name):
            return None
        value = self.hand[name]
        for word in words:
            if type(word) is type(value) and word == value:
                return word
        self.breach(
            "unknown-answer",
            gettext_noop("“%(found)s” is none of the answers."),
            name,
            found=str(value)[:40],
        )
        return None

    def flag(self, name: str) -> bool | None:
        """Yes or no."""
        answer = self.word(name, (True, False))
        return answer if isinstance(answer, bool) else None

    def text(self, name: str, words: Iterable[str]) -> str | None:
        """One of a few words that are text."""
        answer = self.word(name, words)
        return answer if isinstance(answer, str) else None

    def whole(self, name: str) -> int | None:
        """A whole number of any size."""
        return self.whole_value(name, self.hand.get(name))

    def whole_value(self, name: str, value: object) -> int | None:
        """A whole number that belongs to an answer, or that is one of several in it."""
        if value is None or value == "":
            return None
        if is_whole(value):
            return value
        self.breach(
            "not-whole",
            gettext_noop("“%(found)s” is not a whole number."),
            name,
            found=str(value)[:40],
        )
        return None

    def refuse(self) -> None:
        """Raise ``HandRefused`` if any breach was found."""
        if self.breaches:
            raise HandRefused(self.breaches)


CARD_POINTS = 120
"""Card points in a whole pack, of 20, 24 or 32 cards alike."""


def read_card_points(reading: Reading, name: str, value: object) -> int | None:
    """Card points a side can have taken in tricks: 0 to 120, but not 1 and not 119.

    Cards are worth 0, 2, 3, 4, 10 or 11 (rules.md 1.2, 3.3).
    """
    points = reading.whole_value(name, value)
    if points is None:
        return None
    if not 0 <= points <= CARD_POINTS:
        reading.breach(
            "points-range",
            gettext_noop("%(found)s card points: a deal has %(all)s, so it is 0 to %(all)s."),
            name,
            found=points,
            all=CARD_POINTS,
        )
        return None
    if points in {1, CARD_POINTS - 1}:
        reading.breach(
            "points-impossible",
            gettext_noop("Nobody can take %(found)s card points: no card is worth 1."),
            name,
            found=points,
        )
        return None
    return points
