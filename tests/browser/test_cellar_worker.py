"""A sheet without a server, and pages that stay open for long: statements 25 to 28."""

import re
import shutil

import pytest
from playwright.sync_api import expect

from scoresheet.release import release_of
from tests.browser.table import (
    begin,
    cell,
    chip,
    enter,
    entries,
    history,
    is_live,
    light,
    open_pad,
    outbox,
    pending,
    tool,
    type_digits,
    written,
)
from tests.serving import ROOT, manage

TIMES = {
    "probe": 500,
    "poll": 1000,
    "timeout": 2500,
    "sendFirst": 300,
    "sendMost": 1000,
    "worker": 0,
    "goAfter": 1500,
}
KEPT = """async path => (await (await caches.open("scoresheet-pages-1")).match(path))?.text()"""


def wait_for_copy(phone, path, text=""):
    """Wait until the worker keeps a copy of a page, with this text in it."""
    for _ in range(100):
        kept = phone.page.evaluate(KEPT, path)
        if kept and text in kept:
            return kept
        phone.page.wait_for_timeout(100)
    raise AssertionError(f"no copy of {path}")


def take_seat_where_the_worker_is(phone, cellar, **more):
    kofi = phone("Kofi")
    lena = phone("Lena", cellar=cellar, times=TIMES, service_workers="allow", **more)
    table = begin(kofi, lena)
    is_live(lena)
    wait_for_copy(lena, table)
    return kofi, lena, table


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 568)])
def test_25_a_reload_without_signal_shows_the_last_sheet_as_old(phone, cellar, width, height):
    kofi, lena, table = take_seat_where_the_worker_is(phone, cellar, width=width, height=height)
    enter(kofi, "1.B", 0)
    written(lena, "1.B", 0)
    lena.page.reload()
    wait_for_copy(lena, table, 'data-value="0"')
    cellar.cut()
    open_pad(lena, "1.A")
    chip(lena, 3).tap()
    pending(lena, "1.A", 3)

    lena.page.reload()

    expect(light(lena)).to_have_text(re.compile(r"last seen \d\d:\d\d"))
    written(lena, "1.B", 0)
    pending(lena, "1.A", 3)
    expect(tool(lena, "Thrown in")).to_be_disabled()
    expect(lena.page.locator(".tools [data-end]")).to_have_attribute("aria-disabled", "true")
    open_pad(lena, "2.A")
    chip(lena, 1).tap()
    pending(lena, "2.A", 1)
    assert lena.page.evaluate("document.scrollingElement.scrollWidth") == width
    lena.page.reload()
    pending(lena, "2.A", 1)
    cellar.signal()

    written(lena, "1.A", 3)
    written(lena, "2.A", 1)
    expect(lena.page.locator("html[data-old]")).to_have_count(0)
    expect(tool(lena, "Thrown in")).to_be_enabled()
    is_live(lena)
    assert entries(kofi, table) == [[3, 0], [1, None]]


def test_25_what_the_worker_keeps_holds_no_token_and_nothing_else(phone, cellar):
    _kofi, lena, table = take_seat_where_the_worker_is(phone, cellar)
    enter(lena, "1.A", 3)
    lena.open(f"{table}people/")
    lena.open(table)
    wait_for_copy(lena, table, 'data-value="3"')

    kept = lena.page.evaluate(
        """async () => {
             const found = [];
             for (const name of await caches.keys()) {
               const cache = await caches.open(name);
               for (const one of await cache.keys()) {
                 const text = await (await cache.match(one)).text();
                 found.push([new URL(one.url).pathname, text.includes("csrfmiddlewaretoken")]);
               }
             }
             return found;
           }"""
    )

    of_a_release = ("/static/", "/words/")
    assert [one for one in kept if not one[0].startswith(of_a_release)] == [[table, False]]
    token = next(one["value"] for one in lena.context.cookies() if one["name"] == "csrftoken")
    assert token not in lena.page.evaluate(KEPT, table)


