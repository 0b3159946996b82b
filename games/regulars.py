"""Who wins how often among people who play for months, as plain facts.

Nothing here is words, and nothing is stored: a correction at one of the tables tells another story.
Players are counted by who sat on a side in each match, never by column; members are named by a key
that all spellings of their name share. A match counts from its first entry on: one that is still
open, or that ended with no winner, is played and not won.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LAST_HOURS = timedelta(hours=6)  # of a night belong to the evening before

Members = tuple[str, ...]
Points = int | Fraction


class Team(NamedTuple):
    """Who played together in a match, what they scored, and whether they won it."""

    members: Members
    points: Points
    won: bool


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was begun: where, when, and how it came out for whom."""

    table: int
    game: str
    at: datetime
    teams: tuple[Team, ...]

    @property
    def is_decided(self) -> bool:
        """Whether somebody won."""
        return any(team.won for team in self.teams)

    @property
    def day(self) -> date:
        """The evening it belongs to, also after midnight."""
        return evening_of(self.at)


class Season(NamedTuple):
    """A year, a month of it, or all time (no year)."""

    year: int | None = None
    month: int | None = None

    def holds(self, day: date) -> bool:
        """Whether an evening belongs to it."""
        return self.year in {None, day.year} and self.month in {None, day.month}

    @property
    def slug(self) -> str:
        """How an address names it.

        >>> Season(2026, 3).slug, Season(2026).slug, Season().slug
        ('2026-03', '2026', 'all')
        """
        if self.year is None:
            return "all"
        return f"{self.year}" if self.month is None else f"{self.year}-{self.month:02}"


@dataclass(frozen=True, slots=True)
class Record:
    """What somebody did, alone or with a partner."""

    members: Members
    played: int
    won: int
    points: Points
    rank: int

    @property
    def share(self) -> int:
        """The matches won of a hundred."""
        return round(100 * self.won / self.played)


class Meeting(NamedTuple):
    """How often one won against another, and lost."""

    other: str
    won: int
    lost: int


class Evening(NamedTuple):
    """What was played at one table on one evening: matches won by those who played together."""

    table: int
    game: str
    day: date
    won: tuple[tuple[Members, int], ...]
    matches: int
    undecided: int


def evening_of(moment: datetime) -> date:
    """The evening that a moment belongs to: until six in the morning, the one before."""
    return (moment - LAST_HOURS).date()


def true_gaps(totals: Sequence[int]) -> tuple[Fraction, ...]:
    """What each is above or below all, where everybody plays alone; the sum is nothing.

    >>> [str(gap) for gap in true_gaps((14, 14, 0, 0))]
    ['7', '7', '-7', '-7']
    """
    return tuple(Fraction(len(totals) * one - sum(totals), len(totals)) for one in totals)


def members_at(keys: Iterable[str], aliases: Mapping[str, str]) -> dict[str, str]:
    """Which member each name of one table is.

    Where two names would be one person who sat there twice, the names stand for themselves.
    """
    names = tuple(keys)
    found = {name: aliases.get(name, name) for name in names}
    return found if len(set(found.values())) == len(found) else {name: name for name in names}


def ranking(matches: Sequence[Played]) -> list[Record]:
    """The members, most matches won first, then fewest played; equals share a rank.

    Where all played one game, more points go before fewer.
    """
    results = (
        ((member,), team) for match in matches for team in match.teams for member in team.members
    )
    return _ranked(results, by_points=_is_one_game(matches))


def partners(matches: Sequence[Played]) -> list[Record]:
    """Those who played together, in the order of ``ranking``."""
    results = (
        (team.members, team) for match in matches for team in match.teams if len(team.members) > 1
    )
    return _ranked(results, by_points=_is_one_game(matches))


def meetings(matches: Iterable[Played]) -> dict[str, list[Meeting]]:
    """For each member how often who won against whom, those met most often first.

    Counted is a match that one won and the other did not.
    """
    won: Counter[tuple[str, str]] = Counter()
    for match in matches:
        for one, other in permutations(match.teams, 2):
            if one.won and not other.won:
                won.update((me, you) for me in one.members for you in other.members)
    found: defaultdict[str, list[Meeting]] = defaultdict(list)
    for me, you in {pair for one, other in won for pair in ((one, other), (other, one))}:
        found[me].append(Meeting(you, won[me, you], won[you, me]))
    for met in found.values():
        met.sort(key=lambda meeting: (-meeting.won - meeting.lost, -meeting.won, meeting.other))
    return dict(found)


def evenings(matches: Iterable[Played]) -> list[Evening]:
    """The evenings, the newest first."""
    found: defaultdict[tuple[date, int], list[Played]] = defaultdict(list)
    for match in sorted(matches, key=lambda match: match.at, reverse=True):
        found[match.day, match.table].append(match)
    return [_evening(played) for played in found.values()]


def seasons(days: Iterable[date]) -> list[Season]:
    """The seasons to choose from, the usual one first: years and all time; in one year its months.

    None where there is nothing to choose.
    """
    all_days = set(days)
    years = sorted({day.year for day in all_days}, reverse=True)
    if len(years) > 1:
        return [*map(Season, years), Season()]
    months = sorted({day.month for day in all_days}, reverse=True)
    if len(months) > 1:
        return [Season(years[0]), *(Season(years[0], month) for month in months)]
    return []


def _is_one_game(matches: Iterable[Played]) -> bool:
    return len({match.game for match in matches}) == 1


def _ranked(results: Iterable[tuple[Members, Team]], *, by_points: bool) -> list[Record]:
    played: defaultdict[Members, list[Team]] = defaultdict(list)
    for members, team in results:
        played[members].append(team)

    def merit(members: Members) -> tuple[int, int, Points]:
        teams = played[members]
        points = sum(team.points for team in teams)
        return -sum(team.won for team in teams), len(teams), -points if by_points else 0

    first: dict[tuple[int, int, Points], int] = {}
    return [
        Record(
            members,
            len(played[members]),
            sum(team.won for team in played[members]),
            sum(team.points for team in played[members]),
            first.setdefault(merit(members), rank),
        )
        for rank, members in enumerate(sorted(played, key=lambda m: (merit(m), m)), start=1)
    ]


def _evening(matches: Sequence[Played]) -> Evening:
    won: Counter[Members] = Counter()
    for match in matches:
        won.update({team.members: int(team.won) for team in match.teams})
    newest = matches[0]
    return Evening(
        newest.table,
        newest.game,
        newest.day,
        tuple(sorted(won.items(), key=lambda found: (-found[1], found[0]))),
        len(matches),
        sum(not match.is_decided for match in matches),
    )
