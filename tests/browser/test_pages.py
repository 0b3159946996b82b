"""Set-up, seats and people in a hand: taps, narrow phones, and nobody left out."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.browser.axe import violations_in_any_light

LONG = (
    "Maximilian-Alexander von und zu Hohenbur",
    "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿 Jonas-Überlinger-Donaudampf",
    "Felix",
    "Nora",
)
SMALLEST_TARGET = 47.5  # px; 48 but for rounding


def fill_in(phone, names, game="bauernstoss"):
    phone.open(f"/new/{game}/")
    for line, name in enumerate(names):
        phone.page.fill(f"#player-{line}", name)


def start(phone, names=LONG, game="bauernstoss", holder=0):
    """Start a table and give its address."""
    fill_in(phone, names, game)
    phone.page.locator(f"label[for=holder-{holder}]").click()
    phone.page.get_by_role("button", name="Start the table").click()
    phone.page.wait_for_url(re.compile("/t/"))
    return re.sub(r".*(/t/[^/]+/).*", r"\1", phone.page.url)


def seats(phone, table):
    phone.open(f"{table}people/")
    return phone.page.locator('[data-box^="seat-"] .who bdi').all_inner_texts()


@contextmanager
def judged(phone) -> Iterator[None]:
    """Nothing to complain about for axe, light and dark, for thumbs and narrow screens."""
    yield
    assert violations_in_any_light(phone.page) == []
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert phone.page.evaluate(TOO_SMALL, SMALLEST_TARGET) == []


TOO_SMALL = """smallest => [...document.querySelectorAll(
    'main :is(a, button, input:not([type=hidden]), select, textarea, summary, label.chip)')]
  .filter(e => e.checkVisibility() && !e.matches('.pick > input'))
  .map(e => [e.outerHTML.slice(0, 100), e.getBoundingClientRect()])
  .filter(([, r]) => r.width < smallest || r.height < smallest)
  .map(([html, r]) => `${html} ${r.width}x${r.height}`)"""


@pytest.mark.parametrize(
    ("tapped", "seated"),
    [
        ((0, 1), ["Lena", "Felix", "Kofi", "Nora"]),
        ((1, 0), ["Lena", "Felix", "Kofi", "Nora"]),
        ((0, 3), ["Lena", "Kofi", "Nora", "Felix"]),
        ((1, 3), ["Lena", "Kofi", "Felix", "Nora"]),
        ((2, 3), ["Lena", "Felix", "Kofi", "Nora"]),
        ((1, 2), ["Lena", "Kofi", "Nora", "Felix"]),
    ],
)
def test_any_two_that_are_tapped_become_partners(phone, tapped, seated):
    lena = phone("Lena")
    fill_in(lena, ("Lena", "Kofi", "Felix", "Nora"))

    for line in tapped:
        lena.page.locator(f'[data-partner="{line}"]').click()
    said = lena.page.locator("#say").inner_text()
    lena.page.get_by_role("button", name="Start the table").click()
    lena.page.wait_for_url(re.compile("/t/"))
    table = re.sub(r".*(/t/[^/]+/).*", r"\1", lena.page.url)

    assert said == "{0} & {2} against {1} & {3}".format(*seated)
    assert seats(lena, table) == seated


def test_a_partner_moves_across_the_table(phone):
    lena = phone("Lena")
    fill_in(lena, ("Lena", "Kofi", "Felix", "Nora"))

    def top(line):
        return lena.page.locator(f"#player-{line}").bounding_box()["y"]

    felix_across = top(2) < top(1)
    lena.page.locator('[data-partner="0"]').click()
    lena.page.locator('[data-partner="1"]').click()

    assert felix_across
    assert top(1) < top(2) < top(0)


def test_a_typed_line_chooses_itself(phone):
    lena = phone("Lena")
    lena.open("/new/bauernstoss/")

    lena.page.get_by_text("House rules").click()
    lena.page.fill("[name=line_number]", "30")

    assert lena.page.locator("#line-number").is_checked()


def test_a_table_is_started_and_joined_without_scripts(phone):
    lena = phone("Lena", java_script_enabled=False)
    kofi = phone("Kofi", java_script_enabled=False)

    table = start(lena, ("Lena", "Kofi", "Felix", "Nora"))
    lena.open(f"{table}people/")
    code = lena.page.locator("[data-table-code]").inner_text()
    kofi.open("/")
    kofi.page.fill("#code", code.lower())
    kofi.page.get_by_role("button", name="Join").click()
    kofi.page.get_by_role("button", name="Kofi").click()

    assert kofi.page.url.endswith(table)
    assert "Who are you?" not in kofi.page.content()


def test_a_yes_brings_the_waiting_phone_to_the_table(phone):
    lena, other = phone("Lena"), phone("Lena’s other phone")
    table = start(lena, ("Lena", "Kofi", "Felix", "Nora"))
    lena.open(f"{table}people/")

    other.open(table)
    other.page.get_by_role("button", name="Lena").click()
    other.page.get_by_role("button", name="That is me too").click()
    lena.page.get_by_role("button", name="Yes, that is right").click()

    other.page.wait_for_url(re.compile(f"{table}$"))


@pytest.mark.timeout(400)  # sixteen pages, each in two lights
def test_pages_leave_nobody_out_on_a_narrow_phone(phone):
    host = phone("host", width=320, height=640)
    guest = phone("guest", width=320, height=640)
    table = start(host, holder=1)

    for path in (
        "/", "/join/", "/new/bauernstoss/", "/new/schafkopf/", "/games/bauernstoss/",
        "/games/bauernschnapsen/", "/games/schafkopf/", f"{table}people/", f"{table}house/",
    ):  # fmt: skip
        with judged(host):
            host.open(path)
    for path in (f"{table}people/", f"{table}house/", "/j/QQQQQQ/", "/nothing/"):
        with judged(guest):
            guest.open(path)
    with judged(guest):
        guest.open(f"{table}people/")
        guest.page.get_by_role("button", name="That is me").nth(1).click()
    with judged(guest):
        guest.page.get_by_role("button", name="That is me too").click()
    with judged(host):
        host.open(f"{table}people/")
        host.page.get_by_text("Rename").first.click()
    with judged(host):
        fill_in(host, ("Lena", "LENA", "", "x" * 41))
        host.page.get_by_text("House rules").click()
        host.page.get_by_role("button", name="Start the table").click()
