"""The sheet for everyone: by ear, by keyboard, with more contrast, forced colours, less motion."""

from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations_in_any_light
from tests.browser.laid import lay
from tests.browser.table import (
    cell,
    chip,
    is_live,
    ok,
    open_pad,
    pending,
    press,
    say,
    unanswered,
    write,
    written,
)

PATIENT = {"timeout": 600_000, "late": 600_000, "off": 600_000}  # milliseconds; no answer will come


@pytest.fixture(scope="module")
def four(chromium, server):
    """A table of four players that nobody writes at."""
    return lay(chromium, server, "schafkopf")


@pytest.fixture
def table(chromium, server):
    """A table of two sides of its own, for a test that writes."""
    return lay(chromium, server)


def correct(phone, table, place, value):
    """Another phone writes another number there."""
    base = cell(phone, place).get_attribute("data-version")
    write(phone, table.path, place, value, base=base)
    expect(cell(phone, place)).to_have_attribute("data-state", "corrected")


@contextmanager
def trouble(lena, table):
    """Deal 2 of side B is corrected, 8 of A was refused, 9 of A is on its way, 9 of B in hand."""
    correct(lena, table, "2.B", 3)
    write(lena, table.path, "8.B", 0)
    expect(cell(lena, "9.A")).to_be_visible()
    open_pad(lena, "8.A")
    press(lena, "7")
    ok(lena).tap()
    expect(say(lena)).not_to_be_empty()
    lena.page.get_by_role("button", name="Close").tap()
    with unanswered(lena, "**/r/9/A/"):
        open_pad(lena, "9.A")
        chip(lena, 2).tap()
        pending(lena, "9.A", 2)
        open_pad(lena, "9.B")
        yield


def test_47_every_cell_is_named_by_deal_side_and_state(phone, table, four):
    lena, looker = table.hold(phone, times=PATIENT), four.hold(phone, None)

    with trouble(lena, table):
        for place, name in (
            ("1.A", "Deal 1, Lena & Felix: 1"),
            ("1.B", "Deal 1, Kofi & Nora: 0"),
            ("2.B", "Deal 2, Kofi & Nora: 3, corrected"),
            ("8.A", "Deal 8, Lena & Felix: 7, not taken"),
            ("9.A", "Deal 9, Lena & Felix: 2, being sent"),
            ("9.B", "Deal 9, Kofi & Nora: open"),
        ):
            expect(cell(lena, place).locator("a")).to_have_accessible_name(name)
    expect(cell(looker, "2.3").locator("a")).to_have_accessible_name("Deal 2, Nora: 20")
    expect(looker.page.get_by_role("table", name="Deals of match 1")).to_match_aria_snapshot("""
      - row "Deal Lena Kofi Felix Nora":
        - columnheader "Deal"
        - columnheader "Lena"
        - columnheader "Kofi"
        - columnheader "Felix"
        - columnheader "Nora"
    """)


def test_48_news_are_said_once_and_politely_and_move_no_focus(phone, table):
    lena, kofi = table.hold(phone), table.hold(phone, "Kofi")
    open_pad(lena, "8.A")
    is_live(lena)
    lena.page.evaluate(LISTEN)

    write(kofi, table.path, "8.B", 0)

    said = lena.page.locator("[data-say]")
    expect(said).to_have_text("Deal 8: Kofi & Nora 0. 18 to 11.")
    lena.page.wait_for_timeout(500)  # would it be said again?
    assert lena.page.evaluate("window.said") == ["Deal 8: Kofi & Nora 0. 18 to 11."]
    assert lena.page.evaluate("window.region === document.querySelector('[data-say]')")
    expect(said).to_have_role("status")
    expect(lena.page.locator("[data-pad-value]")).to_be_focused()


LISTEN = """() => {
  window.region = document.querySelector('[data-say]');
  window.said = [];
  new MutationObserver(() => said.push(region.textContent))
    .observe(region, {childList: true, characterData: true, subtree: true});
}"""


def test_49_axe_finds_nothing_on_a_sheet_in_any_state(phone, table, four):
    lena = table.hold(phone, width=320, height=640, times=PATIENT)
    player = four.hold(phone, width=320, height=640)
    open_pad(player, "6.0")

    assert violations_in_any_light(player.page) == []
    with trouble(lena, table):
        assert violations_in_any_light(lena.page) == []
        lena.page.locator("details.menu summary").tap()
        assert violations_in_any_light(lena.page, part="details.menu") == []


@pytest.mark.parametrize("height", [640, 330], ids=["sheet", "page"])
def test_50_a_keyboard_is_enough_and_focus_is_never_hidden(phone, table, height):
    lena = table.hold(phone, width=360, height=height)
    keys = lena.page.keyboard
    cell(lena, "8.A").locator("a").focus()

    keys.press("Enter")
    expect(lena.page.locator("[data-pad-value]")).to_be_focused()
    keys.press("Escape")
    expect(cell(lena, "8.A").locator("a")).to_be_focused()
    keys.press("Enter")
    keys.type("12")
    keys.press("Enter")
    written(lena, "8.A", 12)
    expect(lena.page.locator("#page")).not_to_have_attribute("data-status", "open")

    lena.page.goto(lena.page.url)
    seen = walk(lena, 80)
    assert [stop for stop in seen if "HIDDEN" in stop] == []
    assert any("Next match" in stop for stop in seen)


