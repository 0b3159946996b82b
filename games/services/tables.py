"""The table and its people: starting, seats, names, the code."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Prefetch
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from games.models import (
    CODE_ALPHABET,
    CODE_LENGTH,
    Match,
    Member,
    Phone,
    Player,
    SeatRequest,
    Side,
    Table,
    new_code,
)
from games.services.matches import called, create_match, new_sides
from games.services.refusals import Malformed, Refusal
from games.services.turn import Turn, begin
from games.spelling import name_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.access import Visitor

SEATS_FREE_FOR = timedelta(minutes=10)  # after the table's first entry
CODE_LIVES = timedelta(hours=24)  # after the table was last touched
CODE_MISSES = 5
CODE_CLOSED_FOR = timedelta(minutes=10)
PHONES_AT_MOST = 200  # that only look, at one table, of those heard of lately
LATELY = timedelta(hours=1)


@dataclass(frozen=True)
class NewTable:
    """A set-up that was checked: names by seat, and what the table agreed."""

    game_slug: str
    names: tuple[str, str, str, str]
    first_dealer: int
    holder: int | None = None
    side_names: Mapping[str, str] = field(default_factory=dict)
    house: Mapping[str, Any] = field(default_factory=dict)
    agreed: str = ""
    stake: str = ""
    unit_cents: int | None = None
    currency: str = ""


class Seated(Refusal):
    """Another phone sits on this seat."""

    def __init__(self, player: Player) -> None:
        super().__init__("taken", _("%(name)s’s phone sits here.") % {"name": player.name})
        self.player = player


class Asked(Refusal):
    """The seat needs somebody's yes; the request waits for it."""

    def __init__(self, player: Player) -> None:
        super().__init__(
            "asked",
            _("Somebody at the table has to say yes: you asked for %(name)s’s seat.")
            % {"name": player.name},
        )
        self.player = player


class Full(Refusal):
    """So many phones are at this table that no more are let in."""

    def __init__(self) -> None:
        super().__init__(
            "full",
            _(
                "%(number)s phones are at this table already, and no more are let in. "
                "Anybody can look at the sheet with its link all the same."
            )
            % {"number": PHONES_AT_MOST},
        )


class WrongCode(Malformed):
    """A seat code that does not fit; five close the seat for ten minutes (429)."""

    def __init__(self, *, closed: bool) -> None:
        super().__init__(
            "seat-closed" if closed else "wrong-code",
            _(
                "Too many wrong codes. Try again in ten minutes, "
                "or let somebody at the table say yes."
            )
            if closed
            else _("That is not the code of this seat."),
        )
        self.status = 429 if closed else 422


def start_table(*, token_hash: str, new: NewTable) -> Table:
    """Start a table and its first match; the phone that asks is the host.

    Sides A and B are seats 0 and 2, 1 and 3; without partnerships column "n" is seat n.
    """
    with transaction.atomic():
        now = timezone.now()
        table = Table.objects.create(
            code=free_code(),
            game_slug=new.game_slug,
            house=dict(new.house),
            agreed=new.agreed,
            stake=new.stake,
            unit_cents=new.unit_cents,
            currency=new.currency,
            created_at=now,
            touched_at=now,
        )
        players = [
            Player.objects.create(table=table, seat=seat, name=name)
            for seat, name in enumerate(new.names)
        ]
        Phone.objects.create(
            table=table,
            token_hash=token_hash,
            player=None if new.holder is None else players[new.holder],
            is_host=True,
            seen_at=now,
        )
        together = {
            frozenset(p.pk for p in players if table.column_at(p.seat or 0) == column): name
            for column, name in new.side_names.items()
        }
        create_match(
            table,
            number=1,
            start_dealer=new.first_dealer,
            sides=new_sides(table, [(p.pk, p.name) for p in players], together),
            version=table.version,
            now=now,
        )
        table.save(update_fields=["matches_made"])
        return table


def free_code() -> str:
    """A code that no table has."""
    while Table.objects.filter(code=(code := new_code())).exists():
        pass
    return code


