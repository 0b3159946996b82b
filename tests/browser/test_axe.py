"""Nobody is left out: axe, small phones, large type."""

import pytest

from tests.browser.axe import WCAG, violations
from tests.browser.walk import EVERYTHING, People

LARGE_TYPE = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html { font-size: 200% }');
  document.adoptedStyleSheets.push(sheet);
}"""
WIDER = """() => document.scrollingElement.scrollWidth > innerWidth + 1
  ? [`${document.scrollingElement.scrollWidth} px wide`] : []"""


def look_light_and_narrow(page):
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 320, "height": 640})


def look_dark_and_large(page):
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate(LARGE_TYPE)


def complaints(page, part):
    """What axe says about the page as it stands, and whether it is wider than the phone."""
    return page.evaluate(WIDER) + violations(page, WCAG, part)


@pytest.mark.timeout(400)  # the longest walk of all
@pytest.mark.parametrize("where", EVERYTHING)
def test_49_no_page_leaves_anybody_out(phone, where):
    """Every page once in light at 320 px, and as it stands there once more, dark, text at 200 %."""
    people = People(*(phone(name) for name in ("Lena", "Kofi", "guest")))
    people.sit_down()
    found = {}

    for stop in EVERYTHING[where]:
        look_light_and_narrow(getattr(people, stop.who).page)
        page = stop.reach(people).page
        found[stop.name, "light, 320 px"] = complaints(page, stop.part)
        look_dark_and_large(page)
        found[stop.name, "dark, 200 % text"] = complaints(page, stop.part)

    assert {stop: said for stop, said in found.items() if said} == {}


def test_axe_sees_what_is_wrong_anywhere_on_a_page(phone):
    guest = phone("guest", width=320, height=640)
    guest.open("/games/schafkopf/")
    guest.page.locator("main p:visible").last.evaluate(
        "text => { text.style.color = 'silver'; text.style.backgroundColor = 'white' }"
    )
    guest.page.locator("main a:visible").last.evaluate("link => link.replaceChildren()")

    found = violations(guest.page, WCAG)

    assert {said.split(":")[0] for said in found} == {"color-contrast", "link-name"}
