"""The phones of a table and who is its host: wishes, put out, hand over, a new link, recovery."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from games.access import Visitor, hash_of
from games.models import OldKey, Phone, SeatRequest, Table, new_key
from games.services.refusals import NeedsSure, Refusal
from games.services.tables import free_code, let_in, names_changed, own_phone, sit
from games.services.turn import Turn, begin

if TYPE_CHECKING:
    from datetime import datetime

HOST_MISSED_AFTER = timedelta(minutes=5)  # from then on players can make a new one


class LastHost(Refusal):
    """Without this phone nobody would be host."""

    def __init__(self) -> None:
        super().__init__(
            "last-host", _("This is the only host. Make another phone the host first.")
        )


class NotYours(Refusal):
    """A wish that others have to answer, or this phone only later."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            "not-yours",
            _(
                "A host has to say yes to that. Only when no host was here for five minutes "
                "can somebody who sits on another side say it."
            ),
        )


def may_answer(visitor: Visitor, wish: SeatRequest, *, host_is_here: bool) -> bool:
    """Whether a phone may say yes to a wish: the host, or another phone that sits.

    To a wish to be host only while no host is here, and only somebody on another side.
    """
    if visitor.is_host:
        return True
    if not visitor.plays or visitor.phone == wish.phone:
        return False
    return not wish.is_for_host or (not host_is_here and _sits_across(visitor, wish))


def host_is_here(table: Table, now: datetime | None = None) -> bool:
    """Whether a host was heard of lately: one query."""
    now = now or timezone.now()
    # Nor one of a time to come: the clock was set back since.
    lately = (now - HOST_MISSED_AFTER, now + HOST_MISSED_AFTER)
    return table.phones.filter(is_host=True, seen_at__range=lately).exists()


def answer_request(*, visitor: Visitor, request_id: int, yes: bool) -> None:
    """Say yes or no to a phone's wish; one that is gone was answered already.

    Nobody but the host says yes to themselves: that would be a way round the question. Raises
    ``NotYours`` for a wish to be host that is not this phone's to answer.
    """
    with transaction.atomic():
        turn = begin(visitor)
        wish = (
            SeatRequest.objects.select_related("phone__player", "player")
            .filter(pk=request_id, table=turn.table)
            .first()
        )
        if wish is None:
            return
        is_own = wish.phone == turn.visitor.phone
        if yes and is_own:
            turn.visitor.must_host()
        if wish.is_for_host and not (is_own and not yes):
            here = host_is_here(turn.table, turn.now)
            if not may_answer(turn.visitor, wish, host_is_here=here):
                raise NotYours
        if not yes:
            wish.delete()
            turn.done()
        elif wish.is_for_host:
            _make_host(turn, wish.phone)
        else:
            sit(turn, wish.phone, wish.player)
            names_changed(turn)  # its page, with other columns to write, is loaded anew


def ask_to_be_host(*, visitor: Visitor) -> None:
    """Ask for the office of the host; another wish of this phone is given up for it."""
    with transaction.atomic():
        turn = begin(visitor)
        phone = turn.visitor.must_play()
        if turn.visitor.is_host:
            return
        if turn.visitor.seat is None:
            raise PermissionDenied(_("Take a seat first: only players can do that."))
        SeatRequest.objects.update_or_create(
            phone=phone, defaults={"table": turn.table, "player": None, "at": turn.now}
        )
        turn.done()


def make_host(*, visitor: Visitor, phone_id: int) -> None:
    """Make another phone of the table host as well; one that is gone stays away."""
    with transaction.atomic():
        turn = begin(visitor)
        phone = turn.table.phones.filter(pk=phone_id, is_host=False).first()
        if phone is not None:
            _make_host(turn, phone)


def lay_down(*, visitor: Visitor, sure: bool) -> None:
    """Be host no more; another one has to be there. Raises ``LastHost`` and ``NeedsSure``."""
    with transaction.atomic():
        turn = begin(visitor)
        phone = turn.visitor.must_host()
        _keep_a_host(turn, phone)
        if not sure:
            raise NeedsSure(
                "lay-down",
                _("Be host no more?"),
                [_("Another host is there, and can make this phone host again.")],
            )
        phone.is_host = False
        phone.save(update_fields=["is_host"])
        names_changed(turn)


