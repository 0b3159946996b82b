"""Coming to a table by code or link, and taking a seat."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import access, limits
from games.models import Phone, Player, SeatRequest, Table
from games.services import tables
from tests.games.helpers import (
    WATCHER_TOKEN,
    PhoneClient,
    fill,
    host_of,
    make_table,
    seated,
    stranger,
    watcher,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_limits():
    limits.forget_all()
    yield
    limits.forget_all()


def join(code, address="10.0.0.1", **more):
    return Client().post("/join/", {"code": code}, REMOTE_ADDR=address, **more)


def seat_of(phone):
    return Phone.objects.values_list("player__seat", flat=True).get(pk=phone.pk)


def test_a_code_leads_to_its_table():
    table = make_table()

    answer = join(f" {table.code[:3].lower()} {table.code[3:]} ")

    assert (answer.status_code, answer["Location"]) == (303, f"/t/{table.key}/")


def test_a_wrong_code_stays_in_its_box():
    answer = join("QQQQQQ")

    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="QQQQQQ"' in page
    assert 'data-code="wrong-code"' in page


def test_an_empty_box_is_no_wrong_code():
    answer = join("  ")

    assert answer.status_code == 422
    assert 'data-code="code-missing"' in answer.content.decode()


def test_a_link_leads_to_its_table_and_leaves_no_trace():
    table = make_table()
    client = Client()

    answer = client.get(f"/j/{table.code}/")

    assert (answer.status_code, answer["Location"]) == (302, f"/t/{table.key}/")
    assert table.phones.count() == 1
    assert access.COOKIE not in client.cookies


def test_a_wrong_link_offers_the_box():
    answer = Client().get("/j/QQQQQQ/")

    assert answer.status_code == 404
    assert 'name="code" value="QQQQQQ"' in answer.content.decode()


@pytest.mark.parametrize("how", ["closed", "renewed", "old"])
def test_a_code_can_stop_working(how):
    table = make_table()
    code = table.code
    if how == "old":
        Table.objects.update(touched_at=timezone.now() - timedelta(hours=25))
    else:
        host_of(table).post("people/", do={"closed": "close", "renewed": "renew"}[how])

    assert join(code).status_code == 422
    assert Client().get(f"/j/{code}/").status_code == 404


def test_the_21st_wrong_code_of_an_address_is_too_many():
    table = make_table()

    statuses = [join("QQQQQQ").status_code for _ in range(21)]

    assert statuses == [422] * 20 + [429]
    assert join("QQQQQQ", address="10.0.0.2").status_code == 422
    assert join(table.code).status_code == 303


def test_wrong_links_count_like_wrong_codes():
    for _ in range(20):
        join("QQQQQQ", address="127.0.0.1")

    answer = Client().get("/j/QQQQQQ/")

    assert answer.status_code == 429
    assert 'data-code="too-many"' in answer.content.decode()


@pytest.fixture
def _guessed_everywhere():
    """200 wrong codes came within a minute, 21 of them from one address."""
    for number in range(179):
        join("QQQQQQ", address=f"10.0.1.{number}")
    for _ in range(21):
        join("QQQQQQ", address="10.0.0.1")


@pytest.mark.usefixtures("_guessed_everywhere")
def test_two_hundred_wrong_codes_a_minute_are_too_many_from_everywhere():
    assert join("QQQQQQ", address="10.0.2.1").status_code == 429
    assert Client().get("/j/QQQQQQ/").status_code == 429


@pytest.mark.usefixtures("_guessed_everywhere")
def test_right_codes_pass_even_then():
    table = make_table()

    assert join(table.code, address="10.0.2.1").status_code == 303
    assert join(table.code, address="10.0.1.7").status_code == 303
    assert Client().get(f"/j/{table.code}/").status_code == 302


@pytest.mark.usefixtures("_guessed_everywhere")
def test_where_somebody_guesses_no_code_is_looked_at_then():
    table = make_table()

    assert join(table.code).status_code == 429
    limits.forget_all()
    assert join(table.code).status_code == 303


@pytest.mark.usefixtures("_guessed_everywhere")
def test_who_sits_at_a_table_writes_on_where_somebody_guesses():
    host = host_of(make_table())
    host.client.defaults["REMOTE_ADDR"] = "10.0.0.1"

    assert host.write(1, "A", 3).status_code == 303


def test_wrong_codes_stop_no_recovery_link():
    for _ in range(20):
        join("QQQQQQ", address="127.0.0.1")

    assert Client().get("/host/wrong/").status_code == 404


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ("2001:db8:0:1::7", "2001:db8:0:1:ffff::9", True),
        ("2001:db8:0:1::7", "2001:db8:0:2::7", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("10.0.0.1", "10.0.0.2", False),
        ("", "unix", False),
    ],
)
def test_a_network_of_ipv6_counts_as_one_address(first, second, together):
    for _ in range(20):
        join("QQQQQQ", address=first)

    assert join("QQQQQQ", address=second).status_code == (429 if together else 422)


def test_right_codes_are_never_counted():
    table = make_table()

    assert {join(table.code).status_code for _ in range(25)} == {303}


@pytest.mark.parametrize(
    ("proxies", "address", "forwarded", "seen"),
    [
        ([], "10.0.0.1", "1.2.3.4", "10.0.0.1"),
        (["10.0.0.0/8"], "10.0.0.1", "1.2.3.4", "1.2.3.4"),
        (["10.0.0.0/8"], "10.0.0.1", "9.9.9.9, 1.2.3.4", "1.2.3.4"),
        (["10.0.0.0/8"], "10.0.0.1", "1.2.3.4, 10.0.0.7", "1.2.3.4"),
        (["10.0.0.0/8"], "10.0.0.1", "", "10.0.0.1"),
        (["10.0.0.0/8"], "5.5.5.5", "1.2.3.4", "5.5.5.5"),
        (["::1/128"], "::1", "2001:db8::7", "2001:db8::7"),
    ],
)
def test_an_address_is_the_last_one_that_no_trusted_proxy_has(  # noqa: PLR0913 - one per column
    rf, settings, proxies, address, forwarded, seen
):
    settings.TRUSTED_PROXIES = proxies

    request = rf.get("/", REMOTE_ADDR=address, HTTP_X_FORWARDED_FOR=forwarded)

    assert limits.address_of(request) == seen


def test_a_free_seat_is_taken_freely():
    table = make_table()
    phone = stranger(table)

    answer = phone.post("seat/", seat="1")

    token = phone.client.cookies[access.COOKIE].value
    kept = Phone.objects.filter(token_hash=access.hash_of(token))
    assert (answer.status_code, answer["Location"]) == (303, f"/t/{table.key}/")
    assert kept.values_list("player__name", "is_host").get() == ("Kofi", False)


def test_watching_lets_a_phone_in_without_a_seat():
    table = make_table()
    phone = stranger(table)

    answer = phone.post("seat/", seat="watch")

    assert answer.status_code == 303
    assert table.phones.get(is_host=False).player is None


def test_a_new_seat_frees_the_old_one_and_watching_gives_it_up():
    table = make_table()
    phone = seated(table, 1)

    phone.post("seat/", seat="2")
    moved = seat_of(phone.phone)
    phone.post("seat/", seat="watch")

    assert (moved, seat_of(phone.phone)) == (2, None)


def test_the_own_seat_again_changes_nothing():
    table = make_table()
    phone = seated(table, 1)
    version = Table.objects.get().version

    assert phone.post("seat/", seat="1").status_code == 303
    assert Table.objects.get().version == version


def test_a_taken_seat_asks_who_sits_there():
    table = make_table()
    seated(table, 1)
    phone = stranger(table)

    answer = phone.post("seat/", seat="1")

    page = answer.content.decode()
    assert answer.status_code == 409
    assert 'data-code="taken"' in page
    assert "Kofi’s phone sits here." in page
    assert 'name="me" value="1"' in page
    assert 'name="code"' in page
    assert access.COOKIE not in phone.client.cookies
    assert table.phones.count() == 2


@pytest.mark.parametrize("typed", [str.lower, lambda code: f" {code[:3]} {code[3:]}"])
def test_the_seats_code_lets_another_phone_sit_down(typed):
    table = make_table()
    seated(table, 1)
    code = table.players.get(seat=1).seat_code
    phone = stranger(table)

    answer = phone.post("seat/", seat="1", code=typed(code))

    assert answer.status_code == 303
    assert table.phones.filter(player__seat=1).count() == 2


def test_five_wrong_codes_close_the_seat():
    table = make_table()
    seated(table, 1)
    phone = stranger(table)

    answers = [phone.post("seat/", seat="1", code="AAAAAA") for _ in range(6)]

    page = answers[0].content.decode()
    assert [answer.status_code for answer in answers] == [422] * 4 + [429] * 2
    assert 'value="AAAAAA"' in page
    assert 'data-code="wrong-code"' in page
    assert 'data-code="seat-closed"' in answers[5].content.decode()
    right = table.players.get(seat=1).seat_code
    assert phone.post("seat/", seat="1", code=right).status_code == 429


def test_wrong_codes_tell_nothing_and_stop_nobody_who_plays():
    table = make_table()
    kofi, host = seated(table, 1), host_of(table)
    codes = set(table.players.values_list("seat_code", flat=True))

    pages = [stranger(table).post("seat/", seat="1", code="AAAAAA") for _ in range(6)]

    assert not [page for page in pages for code in codes if code in page.content.decode()]
    assert not [page for page in pages if table.code in page.content.decode()]
    assert table.phones.count() == 2
    assert kofi.write(1, "B", 3).status_code == 303
    assert host.post("seat/", seat="1").status_code == 303
    right = table.players.get(seat=2).seat_code  # each seat has a box of its own
    assert stranger(table).post("seat/", seat="2", code=right).status_code == 303


def test_a_closed_box_opens_again_after_ten_minutes():
    table = make_table()
    seated(table, 1)
    code = table.players.get(seat=1).seat_code
    for _ in range(5):
        stranger(table).post("seat/", seat="1", code="AAAAAA")
    assert stranger(table).post("seat/", seat="1", code=code).status_code == 429

    Player.objects.filter(seat=1).update(code_closed_until=timezone.now() - timedelta(seconds=1))

    assert stranger(table).post("seat/", seat="1", code=code).status_code == 303


@pytest.fixture
def full_table(monkeypatch):
    """A table at which as many phones look as may: the host's, and one that watches."""
    monkeypatch.setattr(tables, "PHONES_AT_MOST", 2)
    table = make_table()
    seated(table, 1)
    watcher(table)
    return table


