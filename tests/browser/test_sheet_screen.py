"""What is seen of a sheet, on any phone, by any light: numbers, who leads, whose side is whose."""

import base64
from itertools import pairwise
from statistics import mean

import pytest
from playwright.sync_api import expect

from tests.browser.laid import SIZES, lay, opens_large
from tests.browser.table import cell, open_pad, post, write, write_deal

SMALL = {"width": 360, "height": 640}
LONG = ("Maximilian-Alexander von und zu Hohenbur", "W" * 40, "Felix", "Nora")
THUMB = 47.5  # px; 48 but for rounding
APART = 7.5  # px; 8 but for rounding
SHARP = 7  # : 1, for numbers in a dim room
DARK = 0.25  # of white, as the mean of a screen


@pytest.fixture(scope="module")
def tables(chromium, server):
    """One table per game that nobody writes at."""
    return {game: lay(chromium, server, game) for game in ("bauernstoss", "schafkopf")}


def in_view(phone, *selectors):
    """Parts that are on the screen, whole, with nothing over them; gives their boxes."""
    boxes = phone.page.evaluate(IN_VIEW, list(selectors))
    assert all(boxes), list(zip(selectors, boxes, strict=True))
    return [box for found in boxes for box in found]


IN_VIEW = """selectors => selectors.map(selector => {
  const boxes = [...document.querySelectorAll(selector)].map(one => {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const upper = document.elementFromPoint(x, y);
    const isInside = box.x > -1 && box.y > -1 && box.right < innerWidth + 1
      && box.bottom < innerHeight + 1;
    return isInside && box.height > 0 && (one.contains(upper) || upper?.contains(one)) && box;
  });
  return boxes.length > 0 && boxes.every(Boolean) && boxes;
})"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390), (360, 330), (1180, 820)])
@pytest.mark.parametrize("game", ["bauernstoss", "schafkopf"])
def test_30_the_edited_cell_the_totals_and_the_pad_are_seen_together(phone, tables, game, size):
    lena = tables[game].hold(phone, width=size[0], height=size[1])
    column = "A" if game == "bauernstoss" else "0"

    for number in (tables[game].next_deal, 2):
        open_pad(lena, f"{number}.{column}")
        here = f'[data-cell="{number}.{column}"]'
        *totals, edited, pad = in_view(lena, "[data-total]", here, "[data-pad-value]")
        assert not any(overlap(edited, other) for other in (*totals, pad))
        expect(lena.page.locator("[data-pad]")).to_contain_text(f"Deal {number}")
        lena.page.get_by_role("button", name="Close").tap()


def overlap(one, other):
    return (
        one["x"] < other["right"]
        and other["x"] < one["right"]
        and one["y"] < other["bottom"]
        and other["y"] < one["bottom"]
    )


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("game", ["bauernstoss", "schafkopf"])
def test_31_everything_to_tap_is_large_enough_and_keys_stand_apart(phone, tables, game, width):
    lena = tables[game].hold(phone, width=width, height=720)
    column = "A" if game == "bauernstoss" else "0"
    begun = tables[game].next_deal

    assert too_small(lena) == []
    open_pad(lena, f"{begun}.{column}")
    assert too_small(lena) == []
    assert too_close(lena) == []
    if game == "bauernstoss":
        lena.page.get_by_role("button", name="Digits").tap()
        assert too_close(lena) == []
    open_pad(lena, f"2.{column}")
    assert too_small(lena) == []
    lena.page.locator("summary").tap()
    assert too_small(lena) == []


def too_small(phone):
    return phone.page.evaluate(TOO_SMALL, THUMB)


TOO_SMALL = """smallest => [...document.querySelectorAll('a, button, input, summary')]
  .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.matches('.skip, .vh'))
  .map(one => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.width < smallest || box.height < smallest)
  .map(([one, box]) => `${one.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)"""


def too_close(phone):
    """Keys of the pad that a thumb could mistake for one another."""
    return phone.page.evaluate(
        """least => { const boxes = [...document.querySelectorAll('.pad .key')]
             .filter(key => key.checkVisibility()).map(key => key.getBoundingClientRect());
           const between = (a, b) => Math.max(
             b.left - a.right, a.left - b.right, b.top - a.bottom, a.top - b.bottom);
           return boxes.flatMap(
             (a, i) => boxes.slice(i + 1).filter(b => between(a, b) < least)); }""",
        APART,
    )


def test_32_fields_do_not_make_a_phone_zoom_and_fingers_may(phone, tables):
    lena = tables["schafkopf"].hold(phone, width=360, height=640)

    sizes = lena.page.evaluate(
        "[...document.querySelectorAll('input:not([type=hidden])')]"
        ".map(one => parseFloat(getComputedStyle(one).fontSize))"
    )
    viewport = lena.page.locator("meta[name=viewport]").get_attribute("content")

    assert min(sizes) >= 16
    assert "maximum-scale" not in viewport
    assert "user-scalable" not in viewport


CONTRASTS = """() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const light = colour => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map(part => {
      const value = part / 255;
      return value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
    });
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const ground = one => {
    for (let at = one; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/, 0\\)$|transparent/.test(colour)) return colour;
    }
  };
  const faint = one => { // opacity all the way up
    let found = 1;
    for (let at = one; at; at = at.parentElement) found *= Number(getComputedStyle(at).opacity);
    return found;
  };
  const ratio = (one, pseudo) => {
    const [a, b] = [getComputedStyle(one, pseudo).color, ground(one)].map(light);
    return faint(one) * (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  };
  const all = (selector, pseudo) => [...document.querySelectorAll(selector)]
    .filter(one => one.checkVisibility())
    .map(one => [`${selector} ${one.textContent}`, ratio(one, pseudo)]);
  return [...all('[data-total]'), ...all('[data-cell] b'), ...all('[data-sum]', '::after'),
    ...all('[data-sheet] th[scope=row]'), ...all('.key > span'), ...all('[data-key]')];
}"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("game", ["bauernstoss", "schafkopf"])
def test_41_numbers_can_be_read_in_a_dim_room(phone, tables, game, dark):
    lena = tables[game].hold(phone, dark=dark)
    open_pad(lena, "2.B" if game == "bauernstoss" else "2.1")

    found = lena.page.evaluate(CONTRASTS)

    assert any(name.endswith("b 0") for name, _ratio in found)
    assert [(name, ratio) for name, ratio in found if ratio < SHARP] == []


def test_41_the_sheet_is_dark_where_the_phone_is_and_never_flashes(phone, tables):
    lena = phone("Lena", storage_state=tables["schafkopf"].seated["Lena"], dark=True)
    lena.context.route("**/*.css", lambda route: route.abort())
    lena.open(tables["schafkopf"].path)
    before_any_style = lena.page.screenshot()
    lena.context.unroute_all()
    lena.open(tables["schafkopf"].path)

    assert brightness(lena, before_any_style) < DARK
    assert brightness(lena, lena.page.screenshot()) < DARK
    bars = lena.page.locator("meta[name=theme-color]").evaluate_all(
        "all => all.filter(one => matchMedia(one.media || 'all').matches).map(one => one.content)"
    )
    ground = lena.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert [rgb(bar) for bar in bars] == [ground]


def rgb(colour):
    """#14181B as rgb(20, 24, 27)."""
    parts = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgb({', '.join(map(str, parts))})"


def brightness(phone, picture):
    """The mean of a picture, from 0 black to 1 white."""
    return mean(mean(line) for line in greys(phone, picture, width=16))


def greys(phone, picture, width=0):
    """A picture, as wide as it is or shrunk, as lines of grey values from 0 to 1."""
    return phone.page.evaluate(
        """async ([encoded, wanted]) => {
             const picture = await createImageBitmap(new Blob(
               [Uint8Array.from(atob(encoded), one => one.charCodeAt())]));
             const width = wanted || picture.width;
             const height = Math.round(picture.height * width / picture.width);
             const canvas = new OffscreenCanvas(width, height).getContext('2d');
             canvas.drawImage(picture, 0, 0, width, height);
             const {data} = canvas.getImageData(0, 0, width, height);
             return Array.from({length: height}, (_line, y) => Array.from({length: width},
               (_dot, x) => data[4 * (y * width + x) + 1] / 255));
           }""",
        [base64.b64encode(picture).decode(), width],
    )


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_42_sides_can_be_told_apart_without_colour(phone, tables, dark):
    four = tables["schafkopf"].hold(phone, dark=dark)
    two = tables["bauernstoss"].hold(phone, dark=dark)
    for one in (four, two):
        session = one.context.new_cdp_session(one.page)
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"})

    shapes = [shape(four, mark) for mark in four.page.locator(".side .mark").all()]
    names = four.page.locator(".side h2").all_inner_texts()
    lefts = [one.bounding_box()["x"] for one in four.page.locator("[data-total]").all()]
    stripes = [changes(two, bar) for bar in two.page.locator("progress").all()]

    assert len(set(shapes)) == 4
    assert len(set(names)) == 4
    assert lefts == sorted(lefts)
    assert stripes[0] <= 2  # one bar, which ends somewhere
    assert stripes[1] > 5  # dashes


def shape(phone, mark):
    """Which corners and edges of its box a mark fills."""
    lines = greys(phone, mark.screenshot())
    last = len(lines) - 1, len(lines[0]) - 1
    ground = phone.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    paper = int(ground.removeprefix("rgb(").split(",")[1]) / 255
    points = ((0.12, 0.12), (0.2, 0.25), (0.12, 0.5), (0.88, 0.12))  # down, right
    return tuple(
        abs(lines[round(y * last[0])][round(x * last[1])] - paper) > 0.15 for y, x in points
    )


def changes(phone, bar):
    """How often the grey changes along a bar, but for its ends and for shades."""
    lines = greys(phone, bar.screenshot())
    middle = lines[len(lines) // 2][4:-4]
    return sum(abs(one - other) > 0.08 for one, other in pairwise(middle[::3]))


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        ("en-GB", ("2 to go", "leads by 7", "9 to go", "Deal 8", "Nora deals", "speaks first")),
        ("de-DE", ("noch 2", "7 vorn", "noch 9", "Spiel 8", "Nora gibt", "Vorhand")),
    ],
)
def test_43_who_leads_what_is_missing_and_who_deals_stand_on_the_first_screen(
    phone, tables, locale, told
):
    lena = tables["bauernstoss"].hold(phone, **SMALL, locale=locale)
    slate, now = lena.page.locator(".slate"), lena.page.locator("#now")

    shown = " ".join(f"{slate.inner_text()} {now.inner_text()}".split())

    assert [words for words in told if words not in shown] == []
    in_view(lena, ".side h2", "[data-total]", ".side progress", ".side p", "#now > *")
    assert lena.page.evaluate(CUT) == []
    assert lena.page.evaluate("[scrollY, document.body.scrollTop]") == [0, 0]


CUT = """[...document.querySelectorAll('.side :not(.vh), #now *')]
  .filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
  .map(one => one.outerHTML.slice(0, 120))"""


def test_44_the_dealer_moves_on_with_every_hand(phone, chromium, server):
    table = lay(chromium, server, deals=())
    lena = table.hold(phone)
    dealer = lena.page.locator("#now [data-dealer]")
    expect(dealer).to_have_text("Lena")

    for number, name in enumerate(("Kofi", "Felix", "Nora", "Lena", "Kofi"), start=1):
        write_deal(lena, table.path, number, 1, 0)
        expect(dealer).to_have_text(name)
    post(lena, f"{table.path}m/1/thrown-in/", {"op": OP, "before": "6", "seen": "0"})

    expect(dealer).to_have_text("Felix")
    expect(lena.page.locator("[data-dash]")).to_have_text("thrown in, Kofi gave")


OP = "6f1f6f0e-0d5c-4c62-9d3e-0a4d5a4e1c11"


def test_an_empty_table_says_what_to_do_first(phone, chromium, server):
    alone = lay(chromium, server, deals=(), others=())
    host = alone.hold(phone)
    stranger = alone.hold(phone, None)

    expect(host.page.get_by_role("heading", name="Everybody writes along")).to_be_visible()
    expect(host.page.get_by_role("link", name="Show the code")).to_be_visible()
    expect(stranger.page.get_by_text("The numbers show up here by themselves.")).to_be_visible()
    kofi = phone("Kofi")
    post(kofi, f"{alone.path}seat/", {"seat": "1"})
    kofi.open(alone.path)
    expect(kofi.page.get_by_text("tap what your side scored")).to_be_visible()
    expect(host.page.get_by_role("link", name="Show the code")).to_be_hidden()

    write(kofi, alone.path, "1.B", 0)

    for one in (host, kofi, stranger):
        expect(one.page.locator(".first")).to_be_hidden()


def test_long_names_leave_both_sides_their_place(phone, chromium, server):
    table = lay(chromium, server, names=LONG)

    for size in SIZES.values():
        lena = table.hold(phone, width=size[0], height=size[1])
        in_view(lena, "[data-total]", ".side h2", "#now > *", "[data-pad-value]", "[data-end]")
        assert lena.page.evaluate("document.scrollingElement.scrollWidth") == size[0]
        heads = lena.page.locator(".side h2").all()
        assert len({round(head.bounding_box()["y"]) for head in heads}) == 1


@pytest.mark.parametrize("game", ["bauernstoss", "schafkopf"])
def test_text_twice_as_large_leaves_everything_within_reach(phone, tables, game):
    lena = phone("Lena", storage_state=tables[game].seated["Lena"], **SMALL)
    opens_large(lena)
    lena.open(tables[game].path)
    column = "A" if game == "bauernstoss" else "0"

    assert lena.page.evaluate(OUT_OF_REACH) == []
    assert lena.page.evaluate("document.body.scrollWidth") <= SMALL["width"]
    for place in (f"{tables[game].next_deal}.{column}", f"2.{column}"):
        cell(lena, place).scroll_into_view_if_needed()
        open_pad(lena, place)
        in_view(lena, "[data-total]", f'[data-cell="{place}"] a', "[data-pad-value]", "[data-pad]")
        assert lena.page.evaluate(OUT_OF_REACH) == []
        lena.page.get_by_role("button", name="Close").tap()


OUT_OF_REACH = """() => [...document.querySelectorAll('a, button, input, summary')]
  .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.matches('.skip, .vh'))
  .filter(one => {
    one.scrollIntoView({block: 'center'});
    const box = one.getBoundingClientRect();
    const upper = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !one.contains(upper) || box.left < -1 || box.right > innerWidth + 1;
  }).map(one => one.outerHTML.slice(0, 120))"""
