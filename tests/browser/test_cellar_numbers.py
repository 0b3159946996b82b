"""Without signal no number is lost, doubled or changed: statements 1 to 16 of phones at a table.

Those that need no bad place are held elsewhere: 1 by half a number that survives twenty updates, 10
by older news that never replace newer, 12 by three fast taps, 16 by what is no number (all in
test_typing), 13 by the host who corrects the other side (test_evening).
"""

import random
import re
import time

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import FLAGS, Phone
from tests.browser.find import find
from tests.browser.table import (
    answer,
    begin,
    cell,
    chip,
    end_by_tap,
    enter,
    entries,
    history,
    is_live,
    light,
    open_pad,
    outbox,
    pending,
    post,
    put,
    say,
    sheet,
    show,
    status,
    tool,
    written,
)

# Short enough for a test; the beat of the stream still comes every ten seconds.
TIMES = {"probe": 500, "poll": 1000, "timeout": 2500, "sendFirst": 300, "sendMost": 1000}
WEATHERS = ("black hole", "cut", "reset", "offline")


@pytest.fixture
def pair(phone, cellar):
    """Kofi, who is host and has signal, Lena of the other side in the cellar; the table’s path."""
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar, times=TIMES)
    table = begin(kofi, lena)
    is_live(lena)
    return kofi, lena, table


def lose_signal(phone, cellar, weather):
    if weather == "offline":
        phone.context.set_offline(True)
    else:
        {"black hole": cellar.black_hole, "cut": cellar.cut, "reset": cellar.reset}[weather]()


def find_signal(phone, cellar):
    phone.context.set_offline(False)
    cellar.signal()


def tap_in(phone, place, value):
    open_pad(phone, place)
    chip(phone, value).tap()


def lines(kofi, table, place):
    return kofi.ask(f"{table}m/1/r/{place.replace('.', '/')}/").text().count("<time class=")


def trouble(phone):
    return phone.page.locator("[data-trouble] button")


def test_02_a_number_on_its_way_stays_whatever_news_come(pair, cellar):
    kofi, lena, table = pair
    cellar.black_hole(only=f"{table}m/1/r/")
    tap_in(lena, "1.A", 3)
    pending(lena, "1.A", 3)

    enter(kofi, "1.B", 0)

    written(lena, "1.B", 0)
    pending(lena, "1.A", 3)
    cellar.signal()
    written(lena, "1.A", 3)
    assert entries(kofi, table) == [[3, 0]]


@pytest.mark.parametrize("weather", WEATHERS)
def test_03_a_number_entered_without_signal_arrives_exactly_once(pair, cellar, weather):
    kofi, lena, table = pair
    before = sheet(kofi, table)["version"]
    lose_signal(lena, cellar, weather)

    tap_in(lena, "1.A", 3)

    pending(lena, "1.A", 3)
    expect(lena.page.locator('[data-total="A"]')).to_have_attribute("data-about", "~3")
    expect(cell(lena, "2.A")).to_be_visible()  # the next deal is open, here too
    expect(light(lena)).to_have_text(re.compile(r"no signal since \d\d:\d\d"))
    assert entries(kofi, table) == []
    find_signal(lena, cellar)
    written(lena, "1.A", 3)
    expect(lena.page.locator("[data-about]")).to_have_count(0)
    assert entries(kofi, table) == [[3, None]]
    assert sheet(kofi, table)["version"] == before + 1
    assert outbox(lena) == []


def test_04_a_lost_answer_neither_doubles_nor_takes_back_a_number(pair, cellar):
    kofi, lena, table = pair
    before = sheet(kofi, table)["version"]
    cellar.lose_answers(only=f"{table}m/1/r/")

    tap_in(lena, "1.A", 3)

    show([kofi], 3, 0)
    pending(lena, "1.A", 3)
    cellar.signal()
    written(lena, "1.A", 3)
    assert outbox(lena) == []
    assert sheet(kofi, table)["version"] == before + 1
    assert len(cellar.asked_for("POST " + table + "m/1/r/1/A/")) >= 2


