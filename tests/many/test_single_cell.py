"""The checker itself: what it lets pass, and each fault that it has to find."""

import pytest

from tests.many.single_cell import Done, complaints

FIRST = Done(0.0, 1.0, wrote=True, base=0, version=5, text="3")
SECOND = Done(2.0, 3.0, wrote=True, base=5, version=7, text="8")


def read(asked, answered, version, text):
    return Done(asked, answered, wrote=False, base=version, version=version, text=text)


def test_what_can_have_happened_one_after_the_other_passes():
    before, between = read(0.2, 0.8, 0, ""), read(1.5, 2.5, 5, "3")
    after, while_written = read(4.0, 5.0, 7, "8"), read(2.1, 4.0, 5, "3")

    assert complaints([FIRST, SECOND, before, between, after, while_written]) == []


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (read(3.5, 4.0, 5, "3"), "was asked when version 7 had been answered"),
        (read(1.5, 1.8, 5, "4"), "saw what never stood there"),
        (read(1.5, 1.8, 6, "3"), "saw what never stood there"),
        (Done(3.5, 4.0, wrote=True, base=5, version=9, text="1"), "which nobody had seen"),
        (Done(3.5, 4.0, wrote=True, base=7, version=7, text="1"), "version 7 twice"),
        (Done(3.5, 4.0, wrote=True, base=5, version=6, text="1"), "had been answered"),
    ],
)
def test_what_cannot_is_said(fault, says):
    assert any(says in one for one in complaints([FIRST, SECOND, fault]))
