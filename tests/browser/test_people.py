"""People come, go, change seats and hand the table over, while everybody's sheet goes on."""

import pytest
from playwright.sync_api import expect

from tests.browser.table import (
    FOUR,
    answer,
    begin,
    cell,
    end_by_tap,
    enter,
    entries,
    is_live,
    ok,
    open_pad,
    outbox,
    pending,
    post,
    press,
    put,
    say,
    sheet,
    show,
    sit,
    tool,
    unanswered,
    written,
)
from tests.browser.test_cellar_worker import wait_for_copy

TIMES = {
    "probe": 500,
    "poll": 1000,
    "timeout": 2500,
    "sendFirst": 300,
    "sendMost": 1000,
    "worker": 0,
}
PATIENCE = 15_000  # milliseconds


def people(phone, path, *folds):
    """Open the page of the people, and unfold parts of it."""
    phone.open(f"{path}people/")
    for fold in folds:
        phone.page.locator(f"#{fold} > summary").tap()


def button(phone, name):
    return phone.page.locator("main").get_by_role("button", name=name)


def puts_out(host, path, name):
    people(host, path, "phones")
    line = host.page.locator("[data-phone]").filter(has_text=name)
    line.get_by_role("button", name="Put it out").tap()
    button(host, "Yes, put it out").tap()
    expect(host.page.locator("[data-phone]").filter(has_text=name)).to_have_count(0)


def gives_a_new_link(host, path):
    """The host renews the link; the new path."""
    people(host, path, "office")
    button(host, "New link for the table").tap()
    button(host, "Yes, a new link").tap()
    expect(host.page.get_by_role("heading", name="Who is at the table")).to_be_visible()
    renewed = host.page.url.removeprefix(host.home).removesuffix("people/")
    assert renewed != path
    return renewed


def role(phone, wanted):
    expect(phone.page.locator("#page")).to_have_attribute("data-role", wanted, timeout=PATIENCE)


def fits(phone):
    """Whether nothing is wider than the phone."""
    page = phone.page
    return page.evaluate("document.scrollingElement.scrollWidth") <= page.viewport_size["width"]


# Put out ----------------------------------------------------------------------------------------


def test_a_phone_that_is_put_out_while_typing_keeps_its_number_and_is_told(phone):
    kofi, lena = phone("Kofi"), phone("Lena")
    path = begin(kofi, lena)
    is_live(lena)
    open_pad(lena, "1.A")
    press(lena, 12)

    puts_out(kofi, path, "Lena")
    expect(lena.page.locator("[data-pad-value]")).to_have_value("12")
    ok(lena).tap()

    expect(say(lena)).to_be_visible()
    expect(cell(lena, "1.A")).to_have_attribute("data-state", "refused")
    assert [(one["state"], one["code"]) for one in outbox(lena)] == [("refused", "forbidden")]
    answer(lena, "Take the seat again")
    expect(lena.page.get_by_role("button", name="That is me").first).to_be_visible()
    assert entries(kofi, path) == []


def test_a_phone_that_is_put_out_becomes_a_stranger_by_itself(phone):
    kofi, lena = phone("Kofi"), phone("Lena", times=TIMES)
    path = begin(kofi, lena)
    is_live(lena)

    puts_out(kofi, path, "Lena")

    role(lena, "stranger")
    expect(lena.page.get_by_role("region", name="Who are you?")).to_be_visible()


def test_numbers_without_signal_stay_on_a_phone_that_was_put_out(phone, cellar):
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar, times=TIMES)
    path = begin(kofi, lena)
    is_live(lena)
    cellar.black_hole()
    put(lena, "1.A", 3)
    pending(lena, "1.A", 3)

    puts_out(kofi, path, "Lena")
    cellar.signal()

    expect(cell(lena, "1.A")).to_have_attribute("data-state", "refused", timeout=PATIENCE)
    lena.page.reload()
    role(lena, "stranger")
    expect(lena.page.locator("#kept")).to_contain_text("3")
    lena.page.get_by_role("region", name="Who are you?").get_by_role("button", name="Lena").tap()
    role(lena, "player")
    lena.page.locator("[data-trouble] button").tap()
    answer(lena, "Enter anyway")
    written(lena, "1.A", 3)


# A new link -------------------------------------------------------------------------------------


