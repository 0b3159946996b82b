"""News that changes more than a number: house rules, a wish for a seat, the end."""

import uuid

from playwright.sync_api import expect

from tests.browser.table import begin, cell, end_by_tap, post, set_up


def test_house_rules_that_change_reach_the_keys_and_the_line_of_every_phone(phone):
    lena, kofi = phone("Lena"), phone("Kofi")
    table = begin(lena, kofi, game="bauernschnapsen")
    expect(kofi.page.locator('[data-chip="10"]')).to_be_visible()

    post(lena, f"{table}house/", {"zehner_gang": "0", "line": "18"})

    expect(kofi.page.get_by_text("Match 1 · to 18")).to_be_visible()
    expect(kofi.page.locator('[data-chip="10"]')).to_have_count(0)
    expect(kofi.page.locator('[data-chip="9"]')).to_be_visible()


def test_a_wish_for_a_seat_is_seen_on_the_sheets_of_those_who_can_say_yes(phone):
    lena, kofi, other = phone("Lena"), phone("Kofi"), phone("other")
    table = begin(lena, kofi)
    other.open(table)

    post(other, f"{table}seat/", {"seat": "1", "me": "1"}, status=409)

    for one in (lena, kofi):
        wish = one.page.locator("[data-request]")
        expect(wish).to_contain_text("A phone would like to sit on Kofi’s seat.")
        expect(wish.get_by_role("button", name="Yes")).to_be_visible()


def test_digits_typed_for_one_side_of_a_whole_deal_leave_the_other_nothing(phone):
    host = phone("host")
    set_up(host, "bauernschnapsen")
    cell(host, "1.A").tap()
    host.page.get_by_role("button", name="Digits").tap()

    host.page.locator('[data-key="8"]').tap()
    host.page.locator('[data-key="ok"]').tap()

    expect(cell(host, "1.A")).to_have_attribute("data-value", "8")
    expect(cell(host, "1.B")).to_have_attribute("data-value", "0")


def test_long_totals_stay_in_one_line_after_the_end(phone):
    lena = phone("Lena", width=320, height=640)
    table = begin(lena, game="schafkopf")
    row = {"value_0": "832", "value_1": "0", "value_2": "0", "value_3": "0"}
    post(lena, f"{table}m/1/r/1/", {**row, "op": str(uuid.uuid4()), "base": "0"})
    expect(lena.page.locator('[data-total="0"]')).to_have_text("832")
    end_by_tap(lena)
    expect(lena.page.locator("#page")).to_have_attribute("data-status", "banked")

    lines = lena.page.evaluate(
        """() => { const range = document.createRange();
             range.selectNodeContents(document.querySelector('[data-total="0"]'));
             return range.getClientRects().length; }"""
    )

    assert lines == 1
    assert lena.page.evaluate("document.scrollingElement.scrollWidth") == 320


def test_keys_that_type_look_unlike_those_that_write_and_ok_can_be_read(phone):
    lena = phone("Lena")
    begin(lena, game="schafkopf")
    ground, raised = (
        "element => getComputedStyle(element).backgroundColor",
        "element => getComputedStyle(element).boxShadow",
    )

    typing, writing = lena.page.locator('[data-key="2"]'), lena.page.locator('[data-chip="2"]')
    enters = lena.page.locator('[data-key="ok"]')

    assert typing.evaluate(raised) == "none"
    assert writing.evaluate(raised) != "none"
    assert enters.evaluate(ground) == lena.page.locator("body").evaluate(
        "element => getComputedStyle(element).color"
    )
