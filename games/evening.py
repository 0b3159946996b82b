"""An evening as plain facts: what every match came to, what players and partners did in all.

Nothing here is words or pictures, and nothing is stored: a correction gives another evening. A
match is folded by its columns and seats alone, so that it has to be folded once for every version
it had. Who sat there is added when the evening is put together: people are counted, never
columns, as partners may change between matches.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

from games import settling, story
from games.sheet import MARKS, seats_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime, timedelta

    from games.access import SideLike
    from games.rules import OpenRow, Stake
    from games.sheet import Sheet, Status

Pair = tuple[int, int]  # places of two columns


@dataclass(frozen=True)
class Tally:
    """What somebody did in some deals.

    ``deals`` are those with an entry. ``held``: in how many the chalk was there, ``won_held``: how
    many of these were won.
    """

    deals: int = 0
    won: int = 0
    points: int = 0
    best: int = 0
    held: int = 0
    won_held: int = 0
    feats: Mapping[str, int] = field(default_factory=dict)

    @property
    def average(self) -> Fraction | None:
        """The points of a deal, None without any."""
        return Fraction(self.points, self.deals) if self.deals else None


def added(tallies: Sequence[Tally]) -> Tally:
    """What somebody did in all these deals."""
    feats: Counter[str] = Counter()
    for tally in tallies:
        feats.update(tally.feats)
    return Tally(
        deals=sum(tally.deals for tally in tallies),
        won=sum(tally.won for tally in tallies),
        points=sum(tally.points for tally in tallies),
        best=max((tally.best for tally in tallies), default=0),
        held=sum(tally.held for tally in tallies),
        won_held=sum(tally.won_held for tally in tallies),
        feats=feats,
    )


@dataclass(frozen=True)
class Played:
    """What one match came to, by the places of its columns; deals after the line count nothing.

    ``gains`` are what each column is above or below the average of complete deals, where everybody
    plays alone. ``dealt`` and
    ``together`` count the deals of seats and of partners for a deal, the latter with those won.
    ``biggest`` is the most that a deal paid, and the deals that did. ``last_at`` is when the last
    number was written.
    """

    number: int
    status: Status
    how: str
    line: int | None
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    leaders: tuple[int, ...]
    bummerl: Mapping[int, int]
    rows: tuple[OpenRow, ...]
    biggest: tuple[int, tuple[int, ...]]
    tallies: tuple[Tally, ...]
    gains: tuple[Fraction, ...]
    dealt: Mapping[int, int]
    together: Mapping[Pair, tuple[int, int]]
    started_at: datetime
    ended_at: datetime | None
    last_at: datetime | None

    @property
    def winner(self) -> int | None:
        """The column that won, None while nobody did or where several did."""
        return self.winners[0] if len(self.winners) == 1 else None

    @property
    def took(self) -> timedelta | None:
        """How long it took, up to the last number of an open match; None before the first."""
        until = self.ended_at or self.last_at
        return None if until is None else until - self.started_at


@dataclass(frozen=True)
class Told:
    """A match with those who sat at it."""

    played: Played
    sides: tuple[SideLike, ...]


@dataclass(frozen=True)
class Record:
    """What a player, or players together, did in an evening; matches are those that ended.

    ``shape`` is that of their column, or one of their own where partners changed.
    """

    people: frozenset[int]
    name: str
    shape: str
    tally: Tally
    matches: int = 0
    won: int = 0
    bummerl: int = 0
    dealt: int = 0
    gain: Fraction | int = 0


@dataclass(frozen=True)
class Evening:
    """All matches of a table, and what comes of them.

    ``pairings``: the sides of two partners as they played, in a game with partnerships; elsewhere
    partners for a deal, whose tally counts the deals they were partners in.
    """

    partnerships: bool
    matches: tuple[Told, ...]
    players: tuple[Record, ...]
    pairings: tuple[Record, ...]

    @property
    def deals(self) -> int:
        """Deals that count, in all matches."""
        return sum(len(told.played.rows) for told in self.matches)

    @property
    def has_fixed_partners(self) -> bool:
        """Whether the same two sides played every match."""
        return self.partnerships and len(self.pairings) == 2  # noqa: PLR2004 - two sides


def played(sheet: Sheet) -> Played:
    """Fold one match; units are won and lost where everybody plays alone."""
    course = story.course_of(sheet)
    places = {column: place for place, column in enumerate(sheet.columns)}
    result = sheet.result()
    written = [cell.written_at for row in sheet.rows for cell in row.cells]
    return Played(
        number=sheet.match.number,
        status=sheet.status,
        how=sheet.match.how,
        line=sheet.line,
        totals=tuple(result["totals"]),
        winners=tuple(places[column] for column in sheet.winners),
        leaders=tuple(places[column] for column in sheet.leaders),
        bummerl={places[column]: count for column, count in sheet.bummerl.items()},
        rows=course.rows,
        biggest=_biggest(course.rows),
        tallies=_tallies(sheet, course.rows, course.chalk),
        gains=() if sheet.game.partnerships else _gains(course.rows, course.columns),
        dealt=_dealt(sheet),
        together=_together(sheet, course.rows),
        started_at=sheet.match.started_at,
        ended_at=sheet.match.ended_at,
        last_at=max((at for at in written if at is not None), default=None),
    )


def gather(matches: Sequence[Told], *, partnerships: bool) -> Evening:
    """Put an evening together."""
    players = list(_of_players(matches, partnerships=partnerships))
    pairings = list(_of_sides(matches) if partnerships else _of_pairs(matches))
    evening = Evening(partnerships, tuple(matches), tuple(players), tuple(pairings))
    if partnerships and not evening.has_fixed_partners:
        letters = list(dict.fromkeys(MARKS.values()))
        players = [
            replace(one, shape=letters[place % len(letters)]) for place, one in enumerate(players)
        ]
    return replace(evening, players=tuple(players))


def balance(told: Told, stake: Stake) -> dict[int, Fraction]:
    """How many stakes each player won or lost in a match; sums to zero.

    The losing side pays together, in equal shares, and the winners share alike. Nobody pays
    where nobody won, or several did.
    """
    match = told.played
    if stake == "unit":
        gains = zip(told.sides, match.gains, strict=True)
        return settling.added([settling.shared(gain, side.player_ids) for side, gain in gains])
    amount = _stakes_lost(match, stake)
    if match.winner is None or not amount:
        return {}
    losers = [who for place, side in enumerate(told.sides) for who in side.player_ids
              if place != match.winner]  # fmt: skip
    return {
        **settling.shared(Fraction(amount), told.sides[match.winner].player_ids),
        **settling.shared(Fraction(-amount), losers),
    }


def _stakes_lost(match: Played, stake: Stake) -> int:
    """How many stakes a match that one side won is worth."""
    if stake == "match":
        return 1
    if stake == "bummerl":
        return sum(match.bummerl.values())
    first, second = sorted(match.totals, reverse=True)[:2]
    return first - second


def _tallies(
    sheet: Sheet, rows: Sequence[OpenRow], chalk: Sequence[int | None]
) -> tuple[Tally, ...]:
    feats: list[Counter[str]] = [Counter() for _ in sheet.sides]
    for number, row in enumerate(rows, start=1):
        told = sheet.settlement(sheet.row(number))
        for feat in sheet.game.feats(row, house=sheet.house, told=told):
            for place in feat.places:
                feats[place][feat.name] += 1
    return tuple(_tally(rows, chalk, place, feats[place]) for place in range(len(sheet.sides)))


def _tally(
    rows: Sequence[OpenRow], chalk: Sequence[int | None], place: int, feats: Mapping[str, int]
) -> Tally:
    entered = [(row[place], holder) for row, holder in zip(rows, chalk, strict=True)]
    paid = [(points, holder == place) for points, holder in entered if points is not None]
    return Tally(
        deals=len(paid),
        won=sum(points > 0 for points, _held in paid),
        points=sum(points for points, _held in paid),
        best=max((points for points, _held in paid), default=0),
        held=sum(held for _points, held in paid),
        won_held=sum(held and points > 0 for points, held in paid),
        feats=feats,
    )


def _biggest(rows: Sequence[OpenRow]) -> tuple[int, tuple[int, ...]]:
    paid = [max(cell or 0 for cell in row) for row in rows]
    most = max(paid, default=0)
    return most, tuple(number for number, points in enumerate(paid, start=1) if points == most)


def _gains(rows: Sequence[OpenRow], columns: int) -> tuple[Fraction, ...]:
    complete = [row for row in rows if None not in row]
    sums = [sum(row[place] or 0 for row in complete) for place in range(columns)]
    return tuple(Fraction(columns * one - sum(sums), columns) for one in sums)


def _dealt(sheet: Sheet) -> Mapping[int, int]:
    """How many hands each seat gave, those that were thrown in included."""
    numbers = range(1, sheet.highest + 1)
    thrown = (sheet.thrown_before(number) for number in range(1, sheet.highest + 2))
    return Counter(chain(map(sheet.dealer_in, numbers), *thrown))


def _together(sheet: Sheet, rows: Sequence[OpenRow]) -> Mapping[Pair, tuple[int, int]]:
    found: dict[Pair, tuple[int, int]] = {}
    for row in rows:
        for won, pair in zip((1, 0), sheet.game.together(row), strict=False):
            deals, before = found.get(pair, (0, 0))
            found[pair] = (deals + 1, before + won)
    return found


def _of_players(matches: Sequence[Told], *, partnerships: bool) -> Iterable[Record]:
    """Players in the order of their seats, as they came to the table."""
    people: dict[int, tuple[str, str]] = {}
    records: dict[int, list[Record]] = {}
    for told in matches:
        seats = seats_of(told.sides, partnerships=partnerships)
        for seat, (index, place) in sorted(seats.items()):
            side = told.sides[index]
            who = side.player_ids[place]
            people[who] = (side.players[place], MARKS[side.column])
            record = _record(told, index, frozenset({who}), told.played.dealt.get(seat, 0))
            records.setdefault(who, []).append(record)
    for who, (name, shape) in people.items():
        yield _added(records[who], name, shape)


def _of_sides(matches: Sequence[Told]) -> Iterable[Record]:
    """Partners, by the two who played together, called as they were last."""
    records: dict[frozenset[int], list[Record]] = {}
    for told in matches:
        for index, side in enumerate(told.sides):
            people = frozenset(side.player_ids)
            records.setdefault(people, []).append(_record(told, index, people))
    for found in records.values():
        yield _added(found, found[-1].name, found[-1].shape)


def _of_pairs(matches: Sequence[Told]) -> Iterable[Record]:
    """Partners for a deal, those who won most often first."""
    records: dict[frozenset[int], list[Record]] = {}
    for told in matches:
        for places, (deals, won) in told.played.together.items():
            sides = [told.sides[place] for place in places]
            people = frozenset(chain.from_iterable(side.player_ids for side in sides))
            name = " & ".join(side.name for side in sides)
            record = Record(people, name, "", Tally(deals=deals, won=won))
            records.setdefault(people, []).append(record)
    found = [_added(several, several[-1].name, "") for several in records.values()]
    return sorted(found, key=lambda record: (-record.tally.won, record.tally.deals))


def _record(told: Told, index: int, people: frozenset[int], dealt: int = 0) -> Record:
    """What one match adds to the record of those who sat at one of its columns."""
    match, side = told.played, told.sides[index]
    return Record(
        people,
        side.name,
        MARKS[side.column],
        match.tallies[index],
        matches=int(match.status != "open"),
        won=int(match.winner == index),
        bummerl=match.bummerl.get(index, 0),
        dealt=dealt,
        gain=match.gains[index] if match.gains else 0,
    )


def _added(records: Sequence[Record], name: str, shape: str) -> Record:
    return Record(
        records[0].people,
        name,
        shape,
        added([record.tally for record in records]),
        matches=sum(record.matches for record in records),
        won=sum(record.won for record in records),
        bummerl=sum(record.bummerl for record in records),
        dealt=sum(record.dealt for record in records),
        gain=sum(record.gain for record in records),
    )
