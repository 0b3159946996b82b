"""Typed text to values. What is wrong is said beside its box, and everything typed is kept."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import regex
from django.utils.translation import gettext as _

from games.names import TYPED_LENGTH, clean_name
from games.rules import HouseRuleRefused
from games.services import Malformed, NewTable
from games.spelling import name_key
from games.stakes import StakeForm

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from games.rules import Game, HouseRule, HouseValue

Value = TypeVar("Value")

SEATS = range(4)
PARTNERS_OF_0 = (1, 2, 3)
SIDE_COLUMNS = ("A", "B")
AGREED_LENGTH = 200
LINE_NUMBER = "number"  # the choice that says: the line stands in the box beside

_NO_TEXT = regex.compile(r"[[\p{Cc}\p{Cs}\p{Bidi_Control}]--[\n]]", regex.V1)


@dataclass(frozen=True)
class Wrong:
    """What stands beside a box whose text was refused."""

    code: str
    say: str


@dataclass(frozen=True)
class Option:
    """One value that can be tapped; the label is a message to be translated, or digits."""

    value: str
    label: str
    chosen: bool
    translated: bool = True


@dataclass(frozen=True)
class HouseField:
    """A house rule as boxes to tap, a switch, or a list of numbers."""

    rule: HouseRule
    options: tuple[Option, ...]
    number: str
    wrong: Wrong | None

    @property
    def is_list(self) -> bool:
        """Whether there are too many values for boxes."""
        return self.rule.kind == "number"

    @property
    def takes_number(self) -> bool:
        """Whether any number in its limits may be typed beside the choices."""
        return self.rule.kind == "choice" and self.rule.lowest is not None

    @property
    def is_on(self) -> bool:
        """Whether a switch stands at yes."""
        return self.options[1].chosen


@dataclass
class Typed:
    """What came with a form: texts by name, and what is wrong with some of them."""

    texts: Mapping[str, str] = field(default_factory=dict)
    wrong: dict[str, Wrong] = field(default_factory=dict)

    def read(self, name: str, read: Callable[[str], Value], default: Value) -> Value:
        """The value of a box, the default if it did not come; a refusal is kept beside it."""
        if name not in self.texts:
            return default
        try:
            return read(self.texts[name])
        except Malformed as refusal:
            self.wrong[name] = Wrong(refusal.code, refusal.say)
            return default


class HouseForm:
    """The house rules of a game, and what else a table settled by word."""

    def __init__(
        self, game: Game, texts: Mapping[str, str] | None = None, *, now: Mapping[str, object]
    ) -> None:
        self.game = game
        self.typed = Typed(texts or {})
        self.now = game.house_rules(now)
        self.house = self._read_house()
        self.agreed = self.typed.read("agreed", clean_agreed, "")

    @property
    def is_valid(self) -> bool:
        """Whether every box holds something it can hold."""
        return not self.typed.wrong

    @property
    def fields(self) -> tuple[HouseField, ...]:
        """The house rules as they are drawn."""
        return tuple(self._field(rule) for rule in self.game.house)

    @property
    def differs(self) -> bool:
        """Whether the table plays anything but the game as usual."""
        return self.house != self.game.house_rules({}) or bool(self.typed.wrong)

    def _read_house(self) -> dict[str, HouseValue]:
        texts = {rule.name: self._text(rule) for rule in self.game.house}
        house = dict(self.now)
        for rule in self.game.house:
            if rule.name in self.typed.texts:
                try:
                    house[rule.name] = rule.read(texts[rule.name])
                except HouseRuleRefused:
                    self.typed.wrong[rule.name] = _refused(rule)
        return house

    def _text(self, rule: HouseRule) -> str:
        text = self.typed.texts.get(rule.name, "").strip()
        if text == LINE_NUMBER:
            return self.typed.texts.get(f"{rule.name}_number", "").strip()
        return text

    def _field(self, rule: HouseRule) -> HouseField:
        chosen = self.typed.texts.get(rule.name, _plain(self.house[rule.name])).strip()
        number = self.typed.texts.get(f"{rule.name}_number", "")
        values = {_plain(value) for value in rule.choices}
        if rule.kind == "choice" and rule.lowest is not None and chosen not in values:
            number = number or (chosen if chosen != LINE_NUMBER else "")
            chosen = LINE_NUMBER
        options = [
            Option(_plain(value), label or str(value), _plain(value) == chosen, bool(label))
            for value, label in rule.options
        ]
        if rule.kind == "choice" and rule.lowest is not None:
            options.append(Option(LINE_NUMBER, "", chosen == LINE_NUMBER))
        return HouseField(rule, tuple(options), number, self.typed.wrong.get(rule.name))


@dataclass(frozen=True)
class Line:
    """One line of the set-up form: a name and what is wrong with it."""

    number: int
    name: str
    wrong: Wrong | None
    partner: bool
    deals: bool
    holds: bool

    @property
    def label(self) -> str:
        """The name, or the number of the line while there is none."""
        return self.name.strip() or str(self.number + 1)


class SetUp:
    """A new table as it is filled in: who sits where, who deals, how it is played."""

    def __init__(self, game: Game, texts: Mapping[str, str] | None = None) -> None:
        self.game = game
        self.house_form = HouseForm(game, texts, now={})
        self.typed = self.house_form.typed
        self.names = self._read_names() if texts is not None else ()
        self.partner = self.typed.read("partner_of_0", _one_of(PARTNERS_OF_0, 2), 2)
        self.first_dealer = self.typed.read("first_dealer", _one_of(SEATS, 0), 0)
        self.holder = self.typed.read("holder", _one_of(SEATS, None), None)
        self.side_names = self._read_side_names()
        self.stake = StakeForm(game, self.typed, house=self.house_form.house)

    @property
    def is_valid(self) -> bool:
        """Whether the table can be started."""
        return not self.typed.wrong

    @property
    def wrong(self) -> dict[str, Wrong]:
        """What is wrong, by the name of the box."""
        return self.typed.wrong

    @property
    def texts(self) -> Mapping[str, str]:
        """What was typed, by the name of the box."""
        return self.typed.texts

    @property
    def lines(self) -> tuple[Line, ...]:
        """The four lines in the order of the form."""
        return tuple(
            Line(
                number=number,
                name=self.texts.get(f"player_{number}", ""),
                wrong=self.wrong.get(f"player_{number}"),
                partner=self.partner == number,
                deals=self.first_dealer == number,
                holds=self.holder == number,
            )
            for number in SEATS
        )

    @property
    def seating(self) -> tuple[int, ...]:
        """The lines that sit on seats 0 to 3."""
        return lines_by_seat(self.partner) if self.game.partnerships else tuple(SEATS)

    def new_table(self) -> NewTable:
        """The set-up with people on seats; only of a valid form."""
        seating = self.seating
        first, second, third, fourth = (self.names[line] for line in seating)
        return NewTable(
            game_slug=self.game.slug,
            names=(first, second, third, fourth),
            first_dealer=seating.index(self.first_dealer),
            holder=None if self.holder is None else seating.index(self.holder),
            side_names=self.side_names,
            house=self.house_form.house,
            agreed=self.house_form.agreed,
            stake=self.stake.kind,
            unit_cents=self.stake.cents,
            currency=self.stake.currency,
        )

    def _read_names(self) -> tuple[str, ...]:
        names: list[str] = []
        for number in SEATS:
            box = f"player_{number}"
            self.typed.texts = {**self.typed.texts, box: self.typed.texts.get(box, "")}
            name = self.typed.read(box, clean_name, "")
            if name and name_key(name) in {name_key(other) for other in names}:
                self.wrong[box] = _name_twice()
            names.append(name)
        return tuple(names)

    def _read_side_names(self) -> dict[str, str]:
        if not self.game.partnerships:
            return {}
        given = {
            column: self.typed.read(f"side_{column}", _name_or_nothing, "")
            for column in SIDE_COLUMNS
        }
        if self.names:
            shown = [given[column] or self._called(column) for column in SIDE_COLUMNS]
            if any(given.values()) and name_key(shown[0]) == name_key(shown[1]):
                box = "side_B" if given["B"] else "side_A"
                self.wrong[box] = Wrong("side-twice", _("The other side has that name already."))
        return {column: name for column, name in given.items() if name}

    def _called(self, column: str) -> str:
        first = SIDE_COLUMNS.index(column)
        return " & ".join(self.names[self.seating[seat]] for seat in (first, first + 2))


def lines_by_seat(partner_of_0: int) -> tuple[int, int, int, int]:
    """Who sits on seats 0 to 3: line 0, its partner across, the other two in their order.

    >>> lines_by_seat(3)
    (0, 1, 3, 2)
    """
    left, right = (line for line in PARTNERS_OF_0 if line != partner_of_0)
    return (0, left, partner_of_0, right)


def clean_agreed(text: str) -> str:
    """What the table settled by word, at most 200 characters."""
    too_long = Malformed("agreed-long", _("At most 200 characters fit here."))
    if len(text) > TYPED_LENGTH:
        raise too_long
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\t", " ")).strip()
    if _NO_TEXT.search(text):
        raise Malformed("agreed-characters", _("This cannot hold control characters."))
    if len(text) > AGREED_LENGTH:
        raise too_long
    return text


def _one_of(allowed: Sequence[int], default: Value) -> Callable[[str], int | Value]:
    def read(text: str) -> int | Value:
        if not text.strip():
            return default
        for number in allowed:
            if text.strip() == str(number):
                return number
        raise Malformed("choice", _("Choose one of these."))

    return read


def _name_or_nothing(text: str) -> str:
    return clean_name(text) if text.strip() else ""


def _name_twice() -> Wrong:
    return Wrong("name-twice", _("Somebody at this table has that name already."))


def _refused(rule: HouseRule) -> Wrong:
    if rule.lowest is not None and rule.kind == "choice":
        say = _("Enter a whole number from %(lowest)s to %(highest)s.") % {
            "lowest": rule.lowest,
            "highest": rule.highest,
        }
        return Wrong("house", say)
    return Wrong("house", _("Choose one of these."))


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
