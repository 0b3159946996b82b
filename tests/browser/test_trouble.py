"""A phone in the middle of an evening, while the server's disk takes nothing any more."""

import pytest
from playwright.sync_api import expect

from tests.browser.table import FOUR, begin, cell, is_live, ok, open_pad, press, written
from tests.upkeep.trouble import trouble, troubled_server

pytestmark = pytest.mark.sqlite  # whose own limits make the trouble

TIMES = {"sendFirst": 200, "sendMost": 500, "probe": 500}
SAID = "This server’s disk takes nothing more. What was entered before is kept."


@pytest.fixture
def troubled(store):
    """A server whose machine gets into trouble when a test says so."""
    with troubled_server(store) as server:
        yield server


def test_a_number_stays_on_the_phone_until_the_disk_takes_it(phone, troubled):
    lena = phone("Lena", url=troubled.url, times=TIMES)
    kofi = phone("Kofi", url=troubled.url, times=TIMES)
    path = begin(lena, kofi, game="schafkopf")
    is_live(kofi)

    with kofi.expecting("503"):  # some may still be on their way afterwards
        with trouble(troubled, read_only=True):
            open_pad(kofi, "1.1")
            press(kofi, 8)
            ok(kofi).tap()
            expect(kofi.page.locator("#question")).to_contain_text(SAID)
            kofi.page.locator("#question").get_by_role("button", name="OK").tap()
            expect(cell(kofi, "1.1")).to_have_attribute("data-state", "pending")
            expect(cell(kofi, "1.1").locator("b")).to_have_text("8")
            kofi.open(path)
            expect(cell(kofi, "1.1")).to_have_attribute("data-state", "pending")
        written(kofi, "1.1", 8)


def test_a_whole_row_says_why_it_was_not_taken_and_goes_once_more(phone, troubled):
    lena = phone("Lena", url=troubled.url, times=TIMES)
    begin(lena)
    is_live(lena)

    with lena.expecting("503"), trouble(troubled, read_only=True):
        open_pad(lena, "1.A")
        press(lena, 3)
        ok(lena).tap()
        said = lena.page.locator("[data-pad-answer]")
        expect(said).to_contain_text(SAID)

    said.get_by_role("button", name="Try again").tap()
    written(lena, "1.A", 3)


def test_a_form_that_could_not_be_taken_is_sent_once_more_as_it_was(phone, troubled):
    lena = phone("Lena", url=troubled.url)
    lena.open("/new/bauernstoss/")
    for line, name in enumerate(FOUR):
        lena.page.fill(f"#player-{line}", name)

    with lena.expecting("503"), trouble(troubled, read_only=True):
        lena.page.get_by_role("button", name="Start the table").tap()
        expect(lena.page.locator("h1")).to_have_text("Nothing can be written just now")
        expect(lena.page.locator(".oops")).to_contain_text(SAID)

    lena.page.get_by_role("button", name="Send it once more").tap()
    expect(lena.page.locator("#page")).to_have_attribute("data-role", "host")
    expect(lena.page.locator("#nA")).to_contain_text("Lena")
