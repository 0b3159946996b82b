"""Long names and strange ones, narrow phones, long evenings: everything stays in its place."""

import pytest
from playwright.sync_api import expect

from tests.browser.table import (
    NO_LINE,
    begin,
    cell,
    chip,
    end_by_tap,
    enter,
    ok,
    open_pad,
    press,
    set_up,
    show,
    status,
    tool,
    type_digits,
    written,
)

LONG = "Maximilian-Alexander von und zu Hohenbur"
UNBROKEN = "W" * 40
FAMILY = "👩‍👩‍👧‍👦" * 40
FLAGS = "🏴󠁧󠁢󠁳󠁣󠁴󠁿🇦🇹🇩🇪🏳️‍🌈" * 10
STACKED = "Z̷̢͎͗a̶͚͛l̴͈̀g̷̯̓o̸̤͐" * 8
RIGHT_TO_LEFT = "محمد بن عبد الله بن عبد المطلب بن هاشم"
NAMES = {
    "bauernstoss": (LONG, FAMILY, UNBROKEN, RIGHT_TO_LEFT),
    "schafkopf": (STACKED, UNBROKEN, FLAGS, RIGHT_TO_LEFT),
}
COLUMNS = {"bauernstoss": "AB", "schafkopf": "0123"}
SMALL = [(360, 640), (320, 640)]


def fits(phone):
    """Nothing is wider than the phone."""
    width = phone.page.viewport_size["width"]
    assert phone.page.evaluate("document.scrollingElement.scrollWidth") <= width, phone.page.url
    assert phone.page.evaluate("innerWidth") == width, phone.page.url


def are_in_view(phone, *locators):
    """Parts are on the screen, whole, and nothing lies over them."""
    for locator in locators:
        expect(locator).to_be_visible()
        assert locator.evaluate(OUT_OF_VIEW) == "", locator


OUT_OF_VIEW = """element => {
  const box = element.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const isInside = box.x > -1 && box.y > -1 && box.right < innerWidth + 1
    && box.bottom < innerHeight + 1;
  if (!isInside) return JSON.stringify(box);
  const upper = document.elementFromPoint(x, y);
  const isSeen = element.contains(upper) || upper?.contains(element);
  return isSeen ? '' : `under ${upper?.outerHTML.slice(0, 200)}`;
}"""


def the_place_and_the_totals_are_in_view(phone, place):
    page = phone.page
    pad = (page.locator("[data-pad]"), page.locator("[data-pad-value]"))
    are_in_view(phone, *page.locator("[data-total]").all(), *pad, cell(phone, place))


@pytest.mark.parametrize("size", SMALL, ids=str)
@pytest.mark.parametrize("game", COLUMNS)
def test_no_name_pushes_anything_off_a_small_phone(phone, game, size):
    host, guest = (phone(name, width=size[0], height=size[1]) for name in ("host", "guest"))
    table = set_up(host, game, names=NAMES[game], holder=1)
    guest.open(table)
    fits(guest)

    for path in ("/", "people/", "house/", "evening/", f"m/1/r/1/{COLUMNS[game][0]}/", ""):
        host.open(path if path == "/" else f"{table}{path}")
        fits(host)
    for column in COLUMNS[game]:
        open_pad(host, f"1.{column}")
        fits(host)
        the_place_and_the_totals_are_in_view(host, f"1.{column}")
    host.page.locator("[data-dealer]").tap()
    fits(host)
    are_in_view(host, host.page.get_by_role("region", name="Who deals"))
    if game == "schafkopf":
        enter_the_whole_deal(host)
    else:
        enter(host, "1.A", 3)
    end_by_tap(host)
    status([guest], "banked" if game == "schafkopf" else "ended-early")
    for one in (host, guest):
        fits(one)
        are_in_view(one, *one.page.locator("[data-total]").all())
    are_in_view(host, tool(host, "Next match"))


def enter_the_whole_deal(host):
    """Two winners of 14, the others nothing, on one phone."""
    type_digits(host, "1.0", 14)
    cell(host, "1.1").tap()
    press(host, 14)
    host.page.get_by_role("button", name="The others 0").tap()
    ok(host).tap()
    for seat, number in enumerate((14, 14, 0, 0)):
        written(host, f"1.{seat}", number)


def test_the_edited_cell_both_totals_and_the_pad_are_seen_together(phone):
    host = phone("Lena")
    begin(host)
    host.page.locator("#chalk").get_by_role("button", name="Lena & Felix").tap()
    expect(host.page.locator('[data-chalk="A"]')).to_have_count(1)
    for number in range(1, 7):
        enter(host, f"{number}.A", 1)

    for width, height in ((360, 640), (390, 844), (844, 390), (360, 330)):
        host.page.set_viewport_size({"width": width, "height": height})
        for place in ("7.B", "3.A"):
            open_pad(host, place)
            the_place_and_the_totals_are_in_view(host, place)
            are_in_view(host, chip(host, 12))
            host.page.get_by_role("button", name="Close").tap()


def test_sixty_deals_leave_the_newest_at_the_pad_and_the_totals_in_view(phone):
    host = phone("host", width=360, height=640)
    table = set_up(host, holder=0, taps=[NO_LINE])
    for number in range(1, 61):
        points = {"A": "1", "B": "0"} if number % 2 else {"A": "0", "B": "2"}
        assert post_row(host, f"{table}m/1/r/{number}/", points) == 200

    host.open(table)
    show([host], 30, 60)
    the_place_and_the_totals_are_in_view(host, "61.A")
    enter(host, "61.A", 1)
    show([host], 31, 60)
    expect(host.page.locator("[data-pad]")).to_have_attribute("data-pad-cell", "62")
    the_place_and_the_totals_are_in_view(host, "62.A")
    host.page.locator(".sheet").evaluate("sheet => { sheet.scrollTop = -sheet.scrollHeight }")
    are_in_view(host, cell(host, "1.A"))
    open_pad(host, "1.A")
    the_place_and_the_totals_are_in_view(host, "1.A")
    enter(host, "1.A", 3)

    show([host], 33, 60)
    fits(host)


def post_row(phone, path, points):
    """Write a whole row as the page does, without the taps; the status of the answer."""
    return phone.page.evaluate(
        """async ([path, points]) => {
          const fields = new URLSearchParams({op: crypto.randomUUID(), base: 0});
          for (const column in points) fields.set(`value_${column}`, points[column]);
          const token = document.cookie.match(/csrftoken=([^;]+)/)[1];
          const headers = {'X-CSRFToken': token, 'HX-Request': 'true'};
          return (await fetch(path, {method: 'POST', body: fields, headers})).status;
        }""",
        [path, points],
    )
