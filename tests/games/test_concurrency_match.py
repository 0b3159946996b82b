"""Taps that meet at the same instant: the end, the next match, thrown-in hands, seats."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from games.models import LateEntry, Match, Phone, Round, Table
from tests.games.helpers import (
    PhoneClient,
    cell_state,
    fill,
    host_of,
    make_table,
    new_op,
    seated,
    stranger,
)
from tests.games.together import REPEATS, assert_sound, at_once, second_host, statuses, version

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db(transaction=True)


def ended_table() -> Table:
    table = make_table()
    fill(table, [(3, 0)])
    assert host_of(table).end().status_code == 303
    return table


def matches_of(table: Table) -> list[tuple[int, bool]]:
    """The numbers of a table's matches, and whether each is open."""
    return [(match.number, match.is_open) for match in table.matches.order_by("number")]


@pytest.mark.parametrize("after", [{}, {"after": 1}], ids=["next", "next after match 1"])
def test_four_taps_on_next_match_make_one_match(after):
    for repeat in range(REPEATS):
        table = ended_table()
        phones = [host_of(table), *(seated(table, seat) for seat in range(3))]
        before = version(table)

        answers = at_once(
            *(partial(phone.post, "next/", **after) for phone in phones), repeat=repeat
        )

        assert statuses(answers) == [303] * 4
        assert {answer.url for answer in answers} == {phones[0].url(".../", match=2)}
        assert matches_of(table) == [(1, False), (2, True)]
        assert version(table) == before + 1
        assert_sound(table)


def test_two_taps_on_the_end_end_the_match_once():
    for repeat in range(REPEATS):
        table = make_table()
        fill(table, [(3, 0)])
        lena, nora = seated(table, 0), seated(table, 3)
        before = version(table)

        answers = at_once(lena.end, nora.end, repeat=repeat)

        assert statuses(answers) == [303, 303]
        assert (matches_of(table), version(table)) == ([(1, False)], before + 1)
        assert_sound(table)


def test_a_number_that_meets_the_end_is_in_before_it_or_kept_for_the_host():
    for repeat in range(REPEATS):
        table = make_table()
        fill(table, [(3, 0)])
        lena, kofi = seated(table, 0), seated(table, 1)
        op = new_op()

        written, ended = at_once(
            partial(lena.write, 2, "A", 1, base=0, op=op), kofi.end, repeat=repeat
        )

        assert ended.status_code == 303
        kept = list(LateEntry.objects.filter(table=table).values_list("op", "value", "decision"))
        found = (written.status_code, cell_state(table, 2, "A")[0], kept)
        assert found in [(303, 1, []), (409, None, [(op, 1, "open")])]
        assert matches_of(table) == [(1, False)]
        assert_sound(table)


def test_a_number_that_banks_meets_the_end():
    """Either it banks, or the tap came first and it waits for the host; never both."""
    for repeat in range(REPEATS):
        table = make_table(house={"line": 5})
        fill(table, [(3, 0)])
        lena, kofi = seated(table, 0), seated(table, 1)

        written, ended = at_once(partial(lena.write, 2, "A", 2, base=0), kofi.end, repeat=repeat)

        assert ended.status_code == 303
        sheet = lena.sheet()
        found = (written.status_code, sheet["status"], sheet["how"], sheet["totals"])
        assert found in [(303, "banked", "line", [5, 0]), (409, "ended-early", "tap", [3, 0])]
        assert LateEntry.objects.filter(table=table).count() == (written.status_code == 409)
        assert_sound(table)


def test_taking_the_end_back_and_the_next_match_at_once_leave_one_open_match():
    for repeat in range(REPEATS):
        table = ended_table()
        host, kofi = host_of(table), seated(table, 1)

        answers = at_once(
            partial(host.post, ".../reopen/"), partial(kofi.post, "next/", after=1), repeat=repeat
        )

        assert statuses(answers) == [303, 303]
        assert matches_of(table) == [(1, True)]
        assert host.entries() == [[3, 0]]
        assert_sound(table)


def test_taking_the_end_back_meets_the_first_number_of_the_next_match():
    """Either the next match has begun, or it is gone and its number comes back to the phone."""
    for repeat in range(REPEATS):
        table = ended_table()
        host, lena = host_of(table), seated(table, 0)
        host.post("next/")

        reopened, written = at_once(
            partial(host.post, ".../reopen/"),
            partial(lena.write, 1, "A", 2, base=0, match=2),
            repeat=repeat,
        )

        if written.status_code == 303:
            assert (reopened.status_code, matches_of(table)) == (409, [(1, False), (2, True)])
            assert host.entries(2) == [[2, None]]
        else:
            assert (written.status_code, reopened.status_code) == (409, 303)
            assert matches_of(table) == [(1, True)]
        assert host.entries(1) == [[3, 0]]
        assert_sound(table)


