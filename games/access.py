"""The only door to a table: which table, which role, which columns this phone may write.

A browser carries one random token in one cookie for all its tables; the database keeps only
its SHA-256. Rows for phones come from POST alone, so a link preview leaves no trace.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from django.core.exceptions import PermissionDenied
from django.db import InternalError, OperationalError
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import DeletedTable, Match, Phone, Player, Side, Table
from games.prepared import Given, Prepared, columns_of, stored

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

Role = Literal["host", "player", "watcher", "stranger"]

COOKIE = "phone"
COOKIE_AGE = 400 * 24 * 60 * 60  # seconds; browsers keep no cookie longer
SEEN_EVERY = timedelta(seconds=60)
_KEY = re.compile(r"[A-Za-z0-9_-]{1,32}")
# The store is busy, full or only to be read; PostgreSQL raises InternalError for the last.
CANNOT_BE_WRITTEN = (OperationalError, InternalError)

_PHONES = Prepared(
    Phone.objects.filter(table__key=Given("key"), token_hash=Given("token_hash")).values_list(
        *columns_of(Phone), *columns_of(Table, "table__"), *columns_of(Player, "player__")
    )
)
_TABLES = Prepared(Table.objects.filter(pk=Given("pk")).values_list(*columns_of(Table)))
_TABLES_BY_KEY = Prepared(Table.objects.filter(key=Given("key")).values_list(*columns_of(Table)))
_MATCHES = Prepared(
    Match.objects.filter(table=Given("table"), number=Given("number")).values_list(
        *columns_of(Match)
    )
)
_SIDES = Prepared(
    Side.objects.filter(match=Given("match"))
    .order_by("column", "members__place")
    .values_list("pk", "column", "name", "members__player", "members__name")
)


class Moved(Exception):
    """A phone of the table came by an address that the table had before."""

    def __init__(self, visitor: Visitor) -> None:
        super().__init__(visitor.table.pk)
        self.visitor = visitor


class MatchGone(Exception):
    """The address of a match that was taken back; carries the number of the current one."""

    def __init__(self, visitor: Visitor, number: int, current: int) -> None:
        super().__init__(number)
        self.visitor = visitor
        self.number = number
        self.current = current


class ReadAnew(Exception):
    """Something came or went while it was read; whoever reads once more finds what is."""


class TableDeleted(Http404):
    """The address of a table that was deleted for good."""

    def __init__(self) -> None:
        super().__init__(_("Its numbers are gone. Whoever took it home can bring it back."))


@dataclass(frozen=True)
class Visitor:
    """Who is at the door: a table, and the phone if this browser was let in."""

    table: Table
    phone: Phone | None

    @property
    def role(self) -> Role:
        """What this browser is at the table (design: who may do what)."""
        if self.phone is None:
            return "stranger"
        if self.phone.is_host:
            return "host"
        return "watcher" if self.phone.player_id is None else "player"

    @property
    def is_host(self) -> bool:
        """Whether any cell may be written from here."""
        return self.role == "host"

    @property
    def plays(self) -> bool:
        """Whether this phone has a say in the match: host or player."""
        return self.role in {"host", "player"}

    @property
    def seat(self) -> int | None:
        """The seat this phone sits on, 0..3."""
        player = self.phone.player if self.phone else None
        return player.seat if player else None

    @property
    def name(self) -> str:
        """The name of the person who sits with this phone, or "" (a host without a seat)."""
        player = self.phone.player if self.phone else None
        return player.name if player else ""

    def columns(self, sides: Sequence[SideLike]) -> tuple[str, ...]:
        """The columns this phone may write: all for the host, the own side's for a player."""
        if self.is_host:
            return tuple(side.column for side in sides)
        if self.role != "player" or self.phone is None:
            return ()
        return tuple(side.column for side in sides if self.phone.player_id in side.player_ids)

    def must_play(self) -> Phone:
        """The phone, if it is the host's or a player's; PermissionDenied otherwise."""
        if self.phone is None or not self.plays:
            raise PermissionDenied(_("Take a seat first: only players can do that."))
        return self.phone

    def must_host(self) -> Phone:
        """The phone, if it is the host's; PermissionDenied otherwise."""
        if self.phone is None or not self.is_host:
            raise PermissionDenied(_("Only the host can do that."))
        return self.phone


@dataclass(frozen=True)
class SideLike:
    """A column with its players, as the sheet and the door know it."""

    id: int
    column: str
    name: str
    player_ids: tuple[int, ...]
    players: tuple[str, ...]


def token_hash(request: HttpRequest) -> str:
    """The hash of this browser's token, or "" for a browser without one."""
    token = request.COOKIES.get(COOKIE, "")
    return hash_of(token) if token else ""


def remember(request: HttpRequest, response: HttpResponse, token: str) -> None:
    """Send the browser its token for 400 days, out of reach of scripts."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )


def token_for(request: HttpRequest) -> str:
    """The browser's token, or a fresh one of 128 random bits that ``remember`` has to send."""
    return request.COOKIES.get(COOKIE) or secrets.token_hex(16)


