"""The form that works a hand out: its questions with names, what was answered, what it comes to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.rules import Breach, HandRefused
from games.rules.hand import applies, word_of
from games.services import in_words
from games.sheet import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.http import QueryDict

    from games.rules import Option, Question, Settlement, Verdict
    from games.rules.hand import Answer
    from games.sheet import Row, Sheet

WHOLE = re.compile(r"[0-9]{1,4}\Z")
SEATS = 4
SWITCHED_ON = frozenset({"true", "on", "1"})


@dataclass(frozen=True)
class Choice:
    """One answer to tap; ``offered``: as things stand, it can be given."""

    id: str
    word: str
    label: str
    name: str = ""  # a person or a side, as they are called
    shape: str = ""
    when: str = ""
    chosen: bool = False
    offered: bool = True


@dataclass(frozen=True)
class Box:
    """One input: its name in the form, what it holds, and whose it is where there are several."""

    key: str
    typed: str
    name: str = ""
    shape: str = ""


@dataclass(frozen=True)
class Field:
    """One question as the form shows it: answers to tap, or boxes to fill."""

    question: Question
    when: str
    asked: bool
    choices: tuple[Choice, ...] = ()
    boxes: tuple[Box, ...] = ()

    @property
    def usual(self) -> str:
        """The word that is chosen before anybody taps, "" for none."""
        return word_of_usual(self.question)


@dataclass(frozen=True)
class Share:
    """What one column gets: the number for the sheet, and in some games the units won or lost."""

    column: str
    name: str
    shape: str
    entry: int
    gain: str


@dataclass(frozen=True)
class Worked:
    """What the answers so far come to."""

    settlement: Settlement | None = None
    shares: tuple[Share, ...] = ()
    missing: tuple[Breach, ...] = ()
    breaches: tuple[Breach, ...] = ()
    doubts: tuple[Breach, ...] = ()

    @property
    def shown(self) -> tuple[int, ...]:
        """The numbers for the sheet, column by column."""
        return tuple(share.entry for share in self.shares)

    @property
    def status(self) -> int:
        """422 for a hand that cannot have happened; one that is not told to the end is fine."""
        return 422 if self.breaches else 200


def questions_of(sheet: Sheet, known: Mapping[str, Any]) -> tuple[Question, ...]:
    """What to ask about a hand of this sheet: everything that it does not know itself."""
    return tuple(
        question
        for question in sheet.game.questions(sheet.house)
        if question.name not in known
        and applies({n: words for n, words in question.when.items() if n in known}, known)
    )


def read_hand(sheet: Sheet, number: int, post: QueryDict) -> dict[str, Any]:
    """The hand that a form tells of, with what the sheet knows; only what is asked counts."""
    known = sheet.known_of_hand(number)
    hand: dict[str, Any] = dict(known)
    for question in questions_of(sheet, known):
        if not applies(question.when, hand):
            continue
        answer = _read_many(question, post) if question.many else _read_one(question, hand, post)
        if answer is not None:
            hand[question.name] = answer
    return hand


def sent_again(sheet: Sheet, number: int, hand: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The answers that count, as a form sends them: what is shown is what gets written."""
    found: list[tuple[str, str]] = []
    for question in questions_of(sheet, sheet.known_of_hand(number)):
        answer = hand.get(question.name)
        if answer is None or not applies(question.when, hand):
            continue
        if question.many:
            found += [
                (f"{question.name}_{seat}", "" if one is None else word_of(one))
                for seat, one in enumerate(answer)
            ]
        else:
            found.append((question.name, word_of(answer)))
    return found


def work_out(sheet: Sheet, number: int, hand: Mapping[str, Any]) -> Worked:
    """What a hand comes to in the place of a round; never raises for what was answered."""
    try:
        settlement = sheet.game.settle(hand, house=sheet.house)
    except HandRefused as refused:
        missing = tuple(b for b in refused.breaches if b.code in MISSING)
        wrong = tuple(b for b in refused.breaches if b.code not in MISSING)
        return Worked(missing=missing, breaches=wrong)
    if settlement.entries is None:
        return Worked(settlement)
    if open_question := _open_question(sheet, number, hand):
        return Worked(missing=(open_question,))
    verdict: Verdict = sheet.check(settlement.entries, number)
    gains = settlement.gains or (None,) * len(sheet.sides)
    return Worked(
        settlement,
        shares=tuple(
            Share(side.column, side.name, MARKS[side.column], entry, signed(gain))
            for side, entry, gain in zip(sheet.sides, settlement.entries, gains, strict=True)
        ),
        breaches=verdict.breaches,
        doubts=(*settlement.doubts, *verdict.doubts),
    )


def _open_question(sheet: Sheet, number: int, hand: Mapping[str, Any]) -> Breach | None:
    """A question to tap an answer to that nobody answered: the form takes none for given."""
    for question in questions_of(sheet, sheet.known_of_hand(number)):
        taps = question.kind in {"choice", "side", "seat"} and not question.optional
        has_usual = question.usual is not None  # "nobody" is an answer, too
        if taps and not has_usual and question.name not in hand and applies(question.when, hand):
            return Breach(
                "missing",
                gettext_noop("Not answered yet: %(question)s"),
                {"question": _(question.label)},
                answer=question.name,
            )
    return None


MISSING = frozenset({"missing", "partner-missing", "holder-missing"})
"""Breaches of a hand that is not told to the end yet."""