def test_a_hand_thrown_in_by_two_phones_at_once_counts_once():
    for repeat in range(REPEATS):
        table = make_table()
        fill(table, [(3, 0)])
        before = version(table)
        phones = [seated(table, 0), seated(table, 1)]

        answers = at_once(
            *(
                partial(phone.post, ".../thrown-in/", before=2, seen=0, op=new_op())
                for phone in phones
            ),
            repeat=repeat,
        )

        assert statuses(answers) == [303, 303]
        assert Match.objects.get(table=table).thrown_in == {"2": 1}
        assert (version(table), phones[0].sheet()["dealer"]) == (before + 1, 2)


def test_one_attempt_to_throw_in_that_arrives_twice_at_once_counts_once():
    for repeat in range(REPEATS):
        table = make_table()
        lena = seated(table, 0)
        fields = {"before": 1, "seen": 0, "op": new_op()}

        answers = at_once(
            partial(lena.post, ".../thrown-in/", fields),
            partial(PhoneClient(table, lena.token).post, ".../thrown-in/", fields),
            repeat=repeat,
        )

        assert statuses(answers) == [303, 303]
        assert Match.objects.get(table=table).thrown_in == {"1": 1}


def test_a_free_seat_is_taken_by_one_of_two_phones():
    for repeat in range(REPEATS):
        table = make_table()
        phones = [stranger(table), stranger(table)]

        answers = at_once(
            *(partial(phone.post, "seat/", seat=2) for phone in phones), repeat=repeat
        )

        assert statuses(answers) == [303, 409]
        assert table.phones.filter(player__seat=2).count() == 1
        assert table.phones.count() == 2  # with the host's


def test_one_browser_that_takes_two_seats_at_once_sits_on_one():
    for repeat in range(REPEATS):
        table = make_table()
        tabs = [PhoneClient(table, "one browser"), PhoneClient(table, "one browser")]

        answers = at_once(
            *(partial(tab.post, "seat/", seat=seat) for seat, tab in enumerate(tabs)), repeat=repeat
        )

        assert statuses(answers) == [303, 303]
        assert table.phones.filter(player__seat__in=[0, 1]).count() == 1
        assert table.phones.count() == 2  # with the host's


def test_a_late_number_that_one_host_takes_and_another_drops_is_one_of_both():
    for repeat in range(REPEATS):
        table = ended_table()
        host, other, lena = host_of(table), second_host(table), seated(table, 0)
        lena.write(2, "A", 1, base=0)
        late = LateEntry.objects.get(table=table)

        answers = at_once(
            partial(host.post, f"late/{late.pk}/", do="take"),
            partial(other.post, f"late/{late.pk}/", do="drop"),
            repeat=repeat,
        )

        assert statuses(answers) == [303, 303]
        late.refresh_from_db()
        found = (late.decision, cell_state(table, 2, "A")[0])
        assert found in [("taken", 1), ("dropped", None)]
        assert_sound(table)


def test_tables_that_start_at_the_same_instant_share_nothing():
    names = {f"player_{line}": name for line, name in enumerate(("Ida", "Jo", "Kai", "Lea"))}
    browsers = [Client() for _ in range(8)]

    answers = at_once(*(partial(b.post, "/new/bauernstoss/", names) for b in browsers))

    assert statuses(answers) == [303] * 8
    assert len(set(Table.objects.values_list("key", flat=True))) == 8
    assert len(set(Table.objects.values_list("code", flat=True))) == 8
    assert Phone.objects.filter(is_host=True).count() == 8


TAPS = {"cell": 20, "row": 3, "end": 1, "reopen": 1, "next": 3, "thrown-in": 1}  # how often
ROWS = ({"A": 3, "B": 0}, {"A": 0, "B": 2})


@pytest.mark.parametrize("seed", range(3))
def test_an_evening_of_everybody_tapping_at_random_keeps_every_promise(seed):
    """Five phones write, end, take back and go on without waiting for one another."""
    table = make_table(house={"line": 9})
    phones = [host_of(table), *(seated(table, seat) for seat in range(4))]

    answers = at_once(
        *(
            partial(tap_on, phone, Random(f"{seed}.{i}"))  # noqa: S311 - no secret
            for i, phone in enumerate(phones)
        )
    )

    met = {status for each in answers for status in each}
    assert met - {303, 403, 409, 422} == set()
    assert met & {303} == {303}
    assert_sound(table)


def tap_on(phone: PhoneClient, chance: Random, taps: int = 25) -> list[int]:
    """What one phone is answered for taps at random, most of them numbers."""
    return [
        tap(phone, chance, *chance.choices(list(TAPS), list(TAPS.values()))).status_code
        for _ in range(taps)
    ]


def tap(phone: PhoneClient, chance: Random, kind: str) -> Answer:
    match = phone.table.matches.order_by("-number").values_list("number", flat=True)[0]
    stored = Round.objects.filter(match__table=phone.table, match__number=match)
    number = chance.randint(1, 1 + stored.count())
    if kind == "cell":
        text = chance.choice(("0", "1", "2", "3", ""))
        return phone.write(number, chance.choice("AB"), text, match=match)
    if kind == "row":
        return phone.write_row(number, chance.choice(ROWS), match=match)
    if kind == "thrown-in":
        return phone.post(".../thrown-in/", match=match, before=number, seen=0, op=new_op())
    if kind == "next":
        return phone.post("next/")
    return phone.post(f".../{kind}/", match=match, sure="1")
