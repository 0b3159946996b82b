"""Pages for what went wrong."""

import re
import sqlite3

import psycopg
import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, OperationalError, connection
from django.http import Http404
from django.test import Client

from games.views import errors, home
from games.views.unwell import why_unwell
from tests.games.helpers import host_of, make_table, seated

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


@pytest.mark.grown
@pytest.mark.parametrize(
    ("error", "code"),
    [
        ("LockNotAvailable", "busy"),
        ("DeadlockDetected", "busy"),
        ("SerializationFailure", "busy"),
        ("QueryCanceled", "busy"),
        ("TooManyConnections", "busy"),
        ("DiskFull", "no-room"),
        ("ReadOnlySqlTransaction", "read-only"),
        ("AdminShutdown", "no-store"),
        ("CannotConnectNow", "no-store"),
        ("ConnectionFailure", "no-store"),
        ("OperationalError", "no-store"),
        ("UndefinedTable", None),
        ("NumericValueOutOfRange", None),
    ],
)
def test_what_ails_a_postgresql(error, code):
    with pytest.raises(DatabaseError) as caught, connection.wrap_database_errors:
        raise getattr(psycopg.errors, error, psycopg.OperationalError)("a secret")

    unwell = why_unwell(caught.value)
    assert (unwell and unwell.code) == code


@pytest.mark.sqlite
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "status", "named"),
    [
        (sqlite3.SQLITE_BUSY, 503, "busy"),
        (sqlite3.SQLITE_IOERR | 3 << 8, 503, "no-store"),
        (sqlite3.SQLITE_ERROR, 500, "server-error"),
    ],
)
def test_only_a_store_that_may_be_well_again_is_waited_for(monkeypatch, code, status, named):
    def broken(_token_hash):
        cause = sqlite3.OperationalError("a secret")
        cause.sqlite_errorcode = code
        raise OperationalError from cause

    monkeypatch.setattr(home, "tables_of", broken)
    answer = Client(raise_request_exception=False).get("/", headers=HTMX)

    page = answer.content.decode()
    assert answer.status_code == status
    assert f'data-code="{named}"' in page
    assert "a secret" not in page
    assert ("Retry-After" in answer.headers) == (status == 503)


def test_our_own_mistakes_have_a_number_to_read_out(monkeypatch):
    def broken(request):
        raise RuntimeError

    monkeypatch.setattr(home, "tables_of", broken)
    client = Client(raise_request_exception=False)

    assert "K7M3-QX8P" in client.get("/", headers={"X-Request-ID": "K7M3-QX8P"}).content.decode()
    assert "Number for" not in client.get("/").content.decode()


def test_a_form_that_could_not_be_taken_can_be_sent_once_more_as_it_was(rf):
    sent = {"op": "1", "name": ["Lena", "<b>"], "csrfmiddlewaretoken": "t"}

    page = errors.store_unwell(rf.post("/new/bauernstoss/", sent), "busy", 2).content.decode()

    (form,) = re.findall(r'<form method="post" class="cta">(.*?)</form>', page, re.DOTALL)
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form)
    assert [field for field in fields if field[0] != "csrfmiddlewaretoken"] == [
        ("op", "1"), ("name", "Lena"), ("name", "&lt;b&gt;"),
    ]  # fmt: skip
    assert "Send it once more" in page
    assert "Send it once more" not in errors.server_error(rf.post("/", sent)).content.decode()