def find_by_code(code: str) -> Table | None:
    """The table that can be joined with a code now, None for a wrong, closed or dead one."""
    wanted = typed_code(code)
    if len(wanted) != CODE_LENGTH or set(wanted) - set(CODE_ALPHABET):
        return None
    table = Table.objects.filter(code=wanted).first()
    return table if table is not None and code_works(table) else None


def code_works(table: Table) -> bool:
    """Whether a table can be joined with its code now: open, and touched within a day."""
    return table.is_open and timezone.now() - table.touched_at <= CODE_LIVES


def typed_code(text: str) -> str:
    """A code as it is kept, however it was typed: "k7m 2qx" is K7M2QX."""
    return "".join(text.upper().split()).replace("-", "")


def take_seat(
    *, visitor: Visitor, token_hash: str, seat: int, code: str = "", ask: bool = False
) -> None:
    """Sit down on a seat; taking a new one frees the old one.

    A free seat is free until ten minutes after the table's first entry. Later, and for a seat
    where a phone sits, a yes is needed: the seat's code, another seated phone, or the host.
    Raises ``Seated`` (nobody was asked yet), ``Asked``, ``WrongCode``, or ``Full`` where a new
    phone would have to wait at a table that many look at.
    """
    refusal: Refusal | None = None
    with transaction.atomic():
        turn = begin(visitor)
        player = turn.table.players.get(seat=seat)
        phone = own_phone(turn, token_hash)
        if phone is not None and phone.player_id == player.pk:
            return
        taken = player.phones.exists()
        if code and not (phone and phone.is_host):
            refusal = _try_code(turn, player, code)
        elif not (phone and phone.is_host) and (taken or not _seats_are_free(turn)):
            if ask or not taken:
                refusal = _ask(turn, phone or let_in(turn, token_hash, sits=False), player)
            else:
                refusal = Seated(player)
        if refusal is None:
            sit(turn, phone or let_in(turn, token_hash), player)
    if refusal is not None:
        raise refusal


def watch(*, visitor: Visitor, token_hash: str) -> None:
    """Look on: gives the seat up; a host stays host."""
    with transaction.atomic():
        turn = begin(visitor)
        phone = own_phone(turn, token_hash)
        if phone is not None and phone.player_id is None:
            wishes, _kinds = SeatRequest.objects.filter(phone=phone).delete()
            if wishes:
                turn.done()
            if phone.freed_seat_id is not None:
                phone.freed_seat = None
                phone.save(update_fields=["freed_seat"])
            return
        sit(turn, phone or let_in(turn, token_hash, sits=False), None)


def free_seat(*, visitor: Visitor, seat: int) -> None:
    """Make the phones of a seat watchers; what they wrote stays.

    They may ask to have it back. Their pages take this like new names: they are loaded anew.
    """
    with transaction.atomic():
        turn = begin(visitor)
        player = turn.table.players.get(seat=seat)
        if player.phones.update(player=None, freed_seat=player):
            player.seat_code = new_code()
            player.save(update_fields=["seat_code"])
            names_changed(turn)


def set_open(*, visitor: Visitor, is_open: bool) -> None:
    """Let newcomers in, or close the table to them."""
    with transaction.atomic():
        turn = begin(visitor)
        turn.table.is_open = is_open
        turn.done("is_open")


def renew_code(*, visitor: Visitor) -> None:
    """Give the table a new code; the old one means nothing any more."""
    with transaction.atomic():
        turn = begin(visitor)
        turn.table.code = free_code()
        turn.done("code")


def rename_player(*, visitor: Visitor, player_id: int, name: str) -> None:
    """Give a player another name; a side that is called by its players follows.

    So does the newest match. Earlier ones keep the names they were played under.
    """
    with transaction.atomic():
        turn = begin(visitor)
        player = must_be_new(turn, name, but=player_id)
        if player is None:
            raise Malformed("player", _("This person is not at the table any more."))
        player.name = name
        player.save(update_fields=["name"])
        match = _current_match(turn)
        by_place = Prefetch("members", Member.objects.order_by("place"))
        sides = list(match.sides.prefetch_related(by_place))
        for side in sides:
            members = side.members.all()
            own = next((member for member in members if member.player_id == player.pk), None)
            if own is None:
                continue
            is_called_so = side.name == called(member.name for member in members)
            own.name = name
            own.save(update_fields=["name"])
            if is_called_so:
                side.name = called(member.name for member in members)
                _must_differ(side, sides)
                side.save(update_fields=["name"])
        names_changed(turn)


