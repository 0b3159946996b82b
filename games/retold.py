"""An evening in words: how it stands, its matches, who did what, and who pays whom."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from babel.numbers import format_decimal
from django.utils.translation import get_language, ngettext, to_locale
from django.utils.translation import gettext as _

from games import settling
from games.drawing import running_chart
from games.evening import balance
from games.hands import signed
from games.highlights import facts
from games.live import outcome_words
from games.sheet import MARKS
from games.stakes import kind_of, money_words, stake_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime, timedelta

    from games.access import SideLike
    from games.drawing import Chart
    from games.evening import Evening, Record, Told
    from games.models import Table

DEALS_DRAWN = 120  # more are drawn match by match
HOUR = 60  # minutes
SECONDS = 60  # of a minute
FEWEST_MATCHES = 2  # below that a chart of matches shows nothing


class Standing(NamedTuple):
    """A player or a side with what they have so far."""

    shape: str
    name: str
    total: str


class Line(NamedTuple):
    """What a player or partners did: deals won, and the rest in a few words."""

    shape: str
    name: str
    won: str
    more: str


class MatchLine(NamedTuple):
    """A match in the list: plain values, so that what is equal is drawn once.

    The properties are for drawing.
    """

    number: int
    is_open: bool
    how: str
    line: int | None
    deals: int
    minutes: int | None
    started_at: datetime
    until: datetime | None
    winners: tuple[SideLike, ...]
    leaders: tuple[SideLike, ...]
    totals: tuple[tuple[str, int], ...]

    @property
    def words(self) -> str:
        """How it came out."""
        return _("being played") if self.is_open else outcome_words(self.winners, self.leaders)

    @property
    def facts(self) -> str:
        """How much was played, how long, and what ended it."""
        parts = [ngettext("%(n)s deal", "%(n)s deals", self.deals) % {"n": self.deals}]
        if self.minutes is not None:
            parts.append(duration_words(self.minutes))
        if self.how and self.line is not None:
            by_line = self.how == "line"
            parts.append(_("to %(line)s") % {"line": self.line} if by_line else _("ended by a tap"))
        return " · ".join(parts)


@dataclass(frozen=True)
class Running:
    """The running chart, what it is of, and what it shows in words."""

    chart: Chart
    title: str
    words: str


@dataclass(frozen=True)
class Money:
    """What the evening comes to in money, and how it is settled."""

    title: str
    matches: tuple[int, ...]  # that somebody won or lost something in
    settled: frozenset[int]
    counted: str
    balances: tuple[Standing, ...]
    payments: tuple[tuple[Standing, Standing], ...]  # who pays with how much, and to whom
    words: str
    is_rounded: bool


def evening_context(evening: Evening, table: Table, chosen: Collection[int] = ()) -> dict[str, Any]:
    """What the page of an evening shows; only ``chosen`` matches are settled, none: all."""
    return {
        "began": evening.matches[0].played.started_at,
        "how": how_words(evening),
        "standings": standings(evening),
        "running": running(evening),
        "facts": facts(evening),
        "sides": [_line(table, one) for one in evening.pairings if evening.has_fixed_partners],
        "players": [_line(table, one) for one in evening.players],
        "pairings": [_line(table, one) for one in evening.pairings],
        "dealt": _dealt_words(evening),
        "matches": [_match_line(told) for told in evening.matches],
        "money": money(evening, table, chosen) if table.unit_cents else None,
        "played": evening.deals > 0,
    }


def how_words(evening: Evening) -> str:
    """How much was played, and how long."""
    matches, deals = len(evening.matches), evening.deals
    parts = [
        ngettext("%(n)s match", "%(n)s matches", matches) % {"n": matches},
        ngettext("%(n)s deal", "%(n)s deals", deals) % {"n": deals},
    ]
    times = [told.played.took for told in evening.matches if told.played.took is not None]
    if times:
        parts.append(duration_words(sum(map(_minutes, times))))
    return " · ".join(parts)


def duration_words(minutes: int) -> str:
    """How long something took: "46 min", "2 h 40 min"."""
    hours, rest = divmod(minutes, HOUR)
    if not hours:
        return _("%(minutes)s min") % {"minutes": rest}
    if not rest:
        return _("%(hours)s h") % {"hours": hours}
    return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": rest}


def standings(evening: Evening) -> list[Standing]:
    """How it stands: units won or lost, or matches won, by players where partners changed."""
    if not evening.partnerships:
        return [Standing(one.shape, one.name, gain_words(one.gain)) for one in evening.players]
    return [
        Standing(one.shape, one.name, str(one.won))
        for one in (evening.pairings if evening.has_fixed_partners else evening.players)
    ]


def gain_words(gain: Fraction | int) -> str:
    """Units won or lost."""
    if gain.denominator == 1:
        return signed(int(gain))
    sign = "+" if gain > 0 else "\N{MINUS SIGN}"
    return f"{sign}{_decimal(gain if gain > 0 else -gain, digits=2)}"


def running(evening: Evening) -> Running | None:
    """How the evening ran, match by match or deal by deal; None where that shows nothing."""
    if not evening.partnerships:
        return _running_units(evening)
    ended = [told for told in evening.matches if told.played.status != "open"]
    if len(ended) < FEWEST_MATCHES:
        return None
    records = evening.pairings if evening.has_fixed_partners else evening.players
    steps = [[_wins(told, one) for one in records] for told in ended]
    return _running(_("Matches won after each match"), records, steps)


def _wins(told: Told, record: Record) -> int:
    winner = told.played.winner
    return int(winner is not None and record.people <= set(told.sides[winner].player_ids))


def _running_units(evening: Evening) -> Running | None:
    if not evening.deals:
        return None
    by_deal = evening.deals <= DEALS_DRAWN
    steps = []
    for told in evening.matches:
        column = {who: place for place, side in enumerate(told.sides) for who in side.player_ids}
        gains = [_gains(row) for row in told.played.rows] if by_deal else [told.played.gains]
        steps += [
            [sum((gain[column[w]] for w in one.people if w in column), Fraction(0))
             for one in evening.players]
            for gain in gains
        ]  # fmt: skip
    title = _("Units after each deal") if by_deal else _("Units after each match")
    return _running(title, evening.players, steps)


def _gains(row: Sequence[int | None]) -> list[Fraction]:
    """What each is above or below the average of a deal; nothing while one is open."""
    if None in row:
        return [Fraction(0)] * len(row)
    average = Fraction(sum(cell or 0 for cell in row), len(row))
    return [(cell or 0) - average for cell in row]


def _running(
    title: str, records: Sequence[Record], steps: Sequence[Sequence[Fraction | int]]
) -> Running:
    nothing: list[Fraction | int] = [0] * len(records)
    totals = list(
        accumulate(steps, lambda t, s: [a + b for a, b in zip(t, s, strict=True)], initial=nothing)
    )
    is_signed = any(total < 0 for row in totals for total in row)
    labels = [gain_words(total) if is_signed else str(total) for total in totals[-1]]
    chart = running_chart(
        [[float(total) for total in row] for row in totals],
        [record.shape for record in records],
        labels,
    )
    said = ", ".join(f"{one.name} {label}" for one, label in zip(records, labels, strict=True))
    return Running(chart, title, f"{said}.")


def _line(table: Table, record: Record) -> Line:
    tally = record.tally
    return Line(
        record.shape,
        record.name,
        _("%(n)s of %(all)s") % {"n": tally.won, "all": tally.deals},
        " · ".join(_more(table, record)),
    )


def _more(table: Table, record: Record) -> Iterable[str]:
    tally = record.tally
    if tally.average is not None and tally.points:
        yield _("average %(points)s") % {"points": _decimal(tally.average)}
        yield _("best %(points)s") % {"points": tally.best}
    if table.game.partnerships and record.matches:
        yield _("matches won: %(n)s of %(all)s") % {"n": record.won, "all": record.matches}
    if record.bummerl:
        yield ngettext("%(n)s Bummerl", "%(n)s Bummerl", record.bummerl) % {"n": record.bummerl}
    for name, times in tally.feats.items():
        yield f"{_(name)} {times}"
    if tally.held:
        words = _("with the chalk %(won)s of %(all)s")
        yield words % {"won": tally.won_held, "all": tally.held}


def _dealt_words(evening: Evening) -> str:
    """Who gave how many hands."""
    dealt = ", ".join(f"{one.name} {one.dealt}" for one in evening.players)
    return _("Dealt: %(names)s") % {"names": dealt}


def _match_line(told: Told) -> MatchLine:
    match, sides = told.played, told.sides
    return MatchLine(
        number=match.number,
        is_open=match.status == "open",
        how=match.how,
        line=match.line,
        deals=len(match.rows),
        minutes=None if match.took is None else _minutes(match.took),
        started_at=match.started_at,
        until=match.ended_at or match.last_at,
        winners=tuple(sides[place] for place in match.winners),
        leaders=tuple(sides[place] for place in match.leaders),
        totals=tuple(
            (MARKS[side.column], total) for side, total in zip(sides, match.totals, strict=True)
        ),
    )


def money(evening: Evening, table: Table, chosen: Collection[int] = ()) -> Money:
    """What everybody won or lost in money, and the fewest payments that settle it."""
    kind, cents = kind_of(table), table.unit_cents or 0
    balances = {told.played.number: balance(told, kind) for told in evening.matches}
    paying = {number: stakes for number, stakes in balances.items() if stakes}
    counted = [number for number in paying if number in chosen] or list(paying)
    stakes = settling.added([paying[number] for number in counted])
    people = {who: record for record in evening.players for who in record.people}
    exact = {who: cents * stakes.get(who, Fraction(0)) for who in people}
    owed = settling.whole_cents(exact)
    found = settling.payments(owed)
    return Money(
        title=_("%(amount)s for %(what)s")
        % {
            "amount": money_words(cents, table.currency),
            "what": stake_words(table.game, kind),
        },
        matches=tuple(paying),
        settled=frozenset(counted),
        counted=_counted_words(counted) if len(counted) < len(paying) else "",
        balances=tuple(
            _amount(people[who], amount, table.currency, signed=True)
            for who, amount in owed.items()
        ),
        payments=tuple(
            (
                _amount(people[one.payer], one.cents, table.currency),
                _amount(people[one.payee], one.cents, table.currency),
            )
            for one in found
        ),
        words=_payment_words(len(found)),
        is_rounded=any(amount.denominator > 1 for amount in exact.values()),
    )


def _amount(record: Record, cents: int, currency: str, *, signed: bool = False) -> Standing:
    return Standing(record.shape, record.name, money_words(cents, currency, signed=signed))


def _counted_words(counted: Sequence[int]) -> str:
    words = ngettext("Only match %(numbers)s", "Only matches %(numbers)s", len(counted))
    return words % {"numbers": ", ".join(map(str, counted))}


def _payment_words(count: int) -> str:
    if not count:
        return _("Nobody owes anybody anything.")
    words = ngettext("%(n)s payment settles it.", "%(n)s payments settle it.", count)
    return words % {"n": count}


def _minutes(took: timedelta) -> int:
    return max(1, round(took.total_seconds() / SECONDS))


def _decimal(number: Fraction | int, *, digits: int = 1) -> str:
    """A number with at most so many digits behind the comma, as the reader's language writes it."""
    locale = to_locale(get_language() or "en")
    return str(format_decimal(float(number), format=f"0.{'#' * digits}", locale=locale))
