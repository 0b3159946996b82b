"""Who plays in the next match: seats and partners, new people, and those who sit out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Entry, Player
from games.services.banking import has_begun
from games.services.matches import called, create_match, new_sides
from games.services.refusals import Malformed, Refusal
from games.services.seating import seat_people
from games.services.tables import must_be_new, names_changed
from games.services.turn import begin, note_version, sheet_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.access import Visitor
    from games.services.matches import NewSide
    from games.services.turn import Turn
    from games.sheet import Sheet

SEATS = 4
PEOPLE_AT_MOST = 12  # at one table, with those who sit out


def take_in(*, visitor: Visitor, name: str) -> None:
    """Take in one more person, who sits out until somebody gives them a seat."""
    with transaction.atomic():
        turn = begin(visitor)
        must_be_new(turn, name)
        if turn.table.players.count() >= PEOPLE_AT_MOST:
            raise Malformed(
                "too-many-people",
                _("%(number)s people are at this table already.") % {"number": PEOPLE_AT_MOST},
            )
        Player.objects.create(table=turn.table, seat=None, name=name)
        turn.done()


def let_go(*, visitor: Visitor, player_id: int) -> None:
    """Take somebody off the table's list who never played here; their phones watch from now on.

    Raises ``Refusal`` (``played``) for who sits or has played: what they played stays theirs.
    """
    with transaction.atomic():
        turn = begin(visitor)
        player = turn.table.players.filter(pk=player_id).first()
        if player is None:
            return
        if player.seat is not None or player.sides.exists():
            raise Refusal(
                "played", _("%(name)s has played here and stays on the list.") % {"name": player}
            )
        player.delete()
        turn.done()


def seat_players(*, visitor: Visitor, number: int, people: Sequence[int]) -> int:
    """Say who sits on seats 0 to 3, and so who plays with whom; the number of their match.

    That is the newest match while nothing has happened in it, or the next one, which begins with
    them. ``number`` is the newest match the page knows. Whoever has no seat sits out; phones,
    names that partners have together, and the deal go with the people. Earlier matches stay as
    they were played.

    Raises ``Malformed`` (``seats``) unless four different people sit, ``Refusal``: ``begun`` in
    the middle of a match, ``changed`` when the newest match is another one.
    """
    with transaction.atomic():
        turn = begin(visitor)
        names = dict(turn.table.players.values_list("pk", "name"))
        if len(set(people) & set(names)) != SEATS or len(people) != SEATS:
            raise Malformed("seats", _("Four different people have to sit, one on each seat."))
        newest = turn.table.matches.order_by("-number")[0]
        sheet = sheet_of(turn, newest.number)
        is_open = sheet.match.is_open
        if is_open and [player for player, _name in sheet.players_by_seat] == list(people):
            return newest.number
        if newest.number != number:
            raise Refusal("changed", _("Another match is played by now. Please look again."))
        if is_open and has_begun(sheet.match):
            raise Refusal(
                "begun",
                _("Match %(number)s has begun. Seats and partners change before the next one.")
                % {"number": newest.number},
            )
        seat_people(turn.table, people)
        sides = new_sides(turn.table, [(pk, names[pk]) for pk in people], _names_together(sheet))
        dealer = _dealer(sheet, people)
        if is_open:
            _begin_anew(turn, sheet, sides, dealer)
        else:
            number += 1
            create_match(
                turn.table,
                number=number,
                start_dealer=dealer,
                sides=sides,
                version=turn.version,
                now=turn.now,
            )
        names_changed(turn, "matches_made")
        return number


def _names_together(sheet: Sheet) -> dict[frozenset[int], str]:
    """The names that sides have beside those of their players."""
    return {
        frozenset(side.player_ids): side.name
        for side in sheet.sides
        if side.name != called(side.players)
    }


def _dealer(sheet: Sheet, people: Sequence[int]) -> int:
    """Where the person sits now who would have dealt next; their seat if they sit out."""
    player, _name = sheet.players_by_seat[sheet.dealer]
    return people.index(player) if player in people else sheet.dealer


def _begin_anew(turn: Turn, sheet: Sheet, sides: Sequence[NewSide], dealer: int) -> None:
    """Give a match that has not begun to other people.

    Its cells mean something else now: numbers that were meant for the old sides meet a conflict.
    """
    match = sheet.match
    for side in sides:
        side.write(match)
    match.start_dealer, match.dealer_corrections, match.first_chalk = dealer, [], ""
    match.blank_version = turn.version
    match.rounds.update(version=turn.version)
    Entry.objects.filter(round__match=match).update(version=turn.version)
    note_version(
        match, turn.version, "start_dealer", "dealer_corrections", "first_chalk", "blank_version"
    )
