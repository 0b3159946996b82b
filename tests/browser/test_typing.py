"""What a thumb types stays, is sent once, and no news from elsewhere gets in its way."""

import re
import time
from contextlib import contextmanager, nullcontext, suppress

import pytest
from playwright.sync_api import APIResponse, Error, Route, expect

from tests.browser.table import (
    answer,
    begin,
    cell,
    chip,
    enter,
    entries,
    history,
    look_again,
    ok,
    open_pad,
    play_on,
    say,
    set_up,
    sheet,
    show,
    status,
    tool,
    type_digits,
    written,
)

NOTED_BY_HTMX = "console error: htmx:"  # a request that got no answer
UNSENT = "Not sent: no signal. Keep this page open and try again."
NO_NUMBERS = ("1,5", "1e3", "-2", "007", "٣", "6 Punkte", "½", "99999")


@pytest.fixture
def pair(phone):
    """Kofi, who is host, and Lena of the other side: two phones and the table’s path."""
    kofi, lena = phone("Kofi"), phone("Lena")
    return kofi, lena, begin(kofi, lena)


def box(phone):
    return phone.page.locator("[data-pad-value]")


def tap_three_times(phone, locator, *, leaves=False):
    """As fast as a thumb that is not sure whether it was felt, on however busy a machine."""
    found = locator.bounding_box()
    point = {"x": found["x"] + found["width"] / 2, "y": found["y"] + found["height"] / 2}
    finger = phone.context.new_cdp_session(phone.page)
    began = time.time() - 0.3
    for at in (began, began + 0.1, began + 0.2):
        for kind, points, when in (("Start", [point], at), ("End", [], at + 0.05)):
            touch = {"type": f"touch{kind}", "touchPoints": points, "timestamp": when}
            # A page that is just going, after the first tap, says nothing to the others.
            with suppress(Error) if leaves and when > began else nullcontext():
                finger.send("Input.dispatchTouchEvent", touch, timeout=2000 if leaves else 20_000)


@contextmanager
def slow_answers(cellar):
    """The server hears every POST at once; the phone hears of it 600 ms after the last tap."""
    began = time.monotonic()
    cellar.lose_answers(only="/t/", keeps=True)
    yield began
    time.sleep(0.6)
    cellar.signal()


def test_half_a_number_survives_twenty_updates(pair):
    kofi, lena, table = pair
    type_digits(lena, "1.A", "12")
    box(lena).tap()
    lena.page.keyboard.press("End")
    lena.page.keyboard.press("ArrowLeft")
    lena.page.evaluate("window.typing = document.activeElement")
    top = cell(lena, "1.A").bounding_box()["y"]
    news = [("1.B", 0)] + [(f"{n}.{c}", v) for n in range(2, 11) for c, v in (("A", 1), ("B", 0))]

    for place, number in news:
        enter(kofi, place, number)
        look_again(lena)
        expect(cell(lena, place).locator("b")).to_have_text(str(number))
        assert abs(cell(lena, "1.A").bounding_box()["y"] - top) <= 1
    enter(kofi, "1.A", 2)
    look_again(lena)
    show([lena], 11, 0)

    expect(box(lena)).to_have_value("12")
    assert lena.page.evaluate(
        "[document.activeElement === window.typing, typing.isConnected, typing.selectionStart]"
    ) == [True, True, 1]
    assert abs(cell(lena, "1.A").bounding_box()["y"] - top) <= 1
    ok(lena).tap()
    expect(say(lena)).to_contain_text(re.compile(r"Kofi wrote 2 \(.*\), you wrote 12"))
    assert entries(lena, table)[0] == [2, 0]


def test_a_number_on_its_way_is_not_overwritten(pair):
    kofi, lena, table = pair
    held = []
    lena.context.route("**/r/1/A/", lambda route: held.append(route))  # noqa: PLW0108
    open_pad(lena, "1.A")
    chip(lena, 3).tap()
    expect(cell(lena, "1.A")).to_have_attribute("data-state", "pending")

    enter(kofi, "1.A", 1)
    look_again(lena)
    show([lena], 1, 0)

    expect(cell(lena, "1.A").locator("b")).to_have_text("3")
    expect(cell(lena, "1.A")).to_have_attribute("data-state", "pending")
    held[0].continue_()
    lena.context.unroute("**/r/1/A/")
    answer(lena, "Enter 3")
    written(lena, "1.A", 3)
    assert entries(lena, table) == [[3, None]]


def test_a_draft_is_there_again_after_a_reload(pair):
    _kofi, lena, table = pair
    type_digits(lena, "1.A", "1")

    lena.page.set_viewport_size({"width": 844, "height": 390})
    expect(box(lena)).to_have_value("1")
    lena.page.reload()

    expect(box(lena)).to_have_value("1")
    assert lena.page.evaluate("getComputedStyle(document.documentElement).overscrollBehaviorY") in {
        "contain",
        "none",
    }
    ok(lena).tap()
    written(lena, "1.A", 1)
    assert len(history(lena, table, "1.A")) == 1


