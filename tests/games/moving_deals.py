"""A table whose host moves deals while phones write from old pages, as a machine of rules.

Beside it lies a sheet of paper on which a deal is a thing of its own, whatever its number.
"""

from __future__ import annotations

from itertools import count
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from games import kept
from games.access import sides_of
from games.models import Change, Entry, Op, Table
from tests.games.helpers import host_of, make_table, match_of, new_op, seated

AHEAD = 12  # addresses that the paper knows
COLUMNS = "AB"

a_deal = st.integers(1, 6)
a_column = st.sampled_from(COLUMNS)
a_text = st.sampled_from(["", "0", "1", "2"])
a_choice = st.integers(0, 5)


class Seen(NamedTuple):
    """A page that was loaded some time ago: which deal had which number, and all bases."""

    deals: list[int]
    bases: dict[tuple[int, str], int]


class Sent(NamedTuple):
    """A number that was sent, and the deal it was meant for."""

    number: int
    text: str
    op: str
    base: int
    deal: int


class MovingDeals(RuleBasedStateMachine):
    """Free numbers and no line, so that only addresses decide what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.table = make_table(house={"free_numbers": True, "line": "none"})
        self.host = host_of(self.table)
        self.lena = seated(self.table, 0)
        self.fresh = count()
        self.deals = [next(self.fresh) for _ in range(AHEAD)]
        self.numbers: dict[tuple[int, str], int] = {}  # by deal and column
        self.pages: list[Seen] = []
        self.sent: list[Sent] = []
        self.version = 0
        self.versions: dict[tuple[int, str], int] = {}
        self.opens_a_page()

    # What stands ----------------------------------------------------------------------------

    @property
    def highest(self) -> int:
        return max(
            (
                number
                for number, deal in enumerate(self.deals, start=1)
                for column in COLUMNS
                if (deal, column) in self.numbers
            ),
            default=0,
        )

    @property
    def rows(self) -> list[list[int | None]]:
        return [
            [self.numbers.get((deal, c)) for c in COLUMNS] for deal in self.deals[: self.highest]
        ]

    def note(self, deal: int, column: str, text: str) -> None:
        if text:
            self.numbers[deal, column] = int(text)
        else:
            self.numbers.pop((deal, column), None)

    # What people do -------------------------------------------------------------------------

    @rule()
    def opens_a_page(self) -> None:
        sheet = self.sheet()
        bases = {
            (number, column): sheet.row(number).cell(column).version
            for number in range(1, AHEAD + 1)
            for column in COLUMNS
        }
        self.pages.append(Seen(list(self.deals), bases))

    @rule(number=a_deal, column=a_column, text=a_text)
    def writes(self, number: int, column: str, text: str) -> None:
        """From a page that is up to date."""
        number = min(number, self.highest + 1)
        answer = self.host.write(number, column, text)
        assert answer.status_code == 303
        self.note(self.deals[number - 1], column, text)

    @rule(choice=a_choice, number=a_deal, text=a_text)
    def writes_from_an_old_page(self, choice: int, number: int, text: str) -> None:
        """Whatever the answer is, no number comes to another deal than the page showed."""
        page = self.pages[choice % len(self.pages)]
        base, deal = page.bases[number, "A"], page.deals[number - 1]
        self.sent.append(Sent(number, text, new_op(), base, deal))
        self.sends(self.sent[-1])

    @precondition(lambda self: self.sent)
    @rule(choice=a_choice)
    def sends_once_more(self, choice: int) -> None:
        """A number whose answer was lost; it may have been refused before."""
        self.sends(self.sent[choice % len(self.sent)])

    def sends(self, sent: Sent) -> None:
        was_written = Op.objects.filter(table=self.table, op=sent.op).exists()
        answer = self.lena.write(sent.number, "A", sent.text, op=sent.op, base=sent.base)
        assert answer.status_code in {303, 409}
        if answer.status_code == 303 and not was_written:
            assert self.deals[sent.number - 1] == sent.deal
            self.note(sent.deal, "A", sent.text)

    @precondition(lambda self: self.highest)
    @rule(number=a_deal)
    def removes(self, number: int) -> None:
        number = min(number, self.highest)
        assert self.host.move(number, "remove", sure="1").status_code == 303
        gone = self.deals.pop(number - 1)
        self.deals.append(next(self.fresh))
        for column in COLUMNS:
            self.numbers.pop((gone, column), None)

    @precondition(lambda self: 0 < self.highest < AHEAD - 2)
    @rule(number=a_deal)
    def puts_in(self, number: int) -> None:
        number = min(number, self.highest)
        assert self.host.move(number, "insert").status_code == 303
        self.deals.insert(number - 1, next(self.fresh))
        self.deals.pop()

    @precondition(lambda self: self.highest > 1)
    @rule(number=a_deal, down=st.booleans())
    def swaps(self, number: int, down: bool) -> None:  # noqa: FBT001 - drawn
        upper = min(number, self.highest - 1)
        answer = self.host.move(upper if down else upper + 1, "down" if down else "up")
        assert answer.status_code == 303
        self.deals[upper - 1 : upper + 1] = reversed(self.deals[upper - 1 : upper + 1])

    @precondition(lambda self: match_of(self.table).last_removed is not None)
    @rule()
    def puts_back(self) -> None:
        match = match_of(self.table)
        number = match.last_removed
        assert number is not None
        if number > self.highest + 1:
            return
        gone = Change.objects.filter(
            table=self.table, version=match.moves[-1][0], round_number=number, why="moved"
        )
        stood = {one.column: one.before for one in gone if one.before is not None}
        assert self.host.move(number, "back", sure="1").status_code == 303
        deal = next(self.fresh)
        self.deals.insert(number - 1, deal)
        self.deals.pop()
        self.numbers |= {(deal, column): value for column, value in stood.items()}

    @precondition(lambda self: self.highest)
    @rule(choice=st.integers(0, 30))
    def takes_back(self, choice: int) -> None:
        """The host any write that is not a move, in the deal where it stands by now."""
        written = Change.objects.filter(table=self.table).exclude(why="moved").order_by("-pk")
        found = [one for one in written if one.before != one.after]
        if not found:
            return
        change = found[choice % len(found)]
        where = match_of(self.table).whereabouts(change.round_number, change.version)
        answer = self.host.take_back(change.version)
        if where is None:
            assert answer.status_code == 409
        elif answer.status_code == 303:
            for one in found:
                if one.version == change.version:
                    text = "" if one.before is None else str(one.before)
                    self.note(self.deals[where - 1], one.column, text)

    # What holds at every moment -------------------------------------------------------------

    def sheet(self) -> Any:
        match = match_of(self.table)
        return kept.load_sheet(match, sides_of(match))

    @invariant()
    def the_sheet_is_the_paper(self) -> None:
        assert self.host.entries() == self.rows

    @invariant()
    def versions_only_rise(self) -> None:
        version = Table.objects.get(pk=self.table.pk).version
        assert version >= self.version
        self.version = version
        sheet = self.sheet()
        for number in range(1, AHEAD + 1):
            for cell in sheet.row(number).cells:
                place = number, cell.column
                assert cell.version >= self.versions.get(place, 0)
                self.versions[place] = cell.version

    @invariant()
    def the_history_replays_to_the_sheet(self) -> None:
        """Each line of a cell begins where the last one ended."""
        stands: dict[tuple[int, str], int | None] = {}
        for one in Change.objects.filter(table=self.table).order_by("version", "pk"):
            place = one.round_number, one.column
            assert stands.get(place) == one.before
            stands[place] = one.after
        entries = Entry.objects.filter(round__match__table=self.table)
        for number, column, points in entries.values_list(
            "round__number", "side__column", "points"
        ):
            assert stands.get((number, column)) == points
