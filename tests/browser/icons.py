"""Draws the icons of home screens from ``static/icons/scoresheet.svg``: ``make icons``.

The pictures are checked in, for a phone asks for PNGs; draw them anew when the SVG changes.
"""

import base64
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import sync_playwright

from tests.browser.find import MISSING, find

ICONS = Path(__file__).resolve().parents[2] / "static" / "icons"
SOURCE = ICONS / "scoresheet.svg"
SLATE = "#14181B"  # the SVG's own ground, where a picture has to reach its corners


class Icon(NamedTuple):
    """One picture: its size in pixels, and how much of it the drawing takes."""

    name: str
    size: int
    ground: str = SLATE
    part: int = 100  # per cent


WANTED = (
    Icon("favicon", 32, ground="transparent"),
    Icon("icon-192", 192, ground="transparent"),
    Icon("icon-512", 512, ground="transparent"),
    Icon("maskable-512", 512, part=76),  # any shape leaves a circle of four fifths
    Icon("apple-touch-icon", 180, part=92),  # iOS rounds the corners itself and knows no glass
)


def page_of(icon: Icon) -> str:
    """The drawing in the middle of its ground."""
    drawing = base64.b64encode(SOURCE.read_bytes()).decode()
    return (
        f"<style>body {{ margin: 0; background: {icon.ground}; height: {icon.size}px;"
        f" display: grid; place-items: center }} img {{ width: {icon.part}% }}</style>"
        f"<img src='data:image/svg+xml;base64,{drawing}'>"
    )


def main() -> None:
    """Draw all of them."""
    path = find()
    if path is None:
        raise SystemExit(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for icon in WANTED:
            page = browser.new_page(viewport={"width": icon.size, "height": icon.size})
            page.set_content(page_of(icon))
            page.screenshot(path=ICONS / f"{icon.name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