def test_a_live_phone_follows_the_table_to_its_new_link(phone):
    kofi, lena, guest = phone("Kofi"), phone("Lena", times=TIMES), phone("guest", times=TIMES)
    path = begin(kofi, lena)
    guest.open(path)
    for one in (lena, guest):
        is_live(one)
    open_pad(lena, "1.A")

    renewed = gives_a_new_link(kofi, path)
    press(lena, 3)
    ok(lena).tap()

    written(lena, "1.A", 3)
    assert entries(kofi, renewed) == [[3, None]]
    lena.page.wait_for_url(f"**{renewed}", timeout=PATIENCE)
    is_live(lena)
    enter(lena, "2.A", 1)
    kofi.open(renewed)
    show([kofi, lena], 4, 0)
    expect(guest.page.locator("[data-live]")).to_have_attribute(
        "data-live", "off", timeout=PATIENCE
    )
    assert guest.page.goto(guest.home + path).status == 404


def test_numbers_of_a_phone_without_signal_find_the_new_link_and_are_not_doubled(phone, cellar):
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar, times=TIMES)
    path = begin(kofi, lena)
    is_live(lena)
    cellar.lose_answers()
    put(lena, "1.A", 3)
    pending(lena, "1.A", 3)
    lena.page.wait_for_timeout(500)

    renewed = gives_a_new_link(kofi, path)
    put(lena, "2.A", 1)
    cellar.signal()

    lena.page.wait_for_url(f"**{renewed}", timeout=PATIENCE)
    written(lena, "1.A", 3)
    written(lena, "2.A", 1)
    assert outbox(lena) == []
    assert entries(kofi, renewed) == [[3, None], [1, None]]
    kofi.open(f"{renewed}m/1/r/1/A/")
    expect(kofi.page.locator(".history li")).to_have_count(1)


def test_an_outbox_of_the_old_link_is_sent_from_the_new_one(phone):
    """The phone was off all the while, and comes back by its old bookmark."""
    kofi, lena = phone("Kofi"), phone("Lena")
    path = begin(kofi, lena)
    is_live(lena)
    with unanswered(lena, "**/r/**"):
        put(lena, "1.A", 3)
        pending(lena, "1.A", 3)
        lena.page.goto("about:blank")
    renewed = gives_a_new_link(kofi, path)

    lena.open(path)

    assert lena.page.url == lena.home + renewed
    written(lena, "1.A", 3)
    assert outbox(lena) == []
    keys = lena.page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('outbox'))")
    assert keys == []
    assert entries(kofi, renewed) == [[3, None]]


def test_what_was_typed_comes_along_to_the_new_link(phone):
    kofi, lena = phone("Kofi"), phone("Lena")
    path = begin(kofi, lena)
    is_live(lena)
    open_pad(lena, "1.A")
    press(lena, 3)

    renewed = gives_a_new_link(kofi, path)
    lena.page.reload()

    assert lena.page.url == lena.home + renewed
    expect(lena.page.locator("[data-pad-value]")).to_have_value("3")
    ok(lena).tap()
    written(lena, "1.A", 3)


def test_the_old_address_leads_on_without_signal_too(phone, cellar):
    kofi = phone("Kofi")
    lena = phone("Lena", cellar=cellar, times=TIMES, service_workers="allow")
    path = begin(kofi, lena)
    is_live(lena)
    wait_for_copy(lena, path)
    renewed = gives_a_new_link(kofi, path)
    lena.open(path)
    assert lena.page.url == lena.home + renewed
    wait_for_copy(lena, renewed)
    lena.page.wait_for_timeout(500)
    cellar.cut()

    lena.page.goto(lena.home + path)

    assert lena.page.url == lena.home + renewed
    expect(lena.page.locator("html[data-old]")).to_have_count(1)
    role(lena, "player")


# Hosts ------------------------------------------------------------------------------------------


def test_the_host_hands_over(phone):
    kofi, lena = phone("Kofi"), phone("Lena", times=TIMES)
    path = begin(kofi, lena)
    is_live(lena)

    people(kofi, path, "phones")
    line = kofi.page.locator("[data-phone]").filter(has_text="Lena")
    line.get_by_role("button", name="Make it host too").tap()
    role(lena, "host")
    people(kofi, path, "office")
    button(kofi, "Be host no more").tap()
    button(kofi, "Yes, no more").tap()
    kofi.page.locator("#office > summary").tap()

    expect(kofi.page.locator("#office")).to_contain_text("Host is: Lena")
    kofi.open(path)
    role(kofi, "player")
    enter(lena, "1.B", 2)  # the other side's cell
    show([kofi, lena], 0, 2)