def test_what_is_typed_after_a_refusal_stays_through_a_reload(pair):
    _kofi, lena, _table = pair
    type_digits(lena, "1.A", "7")
    ok(lena).tap()
    expect(cell(lena, "1.A")).to_have_attribute("data-state", "refused")
    box(lena).fill("3")

    lena.page.reload()

    expect(box(lena)).to_have_value("3")
    ok(lena).tap()
    written(lena, "1.A", 3)


def test_light_and_dark_change_at_once_and_leave_what_is_typed(phone):
    lena = phone("Lena")
    lena.open("/new/bauernstoss/")
    lena.page.locator("[name=player_0]").fill("Lena")
    lena.page.get_by_role("button", name="Dark", exact=True).tap()

    expect(lena.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(lena.page.locator("[name=player_0]")).to_have_value("Lena")
    expect(lena.page.locator("meta[name=theme-color]")).to_have_attribute("content", "#14181B")
    lena.page.wait_for_load_state("networkidle")
    lena.open("/")
    expect(lena.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_usual_entry_takes_two_taps_and_no_keyboard_unless_asked_for(pair):
    _kofi, lena, _table = pair

    cell(lena, "1.A").tap()
    assert lena.page.evaluate("document.activeElement.inputMode") == "none"
    expect(box(lena)).to_have_accessible_name(re.compile("Lena & Felix scored.*Deal 1"))
    chip(lena, 1).tap()
    written(lena, "1.A", 1)
    expect(box(lena)).to_have_accessible_name(re.compile("Lena & Felix scored.*Deal 2"))
    chip(lena, 2).tap()

    written(lena, "2.A", 2)
    type_digits(lena, "3.A", "")
    lena.page.get_by_role("button", name="Keyboard").tap()
    assert lena.page.evaluate("document.activeElement.inputMode") == "numeric"
    lena.page.keyboard.type("3")
    lena.page.keyboard.press("Enter")
    written(lena, "3.A", 3)


def test_three_fast_taps_write_once_and_throw_one_hand_in(phone, cellar):
    lena = phone("Lena", cellar=cellar)
    table = begin(phone("Kofi"), lena)
    before = sheet(lena, table)["version"]

    open_pad(lena, "1.A")
    with slow_answers(cellar) as began:
        tap_three_times(lena, chip(lena, 2))
        expect(cell(lena, "1.A")).to_have_attribute("data-state", "pending")
    written(lena, "1.A", 2)
    assert len(cellar.asked_for("POST", since=began)) == 1
    assert sheet(lena, table)["version"] == before + 1

    type_digits(lena, "2.A", "3")
    with slow_answers(cellar) as began:
        tap_three_times(lena, ok(lena))
    written(lena, "2.A", 3)
    assert len(cellar.asked_for("POST", since=began)) == 1
    assert sheet(lena, table)["version"] == before + 2

    with slow_answers(cellar):
        tap_three_times(lena, tool(lena, "Thrown in"))
    expect(lena.page.locator("[data-dash]")).to_have_text("thrown in, Felix gave")
    found = sheet(lena, table)
    assert (found["version"], found["dealer"]) == (before + 3, 3)
    assert entries(lena, table) == [[2, None], [3, None]]
    assert len(history(lena, table, "1.A")) == 1


def test_a_tap_on_a_cell_puts_the_pad_in_the_place_of_a_question(pair):
    _kofi, lena, _table = pair
    lena.page.locator("[data-dealer]").tap()
    expect(lena.page.get_by_role("region", name="Who deals")).to_be_visible()

    enter(lena, "1.A", 1)

    expect(lena.page.get_by_role("region", name="Who deals")).to_be_hidden()


@pytest.mark.parametrize("answers", [slow_answers, nullcontext], ids=["slow", "fast"])
def test_three_fast_taps_end_a_match_once_and_begin_one(phone, cellar, answers):
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar)
    table = begin(kofi, lena)
    enter(lena, "1.A", 1)
    before = sheet(lena, table)["version"]
    question = lena.page.get_by_role("region", name="A question")

    tap_three_times(lena, tool(lena, "End match"))  # asks, and no more
    expect(question).to_be_visible()
    assert sheet(lena, table)["status"] == "open"
    with answers(cellar):
        tap_three_times(lena, question.get_by_role("button", name="End match"), leaves=True)
    status([lena, kofi], "ended-early")
    expect(tool(lena, "Next match")).to_be_visible()
    assert sheet(lena, table)["version"] == before + 1

    with answers(cellar):
        tap_three_times(lena, tool(lena, "Next match"), leaves=True)
    expect(lena.page).to_have_url(re.compile("/m/2/$"))
    status([lena], "open")
    assert sheet(lena, table, match=2)["version"] == before + 2
    assert sheet(lena, table, match=2)["rounds"] == []


def test_what_is_no_number_is_refused_and_stays_in_the_box(pair):
    _kofi, lena, table = pair
    open_pad(lena, "1.A")

    for text in NO_NUMBERS:
        box(lena).fill(text)
        ok(lena).tap()
        expect(say(lena)).to_contain_text(f"“{text}” is not a whole number")
        expect(box(lena)).to_have_value(text)
        expect(box(lena)).to_have_attribute("aria-invalid", "true")
    assert entries(lena, table) == []
    box(lena).fill(" 2 ")
    ok(lena).tap()

    written(lena, "1.A", 2)
    assert entries(lena, table) == [[2, None]]


@pytest.mark.parametrize("reaches", [False, True], ids=["request", "answer"])
def test_a_number_whose_way_was_lost_is_sent_again_by_itself_and_written_once(pair, reaches):
    _kofi, lena, table = pair
    before = sheet(lena, table)["version"]
    ops = []

    def lose(route):
        ops.append(route.request.post_data_json["op"])
        with suppress(Error):  # the page may have given it up already
            if reaches:
                route.fetch(max_redirects=0)
            route.abort()

    lena.context.route("**/r/1/A/", lose)
    type_digits(lena, "1.A", "3")
    ok(lena).tap()
    for _ in range(100):
        if len(ops) > 1:
            break
        lena.page.wait_for_timeout(100)
    expect(cell(lena, "1.A")).to_have_attribute("data-state", re.compile("pending|written"))
    expect(cell(lena, "1.A").locator("b")).to_have_text("3")
    lena.context.unroute("**/r/1/A/", lose)
    written(lena, "1.A", 3)

    expect(cell(lena, "1.A")).to_have_attribute("data-state", "written")
    assert len(ops) >= 2
    assert len(set(ops)) == 1
    assert sheet(lena, table)["version"] == before + 1
    assert len(history(lena, table, "1.A")) == 1


def test_a_whole_deal_is_not_kept_for_later_and_says_so(phone):
    host = phone("host")
    table = set_up(host, "bauernschnapsen")
    host.context.route("**/r/1/", lambda route: route.abort())
    host.page.locator('.half [data-chip="3"][data-side="A"]').tap()
    expect(say(host)).to_contain_text(UNSENT)
    host.context.unroute("**/r/1/")

    answer(host, "Try again")

    written(host, "1.A", 3)
    assert entries(host, table) == [[3, 0]]


def test_ending_without_signal_says_so_and_is_not_kept_for_later(pair):
    _kofi, lena, table = pair
    enter(lena, "1.A", 1)
    tool(lena, "End match").tap()
    question = lena.page.get_by_role("region", name="A question")
    expect(question.get_by_role("button", name="End match")).to_be_visible()
    play_on(lena)

    lena.context.route("**/end/", lambda route: route.abort())
    with lena.expecting(NOTED_BY_HTMX):
        tool(lena, "End match").tap()
        expect(question).to_contain_text("Not sent: no signal. Please try again.")
    lena.context.unroute("**/end/")

    assert sheet(lena, table)["status"] == "open"


def test_older_news_never_replaces_newer(pair):
    kofi, lena, table = pair
    held: list[tuple[Route, APIResponse]] = []

    def hold_the_first(route):
        response = route.fetch()
        if held or response.status != 200:
            route.fulfill(response=response)
        else:
            held.append((route, response))

    lena.context.route("**/live/**", lambda route: route.abort())
    lena.context.add_init_script("window.scoresheetTimes = {probe: 60000, poll: 60000}")
    lena.page.reload()
    lena.page.wait_for_load_state("networkidle")
    lena.context.route("**/changes/**", hold_the_first)
    enter(kofi, "1.B", 0)
    look_again(lena)
    for _ in range(50):
        if held:
            break
        lena.page.wait_for_timeout(100)
    lena.page.evaluate(
        """() => { window.seen = []; new MutationObserver(() => {
             window.seen.push(document.querySelector('[data-cell="1.A"] b')?.textContent ?? 'open',
               document.querySelector('[data-total="A"]').textContent);
           }).observe(document.getElementById('page'), {childList: true, subtree: true}); }"""
    )
    enter(lena, "1.A", 2)
    show([lena], 2, 0)
    lena.page.evaluate("window.seen = []")
    route, response = held[0]
    route.fulfill(response=response)
    lena.context.unroute("**/changes/**", hold_the_first)
    enter(kofi, "2.B", 0)
    look_again(lena)

    written(lena, "2.B", 0)
    written(lena, "1.B", 0)
    assert set(lena.page.evaluate("window.seen")) <= {"2"}
    assert entries(lena, table) == [[2, 0], [None, 0]]
