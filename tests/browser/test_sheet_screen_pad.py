"""Entering numbers with a thumb: few taps, an answer at once, nothing lost, nothing that jumps."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.laid import lay
from tests.browser.table import (
    answer,
    cell,
    chip,
    entries,
    is_live,
    ok,
    open_pad,
    press,
    say,
    unanswered,
    write,
    write_deal,
    written,
)


@pytest.fixture(scope="module")
def tables(chromium, server):
    """One table per game that nobody writes at."""
    return {game: lay(chromium, server, game) for game in ("bauernstoss", "schafkopf")}


@pytest.fixture
def table(chromium, server):
    """A table of its own, for a test that writes."""
    return lay(chromium, server)


def box(phone):
    return phone.page.locator("[data-pad-value]")


def holds(phone):
    """What the phone has in focus, and which keyboard it would bring up."""
    return phone.page.evaluate("[document.activeElement.id, document.activeElement.inputMode]")


COUNT_TAPS = """window.taps = 0;
  addEventListener('pointerup', () => { window.taps += 1; }, true);"""


def test_29_the_usual_entry_takes_two_taps(phone, table):
    lena, kofi = table.hold(phone), table.hold(phone, "Kofi")
    for one in (lena, kofi):
        one.page.evaluate(COUNT_TAPS)

    cell(kofi, "8.B").tap()
    assert holds(kofi) == ["pad-value", "none"]
    chip(kofi, 0).tap()
    written(kofi, "8.B", 0)
    assert kofi.page.evaluate("window.taps") == 2
    expect(cell(lena, "9.A")).to_be_visible()
    chip(lena, 2).tap()  # the lowest open cell of the own column waits already

    written(lena, "8.A", 2)
    assert lena.page.evaluate("window.taps") == 1
    assert holds(lena)[1] != "numeric"


def test_29_the_phone_s_own_keyboard_is_one_tap_away(phone, tables):
    lena = tables["bauernstoss"].hold(phone)
    open_pad(lena, "8.A")

    box(lena).tap()
    assert holds(lena) == ["pad-value", "numeric"]
    lena.page.keyboard.type("12")
    expect(cell(lena, "8.A").locator("a")).to_have_attribute("data-draft", "12")
    expect(ok(lena)).to_be_visible()
    lena.page.get_by_role("button", name="Keyboard").tap()

    assert holds(lena) == ["pad-value", "none"]


def test_33_the_pad_says_whose_column_and_which_deal_it_writes(phone, tables):
    lena, kofi = (tables["bauernstoss"].hold(phone, name) for name in ("Lena", "Kofi"))
    four = tables["schafkopf"].hold(phone)

    told(lena, "Lena & Felix", 8, "50%")
    told(kofi, "Kofi & Nora", 8, "polygon")
    told(four, "Lena", 6, "50%")
    open_pad(lena, "3.B")
    told(lena, "Kofi & Nora", "3 (4 has begun)", "polygon")
    open_pad(four, "6.3")
    told(four, "Nora", 6, "polygon")


def told(phone, name, deal, shape):
    """The pad names the column and the deal, shows the mark, and says so to those who listen."""
    pad = phone.page.locator("[data-pad]")
    expect(pad.locator("[data-pad-who]")).to_have_text(name)
    expect(pad.locator("[data-pad-deal]")).to_have_text(f"Deal {deal}")
    looks = pad.locator("[data-pad-mark]").evaluate(
        "mark => [getComputedStyle(mark).borderRadius, getComputedStyle(mark).clipPath].join()"
    )
    assert shape in looks
    says = re.compile(f"{name} scored.*Deal {re.escape(str(deal))}")
    expect(box(phone)).to_have_accessible_name(says)
    expect(pad.locator("[data-pad-chips]")).to_have_accessible_name(says)


def test_34_an_open_entry_survives_turning_and_reloading(phone, table):
    lena, kofi = table.hold(phone), table.hold(phone, "Kofi")
    open_pad(lena, "3.B")
    lena.page.reload()
    expect(lena.page.locator("[data-pad]")).to_have_attribute("data-pad-cell", "3.B")
    expect(box(lena)).to_be_focused()
    press(lena, "1")

    lena.page.set_viewport_size({"width": 844, "height": 390})
    expect(cell(lena, "3.B")).to_be_in_viewport(ratio=0.9)
    expect(box(lena)).to_have_value("1")
    write(kofi, table.path, "3.B", 3, base=cell(lena, "3.B").get_attribute("data-version"))
    lena.page.reload()

    expect(box(lena)).to_have_value("1")
    expect(cell(lena, "3.B")).to_have_attribute("data-value", "3")
    ok(lena).tap()
    expect(say(lena)).to_contain_text("1")  # begun on an older number: asked, not overwritten
    assert entries(lena, table.path)[2] == [0, 3]
    answer(lena, "Enter 1")
    written(lena, "3.B", 1)
    assert (
        lena.page.evaluate(
            "[document.documentElement, document.body, document.querySelector('.sheet')]"
            ".map(one => getComputedStyle(one).overscrollBehaviorY)"
        )
        == ["contain"] * 3
    )


def test_34_what_was_closed_stays_closed(phone, tables):
    lena = tables["bauernstoss"].hold(phone)
    open_pad(lena, "2.A")
    press(lena, "1")
    lena.page.get_by_role("button", name="Close").tap()

    lena.page.reload()

    expect(lena.page.locator("[data-pad]")).to_have_attribute("data-pad-cell", "8.A")
    expect(box(lena)).to_have_value("")


@pytest.mark.parametrize("height", [844, 330], ids=["sheet", "page"])
def test_35_nothing_jumps_while_others_write(phone, chromium, server, height):
    """Where the sheet scrolls, and where the whole page does."""
    rows = [(1, 0)] * 5 + [(0, 1)] * 5
    table = lay(chromium, server, deals=rows)
    lena, kofi = table.hold(phone, height=height), table.hold(phone, "Kofi")
    open_pad(lena, "4.A")
    press(lena, "1")
    is_live(lena)
    held = holds(lena)
    lena.page.evaluate(WATCH)

    for number in range(11, 21):
        write(kofi, table.path, f"{number}.B", 0)
        expect(cell(lena, f"{number}.B").locator("b")).to_have_text("0")
        write_deal(lena, table.path, number, 0, 1, base=row_version(lena, number))
        expect(cell(lena, f"{number}.B").locator("b")).to_have_text("1")

    least, most = lena.page.evaluate("[Math.min(...window.tops), Math.max(...window.tops)]")
    assert most - least <= 1
    assert lena.page.evaluate("scrollY") == 0
    assert holds(lena) == held
    expect(box(lena)).to_have_value("1")


def row_version(phone, number):
    return phone.page.locator(f'tr[data-round="{number}"]').get_attribute("data-version")


WATCH = """() => { // where the row stands in every frame
  const row = document.querySelector('[data-round="4"]');
  window.tops = [];
  const look = () => { window.tops.push(row.getBoundingClientRect().top);
    requestAnimationFrame(look); };
  requestAnimationFrame(look);
}"""


def test_36_a_tap_is_answered_in_the_next_frame_of_a_slow_phone(phone, table):
    lena = table.hold(phone)
    session = lena.context.new_cdp_session(lena.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    key = chip(lena, 2)
    spot = key.bounding_box()
    finger = {"x": spot["x"] + spot["width"] / 2, "y": spot["y"] + spot["height"] / 2}
    lena.page.evaluate(FRAMES)

    with unanswered(lena, "**/r/8/A/"):  # the page is on its own
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
        expect(key).to_have_attribute("data-pressed", "")
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(cell(lena, "8.A")).to_have_attribute("data-state", "pending")

    frames = lena.page.evaluate("window.seen")
    touched = next(frame for frame in frames if frame["last"] == "pointerdown")
    clicked = next(frame for frame in frames if frame["last"] == "click")
    assert touched["pressed"]
    assert (clicked["state"], clicked["shown"]) == ("pending", "2")


FRAMES = """() => { // what stands in the cell in the frame after each event
  window.seen = [];
  let last = '';
  for (const kind of ['pointerdown', 'click']) addEventListener(kind, () => { last = kind; }, true);
  const look = () => {
    const {dataset: {state}, innerText} = document.querySelector('[data-cell="8.A"]');
    const pressed = document.querySelector('[data-chip="2"]')?.dataset.pressed !== undefined;
    window.seen.push({last, pressed, state, shown: innerText.trim()});
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_thumb_feels_a_number_that_was_taken_unless_motion_is_unwanted(phone, table, motion):
    lena = phone("Lena", storage_state=table.seated["Lena"], reduced_motion=motion)
    lena.context.add_init_script("window.felt = []; navigator.vibrate = ms => felt.push(ms);")
    lena.open(table.path)

    cell(lena, "8.A").tap()
    assert lena.page.evaluate("felt") == []
    chip(lena, 2).tap()
    written(lena, "8.A", 2)

    assert lena.page.evaluate("felt.length") == (1 if motion == "no-preference" else 0)


WAKE_LOCK = """window.asked = 0;
  Object.defineProperty(navigator, 'wakeLock', {value: {request: async kind => {
    window.asked += 1;
    if (kind !== 'screen' || window.refuses) throw new DOMException('no', 'NotAllowedError');
    const lock = new EventTarget();
    lock.released = false;
    lock.release = async () => {
      if (lock.released) return;
      lock.released = true;
      lock.dispatchEvent(new Event('release'));
    };
    window.lock = lock;
    return lock;
  }}});"""


def lever(phone):
    """The switch in the opened menu."""
    menu = phone.page.locator("details.menu")
    if menu.get_attribute("open") is None:
        menu.locator("summary").tap()
    return phone.page.get_by_role("switch", name="Keep the screen on")


def shade(phone, *, hidden):
    """Lock the phone, or unlock it; a browser lets its screen go meanwhile."""
    phone.page.evaluate(
        """async hidden => {
             if (hidden) await window.lock?.release();
             for (const [name, value] of [['hidden', hidden],
                                          ['visibilityState', hidden ? 'hidden' : 'visible']]) {
               Object.defineProperty(document, name, {get: () => value, configurable: true});
             }
             document.dispatchEvent(new Event('visibilitychange'));
           }""",
        hidden,
    )


def test_45_the_switch_for_the_screen_tells_the_truth(phone, tables):
    lena = phone("Lena", storage_state=tables["bauernstoss"].seated["Lena"])
    lena.context.add_init_script(WAKE_LOCK)
    lena.open(tables["bauernstoss"].path)
    expect(lever(lena)).not_to_be_checked()
    assert lena.page.evaluate("window.asked") == 0

    lever(lena).tap()
    expect(lever(lena)).to_be_checked()
    shade(lena, hidden=True)
    expect(lever(lena)).not_to_be_checked()
    shade(lena, hidden=False)
    expect(lever(lena)).to_be_checked()
    lena.page.reload()  # remembered by this phone
    expect(lever(lena)).to_be_checked()

    lena.page.evaluate("window.lock.release()")  # the system took it
    expect(lever(lena)).not_to_be_checked()
    lena.page.evaluate("window.refuses = true; window.asked = 0")
    lever(lena).tap()
    expect(lena.page.get_by_text("The phone does not allow it now")).to_be_visible()
    expect(lever(lena)).not_to_be_checked()
    assert lena.page.evaluate("window.asked") == 1  # no pestering
    lena.page.evaluate("window.refuses = false")
    lever(lena).tap()
    expect(lever(lena)).to_be_checked()
    expect(lena.page.get_by_text("The phone does not allow it now")).to_be_hidden()
    lever(lena).tap()
    expect(lever(lena)).not_to_be_checked()

    assert lena.page.evaluate("window.lock.released") is True
    lena.page.reload()
    expect(lever(lena)).not_to_be_checked()
    assert lena.page.evaluate("window.asked") == 0


def test_45_where_the_screen_cannot_be_kept_on_there_is_no_switch(phone, tables):
    lena = phone("Lena", storage_state=tables["bauernstoss"].seated["Lena"])
    lena.context.add_init_script(
        "Object.defineProperty(navigator, 'wakeLock', {value: undefined});"
    )
    lena.open(tables["bauernstoss"].path)

    lena.page.locator("details.menu summary").tap()

    expect(lena.page.get_by_role("link", name="House rules")).to_be_visible()
    expect(lena.page.locator("[data-awake]")).to_be_hidden()
