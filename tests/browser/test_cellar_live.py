"""News find their way whatever the signal does: statements 17 to 24 of phones at a table."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.cellar import Cellar
from tests.browser.conftest import Phone
from tests.browser.table import (
    answer,
    begin,
    cell,
    chip,
    enter,
    entries,
    hide,
    is_live,
    light,
    ok,
    open_pad,
    outbox,
    pending,
    post,
    say,
    set_up,
    sheet,
    show,
    status,
    tool,
    type_digits,
    written,
)

TIMES = {"probe": 500, "poll": 1000, "timeout": 2500, "sendFirst": 300, "sendMost": 1000}
SIZES = {"large": (390, 844), "small": (320, 568)}
OFF = re.compile(r"^no signal since \d\d:\d\d$")


@pytest.fixture
def size():
    """How large Lena's phone is, where a test does not say."""
    return "large"


@pytest.fixture
def pair(phone, cellar, size):
    """Kofi, who is host and has signal, Lena of the other side in the cellar; the table’s path."""
    width, height = SIZES[size]
    kofi = phone("Kofi")
    lena = phone("Lena", cellar=cellar, times=TIMES, width=width, height=height)
    table = begin(kofi, lena)
    is_live(lena)
    return kofi, lena, table


@pytest.mark.parametrize("delay", [0, 0.75], ids=["good", "1500 ms"])
def test_17_a_number_shows_on_other_phones_by_the_stream(phone, cellar, delay):
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar)
    begin(kofi, lena)
    is_live(lena)
    cellar.delay(delay)
    polls = len(cellar.asked_for("/changes/"))

    enter(kofi, "1.B", 0)

    written(lena, "1.B", 0)
    assert len(cellar.asked_for("/changes/")) == polls  # it came by the stream


def test_18_when_the_signal_is_back_the_sheet_is_right_without_a_tap(pair, cellar):
    kofi, lena, _table = pair
    cellar.black_hole()
    enter(kofi, "1.B", 0)
    tool(lena, "Thrown in").tap()  # a request without an answer tells, before the silence does
    expect(light(lena)).to_have_text(OFF)
    expect(cell(lena, "1.B").locator("b")).to_have_count(0)

    cellar.signal()

    written(lena, "1.B", 0)
    is_live(lena)


def test_19_after_unlocking_the_sheet_is_right(pair, cellar):
    kofi, lena, _table = pair
    hide(lena)
    cellar.cut_once()
    enter(kofi, "1.B", 0)
    assert cell(lena, "1.B").locator("b").count() == 0
    began = time.monotonic()

    hide(lena, hidden=False)
    lena.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")

    written(lena, "1.B", 0)
    assert cellar.asked_for("/changes/", since=began)
    is_live(lena)


def test_20_a_silent_stream_is_noticed_and_replaced(phone, cellar):
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar, times={"late": 11_000, "off": 12_000})
    begin(kofi, lena)
    is_live(lena)
    began = time.monotonic()
    cellar.black_hole(only="/live/")
    lena.page.wait_for_timeout(500)
    cellar.signal()  # the connection that met the hole stays dead

    enter(kofi, "1.B", 0)

    written(lena, "1.B", 0)
    is_live(lena)
    assert cellar.asked_for("/live/", since=began)


def test_20_a_stream_that_was_tried_again_into_a_hole_is_replaced(phone, cellar):
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar, times=TIMES)
    begin(kofi, lena)
    is_live(lena)
    cellar.cut(only="/live/")
    began = time.monotonic()
    cellar.black_hole(only="/live/")
    until = began + 20  # seconds; by itself the first try comes within one and a half
    while not cellar.asked_for("/live/", since=began) and time.monotonic() < until:
        lena.page.wait_for_timeout(50)
    assert cellar.asked_for("/live/", since=began)
    expect(light(lena)).to_have_text("slow")

    cellar.signal()  # polls go through; the stream that is being opened never will

    is_live(lena)


