"""House rules: what a table may choose, and how a choice is read (rules.md, "The face")."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

from games.rules.vocabulary import gettext_noop, is_whole

HouseValue: TypeAlias = bool | int | str
HouseRuleKind: TypeAlias = Literal["flag", "choice", "number"]

_FLAG_TEXTS: Mapping[str, bool] = MappingProxyType(
    {"on": True, "true": True, "True": True, "off": False, "false": False, "False": False}
)
_PLAIN_NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,3})", re.ASCII)


class HouseRuleRefused(ValueError):
    """A house rule that this game does not have, or a value that its rule does not take.

    ``name`` and ``value`` are what was asked for.
    """

    def __init__(self, name: object, value: object) -> None:
        super().__init__(f"{name!r} cannot be {value!r}.")
        self.name = name
        self.value = value


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One thing a table may agree on.

    ``choices`` are the plain values; ``labels`` are their messages in the same order, an empty
    one where the number speaks for itself. A rule with ``lowest`` and ``highest`` also takes
    every whole number between them, both included.
    """

    name: str
    label: str
    kind: HouseRuleKind
    choices: tuple[HouseValue, ...]
    labels: tuple[str, ...]
    default: HouseValue
    lowest: int | None = None
    highest: int | None = None

    @property
    def options(self) -> tuple[tuple[HouseValue, str], ...]:
        """The choices with their labels, for a form."""
        return tuple(zip(self.choices, self.labels, strict=True))

    def label_of(self, value: HouseValue) -> str:
        """The message for a value, or its digits where the number speaks for itself."""
        for choice, label in self.options:
            if type(choice) is type(value) and choice == value:
                return label or str(value)
        return str(value)

    def read(self, value: object) -> HouseValue:
        """The value this rule keeps for what a program or a form sends.

        Raises ``HouseRuleRefused`` for anything that is not a value or its plain text:
        ``True`` is not 1, and ``"05"`` is not 5.
        """
        for reading in self._readings(value):
            if self._takes(reading):
                return reading
        raise HouseRuleRefused(self.name, value)

    def _readings(self, value: object) -> Iterable[HouseValue]:
        if isinstance(value, bool | int):
            yield value
        elif isinstance(value, str):
            yield value
            if self.kind == "flag" and value in _FLAG_TEXTS:
                yield _FLAG_TEXTS[value]
            elif self.kind != "flag" and _PLAIN_NUMBER.fullmatch(value):
                yield int(value)

    def _takes(self, value: HouseValue) -> bool:
        if any(type(choice) is type(value) and choice == value for choice in self.choices):
            return True
        if self.lowest is None or self.highest is None or not is_whole(value):
            return False
        return self.lowest <= value <= self.highest


def flag(name: str, label: str, *, default: bool = False) -> HouseRule:
    """A house rule that is on or off."""
    return HouseRule(
        name=name,
        label=label,
        kind="flag",
        choices=(False, True),
        labels=(gettext_noop("no"), gettext_noop("yes")),
        default=default,
    )


def choice(
    name: str, label: str, options: Mapping[HouseValue, str], *, default: HouseValue
) -> HouseRule:
    """A house rule with a few named values."""
    return HouseRule(
        name=name,
        label=label,
        kind="choice",
        choices=tuple(options),
        labels=tuple(options.values()),
        default=default,
    )


def units(name: str, label: str, *, highest: int) -> HouseRule:
    """A house rule that sets a value in units, 0 for a contract that is not played."""
    return HouseRule(
        name=name,
        label=label,
        kind="number",
        choices=tuple(range(highest + 1)),
        labels=(gettext_noop("not played"), *("",) * highest),
        default=0,
        lowest=0,
        highest=highest,
    )


FREE_NUMBERS = flag("free_numbers", gettext_noop("Our table plays other numbers"))
LINE = HouseRule(
    name="line",
    label=gettext_noop("Play to"),
    kind="choice",
    choices=("game", "none"),
    labels=(gettext_noop("the game’s own line"), gettext_noop("no line")),
    default="game",
    lowest=1,
    highest=9999,
)
COMMON = (FREE_NUMBERS, LINE)
"""The house rules of every game; they follow the game's own."""


@dataclass(frozen=True, slots=True)
class House:
    """The house rules of a table, all of them, each with a value its rule takes."""

    agreed: tuple[tuple[str, HouseValue], ...]

    def __getitem__(self, name: str) -> HouseValue:
        for agreed_name, value in self.agreed:
            if agreed_name == name:
                return value
        raise KeyError(name)

    def number(self, name: str) -> int:
        """The value of a rule that is set in points or units."""
        value = self[name]
        if not is_whole(value):
            raise TypeError(f"{name} is not set by a number, but by {value!r}.")
        return value


def read_house(rules: tuple[HouseRule, ...], wanted: Mapping[str, object]) -> House:
    """House rules with the defaults filled in, in the order of the rules.

    Raises ``HouseRuleRefused`` for an unknown name or a value its rule does not take.
    """
    known = {rule.name for rule in rules}
    for name, value in wanted.items():
        if name not in known:
            raise HouseRuleRefused(name, value)
    return House(
        tuple(
            (rule.name, rule.read(wanted[rule.name]) if rule.name in wanted else rule.default)
            for rule in rules
        )
    )