def test_25_a_slow_network_is_not_waited_for_longer_than_the_worker_has_patience(phone, cellar):
    _kofi, lena, _table = take_seat_where_the_worker_is(phone, cellar)
    lena.page.reload()
    is_live(lena)
    cellar.black_hole()

    lena.page.reload()

    expect(light(lena)).to_have_text(re.compile("last seen"))
    cellar.signal()
    expect(lena.page.locator("html[data-old]")).to_have_count(0)
    is_live(lena)


def test_25_on_plain_http_there_is_no_worker_and_all_else_works(phone, cellar):
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar, times=TIMES, service_workers="allow")
    lena.context.add_init_script(
        """for (const [from, name] of [[window, "isSecureContext"], [crypto, "randomUUID"],
                                       [Navigator.prototype, "locks"],
                                       [Navigator.prototype, "serviceWorker"]]) {
             Object.defineProperty(from, name, {value: undefined});
           }"""
    )
    table = begin(kofi, lena)
    is_live(lena)
    cellar.cut()
    open_pad(lena, "1.A")
    chip(lena, 3).tap()
    pending(lena, "1.A", 3)

    cellar.signal()

    written(lena, "1.A", 3)
    assert entries(kofi, table) == [[3, None]]
    assert cellar.asked_for("/sw.js") == []


def test_26_a_stale_token_costs_one_more_request_and_no_number(phone, cellar):
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar)
    table = begin(kofi, lena)
    lena.context.clear_cookies(name="csrftoken")

    open_pad(lena, "1.A")
    chip(lena, 3).tap()

    written(lena, "1.A", 3)
    assert len(cellar.asked_for(f"POST {table}m/1/r/1/A/")) == 2
    assert len(cellar.asked_for("GET /csrf/")) >= 1
    assert entries(kofi, table) == [[3, None]]
    assert len(history(kofi, table, "1.A")) == 1


@pytest.mark.parametrize(
    ("link", "address"), [("People and seats", "/people/$"), ("Rules of", "/games/bauernstoss/$")]
)
def test_27_the_back_button_shows_no_old_sheet(phone, link, address):
    kofi, lena = phone("Kofi"), phone("Lena")
    begin(kofi, lena)
    lena.page.locator(".menu summary").tap()
    lena.page.get_by_role("link", name=link).tap()
    expect(lena.page).to_have_url(re.compile(address))
    enter(kofi, "1.B", 0)

    lena.page.go_back()

    written(lena, "1.B", 0)
    is_live(lena)
    expect(lena.page.locator("[data-pad-value]")).to_be_attached()


def test_27_a_part_of_a_page_that_is_opened_leads_to_its_page(phone):
    kofi = phone("Kofi")
    table = begin(kofi)
    enter(kofi, "1.B", 2)

    kofi.open(f"{table}m/1/changes/?since=1")

    expect(kofi.page).to_have_url(f"{kofi.home}{table}m/1/")
    written(kofi, "1.B", 2)
    is_live(kofi)
    part = kofi.page.evaluate("async path => (await fetch(path)).text()", f"{table}m/1/changes/")
    assert part.startswith("<div data-parts")


def tell_release(phone, release):
    """Let the stream say that another release answers by now."""
    beat = f'event: beat\ndata: {{"version": 0, "release": "{release}"}}\n\n'
    phone.context.route(
        "**/live/**", lambda route: route.fulfill(body=beat, content_type="text/event-stream")
    )
    phone.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")