def put_out(*, visitor: Visitor, phone_id: int, sure: bool) -> None:
    """Put a phone out: to the table it is a stranger from now on. What it wrote stays.

    Raises ``LastHost`` and ``NeedsSure``. A phone that is gone stays away.
    """
    with transaction.atomic():
        turn = begin(visitor)
        phone = turn.table.phones.select_related("player").filter(pk=phone_id).first()
        if phone is None:
            return
        _keep_a_host(turn, phone)
        if not sure:
            raise NeedsSure("put-out", _put_out_question(phone), _put_out_details(phone))
        phone.delete()
        names_changed(turn)


def renew_link(*, visitor: Visitor, sure: bool) -> None:
    """Give the table a new address and a new code.

    The old address leads the phones that were let in on to the new one; for all others it means
    nothing any more. Raises ``NeedsSure``.
    """
    with transaction.atomic():
        turn = begin(visitor)
        if not sure:
            raise NeedsSure(
                "new-link",
                _("Give the table a new link?"),
                [
                    _("Phones that are at the table stay, and find it by themselves."),
                    _("For everybody else the old link and the old code open nothing any more."),
                ],
            )
        OldKey.objects.create(table=turn.table, key=turn.table.key)
        turn.table.key = new_key()
        turn.table.code = free_code()
        names_changed(turn, "key", "code")


def new_recovery_link(*, visitor: Visitor) -> str:
    """The secret of a link that makes a phone host; one that was given out before ends."""
    with transaction.atomic():
        turn = begin(visitor)
        secret = secrets.token_urlsafe(16)
        turn.table.recovery_hash = hash_of(secret)
        turn.done("recovery_hash")
        return secret


def find_by_recovery(secret: str) -> Table | None:
    """The table whose recovery link holds this secret."""
    return Table.objects.filter(recovery_hash=hash_of(secret)).first()


def recover(*, table: Table, token_hash: str, secret: str) -> None:
    """Make the browser that holds a table's recovery link its host, and let it in for that.

    Raises ``Refusal`` (``link-ended``) when a newer link was given out meanwhile.
    """
    with transaction.atomic():
        turn = begin(Visitor(table, None))
        if not constant_time_compare(turn.table.recovery_hash, hash_of(secret)):
            raise Refusal("link-ended", recovery_ended())
        phone = own_phone(turn, token_hash) or let_in(turn, token_hash)
        if not phone.is_host:
            _make_host(turn, phone)


def recovery_ended() -> str:
    """What is said to whoever comes with a recovery link that is none."""
    return _("This link makes nobody host. The host can give out a new one under “People”.")


def _make_host(turn: Turn, phone: Phone) -> None:
    phone.is_host = True
    phone.save(update_fields=["is_host"])
    SeatRequest.objects.filter(phone=phone, player=None).delete()
    names_changed(turn)


def _keep_a_host(turn: Turn, phone: Phone) -> None:
    """Raise ``LastHost`` when nobody would be host without this phone."""
    if phone.is_host and not turn.table.phones.filter(is_host=True).exclude(pk=phone.pk).exists():
        raise LastHost


def _sits_across(visitor: Visitor, wish: SeatRequest) -> bool:
    seats = [visitor.seat, wish.phone.player.seat if wish.phone.player else None]
    columns = {visitor.table.column_at(seat) for seat in seats if seat is not None}
    return len(columns) == len(seats)


def _put_out_question(phone: Phone) -> str:
    if phone.player is None:
        return _("Put a phone out that only watches?")
    return _("Put %(name)s’s phone out?") % {"name": phone.player.name}


def _put_out_details(phone: Phone) -> list[str]:
    details = [
        _("What it has written stays."),
        _("With the link it can come back as a stranger. A new link keeps it out."),
    ]
    if phone.is_host:
        details.insert(0, _("It is a host."))
    return details