@pytest.mark.parametrize("fields", [{"seat": "watch"}, {"seat": "1", "me": "1"}])
def test_a_full_table_lets_no_more_phones_in_and_says_so(full_table, fields):
    phone = stranger(full_table)

    answer = phone.post("seat/", fields)

    page = answer.content.decode()
    assert answer.status_code == 409
    assert 'data-code="full"' in page
    assert "2 phones are at this table already" in page
    assert 'name="me"' not in page
    assert full_table.phones.count() == 3
    assert phone.get("").status_code == 200  # looking is for everybody


def test_those_who_look_keep_no_player_from_a_seat(full_table):
    code = full_table.players.get(seat=1).seat_code

    assert stranger(full_table).post("seat/", seat="0").status_code == 303
    assert watcher_of(full_table).post("seat/", seat="2").status_code == 303
    assert stranger(full_table).post("seat/", seat="1", code=code).status_code == 303


def watcher_of(table):
    return PhoneClient(table, WATCHER_TOKEN)


def test_phones_that_went_long_ago_fill_no_table(full_table):
    full_table.phones.filter(is_host=False).update(seen_at=timezone.now() - timedelta(hours=2))

    assert stranger(full_table).post("seat/", seat="watch").status_code == 303


@pytest.mark.parametrize("who", ["host", "seated"])
def test_somebody_at_the_table_can_say_yes(who):
    table = make_table()
    seated(table, 1)
    phone = stranger(table)

    asked = phone.post("seat/", seat="1", me="1")
    wish = SeatRequest.objects.get()
    waiting = phone.get("people/?waiting", match=1)
    sayer = host_of(table) if who == "host" else seated(table, 2)
    assert "A phone would like to sit on Kofi’s seat." in sayer.get("people/").content.decode()
    said = sayer.post("people/", do="yes", request=wish.pk)

    assert asked.status_code == 409
    assert 'data-code="asked"' in asked.content.decode()
    assert access.COOKIE in phone.client.cookies
    assert waiting.status_code == 200
    assert said.status_code == 303
    assert seat_of(wish.phone) == 1
    assert not SeatRequest.objects.exists()
    assert phone.client.get(phone.url("people/"), {"waiting": ""})["Location"] == f"/t/{table.key}/"


