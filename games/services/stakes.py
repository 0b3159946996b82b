"""What a table plays for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from games.services.turn import begin

if TYPE_CHECKING:
    from games.access import Visitor


def set_stake(*, visitor: Visitor, stake: str, cents: int | None, currency: str) -> None:
    """Say what is paid for and how much it is; ``cents=None``: the table plays for honour."""
    with transaction.atomic():
        turn = begin(visitor)
        turn.visitor.must_host()
        table = turn.table
        if (table.stake, table.unit_cents, table.currency) == (stake, cents, currency):
            return
        table.stake, table.unit_cents, table.currency = stake, cents, currency
        turn.done("stake", "unit_cents", "currency")
