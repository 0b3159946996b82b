"""Take the pictures: ``python -m gallery [--quick] [words of scenes' names ...]``.

Every scene in two sizes, light and dark, English and German, into ``build/gallery/``, with an
``index.html`` and contact sheets. ``--quick`` takes one size, light, in German.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin

from playwright.sync_api import Error, sync_playwright

from gallery.scenes import Scene, scenes
from gallery.tables import Scenery, set_the_scene
from tests.browser.find import MISSING, find
from tests.serving import free_port, manage, start_server, stop_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

INTO = Path("build/gallery")
SIZES = ((390, 844), (360, 640))
TV_SIZE = (1280, 720)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
SHEET_WIDTH = 2400  # pixels of a contact sheet


class Look(NamedTuple):
    """A way to see all scenes."""

    language: str
    theme: str
    size: tuple[int, int]

    @property
    def name(self) -> str:
        """Its folder."""
        return f"{self.language}-{self.theme}-{self.size[0]}x{self.size[1]}"


def main(arguments: list[str]) -> int:
    """Take all pictures, or those of scenes whose names hold one of the words."""
    parser = argparse.ArgumentParser(prog="make gallery", description=__doc__)
    parser.add_argument("words", nargs="*", help="parts of scenes' names")
    parser.add_argument("--quick", action="store_true", help="one size, light, in German")
    options = parser.parse_args(arguments)
    looks = [Look(*one) for one in product(("en", "de"), ("light", "dark"), SIZES)]
    if options.quick:
        looks = [Look("de", "light", SIZES[0])]
    path = find()
    if path is None:
        print(MISSING, file=sys.stderr)
        return 1
    shutil.rmtree(INTO, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        data_dir = Path(folder) / "data"
        manage("migrate", "--verbosity", "0", data_dir=data_dir)
        manage("collectstatic", "--noinput", "--verbosity", "0", data_dir=data_dir)
        without_store = Path(folder) / "broken"
        shutil.copytree(data_dir / "static", without_store / "static")
        log = Path(folder) / "log"
        port, broken = free_port(), free_port()
        servers = [start_server(data_dir, port, log), start_server(without_store, broken, log)]
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            scenery = set_the_scene(browser, f"http://127.0.0.1:{port}")
            scenery.paths["broken"] = f"http://127.0.0.1:{broken}/t/no-store-here/"
            missed = _take_all(browser, scenery, looks, options.words)
        finally:
            browser.close()
            for server in servers:
                stop_server(server)
    return 1 if missed else 0


def _take_all(browser: Browser, scenery: Scenery, looks: list[Look], words: list[str]) -> int:
    """Take what is wanted; how many could not be taken."""
    wanted = [
        scene
        for scene in scenes(scenery.paths)
        if not words or any(word in scene.name for word in words)
    ]
    missed = 0
    for look in looks:
        (INTO / look.name).mkdir(parents=True)
        for scene in wanted:
            missed += not _take(browser, scenery, look, scene)
        _contact_sheet(browser, look, wanted)
        print(f"{INTO / look.name}: {len(wanted)} pictures")
    scenery.close()
    (INTO / "index.html").write_text(_index([look.name for look in looks], wanted))
    return missed


def _take(browser: Browser, scenery: Scenery, look: Look, scene: Scene) -> bool:
    """One picture; whether it could be taken as the scene says."""
    width, height = TV_SIZE if scene.name == "tv" else look.size
    options: dict[str, Any] = {
        "viewport": {"width": width, "height": height},
        "device_scale_factor": 1 if scene.name == "tv" else 2,
        "has_touch": True,
        "is_mobile": scene.name != "tv",
        "color_scheme": look.theme,
        "locale": {"en": "en-GB", "de": "de-DE"}[look.language],
        "timezone_id": "Europe/Berlin",
    }
    if scene.who != "stranger":
        options["storage_state"] = scenery.people[scene.who].storage_state()
    context = browser.new_context(**options)
    context.set_default_timeout(5_000)
    page = context.new_page()
    try:
        page.goto(urljoin(scenery.home, scene.path))
        page.wait_for_timeout(250)
        scene.act(page)
        page.wait_for_timeout(200)
    except Error as error:
        print(f"{look.name}/{scene.name}: {error.message.splitlines()[0]}", file=sys.stderr)
        return False
    finally:
        page.screenshot(path=INTO / look.name / f"{scene.name}.png")
        context.close()
    return True


def _index(folders: list[str], wanted: list[Scene]) -> str:
    """A page with every picture, a scene in each row."""
    figures = "".join(
        f"<h2>{scene.name}</h2><p>"
        + "".join(f'<img loading="lazy" src="{one}/{scene.name}.png" alt="">' for one in folders)
        for scene in wanted
    )
    style = "body{font:14px sans-serif;background:#888}img{width:24%;margin:.4%;vertical-align:top}"
    return (
        f"<!doctype html><meta charset=utf-8><title>Gallery</title><style>{style}</style>{figures}"
    )


def _contact_sheet(browser: Browser, look: Look, wanted: list[Scene]) -> None:
    """All pictures of one look on one."""
    folder = (INTO / look.name).resolve()
    figures = "".join(
        f'<figure><img src="file://{folder}/{scene.name}.png"><figcaption>{scene.name}</figcaption></figure>'
        for scene in wanted
    )
    style = (
        "body{margin:8px;background:#888;display:grid;grid-template-columns:repeat(8,1fr);gap:8px;"
        "font:14px sans-serif}figure{margin:0}img{width:100%}"
    )
    page_file = folder / "contact.html"
    page_file.write_text(f"<!doctype html><meta charset=utf-8><style>{style}</style>{figures}")
    page = browser.new_page(viewport={"width": SHEET_WIDTH, "height": 800})
    page.goto(page_file.as_uri())
    page.screenshot(path=INTO / f"{look.name}.png", full_page=True)
    page.close()
    page_file.unlink()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
