"""The recovery link: shown once, kept as a hash, asked before it makes a host."""

import pytest

from games import access, limits, services
from games.models import Phone, Table
from tests.games.helpers import host_of, make_table, new_op, seated, stranger

pytestmark = pytest.mark.django_db
BROWSER = "new browser"


@pytest.fixture(autouse=True)
def _fresh_limits():
    limits.forget_all()
    yield
    limits.forget_all()


def everything():
    phones = Phone.objects.order_by("pk").values_list("pk", "is_host", "player")
    return list(phones), Table.objects.get().version


def recovery_link(host):
    page = host.post("people/", do="recovery").content.decode()
    return page.split("/host/")[1].split("/")[0]


def browser(table):
    phone = stranger(table)
    phone.token = BROWSER
    phone.client.cookies[access.COOKIE] = phone.token
    return phone


def test_the_recovery_link_is_shown_once_and_only_its_hash_is_kept():
    table = make_table()
    host = host_of(table)

    page = host.post("people/", do="recovery").content.decode()

    secret = page.split("/host/")[1].split("/")[0]
    assert len(secret) >= 22
    assert page.count('class="qr"') == 2
    assert secret not in host.get("people/").content.decode()
    assert Table.objects.get().recovery_hash == access.hash_of(secret)


def test_the_recovery_link_asks_leaves_no_trace_and_makes_a_host_by_post_alone():
    table = make_table()
    link = f"/host/{recovery_link(host_of(table))}/"
    phone = browser(table)
    before = everything()

    asked = phone.client.get(link)
    after_looking = everything()
    answer = phone.client.post(link)

    assert (asked.status_code, after_looking) == (200, before)
    assert "Be host here?" in asked.content.decode()
    assert "Set-Cookie" not in asked or "phone=" not in asked["Set-Cookie"]
    assert (answer.status_code, answer["Location"]) == (303, f"/t/{table.key}/")
    assert phone.visitor.is_host


def test_a_new_recovery_link_ends_the_old():
    table = make_table()
    old = recovery_link(host_of(table))
    recovery_link(host_of(table))
    phone = browser(table)
    before = everything()

    answers = [phone.client.get(f"/host/{old}/"), phone.client.post(f"/host/{old}/")]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert everything() == before


def test_the_recovery_link_makes_a_player_host_on_the_own_phone():
    table = make_table()
    kofi = seated(table, 1)

    kofi.client.post(f"/host/{recovery_link(host_of(table))}/")

    assert (kofi.visitor.role, kofi.visitor.seat) == ("host", 1)


def test_the_recovery_link_outlives_a_new_link_of_the_table():
    table = make_table()
    link = recovery_link(host_of(table))
    host_of(table).post("people/", {"do": "new-link", "sure": 1})
    phone = browser(table)

    answer = phone.client.post(f"/host/{link}/")

    assert answer["Location"] == f"/t/{Table.objects.get().key}/"
    assert phone.visitor.is_host


def test_wrong_recovery_links_are_counted_like_codes():
    table = make_table()
    phone = browser(table)

    statuses = [phone.client.get(f"/host/wrong-{n}/").status_code for n in range(21)]

    assert statuses == [404] * 20 + [429]
    assert phone.client.post(f"/host/{new_op()}/").status_code == 429


def test_a_right_recovery_link_is_never_counted():
    table = make_table()
    link = f"/host/{recovery_link(host_of(table))}/"

    assert {browser(table).client.get(link).status_code for _ in range(25)} == {200}


def test_a_link_that_ended_while_its_page_was_open_makes_nobody_host():
    table = make_table()
    old = recovery_link(host_of(table))
    recovery_link(host_of(table))
    before = everything()

    with pytest.raises(services.Refusal) as refused:
        services.recover(table=table, token_hash=access.hash_of(BROWSER), secret=old)

    assert refused.value.code == "link-ended"
    assert everything() == before
