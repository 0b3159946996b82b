"""What a table plays for: the form for it, and amounts of money as people type and read them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from babel.numbers import format_currency, format_decimal
from django.utils.translation import get_language, gettext_noop, to_locale
from django.utils.translation import gettext as _

from games.names import FORBIDDEN, TYPED_LENGTH
from games.services import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.forms import Typed, Wrong
    from games.models import Table
    from games.rules import Game, Stake

CURRENCY = "€"
CURRENCY_LENGTH = 8
MOST_CENTS = 10000
STAKES: Mapping[Stake, str] = {
    "unit": gettext_noop("each unit"),
    "match": gettext_noop("each match"),
    "points": gettext_noop("each point of difference (%(points)s)"),
    "bummerl": gettext_noop("each Bummerl"),
}

_COINS = re.compile(r"([0-9]+)\s?(?:ct|cents?)\.?\Z", re.ASCII | re.IGNORECASE)
_AMOUNT = re.compile(r"([0-9]+)(?:[.,]([0-9]+))?\Z", re.ASCII)
_WHOLE_CENTS = 2  # digits behind the comma


@dataclass(frozen=True)
class Choice:
    """One thing to pay for."""

    value: Stake
    label: str
    chosen: bool


class StakeForm:
    """What a table plays for, as it is typed: the kind of stake, its amount, the currency.

    A box that did not come keeps what the table has now.
    """

    def __init__(
        self,
        game: Game,
        typed: Typed,
        *,
        house: Mapping[str, object],
        now: Table | None = None,
    ) -> None:
        self.game = game
        self.typed = typed
        self.kinds = kinds_of(game, house, now)
        self.cents_now = now.unit_cents if now else None
        self.currency_now = (now.currency if now else "") or CURRENCY
        self.kind = typed.read("stake", self._read_kind, kind_of(now) if now else self.kinds[0])
        self.cents = typed.read("unit", read_unit, self.cents_now)
        self.currency = typed.read("currency", clean_currency, self.currency_now)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What can be paid for, where there is a choice."""
        return tuple(Choice(k, stake_words(self.game, k), k == self.kind) for k in self.kinds)

    @property
    def unit_text(self) -> str:
        """What stands in the box of the amount."""
        now = "" if self.cents_now is None else amount_words(self.cents_now)
        return self.typed.texts.get("unit", now)

    @property
    def currency_text(self) -> str:
        """What stands in the box of the currency."""
        return self.typed.texts.get("currency", "") or self.currency_now

    @property
    def wrong(self) -> Mapping[str, Wrong]:
        """What is wrong, by the name of the box."""
        return self.typed.wrong

    def _read_kind(self, text: str) -> Stake:
        for kind in self.kinds:
            if text.strip() == kind:
                return kind
        raise Malformed("choice", _("Choose one of these."))


def kinds_of(game: Game, house: Mapping[str, object], now: Table | None) -> tuple[Stake, ...]:
    """What a table can play for; what it plays for now stays among it."""
    kinds = game.stakes(house)
    chosen = kind_of(now) if now else kinds[0]
    return kinds if chosen in kinds else (*kinds, chosen)


def kind_of(table: Table) -> Stake:
    """What is paid for at a table."""
    kinds: Mapping[str, Stake] = {kind: kind for kind in STAKES}
    return kinds.get(table.stake) or table.game.stakes(table.house)[0]


def stake_words(game: Game, kind: Stake) -> str:
    """What is paid for, in words: "each match"."""
    return _(STAKES[kind]) % {"points": _(game.points_word)}


def money_words(cents: int, currency: str, *, signed: bool = False) -> str:
    """An amount as the reader's language writes it: "0,40 €"."""
    sign = ("+" if cents > 0 else "\N{MINUS SIGN}" if cents else "") if signed else ""
    is_sign = len(currency) == 1 and unicodedata.category(currency) == "Sc"
    pattern = None if is_sign else "#,##0.00\N{NO-BREAK SPACE}¤"
    amount = Decimal(abs(cents)) / 100
    return sign + format_currency(amount, currency, format=pattern, locale=_locale())


def amount_words(cents: int) -> str:
    """An amount without its currency, as somebody would type it: "0,40"."""
    return format_decimal(Decimal(cents) / 100, format="0.00", locale=_locale())


def clean_currency(text: str) -> str:
    """The sign of the coins, € if none was given."""
    refused = Malformed("currency", _("A currency has at most 8 characters."))
    if len(text) > TYPED_LENGTH:
        raise refused
    text = " ".join(unicodedata.normalize("NFC", text).split())
    if FORBIDDEN.search(text) or len(text) > CURRENCY_LENGTH:
        raise refused
    return text or CURRENCY


def read_unit(text: str) -> int | None:
    """What a stake is in cents, from a text like 0.10, 0,1 or 10 ct; None for an empty box."""
    text = text.strip()
    if not text:
        return None
    cents = _cents_in(text)
    if cents is None:
        raise Malformed("unit", _("Enter an amount like 0.10 or 10 ct, or nothing at all."))
    if not 1 <= cents <= MOST_CENTS:
        raise Malformed("unit", _("Enter an amount from 0.01 to 100.00."))
    return cents


def _cents_in(text: str) -> int | None:
    """An amount in cents, as far as it is one."""
    if len(text) > TYPED_LENGTH:
        return None
    if coins := _COINS.match(text):
        return int(coins[1])
    found = _AMOUNT.match(text)
    if found is None:
        return None
    behind = found[2] or ""
    if len(behind) > _WHOLE_CENTS:
        raise Malformed("unit", _("There is nothing smaller than a cent: enter 0.01 or more."))
    return int(found[1]) * 100 + int(behind.ljust(_WHOLE_CENTS, "0"))


def _locale() -> str:
    return to_locale(get_language() or "en")
