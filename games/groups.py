"""The door of a group's page, and what its tables hold: six queries, however many there are.

Whoever has the link may look. A browser that is host at one of the tables may also say who is who,
rename the group and delete it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from cachetools import LRUCache
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce
from django.http import Http404
from django.utils.translation import gettext as _

from games.access import could_be_key, token_hash
from games.models import Entry, Group, Match, Phone, Side
from games.regulars import Played, Team, members_at, true_gaps
from games.rules import find_game
from games.spelling import name_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from django.http import HttpRequest

    from games.regulars import Points

GROUPS_KEPT = 256  # of some 300 kB, where there are 600 matches
_LINK = re.compile(r"(?:.*/g/)?([A-Za-z0-9_-]{22})/?\Z")


@dataclass(frozen=True)
class Guest:
    """A browser at the page of a group: the tables that it knows, and as whom."""

    group: Group
    token_hash: str
    tables: Mapping[int, str]  # pk -> key, of those that let it in
    is_host: bool
    own_names: frozenset[str]

    def must_host(self) -> None:
        """Raise PermissionDenied for a phone that is host at none of the tables."""
        if not self.is_host:
            raise PermissionDenied(_("Only a host of one of its tables can do that."))


@dataclass(frozen=True)
class Gathered:
    """The matches of all tables of a group, the oldest first, and how its members are called."""

    matches: tuple[Played, ...]
    names: Mapping[str, str]  # member -> name
    merged: Mapping[str, str]  # key of a name that was put together with another -> member

    @cached_property
    def games(self) -> tuple[str, ...]:
        """The games that were played, as slugs, those played most first."""
        slugs = [match.game for match in self.matches]
        return tuple(sorted(set(slugs), key=lambda slug: (-slugs.count(slug), slug)))


class Stamp(NamedTuple):
    """What the page of a group depends on: every verb raises the version of its table."""

    tables: tuple[tuple[int, int], ...]  # and the version of each
    aliases: tuple[tuple[str, str], ...]


_kept: LRUCache[str, tuple[Stamp, Gathered]] = LRUCache(GROUPS_KEPT)
_keeping = Lock()


def visit_group(request: HttpRequest, key: str) -> Guest:
    """Open the door of a group: Http404 for a wrong key. Two queries; nothing is noted."""
    group = Group.objects.living().filter(key=key).first() if could_be_key(key) else None
    if group is None:
        raise Http404(_("There is no group at this address."))
    token = token_hash(request)
    phones = (
        Phone.objects.filter(table__in_group__group=group, token_hash=token)
        .order_by("pk")
        .values_list("table_id", "table__key", "is_host", "player__name")
        if token
        else ()
    )
    rows = list(phones)
    return Guest(
        group,
        token,
        {pk: key for pk, key, _is_host, _name in rows},
        any(is_host for _pk, _key, is_host, _name in rows),
        frozenset(name_key(name) for _pk, _key, _is_host, name in rows if name),
    )


def key_in(link: str) -> str:
    """The key that a pasted link holds, or "".

    >>> key_in(" https://cards.example/g/0123456789abcdefghijkl/ ")
    '0123456789abcdefghijkl'
    >>> key_in("https://cards.example/t/0123456789abcdefghijkl/")
    ''
    """
    found = _LINK.match(link.strip().partition("?")[0].partition("#")[0])
    return found[1] if found else ""


def gather(group: Group) -> Gathered:
    """All matches of a group that were begun, and the names of those who played.

    Two queries where nothing has changed since this process was asked before, else four.
    """
    stamp = _stamp_of(group)
    with _keeping:
        found = _kept.get(group.key)
    if found is not None and found[0] == stamp:
        return found[1]
    gathered = _gather(group, stamp.aliases)
    with _keeping:
        _kept[group.key] = stamp, gathered
    return gathered


def forget_all() -> None:
    """Read everything anew."""
    with _keeping:
        _kept.clear()


def _stamp_of(group: Group) -> Stamp:
    """Read before anything else: what is written meanwhile has another one."""
    return Stamp(
        tuple(group.tables.order_by("table").values_list("table", "table__version")),
        tuple(group.aliases.order_by("pk").values_list("name_key", "member")),
    )


def _gather(group: Group, aliases: Iterable[tuple[str, str]]) -> Gathered:
    merged = {key: name_key(member) for key, member in aliases}
    names = {name_key(member): member for _key, member in aliases}
    begun, sides = list(_matches_of(group)), _sides_of(group)
    rows = [row for row in begun if row[0] in sides]  # the others went while this was read
    at_tables: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for pk, table, *_match in rows:
        for players in sides[pk].values():
            at_tables[table].update(players)
    who = {table: members_at(keys, merged) for table, keys in at_tables.items()}
    matches = []
    for pk, table, slug, started_at, ended_at, result in rows:
        seated = {
            column: tuple(sorted(who[table][key] for key in players))
            for column, players in sorted(sides[pk].items())
        }
        matches.append(Played(table, slug, ended_at or started_at, _teams(slug, seated, result)))
        names |= {key: name for key, name in at_tables[table].items() if who[table][key] == key}
    return Gathered(tuple(matches), names, merged)


def _matches_of(group: Group) -> Iterable[tuple[Any, ...]]:
    """The matches that were begun, the oldest first."""
    entries = Entry.objects.filter(round__match=OuterRef("pk"), points__isnull=False)
    return (
        Match.objects.filter(table__in_group__group=group)
        .filter(Q(ended_at__isnull=False) | Exists(entries))
        .order_by(Coalesce("ended_at", "started_at"), "pk")
        .values_list("pk", "table_id", "table__game_slug", "started_at", "ended_at", "result")
    )


def _sides_of(group: Group) -> Mapping[int, dict[str, dict[str, str]]]:
    """Who played in which match and column: keys of names with the names as they are written."""
    found: defaultdict[int, dict[str, dict[str, str]]] = defaultdict(dict)
    keys: dict[str, str] = {}
    rows = (
        Side.objects.filter(match__table__in_group__group=group)
        .order_by("players__pk")
        .values_list("match_id", "column", "players__name")
    )
    for match, column, name in rows:
        players = found[match].setdefault(column, {})
        if name is not None:
            keys[name] = keys.get(name) or name_key(name)
            players[keys[name]] = name
    return found


def _teams(
    slug: str, seated: Mapping[str, tuple[str, ...]], result: Mapping[str, Any]
) -> tuple[Team, ...]:
    """The sides of a match as it stands in its result; an open match has none yet."""
    totals: Sequence[int] = result.get("totals") or (0,) * len(seated)
    points: Sequence[Points] = totals if find_game(slug).partnerships else true_gaps(totals)
    winners = result.get("winners", ())
    return tuple(
        Team(members, scored, column in winners)
        for (column, members), scored in zip(seated.items(), points, strict=True)
        if members
    )
