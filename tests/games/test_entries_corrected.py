"""The mark of a number that stood and was corrected."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Entry
from tests.games.helpers import (
    cell_state,
    fill,
    host_of,
    make_table,
    seated,
)

pytestmark = pytest.mark.django_db


def an_age_ago(table, seconds):
    Entry.objects.filter(round__match__table=table).update(
        written_at=timezone.now() - timedelta(seconds=seconds)
    )


def test_a_first_number_is_no_correction():
    table = make_table()

    seated(table, 0).write(1, "A", 3)

    assert cell_state(table, 1, "A") == (3, "written")


def test_a_number_changed_by_another_phone_is_marked():
    table = make_table()
    seated(table, 0).write(1, "A", 3)

    seated(table, 2).write(1, "A", 2)

    assert cell_state(table, 1, "A") == (2, "corrected")


@pytest.mark.parametrize(("age", "state"), [(55, "written"), (61, "corrected")])
def test_ones_own_slip_is_mended_without_a_mark_for_a_minute(age, state):
    table = make_table()
    lena = seated(table, 0)
    lena.write(1, "A", 3)
    an_age_ago(table, age)

    lena.write(1, "A", 2)

    assert cell_state(table, 1, "A") == (2, state)


def test_ones_own_slip_is_marked_after_the_next_round_had_an_entry():
    table = make_table()
    lena, kofi = seated(table, 0), seated(table, 1)
    lena.write(1, "A", 3)
    kofi.write(2, "B", 1)

    lena.write(1, "A", 2)

    assert cell_state(table, 1, "A") == (2, "corrected")


def test_a_number_that_was_cleared_and_entered_anew_by_another_phone_is_marked():
    table = make_table()
    lena, felix = seated(table, 0), seated(table, 2)
    lena.write(1, "A", 3)
    felix.write(1, "A", "")

    felix.write(1, "A", 2)

    assert cell_state(table, 1, "A") == (2, "corrected")


def test_the_same_number_again_is_no_correction():
    table = make_table()
    seated(table, 0).write(1, "A", 3)

    seated(table, 2).write(1, "A", 3)

    assert cell_state(table, 1, "A") == (3, "written")


def test_filling_a_blank_cell_is_no_correction_after_other_rounds():
    table = make_table()
    fill(table, [(3, None), (0, 1)])

    host_of(table).write(1, "B", 0)

    assert cell_state(table, 1, "B") == (0, "written")
