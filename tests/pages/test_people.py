"""Who sits where, and what host and players may change about it."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import SeatRequest, Side, Table
from tests.games.helpers import fill, host_of, make_table, seated, stranger, watcher

pytestmark = pytest.mark.django_db
FOLLOWS = 'sheet:changed from:document" hx-swap="none"'  # what asks whether somebody said yes
HOST_ONLY = [{"do": "free", "seat": "1"}, {"do": "close"}, {"do": "open"}, {"do": "renew"}]


def phone_of(table, role):
    if role == "player":
        return seated(table, 0)
    if role == "watcher":
        return watcher(table)
    return host_of(table) if role == "host" else stranger(table)


def names(table):
    return list(table.players.order_by("seat").values_list("name", flat=True))


def sides():
    return list(Side.objects.order_by("column").values_list("name", flat=True))


def seen_on(host, phone):
    return phone.client.get(phone.url("people/"), headers={"host": host}).content.decode()


def test_the_page_shows_link_code_and_qr_to_those_who_are_in():
    table = make_table()

    page = watcher(table).get("people/").content.decode()

    assert f">http://testserver/j/{table.code}/</a>" in page
    assert f"data-table-code>{table.code}<" in page
    assert '<svg class="qr"' in page or 'class="qr"' in page
    assert "style=" not in page


@pytest.mark.sqlite  # a site with a database has a name
@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_a_page_opened_on_this_machine_gives_phones_an_address_they_can_reach(host, monkeypatch):
    monkeypatch.setattr("scoresheet.lan.addresses", lambda: ["192.168.7.5", "10.0.0.3"])
    table = make_table()

    page = seen_on(host, watcher(table))

    assert f">http://192.168.7.5:8000/j/{table.code}/</a>" in page
    assert f'href="/j/{table.code}/"' in page


def test_without_a_network_the_link_stays_as_it_is(monkeypatch):
    monkeypatch.setattr("scoresheet.lan.addresses", list)
    table = make_table()

    page = seen_on("localhost:8000", watcher(table))

    assert f">http://localhost:8000/j/{table.code}/</a>" in page


def test_a_stranger_sees_names_and_no_code():
    table = make_table()

    page = stranger(table).get("people/").content.decode()

    assert table.code not in page
    assert 'class="qr"' not in page
    assert all(name in page for name in names(table))


def test_a_closed_table_shows_no_code():
    table = make_table()
    host_of(table).post("people/", do="close")

    page = host_of(table).get("people/").content.decode()

    assert table.code not in page
    assert "The table is closed" in page


def test_the_seats_code_is_shown_on_the_phone_that_sits_there_alone():
    table = make_table()
    codes = {player.seat: player.seat_code for player in table.players.all()}

    page = seated(table, 1).get("people/").content.decode()

    assert [seat for seat, code in codes.items() if code in page] == [1]


@pytest.mark.parametrize("role", ["host", "player", "watcher", "stranger"])
@pytest.mark.parametrize("verb", HOST_ONLY, ids=lambda verb: verb["do"])
def test_seats_code_and_closing_are_the_hosts(role, verb):
    table = make_table()
    seated(table, 1)
    phone = phone_of(table, role)
    version = Table.objects.get().version

    answer = phone.post("people/", verb)

    if role == "host":
        assert (answer.status_code, answer["Location"]) == (303, f"/t/{table.key}/people/")
        assert Table.objects.get().version > version
    else:
        assert answer.status_code == 403
        assert Table.objects.get().version == version


def test_a_code_that_sleeps_is_not_shown_and_a_new_one_wakes_it():
    table = make_table()
    Table.objects.update(touched_at=timezone.now() - timedelta(hours=25))
    host = host_of(table)

    asleep = host.get("people/").content.decode()
    host.post("people/", do="renew")
    awake = host.get("people/").content.decode()

    assert table.code not in asleep
    assert "The code is asleep" in asleep
    assert f"data-table-code>{Table.objects.get().code}<" in awake


def test_a_freed_seat_has_no_phone_and_a_new_code():
    table = make_table()
    phone = seated(table, 1)
    code = table.players.get(seat=1).seat_code

    host_of(table).post("people/", do="free", seat="1")

    assert phone.phone.player is None
    assert table.players.get(seat=1).seat_code != code


@pytest.mark.parametrize("page", ["", "people/"])
def test_a_phone_whose_seat_was_freed_may_take_it_back(page):
    table = make_table()
    phone = seated(table, 1)
    host_of(table).post("people/", do="free", seat="1")

    told = phone.get(page).content.decode()
    answer = phone.post("seat/", seat="1", me="1")

    assert "The host has freed your seat, Kofi." in told
    assert '<button class="chip on" name="seat" value="1">Take it back</button>' in told
    assert answer.status_code == 303
    assert phone.visitor.seat == 1
    assert "The host has freed" not in phone.get(page).content.decode()


def test_a_freed_seat_is_asked_for_when_the_match_is_on_its_way():
    table = make_table()
    phone = seated(table, 1)
    fill(table, [(3, 0)])
    Table.objects.update(first_entry_at=timezone.now() - timedelta(minutes=11))
    host_of(table).post("people/", do="free", seat="1")

    answer = phone.post("seat/", seat="1", me="1")

    assert (answer.status_code, phone.visitor.seat) == (409, None)
    assert SeatRequest.objects.get().phone == phone.phone
    sheet = phone.get("").content.decode()
    assert FOLLOWS in sheet  # now it waits, and is not asked once more
    assert "The host has freed" not in sheet


def test_a_player_who_asks_for_another_seat_follows_the_answer_to_it():
    table = make_table()
    phone = seated(table, 1)
    seated(table, 2)
    phone.post("seat/", seat="2", me="1")
    asking = phone.get("").content.decode()

    host_of(table).post("people/", do="yes", request=SeatRequest.objects.get().pk)

    now = Table.objects.get()
    assert FOLLOWS in asking
    assert now.names_version == now.version  # its page, which writes elsewhere now, loads anew
    sheet = phone.get("").content.decode()
    assert FOLLOWS not in sheet
    assert 'data-may="A"' in sheet


def test_a_player_who_would_be_host_is_not_taken_away_from_the_sheet():
    phone = seated(make_table(), 1)

    phone.post("people/", do="ask-host")

    assert SeatRequest.objects.get().is_for_host
    assert FOLLOWS not in phone.get("").content.decode()


def test_who_would_rather_watch_is_not_asked_again():
    table = make_table()
    phone = seated(table, 1)
    host_of(table).post("people/", do="free", seat="1")
    version = Table.objects.get().version

    phone.post("seat/", seat="watch")

    assert "The host has freed" not in phone.get("").content.decode()
    assert Table.objects.get().version == version  # nothing that others see


def test_pages_are_told_to_load_anew_when_a_seat_is_freed():
    """Names and buttons of a page follow from it, as from new names."""
    table = make_table()
    seated(table, 1)

    host_of(table).post("people/", do="free", seat="1")

    now = Table.objects.get()
    assert now.names_version == now.version


@pytest.mark.parametrize(
    ("role", "seat", "status"),
    [
        ("host", "3", 303),
        ("player", "0", 303),
        ("player", "3", 403),
        ("watcher", "0", 403),
        ("stranger", "0", 403),
    ],
)
def test_names_are_changed_by_the_host_and_by_whoever_bears_them(role, seat, status):
    table = make_table()
    before = names(table)

    answer = phone_of(table, role).post("people/", do="rename", seat=seat, name="  Rosa  Maria ")

    assert answer.status_code == status
    assert (names(table)[int(seat)] == "Rosa Maria") == (status == 303)
    assert (names(table) == before) == (status != 303)


def test_a_side_called_by_its_players_follows_a_new_name():
    table = make_table()

    host_of(table).post("people/", do="rename", seat="2", name="Rosa")

    assert sides() == ["Lena & Rosa", "Kofi & Nora"]


@pytest.mark.parametrize(
    ("role", "column", "status"),
    [
        ("host", "B", 303),
        ("player", "A", 303),
        ("player", "B", 403),
        ("watcher", "A", 403),
        ("stranger", "A", 403),
    ],
)
def test_a_sides_name_is_changed_by_the_host_and_its_players(role, column, status):
    table = make_table()

    answer = phone_of(table, role).post(
        "people/", {"do": "rename-side", "column": column, "name": "Wir"}
    )

    assert answer.status_code == status
    assert ("Wir" in sides()) == (status == 303)


def test_a_side_goes_back_to_its_players_names():
    table = make_table()
    host = host_of(table)
    host.post("people/", {"do": "rename-side", "column": "A", "name": "Wir"})

    host.post("people/", {"do": "rename-side", "column": "A", "name": " "})

    assert sides()[0] == "Lena & Felix"


@pytest.mark.parametrize(
    ("typed", "box", "code"),
    [
        ({"do": "rename", "seat": "1", "name": " "}, "seat-1", "name-missing"),
        ({"do": "rename", "seat": "1", "name": "x" * 41}, "seat-1", "name-long"),
        ({"do": "rename", "seat": "1", "name": "LENA"}, "seat-1", "name-taken"),
        ({"do": "rename", "seat": "3", "name": "Ida"}, "seat-3", "name-taken"),  # both Kofi & Ida
        ({"do": "rename-side", "column": "A", "name": "x" * 41}, "side-A", "name-long"),
        ({"do": "rename-side", "column": "A", "name": "kofi & nora"}, "side-A", "name-taken"),
    ],
)
def test_a_refused_name_stays_in_its_box(typed, box, code):
    table = make_table()
    Side.objects.filter(column="A").update(name="kofi & ida")
    before = (names(table), sides())

    answer = host_of(table).post("people/", typed)

    page = answer.content.decode()
    assert answer.status_code == 422
    assert f'id="{box}-wrong" role="alert" data-code="{code}"' in page
    assert f'value="{typed["name"].replace("&", "&amp;")}"' in page
    assert (names(table), sides()) == before


@pytest.mark.parametrize(
    "typed",
    [
        {},
        {"do": "dance"},
        {"do": "free", "seat": "7"},
        {"do": "rename", "seat": "x", "name": "Rosa"},
        {"do": "rename-side", "column": "C", "name": "Rosa"},
        {"do": "yes", "request": "x"},
        {"do": "yes", "request": "9" * 30},
    ],
)
def test_a_verb_that_makes_no_sense_is_refused(typed):
    table = make_table()

    answer = host_of(table).post("people/", typed)

    assert answer.status_code == 422
    assert 'class="notice bad"' in answer.content.decode()
    assert Table.objects.get().version == table.version


@pytest.mark.parametrize("role", ["watcher", "stranger"])
@pytest.mark.parametrize("do", ["yes", "no"])
def test_only_people_at_the_table_answer_a_request(role, do):
    table = make_table()
    assert phone_of(table, role).post("people/", do=do, request="1").status_code == 403


def test_a_request_that_was_answered_already_is_no_mistake():
    table = make_table()

    assert host_of(table).post("people/", do="yes", request="12").status_code == 303


def test_side_names_are_no_matter_in_schafkopf():
    table = make_table("schafkopf")

    answer = host_of(table).post("people/", {"do": "rename-side", "column": "0", "name": "Wir"})

    assert answer.status_code == 422
    assert "rename-side" not in host_of(table).get("people/").content.decode()


def test_a_new_name_in_schafkopf_is_the_columns_too():
    table = make_table("schafkopf")

    host_of(table).post("people/", do="rename", seat="2", name="Rosa")

    assert sides() == ["Lena", "Kofi", "Rosa", "Nora"]


@pytest.mark.parametrize("phones", [1, 8])
def test_the_page_takes_the_same_queries_however_many_phones_there_are(
    phones, django_assert_num_queries
):
    table = make_table()
    for number in range(phones):
        seated(table, number % 4, token=f"phone-{number}")

    with django_assert_num_queries(10):
        host_of(table).get("people/")


def test_the_page_looks_for_new_requests_and_swaps_nothing_while_there_are_none():
    table = make_table()
    seated(table, 1)
    host = host_of(table, htmx=True)
    nothing = host.get("people/", requests="0.1.0.0")
    stranger(table).post("seat/", seat="1", me="1")

    asked = host.get("people/", requests="0.1.0.0")
    known = host.get("people/", requests=f"{SeatRequest.objects.get().pk}-0.1.0.0")

    assert nothing.status_code == 204
    assert asked.content.decode().lstrip().startswith('<div id="requests"')
    assert 'value="yes"' in asked.content.decode()
    assert known.status_code == 204


def test_the_page_is_told_when_another_phone_sits_on_the_same_seat():
    table = make_table()
    phone = seated(table, 1, htmx=True)
    alone = phone.get("people/").content.decode()
    seated(table, 1, "other")

    news = phone.get("people/", requests="0.1.0.0").content.decode()

    assert '<small id="phones-1">this phone</small>' in alone
    assert '<small id="phones-1" hx-swap-oob="true">this phone and 1 more</small>' in news
    assert phone.get("people/", requests="0.2.0.0").status_code == 204


def asking(table, seat):
    """A phone without a seat asks for one where a phone sits."""
    phone = watcher(table, f"asks {SeatRequest.objects.count()}")
    assert phone.post("seat/", seat=seat, me="1").status_code == 409
    return phone


def test_a_sheet_shows_two_requests_at_a_time():
    table = make_table()
    player = seated(table, 1, htmx=True)
    for _ in range(3):
        asking(table, 1)

    page = player.get("people/", requests="", sheet="").content.decode()

    assert page.count("data-request=") == 2
    assert "hx-swap-oob" not in page
    assert 'hx-trigger="wish"' in page


def test_a_yes_on_the_sheet_answers_with_what_is_left():
    table = make_table()
    player = seated(table, 1, htmx=True)
    first, second = asking(table, 1), asking(table, 1)

    answer = player.post("people/", do="yes", request=first.phone.seat_requests.get().pk, sheet="")

    page = answer.content.decode()
    left = second.phone.seat_requests.get().pk
    assert answer.status_code == 200
    assert page.count("data-request=") == 1
    assert f'data-request="{left}"' in page
    assert f"?requests={left}-&amp;sheet" in page
    assert first.visitor.seat == 1


def test_nobody_is_asked_to_say_yes_to_themselves():
    table = make_table()
    seated(table, 1)
    player = seated(table, 0)
    player.post("seat/", seat="1", me="1")

    page = player.get("people/").content.decode()

    assert "You asked for Kofi’s seat" in page
    assert 'value="yes"' not in page
    assert "Never mind" in page


def test_a_watcher_is_told_of_no_requests():
    table = make_table()
    seated(table, 1)
    stranger(table).post("seat/", seat="1", me="1")

    answer = watcher(table, htmx=True).get("people/", requests="", sheet="")

    assert answer.status_code == 204


def test_a_changed_page_is_found_again_by_htmx():
    table = make_table()

    answer = host_of(table, htmx=True).post("people/", do="renew")

    assert answer["HX-Redirect"] == f"/t/{table.key}/people/"


def test_no_table_no_people():
    assert Client().get("/t/nothing/people/").status_code == 404


def test_the_page_is_never_kept():
    table = make_table()

    assert "no-store" in stranger(table).get("people/")["Cache-Control"]
