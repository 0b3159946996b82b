"""What holds on every page: its weight, its hosts, its policy, and the way by keyboard."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from games.models import CODE_ALPHABET
from tests.browser.table import FOUR, begin, set_up

LIGHT_ENOUGH = 150_000  # bytes over the wire, everything of a first load
HTMX = "2.0.10"
TABS_AT_MOST = 150
PAGES = (
    "/", "/join/", "/new/schafkopf/", "/games/bauernstoss/", "{path}", "{path}people/",
    "{path}house/", "{path}evening/", "{path}m/1/r/1/A/", "{path}m/1/history/",
    "{path}m/1/end/", "/nothing/",
)  # fmt: skip

# What lies over the middle of the element in focus, "" for nothing; null when it comes round.
OVER_FOCUS = """() => {
  const element = document.activeElement;
  if (!element || element === document.body || element.wasInFocus) return null;
  element.wasInFocus = true;
  const shown = element.matches('.pick > input') ? element.nextElementSibling : element;
  const box = shown.getClientRects()[0];
  const upper = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const isSeen = upper && (shown.contains(upper) || element.contains(upper));
  return isSeen ? '' : `${element.outerHTML.slice(0, 90)} under ${upper?.outerHTML.slice(0, 90)}`;
}"""


@pytest.fixture
def lena(phone):
    return phone("Lena", width=390, height=640)


@pytest.mark.parametrize("page", ["/", "/new/bauernstoss/", "/games/schafkopf/", "two", "four"])
def test_37_a_first_load_weighs_little(phone, page):
    host, guest = phone("Lena"), phone("guest")
    games = {"two": "bauernstoss", "four": "schafkopf"}
    path = begin(host, game=games[page]) if page in games else page
    wire = guest.context.new_cdp_session(guest.page)
    loads = []
    wire.on("Network.loadingFinished", lambda told: loads.append(told["encodedDataLength"]))
    wire.send("Network.enable")

    guest.page.goto(guest.home + path, wait_until="networkidle" if page not in games else "load")
    guest.page.wait_for_timeout(500)

    assert len(loads) > 3
    assert sum(loads) <= LIGHT_ENOUGH


def test_38_every_page_gets_all_it_asks_for_without_any_other_host(lena):
    home = urlsplit(lena.home).netloc
    asked, failed = set(), []
    path = begin(lena)
    lena.context.route(
        lambda url: urlsplit(url).netloc != home, lambda route: route.abort("blockedbyclient")
    )
    lena.page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
    lena.page.on(
        "response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None
    )

    for page in PAGES:
        lena.open(page.format(path=path))
        expect(lena.page.locator("main")).to_be_visible()

    assert asked == {home}
    assert failed == [f"{lena.home}/nothing/"]


def test_39_a_person_joins_with_three_taps_at_most(phone):
    host, guest, other = phone("Lena"), phone("Kofi"), phone("Nora")
    path = begin(host)
    host.open(f"{path}people/")
    code = host.page.locator("[data-table-code]").inner_text()
    taps = []

    def tap(one, locator):
        locator.tap()
        taps.append(one.name)

    assert not set(CODE_ALPHABET) & set("0O1IL")
    guest.open("/")
    tap(guest, guest.page.get_by_label("Somebody else has the table"))
    guest.page.keyboard.type(f"{code[:3]} {code[3:]}".lower())
    tap(guest, guest.page.get_by_role("button", name="Join"))
    tap(guest, guest.page.get_by_role("button", name="Kofi"))
    other.open(f"/j/{code.lower()}/")
    tap(other, other.page.get_by_role("button", name="Nora"))

    for one in (guest, other):
        expect(one.page.locator("#page")).to_have_attribute("data-role", "player")
    assert taps == ["Kofi", "Kofi", "Kofi", "Nora"]


def test_39_a_code_with_look_alikes_is_refused_and_stays_in_its_box(phone):
    guest = phone("guest")
    guest.open("/join/")

    guest.page.fill("#code", "O0I1L0")
    guest.page.get_by_role("button", name="Join").tap()

    expect(guest.page.get_by_role("alert")).to_contain_text("No table has this code")
    expect(guest.page.locator("#code")).to_have_value("O0I1L0")
    expect(guest.page.locator("#code")).to_be_focused()


@pytest.mark.parametrize("page", PAGES)
def test_50_focus_is_never_hidden(lena, page):
    path = begin(lena)
    lena.open(page.format(path=path))
    found = []

    for _ in range(TABS_AT_MOST):
        lena.page.keyboard.press("Tab")
        over = lena.page.evaluate(OVER_FOCUS)
        if over is None:
            break
        found.append(over)
    else:
        pytest.fail("the focus never comes round")

    assert len(found) > 5
    assert [over for over in found if over] == []


def tab_to(phone, locator):
    for _ in range(TABS_AT_MOST):
        if locator.evaluate("element => element === document.activeElement"):
            return
        phone.page.keyboard.press("Tab")
    pytest.fail(f"no way by Tab to {locator}")


def press(phone, locator, *keys):
    """Go there by Tab and press keys; what is more than one character is the name of a key."""
    tab_to(phone, locator)
    for key in keys:
        phone.page.keyboard.press(key)


def test_50_a_table_is_started_joined_and_renamed_by_keyboard_alone(phone):
    lena, kofi = phone("Lena"), phone("Kofi")
    page = lena.page
    lena.open("/")
    press(lena, page.get_by_role("link", name="Bauernstoss").first, "Enter")
    for line, name in enumerate(FOUR):
        press(lena, page.locator(f"#player-{line}"))
        page.keyboard.type(name)
    press(lena, page.locator('[data-partner="0"]'), "Space")
    press(lena, page.locator('[data-partner="1"]'), "Space")
    press(lena, page.locator("#dealer-0"), "ArrowRight")
    press(lena, page.locator("#holder-none"), "ArrowRight")
    press(lena, page.get_by_role("button", name="Start the table"), "Enter")
    page.wait_for_url(re.compile("/t/[^/]+/$"))
    expect(page.locator("[data-dealer]")).to_have_text("Kofi")
    expect(page.locator(".side h2").first).to_have_text("Lena & Kofi")

    press(lena, page.get_by_role("link", name="Invite: code and QR"), "Enter")
    code = page.locator("[data-table-code]").inner_text()
    press(lena, page.locator(".change > summary").first, "Enter")
    press(lena, page.get_by_label("New name for Lena", exact=True), "Control+a")
    page.keyboard.type("Ida")
    page.keyboard.press("Enter")
    expect(page.locator('[data-box="seat-0"] bdi')).to_have_text("Ida")

    kofi.open("/")
    press(kofi, kofi.page.locator("#code"))
    kofi.page.keyboard.type(code)
    kofi.page.keyboard.press("Enter")
    press(kofi, kofi.page.get_by_role("button", name="Kofi"), "Enter")
    expect(kofi.page.locator("#page")).to_have_attribute("data-role", "player")


def test_52_no_page_loosens_its_policy_or_comes_with_another_htmx(lena):
    """Complaints of the console fail the test as well: the phone notices them."""
    path = set_up(lena)

    asking = []
    for page in PAGES:
        answer = lena.page.goto(lena.home + page.format(path=path))
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy, page
        assert "unsafe" not in policy, page
        if lena.page.locator("[hx-get], [hx-post]").count():
            asking.append(page)
            # to a sheet it comes with the first tap that needs it
            lena.page.evaluate("window.scoresheet?.htmx?.().then(() => true)")
            assert lena.page.evaluate("htmx.version") == HTMX, page
            assert lena.page.evaluate("htmx.config.allowEval") is False, page
    assert "{path}" in asking
