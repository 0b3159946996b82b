"""Deals that move while phones write: every number stays with the deal it was meant for."""

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.games.moving_deals import MovingDeals

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(3600)]

TIMES = int(os.environ.get("SOAK", "1"))  # how much longer than usual it is tried


def test_every_number_stays_with_its_deal():
    run_state_machine_as_test(
        MovingDeals,
        settings=settings(
            max_examples=10 * TIMES,
            stateful_step_count=25,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
