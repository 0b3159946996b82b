"""Nobody is left out: axe, small phones, large type."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.walk import EVERYTHING, People

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
OPTIONS = {"runOnly": {"type": "tag", "values": WCAG}, "resultTypes": ["violations"]}
LARGE_TYPE = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html { font-size: 200% }');
  document.adoptedStyleSheets.push(sheet);
}"""
WIDER = """() => document.scrollingElement.scrollWidth > innerWidth + 1
  ? [`${document.scrollingElement.scrollWidth} px wide`] : []"""


def complaints(phone, part):
    """What axe says about the page as it stands, and whether it is wider than the phone."""
    found = Axe().run(phone.page, context=part, options=OPTIONS).response["violations"]
    return phone.page.evaluate(WIDER) + [
        f"{rule['id']}: {node['html'][:120]}" for rule in found for node in rule["nodes"]
    ]


@pytest.mark.parametrize("look", ["light, 320 px", "dark, 200 % text"])
@pytest.mark.parametrize("where", EVERYTHING)
def test_49_no_page_leaves_anybody_out(phone, where, look):
    is_large = look.endswith("text")
    width = {"width": 390 if is_large else 320, "height": 844 if is_large else 640}
    people = People(
        *(phone(name, dark=look.startswith("dark"), **width) for name in ("Lena", "Kofi", "guest"))
    )
    people.sit_down()
    found = {}

    for stop in EVERYTHING[where]:
        at = stop.reach(people)
        if is_large:
            at.page.evaluate(LARGE_TYPE)
        found[stop.name] = complaints(at, stop.part)

    assert {name: said for name, said in found.items() if said} == {}
