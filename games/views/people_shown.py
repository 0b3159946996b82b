"""What the page of the people shows: wishes, seats, sides, phones, and who could sit where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Exists, F, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import access, kept, services
from games.forms import PARTNERS_OF_0, lines_by_seat
from games.models import Member
from games.sheet import MARKS
from games.views.joining import seats_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.http import QueryDict

    from games.access import Visitor
    from games.models import Phone, SeatRequest

REQUESTS_ON_SHEET = 2  # more at a time would push the sheet away
PHONES_SHOWN = 40
MINUTES, HOURS = 60, 24
HERE_NOW = 2  # minutes; a phone that is there is noted once a minute


class Wish(NamedTuple):
    """A phone's wish as this phone sees it; ``name`` is the seat's, or of who would be host."""

    pk: int
    for_host: bool
    name: str
    is_own: bool
    may: bool  # say yes
    may_later: bool  # when no host is here


def asked(visitor: Visitor, *, on_sheet: bool) -> dict[str, Any]:
    """The phones that ask for something: on the sheet the first few, else with phones of seats.

    ``state`` says in short what is shown; with it a page asks whether that is still so. The sheet
    shows only what this phone can answer, and ``later`` says that there is more to come of it.
    """
    found = _wishes(visitor) if visitor.plays else []
    wishes = [wish for wish in found if wish.may or wish.is_own] if on_sheet else found
    seats = [] if on_sheet else seats_of(visitor)
    state = "".join(f"{wish.pk}{'' if wish.may or wish.is_own else 'x'}-" for wish in wishes)
    state += ".".join(str(place["phones"]) for place in seats)
    return {
        "table": visitor.table,
        "visitor": visitor,
        "requests": wishes[:REQUESTS_ON_SHEET] if on_sheet else wishes,
        "later": any(wish.may_later and not wish.may for wish in found),
        "seats": seats,
        "state": state,
        "on_sheet": on_sheet,
    }


def _wishes(visitor: Visitor) -> list[Wish]:
    table = visitor.table
    rows = list(table.seat_requests.select_related("player", "phone__player").order_by("at"))
    here = any(row.is_for_host for row in rows) and services.host_is_here(table)
    return [_wish(visitor, row, host_is_here=here) for row in rows]


def _wish(visitor: Visitor, row: SeatRequest, *, host_is_here: bool) -> Wish:
    player = row.player or row.phone.player
    return Wish(
        pk=row.pk,
        for_host=row.is_for_host,
        name=player.name if player else "",
        is_own=row.phone == visitor.phone,
        may=services.may_answer(visitor, row, host_is_here=host_is_here),
        may_later=services.may_answer(visitor, row, host_is_here=False),
    )


def sitting_out(visitor: Visitor) -> list[dict[str, Any]]:
    """The people of the table without a seat: one query."""
    own = visitor.phone.player_id if visitor.phone else None
    played = Exists(Member.objects.filter(player=OuterRef("pk")))
    out = visitor.table.players.filter(seat=None).annotate(played=played).order_by("pk")
    return [
        {
            "id": f"player-{player.pk}",
            "player": player.pk,
            "name": player.name,
            "out": True,
            "may": visitor.is_host or player.pk == own,
            "may_go": visitor.is_host and not player.played,
        }
        for player in out
    ]


def sides_of(visitor: Visitor) -> list[dict[str, Any]]:
    """The sides of the newest match: what each is called."""
    own = visitor.phone.player_id if visitor.phone else None
    return [
        {
            "id": f"side-{side.column}",
            "column": side.column,
            "mark": side.column,
            "name": side.name,
            "side": True,
            "may": visitor.is_host or own in side.player_ids,
        }
        for side in _newest(visitor).sheet.sides
    ]


def phones_of(visitor: Visitor) -> dict[str, Any]:
    """The phones of the table, as the host sees them; others hear who is host: one query."""
    if visitor.phone is None:
        return {}
    rows = visitor.table.phones.select_related("player")
    if not visitor.is_host:
        rows = rows.filter(is_host=True)
    seat = F("player__seat").asc(nulls_last=True)
    found = list(rows.order_by("-is_host", seat, "-seen_at"))
    hosts = [phone for phone in found if phone.is_host]
    return {
        "phones": [_phone(visitor, phone) for phone in found[:PHONES_SHOWN]],
        "phones_total": len(found),
        "phones_more": max(0, len(found) - PHONES_SHOWN),
        "hosts": [phone.player.name if phone.player else "" for phone in hosts],
        "may_lay_down": visitor.is_host and len(hosts) > 1,
    }


def _phone(visitor: Visitor, phone: Phone) -> dict[str, Any]:
    player = phone.player
    seated = player is not None and player.seat is not None
    return {
        "pk": phone.pk,
        "name": player.name if player else "",
        "mark": MARKS[visitor.table.column_at(player.seat or 0)] if player and seated else "",
        "is_host": phone.is_host,
        "mine": phone == visitor.phone,
        "seen": seen_words(phone.seen_at),
    }


def seen_words(at: datetime) -> str:
    """When a phone was heard of last, roughly."""
    minutes = max(0, int((timezone.now() - at).total_seconds())) // 60
    if minutes < HERE_NOW:
        return _("here now")
    hours = minutes // MINUTES
    if hours == 0:
        return ngettext("%(n)s minute ago", "%(n)s minutes ago", minutes) % {"n": minutes}
    if hours < HOURS:
        return ngettext("%(n)s hour ago", "%(n)s hours ago", hours) % {"n": hours}
    days = hours // HOURS
    return ngettext("%(n)s day ago", "%(n)s days ago", days) % {"n": days}


def seating_of(
    visitor: Visitor,
    seats: Sequence[Mapping[str, Any]],
    out: Sequence[Mapping[str, Any]],
    typed: QueryDict,
) -> dict[str, Any] | None:
    """What the host can say about who sits where in the match to come; None for all others."""
    if not visitor.is_host:
        return None
    table, sheet = visitor.table, _newest(visitor).sheet
    number = sheet.match.number
    begun = sheet.match.is_open and sheet.has_begun
    people = [(place["player"], place["name"]) for place in (*seats, *out)]
    chosen = [typed.get(f"seat_{place['seat']}", str(place["player"])) for place in seats]
    return {
        "newest": number,
        "number": number if sheet.match.is_open else number + 1,
        "begun": begun,
        "pairings": _pairings(people[:4]) if table.game.partnerships and not begun else (),
        "is_typed": typed.get("do") == "seats",
        "choices": [
            {
                "seat": place["seat"],
                "mark": place["mark"],
                "people": [(pk, name, str(pk) == wanted) for pk, name in people],
            }
            for place, wanted in zip(seats, chosen, strict=True)
        ],
    }


def _pairings(four: Sequence[tuple[int, str]]) -> list[dict[str, Any]]:
    """The other ways in which the four who sit can be partners."""
    now = PARTNERS_OF_0[1]
    found = []
    for partner in PARTNERS_OF_0:
        if partner != now:
            people = [four[line] for line in lines_by_seat(partner)]
            names = [name for _pk, name in people]
            found.append(
                {
                    "seats": [(seat, pk) for seat, (pk, _name) in enumerate(people)],
                    "sides": [("A", names[0::2]), ("B", names[1::2])],
                }
            )
    return found


def _newest(visitor: Visitor) -> kept.Snapshot:
    table = visitor.table
    return kept.find(table) or kept.read(access.newest_match(table))
