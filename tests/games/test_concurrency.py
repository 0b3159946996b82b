"""Numbers that several phones write at the same instant: real threads, real locks."""

from __future__ import annotations

from functools import partial

import pytest

from games.models import Change, LateEntry, Op, Table
from tests.games.helpers import (
    PhoneClient,
    cell_state,
    cell_version,
    fill,
    host_of,
    make_table,
    new_op,
    row_version,
    seated,
)
from tests.games.together import (
    REPEATS,
    assert_sound,
    at_once,
    codes,
    second_host,
    statuses,
    version,
)

pytestmark = pytest.mark.django_db(transaction=True)

TO_FIVE = {"line": 5}
THREE_ALL: list[tuple[int | None, ...]] = [(3, 0), (0, 3)]
A_ROUND_LEFT_OPEN = [(0, None), *THREE_ALL]


def test_of_two_phones_on_one_cell_one_wins_and_the_other_hears_what_stands():
    for repeat in range(REPEATS):
        table = make_table()
        lena, felix = seated(table, 0), seated(table, 2)
        before = version(table)

        answers = at_once(
            partial(lena.write, 1, "A", 1, base=0),
            partial(felix.write, 1, "A", 2, base=0),
            repeat=repeat,
        )

        assert statuses(answers) == [303, 409]
        winner = [answer.status_code for answer in answers].index(303)
        assert cell_state(table, 1, "A") == (winner + 1, "written")
        refused = answers[1 - winner]
        assert codes(refused) == ["changed"]
        assert refused.content.decode().count(("Lena", "Felix")[winner]) > 0
        assert version(table) == before + 1
        assert_sound(table)


def test_two_phones_that_write_the_same_number_at_once_agree():
    for repeat in range(REPEATS):
        table = make_table()
        lena, felix = seated(table, 0), seated(table, 2)
        before = version(table)

        answers = at_once(
            partial(lena.write, 1, "A", 2, base=0),
            partial(felix.write, 1, "A", 2, base=0),
            repeat=repeat,
        )

        assert statuses(answers) == [303, 303]
        assert cell_state(table, 1, "A") == (2, "written")
        assert (Change.objects.filter(table=table).count(), version(table)) == (1, before + 1)
        assert Op.objects.filter(table=table).count() == 2
        assert_sound(table)


@pytest.mark.parametrize("tries", [2, 6])
def test_one_attempt_that_arrives_several_times_at_once_is_written_once(tries):
    for repeat in range(REPEATS):
        table = make_table()
        lena = seated(table, 0)
        before, op = version(table), new_op()
        phones = [PhoneClient(table, lena.token) for _ in range(tries)]

        answers = at_once(
            *(partial(phone.write, 1, "A", 3, base=0, op=op) for phone in phones), repeat=repeat
        )

        assert statuses(answers) == [303] * tries
        assert list(Change.objects.filter(table=table).values_list("op", "after")) == [(op, 3)]
        assert (version(table), Op.objects.filter(table=table, op=op).count()) == (before + 1, 1)
        assert_sound(table)


def test_one_op_for_two_numbers_at_once_writes_one_of_them():
    for repeat in range(REPEATS):
        table = make_table()
        lena = seated(table, 0)
        op = new_op()

        answers = at_once(
            partial(lena.write, 1, "A", 3, base=0, op=op),
            partial(PhoneClient(table, lena.token).write, 1, "A", 2, base=0, op=op),
            repeat=repeat,
        )

        assert statuses(answers) == [303, 422]
        written = 3 if answers[0].status_code == 303 else 2
        assert list(Change.objects.filter(table=table).values_list("after", flat=True)) == [written]
        assert_sound(table)


def test_phones_that_write_different_cells_at_once_all_get_through():
    for repeat in range(REPEATS):
        table = make_table()
        fill(table, [(None, 0), (0, None), (None, 0), (0, None)])
        phones = [seated(table, seat) for seat in range(4)] + [host_of(table)]
        lena, kofi, felix, nora, host = phones
        before = version(table)

        answers = at_once(
            partial(lena.write, 1, "A", 1),
            partial(kofi.write, 2, "B", 2),
            partial(felix.write, 3, "A", 3),
            partial(nora.write, 4, "B", 1),
            partial(host.write, 5, "A", 2),
            repeat=repeat,
        )

        assert statuses(answers) == [303] * 5
        assert host.entries() == [[1, 0], [0, 2], [3, 0], [0, 1], [2, None]]
        assert version(table) == before + 5
        assert_sound(table)


