"""What no store can hold is refused by whoever reads it, in words and not with a fault of ours."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.test import Client

from games import limits
from tests.games.helpers import host_of, make_table, new_op
from tests.games.test_access_matrix import ASKED, everything, filled, names_of, table_given

pytestmark = pytest.mark.django_db

NUL, LARGE = "Le\0na", "9" * 18  # PostgreSQL keeps no text with it; columns are smaller than this
POSTS = [asked for asked in ASKED if asked.method == "POST" and asked.fields]


@pytest.fixture(autouse=True)
def _no_wrong_codes():
    limits.forget_all()
    yield
    limits.forget_all()


@pytest.mark.parametrize("asked", POSTS, ids=lambda asked: asked.what)
@pytest.mark.parametrize("typed", [NUL, LARGE], ids=["nul", "large"])
def test_no_field_of_any_form_makes_the_store_fail(asked, typed):
    table, phones = table_given(asked)
    names = names_of(table)
    address = asked.address.format(**names)
    fields = {name: filled(str(value), names) for name, value in asked.fields.items()}
    before = everything()

    for name in fields:
        with transaction.atomic():
            sent = {"op": new_op(), **fields, name: typed}
            answer = phones["host"].client.post(address, sent)
            changed = everything() != before
            transaction.set_rollback(True)

        assert answer.status_code < 500
        assert not changed or typed not in str(everything())


@pytest.mark.parametrize("address", ["/t/%00/", "/g/%00/", "/j/%00/", "/r/%00/", "/games/%00/"])
def test_an_address_no_store_can_be_asked_for_is_not_found(address):
    assert Client().get(address).status_code in {302, 404, 422}


@pytest.mark.parametrize(
    "path", ["m/99999999999999999999/", ".../r/1/%00/", ".../r/99999999999/A/", "m/4294967296/"]
)
def test_an_address_at_a_table_that_no_store_can_be_asked_for_is_not_found(path):
    assert host_of(make_table()).get(path).status_code == 404


@pytest.mark.parametrize("query", [{"since": NUL}, {"since": LARGE}, {"deal": LARGE}])
def test_a_query_that_no_store_can_be_asked_is_answered(query):
    host = host_of(make_table())

    assert host.get(".../changes/", **query).status_code in {200, 204}
    assert host.get(".../history/", **query).status_code in {200, 404}
