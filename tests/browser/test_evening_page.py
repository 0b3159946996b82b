"""The page of an evening on phones: it follows the table, and is settled before anybody pays."""

import pytest
from playwright.sync_api import expect

from tests.browser.table import begin, post, write_deal
from tests.browser.test_names import NAMES
from tests.browser.test_pages import judged

UNITS = [(14, 14, 0, 0), (0, 20, 20, 20)]  # won or lost: −8 12 −2 −2


@pytest.fixture
def table(phone):
    """The host’s phone, and the path of a table of four where two deals are played."""
    host = phone("Lena", timezone_id="Europe/Berlin")
    path = begin(host, game="schafkopf")
    for number, deal in enumerate(UNITS, start=1):
        write_deal(host, path, number, *deal)
    return host, path


def standings(one):
    return one.page.locator(".result b")


def payments(one):
    return one.page.locator(".payments li")


def say_stake(host, path, amount):
    host.open(f"{path}evening/")
    host.page.get_by_text("What you play for", exact=True).tap()
    host.page.fill("#unit", amount)
    host.page.get_by_role("button", name="Save").tap()


def test_the_host_says_what_a_unit_is_worth_and_everybody_sees_who_pays(phone, table):
    host, path = table
    kofi = phone("Kofi")
    kofi.open(f"{path}evening/")
    expect(standings(kofi)).to_have_text(["−8", "+12", "−2", "−2"])
    expect(payments(kofi)).to_have_count(0)

    say_stake(host, path, "10 ct")

    said = ["Lena pays Kofi €0.80", "Felix pays Kofi €0.20", "Nora pays Kofi €0.20"]
    expect(payments(host)).to_have_text(said)
    expect(payments(kofi)).to_have_text(said)
    expect(kofi.page.locator("#stake")).to_have_count(0)


def test_a_number_comes_to_the_evening_while_the_host_types(phone, table):
    host, path = table
    host.open(f"{path}evening/")
    host.page.get_by_text("What you play for", exact=True).tap()
    host.page.fill("#unit", "0,2")

    write_deal(host, path, 3, 2, 0, 2, 0)

    expect(standings(host)).to_have_text(["−7", "+11", "−1", "−3"])
    expect(host.page.locator("#unit")).to_have_value("0,2")
    expect(host.page.locator(".chart desc")).to_have_text("Lena −7, Kofi +11, Felix −1, Nora −3.")


def test_an_amount_that_is_none_stays_in_its_box_with_a_sentence(table):
    host, path = table

    say_stake(host, path, "0.001")

    expect(host.page.locator("#unit")).to_have_value("0.001")
    expect(host.page.locator("#unit-wrong")).to_be_visible()
    expect(host.page.locator("#unit")).to_have_attribute("aria-invalid", "true")


def test_chosen_matches_are_settled_and_stay_chosen_when_news_come(table):
    host, path = table
    post(host, f"{path}m/1/end/", {"sure": "1"})
    post(host, f"{path}next/", {})
    write_deal(host, path, 1, 2, 0, 2, 0, match=2)
    say_stake(host, path, "1")
    expect(payments(host)).to_have_count(3)

    host.page.get_by_text("Which matches are settled", exact=True).tap()
    host.page.get_by_text("Match 1", exact=True).tap()
    host.page.get_by_role("button", name="Settle these").tap()
    expect(host.page.get_by_text("Only match 2")).to_be_visible()
    expect(payments(host)).to_have_count(2)

    write_deal(host, path, 2, 0, 4, 0, 4, match=2)
    expect(payments(host).first).to_contain_text("Lena pays Kofi")
    expect(host.page.get_by_text("Only match 2")).to_be_visible()


def test_times_are_the_phones_own(table):
    host, path = table
    host.open(f"{path}evening/")
    time = host.page.locator(".matches time").first
    utc = time.get_attribute("datetime")

    clock = "{hour: '2-digit', minute: '2-digit', hourCycle: 'h23'}"
    here = host.page.evaluate(f"utc => new Date(utc).toLocaleTimeString('en', {clock})", utc)

    expect(time).to_have_text(here)
    assert not utc[11:].startswith(here)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_paper_stand_the_payments_and_no_forms(table, scheme):
    host, path = table
    say_stake(host, path, "0.1")
    expect(payments(host)).to_have_count(3)

    host.page.emulate_media(media="print", color_scheme=scheme)

    expect(host.page.locator("#stake")).to_be_hidden()
    expect(payments(host).first).to_be_visible()
    ink = host.page.locator(".payments b").first.evaluate("one => getComputedStyle(one).color")
    assert ink == "rgb(0, 0, 0)"


def test_without_scripts_the_evening_is_settled_by_plain_forms(phone):
    plain = phone("plain", java_script_enabled=False)
    path = begin_without(plain)

    plain.open(f"{path}evening/")
    plain.page.get_by_text("What you play for", exact=True).tap()
    plain.page.get_by_text("each point of difference (marks)").tap()
    plain.page.fill("#unit", "10 ct")
    plain.page.get_by_role("button", name="Save").tap()

    expect(plain.page.locator("#money-title")).to_contain_text(
        "€0.10 for each point of difference (marks)"
    )
    expect(plain.page.get_by_text("Nobody owes anybody anything.")).to_be_visible()


@pytest.mark.parametrize("game", NAMES)
def test_strange_names_leave_nobody_out_on_a_narrow_phone(phone, game):
    host = phone("host", width=320, height=640)
    fields = {f"player_{line}": name for line, name in enumerate(NAMES[game])}
    path = post(host, f"/new/{game}/", {**fields, "holder": "0", "unit": "99,99"})
    deals = [(12, 0), (8, 0)] if game == "bauernstoss" else UNITS
    for number, deal in enumerate(deals, start=1):
        write_deal(host, path, number, *deal)

    with judged(host):
        host.open(f"{path}evening/")
        for fold in host.page.locator("summary").all():
            fold.tap()
        expect(payments(host)).not_to_have_count(0)


def begin_without(plain):
    """A table of Bauernstoss with a deal, by requests alone."""
    names = ("Lena", "Kofi", "Felix", "Nora")
    fields = {f"player_{line}": name for line, name in enumerate(names)} | {"holder": "0"}
    path = post(plain, "/new/bauernstoss/", fields)
    write_deal(plain, path, 1, 2, 0)
    return path
