"""Versions are moved up together, all of them."""

import pytest
from django.apps import apps
from django.db import transaction

from games.models import Match
from games.upkeep import timeline
from tests.games.helpers import host_of, make_table

HOLD_NO_VERSION = {"edition"}  # numbers that are none
BY = 500


@pytest.mark.django_db
def test_what_came_before_what_stays_as_it_was():
    table = make_table()
    host = host_of(table)
    assert host.write(1, "A", 3).status_code in {200, 303}
    Match.objects.update(moves=[[2, "swap", 1]])
    before = versions()

    with transaction.atomic():
        timeline.move_up(BY)

    after = versions()
    assert after == {place: [one + BY for one in found] for place, found in before.items()}
    assert sum(map(len, before.values())) > 6
    assert Match.objects.get().moves == [[2 + BY, "swap", 1]]


def test_no_version_is_forgotten():
    numbers = {
        (model.__name__, field.name)
        for model in apps.get_app_config("games").get_models()
        for field in model._meta.concrete_fields
        if field.get_internal_type() == "PositiveBigIntegerField"
    }

    assert numbers == {
        (model.__name__, name)
        for model, names in timeline.version_fields().items()
        for name in names
    }


def versions():
    return {
        (model.__name__, name): list(
            model._base_manager.order_by("pk").values_list(name, flat=True)
        )
        for model, names in timeline.version_fields().items()
        for name in names
    }
