"""Whether an attempt to write may be written: steps 2 to 7 of the life of a number (design 6)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from games.models import HIGHEST_ROUND, Change, Match
from games.services.refusals import (
    Conflict,
    DealMoved,
    Doubtful,
    NotANumber,
    Refusal,
    Unlawful,
    WrittenMeanwhile,
    holding_words,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from games.rules import Breach
    from games.services.turn import Turn
    from games.sheet import Sheet

WHOLE_NUMBER = re.compile(r"(0|[1-9][0-9]{0,3})?\Z")


@dataclass(frozen=True)
class Attempt:
    """One try to write cells of one round: texts by column, op, base, and whether one is sure.

    ``hand`` is what the numbers were worked out from, ``doubts`` what it leaves to confirm.
    ``why`` stands in the history where it does not follow from who writes; ``of`` is the version
    of the write that this one takes back.
    """

    round_number: int
    texts: Mapping[str, str]
    op: str
    base: int
    sure: bool = False
    whole_row: bool = False
    hand: Mapping[str, Any] | None = None
    doubts: tuple[Breach, ...] = ()
    why: str = ""
    of: int | None = None

    @property
    def what(self) -> str:
        """What the op is remembered for."""
        if self.of is not None:
            return f"undo {self.of}"
        cells = " ".join(f"{column}={text.strip()}" for column, text in self.texts.items())
        return f"{'row' if self.whole_row else 'cell'} {self.round_number} {cells}"


def number_in(column: str, text: str) -> int | None:
    """The number in a box, None for an empty one; never anything but what was typed."""
    text = text.strip()
    if not WHOLE_NUMBER.match(text):
        raise NotANumber(text, column)
    return int(text) if text else None


def refuse_moved(turn: Turn, sheet: Sheet, attempt: Attempt) -> None:
    """Step 3, before anything is compared: this number means another deal than the page saw.

    Even a number that happens to stand there would be lost, as it was meant for another deal.
    """
    number = attempt.round_number
    if attempt.base >= sheet.match.moved_at(number):
        return
    row = sheet.row(number)
    move = next(one for one in sheet.match.moves_after(attempt.base) if one.touches(number))
    told = Change.objects.filter(
        table=turn.table,
        match_number=sheet.match.number,
        version=move.version,
        why=Change.Why.MOVED,
    ).first()
    raise DealMoved(
        [
            Conflict(
                column=column,
                mine=number_in(column, text),
                value=row.cell(column).value,
                version=row.cell(column).version,
                who=told.who if told else "",
                at=told.at if told else None,
            )
            for column, text in attempt.texts.items()
        ],
        row.version,
        move=move,
        now=sheet.match.whereabouts(number, attempt.base),
    )


def refuse_closed(turn: Turn, sheet: Sheet, number: int) -> None:
    """Step 4: the match has ended, or this round is not open yet."""
    match = sheet.match
    if not match.is_open:
        open_to_host = sheet.highest + (1 if match.how == Match.How.TAP else 0)
        if not turn.visitor.is_host or number > min(open_to_host, HIGHEST_ROUND):
            raise Refusal("ended", _("The match has ended. The host is shown your number."))
    elif number > sheet.highest and number != sheet.next_round:
        if sheet.holding:
            raise Refusal("not-open", holding_words(sheet))
        raise Refusal("not-open", _("Deal %(number)s is not open yet.") % {"number": number})


def refuse_older(
    turn: Turn, sheet: Sheet, attempt: Attempt, changed: Mapping[str, int | None]
) -> None:
    """Step 5: somebody else wrote one of these cells since the page saw them."""
    conflicts = []
    row = sheet.row(attempt.round_number)
    for column, value in changed.items():
        cell = row.cell(column)
        if cell.version <= attempt.base:
            continue
        since = Change.objects.filter(
            table=turn.table,
            match_number=sheet.match.number,
            round_number=attempt.round_number,
            column=column,
            version__gt=attempt.base,
        ).exclude(why=Change.Why.IMPLIED)
        phone = turn.visitor.phone
        same_address = attempt.base >= sheet.match.since(attempt.round_number)
        if same_address and not since.exclude(phone=phone).exists():
            continue
        last = since.order_by("-version", "-pk").first()
        conflicts.append(
            Conflict(
                column=column,
                mine=value,
                value=cell.value,
                version=cell.version,
                who=last.who if last else "",
                at=last.at if last else None,
            )
        )
    if conflicts:
        raise WrittenMeanwhile(conflicts, max(row.version, *(c.version for c in conflicts)))


def judge(
    sheet: Sheet,
    attempt: Attempt,
    values: Mapping[str, int | None],
    changed: Mapping[str, int | None],
) -> tuple[Breach, ...]:
    """Steps 6 and 7: the row can become lawful, and what is doubtful was confirmed.

    Clearing never makes a row worse, so it is never refused. Numbers that were only implied do
    not stand against anybody. Returns the doubts that hold now.
    """
    row = sheet.row(attempt.round_number)
    entries = tuple(values.get(c.column, said) for c, said in zip(row.cells, row.said, strict=True))
    if all(value is None for value in changed.values()):
        return ()
    verdict = sheet.check(entries, attempt.round_number)
    if sheet.completions(entries, attempt.round_number) == ():
        raise Unlawful(
            verdict.breaches,
            only=_only_value(sheet, attempt.round_number, entries, changed),
            against=[
                cell.column
                for cell, value in zip(row.cells, entries, strict=True)
                if value is not None and cell.column not in changed
            ],
        )
    known = {code for code, columns in row.confirmed.items() if not set(columns) & set(changed)}
    doubts = (*attempt.doubts, *verdict.doubts)
    new = [doubt for doubt in doubts if doubt.code not in known]
    if new and not attempt.sure:
        raise Doubtful(new)
    return doubts


def _only_value(
    sheet: Sheet,
    number: int,
    entries: tuple[int | None, ...],
    changed: Mapping[str, int | None],
) -> int | None:
    """The one lawful value of the cell beside what the others hold, if there is just one."""
    if len(changed) != 1:
        return None
    index = sheet.columns.index(next(iter(changed)))
    around = tuple(None if i == index else value for i, value in enumerate(entries))
    values = {completion[index] for completion in sheet.completions(around, number) or ()}
    return values.pop() if len(values) == 1 else None
