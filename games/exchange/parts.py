"""A file value by value, read strictly: what is wrong is said with its place."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from django.utils import timezone
from django.utils.translation import gettext as _

from games.rules.vocabulary import is_whole
from games.services.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

Value = TypeVar("Value")
Default = TypeVar("Default")

MOST_BYTES = 5 * 1024 * 1024  # some 4000 deals with their history
FIRST_YEAR = 2000
CLOCKS_DIFFER = timedelta(days=1)
SHOWN = 40  # characters of a name that nobody knows


class Unreadable(Malformed):
    """A file that is not taken; ``say`` tells what is wrong, and where."""

    def __init__(self, say: str, where: Iterable[str] = ()) -> None:
        place = ", ".join(where)
        super().__init__("unreadable", f"{place[:1].upper()}{place[1:]}: {say}" if place else say)


@dataclass(frozen=True)
class Part:
    """One value of a file, and the words for its place: match 2, deal 7."""

    value: Any
    where: tuple[str, ...] = ()

    def refuse(self, say: str) -> NoReturn:
        """Say what is wrong here. Raises ``Unreadable``."""
        raise Unreadable(say, self.where)

    def group(self, needed: Collection[str], also: Collection[str] = ()) -> Group:
        """Values by name: all that are needed, perhaps some others, and none that nobody knows."""
        if not isinstance(self.value, dict):
            self.refuse(_("Here belong names with values, in braces."))
        for name in needed:
            if name not in self.value:
                self.refuse(_("“%(name)s” is missing.") % {"name": name})
        for name in self.value:
            if name not in needed and name not in also:
                self.refuse(_("Nobody knows what “%(name)s” is.") % {"name": name[:SHOWN]})
        return Group(self)

    def each(self, called: str, most: int) -> list[Part]:
        """The parts of a list of things that are called, like match 2; ``called`` has ``%(n)s``."""
        names = [called % {"n": n} for n in range(1, self._length(most) + 1)]
        around = self.where[:-1]  # "match 2" says where it is, and no "matches" before it is needed
        return [Part(value, (*around, name)) for value, name in zip(self.value, names, strict=True)]

    def items(self, most: int) -> list[Part]:
        """The parts of a list, counted from 1."""
        self._length(most)
        return [Part(value, (*self.where, str(n))) for n, value in enumerate(self.value, start=1)]

    def _length(self, most: int) -> int:
        if not isinstance(self.value, list) or len(self.value) > most:
            self.refuse(_("Here belongs a list of at most %(most)s.") % {"most": most})
        return len(self.value)

    def or_none(self, read: Callable[[Part], Value]) -> Value | None:
        """What ``read`` makes of it, or None for null."""
        return None if self.value is None else read(self)

    def whole(self, lowest: int, highest: int) -> int:
        """A whole number within its limits."""
        if not is_whole(self.value) or not lowest <= self.value <= highest:
            self.refuse(
                _("Here belongs a whole number from %(lowest)s to %(highest)s.")
                % {"lowest": lowest, "highest": highest}
            )
        return int(self.value)

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.refuse(_("Here belongs true or false."))
        return bool(self.value)

    def text(self) -> str:
        """A text of any length, which its reader limits."""
        if not isinstance(self.value, str):
            self.refuse(_("Here belongs a text in quotation marks."))
        return str(self.value)

    def cleaned(self, clean: Callable[[str], str]) -> str:
        """A text as ``clean`` leaves it, or what that has against it."""
        try:
            return clean(self.text())
        except Malformed as refusal:
            self.refuse(refusal.say)

    def word(self, words: Collection[str]) -> str:
        """One of a few words."""
        if not isinstance(self.value, str) or self.value not in words:
            self.refuse(_("Here belongs one of these: %(words)s.") % {"words": ", ".join(words)})
        return str(self.value)

    def time(self) -> datetime:
        """A time with its zone, not before 2000 and not in the future."""
        try:
            at = datetime.fromisoformat(self.text())
        except ValueError:
            at = None
        if at is None or at.tzinfo is None or at.year < FIRST_YEAR:
            self.refuse(_("Here belongs a time since 2000, like 2026-11-30T20:15:00+00:00."))
        if at > timezone.now() + CLOCKS_DIFFER:
            self.refuse(_("This time is in the future."))
        return at.astimezone(UTC)


@dataclass(frozen=True)
class Group:
    """Named values of a file, of which it is known that they are there."""

    part: Part

    def __contains__(self, name: str) -> bool:
        return name in self.part.value

    def __getitem__(self, name: str) -> Part:
        return Part(self.part.value[name], (*self.part.where, f"“{name}”"))

    def read(self, name: str, read: Callable[[Part], Value], default: Default) -> Value | Default:
        """What ``read`` makes of a value that may be left out."""
        return read(self[name]) if name in self else default


def parse(data: bytes | str) -> Part:
    """The whole of a file. Raises ``Unreadable`` for what is too large, or no JSON."""
    if len(data) > MOST_BYTES:
        raise Unreadable(
            _("This is more than %(most)s MB, and no evening is so long.")
            % {"most": MOST_BYTES // 1024**2}
        )
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data.lstrip("\ufeff")
        return Part(json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_number))
    except UnicodeDecodeError:
        raise Unreadable(_("This is no text: choose the file that ends in .json.")) from None
    except json.JSONDecodeError as wrong:
        raise Unreadable(
            _("This breaks off or is no JSON: line %(line)s, character %(column)s.")
            % {"line": wrong.lineno, "column": wrong.colno}
        ) from None
    except RecursionError:
        raise Unreadable(_("This is nested too deeply.")) from None
    except ValueError:  # a number of thousands of digits
        raise Unreadable(_("A number in this file is far too long.")) from None


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Unreadable(_("“%(name)s” stands there twice.") % {"name": name[:SHOWN]})
        found[name] = value
    return found


def _no_number(word: str) -> NoReturn:
    raise Unreadable(_("“%(word)s” is no number.") % {"word": word})