@pytest.fixture
def browser_of_lena(chromium: Browser, cellar, tmp_path):
    """A browser of its own that can be closed and started again; depends on Playwright running."""
    opened = []

    def start():
        context = chromium.browser_type.launch_persistent_context(
            tmp_path / "profile",
            executable_path=find(light=True),
            args=FLAGS,
            viewport={"width": 390, "height": 844},
            has_touch=True,
            locale="en-GB",
            service_workers="block",
        )
        opened.append(context)
        context.add_init_script("window.scoresheetTimes = {timeout: 2500, sendMost: 1000}")
        return Phone("Lena", context.pages[0], context, cellar.url, is_in_cellar=True)

    yield start
    for context in opened:
        context.close()


def test_05_what_waits_survives_reload_tab_kill_and_browser_restart(phone, cellar, browser_of_lena):
    kofi, lena = phone("Kofi"), browser_of_lena()
    table = begin(kofi, lena)
    cellar.black_hole(only=f"{table}m/1/r/")
    tap_in(lena, "1.A", 3)
    pending(lena, "1.A", 3)

    lena.page.reload()
    pending(lena, "1.A", 3)
    tap_in(lena, "2.A", 1)
    pending(lena, "2.A", 1)
    lena.page.close()
    lena.page = lena.context.new_page()
    lena.open("/")
    expect(lena.page.get_by_text("2 numbers wait")).to_be_visible()
    lena.context.close()
    lena = browser_of_lena()
    lena.open(table)
    pending(lena, "1.A", 3)
    pending(lena, "2.A", 1)
    assert entries(kofi, table) == []
    cellar.signal()

    written(lena, "2.A", 1)
    written(lena, "1.A", 3)
    assert entries(kofi, table) == [[3, None], [1, None]]
    assert [len(history(kofi, table, place)) for place in ("1.A", "2.A")] == [1, 1]
    lena.open("/")
    expect(lena.page.locator(".waits")).to_have_count(0)


def test_06_nothing_and_zero_are_different_everywhere(pair):
    kofi, lena, table = pair
    enter(lena, "1.A", 0)

    for one in (kofi, lena):
        written(one, "1.A", 0)
        expect(cell(one, "1.B").locator("i")).to_be_visible()
        expect(cell(one, "1.B").locator("b")).to_have_count(0)
        expect(cell(one, "1.A").get_by_role("link")).to_have_accessible_name(re.compile(": 0$"))
        expect(cell(one, "1.B").get_by_role("link")).to_have_accessible_name(re.compile(": open$"))
    assert entries(kofi, table) == [[0, None]]
    open_pad(lena, "1.A")
    lena.page.get_by_role("button", name="Clear").tap()

    for one in (kofi, lena):
        expect(cell(one, "1.A").locator("i")).to_be_visible()
    assert entries(kofi, table) == []


def test_07_a_player_writes_in_the_own_column_only(pair):
    kofi, lena, table = pair
    cell(lena, "1.B").locator("a").evaluate(
        "link => link.addEventListener('click', event => event.preventDefault())"
    )
    cell(lena, "1.B").tap()
    expect(lena.page.locator("[data-pad]")).to_have_attribute("data-pad-cell", "1.A")

    fields = {"value": "1", "base": "0", "op": "00000000-0000-4000-8000-000000000000"}
    post(lena, f"{table}m/1/r/1/B/", fields, status=403)

    assert entries(kofi, table) == []