def test_a_waiting_page_looks_by_itself():
    table = make_table()
    seated(table, 1)
    phone = stranger(table, htmx=True)
    phone.post("seat/", seat="1", me="1")

    still = phone.get("people/", waiting="")
    host_of(table).post("people/", do="no", request=SeatRequest.objects.get().pk)
    turned_down = phone.get("people/", waiting="")

    assert still.status_code == 204
    assert turned_down["HX-Redirect"] == f"/t/{table.key}/people/?refused"


def test_who_waits_and_looks_at_the_sheet_is_brought_to_the_seat():
    table = make_table()
    seated(table, 1)
    phone = stranger(table)

    asked = phone.post("seat/", seat="1", me="1").content.decode()
    sheet = phone.get("").content.decode()

    follows = f'hx-get="/t/{table.key}/people/?waiting" hx-trigger="load, sheet:changed'
    assert f'href="/t/{table.key}/"' in asked
    assert follows in sheet
    assert follows not in watcher(table).get("").content.decode()


def test_a_free_seat_needs_a_yes_ten_minutes_after_the_first_entry():
    table = make_table()
    fill(table, [(1, 0)])
    Table.objects.update(first_entry_at=timezone.now() - timedelta(minutes=11))

    answer = stranger(table).post("seat/", seat="1")

    assert answer.status_code == 409
    assert 'data-code="asked"' in answer.content.decode()
    assert Player.objects.get(seat=1).phones.count() == 0


@pytest.mark.parametrize("wanted", ["", "4", "-1", "x", "01", "٣"])
def test_a_seat_that_is_none_is_refused(wanted):
    answer = stranger(make_table()).post("seat/", seat=wanted)

    assert answer.status_code == 422
    assert 'data-code="seat"' in answer.content.decode()


def test_a_table_that_is_closed_takes_no_newcomer():
    table = make_table()
    host_of(table).post("people/", do="close")

    answer = stranger(table).post("seat/", seat="1")

    assert answer.status_code == 403
    assert "This table is closed to newcomers." in answer.content.decode()


def test_a_closed_table_keeps_those_it_has():
    table = make_table()
    phone = watcher(table)
    host_of(table).post("people/", do="close")

    assert phone.post("seat/", seat="1").status_code == 303


def test_nobody_gets_in_where_no_table_is():
    assert Client().post("/t/nothing/seat/", {"seat": "1"}).status_code == 404


def test_seat_is_for_posts():
    assert stranger(make_table()).get("seat/").status_code == 405
