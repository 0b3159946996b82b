"""Four phones in a bad network, as a machine of rules.

People type, end the match and choose; the network carries what was sent, late, twice, or not at
all. However it goes, nothing may be lost, doubled or silently replaced.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.games.bad_network import COLUMNS, BadNetwork

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUNDS_AT_MOST = 2

a_phone = st.sampled_from(sorted(COLUMNS))
a_round = st.integers(1, ROUNDS_AT_MOST)
a_choice = st.integers(0, 5)


def pick(several: Sequence[Any], choice: int) -> Any:
    return several[choice % len(several)]


class FourPhones(BadNetwork, RuleBasedStateMachine):
    """What people do, and what the network does to them, in any order."""

    def teardown(self) -> None:
        self.calm_down()
        self.check_all()

    # People ---------------------------------------------------------------------------------

    @rule(name=a_phone, number=a_round, choice=a_choice, what=a_choice)
    def types(self, name: str, number: int, choice: int, what: int) -> None:
        """A number into a cell that the phone shows; the outbox has it from now on."""
        phone = self.phones[name]
        last = max(phone.shown.drawn, phone.outbox.ahead)
        if not last:
            return  # the match has ended, and the host has cleared everything
        place = (number - 1) % last + 1, pick(COLUMNS[name], choice)
        self.note(phone.outbox.put(place, pick(self.texts, what)))

    @rule(name=a_phone, number=a_round, choice=a_choice, what=a_choice)
    def writes_at_once(self, name: str, number: int, choice: int, what: int) -> None:
        """The same with a signal as good as it gets."""
        self.catch_up(self.phones[name])
        self.types(name, number, choice, what)
        self.send_all(self.phones[name])

    @precondition(lambda self: self.refusals())
    @rule(choice=a_choice, insists=st.booleans())
    def chooses(self, choice: int, insists: bool) -> None:  # noqa: FBT001 - drawn
        """A person answers a refusal: mine all the same, or what stands."""
        phone, record = pick(self.refusals(), choice)
        if not insists:
            phone.outbox.forget(record)
        elif record.stands is not None:
            self.note(phone.outbox.put(record.place, record.text, base=record.stands))
        elif 'name="sure"' in record.html:
            base, op = record.base, record.op
            self.note(phone.outbox.put(record.place, record.text, base=base, op=op, sure=True))
        else:
            record.afresh()

    @precondition(lambda self: self.match.is_open and self.table.first_entry_at)
    @rule(name=a_phone)
    def ends_the_match(self, name: str) -> None:
        """A tap, and yes to the question."""
        self.end(self.phones[name])

    @precondition(lambda self: not self.match.is_open)
    @rule(name=a_phone)
    def takes_the_end_back(self, name: str) -> None:
        """A tap within two minutes."""
        self.take_back(self.phones[name])

    @precondition(lambda self: self.late)
    @rule(choice=a_choice, take=st.booleans())
    def decides_on_a_late_number(self, choice: int, take: bool) -> None:  # noqa: FBT001 - drawn
        """The host takes or drops it."""
        self.decide(pick(self.late, choice), take=take)

    # The network ----------------------------------------------------------------------------

    @precondition(lambda self: self.ready())
    @rule(choice=a_choice)
    def sends(self, choice: int) -> None:
        """The oldest number of a phone goes on its way; one at a time."""
        self.send(pick(self.ready(), choice))

    @precondition(lambda self: self.ready())
    @rule(choice=a_choice, arrives=st.booleans())
    def sends_in_vain(self, choice: int, arrives: bool) -> None:  # noqa: FBT001 - drawn
        """The request is lost, or its answer: the product did it, and the phone does not know."""
        letter = self.send(pick(self.ready(), choice))
        self.asked.remove(letter)
        if arrives:
            self.deliver(letter)
        letter.give_up()

    @precondition(lambda self: self.asked)
    @rule(choice=a_choice)
    def a_request_arrives(self, choice: int) -> None:
        """Now or late; its answer is on the way back."""
        letter = pick(self.asked, choice)
        self.asked.remove(letter)
        self.deliver(letter)
        self.answered.append(letter)

    @precondition(lambda self: self.answered)
    @rule(choice=a_choice)
    def an_answer_arrives(self, choice: int) -> None:
        """It is read if the phone still waits for it."""
        letter = pick(self.answered, choice)
        self.answered.remove(letter)
        self.hear(letter)

    @precondition(lambda self: self.asked)
    @rule(choice=a_choice)
    def a_phone_gives_up_waiting(self, choice: int) -> None:
        """What it sent is still in the network, and may arrive late."""
        pick(self.asked, choice).give_up()

    @precondition(lambda self: self.past)
    @rule(choice=a_choice)
    def an_old_request_arrives_again(self, choice: int) -> None:
        """Nobody waits for its answer."""
        self.deliver(replace(pick(self.past, choice)))

    @precondition(lambda self: self.behind())
    @rule(choice=a_choice, streams=st.booleans())
    def asks_for_news(self, choice: int, streams: bool) -> None:  # noqa: FBT001 - drawn
        """The answer may be read much later."""
        phone = pick(self.behind(), choice)
        phone.mail += self.look_at(phone, streams=streams)

    @precondition(lambda self: any(phone.mail for phone in self.phones.values()))
    @rule(choice=a_choice, which=a_choice)
    def reads_some_news(self, choice: int, which: int) -> None:
        """In whatever order."""
        phone = pick([phone for phone in self.phones.values() if phone.mail], choice)
        phone.outbox.take(phone.mail.pop(which % len(phone.mail)))

    @precondition(lambda self: self.unsettled())
    @rule(choice=a_choice)
    def loads_the_page_again(self, choice: int) -> None:
        """The outbox stays, and nobody waits for an answer any more."""
        self.load(pick(self.unsettled(), choice))

    # What holds at every moment -------------------------------------------------------------

    @invariant()
    def the_version_only_rises(self) -> None:
        version = self.table.version
        self.look()
        assert self.table.version >= version
