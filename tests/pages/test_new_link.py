"""A new link for the table: its phones are led on, whatever they ask for; all others are not."""

import pytest
from django.test import Client

from games.models import Change, OldKey, Table
from tests.games.helpers import (
    fill,
    host_of,
    make_table,
    new_op,
    seated,
    stored,
    stranger,
    watcher,
)

pytestmark = pytest.mark.django_db
PAGES = ("", "people/", "house/", "tv/", ".../", ".../sheet.json", ".../changes/?since=1",
         ".../r/1/A/", ".../end/", ".../story/")  # fmt: skip


def renew(table):
    """A new link; ``table`` keeps the old one, as the phones' pages do."""
    answer = host_of(table).post("people/", {"do": "new-link", "sure": 1})
    assert answer.status_code == 303
    return Table.objects.get(pk=table.pk)


def test_a_new_link_is_given_only_after_a_question():
    table = make_table()

    answer = host_of(table).post("people/", {"do": "new-link"})

    now = Table.objects.get()
    assert answer.status_code == 422
    assert "Give the table a new link?" in answer.content.decode()
    assert (now.key, now.code, now.version) == (table.key, table.code, table.version)
    assert not OldKey.objects.exists()


def test_link_and_code_are_others_then():
    table = make_table()

    now = renew(table)

    assert now.key != table.key
    assert now.code != table.code
    assert now.names_version == now.version > table.version  # so that pages are loaded anew
    assert OldKey.objects.get().key == table.key


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("make", [seated, watcher], ids=lambda make: make.__name__)
def test_a_phone_of_the_table_is_led_to_the_same_page(page, make):
    table = make_table()
    fill(table, [(3, 0)])
    phone = make(table, 0) if make is seated else make(table)
    now = renew(table)

    answer = phone.client.get(phone.url(page))

    assert (answer.status_code, answer["Cache-Control"]) == (302, "no-store")
    assert answer["Location"] == phone.url(page).replace(table.key, now.key)


@pytest.mark.parametrize("page", PAGES)
def test_nobody_else_finds_anything_under_the_old_link(page):
    table = make_table()
    fill(table, [(3, 0)])
    address = stranger(table).url(page)
    elsewhere = seated(make_table(), 0, "elsewhere")
    renew(table)

    assert Client().get(address).status_code == 404
    assert elsewhere.client.get(address).status_code == 404


def test_a_phone_that_was_put_out_is_not_led_on():
    table = make_table()
    kofi = seated(table, 1)
    host_of(table).post("people/", {"do": "put-out", "phone": kofi.phone.pk, "sure": 1})
    renew(table)

    assert kofi.get("").status_code == 404


def test_a_number_under_the_old_link_is_written_once():
    table = make_table()
    lena = seated(table, 0, htmx=True)
    now = renew(table)
    fields = {"value": 3, "op": new_op(), "base": 0}
    address = lena.url(".../r/1/A/")

    led = lena.client.post(address, fields, headers={"HX-Request": "true"})
    answers = [
        lena.client.post(address, fields, headers={"HX-Request": "true"}, follow=True)
        for _ in range(2)
    ]

    assert (led.status_code, led["Location"]) == (307, address.replace(table.key, now.key))
    assert [answer.status_code for answer in answers] == [200, 200]
    assert Change.objects.count() == 1
    assert host_of(now).entries() == [[3, None]]


def test_a_stranger_writes_nothing_under_the_old_link():
    table = make_table()
    renew(table)
    before = stored(table)

    assert stranger(table).write(1, "A", 3, base=0).status_code == 404
    assert stored(table) == before


def test_each_of_several_old_links_leads_to_the_newest():
    table = make_table()
    lena = seated(table, 0)
    second = renew(table)
    third = renew(second)

    assert lena.get("")["Location"] == f"/t/{third.key}/"
    lena.table = second
    assert lena.get("")["Location"] == f"/t/{third.key}/"


def test_the_page_of_a_phone_says_where_the_table_was():
    """What waits in its outbox lies under the old address."""
    table = make_table()
    lena = seated(table, 0)
    lena.table = now = renew(table)

    assert f'data-was="/t/{table.key}/"' in lena.get("").content.decode()
    assert "data-was" not in stranger(now).get("").content.decode()


def test_a_closed_table_leads_its_phones_on_as_well():
    table = make_table()
    lena = seated(table, 0)
    host_of(table).post("people/", do="close")
    now = renew(table)

    assert lena.get("")["Location"] == f"/t/{now.key}/"


def test_the_list_of_tables_has_the_new_address():
    table = make_table()
    lena = seated(table, 0)
    now = renew(table)

    page = lena.client.get("/").content.decode()

    assert f"/t/{now.key}/" in page
    assert table.key not in page
