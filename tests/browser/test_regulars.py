"""The regulars on phones: a group is started, its link is sent on, somebody else looks."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.table import begin, post, write_deal

LONG = "Annegret Schwarzenberger-Rautenstrauch M"  # 40 characters


def play(host, path, *rows):
    """A match of Schafkopf from its first deal to its end."""
    for number, row in enumerate(rows, start=1):
        write_deal(host, path, number, *row)
    post(host, f"{path}m/1/end/", {"sure": "1"})


@pytest.mark.parametrize("width", [320, 390])
def test_a_group_is_started_by_one_phone_and_looked_at_by_another(phone, width):
    host, kofi = (phone(name, width=width, height=640) for name in ("Lena", "Kofi"))
    path = begin(host, kofi, game="schafkopf")
    post(host, f"{path}people/", {"do": "rename", "seat": "3", "name": LONG})
    play(host, path, (14, 14, 0, 0), (0, 20, 20, 20))

    host.open(f"{path}people/")
    host.page.get_by_role("link", name="Regulars and ranking").tap()
    host.page.get_by_label("A new group").fill("Thursday round")
    host.page.get_by_role("button", name="Start it").tap()
    expect(host.page.get_by_role("heading", name="Thursday round")).to_be_visible()
    host.page.get_by_role("button", name="Copy").tap()
    expect(host.page.get_by_role("button", name="Copied")).to_be_visible()
    link = host.page.evaluate(
        "(box => box.value.slice(box.selectionStart, box.selectionEnd))(document.activeElement)"
    )
    guest = phone("guest", width=width, height=640)
    for one, address in ((kofi, f"{path}regulars/"), (guest, re.sub("^https?://[^/]+", "", link))):
        one.open(address)
        if one is kofi:
            one.page.get_by_role("link", name="To the ranking").tap()
        first = one.page.locator(".ranking tbody tr").first
        expect(first).to_contain_text("+12 units")
        expect(first.locator("bdi")).to_have_text("Kofi")
        wide = one.page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        assert wide <= 0
        expect(one.page.get_by_role("row", name=LONG).first).to_be_visible()
    expect(guest.page.locator(f'main a[href^="{path}"]')).to_have_count(0)
    expect(kofi.page.locator(f'main a[href="{path}"]')).to_have_count(1)


def test_the_regulars_need_no_scripts(phone):
    host = phone("Lena", java_script_enabled=False)
    path = begin(host, game="schafkopf")
    play(host, path, (14, 14, 0, 0))

    host.open(f"{path}regulars/")
    host.page.get_by_label("A new group").fill("Thursday round")
    host.page.get_by_role("button", name="Start it").tap()
    expect(host.page.get_by_role("button", name="Copy")).to_be_hidden()
    host.page.get_by_role("link", name="To the ranking").tap()
    expect(host.page.locator(".ranking tbody tr")).to_have_count(4)
    host.page.locator("summary", has_text="Felix").tap()
    expect(host.page.get_by_role("table", name="Felix against the others")).to_be_visible()