@pytest.mark.parametrize("size", SIZES)
def test_21_the_light_tells_the_truth(pair, cellar):
    _kofi, lena, _table = pair
    expect(light(lena)).to_have_text("live")
    lena.page.evaluate(
        """() => {
             const light = document.querySelector("[data-live]");
             window.lights = [[light.dataset.live, Date.now()]];
             new MutationObserver(() => window.lights.push([light.dataset.live, Date.now()]))
               .observe(light, {attributes: true});
           }"""
    )
    lost = lena.page.evaluate("Date.now()")
    cellar.cut()
    expect(light(lena)).to_have_text(OFF)
    lena.page.wait_for_timeout(3000)
    expect(light(lena)).to_have_text(OFF)
    back = lena.page.evaluate("Date.now()")
    cellar.signal()
    is_live(lena)

    lights = lena.page.evaluate("window.lights")
    assert [name for name, at in lights if at < lost] in (["live"], [])
    gone = [(name, at) for name, at in lights if lost <= at < back]
    assert "live" not in [name for name, at in gone if at > lost + 1000]
    assert gone[-1][0] == "off"
    assert lights[-1][0] == "live"
    right = light(lena).bounding_box()
    assert right["x"] + right["width"] <= lena.page.viewport_size["width"]


@pytest.mark.parametrize("size", SIZES)
def test_21_an_own_number_without_an_answer_turns_the_light_at_once(pair, cellar):
    _kofi, lena, _table = pair
    cellar.black_hole()

    open_pad(lena, "1.A")
    chip(lena, 3).tap()

    pending(lena, "1.A", 3)
    expect(light(lena)).to_have_text(OFF)
    assert (
        lena.page.evaluate("document.scrollingElement.scrollWidth")
        <= (lena.page.viewport_size["width"])
    )


def test_22_no_tap_waits_for_ever(phone, cellar):
    host = phone("host", cellar=cellar)  # with the waiting times of a real evening
    set_up(host, "bauernschnapsen")
    is_live(host)
    assert host.page.evaluate("scoresheet.TIMES.timeout") == 8000
    cellar.black_hole()

    host.page.locator('.half [data-chip="3"][data-side="A"]').tap()
    tool(host, "End match").tap()

    expect(say(host)).to_contain_text("Not sent: no signal.")
    question = host.page.get_by_role("region", name="A question")
    expect(question).to_contain_text("Not sent: no signal.")
    expect(light(host)).to_have_text(OFF)


def test_23_a_503_at_the_first_connect_heals_and_never_stands_on_the_page(phone, cellar):
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar, times=TIMES)
    refused: list[float] = []

    def refuse_twice(route):
        if len(refused) < 2:
            refused.append(time.monotonic())
            route.fulfill(status=503, body="<h1>no stream</h1>", content_type="text/html")
        else:
            route.fallback()

    lena.context.route("**/live/**", refuse_twice)
    with lena.expecting("503"):
        begin(kofi, lena)
        is_live(lena)
        enter(kofi, "1.B", 0)
        written(lena, "1.B", 0)

    assert len(refused) == 2
    assert refused[1] - refused[0] >= 0.1
    expect(lena.page.get_by_text("no stream")).to_have_count(0)


def test_23_a_server_that_was_started_again_is_found_by_itself(phone, own_server):
    kofi, lena = (phone(name, url=own_server.url) for name in ("Kofi", "Lena"))
    kofi.is_in_cellar = lena.is_in_cellar = True
    table = begin(kofi, lena)
    is_live(lena)

    own_server.stop()
    open_pad(lena, "1.A")
    chip(lena, 3).tap()
    pending(lena, "1.A", 3)
    expect(light(lena)).to_have_text(OFF)
    own_server.start()

    for one in (kofi, lena):
        expect(cell(one, "1.A")).to_have_attribute("data-state", "written")
        is_live(one)
    assert entries(kofi, table) == [[3, None]]


def test_24_hidden_phones_are_quiet(pair, cellar):
    _kofi, lena, _table = pair
    hide(lena)
    began = time.monotonic()

    lena.page.wait_for_timeout(3000)

    assert len(cellar.asked_for("", since=began)) <= 1


@pytest.fixture
def door(own_server):
    """All the phones of a large evening come in here."""
    taken = Cellar(own_server.port)
    yield taken
    taken.close()


BROWSERS, TABS = 8, 5  # of one browser, six connections at most


def open_everywhere(phone, door):
    """The sheet of one table on forty pages, all of which listen."""
    first, *others = browsers = [phone(f"browser {n}", cellar=door) for n in range(BROWSERS)]
    first.name = "Lena"
    table = begin(first)
    for one in others:
        one.open(table)
    pages = [one.page for one in browsers]
    for one in browsers:
        for _ in range(TABS - 1):
            with one.context.expect_page() as opened:  # in the same process, which is cheaper
                one.page.evaluate("() => { open(location.href) }")
            pages.append(opened.value)
    all_live(pages)
    return pages


