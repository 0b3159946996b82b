"""Taking back what one write has changed: a write like any other, with the numbers of before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from games.models import Change, Op
from games.services.attempt import Attempt
from games.services.entries import carry_out
from games.services.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.access import Visitor
    from games.models import Match
    from games.sheet import Sheet

FOLLOWS = (Change.Why.IMPLIED, Change.Why.MOVED)  # nobody typed these


def take_back(  # noqa: PLR0913 - the fields of the form
    *, visitor: Visitor, match: Match, version: int, op: str, base: int, sure: bool = False
) -> Sheet:
    """Give the cells that one write has changed the numbers they held before.

    ``version`` is that of the write. The host takes back any, in the deal where it stands now; a
    player what this phone wrote in the own column, as long as it still stands. ``base`` is what
    ``write_entry`` and, for several cells, ``write_round`` take; they say what is raised.
    """

    def attempt_of(sheet: Sheet) -> Attempt:
        changes = written_at(sheet, version)
        if not changes:
            raise Refusal("nothing-written", _("There is nothing to take back here."))
        number = sheet.match.whereabouts(changes[0].round_number, version)
        if number is None:
            raise Refusal("deal-removed", _("This deal was removed since."))
        is_repeated = Op.objects.filter(table=sheet.match.table, op=op).exists()
        if not visitor.is_host and not is_repeated:
            _refuse_others(visitor, sheet, changes)
        texts = {one.column: "" if one.before is None else str(one.before) for one in changes}
        whole_row = len(texts) > 1
        return Attempt(number, texts, op, base, sure, whole_row, why=Change.Why.UNDO, of=version)

    return carry_out(visitor, match.number, attempt_of)


def written_at(sheet: Sheet, version: int) -> list[Change]:
    """What people changed at one version in a match: cells of one round."""
    changes = Change.objects.filter(
        table=sheet.match.table,
        match_number=sheet.match.number,
        version=version,
        version__gt=sheet.match.blank_version,
    )
    found = changes.exclude(why__in=FOLLOWS).order_by("pk")
    return [one for one in found if one.before != one.after]


def _refuse_others(visitor: Visitor, sheet: Sheet, changes: Sequence[Change]) -> None:
    """A player takes back only what this phone wrote in the own column, and what still stands."""
    columns = visitor.columns(sheet.sides)
    phone = visitor.phone
    for one in changes:
        if phone is None or one.phone_id != phone.pk or one.column not in columns:
            raise PermissionDenied(
                _("Only the phone that wrote a number takes it back, or the host.")
            )
        if sheet.row(one.round_number).cell(one.column).version != one.version:
            raise Refusal("changed", _("Somebody wrote here meanwhile."))