def must_be_new(turn: Turn, name: str, *, but: int | None = None) -> Player | None:
    """Raise ``Malformed`` if somebody at the table is called so, but for one: that player."""
    players = list(turn.table.players.all())
    if name_key(name) in {name_key(player.name) for player in players if player.pk != but}:
        raise Malformed("name-taken", _("Somebody at this table has that name already."))
    return next((player for player in players if player.pk == but), None)


def rename_side(*, visitor: Visitor, column: str, name: str) -> None:
    """Give a side of the current match another name, "" for its players' names."""
    with transaction.atomic():
        turn = begin(visitor)
        sides = list(_current_match(turn).sides.all())
        side = next(side for side in sides if side.column == column)
        side.name = name or called(side.members.order_by("place").values_list("name", flat=True))
        _must_differ(side, sides)
        side.save(update_fields=["name"])
        names_changed(turn)


def _must_differ(side: Side, sides: Sequence[Side]) -> None:
    """Raise ``Malformed`` when another side of the match is called like this one."""
    others = {name_key(other.name) for other in sides if other.pk != side.pk}
    if name_key(side.name) in others:
        raise Malformed(
            "name-taken",
            _("The other side is called “%(name)s” already.") % {"name": side.name},
        )


def _current_match(turn: Turn) -> Match:
    return turn.table.matches.order_by("-number")[0]


def names_changed(turn: Turn, *fields: str) -> None:
    """End a verb after which pages are to be loaded anew: names, seats or rights are others."""
    turn.table.names_version = turn.version
    turn.done("names_version", *fields)


def own_phone(turn: Turn, token_hash: str) -> Phone | None:
    """The phone of a browser, if it was let in to the table."""
    return Phone.objects.filter(table=turn.table, token_hash=token_hash).first()


def _seats_are_free(turn: Turn) -> bool:
    first = turn.table.first_entry_at
    return first is None or turn.now - first < SEATS_FREE_FOR


def let_in(turn: Turn, token_hash: str, *, sits: bool = True) -> Phone:
    """A phone that is new at the table; those that only look never keep a player out.

    Raises ``Full`` for one more that would only look.
    """
    if not sits:
        looking = turn.table.phones.filter(player=None, seen_at__gt=turn.now - LATELY)
        if looking.count() >= PHONES_AT_MOST:
            raise Full
    return Phone.objects.create(table=turn.table, token_hash=token_hash, seen_at=turn.now)


def sit(turn: Turn, phone: Phone, player: Player | None) -> None:
    """Let a phone be a player's, or nobody's; it has no wish any more."""
    phone.player = player
    phone.freed_seat = None
    phone.save(update_fields=["player", "freed_seat"])
    SeatRequest.objects.filter(phone=phone).delete()
    turn.done()


def _ask(turn: Turn, phone: Phone, player: Player) -> Asked:
    SeatRequest.objects.update_or_create(
        phone=phone, defaults={"table": turn.table, "player": player, "at": turn.now}
    )
    turn.done()
    return Asked(player)


def _try_code(turn: Turn, player: Player, code: str) -> WrongCode | None:
    """Check a seat's code: None when it fits. Misses are counted; five close the seat."""
    closed_until = player.code_closed_until
    # One beyond its time is of a clock that was set back since, and counts no more.
    if closed_until is not None and turn.now < closed_until <= turn.now + CODE_CLOSED_FOR:
        return WrongCode(closed=True)
    if constant_time_compare(typed_code(code), player.seat_code):
        player.code_misses, player.code_closed_until = 0, None
        player.save(update_fields=["code_misses", "code_closed_until"])
        return None
    player.code_misses += 1
    closed = player.code_misses >= CODE_MISSES
    if closed:
        player.code_misses, player.code_closed_until = 0, turn.now + CODE_CLOSED_FOR
    player.save(update_fields=["code_misses", "code_closed_until"])
    return WrongCode(closed=closed)