@pytest.mark.parametrize(("choice", "stands"), [("Keep 2", 2), ("Enter 3", 3)])
def test_08_two_who_wrote_one_cell_choose_also_after_a_reload(phone, cellar, choice, stands):
    kofi, felix = phone("Kofi"), phone("Felix")
    lena = phone("Lena", cellar=cellar, times=TIMES)
    table = begin(kofi, felix, lena)
    is_live(lena)
    cellar.black_hole(only=f"{table}m/1/r/")
    tap_in(lena, "1.A", 3)
    pending(lena, "1.A", 3)
    enter(felix, "1.A", 2)

    cellar.signal()

    both = re.compile(r"Felix wrote 2 \(\d\d:\d\d\), you wrote 3")
    expect(say(lena)).to_contain_text(both)
    assert entries(kofi, table) == [[2, None]]
    lena.page.reload()
    expect(cell(lena, "1.A")).to_have_attribute("data-state", "refused")
    trouble(lena).tap()
    expect(say(lena)).to_contain_text(both)
    answer(lena, choice)

    written(lena, "1.A", stands)
    assert entries(kofi, table) == [[stands, None]]
    assert outbox(lena) == []


def test_09_the_same_number_from_two_phones_is_no_conflict(phone, cellar):
    kofi, felix = phone("Kofi"), phone("Felix")
    lena = phone("Lena", cellar=cellar, times=TIMES)
    table = begin(kofi, felix, lena)
    is_live(lena)
    cellar.black_hole(only=f"{table}m/1/r/")
    tap_in(lena, "1.A", 2)
    pending(lena, "1.A", 2)
    enter(felix, "1.A", 2)

    cellar.signal()

    written(lena, "1.A", 2)
    expect(say(lena)).to_be_empty()
    assert outbox(lena) == []
    assert entries(kofi, table) == [[2, None]]


def test_11_totals_are_the_sum_of_what_is_shown_whatever_happened(phone, cellar):
    dice = random.Random(20)  # noqa: S311 - the same evening each time
    kofi, nora = phone("Kofi"), phone("Nora")
    lena, felix = (phone(name, cellar=cellar, times=TIMES) for name in ("Lena", "Felix"))
    columns = {"A": (lena, felix), "B": (kofi, nora)}
    phones = [one for pair in columns.values() for one in pair]
    table = begin(kofi, nora, lena, felix)
    weathers = [cellar.signal, cellar.cut_once, cellar.black_hole, cellar.signal, cellar.reset]

    for _ in range(6):
        dice.choice(weathers)()
        for column in "AABB":
            scribble(dice, dice.choice(columns[column]), column)
        for one in phones:
            expect_sums(one)
    cellar.signal()
    for one in phones:
        clear_up(one)

    found = sheet(kofi, table)
    for one in phones:
        caught_up = one.page.locator("[data-sheet]")
        expect(caught_up).to_have_attribute("data-version", str(found["version"]))
        show([one], *found["totals"])
        expect_sums(one)
        assert shown_rows(one, found) == [row["entries"] for row in found["rounds"]]


def scribble(dice, phone, column):
    """Write some number somewhere in a column, as a hurried player does."""
    place = f"{dice.randint(1, 4)}.{column}"
    if cell(phone, place).count():
        version = cell(phone, place).get_attribute("data-version")
        put(phone, place, dice.choice([0, 0, 1, 2, 3]), version)


def clear_up(phone):
    """Wait until everything was answered, and forget what was refused."""
    for _ in range(80):
        if all(kept["state"] != "waiting" for kept in outbox(phone)):
            break
        phone.page.wait_for_timeout(250)
    for kept in outbox(phone):
        phone.page.evaluate("place => window.scoresheet.outbox.forget(place)", kept["place"])
    assert outbox(phone) == []


def shown_rows(phone, found):
    """The numbers of the deals on this phone."""
    rows = [
        [cell(phone, f"{row['number']}.{column}").locator("b") for column in "AB"]
        for row in found["rounds"]
    ]
    return [[int(b.inner_text()) if b.count() else None for b in row] for row in rows]


def expect_sums(phone):
    """Wait until the totals are the sums of the numbers shown; those on their way count too."""
    phone.page.wait_for_function(
        """() => {
             const sums = {A: 0, B: 0};
             for (const cell of document.querySelectorAll("[data-cell]")) {
               const shown = cell.dataset.state === "refused" ? scoresheet.storedValue(cell)
                 : cell.querySelector("b")?.textContent;
               sums[cell.dataset.cell.split(".")[1]] += Number(shown ?? 0);
             }
             return [...document.querySelectorAll("[data-total]")].every((total) =>
               (total.dataset.about ?? total.textContent).replace("~", "")
                 === String(sums[total.dataset.total]));
           }"""
    )


