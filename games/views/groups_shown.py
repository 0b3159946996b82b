"""What the page of a group shows: its facts with names, for a season and a game."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from django.urls import reverse
from django.utils import formats
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from games import regulars
from games.hands import signed
from games.rules import find_game

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from games.groups import Gathered, Guest
    from games.regulars import Evening, Members, Played, Points, Season
    from games.rules import Game


class Choice(NamedTuple):
    """A part of all matches that can be looked at: how it is called, and where it is."""

    label: str
    query: str
    is_shown: bool
    month: date | None = None


class Line(NamedTuple):
    """A member, or partners, in a ranking; ``points`` only where all played the same game."""

    record: regulars.Record
    name: str
    is_own: bool
    points: str


class Opponents(NamedTuple):
    """A member against all others: matches won and lost, in all and against each."""

    name: str
    is_own: bool
    won: int
    lost: int
    against: tuple[tuple[str, int, int], ...]


class EveningShown(NamedTuple):
    """An evening of the list; it has an address for those whom its table let in."""

    address: str
    game: str
    day: date
    won: tuple[tuple[str, int], ...]
    undecided: int


class Chosen(NamedTuple):
    """The season and the game that a page is about, and what else could be chosen."""

    matches: tuple[Played, ...]
    seasons: tuple[Choice, ...]
    games: tuple[Choice, ...]


def choose(gathered: Gathered, season: str, slug: str) -> Chosen:
    """The matches of a season and a game, the usual ones for what there is not."""
    seasons = regulars.seasons(match.day for match in gathered.matches)
    by_slug = {one.slug: one for one in seasons}
    shown = by_slug.get(season, seasons[0] if seasons else regulars.Season())
    slug = slug if slug in gathered.games else ""
    return Chosen(
        tuple(m for m in gathered.matches if shown.holds(m.day) and slug in {"", m.game}),
        tuple(_season_choice(one, slug, is_shown=one == shown) for one in seasons),
        _game_choices(gathered, shown, slug),
    )


def shown_of(gathered: Gathered, matches: Sequence[Played], guest: Guest) -> dict[str, Any]:
    """Everything that the page tells of these matches."""
    names = gathered.names
    own = {gathered.merged.get(key, key) for key in guest.own_names}
    slugs = {match.game for match in matches}
    game = find_game(next(iter(slugs))) if len(slugs) == 1 else None
    records = regulars.ranking(matches)
    return {
        "game": game,
        "ranking": [_line(record, names, own, game) for record in records],
        "partners": [_line(record, names, own, None) for record in regulars.partners(matches)],
        "opponents": _opponents(matches, records, names, own),
        "evenings": [_evening(one, names, guest) for one in regulars.evenings(matches)],
        "begun": bool(gathered.matches),
        "decided": sum(match.is_decided for match in matches),
        "undecided": sum(not match.is_decided for match in matches),
    }


def _line(
    record: regulars.Record, names: Mapping[str, str], own: Collection[str], game: Game | None
) -> Line:
    return Line(
        record,
        called(record.members, names),
        any(member in own for member in record.members),
        _points(record.points, game) if game else "",
    )


def _points(points: Points, game: Game) -> str:
    """Points as the game counts them: what was won, or what one is above or below all."""
    if game.partnerships:
        return f"{points}"
    if points.denominator == 1:
        return signed(int(points))
    sign = "+" if points > 0 else "\N{MINUS SIGN}"  # a table of free numbers
    return sign + formats.number_format(abs(float(points)), decimal_pos=1)


def _opponents(
    matches: Sequence[Played],
    records: Sequence[regulars.Record],
    names: Mapping[str, str],
    own: Collection[str],
) -> list[Opponents]:
    """Head to head in the order of the ranking, but whoever looks comes first."""
    met = regulars.meetings(matches)
    members = [record.members[0] for record in records if record.members[0] in met]
    return [
        Opponents(
            names[member],
            member in own,
            sum(meeting.won for meeting in met[member]),
            sum(meeting.lost for meeting in met[member]),
            tuple((names[m.other], m.won, m.lost) for m in met[member]),
        )
        for member in sorted(members, key=lambda member: member not in own)
    ]


def _evening(evening: Evening, names: Mapping[str, str], guest: Guest) -> EveningShown:
    key = guest.tables.get(evening.table)
    return EveningShown(
        reverse("games:table", args=[key]) if key else "",
        find_game(evening.game).name,
        evening.day,
        tuple((called(members, names), won) for members, won in evening.won),
        evening.undecided,
    )


def called(members: Members, names: Mapping[str, str]) -> str:
    """Who played together, in the order of their names."""
    return " & ".join(sorted((names[member] for member in members), key=str.casefold))


def _season_choice(season: Season, slug: str, *, is_shown: bool) -> Choice:
    label = _("All time") if season.year is None else str(season.year)
    month = date(season.year, season.month, 1) if season.year and season.month else None
    return Choice(label, _query(season, slug), is_shown, month)


def _game_choices(gathered: Gathered, season: Season, shown: str) -> tuple[Choice, ...]:
    """All games together and each alone; nothing where only one was ever played."""
    if len(gathered.games) < 2:  # noqa: PLR2004 - nothing to choose
        return ()
    labels = {"": _("All games"), **{slug: _(find_game(slug).name) for slug in gathered.games}}
    return tuple(
        Choice(label, _query(season, slug), slug == shown) for slug, label in labels.items()
    )


def _query(season: Season, slug: str) -> str:
    return urlencode({"season": season.slug} | ({"game": slug} if slug else {}))
