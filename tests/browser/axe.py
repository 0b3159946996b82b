"""What axe finds on a page, by the rules of WCAG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
BEST = (*WCAG, "best-practice")
OF_COLOURS = ("color-contrast", "link-in-text-block")
SCRIPT = Axe().axe_script
IS_THERE = "() => 'axe' in window"
RUN = """async ([part, runOnly]) => {
  const {violations} = await axe.run(part ?? document, {runOnly, resultTypes: ['violations']});
  return violations.flatMap(({id, nodes}) => nodes.map(({html}) =>
    `${id}: ${html.slice(0, 120)}`));
}"""


def violations(page: Page, tags: Sequence[str] = BEST, part: str | None = None) -> list[str]:
    """What is wrong with the page as it stands, or with a part of it: rule and element."""
    return _run(page, {"type": "tag", "values": list(tags)}, part)


def violations_in_any_light(page: Page, part: str | None = None) -> list[str]:
    """The same for a light page, and what is wrong with its colours when it is dark."""
    page.emulate_media(color_scheme="dark")
    in_the_dark = _run(page, {"type": "rule", "values": list(OF_COLOURS)}, part)
    page.emulate_media(color_scheme="light")
    return violations(page, part=part) + [f"dark: {said}" for said in in_the_dark]


def _run(page: Page, rules: dict[str, object], part: str | None) -> list[str]:
    if not page.evaluate(IS_THERE):
        page.evaluate(SCRIPT)
    found: list[str] = page.evaluate(RUN, [part, rules])
    return found