def test_of_whole_rows_and_a_cell_at_once_one_wins_and_no_row_is_a_mixture():
    rows = [[3, 0], [0, 2], [1, None]]  # by who comes first
    for repeat in range(REPEATS):
        table = make_table()
        host, other, lena = host_of(table), second_host(table), seated(table, 0)

        answers = at_once(
            partial(host.write_row, 1, {"A": 3, "B": 0}, base=0),
            partial(other.write_row, 1, {"A": 0, "B": 2}, base=0),
            partial(lena.write, 1, "A", 1, base=0),
            repeat=repeat,
        )

        assert statuses(answers) == [303, 409, 409]
        winner = [answer.status_code for answer in answers].index(303)
        assert host.entries() == [rows[winner]]
        assert_sound(table)


def test_a_whole_row_and_the_blank_cell_beside_a_number_fit_or_are_refused():
    """Either may come first: then the other one is told, and the row stays lawful."""
    for repeat in range(REPEATS):
        table = make_table()
        fill(table, [(2, None)])
        host, kofi = host_of(table), seated(table, 1)

        answers = at_once(
            partial(host.write_row, 1, {"A": 0, "B": 3}, base=row_version(table, 1)),
            partial(kofi.write, 1, "B", 0, base=cell_version(table, 1, "B")),
            repeat=repeat,
        )

        assert statuses(answers) == [303, 409]
        row = host.entries()
        assert row == ([[0, 3]] if answers[0].status_code == 303 else [[2, 0]])
        assert_sound(table)


def test_both_sides_that_cross_the_line_in_one_round_leave_one_winner():
    for repeat in range(REPEATS):
        table = make_table(house=TO_FIVE)
        fill(table, THREE_ALL)
        lena, nora = seated(table, 0), seated(table, 3)

        answers = at_once(
            partial(lena.write, 3, "A", 3, base=0),
            partial(nora.write, 3, "B", 2, base=0),
            repeat=repeat,
        )

        assert statuses(answers) == [303, 409]
        sheet = lena.sheet()
        a_won = answers[0].status_code == 303
        assert (sheet["status"], sheet["winners"]) == ("banked", ["A" if a_won else "B"])
        assert sheet["totals"] == ([6, 3] if a_won else [3, 5])
        assert late_numbers(table) == [(3, "B", 2) if a_won else (3, "A", 3)]
        assert_sound(table)


@pytest.mark.parametrize("earlier_is_open", [False, True], ids=["all complete", "round 1 open"])
def test_both_sides_that_cross_the_line_in_their_own_rounds(earlier_is_open):
    """Rounds n and n + 1 have begun: A completes the one, B the other, and both reach the line."""
    rows = A_ROUND_LEFT_OPEN if earlier_is_open else THREE_ALL
    n = len(rows) + 1
    for repeat in range(REPEATS):
        table = make_table(house=TO_FIVE)
        fill(table, [*rows, (None, 0), (0, None)])
        lena, nora = seated(table, 0), seated(table, 3)

        answers = at_once(
            partial(lena.write, n, "A", 2), partial(nora.write, n + 1, "B", 2), repeat=repeat
        )

        sheet = lena.sheet()
        if earlier_is_open:
            assert statuses(answers) == [303, 303]
            assert (sheet["status"], sheet["totals"]) == ("open", [5, 5])
            assert nora.write(1, "B", 1).status_code == 303
            sheet = lena.sheet()
            assert (sheet["status"], sheet["winners"]) == ("banked", ["A"])
            assert sheet["totals"] == [5, 6]
        else:
            assert answers[0].status_code == 303
            assert (sheet["status"], sheet["winners"]) == ("banked", ["A"])
            written = answers[1].status_code == 303
            assert sheet["totals"] == [5, 5 if written else 3]
            assert late_numbers(table) == ([] if written else [(n + 1, "B", 2)])
        assert_sound(table)


def late_numbers(table: Table) -> list[tuple[int, str, int]]:
    return list(
        LateEntry.objects.filter(table=table).values_list("round_number", "column", "value")
    )