def test_a_player_asks_to_be_host_on_the_hosts_sheet(phone):
    kofi, lena = phone("Kofi"), phone("Lena")
    path = begin(kofi, lena)
    is_live(kofi)
    people(lena, path, "office")

    button(lena, "Ask to be host").tap()
    strip = kofi.page.locator("#requests .ask")
    expect(strip).to_contain_text("Lena would like to be host.")
    strip.get_by_role("button", name="Yes", exact=True).tap()

    expect(strip).to_have_count(0)
    expect(lena.page.locator("#phones")).to_be_visible(timeout=PATIENCE)  # it is host by now


def test_a_lost_host_comes_back_with_the_recovery_link(phone):
    kofi, fresh = phone("Kofi", width=320, height=640), phone("another browser")
    path = begin(kofi)
    people(kofi, path, "office")
    button(kofi, "New recovery link").tap()
    shown = kofi.page.locator("[data-recovery]")
    expect(shown.locator("svg.qr")).to_be_visible()
    assert fits(kofi)
    link = shown.locator(".link").inner_text()

    fresh.open(f"/host/{link.split('/host/')[1]}")
    expect(fresh.page.get_by_role("heading", name="Be host here?")).to_be_visible()
    button(fresh, "Yes, be host here").tap()

    role(fresh, "host")
    enter(fresh, "1.A", 3)
    kofi.open(path)
    show([kofi, fresh], 3, 0)


# Partners ---------------------------------------------------------------------------------------


def test_new_partners_play_match_2_and_match_1_stays(phone):
    kofi, lena = phone("Kofi"), phone("Lena", times={**TIMES, "goAfter": 300})
    path = begin(kofi, lena)
    enter(lena, "1.A", 3)
    kofi.open(path)
    end_by_tap(kofi)
    first = sheet(kofi, path)

    tool(kofi, "Other partners").tap()
    pairing = kofi.page.locator(".pairings button").filter(has_text="Lena & Kofi")
    pairing.tap()

    kofi.page.wait_for_url(f"**{path}")
    expect(kofi.page.locator(".side h2")).to_have_text(["Lena & Kofi", "Felix & Nora"])
    expect(lena.page.locator(".side h2")).to_have_text(
        ["Lena & Kofi", "Felix & Nora"], timeout=PATIENCE
    )
    enter(lena, "1.A", 2)
    show([kofi, lena], 2, 0)
    before = sheet(kofi, path)
    assert {**before, "version": 0} == {**first, "version": 0}
    kofi.open(f"{path}m/1/")
    expect(kofi.page.locator(".side h2")).to_have_text(["Lena & Felix", "Kofi & Nora"])


def test_a_fifth_person_takes_the_seat_of_one_who_sits_out(phone):
    kofi, lena = phone("Kofi"), phone("Lena")
    path = begin(kofi, lena, game="schafkopf")
    people(kofi, path, "partners")
    kofi.page.fill("#newcomer", "Ida")
    button(kofi, "Take in").tap()
    expect(kofi.page.locator("#partners")).to_have_attribute("open", "")
    kofi.page.locator("select[name=seat_0]").select_option(label="Ida")
    button(kofi, "Play like this").tap()

    kofi.page.wait_for_url(f"**{path}")
    expect(kofi.page.locator(".side h2")).to_have_text(["Ida", "Kofi", "Felix", "Nora"])
    lena.open(path)
    expect(lena.page.locator("[data-pad]")).to_have_count(0)
    lena.open(f"{path}people/")
    expect(lena.page.locator("main")).to_contain_text("sits out")


def test_two_people_on_one_seat_are_refused_where_they_were_chosen(phone):
    kofi = phone("Kofi", java_script_enabled=False)
    path = post(kofi, "/new/bauernstoss/", {f"player_{n}": name for n, name in enumerate(FOUR)})
    people(kofi, path, "partners")
    kofi.page.locator("select[name=seat_0]").select_option(label="Nora")

    button(kofi, "Play like this").tap()

    expect(kofi.page.get_by_role("alert")).to_contain_text("Four different people have to sit")
    expect(kofi.page.locator("select[name=seat_0] option:checked")).to_have_text("Nora")
    kofi.page.locator("select[name=seat_3]").select_option(label="Lena")
    button(kofi, "Play like this").tap()
    expect(kofi.page.locator(".side h2")).to_have_text(["Nora & Felix", "Kofi & Lena"])


@pytest.mark.parametrize("width", [390, 320])
def test_the_page_of_the_people_fits_a_phone_with_everything_unfolded(phone, width):
    kofi, lena = phone("Kofi", width=width), phone("Lena", width=width)
    path = begin(kofi, lena)
    sit(phone("guest"), path, "I’m just watching")
    for one in (kofi, lena):
        people(one, path)
        for fold in one.page.locator("main summary").all():
            fold.tap()
        assert fits(one)