def all_live(pages):
    """Wait for all; where a server starts slowly, a page may wait for its longest time twice."""
    for page in pages:
        expect(page.locator("[data-live]")).to_have_attribute("data-live", "live", timeout=120_000)


@pytest.mark.timeout(400)
def test_24_forty_phones_come_back_one_by_one_to_a_server_that_was_started_again(
    phone, own_server, door
):
    pages = open_everywhere(phone, door)
    locked = Phone("locked", pages.pop(), pages[0].context, door.url)
    hide(locked)
    asked_by_locked: list[str] = []
    locked.page.on("request", lambda request: asked_by_locked.append(request.url))

    own_server.stop()
    door.cut()
    own_server.start()
    door.signal()
    back = time.monotonic()
    all_live(pages)

    came = [one.at for one in door.asked_for("GET /live/", since=back)]
    assert len(came) >= len(pages)
    assert max(came) - min(came) >= 1
    assert len(asked_by_locked) <= 1


def test_24_a_phone_that_was_put_out_is_told_and_asks_no_more(pair, cellar):
    kofi, lena, table = pair
    _close_to_newcomers(kofi, table)
    lena.context.clear_cookies(name="phone")
    cellar.cut_once()

    expect(light(lena)).to_have_text("closed")
    began = time.monotonic()
    lena.page.wait_for_timeout(3000)

    assert cellar.asked_for("", since=began) == []


def _close_to_newcomers(host, table):
    post(host, f"{table}people/", {"do": "close"})


@pytest.mark.parametrize("size", SIZES)
def test_an_older_match_keeps_its_rows_and_learns_which_one_is_played(pair):
    kofi, lena, table = pair
    enter(kofi, "1.B", 0)
    tool(kofi, "End match").tap()
    kofi.page.get_by_role("region", name="A question").get_by_role("button", name="End match").tap()
    status([kofi, lena], "ended-early")
    open_first = lena.page.locator("#page")
    lena.page.evaluate("scoresheet.isBusy = () => true")  # as with an open pad: it stays here

    tool(kofi, "Next match").tap()
    expect(kofi.page).to_have_url(re.compile("/m/2/$"))
    enter(kofi, "1.B", 3)

    expect(open_first).to_have_attribute("data-current", "2")
    expect(lena.page.locator("#moved").get_by_text("Match 2 is being played.")).to_be_visible()
    lena.page.wait_for_timeout(1000)
    written(lena, "1.B", 0)
    show([lena], 0, 0)
    assert sheet(kofi, table)["totals"] == [0, 0]


@pytest.mark.parametrize("size", SIZES)
def test_a_number_that_the_door_refuses_stays_with_a_way_back_to_the_seat(pair):
    kofi, lena, table = pair
    type_digits(lena, "1.A", 3)
    post(kofi, f"{table}people/", {"do": "free", "seat": "0"})

    ok(lena).tap()

    expect(say(lena)).to_contain_text("Only the players of this side and the host write here.")
    expect(say(lena).get_by_role("button", name="Enter anyway")).to_be_visible()
    lena.page.reload()
    kept = lena.page.locator("#kept")
    expect(kept).to_contain_text("Deal 1, Lena & Felix: 3 was not taken")
    expect(kept.get_by_role("link", name="Take the seat again")).to_be_visible()
    assert entries(kofi, table) == []
    kept.get_by_role("button", name="Forget it").tap()
    expect(kept).to_be_hidden()
    assert outbox(lena) == []


@pytest.mark.parametrize("size", SIZES)
def test_a_person_can_forget_what_was_refused(pair):
    kofi, lena, table = pair
    enter(kofi, "1.B", 2)
    written(lena, "1.B", 2)
    open_pad(lena, "1.A")
    lena.page.locator("[data-pad-value]").fill("x")
    lena.page.keyboard.press("Enter")
    expect(say(lena)).to_contain_text("is not a whole number")
    lena.page.get_by_role("button", name="Close").tap()
    lena.page.locator("[data-trouble] button").tap()

    answer(lena, "Forget it")

    expect(cell(lena, "1.A").locator("i")).to_be_visible()
    assert outbox(lena) == []
    assert entries(kofi, table) == [[None, 2]]
