"""The phones of a table: put out, made host, asking to be host, laying the office down."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Change, Phone, SeatRequest, Table
from tests.games.helpers import fill, host_of, make_table, seated, stranger, watcher

pytestmark = pytest.mark.django_db


def everything():
    """All that a refused verb leaves as it was."""
    phones = Phone.objects.order_by("pk").values_list("pk", "is_host", "player")
    wishes = SeatRequest.objects.order_by("pk").values_list("phone", "player")
    return list(phones), list(wishes), Table.objects.get().version


def host_away(minutes=6):
    Phone.objects.filter(is_host=True).update(seen_at=timezone.now() - timedelta(minutes=minutes))


def asks_to_be_host(phone):
    assert phone.post("people/", do="ask-host").status_code == 303
    return SeatRequest.objects.get(phone=phone.phone).pk


# Put out ----------------------------------------------------------------------------------------


def test_a_phone_that_was_put_out_is_a_stranger_and_what_it_wrote_stays():
    table = make_table()
    lena = seated(table, 0)
    assert lena.write(1, "A", 3).status_code == 303

    answer = host_of(table).post("people/", {"do": "put-out", "phone": lena.phone.pk, "sure": 1})

    assert answer.status_code == 303
    assert 'data-role="stranger"' in lena.get("").content.decode()
    assert lena.write(2, "A", 1, base=0).status_code == 403
    assert host_of(table).entries() == [[3, None]]
    change = Change.objects.get()
    assert (change.who, change.phone, change.after) == ("Lena", None, 3)


def test_a_phone_is_put_out_only_after_a_question():
    table = make_table()
    lena = seated(table, 0)
    before = everything()

    answer = host_of(table).post("people/", {"do": "put-out", "phone": lena.phone.pk})

    page = answer.content.decode()
    assert (answer.status_code, everything()) == (422, before)
    assert "Put Lena’s phone out?" in page
    assert f'name="phone" value="{lena.phone.pk}"' in page
    assert 'name="sure" value="1"' in page


def test_the_last_host_is_never_put_out():
    table = make_table(holder=0)
    host = host_of(table)
    seated(table, 1)
    before = everything()

    answer = host.post("people/", {"do": "put-out", "phone": host.phone.pk, "sure": 1})

    assert (answer.status_code, everything()) == (409, before)
    assert 'data-code="last-host"' in answer.content.decode()


def test_one_of_two_hosts_can_be_put_out():
    table = make_table()
    host, lena = host_of(table), seated(table, 0)
    host.post("people/", {"do": "make-host", "phone": lena.phone.pk})

    lena.post("people/", {"do": "put-out", "phone": host.phone.pk, "sure": 1})

    assert Phone.objects.get(is_host=True) == lena.phone
    assert 'data-role="stranger"' in host.get("").content.decode()


@pytest.mark.parametrize("do", ["put-out", "make-host"])
def test_a_phone_of_another_table_is_out_of_reach(do):
    table, other = make_table(), make_table()
    lena = seated(other, 0)
    before = list(Phone.objects.values_list("pk", "is_host"))

    answer = host_of(table).post("people/", {"do": do, "phone": lena.phone.pk, "sure": 1})

    assert answer.status_code == 303
    assert list(Phone.objects.values_list("pk", "is_host")) == before


@pytest.mark.parametrize("make", [seated, watcher, stranger], ids=lambda make: make.__name__)
@pytest.mark.parametrize("do", ["put-out", "make-host", "lay-down", "new-link", "recovery"])
def test_phones_and_the_link_are_the_hosts(do, make):
    table = make_table()
    kofi = seated(table, 1)
    asking = make(table, 0) if make is seated else make(table)
    before = everything()

    answer = asking.post("people/", {"do": do, "phone": kofi.phone.pk, "sure": 1})

    assert (answer.status_code, everything()) == (403, before)


def test_pages_are_told_to_load_anew_when_a_phone_is_put_out():
    table = make_table()
    lena = seated(table, 0)

    host_of(table).post("people/", {"do": "put-out", "phone": lena.phone.pk, "sure": 1})

    now = Table.objects.get()
    assert now.names_version == now.version > table.version


def test_an_open_page_of_the_people_is_loaded_anew_when_its_phone_is_something_else():
    table = make_table()
    lena = seated(table, 0, htmx=True)
    host_of(table).post("people/", {"do": "put-out", "phone": lena.phone.pk, "sure": 1})

    news = lena.get("people/", requests="1.0.0.0", role="player")

    assert news["HX-Refresh"] == "true"
    assert "HX-Refresh" not in lena.get("people/", requests="1.0.0.0", role="stranger")


def test_the_host_sees_the_phones_and_when_they_were_here():
    table = make_table(holder=0)
    seated(table, 1)
    watcher(table)
    Phone.objects.filter(player__seat=1).update(seen_at=timezone.now() - timedelta(minutes=5))
    Phone.objects.filter(player=None).update(seen_at=timezone.now() - timedelta(hours=49))

    page = host_of(table).get("people/").content.decode()

    assert page.count("data-phone=") == 3
    for words in ("5 minutes ago", "2 days ago", "without a seat", "Put it out", "Make it host"):
        assert words in page


def test_a_player_does_not_see_the_phones():
    table = make_table()

    page = seated(table, 1).get("people/").content.decode()

    assert "data-phone=" not in page
    assert "Put it out" not in page
    assert "a phone without a seat" in page  # who is host


# A second host, and the office ------------------------------------------------------------------


@pytest.mark.parametrize("make", [seated, watcher], ids=lambda make: make.__name__)
def test_the_host_makes_another_phone_host_as_well(make):
    table = make_table()
    phone = make(table, 1) if make is seated else make(table)

    host_of(table).post("people/", {"do": "make-host", "phone": phone.phone.pk})

    assert phone.visitor.is_host
    assert host_of(table).visitor.is_host


def test_the_office_is_laid_down_after_a_question_when_another_host_is_there():
    table = make_table(holder=0)
    host, kofi = host_of(table), seated(table, 1)
    host.post("people/", {"do": "make-host", "phone": kofi.phone.pk})

    asked = host.post("people/", {"do": "lay-down"})
    is_host_after_asking = host.visitor.is_host
    host.post("people/", {"do": "lay-down", "sure": 1})

    assert (asked.status_code, is_host_after_asking) == (422, True)
    assert [host.visitor.role, kofi.visitor.role] == ["player", "host"]


def test_the_only_host_cannot_lay_the_office_down():
    table = make_table(holder=0)
    seated(table, 1)
    before = everything()

    answer = host_of(table).post("people/", {"do": "lay-down", "sure": 1})

    assert (answer.status_code, everything()) == (409, before)
    assert "the only host" in answer.content.decode()


# Asking to be host ------------------------------------------------------------------------------


def test_a_seated_phone_asks_to_be_host_and_a_host_says_yes():
    table = make_table()
    kofi = seated(table, 1)
    wish = asks_to_be_host(kofi)

    shown = host_of(table).get("people/").content.decode()
    host_of(table).post("people/", do="yes", request=wish)

    assert "Kofi would like to be host." in shown
    assert kofi.visitor.is_host
    assert not SeatRequest.objects.exists()


@pytest.mark.parametrize("make", [watcher, stranger], ids=lambda make: make.__name__)
def test_who_does_not_sit_cannot_ask_to_be_host(make):
    table = make_table()
    phone = make(table)
    before = everything()

    assert phone.post("people/", do="ask-host").status_code == 403
    assert everything() == before


def test_the_strip_on_the_sheet_asks_the_host():
    table = make_table()
    asks_to_be_host(seated(table, 1))

    page = host_of(table, htmx=True).get("people/", requests="", sheet="").content.decode()

    assert "Kofi would like to be host." in page
    assert 'value="yes"' in page


@pytest.mark.parametrize(
    ("game", "seat", "away", "may"),
    [
        ("bauernstoss", 0, 6, True),  # the other side
        ("bauernstoss", 0, 4, False),  # a host was here
        ("bauernstoss", 3, 6, False),  # the partner
        ("schafkopf", 3, 6, True),  # another seat
        ("schafkopf", 3, 4, False),
    ],
)
def test_without_a_host_another_side_can_say_yes(game, seat, away, may):
    table = make_table(game)
    kofi, says = seated(table, 1), seated(table, seat)
    wish = asks_to_be_host(kofi)
    host_away(away)
    before = everything()

    answer = says.post("people/", do="yes", request=wish)

    assert answer.status_code == (303 if may else 403)
    assert kofi.visitor.is_host == may
    assert may or everything() == before
    assert may or 'data-code="not-yours"' in answer.content.decode()


def test_two_phones_on_one_seat_cannot_make_each_other_host():
    table = make_table("schafkopf")
    kofi, twin = seated(table, 1), seated(table, 1, "twin")
    wish = asks_to_be_host(kofi)
    host_away()

    assert twin.post("people/", do="yes", request=wish).status_code == 403
    assert not kofi.visitor.is_host


def test_nobody_makes_themselves_host():
    table = make_table()
    kofi = seated(table, 1)
    wish = asks_to_be_host(kofi)
    host_away()
    before = everything()

    assert kofi.post("people/", do="yes", request=wish).status_code == 403
    assert everything() == before


def test_who_asked_can_take_it_back():
    table = make_table()
    kofi = seated(table, 1)
    wish = asks_to_be_host(kofi)

    assert "You asked to be host" in kofi.get("people/").content.decode()
    assert kofi.post("people/", do="no", request=wish).status_code == 303
    assert not SeatRequest.objects.exists()


def test_a_partner_cannot_say_no_to_a_wish_to_be_host():
    table = make_table()
    wish = asks_to_be_host(seated(table, 1))
    before = everything()

    assert seated(table, 3).post("people/", do="no", request=wish).status_code == 403
    assert SeatRequest.objects.filter(pk=wish).exists()
    assert before[1] == everything()[1]


def test_the_sheet_of_another_side_looks_again_until_it_may_say_yes():
    table = make_table()
    lena = seated(table, 0, htmx=True)
    asks_to_be_host(seated(table, 1))
    nothing_yet = lena.get("people/", requests="x", sheet="").content.decode()
    nora = seated(table, 3, htmx=True)
    partner = nora.get("people/", requests="x", sheet="").content.decode()
    host_away()

    then = lena.get("people/", requests="", sheet="").content.decode()

    assert "data-request=" not in nothing_yet
    assert 'hx-trigger="wish, every 20s"' in nothing_yet
    assert 'hx-trigger="wish"' in partner
    assert "Kofi would like to be host." in then


def test_a_refusal_on_the_sheet_stays_in_the_strip():
    table = make_table()
    wish = asks_to_be_host(seated(table, 1))

    answer = seated(table, 0, htmx=True).post("people/", do="yes", request=wish, sheet="")

    page = answer.content.decode()
    assert answer.status_code == 403
    assert page.lstrip().startswith('<div id="requests"')
    assert 'data-code="not-yours"' in page


@pytest.mark.parametrize("phones", [1, 8])
def test_the_hosts_page_takes_the_same_queries_however_many_phones_there_are(
    phones, django_assert_num_queries
):
    table = make_table()
    fill(table, [(3, 0)])
    for number in range(phones):
        seated(table, number % 4, token=f"phone-{number}")
    host = host_of(table)
    host.get("")

    with django_assert_num_queries(5):
        host.get("people/")