def hash_of(token: str) -> str:
    """What the database keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def visit(request: HttpRequest, key: str) -> Visitor:
    """Open the door of one table: Http404 for a wrong key, PermissionDenied if it is closed.

    A closed table is shown to phones that were let in before, and to nobody else. A key that the
    table had before raises ``Moved`` for them, and is a wrong one for all others.

    A deleted one says so: ``TableDeleted``.
    """
    if not could_be_key(key):
        raise Http404(_("There is no table at this address."))
    token = token_hash(request)
    phone = _phone(key, token)
    table = phone.table if phone else _table(key)
    if table is None:
        if (new_key := _new_key(key, token)) and (phone := _phone(new_key, token)):
            raise Moved(Visitor(phone.table, phone))
        if DeletedTable.objects.filter(key_hash=hash_of(key)).exists():
            raise TableDeleted
        raise Http404(_("There is no table at this address."))
    if not table.is_open and phone is None:
        raise PermissionDenied(_("This table is closed to newcomers."))
    return Visitor(table, phone)


def could_be_key(text: str) -> bool:
    """Whether a store can be asked for this key: an address may hold what no store takes."""
    return _KEY.fullmatch(text) is not None


def visit_match(request: HttpRequest, key: str, number: int) -> tuple[Visitor, Match]:
    """Open the door of one match; MatchGone when it was taken back, Http404 if never played."""
    visitor = visit(request, key)
    return visitor, find_match(visitor, number)


def find_match(visitor: Visitor, number: int) -> Match:
    """One match of the table; MatchGone when it was taken back, Http404 if never played."""
    match = stored_match(visitor.table, number)
    if match is None:
        if 1 <= number <= visitor.table.matches_made:
            raise MatchGone(visitor, number, current_number(visitor.table))
        raise Http404(_("This match was not played at this table."))
    return match


def stored_match(table: Table, number: int) -> Match | None:
    """One match of a table as it is stored now, None where there is none."""
    if not 1 <= number <= table.matches_made:
        return None  # an address can hold a number that no store can
    for row in _MATCHES.ask(table=table.pk, number=number):
        match: Match = stored(Match, row)
        match.table = table
        return match
    return None


def newest_match(table: Table) -> Match:
    """The match of a table with the highest number, banked or not."""
    match = table.matches.order_by("-number").first()
    if match is None:  # deleted since the door was opened
        raise TableDeleted
    match.table = table
    return match


def current_number(table: Table, shown: int = 0) -> int:
    """The number of the table's newest match; no query if ``shown`` is the newest ever made."""
    if 0 < shown == table.matches_made:
        return shown
    number = table.matches.order_by("-number").values_list("number", flat=True).first()
    if number is None:  # deleted since the door was opened
        raise TableDeleted
    return number


def sides_of(match: Match) -> tuple[SideLike, ...]:
    """The columns of a match, left to right, with their players as they sat: one query.

    ``ReadAnew`` for a match that went since it was found.
    """
    found: dict[str, SideLike] = {}
    for side_id, column, name, player_id, player in _SIDES.ask(match=match.pk):
        before = found.get(column)
        found[column] = SideLike(
            side_id,
            column,
            name,
            (*(before.player_ids if before else ()), player_id),
            (*(before.players if before else ()), player),
        )
    if not found:
        raise ReadAnew
    return tuple(found.values())


def old_addresses(table: Table) -> tuple[str, ...]:
    """Where a table was found before, the first one first: one query."""
    keys = table.old_keys.order_by("pk").values_list("key", flat=True)
    return tuple(reverse("games:table", args=[key]) for key in keys)


def table_of(pk: int) -> Table | None:
    """A table by its number in the store: one query."""
    return next((stored(Table, row) for row in _TABLES.ask(pk=pk)), None)


def _table(key: str) -> Table | None:
    """The table of a key: one query."""
    return next((stored(Table, row) for row in _TABLES_BY_KEY.ask(key=key)), None)


def _new_key(old: str, token_hash: str) -> str | None:
    """The key of the table that had an old one, if this browser was let in there: one query."""
    if not token_hash:
        return None
    tables = Table.objects.filter(old_keys__key=old, phones__token_hash=token_hash)
    return tables.values_list("key", flat=True).first()


def _phone(key: str, token_hash: str) -> Phone | None:
    """What the table of a key keeps of a browser, with table and player: one query."""
    if not token_hash:
        return None
    for row in _PHONES.ask(key=key, token_hash=token_hash):
        phone = _phone_of(row)
        now = timezone.now()
        if is_long_ago(phone.seen_at, now):
            with suppress(*CANNOT_BE_WRITTEN):  # it can still be read
                Phone.objects.filter(pk=phone.pk).update(seen_at=now)
                phone.seen_at = now
        return phone
    return None


def is_long_ago(seen_at: datetime, now: datetime) -> bool:
    """Whether a phone is to be noted as seen once more; also after the clock was set back."""
    return abs(now - seen_at) >= SEEN_EVERY


def _phone_of(row: tuple[Any, ...]) -> Phone:
    """A phone with its table, and its player if it has one."""
    values = iter(row)
    phone, table, player = (
        tuple(islice(values, len(columns_of(model)))) for model in (Phone, Table, Player)
    )
    found: Phone = stored(Phone, phone)
    found.table = stored(Table, table)
    found.player = None if found.player_id is None else stored(Player, player)
    return found
