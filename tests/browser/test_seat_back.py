"""A lost seat is had back in three taps: statement 40. Another browser, or an app of its own."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.table import (
    answer,
    begin,
    cell,
    enter,
    is_live,
    open_pad,
    pending,
    press,
    put,
    show,
    sit,
    written,
)
from tests.browser.test_names import are_in_view

TIMES = {"probe": 500, "poll": 1000, "timeout": 2500, "sendFirst": 300, "sendMost": 1000}
PATIENCE = 15_000  # milliseconds; a page looks every few seconds


class Hand:
    """A thumb on a phone, which counts what it taps."""

    def __init__(self, phone):
        self.phone = phone
        self.taps = 0

    def tap(self, name):
        self.taps += 1
        page = self.phone.page
        page.locator("main").get_by_role(
            "button", name=name, exact=name in {"Yes", "No"}
        ).first.tap()


def seat_code(phone, path):
    phone.open(f"{path}people/")
    return phone.page.locator("[data-seat-code]").inner_text()


def asks(hand, path, name="Lena"):
    """Come by the link, and say whose seat it is."""
    hand.phone.open(path)
    hand.tap(name)
    hand.tap("That is me too")


def sits(phone, path):
    """Wait until the phone has come to the sheet by itself, and sits."""
    expect(phone.page.locator("#page")).to_have_attribute("data-role", "player", timeout=PATIENCE)
    assert re.fullmatch(f".*{path}(\\?waiting)?", phone.page.url)


def strip(phone):
    """The question on the sheet of those who may say yes."""
    return phone.page.locator("#requests .ask")


def test_40_the_seats_code_brings_it_back(phone):
    kofi, lena, other = phone("Kofi"), phone("Lena"), phone("Lena’s browser")
    path = begin(kofi, lena)
    code, hand = seat_code(lena, path), Hand(other)

    other.open(path)
    hand.tap("Lena")
    expect(other.page.get_by_role("heading", name="Lena’s phone sits here.")).to_be_visible()
    other.page.get_by_label("The seat’s code").fill(code.lower())
    hand.tap("Sit down")

    sits(other, path)
    assert hand.taps == 2
    enter(other, "1.A", 3)
    show([kofi, other], 3, 0)


@pytest.mark.parametrize("sayer", ["host", "partner"])
def test_40_a_yes_on_another_sheet_brings_it_back(phone, sayer):
    kofi, lena, felix = phone("Kofi"), phone("Lena"), phone("Felix")
    path = begin(kofi, lena, felix)
    hand = Hand(phone("Lena’s browser"))
    says = kofi if sayer == "host" else felix
    for one in (kofi, lena, felix):
        is_live(one)

    asks(hand, path)
    for one in (kofi, lena, felix):
        expect(strip(one)).to_contain_text("A phone would like to sit on Lena’s seat.")
    thumb = Hand(says)
    thumb.tap("Yes")

    sits(hand.phone, path)
    assert hand.taps + thumb.taps == 3
    for one in (kofi, lena, felix):
        expect(strip(one)).to_have_count(0)


@pytest.mark.parametrize("size", [(390, 844), (360, 640)], ids=str)
def test_40_the_question_leaves_pad_and_typed_digits_alone(phone, size):
    kofi, lena = phone("Kofi", width=size[0], height=size[1]), phone("Lena")
    path = begin(kofi, lena)
    open_pad(kofi, "1.B")
    press(kofi, 12)
    hand = Hand(phone("Lena’s browser"))

    asks(hand, path)
    expect(strip(kofi)).to_be_visible()
    are_in_view(kofi, kofi.page.locator("[data-pad]"), strip(kofi), cell(kofi, "1.B"))
    expect(kofi.page.locator("[data-pad-value]")).to_have_value("12")
    Hand(kofi).tap("Yes")

    sits(hand.phone, path)
    expect(kofi.page.locator("[data-pad-value]")).to_have_value("12")
    expect(kofi.page.locator("[data-pad]")).to_be_visible()


def test_40_a_no_is_told(phone):
    kofi, lena = phone("Kofi"), phone("Lena")
    path = begin(kofi, lena)
    hand = Hand(phone("somebody"))

    asks(hand, path)
    Hand(kofi).tap("No")

    told = hand.phone.page.get_by_text("Nobody has said yes to your seat.")
    expect(told).to_be_visible(timeout=PATIENCE)


def test_40_who_looks_at_the_sheet_meanwhile_sits_there_after_the_yes(phone):
    kofi, lena = phone("Kofi"), phone("Lena")
    path = begin(kofi, lena)
    hand = Hand(phone("Lena’s browser"))
    asks(hand, path)

    hand.phone.page.get_by_role("link", name="Look at the sheet meanwhile").tap()
    expect(hand.phone.page.get_by_text("You asked for a seat.")).to_be_visible()
    Hand(kofi).tap("Yes")

    sits(hand.phone, path)
    expect(hand.phone.page.locator("[data-pad]")).to_be_attached()


def test_40_an_app_without_tables_comes_back_with_the_tables_code(phone):
    kofi, lena = phone("Kofi"), phone("Lena")
    path = begin(kofi, lena)
    kofi.open(f"{path}people/")
    code = kofi.page.locator("[data-table-code]").inner_text()
    app = phone("app on the home screen")
    hand = Hand(app)

    app.open("/")
    expect(app.page.get_by_text("Tables of this phone")).to_have_count(0)
    app.page.get_by_label("Somebody else has the table").fill(code.lower())
    hand.tap("Join")
    hand.tap("Lena")
    hand.tap("That is me too")
    kofi.open(path)
    Hand(kofi).tap("Yes")

    sits(app, path)
    assert hand.taps == 3
    app.open("/")
    expect(app.page.get_by_text("Tables of this phone")).to_be_visible()


def test_40_the_old_phones_numbers_are_still_taken(phone, cellar):
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar, times=TIMES)
    path = begin(kofi, lena)
    code, other = seat_code(lena, path), phone("Lena’s browser")
    lena.open(path)
    is_live(lena)
    cellar.black_hole()
    put(lena, "1.A", 3)
    pending(lena, "1.A", 3)

    other.open(path)
    Hand(other).tap("Lena")
    other.page.get_by_label("The seat’s code").fill(code)
    Hand(other).tap("Sit down")
    sits(other, path)
    cellar.signal()

    written(lena, "1.A", 3)
    show([kofi, other, lena], 3, 0)


def test_40_both_phones_of_a_seat_know_that_they_are_two(phone):
    kofi, lena, other = phone("Kofi"), phone("Lena"), phone("Lena’s browser")
    path = begin(kofi, lena)
    code = seat_code(lena, path)
    seat = lena.page.locator("#phones-0")
    expect(seat).to_have_text("this phone")

    other.open(path)
    Hand(other).tap("Lena")
    other.page.get_by_label("The seat’s code").fill(code)
    Hand(other).tap("Sit down")

    expect(seat).to_have_text("this phone and 1 more", timeout=PATIENCE)
    other.open(f"{path}people/")
    expect(other.page.locator("#phones-0")).to_have_text("this phone and 1 more")


def test_40_wrong_codes_close_the_box_and_nothing_else(phone):
    kofi, lena = phone("Kofi"), phone("Lena")
    path = begin(kofi, lena)
    code, stranger = seat_code(lena, path), phone("stranger")
    hand = Hand(stranger)
    stranger.open(path)
    hand.tap("Lena")

    for typed in ["AAAAAA"] * 5 + [code]:
        stranger.page.get_by_label("The seat’s code").fill(typed)
        hand.tap("Sit down")
        error = stranger.page.locator("#code-wrong")
        expect(error).to_be_visible()
    expect(error).to_contain_text("Too many wrong codes.")
    lena.open(path)
    enter(lena, "1.A", 3)
    hand.tap("That is me too")
    kofi.open(path)
    Hand(kofi).tap("Yes")

    sits(stranger, path)


def test_40_a_freed_seat_is_taken_back_with_one_tap(phone):
    kofi, lena = phone("Kofi"), phone("Lena")
    path = begin(kofi, lena)
    is_live(lena)
    frees(kofi, path)

    told = lena.page.get_by_text("The host has freed your seat, Lena.")
    expect(told).to_be_visible(timeout=PATIENCE)
    expect(lena.page.locator("[data-pad]")).to_have_count(0)
    Hand(lena).tap("Take it back")

    sits(lena, path)
    enter(lena, "1.A", 3)


def frees(host, path):
    host.open(f"{path}people/")
    host.page.locator('[data-box="seat-0"]').get_by_role("button", name="Free the seat").tap()
    expect(host.page.locator("#phones-0")).to_have_text("no phone")


def test_40_a_number_that_met_a_freed_seat_is_kept_until_it_is_taken_back(phone, cellar):
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar, times=TIMES)
    path = begin(kofi, lena)
    is_live(lena)
    cellar.black_hole()
    put(lena, "1.A", 3)
    pending(lena, "1.A", 3)
    frees(kofi, path)
    cellar.signal()

    expect(cell(lena, "1.A")).to_have_attribute("data-state", "refused", timeout=PATIENCE)
    lena.page.get_by_role("link", name="Take the seat again").first.tap()
    Hand(lena).tap("Take it back")
    sits(lena, path)
    lena.page.locator("[data-trouble] button").tap()
    answer(lena, "Enter anyway")

    written(lena, "1.A", 3)


def test_40_a_seat_comes_back_without_scripts(phone):
    kofi, lena = phone("Kofi"), phone("Lena")
    path = begin(kofi, lena)
    plain = phone("plain", java_script_enabled=False)
    asks(Hand(plain), path)

    kofi.open(f"{path}people/")
    Hand(kofi).tap("Yes, that is right")

    expect(plain.page.locator("#page")).to_have_attribute("data-role", "player", timeout=PATIENCE)


def test_one_who_only_watches_is_asked_nothing(phone):
    kofi, lena, guest = phone("Kofi"), phone("Lena"), phone("guest")
    path = begin(kofi, lena)
    sit(guest, path, "I’m just watching")
    is_live(guest)

    asks(Hand(phone("Lena’s browser")), path)

    expect(strip(kofi)).to_be_visible()
    expect(guest.page.locator("#requests, .wish:visible")).to_have_count(0)