@pytest.mark.parametrize(("choice", "stands"), [("Take it", [[1, None], [3, None]]),
                                                 ("Drop it", [[1, None]])])  # fmt: skip
def test_14_a_number_that_comes_after_the_end_waits_for_the_host(pair, cellar, choice, stands):
    kofi, lena, table = pair
    enter(kofi, "1.A", 1)
    written(lena, "1.A", 1)
    cellar.black_hole(only=f"{table}m/1/r/")
    tap_in(lena, "2.A", 3)
    pending(lena, "2.A", 3)
    end_by_tap(kofi)
    cellar.signal()

    expect(trouble(lena)).to_have_text("Deal 2, Lena & Felix: 3 waits for the host")
    expect(cell(lena, "2.A").locator("b")).to_have_text("3")
    kofi.page.get_by_role("link", name="1 late number").tap()
    kofi.page.get_by_role("button", name=choice).tap()

    expect(trouble(lena)).to_have_count(0)
    assert outbox(lena) == []
    assert entries(kofi, table) == stands


def test_14_a_number_that_waits_for_the_host_is_written_when_the_end_is_taken_back(pair, cellar):
    kofi, lena, table = pair
    enter(kofi, "1.A", 1)
    written(lena, "1.A", 1)
    cellar.black_hole(only=f"{table}m/1/r/")
    tap_in(lena, "2.A", 3)
    pending(lena, "2.A", 3)
    end_by_tap(kofi)
    cellar.signal()
    expect(trouble(lena)).to_have_text("Deal 2, Lena & Felix: 3 waits for the host")

    kofi.page.locator(".tools").get_by_role("button", name="Take back").tap()

    status([kofi, lena], "open")
    written(lena, "2.A", 3)
    assert entries(kofi, table) == [[1, None], [3, None]]


def test_15_ending_is_refused_without_signal_and_not_kept(pair, cellar):
    kofi, lena, table = pair
    enter(lena, "1.A", 1)
    cellar.black_hole()

    tool(lena, "End match").tap()

    question = lena.page.get_by_role("region", name="A question")
    expect(question).to_contain_text("Not sent: no signal. Please try again.")
    cellar.signal()
    is_live(lena)
    assert sheet(kofi, table)["status"] == "open"
    assert outbox(lena) == []


def test_a_newer_number_waits_behind_the_one_that_is_under_way(pair, cellar):
    kofi, lena, table = pair
    cellar.black_hole(only=f"{table}m/1/r/", keeps=True)
    tap_in(lena, "1.A", 3)
    pending(lena, "1.A", 3)

    lena.page.wait_for_timeout(3000)  # the first attempt was given up, and lies in the network
    tap_in(lena, "1.A", 1)
    pending(lena, "1.A", 1)
    lena.page.wait_for_timeout(3000)
    assert [kept["cells"] for kept in outbox(lena)] == [{"A": "3"}, {"A": "1"}]
    cellar.signal()

    written(lena, "1.A", 1)
    assert outbox(lena) == []
    lena.page.wait_for_timeout(500)
    assert entries(kofi, table) == [[1, None]]


def test_a_newer_number_replaces_one_that_was_never_sent(pair, cellar):
    kofi, lena, table = pair
    lena.context.set_offline(True)
    tap_in(lena, "1.A", 3)
    pending(lena, "1.A", 3)
    expect(light(lena)).to_have_attribute("data-live", "off")
    for _ in range(40):
        if not outbox(lena)[0].get("sent"):
            break
        lena.page.wait_for_timeout(100)

    tap_in(lena, "1.A", 1)

    pending(lena, "1.A", 1)
    lena.context.set_offline(False)
    written(lena, "1.A", 1)
    assert entries(kofi, table) == [[1, None]]
    assert len(history(kofi, table, "1.A")) == 1


