"""A short evening on phones without scripts: plain links and plain forms do all of it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.table import cell, entries, say_who, set_up, sheet, status, tool


@pytest.fixture
def pair(phone):
    """Lena, who is host, and Kofi of the other side, both without scripts; the table’s path."""
    lena, kofi = (phone(name, java_script_enabled=False) for name in ("Lena", "Kofi"))
    table = set_up(lena, holder=0)
    lena.page.get_by_role("link", name="Invite: code and QR").tap()
    code = lena.page.locator("[data-table-code]").inner_text()
    lena.page.get_by_role("link", name="Back to the sheet").tap()
    kofi.open("/")
    kofi.page.fill("#code", code)
    kofi.page.get_by_role("button", name="Join").tap()
    say_who(kofi, "Kofi")
    return lena, kofi, table


def write(phone, place, number):
    """Tap the cell, tap a number on its page; back on the sheet."""
    cell(phone, place).get_by_role("link").tap()
    phone.page.locator(f'[data-chip="{number}"]').tap()
    phone.page.wait_for_url(re.compile(rf"#r{place.split('.')[0]}$"))


def type_in(phone, place, text):
    """Tap the cell and type on its page instead."""
    cell(phone, place).get_by_role("link").tap()
    phone.page.get_by_label("scored").fill(text)
    phone.page.get_by_role("button", name="Enter", exact=True).tap()


def test_a_short_evening_needs_no_script(pair):
    lena, kofi, table = pair

    lena.page.locator("#chalk").get_by_role("button", name="Kofi & Nora").tap()
    expect(lena.page.locator('[data-chalk="B"]')).to_be_visible()
    tool(lena, "Thrown in").tap()
    expect(lena.page.locator("[data-dash]")).to_have_text("thrown in, Lena gave")
    lena.page.get_by_role("button", name="Take the thrown-in hand back").tap()
    expect(lena.page.locator("[data-dash]")).to_have_count(0)

    write(lena, "1.A", 2)
    kofi.page.reload()
    write(kofi, "1.B", 0)
    type_in(lena, "2.A", "1")
    lena.page.wait_for_url("**/#r2")
    write(lena, "1.A", 3)
    expect(cell(lena, "1.A")).to_have_attribute("data-state", "corrected")
    expect(lena.page.locator("[data-total]")).to_have_text(["4", "0"])
    kofi.page.reload()
    expect(kofi.page.locator("[data-total]")).to_have_text(["4", "0"])
    expect(kofi.page.locator("[data-dealer]")).to_have_text("Felix")

    tool(kofi, "End match").tap()
    expect(kofi.page.get_by_role("heading", name="End this match?")).to_be_visible()
    expect(kofi.page.get_by_text("Deal 2: Kofi & Nora is open")).to_be_visible()
    kofi.page.get_by_role("link", name="Play on").tap()
    assert sheet(kofi, table)["status"] == "open"
    tool(kofi, "End match").tap()
    kofi.page.get_by_role("button", name="End match").tap()
    expect(kofi.page.locator("#verdict")).to_contain_text("Ended early, Lena & Felix in front")
    tool(kofi, "Take back").tap()
    status([kofi], "open")
    write(kofi, "2.B", 0)
    tool(kofi, "End match").tap()
    kofi.page.get_by_role("button", name="End match").tap()
    status([kofi], "ended-early")

    tool(kofi, "Next match").tap()
    kofi.page.wait_for_url(f"**{table}m/2/")
    expect(kofi.page.locator("[data-total]")).to_have_text(["0", "0"])
    lena.page.reload()
    lena.page.get_by_role("link", name="Go there").or_(cell(lena, "1.A")).first.tap()
    assert entries(lena, table) == [[3, 0], [1, 0]]


def test_what_cannot_be_is_refused_with_the_text_kept(pair):
    lena, kofi, table = pair
    answer = kofi.page.get_by_role("alert")

    type_in(kofi, "1.B", "zwei")
    expect(answer).to_contain_text("“zwei” is not a whole number")
    expect(kofi.page.get_by_label("scored")).to_have_value("zwei")
    kofi.page.get_by_label("scored").fill("8")
    kofi.page.get_by_role("button", name="Enter", exact=True).tap()
    answer.get_by_role("link", name="No").tap()
    assert entries(kofi, table) == []

    lena.page.reload()
    write(lena, "1.A", 3)
    kofi.page.reload()
    type_in(kofi, "1.B", "3")
    expect(answer).to_contain_text("Lena & Felix: 3")
    expect(kofi.page.get_by_label("scored")).to_have_value("3")
    answer.get_by_role("button", name="Enter 0").tap()
    kofi.page.wait_for_url("**/#r1")
    assert entries(kofi, table) == [[3, 0]]

    type_in(kofi, "2.B", "12")
    kofi.page.wait_for_url("**/#r2")
    cell(kofi, "2.B").get_by_role("link").tap()
    lena.page.reload()
    write(lena, "2.B", 8)
    kofi.page.get_by_role("button", name="Clear").tap()
    expect(answer).to_contain_text(re.compile(r"Lena wrote 8 .*, you cleared it\."))
    answer.get_by_role("link", name="Keep 8").tap()
    assert entries(kofi, table) == [[3, 0], [None, 8]]


def test_one_phone_without_scripts_writes_a_whole_deal(phone):
    host = phone("host", java_script_enabled=False)
    table = set_up(host, "schafkopf")

    cell(host, "1.0").get_by_role("link").tap()
    for seat, number in enumerate((14, 14, 0, 7)):
        host.page.locator(f"[name=value_{seat}]").fill(str(number))
    host.page.get_by_role("button", name="Enter the deal").tap()
    expect(host.page.get_by_role("alert")).to_be_visible()
    expect(host.page.locator("[name=value_3]")).to_have_value("7")
    assert entries(host, table) == []
    host.page.locator("[name=value_3]").fill("0")
    host.page.get_by_role("button", name="Enter the deal").tap()

    expect(host.page.locator("[data-total]")).to_have_text(["14", "14", "0", "0"])
    assert entries(host, table) == [[14, 14, 0, 0]]
