"""Four phones in a bad network: nothing is lost, doubled or replaced unseen."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from games.models import Entry
from tests.games.bad_network import HOST, Letter, Phone
from tests.games.four_phones import FourPhones
from tests.games.paper import Paper

if TYPE_CHECKING:
    from games.models import LateEntry

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(3600)]

TIMES = int(os.environ.get("SOAK", "1"))  # how much longer than usual it is tried
THOROUGHLY = settings(
    max_examples=30 * TIMES,
    stateful_step_count=30,
    suppress_health_check=[HealthCheck.too_slow],
)


class FreeNumbers(FourPhones):
    """Any number is lawful and nothing banks, so a sheet of paper knows what should stand."""

    house: ClassVar[dict[str, Any]] = {"free_numbers": True, "line": "none"}

    def __init__(self) -> None:
        self.paper = Paper(HOST)
        super().__init__()

    def deliver(self, letter: Letter) -> None:
        super().deliver(letter)
        record = letter.record
        said = self.paper.write(
            letter.phone.name, record.op, record.place, record.text, record.base
        )
        assert f'data-code="{said}"' in letter.html if said else letter.status == 200

    def end(self, phone: Phone) -> None:
        super().end(phone)
        self.paper.end()

    def take_back(self, phone: Phone) -> None:
        super().take_back(phone)
        self.paper.take_back()

    def decide(self, late: LateEntry, *, take: bool) -> None:
        super().decide(late, take=take)
        if take:
            self.paper.take_late(late.op)
        else:
            self.paper.drop_late(late.op)

    def look(self) -> None:
        """The product holds what the paper holds, and has counted what people saw change."""
        super().look()
        entries = Entry.objects.filter(round__match=self.match, points__isnull=False)
        cells = entries.values_list("round__number", "side__column", "points")
        assert {(number, column): points for number, column, points in cells} == self.paper.standing
        assert self.table.version == self.paper.version
        assert self.match.is_open == self.paper.is_open
        assert {late.op for late in self.late} == set(self.paper.late)


class Bauernschnapsen(FourPhones):
    """Rows by the rules, with doubts, implied numbers, and a bank at 24."""

    game: ClassVar[str] = "bauernschnapsen"
    texts: ClassVar[tuple[str, ...]] = ("", "0", "1", "3", "12", "24")


@pytest.mark.parametrize("machine", [FreeNumbers, Bauernschnapsen])
def test_four_phones_agree_when_the_network_is_quiet_again(machine):
    run_state_machine_as_test(machine, settings=THOROUGHLY)
