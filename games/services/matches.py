"""The match as a whole: thrown-in hands, dealer, chalk, the end, taking it back, the next one."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Change, Match, Member, Phone, Side, Table
from games.services.banking import (
    conclude,
    end,
    next_begun,
    open_again,
)
from games.services.deals import move_back
from games.services.refusals import NeedsSure, Refusal, holding_words
from games.services.turn import begin, note_version, put, sheet_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from games.access import Visitor
    from games.services.turn import Turn
    from games.sheet import Sheet

TAKE_BACK_WITHIN = timedelta(minutes=2)  # for players; the host may at any time
UNSEEN_AFTER = timedelta(seconds=65)  # seen_at is written once a minute at most


class NewSide(NamedTuple):
    """A column of a match to come: its name, and its players by id and name, in seating order."""

    column: str
    name: str
    players: Sequence[tuple[int, str]]

    def write(self, match: Match) -> None:
        """Give the match this side, in place of the one that has the column."""
        side, _is_new = Side.objects.update_or_create(
            match=match, column=self.column, defaults={"name": self.name}
        )
        side.members.all().delete()
        Member.objects.bulk_create(
            Member(side=side, player_id=player, place=place, name=name)
            for place, (player, name) in enumerate(self.players)
        )


def called(names: Iterable[str]) -> str:
    """What a side is called that has no name of its own: "Lena & Felix"."""
    return " & ".join(names)


def new_sides(
    table: Table, players: Sequence[tuple[int, str]], names: Mapping[frozenset[int], str]
) -> list[NewSide]:
    """The sides of the people on seats 0 to 3; ``names`` are those that players have together."""
    seated: dict[str, list[tuple[int, str]]] = {}
    for seat, player in enumerate(players):
        seated.setdefault(table.column_at(seat), []).append(player)
    return [
        NewSide(
            column,
            names.get(frozenset(player for player, _name in side))
            or called(name for _player, name in side),
            side,
        )
        for column, side in seated.items()
    ]


def throw_in(  # noqa: PLR0913 - the fields of the form
    *, visitor: Visitor, match: Match, before: int, seen: int, op: str, undo: bool = False
) -> None:
    """Note a hand thrown in before the next round, or take the last one back.

    ``before`` is the next round and ``seen`` the thrown-in hands of the match that the page
    knows; when either is another number somebody was faster, and nothing changes. The deal moves
    on, no row is left, and before round 1 the chalk is open again (rules.md 1.1, 3.4).
    """
    with transaction.atomic():
        turn = begin(visitor)
        sheet = sheet_of(turn, match.number)
        what = f"m{match.number} thrown-in {before} {seen} {undo}"
        if turn.seen_op(op) == what:
            return
        match = _open_match(sheet)
        if not sheet.game.thrown_in:
            raise Refusal("no-thrown-in", _("No hand is thrown in in this game."))
        if sheet.holding:
            raise Refusal("not-open", holding_words(sheet))
        turn.use_op(op, what)
        if before == sheet.highest + 1 and seen == match.thrown_total:
            _count_thrown(turn, sheet, -1 if undo else 1)


def _count_thrown(turn: Turn, sheet: Sheet, step: int) -> None:
    """One thrown-in hand more or less before the next round."""
    match = sheet.match
    number = sheet.highest + 1
    count = match.thrown_in.get(str(number), 0) + step
    if count < 0:
        return
    before = {r: n for r, n in match.thrown_in.items() if r != str(number)}
    match.thrown_in = {**before, str(number): count} if count else before
    match.dealer_corrections = [  # what was said after a hand that is taken back goes with it
        c for c in match.dealer_corrections if (c[0], c[1]) <= (number, match.thrown_up_to(number))
    ]
    if sheet.highest == 0:
        match.first_chalk = ""
    note_version(match, turn.version, "thrown_in", "first_chalk", "dealer_corrections")
    turn.done()


def set_chalk(*, visitor: Visitor, match: Match, side: str) -> None:
    """Say which side holds the first chalk ("" = nobody knows yet).

    Possible while the sheet asks for it: before round 1 has an entry, in Alter Schoofkopp after
    a 0-0 opening (rules.md 1.1, 1.3). Raises ``Refusal`` (``no-chalk``) otherwise.
    """
    with transaction.atomic():
        turn = begin(visitor)
        sheet = sheet_of(turn, match.number)
        match = _open_match(sheet)
        if match.first_chalk == side:
            return
        if not sheet.asks_chalk:
            raise Refusal("no-chalk", _("The chalk follows from the deals now."))
        match.first_chalk = side
        note_version(match, turn.version, "first_chalk")
        turn.done()


def set_dealer(*, visitor: Visitor, match: Match, seat: int, op: str) -> None:
    """Say who really gives the next deal; later deals count from here."""
    with transaction.atomic():
        turn = begin(visitor)
        sheet = sheet_of(turn, match.number)
        if not turn.use_op(op, f"m{match.number} dealer {seat}"):
            return
        match = _open_match(sheet)
        if sheet.dealer == seat:
            return
        number = sheet.highest + 1
        here = [number, match.thrown_up_to(number)]
        match.dealer_corrections = [
            *(c for c in match.dealer_corrections if c[:2] < here),
            [*here, seat],
        ]
        note_version(match, turn.version, "dealer_corrections")
        turn.done()


def end_match(*, visitor: Visitor, match: Match, sure: bool) -> None:
    """End a match by tap: any player, any time, asked once.

    Raises ``Refusal`` (``nothing-entered``) on an empty sheet and ``NeedsSure`` with open cells
    and silent phones as details. On a match that has ended nothing happens.
    """
    with transaction.atomic():
        turn = begin(visitor)
        sheet = sheet_of(turn, match.number)
        if not sheet.match.is_open:
            return
        question = end_question(sheet)
        if not sure:
            raise question
        sheet.match.banking = {}
        end(turn, sheet, Match.How.TAP)
        turn.done()


def end_question(sheet: Sheet) -> NeedsSure:
    """What to ask before a match is ended: the open cells and the phones nobody heard of.

    Raises ``Refusal`` (``nothing-entered``) when there is nothing to end.
    """
    if sheet.highest == 0:
        raise Refusal("nothing-entered", _("Nothing has been entered yet, so nothing can end."))
    details = [
        _("Deal %(number)s: %(name)s is open") % {"number": row.number, "name": side.name}
        for row in sheet.rows
        for side, cell in zip(sheet.sides, row.cells, strict=True)
        if cell.value is None
    ]
    silent = Phone.objects.filter(
        table=sheet.match.table,
        player__seat__isnull=False,
        seen_at__lt=timezone.now() - UNSEEN_AFTER,
    ).values_list("player__name", flat=True)
    details += [
        _("%(name)s’s phone has not been heard of for a minute") % {"name": name}
        for name in dict.fromkeys(silent.order_by("player__seat"))
    ]
    return NeedsSure("end", _("End this match?"), details)


def reopen_match(*, visitor: Visitor, match: Match, base: int | None = None) -> None:
    """Take back the end of a match. On an open match nothing happens.

    The host may at any time, a player within 2 minutes (``too-late``). Refused with
    ``next-begun`` once the next match has begun, and ``still-over`` when a later correction
    reaches the line even without what the banking transaction wrote. ``base`` is the match
    version the page showed; an older one is refused with ``changed``.
    """
    with transaction.atomic():
        turn = begin(visitor)
        sheet = sheet_of(turn, match.number)
        match = sheet.match
        if match.ended_at is None:
            return
        if base is not None and base < match.version:
            raise Refusal("changed", _("The match has changed meanwhile. Please look again."))
        if not turn.visitor.is_host and turn.now - match.ended_at > TAKE_BACK_WITHIN:
            raise Refusal("too-late", _("Only the host can take the end back now."))
        if match.number < turn.table.matches_made and next_begun(match):
            raise Refusal("next-begun", _("The next match has begun already."))
        how, banking = match.how, match.banking
        sheet = open_again(turn, sheet)
        if how == Match.How.LINE:
            sheet = _take_back(turn, sheet, banking)
        if sheet.position.bank_round is not None:
            raise Refusal(
                "still-over", _("The line is still reached. Correct the numbers instead.")
            )
        turn.done()


def _take_back(turn: Turn, sheet: Sheet, banking: Mapping[str, Any]) -> Sheet:
    """Undo what the banking transaction wrote: cells, moves of deals, and house rules."""
    if moved := banking.get("moved"):
        sheet = move_back(turn, sheet, moved)
    for number, column, before in banking.get("cells", ()):
        cell = sheet.row(number).cell(column)
        if cell.value != before:
            sheet = put(
                turn,
                sheet,
                number,
                column,
                before,
                why=Change.Why.UNDO,
                corrected=cell.corrected,
            )
    house = banking.get("house")
    if house is not None:
        turn.table.house = house
        turn.table.save(update_fields=["house"])
        sheet.match.house = house
        sheet.match.rounds.update(version=turn.version)
        note_version(sheet.match, turn.version, "house")
        sheet = replace(sheet)
    return sheet


def next_match(*, visitor: Visitor, after: int | None = None) -> int:
    """Start the next match if the current one has ended; the number of the current match.

    The same players, sides and house rules; the deal moves on, the chalk is open. Four taps make
    one match: while the current one is open, or is not ``after``, nothing is created.
    """
    with transaction.atomic():
        turn = begin(visitor)
        current = turn.table.matches.order_by("-number")[0]
        if current.is_open or (after is not None and after != current.number):
            return current.number
        sheet = sheet_of(turn, current.number)
        number = current.number + 1
        create_match(
            turn.table,
            number=number,
            start_dealer=sheet.dealer,
            sides=[
                NewSide(
                    side.column, side.name, tuple(zip(side.player_ids, side.players, strict=True))
                )
                for side in sheet.sides
            ],
            version=turn.version,
            now=turn.now,
        )
        turn.done("matches_made")
        return number


def create_match(  # noqa: PLR0913 - a match has that many facts
    table: Table,
    *,
    number: int,
    start_dealer: int,
    sides: Sequence[NewSide],
    version: int,
    now: Any,
) -> Match:
    """Write a new match with its sides; the caller saves the table (``matches_made``).

    Where a match of this number was removed before, its blank cells carry the version of that
    removal, so that numbers meant for the old one are not taken for the new.
    """
    match = Match.objects.create(
        table=table,
        number=number,
        house=table.house,
        start_dealer=start_dealer,
        version=version,
        blank_version=table.match_removed_version if number <= table.matches_made else 0,
        started_at=now,
    )
    for side in sides:
        side.write(match)
    table.matches_made = max(table.matches_made, number)
    return match


def change_house(*, visitor: Visitor, house: Mapping[str, Any], agreed: str, sure: bool) -> None:
    """Change the house rules of the table and of its current match, if that is still open.

    Raises ``NeedsSure`` naming the rounds that no deal of the new rules can give (they stay,
    marked) and a bank that the new line would bring.
    """
    with transaction.atomic():
        turn = begin(visitor)
        table = turn.table
        current = table.matches.order_by("-number")[0]
        before = current.house
        # A match that was opened again may play other rules than the table by now.
        in_match = current.is_open and before != house
        if table.house == house and table.agreed == agreed and not in_match:
            return
        table.agreed = agreed
        if table.house != house or in_match:
            table.house = dict(house)
            if in_match:
                sheet = sheet_of(turn, current.number)
                sheet.match.house = dict(house)
                sheet = replace(sheet)
                if not sure and (details := house_consequences(sheet)):
                    raise NeedsSure("house", _("Change the house rules?"), details)
                sheet.match.save(update_fields=["house"])
                sheet.match.rounds.update(version=turn.version)
                conclude(turn, sheet, house_before=before)
        table.names_version = turn.version
        turn.done("house", "agreed", "names_version")


def house_consequences(sheet: Sheet) -> list[str]:
    """What a change of the house rules does to numbers that are written already."""
    numbers = sheet.unlawful
    details = []
    if numbers:
        details.append(
            ngettext(
                "Deal %(numbers)s does not fit these rules; it stays, marked.",
                "Deals %(numbers)s do not fit these rules; they stay, marked.",
                len(numbers),
            )
            % {"numbers": ", ".join(str(number) for number in numbers)}
        )
    if sheet.match.is_open and sheet.position.bank_round is not None:
        details.append(
            _("The line %(line)s is reached: the match would be banked.") % {"line": sheet.line}
        )
    return details


def _open_match(sheet: Sheet) -> Match:
    if not sheet.match.is_open:
        raise Refusal("ended", _("The match has ended."))
    return sheet.match
