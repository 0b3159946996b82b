"""The power goes at four moments in the life of one number; the number is written once."""

from __future__ import annotations

from http.client import HTTPException
from urllib.parse import urlencode

import pytest

from tests.soak.power import (
    AFTER_THE_ANSWER,
    AFTER_THE_COMMIT,
    BEFORE_THE_COMMIT,
    WITHIN_THE_ANSWER,
    Power,
)
from tests.soak.store import Store
from tests.streams import Phone

FIELDS = {"value": "3", "op": "00000000-0000-4000-8000-000000000001", "base": "0"}


@pytest.fixture
def power(store):
    taken = Power(store)
    taken.comes()
    yield taken
    taken.end()


def send(phone):
    """Send the number; the status, None when no whole answer came."""
    path = f"/t/{phone.key}/m/1/r/1/A/"
    try:
        answer, _text = phone.ask("POST", path, urlencode(FIELDS), HX_Request="true")
    except (OSError, HTTPException):
        return None
    return answer.status


@pytest.mark.parametrize(
    ("moment", "heard", "stored"),
    [
        (BEFORE_THE_COMMIT, None, 0),
        (AFTER_THE_COMMIT, None, 1),
        (WITHIN_THE_ANSWER, None, 1),
        (AFTER_THE_ANSWER, 200, 1),
    ],
)
def test_a_number_is_written_once_whenever_the_power_goes(power, moment, heard, stored):
    phone = Phone(power.server).start_table()
    before = Store.read(power.server.data_dir).version
    power.goes_at(moment)

    first = send(phone)

    power.is_gone()
    assert (power.moments(), first) == ([moment], heard)
    left = Store.read(power.server.data_dir)
    left.assert_sound()
    assert (len(left.lines), len(left.ops), left.version) == (stored, stored, before + stored)
    power.comes()
    assert send(phone) == 200
    after = Store.read(power.server.data_dir)
    after.assert_sound()
    after.assert_holds({FIELDS["op"]: ((1, "A"), "3")}, {FIELDS["op"]: 0})
    assert after.version == before + 1
