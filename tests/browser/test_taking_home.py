"""Taking an evening home on a phone: files that come and go, paper, and a table that is deleted."""

import json
import re

from playwright.sync_api import expect

from tests.browser.table import (
    begin,
    end_by_tap,
    is_live,
    light,
    post,
    put,
    sheet,
    show,
    write_deal,
)

DEALS = [(8, 0), (0, 12), (3, 0)]


def play(host, path, deals=DEALS):
    for number, deal in enumerate(deals, start=1):
        write_deal(host, path, number, *deal)


def download(phone, name):
    """Tap a link that gives a file; what is in it, and what it is called."""
    with phone.page.expect_download() as waiting:
        phone.page.get_by_role("link", name=name).tap()
    return waiting.value.path(), waiting.value.suggested_filename


def test_a_table_goes_home_as_a_file_and_comes_back_on_another_phone(phone):
    host, other = phone("Lena"), phone("Mia")
    path = begin(host)
    play(host, path)
    host.open(path)

    host.page.locator(".menu > summary").tap()
    host.page.get_by_role("link", name="Take it home").tap()
    file, called = download(host, "The whole table")
    csv, csv_called = download(host, "For a spreadsheet")
    other.open("/")
    other.page.get_by_role("link", name="Bring a table back").tap()
    other.page.get_by_label("The file; its name ends in .json").set_input_files(file)
    other.page.get_by_role("button", name="Bring it back").tap()

    assert re.fullmatch(r"scoresheet-bauernstoss-\d{4}-\d\d-\d\d\.json", called)
    assert csv_called.endswith(".csv")
    assert csv.read_bytes().count(b"\r\n") == 1 + len(DEALS)
    show([other], 11, 12)
    expect(other.page.locator("#page")).to_have_attribute("data-role", "host")
    new = other.page.url.removeprefix(other.home)
    assert new != path
    assert [r["entries"] for r in sheet(other, new)["rounds"]] == [list(deal) for deal in DEALS]


def test_what_was_pasted_stays_when_it_is_refused_and_can_be_mended(phone):
    host = phone("Lena")
    path = begin(host)
    play(host, path)
    home = host.ask(f"{path}export.json").json()
    home["matches"][0]["rounds"][1]["entries"][0]["value"] = 12
    broken = json.dumps(home)

    host.open("/import/")
    box = host.page.get_by_label("Or what is in it")
    box.fill(broken)
    host.page.get_by_role("button", name="Bring it back").tap()

    said = host.page.locator("#text-wrong")
    expect(said).to_contain_text("Match 1, deal 2:")
    expect(box).to_have_value(broken)
    expect(box).to_have_attribute("aria-invalid", "true")
    home["matches"][0]["rounds"][1]["entries"][0]["value"] = 0
    box.fill(json.dumps(home))
    host.page.get_by_role("button", name="Bring it back").tap()
    show([host], 11, 12)


def test_a_deleted_table_goes_from_every_phone(phone):
    host, kofi = phone("Lena"), phone("Kofi")
    path = begin(host, kofi)
    play(host, path)
    kofi.open(path)
    is_live(kofi)
    guest = phone("guest")
    guest.open(f"{path}m/1/story/")

    host.open(f"{path}take-home/")
    host.page.get_by_role("link", name="Delete the table").tap()
    expect(host.page.get_by_role("main")).to_contain_text("3 deals")
    host.page.get_by_role("button", name="Delete it for good").tap()

    expect(host.page.get_by_role("heading", name="What are you playing?")).to_be_visible()
    expect(host.page.locator(f'a[href="{path}"]')).to_have_count(0)
    expect(kofi.page.locator("#moved")).to_contain_text("This table was deleted.")
    expect(light(kofi)).to_have_text("closed")
    expect(guest.page.get_by_role("heading", name="This table was deleted")).to_be_visible()
    kofi.page.reload()
    expect(kofi.page.get_by_role("heading", name="This table was deleted")).to_be_visible()
    kofi.open("/")
    expect(kofi.page.locator(f'a[href="{path}"]')).to_have_count(0)


def test_a_number_on_its_way_to_a_deleted_table_stays_on_the_phone(phone):
    host, kofi = phone("Lena"), phone("Kofi")
    path = begin(host, kofi)
    kofi.is_in_cellar = True
    kofi.context.set_offline(offline=True)
    put(kofi, "1.B", 8)
    host.open(f"{path}delete/")
    with host.page.expect_navigation():
        host.page.get_by_role("button", name="Delete it for good").tap()

    cell = kofi.page.locator('[data-cell="1.B"]')
    kofi.context.set_offline(offline=False)
    kofi.page.evaluate("dispatchEvent(new Event('online'))")
    expect(cell).to_have_attribute("data-state", "refused")

    expect(cell.locator("b")).to_have_text("8")


def test_paper_repeats_its_head_on_every_page(phone):
    host = phone("Lena")
    path = begin(host, game="schafkopf")
    host.open("/")
    for number in range(1, 61):
        write_deal(host, path, number, 2, 2, 0, 0)
    post(host, f"{path}m/1/end/", {"sure": "1"})

    host.open(f"{path}take-home/")
    host.page.get_by_role("link", name="Print match 1").tap()

    page = host.page
    expect(page.locator("tbody th[scope=row]")).to_have_count(61)
    page.emulate_media(media="print")
    expect(page.locator(".bar")).to_be_hidden()
    display = page.locator(".paper thead").evaluate("it => getComputedStyle(it).display")
    assert display == "table-header-group"
    for size, pages in (("A4", 2), ("A5", 3)):
        paper = page.pdf(format=size)
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) == pages


def test_the_result_can_be_copied_beside_the_sheet(phone):
    host, guest = phone("Lena"), phone("guest")
    path = begin(host)
    play(host, path)
    host.open(path)
    end_by_tap(host)
    host.open(f"{path}m/1/story/")

    link = host.page.get_by_label("Link to the result").input_value()
    button = host.page.locator(".link-row").filter(has=host.page.locator("#result-link"))
    button.get_by_role("button", name="Copy").tap()
    expect(button.get_by_role("button")).to_have_text("Copied")

    guest.open("/r/" + link.split("/r/")[1])
    expect(guest.page.locator(".result b")).to_have_text(["11", "12"])
    expect(guest.page.locator('a[href*="/t/"]')).to_have_count(0)
    guest.page.get_by_role("button", name="Dark").tap()
    expect(guest.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert guest.page.url == guest.home + "/r/" + link.split("/r/")[1]