def fields_of(sheet: Sheet, number: int, hand: Mapping[str, Any], post: QueryDict) -> list[Field]:
    """The form's fields; those that are not asked as things stand are there, but hidden."""
    known = sheet.known_of_hand(number)
    return [
        Field(
            question,
            condition(question.when, known),
            asked=applies(question.when, hand),
            choices=tuple(_choices(sheet, number, question, prefix, hand, post)),
            boxes=tuple(_boxes(sheet, question, post)),
        )
        for question, prefix in _with_prefixes(questions_of(sheet, known))
    ]


def _with_prefixes(questions: Sequence[Question]) -> Iterable[tuple[Question, str]]:
    """Each question with the start of its ids: two may ask for one answer in different hands."""
    for index, question in enumerate(questions):
        again = sum(earlier.name == question.name for earlier in questions[:index])
        yield question, f"{question.name}{again + 1 if again else ''}"


def note_words(settlement: Settlement | None) -> str:
    """A hand in a few words: "Solo, Schneider, 3 runners"."""
    return ", ".join(in_words(part) for part in settlement.note) if settlement else ""


def signed(gain: int | None) -> str:
    """Units won or lost, as a person writes them.

    >>> signed(7), signed(-7), signed(0)
    ('+7', '−7', '0')
    """
    if gain is None:
        return ""
    sign = "+" if gain > 0 else "\N{MINUS SIGN}" if gain else ""
    return f"{sign}{abs(gain)}"


def offers(settlement: Settlement | None, row: Row) -> tuple[int | None, ...]:
    """What a worked-out hand offers each open cell of its row."""
    if settlement is None or settlement.entries is None:
        return (None,) * len(row.cells)
    return tuple(
        entry if cell.value is None else None
        for cell, entry in zip(row.cells, settlement.entries, strict=True)
    )


def _read_one(question: Question, hand: Mapping[str, Any], post: QueryDict) -> object:
    text = str(post.get(question.name, word_of_usual(question))).strip()
    if question.kind == "switch":
        return text in SWITCHED_ON
    if question.kind == "choice":
        allowed = [o.value for o in question.options if applies(o.when, hand)]
        return _answer(text, allowed)
    return _answer(text, _values(question))


def _read_many(question: Question, post: QueryDict) -> list[object]:
    values = _values(question)
    texts = [str(post.get(f"{question.name}_{seat}", "")).strip() for seat in range(SEATS)]
    if question.kind == "switch":
        return [text in SWITCHED_ON for text in texts]
    return [_answer(text, values) for text in texts]


def _values(question: Question) -> list[Answer]:
    if question.kind == "seat":
        return list(range(SEATS))
    return [option.value for option in question.options]


def _answer(text: str, values: Sequence[Answer]) -> object:
    """The answer whose word was sent, or a whole number, or the text for the rules to judge."""
    if text == "":
        return None
    for value in values:
        if word_of(value) == text:
            return value
    return int(text) if WHOLE.match(text) else text


def word_of_usual(question: Question) -> str:
    """What a question holds before anybody taps."""
    return "" if question.usual is None else word_of(question.usual)


def condition(when: Mapping[str, Sequence[Answer]], known: Mapping[str, Any]) -> str:
    """A condition as the page's script reads it, without what the sheet knows itself.

    >>> condition({"kind": ("small_solo", "big_solo"), "first_deal": (True,)}, {"first_deal": True})
    'kind=small_solo|big_solo'
    """
    return " ".join(
        f"{name}={'|'.join(map(word_of, words))}"
        for name, words in when.items()
        if name not in known
    )


def _typed(question: Question, post: QueryDict) -> str:
    return str(post.get(question.name, word_of_usual(question))).strip()


def _choices(  # noqa: PLR0913 - what an answer to tap is drawn from
    sheet: Sheet,
    number: int,
    question: Question,
    prefix: str,
    hand: Mapping[str, Any],
    post: QueryDict,
) -> list[Choice]:
    typed = _typed(question, post)
    found: list[Choice] = []
    for option in question.options:
        if option.value in sheet.columns:
            continue  # those come with their names
        offered = applies(option.when, hand)
        same = sum(choice.word == option.word for choice in found)
        found.append(
            Choice(
                f"{prefix}-{option.word}" + (f"-{same}" if same else ""),
                option.word,
                _(option.label) if option.label else option.word,
                name=_name_of(sheet, number, option),
                when=condition(option.when, {}),
                chosen=offered and option.word == typed,
                offered=offered,
            )
        )
    return found + [
        Choice(f"{prefix}-{word}", word, "", name, shape, chosen=word == typed)
        for word, name, shape in _people(sheet, question)
    ]


def _people(sheet: Sheet, question: Question) -> list[tuple[str, str, str]]:
    """The sides or players to tap, as word, name and shape."""
    if question.kind == "side":
        return [(side.column, side.name, MARKS[side.column]) for side in sheet.sides]
    if question.kind == "seat":
        names = enumerate(sheet.names_by_seat)
        return [(str(seat), name, _shape_of(sheet, seat)) for seat, name in names]
    return []


def _boxes(sheet: Sheet, question: Question, post: QueryDict) -> list[Box]:
    if question.kind not in {"points", "count", "switch"}:
        return []
    if not question.many:
        return [Box(question.name, _typed(question, post))]
    keys = [f"{question.name}_{seat}" for seat in range(SEATS)]
    return [
        Box(key, str(post.get(key, "")).strip(), sheet.name_at(seat), _shape_of(sheet, seat))
        for seat, key in enumerate(keys)
    ]


def _name_of(sheet: Sheet, number: int, option: Option) -> str:
    """The player that an option stands for in the deal of a round."""
    return "" if option.seat is None else sheet.name_at(sheet.dealer_in(number) + option.seat)


def _shape_of(sheet: Sheet, seat: int) -> str:
    return MARKS[sheet.columns[seat % len(sheet.columns)]]
