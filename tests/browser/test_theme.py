"""Readable in a dim pub: no white flash, and numbers that stand out."""

import base64
import re

import pytest
from playwright.sync_api import expect

from tests.browser.table import begin, cell, enter

DARK, LIGHT = 60, 200  # of 255
READABLE = 7.0  # to 1: contrast of numbers

GROUND = """async png => {
  const picture = await createImageBitmap(await (await fetch(png)).blob());
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
  canvas.drawImage(picture, 0, 0);
  const {data} = canvas.getImageData(picture.width - 1, picture.height - 1, 1, 1);
  return Math.max(...data.slice(0, 3));
}"""

CONTRASTS = """numbers => {
  const probe = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const light = color => {
    probe.fillStyle = color;
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3)
      .map(part => part / 255)
      .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = element => {
    const color = getComputedStyle(element).backgroundColor;
    return color === 'rgba(0, 0, 0, 0)' ? ground(element.parentElement) : color;
  };
  return numbers.map(element => {
    const [lower, higher] = [light(getComputedStyle(element).color), light(ground(element))]
      .sort((a, b) => a - b);
    return [element.textContent.trim(), (higher + 0.05) / (lower + 0.05)];
  });
}"""


def choose(phone, name):
    with phone.page.expect_response("**/theme/"):
        phone.page.get_by_role("button", name=name, exact=True).tap()
    expect(phone.page.get_by_role("button", name=name, exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )


def ground_at_first(phone, path):
    """How bright a page is (0 to 255) while its HTML is there and its styles are not."""
    phone.page.route(re.compile(r"\.css$"), lambda route: route.abort())
    phone.open(path)
    picture = base64.b64encode(phone.page.screenshot()).decode()
    blank = phone.context.new_page()  # where no policy forbids a look at the picture
    brightness = blank.evaluate(GROUND, f"data:image/png;base64,{picture}")
    blank.close()
    return brightness


@pytest.mark.parametrize("chosen", [True, False], ids=["by switch", "by system"])
def test_41_a_dark_page_is_dark_before_its_styles_are_there(phone, chosen):
    lena = phone("Lena", dark=not chosen)
    if chosen:
        lena.open("/join/")
        choose(lena, "Dark")

    assert ground_at_first(lena, "/join/") <= DARK


@pytest.mark.parametrize("chosen", [True, False], ids=["by switch", "by system"])
def test_41_a_light_page_is_light_all_the_same(phone, chosen):
    lena = phone("Lena", dark=chosen)
    if chosen:
        lena.open("/join/")
        choose(lena, "Light")

    assert ground_at_first(lena, "/join/") >= LIGHT


def test_41_the_switch_stays_from_page_to_page_and_goes_back_to_the_system(phone):
    lena = phone("Lena")
    path = begin(lena)
    lena.page.get_by_label("Menu").first.tap()
    choose(lena, "Dark")

    for page in (path, "/", f"{path}people/", "/nothing/"):
        lena.open(page)
        assert theme_on(lena) == ["dark", "rgb(20, 24, 27)"]
    lena.open("/")
    choose(lena, "As the phone has it")

    assert theme_on(lena) == [None, "rgb(251, 247, 238)"]


def theme_on(phone):
    return phone.page.evaluate(
        """() => [document.documentElement.dataset.theme ?? null,
                  getComputedStyle(document.documentElement).backgroundColor]"""
    )


@pytest.mark.parametrize("dark", [True, False], ids=["dark", "light"])
@pytest.mark.parametrize("game", ["bauernstoss", "schafkopf"])
def test_41_numbers_stand_out(phone, game, dark):
    lena = phone("Lena", dark=dark)
    path = begin(lena, game=game)
    if game == "bauernstoss":
        enter(lena, "1.A", 3)
        expect(cell(lena, "2.A")).to_be_visible()
    lena.open(path)

    numbers = lena.page.locator("[data-total], [data-cell] b, [data-chip]")
    contrasts = numbers.evaluate_all(CONTRASTS)

    assert len(contrasts) > 4
    assert [(text, found) for text, found in contrasts if found < READABLE] == []
