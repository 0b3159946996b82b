"""Writing what a hand comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from games.services.attempt import Attempt
from games.services.entries import carry_out
from games.services.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from games.access import Visitor
    from games.models import Match
    from games.sheet import Sheet


def write_hand(  # noqa: PLR0913 - the fields of the form
    *,
    visitor: Visitor,
    match: Match,
    round_number: int,
    hand: Mapping[str, Any],
    columns: Sequence[str],
    op: str,
    base: int,
    sure: bool = False,
    shown: Sequence[int] | None = None,
) -> Sheet:
    """Write what a hand comes to: the whole row for a host, else the own ``columns``.

    It is worked out once more when the table is locked, with what the sheet then knows (chalk,
    house rules); other numbers than those ``shown`` are refused. The hand is kept with the round
    and offers the cells that stay open their numbers. ``base`` is the round's version for a whole
    row, else the cell's. Raises ``HandRefused`` for a hand that cannot have happened, ``Doubtful``
    for one to confirm, and what ``write_entry`` raises.
    """

    def attempt_of(sheet: Sheet) -> Attempt:
        told = {**hand, **sheet.known_of_hand(round_number)}
        settlement = sheet.game.settle(told, house=sheet.house)
        if settlement.entries is None:
            raise Refusal("no-row", _("A hand that is thrown in leaves no row."))
        if shown is not None and tuple(shown) != settlement.entries:
            raise Refusal(
                "other-numbers", _("Something has changed. This is what the hand comes to now.")
            )
        by_column = zip(sheet.columns, settlement.entries, strict=True)
        texts = {column: str(entry) for column, entry in by_column if column in columns}
        whole_row = len(texts) > 1
        return Attempt(
            round_number, texts, op, base, sure, whole_row, hand=told, doubts=settlement.doubts
        )

    return carry_out(visitor, match.number, attempt_of)