def test_28_a_new_release_is_loaded_quietly_and_never_while_somebody_types(phone):
    kofi, lena = phone("Kofi"), phone("Lena", times=TIMES)
    table = begin(kofi, lena)
    is_live(lena)
    lena.page.evaluate("window.isTheSamePage = true")
    type_digits(lena, "1.A", "3")

    tell_release(lena, "newer")
    lena.page.wait_for_timeout(3500)

    assert lena.page.evaluate("window.isTheSamePage") is True
    expect(lena.page.locator("[data-pad-value]")).to_have_value("3")
    lena.page.locator("[data-key=ok]").tap()
    written(lena, "1.A", 3)
    lena.page.wait_for_function("() => window.isTheSamePage === undefined")
    written(lena, "1.A", 3)
    lena.page.evaluate("window.isTheSamePage = true")
    lena.page.wait_for_timeout(3500)  # two servers of two releases do not send it back and forth
    assert lena.page.evaluate("window.isTheSamePage") is True
    assert entries(kofi, table) == [[3, None]]
    assert outbox(lena) == []


def newer_release(folder):
    """A copy of the product with another text in one of its scripts."""
    for name in ("games", "locale", "scoresheet", "static", "templates"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "manage.py", folder)
    script = folder / "static" / "js" / "live.js"
    script.write_text(f"{script.read_text()}\nwindow.isNewer = true;\n")
    return folder


def test_28_another_release_takes_over_while_a_page_is_open(phone, own_server, tmp_path):
    kofi = phone("Kofi", url=own_server.url)
    lena = phone("Lena", url=own_server.url, times=TIMES, service_workers="allow")
    kofi.is_in_cellar = lena.is_in_cellar = True
    table = begin(kofi, lena)
    is_live(lena)
    wait_for_copy(lena, table)
    type_digits(lena, "1.A", "3")
    newer = newer_release(tmp_path / "newer")

    own_server.stop()
    manage("collectstatic", "--noinput", data_dir=own_server.data_dir, tree=newer)
    own_server.start(newer)
    known = f"() => sessionStorage.getItem('release {release_of(own_server.data_dir / 'static')}')"
    lena.page.wait_for_function(known)
    lena.page.wait_for_timeout(3500)

    assert lena.page.evaluate("window.isNewer") is None
    expect(lena.page.locator("#moved")).to_be_hidden()
    expect(lena.page.locator("[data-pad-value]")).to_have_value("3")
    lena.page.locator("[data-key=ok]").tap()
    written(lena, "1.A", 3)
    expect(lena.page.locator("#moved")).to_contain_text("New version")
    lena.page.wait_for_function("() => window.isNewer")
    written(lena, "1.A", 3)
    assert entries(lena, table) == [[3, None]]
    wait_for_copy(lena, table, 'data-value="3"')
    own_server.stop()
    lena.page.reload()
    expect(light(lena)).to_have_text(re.compile("last seen"))
    assert lena.page.evaluate("window.isNewer") is True


def test_28_the_worker_of_a_new_release_leaves_open_pages_and_their_copies_alone(phone, cellar):
    _kofi, lena, table = take_seat_where_the_worker_is(phone, cellar)
    lena.page.evaluate(
        """async () => {
             await (await caches.open("scoresheet-files-0")).put("/static/x", new Response("old"));
             const files = await caches.open("scoresheet-files-1");
             await files.put("/static/gone.0123456789ab.js", new Response("old"));
           }"""
    )
    headers = lena.ask("/sw.js").headers
    assert headers["cache-control"] == "no-cache"

    lena.page.evaluate(  # another address, and so a newer worker for the same pages
        """async () => {
             const taken = new Promise((done) => {
               navigator.serviceWorker.addEventListener("controllerchange", done);
             });
             await navigator.serviceWorker.register("/sw.js?newer");
             await taken;
           }"""
    )

    cell(lena, "1.A").tap()
    chip(lena, 3).tap()
    written(lena, "1.A", 3)
    lena.page.wait_for_function("async () => !(await caches.keys()).includes('scoresheet-files-0')")
    cellar.cut()
    lena.page.reload()
    expect(light(lena)).to_have_text(re.compile("last seen"))
    expect(cell(lena, "1.A")).to_be_visible()
    assert lena.page.evaluate(KEPT, table)
    gone = "(async () => await caches.match('/static/gone.0123456789ab.js') === undefined)()"
    assert lena.page.evaluate(gone)
