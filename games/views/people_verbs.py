"""What the page of the people can do: each verb reads its fields and calls one service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils.translation import gettext as _

from games import access, posted, services
from games.models import Player
from games.names import clean_name
from games.views.joining import read_seat

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import QueryDict

    from games.access import Visitor

    Verb = Callable[[Visitor, QueryDict], str | None]

SEAT_FIELDS = ("seat_0", "seat_1", "seat_2", "seat_3")


def carry_out(visitor: Visitor, typed: QueryDict) -> str:
    """Do what a form asks for; where to go from there. Raises ``Refusal``."""
    verb = VERBS.get(typed.get("do", ""))
    if verb is None:
        raise services.Malformed("do", _("This page does not know what to do."))
    return verb(visitor, typed) or reverse("games:people", args=[visitor.table.key])


def _free(visitor: Visitor, typed: QueryDict) -> None:
    visitor.must_host()
    services.free_seat(visitor=visitor, seat=read_seat(typed.get("seat", "")))


def _close(visitor: Visitor, typed: QueryDict) -> None:  # noqa: ARG001
    visitor.must_host()
    services.set_open(visitor=visitor, is_open=False)


def _open(visitor: Visitor, typed: QueryDict) -> None:  # noqa: ARG001
    visitor.must_host()
    services.set_open(visitor=visitor, is_open=True)


def _renew(visitor: Visitor, typed: QueryDict) -> None:  # noqa: ARG001
    visitor.must_host()
    services.renew_code(visitor=visitor)


def _new_link(visitor: Visitor, typed: QueryDict) -> None:
    visitor.must_host()
    services.renew_link(visitor=visitor, sure=posted.flag(typed, "sure"))


def _rename(visitor: Visitor, typed: QueryDict) -> None:
    players = visitor.table.players
    if "player" in typed:
        player = players.filter(pk=posted.whole(typed, "player")).first()
    else:
        player = players.filter(seat=read_seat(typed.get("seat", ""))).first()
    own = visitor.phone.player_id if visitor.phone else None
    if not visitor.is_host and (player is None or player.pk != own):
        raise PermissionDenied(_("Only the host can change other people’s names."))
    name = clean_name(typed.get("name", ""))
    services.rename_player(visitor=visitor, player_id=_id(player), name=name)


def _rename_side(visitor: Visitor, typed: QueryDict) -> None:
    column = typed.get("column", "").strip()
    sides = {s.column: s for s in access.sides_of(access.newest_match(visitor.table))}
    if not visitor.table.game.partnerships or column not in sides:
        raise services.Malformed("column", _("Choose one of the two sides."))
    own = visitor.phone.player_id if visitor.phone else None
    if not visitor.is_host and own not in sides[column].player_ids:
        raise PermissionDenied(_("Only the host can change the other side’s name."))
    text = typed.get("name", "")
    name = clean_name(text) if text.strip() else ""
    services.rename_side(visitor=visitor, column=column, name=name)


def _yes(visitor: Visitor, typed: QueryDict) -> None:
    services.answer_request(visitor=visitor, request_id=posted.whole(typed, "request"), yes=True)


def _no(visitor: Visitor, typed: QueryDict) -> None:
    services.answer_request(visitor=visitor, request_id=posted.whole(typed, "request"), yes=False)


def _put_out(visitor: Visitor, typed: QueryDict) -> None:
    visitor.must_host()
    sure = posted.flag(typed, "sure")
    services.put_out(visitor=visitor, phone_id=posted.whole(typed, "phone"), sure=sure)


def _make_host(visitor: Visitor, typed: QueryDict) -> None:
    visitor.must_host()
    services.make_host(visitor=visitor, phone_id=posted.whole(typed, "phone"))


def _lay_down(visitor: Visitor, typed: QueryDict) -> None:
    visitor.must_host()
    services.lay_down(visitor=visitor, sure=posted.flag(typed, "sure"))


def _ask_host(visitor: Visitor, typed: QueryDict) -> None:  # noqa: ARG001
    services.ask_to_be_host(visitor=visitor)


def _take_in(visitor: Visitor, typed: QueryDict) -> str:
    visitor.must_host()
    services.take_in(visitor=visitor, name=clean_name(typed.get("name", "")))
    return reverse("games:people", args=[visitor.table.key]) + "?partners#partners"


def _let_go(visitor: Visitor, typed: QueryDict) -> None:
    visitor.must_host()
    services.let_go(visitor=visitor, player_id=posted.whole(typed, "player"))


def _seats(visitor: Visitor, typed: QueryDict) -> str:
    visitor.must_host()
    services.seat_players(
        visitor=visitor,
        number=posted.whole(typed, "match"),
        people=[posted.whole(typed, name) for name in SEAT_FIELDS],
    )
    return reverse("games:table", args=[visitor.table.key])


def _id(player: Player | None) -> int:
    return 0 if player is None else player.pk


VERBS: dict[str, Verb] = {
    "free": _free,
    "close": _close,
    "open": _open,
    "renew": _renew,
    "new-link": _new_link,
    "rename": _rename,
    "rename-side": _rename_side,
    "yes": _yes,
    "no": _no,
    "put-out": _put_out,
    "make-host": _make_host,
    "lay-down": _lay_down,
    "ask-host": _ask_host,
    "take-in": _take_in,
    "let-go": _let_go,
    "seats": _seats,
}