@pytest.mark.parametrize("height", [640, 330], ids=["sheet", "page"])
def test_50_no_stop_of_the_tab_key_lies_under_something(phone, four, height):
    lena = four.hold(phone, width=360, height=height)
    open_pad(lena, "2.0")
    lena.page.locator("body").evaluate("() => document.activeElement.blur()")

    seen = walk(lena, 80)

    assert [stop for stop in seen if "HIDDEN" in stop] == []
    for part in ('data-cell="6.3"', "data-pad-value", "data-chip", "End match", "summary"):
        assert any(part in stop for stop in seen), part


def walk(phone, steps):
    """Where the tab key stops, and whether one sees it there."""
    seen: list[str] = []
    for _ in range(steps):
        phone.page.keyboard.press("Tab")
        stop = phone.page.evaluate(STOP)
        if stop and seen and stop == seen[0]:
            break
        seen.append(stop)
    return seen


STOP = """() => {
  const one = document.activeElement;
  const box = one.getBoundingClientRect();
  const upper = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const isSeen = one === document.body || one.matches('.sheet') // larger than a screen
    || one.contains(upper) || upper?.contains(one);
  const place = one.closest('[data-cell]')?.outerHTML.slice(0, 40) ?? '';
  return `${isSeen ? '' : 'HIDDEN '}${place}${one.outerHTML.slice(0, 160)}${one.innerText}`;
}"""


def mark(phone, place, pseudo, of=""):
    """A mark in a cell that is text: what stands there, and how it looks."""
    return phone.page.locator(f'[data-cell="{place}"] {of}').evaluate(
        """(one, pseudo) => { const looks = getComputedStyle(one, pseudo);
             return [looks.content, looks.display !== 'none' && looks.visibility]; }""",
        pseudo,
    )


LOOKS = {
    "more": {"contrast": "more"},
    "forced": {"forced_colors": "active"},
    "less": {"reduced_motion": "reduce"},
}


@pytest.mark.parametrize("look", LOOKS)
def test_51_every_state_is_text_or_a_border_and_nothing_has_to_move(phone, table, look):
    lena = phone("Lena", storage_state=table.seated["Lena"], times=PATIENT, **LOOKS[look])
    lena.open(table.path)

    with trouble(lena, table):
        assert mark(lena, "9.A", "::before", "a") == ['"…"', "visible"]
        assert mark(lena, "8.A", "::before", "a") == ['"!"', "visible"]
        assert mark(lena, "2.B", "::before") == ['"◥"' if look == "forced" else '""', "visible"]
        for place in ("8.A", "9.B"):
            assert width(lena, place, "outline" if look == "forced" else "shadow") >= 2
        if look == "less":
            assert lena.page.evaluate("document.getAnimations().length") == 0
            assert lena.page.evaluate(MOVING) == []


def width(phone, place, kind):
    """How thick the frame of a cell is, in px: an outline, or a shadow that lies inside."""
    return cell(phone, place).evaluate(
        """(one, kind) => { const looks = getComputedStyle(one);
             if (kind === 'outline') {
               return looks.outlineStyle === 'none' ? 0 : parseFloat(looks.outlineWidth);
             }
             return Number(looks.boxShadow.match(/ ([\\d.]+)px inset$/)?.[1] ?? 0); }""",
        kind,
    )


MOVING = """[...document.querySelectorAll('*')].filter(one => {
  const looks = getComputedStyle(one);
  return looks.animationName !== 'none' || parseFloat(looks.transitionDuration) > 0;
}).map(one => one.outerHTML.slice(0, 100))"""


def test_51_more_contrast_means_every_line_and_number_in_ink(phone, table):
    for dark in (False, True):
        lena = phone("Lena", storage_state=table.seated["Lena"], dark=dark, contrast="more")
        lena.open(table.path)

        ink, *found = lena.page.evaluate(
            """() => ['body', '[data-value="0"] b', '[data-sheet] th[scope=row]', '#now', '.side p']
                 .map(one => getComputedStyle(document.querySelector(one)).color)"""
        )

        assert set(found) == {ink}


def test_the_moment_a_match_is_won_lights_its_side_once(phone, table):
    lena = table.hold(phone)
    write(lena, table.path, "8.B", 0)
    expect(cell(lena, "8.B")).to_have_attribute("data-state", "written")

    chip(lena, 2).tap()

    sheet = lena.page.locator("#page")
    expect(sheet).to_have_attribute("data-status", "banked")
    expect(sheet).to_have_attribute("data-just-won", "")
    lena.page.reload()
    expect(sheet).not_to_have_attribute("data-just-won", "")