def test_what_is_refused_does_not_hold_up_the_next(pair, cellar):
    kofi, lena, table = pair
    cellar.black_hole(only=f"{table}m/1/r/")
    tap_in(lena, "1.A", 3)
    pending(lena, "1.A", 3)
    tap_in(lena, "2.A", 2)
    pending(lena, "2.A", 2)
    enter(kofi, "1.B", 2)

    cellar.signal()

    written(lena, "2.A", 2)
    expect(cell(lena, "1.A")).to_have_attribute("data-state", "refused")
    assert entries(kofi, table) == [[None, 2], [2, None]]


def test_a_number_for_a_deal_that_is_not_open_is_sent_when_it_opens(pair):
    kofi, lena, table = pair
    put(lena, "2.A", 3)
    expect(say(lena)).to_contain_text("Deal 2 is not open yet.")
    expect(cell(lena, "2.A")).to_have_attribute("data-state", "refused")

    enter(kofi, "1.B", 0)

    written(lena, "2.A", 3)
    assert entries(kofi, table) == [[None, 0], [3, None]]


@pytest.mark.parametrize("locks", [True, False], ids=["https", "http"])
def test_two_tabs_of_one_browser_share_the_outbox_and_send_once(phone, cellar, locks):
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar, times=TIMES)
    if not locks:  # as on plain http
        lena.context.add_init_script(
            "Object.defineProperty(Navigator.prototype, 'locks', {value: undefined})"
        )
    table = begin(kofi, lena)
    other = Phone("Lena, another tab", lena.context.new_page(), lena.context, lena.home)
    other.open(table)
    cellar.black_hole(only=f"{table}m/1/r/")
    tap_in(lena, "1.A", 3)

    pending(other, "1.A", 3)
    put(other, "2.A", 1)
    pending(lena, "2.A", 1)
    lena.page.wait_for_timeout(3000)
    back = time.monotonic()
    cellar.signal()

    for one in (lena, other):
        written(one, "1.A", 3)
        written(one, "2.A", 1)
        assert outbox(one) == []
    lena.page.wait_for_timeout(1000)
    posts = [one.line for one in cellar.asked_for("POST ", since=back + 0.1)]
    assert sorted(posts) == sorted(set(posts))
    assert entries(kofi, table) == [[3, None], [1, None]]


def test_a_phone_that_keeps_nothing_still_sends_again(phone, cellar):
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar, times=TIMES)
    lena.context.add_init_script(
        """Object.defineProperty(window, "localStorage", {get() { throw new Error("none"); }})"""
    )
    table = begin(kofi, lena)
    cellar.black_hole(only=f"{table}m/1/r/")
    tap_in(lena, "1.A", 3)
    pending(lena, "1.A", 3)

    cellar.signal()

    written(lena, "1.A", 3)
    assert entries(kofi, table) == [[3, None]]


def test_a_number_of_the_match_before_is_sent_from_the_next_one(pair, cellar):
    kofi, lena, table = pair
    enter(kofi, "1.B", 0)
    written(lena, "1.B", 0)
    cellar.black_hole(only=f"{table}m/1/r/")
    tap_in(lena, "1.A", 3)
    pending(lena, "1.A", 3)
    end_by_tap(kofi)
    tool(kofi, "Next match").tap()
    expect(kofi.page).to_have_url(re.compile("/m/2/$"))
    expect(lena.page).to_have_url(re.compile("/m/2/$"))
    kept = lena.page.locator("#kept")
    expect(kept).to_contain_text("Match 1: 1 number waits")

    cellar.signal()

    waits = "Match 1: Deal 1, Lena & Felix: 3 waits for the host"
    expect(kept).to_contain_text(waits)
    kofi.open(f"{table}m/1/")
    kofi.page.get_by_role("button", name="Take it").tap()
    expect(kept).to_be_hidden()
    assert entries(kofi, table) == [[3, 0]]
