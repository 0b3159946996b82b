"""Pages for what went wrong."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError, connection
from django.http import Http404
from django.test import Client

from games.views import errors, home
from tests.games.helpers import host_of, make_table, seated
from tests.games.together import version as version_of

HTMX = {"HX-Request": "true"}


@pytest.mark.django_db
def test_an_address_where_nothing_lies_offers_a_way_on():
    answer = Client().get("/nothing/here/")

    page = answer.content.decode()
    assert answer.status_code == 404
    assert "There is nothing at this address." in page
    assert 'name="code"' in page
    assert "resolver" not in page


@pytest.mark.django_db
def test_a_table_that_is_not_there_says_so():
    answer = Client().get("/t/nothing/people/")

    assert answer.status_code == 404
    assert "There is no table at this address." in answer.content.decode()


@pytest.mark.django_db
def test_htmx_gets_a_fragment():
    answer = Client().get("/t/nothing/people/", headers=HTMX)

    assert answer.status_code == 404
    assert answer.content.startswith(b'<div class="notice bad" role="alert" data-code="not-found">')


@pytest.mark.django_db
def test_what_is_the_hosts_says_so():
    answer = seated(make_table(), 1).post("people/", do="close")

    assert answer.status_code == 403
    assert "Only the host can do that." in answer.content.decode()


@pytest.mark.django_db
def test_a_stale_form_is_told_apart():
    client = Client(enforce_csrf_checks=True)
    table = make_table()
    client.cookies.update(host_of(table).client.cookies)

    answer = client.post(f"/t/{table.key}/people/", {"do": "close"}, headers=HTMX)

    assert answer.status_code == 403
    assert 'data-code="csrf"' in answer.content.decode()


def test_our_own_mistakes_ask_the_database_nothing(monkeypatch):
    def broken(request):
        raise RuntimeError("a secret")

    monkeypatch.setattr(home, "tables_of", broken)
    answer = Client(raise_request_exception=False).get("/")

    page = answer.content.decode()
    assert answer.status_code == 500
    assert "That was our mistake" in page
    assert "a secret" not in page


def test_an_answer_comes_even_when_the_page_breaks(rf, monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError

    monkeypatch.setattr(errors, "render", broken)

    answer = errors.server_error(rf.get("/"))

    assert answer.status_code == 500
    assert b"That was our mistake" in answer.content


@pytest.mark.parametrize(
    ("handler", "exception", "status"),
    [
        (errors.bad_request, ValueError("inside"), 400),
        (errors.page_not_found, Http404({"tried": []}), 404),
        (errors.page_not_found, Http404(), 404),
        (errors.permission_denied, PermissionDenied(), 403),
    ],
)
def test_insides_stay_inside(rf, handler, exception, status):
    answer = handler(rf.get("/"), exception)

    assert answer.status_code == status
    assert b"inside" not in answer.content
    assert b"tried" not in answer.content


@pytest.mark.django_db(transaction=True)
def test_a_store_that_cannot_be_had_is_no_fault_and_changes_nothing():
    table = make_table()
    host = host_of(table)
    before = version_of(table)

    def locked(execute, sql, params, many, context):
        if sql.startswith("UPDATE"):
            raise OperationalError("locked: a secret\nand more")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(locked):
        answer = host.write(1, "A", 3)
        fragment = host.client.post(host.url("people/"), {"do": "close"}, headers=HTMX)

    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Please try again in a moment" in answer.content.decode()
    assert b"a secret" not in answer.content
    assert fragment.status_code == 503
    assert fragment.content.startswith(b'<div class="notice bad" role="alert" data-code="busy">')
    assert version_of(table) == before
    assert host.write(1, "A", 3).status_code == 303
