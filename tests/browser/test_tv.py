"""The sheet on the wall, read from across the room: statement 46, with 18 to 20 in it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.table import (
    NO_LINE,
    begin,
    end_by_tap,
    enter,
    hide,
    is_live,
    light,
    say_who,
    set_up,
    show,
    tool,
)
from tests.browser.test_names import NAMES

SCREENS = {"full hd": (1920, 1080), "hd": (1280, 720)}
OTHERS = {"upright": (720, 1280), "phone": (390, 844), "phone on its side": (844, 390)}
SIZES: dict[str, tuple[int, int]] = {**SCREENS, **OTHERS}
# Rows, and what the first column comes to: as many digits as a match has.
MATCHES: dict[str, tuple[list[tuple[int, ...]], str]] = {
    "bauernstoss": ([(3, 0), (0, 12), (12, 0)], "15"),
    "bauernschnapsen": ([(12, 0), (0, 3)], "12"),
    "schafkopf": ([(60, 0, 0, 0), (60, 0, 0, 0), (0, 30, 30, 0)], "120"),
}
TIMES = {"probe": 500, "poll": 1000, "timeout": 2500, "goAfter": 500, "wall": 1000}
SILENCE = {"late": 11_000, "off": 12_000}  # a beat comes every 10 s
OFF = re.compile(r"^no signal since \d\d:\d\d$")


@pytest.fixture
def wall(phone):
    """A function that hangs up a television: a browser that nobody at the table knows."""

    def hang(path, size=(1280, 720), **more):
        options = {"is_mobile": False, "has_touch": False, "device_scale_factor": 1, "dark": True}
        taken = phone("wall", width=size[0], height=size[1], **{**options, **more})
        taken.open(f"{path}tv/")
        return taken

    return hang


def deal(host, path, rows):
    """Let the host write whole rows from deal 1 on, as the page does, without the taps."""
    columns = "AB" if len(rows[0]) == 2 else "0123"
    points = [dict(zip(columns, row, strict=True)) for row in rows]
    statuses = host.page.evaluate(DEAL, [f"{path}m/1/r/", points])
    assert set(statuses) == {200}


DEAL = """async ([path, rows]) => {
  const token = document.cookie.match(/csrftoken=([^;]+)/)[1];
  const headers = {'X-CSRFToken': token, 'HX-Request': 'true'};
  const statuses = [];
  for (const [index, points] of rows.entries()) {
    const body = new URLSearchParams({op: crypto.randomUUID(), base: 0});
    for (const column in points) body.set(`value_${column}`, points[column]);
    statuses.push((await fetch(`${path}${index + 1}/`, {method: 'POST', body, headers})).status);
  }
  return statuses;
}"""


def deals(phone):
    """The deals that are on the wall, whole: their numbers."""
    return phone.page.evaluate(DEALS)


DEALS = """() => [...document.querySelectorAll('[data-body] tr[data-round]')].filter(row => {
  const box = row.getBoundingClientRect();
  return row.checkVisibility() && box.x >= 0 && box.y >= 0
    && box.right <= innerWidth && box.bottom <= innerHeight;
}).map(row => Number(row.dataset.round))"""

# The height of what is painted of the numbers, in hundredths of the screen's height.
DIGITS = """() => [...document.querySelectorAll('[data-total]')].map(total => {
  const pen = document.createElement('canvas').getContext('2d');
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(total);
  pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  const size = pen.measureText(total.textContent);
  return 100 * (size.actualBoundingBoxAscent + size.actualBoundingBoxDescent) / innerHeight;
})"""

# Numbers and names that lie outside the screen or over one another.
OUT_OF_PLACE = """() => {
  const parts = [...document.querySelectorAll(
    '.side h2, [data-total], .side progress, .side p, #now, .sheet tr, #invitation > *, .hero h2')]
    .filter(part => part.checkVisibility() && part.getBoundingClientRect().height);
  const boxes = parts.map(part => part.getBoundingClientRect());
  const found = [];
  boxes.forEach((box, i) => {
    const part = parts[i], name = part.outerHTML.slice(0, 60);
    const isInside = box.x >= 0 && box.y >= 0
      && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
    if (!isInside) found.push(name);
    const isWide = part.matches('[data-total]') && part.scrollWidth > part.clientWidth + 1;
    if (isWide) found.push(`wide: ${name}`);
    boxes.forEach((other, j) => {
      const across = Math.min(box.right, other.right) - Math.max(box.x, other.x);
      const down = Math.min(box.bottom, other.bottom) - Math.max(box.y, other.y);
      const isLine = Math.min(box.height, other.height) < 2;
      if (i < j && across > 2 && down > 4 && !isLine) {
        found.push(`${name} over ${parts[j].outerHTML.slice(0, 60)}`);
      }
    });
  });
  return found;
}"""


@pytest.mark.parametrize("size", SCREENS)
@pytest.mark.parametrize("game", ["bauernstoss", "bauernschnapsen", "schafkopf"])
def test_46_the_totals_are_a_fifth_of_the_screen_or_more(phone, wall, game, size):
    host = phone("host")
    path = set_up(host, game)
    tv = wall(path, SCREENS[size])
    is_live(tv)
    rows, first = MATCHES[game]
    deal(host, path, rows)
    expect(tv.page.locator("[data-total]").first).to_have_text(first)

    assert min(tv.page.evaluate(DIGITS)) >= 20
    assert tv.page.evaluate(OUT_OF_PLACE) == []


@pytest.mark.timeout(180)  # five screens, one after the other
@pytest.mark.parametrize("game", ["bauernstoss", "schafkopf"])
def test_46_long_names_and_sixty_deals_leave_everything_in_its_place(phone, wall, game):
    host = phone("host")
    path = set_up(host, game, names=NAMES[game], taps=[NO_LINE] if game == "bauernstoss" else ())
    rows = [(1, 0), (0, 2)] if game == "bauernstoss" else [(10, 10, 0, 0), (0, 0, 0, 20)]
    deal(host, path, rows * 30)

    for size, (width, height) in SIZES.items():
        tv = wall(path, (width, height))
        is_live(tv)
        shown = deals(tv)
        assert shown == list(range(61 - len(shown), 61)), size
        assert len(shown) >= 8, size
        assert tv.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), size
        if size in SCREENS:
            assert tv.page.evaluate(OUT_OF_PLACE) == [], size
        tv.page.goto("about:blank")


def test_46_numbers_the_end_and_the_next_match_come_by_themselves(phone, wall):
    host = phone("Lena")
    path = begin(host)
    tv = wall(path, times=TIMES)
    is_live(tv)

    enter(host, "1.A", 3)
    show([tv], 3, 0)
    expect(tv.page.locator("#hA")).to_contain_text("17 to go")
    expect(tv.page.locator("#hA")).to_contain_text("leads by 3")
    expect(tv.page.locator("#now")).to_contain_text("Deal 2")
    end_by_tap(host)
    expect(tv.page.locator(".hero")).to_be_visible()
    expect(tv.page.locator(".hero h2")).to_have_text("Ended early, Lena & Felix in front")
    tool(host, "Next match").tap()

    expect(tv.page.locator("#page")).to_have_attribute("data-match", "2", timeout=15_000)
    is_live(tv)
    enter(host, "1.B", 2)
    show([tv], 0, 2)


def test_46_zero_and_blank_differ_on_the_wall(phone, wall):
    host = phone("Lena")
    path = begin(host)
    tv = wall(path)

    enter(host, "1.A", 0)

    expect(tv.page.locator('[data-cell="1.A"] b')).to_have_text("0")
    expect(tv.page.locator('[data-cell="1.B"] i')).to_be_visible()
    expect(tv.page.locator("[data-body] tr:visible")).to_have_count(1)  # deal 2 is only named


def test_46_nothing_on_the_wall_can_be_written_or_tapped(phone, wall):
    host = phone("Lena")
    path = begin(host)
    tv = wall(path)
    is_live(tv)
    enter(host, "1.A", 3)
    show([tv], 3, 0)

    assert (
        tv.page.locator("#page input:not([type=hidden]), #page select, #page a[href]").count() == 0
    )
    buttons = tv.page.locator("button").evaluate_all("all => all.map(button => button.name)")
    assert set(buttons) <= {"theme", "language"}
    tv.page.locator('[data-cell="1.A"] b').click(force=True)
    for _ in range(12):
        tv.page.keyboard.press("Tab")
        assert tv.page.evaluate("!document.activeElement.closest('.sheet, .slate, #now')")
    assert tv.page.url.endswith("/tv/")


def test_46_18_the_wall_is_right_by_itself_when_the_signal_is_back(phone, wall, cellar):
    host = phone("Lena")
    path = begin(host)
    tv = wall(path, cellar=cellar, times={**TIMES, **SILENCE})
    is_live(tv)
    cellar.black_hole()
    enter(host, "1.A", 3)
    expect(light(tv)).to_have_text(OFF, timeout=25_000)  # nobody taps: the silence tells
    show([tv], 0, 0)

    cellar.signal()

    show([tv], 3, 0)
    is_live(tv)


def test_46_19_the_wall_is_right_after_it_was_switched_on_again(phone, wall, cellar):
    host = phone("Lena")
    path = begin(host)
    tv = wall(path, cellar=cellar, times=TIMES)
    is_live(tv)
    hide(tv)
    cellar.cut_once()
    enter(host, "1.A", 3)
    show([tv], 0, 0)

    hide(tv, hidden=False)

    show([tv], 3, 0)
    is_live(tv)


def test_46_20_the_wall_notices_a_silent_stream(phone, wall, cellar):
    host = phone("Lena")
    path = begin(host)
    tv = wall(path, cellar=cellar, times=SILENCE)
    is_live(tv)
    cellar.black_hole(only="/live/")
    tv.page.wait_for_timeout(500)
    cellar.signal()  # the connection that met the hole stays dead

    enter(host, "1.A", 3)

    expect(tv.page.locator("[data-total]").first).to_have_text("3", timeout=25_000)
    is_live(tv)


def test_46_the_code_on_the_wall_is_the_one_that_works(phone, wall):
    host, known = phone("Lena"), phone("known")
    path = begin(host)
    tv = wall(path)
    is_live(tv)
    code = tv.page.locator("[data-table-code]")
    first = code.inner_text()

    host.open(f"{path}people/")
    host.page.get_by_role("button", name="New code").tap()
    expect(code).not_to_have_text(first)
    assert code.inner_text() == host.page.locator("[data-table-code]").inner_text()

    known.open(path)
    say_who(known, "I’m just watching")
    known.open(f"{path}tv/")
    is_live(known)
    host.page.get_by_role("button", name="Close the table").tap()
    expect(known.page.locator("[data-table-code]")).to_have_count(0)
    expect(known.page.locator(".qr")).to_have_count(0)


def test_46_a_wall_that_was_shut_out_says_so_and_comes_back(phone, wall):
    host = phone("Lena")
    path = begin(host)
    tv = wall(path, times=TIMES)
    is_live(tv)
    host.open(f"{path}people/")

    host.page.get_by_role("button", name="Close the table").tap()
    expect(tv.page.locator("#moved")).to_be_visible(timeout=20_000)
    expect(light(tv)).to_have_text("closed")
    host.page.get_by_role("button", name="Open the table").tap()

    is_live(tv)
    expect(tv.page.locator("#moved")).to_be_hidden()


WAKE_LOCK = {
    "granted": "async () => (window.lock = Object.assign(new EventTarget(), {release() {}}))",
    "refused": "async () => { throw new DOMException('low battery', 'NotAllowedError') }",
}


@pytest.mark.parametrize("answer", ["granted", "refused", "missing"])
def test_46_a_screen_that_may_fall_asleep_says_so(phone, wall, answer):
    path = begin(phone("Lena"))
    tv = wall(path)
    stub = f"{{request: {WAKE_LOCK[answer]}}}" if answer in WAKE_LOCK else "undefined"
    tv.context.add_init_script(
        f"Object.defineProperty(navigator, 'wakeLock', {{value: {stub}, configurable: true}})"
    )
    tv.open(f"{path}tv/")
    is_live(tv)
    hint = tv.page.get_by_text("may fall asleep by itself")

    if answer != "granted":
        expect(hint).to_be_visible()
        return
    expect(hint).to_be_hidden()
    tv.page.evaluate("window.lock.dispatchEvent(new Event('release'))")
    expect(hint).to_be_visible()
    hide(tv, hidden=False)  # seen again: it is asked for again
    expect(hint).to_be_hidden()


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("game", ["bauernstoss", "schafkopf"])
def test_46_the_wall_leaves_nobody_out(phone, wall, server, game, theme):
    host = phone("host")
    path = set_up(host, game)
    deal(host, path, [(3, 0) if game == "bauernstoss" else (10, 10, 0, 0)])
    tv = wall(path, locale="de-DE")
    tv.context.add_cookies([{"name": "theme", "value": theme, "url": server.url}])

    tv.open(f"{path}tv/")
    is_live(tv)

    played = violations(tv.page)
    host.open(path)
    end_by_tap(host)
    expect(tv.page.locator(".hero")).to_be_visible()

    assert (played, violations(tv.page)) == ([], [])


def test_a_way_from_the_link_to_the_wall_takes_one_tap(phone):
    host, screen = phone("Lena"), phone("screen", width=1280, height=720)
    path = begin(host)

    screen.open(path)
    screen.page.get_by_role("link", name="On the television").first.tap()

    is_live(screen)
    assert screen.page.url.endswith("/tv/")
