"""A deal in the wrong place, seen from all phones; and the last entry taken back with one tap."""

import pytest
from playwright.sync_api import expect

from tests.browser.table import (
    answer,
    begin,
    cell,
    chip,
    enter,
    entries,
    is_live,
    open_pad,
    outbox,
    pending,
    post,
    say,
    sheet,
    show,
    write_deal,
    written,
)

TIMES = {"probe": 500, "poll": 1000, "timeout": 2500, "sendFirst": 300, "sendMost": 1000}


def open_menu(phone, number):
    """Tap the number of a deal."""
    phone.page.locator(f'tr[data-round="{number}"] > th').tap()
    menu = phone.page.get_by_role("region", name="A deal in the wrong place?")
    expect(menu).to_be_visible()
    return menu


def remove(phone, number):
    menu = open_menu(phone, number)
    phone.page.wait_for_timeout(400)  # sooner a tap would count as trembling
    menu.get_by_role("button", name="Remove").tap()
    question = phone.page.get_by_role("region", name="A question")
    expect(question).to_contain_text(f"Remove deal {number}?")
    phone.page.wait_for_timeout(400)
    question.get_by_role("button", name="Yes, remove it").tap()
    expect(question).to_be_hidden()


@pytest.fixture
def pair(phone, cellar):
    """Kofi, who is host and has signal, Lena of the other side in the cellar; the table’s path."""
    kofi, lena = phone("Kofi"), phone("Lena", cellar=cellar, times=TIMES)
    table = begin(kofi, lena)
    for number, row in enumerate([(3, 0), (0, 2), (None, 0), (1, 0)], start=1):
        write_deal(kofi, table, number, *row)
    is_live(lena)
    show([kofi, lena], 4, 2)
    return kofi, lena, table


def test_a_number_for_a_deal_that_moved_is_kept_and_goes_where_its_deal_went(pair, cellar):
    kofi, lena, table = pair
    cellar.black_hole()
    open_pad(lena, "3.A")
    chip(lena, 3).tap()
    pending(lena, "3.A", 3)

    remove(kofi, 2)

    assert entries(kofi, table) == [[3, 0], [None, 0], [1, 0]]
    cellar.signal()
    expect(cell(lena, "3.A")).to_have_attribute("data-state", "refused")
    expect(cell(lena, "3.A").locator("b")).to_have_text("3")
    expect(say(lena)).to_contain_text("Kofi removed deal 2.")
    expect(say(lena)).to_contain_text("Your 3 was for what is deal 2 now. Deal 3 holds 1 here.")
    assert entries(kofi, table) == [[3, 0], [None, 0], [1, 0]]
    answer(lena, "Enter 3 in deal 2")
    written(lena, "2.A", 3)
    written(lena, "3.A", 1)
    written(kofi, "2.A", 3)
    assert outbox(lena) == []
    assert entries(kofi, table) == [[3, 0], [3, 0], [1, 0]]


def test_a_number_for_a_deal_that_moved_can_be_forgotten(pair, cellar):
    kofi, lena, table = pair
    cellar.cut()
    open_pad(lena, "5.A")
    chip(lena, 3).tap()
    pending(lena, "5.A", 3)
    remove(kofi, 2)
    cellar.signal()
    expect(say(lena)).to_contain_text("Your 3 was for what is deal 4 now. Deal 5 is open here.")

    answer(lena, "Forget it")

    expect(cell(lena, "5.A")).to_have_count(0)
    expect(cell(lena, "4.A")).to_have_attribute("data-state", "open")
    assert (outbox(lena), entries(kofi, table)) == ([], [[3, 0], [None, 0], [1, 0]])


def test_a_watching_phone_sees_rows_move_without_a_jump(phone):
    kofi, nora = phone("Kofi"), phone("Nora", height=640)
    table = begin(kofi, nora)
    for number in range(1, 15):
        write_deal(kofi, table, number, *((1, 0) if number % 2 else (0, 1)))
    is_live(nora)
    expect(cell(nora, "15.A")).to_be_visible()
    nora.page.locator(".sheet").evaluate("sheet => { sheet.scrollTop = -250; }")
    top = nora.page.evaluate(
        """() => { const upper = document.querySelector('.sheet').getBoundingClientRect().top;
             const row = [...document.querySelectorAll('tr[data-round]')]
               .find(one => one.getBoundingClientRect().top >= upper);
             window.seen = row; return row.getBoundingClientRect().top; }"""
    )

    remove(kofi, 2)

    expect(cell(nora, "2.A")).to_have_attribute("data-value", "1")
    expect(cell(nora, "15.A")).to_have_count(0)
    expect(cell(nora, "14.A")).to_have_attribute("data-state", "open")
    show([kofi, nora], 7, 6)
    assert abs(nora.page.evaluate("window.seen.getBoundingClientRect().top") - top) <= 1


def test_the_menu_of_a_deal_swaps_and_puts_in_and_the_first_cannot_go_up(phone):
    kofi = phone("Kofi")
    table = begin(kofi)
    for number, row in enumerate([(3, 0), (0, 2)], start=1):
        write_deal(kofi, table, number, *row)
    show([kofi], 3, 2)

    menu = open_menu(kofi, 1)
    expect(menu).to_contain_text("Deal 1: 3 : 0")
    expect(menu.get_by_role("button", name="Move up")).to_be_disabled()
    kofi.page.wait_for_timeout(400)
    menu.get_by_role("button", name="Move down").tap()
    written(kofi, "1.B", 2)
    expect(menu).to_be_hidden()
    kofi.page.wait_for_timeout(400)
    menu = open_menu(kofi, 2)
    expect(menu.get_by_role("button", name="Move down")).to_be_disabled()
    kofi.page.wait_for_timeout(400)
    menu.get_by_role("button", name="Insert above").tap()

    written(kofi, "3.A", 3)
    assert entries(kofi, table) == [[0, 2], [None, None], [3, 0]]


def test_a_player_has_no_menu_of_deals(phone):
    kofi, lena = phone("Kofi"), phone("Lena")
    table = begin(kofi, lena)
    write_deal(kofi, table, 1, 3, 0)
    written(lena, "1.A", 3)

    lena.page.locator('tr[data-round="1"] > th').tap()

    expect(lena.page.locator("#moves")).to_have_count(0)
    expect(lena.page.locator("#page")).to_be_visible()


def test_the_last_own_entry_is_taken_back_with_one_tap(phone):
    kofi, lena = phone("Kofi"), phone("Lena")
    table = begin(kofi, lena)
    undo = lena.page.locator("[data-pad-undo]")
    expect(undo).to_be_hidden()
    enter(lena, "1.A", 3)
    expect(undo).to_have_text("Deal 1: take back")
    expect(lena.page.locator("[data-pad]")).not_to_have_attribute("data-locked", "")

    undo.tap()

    expect(cell(lena, "1.A")).to_have_attribute("data-state", "open")
    expect(cell(kofi, "1.A")).to_have_attribute("data-state", "open")
    expect(undo).to_be_hidden()
    assert entries(kofi, table) == []


def test_what_somebody_changed_since_is_not_taken_back(phone):
    kofi, lena = phone("Kofi"), phone("Lena")
    table = begin(kofi, lena)
    enter(lena, "1.A", 3)
    undo = lena.page.locator("[data-pad-undo]")
    expect(undo).to_be_visible()

    version = cell(kofi, "1.A").get_attribute("data-version")
    write_deal(kofi, table, 1, 2, 0, base=version)

    written(lena, "1.A", 2)
    expect(undo).to_be_hidden()


def test_the_pad_says_what_a_corrected_number_was(phone):
    kofi, lena = phone("Kofi"), phone("Lena")
    table = begin(kofi, lena)
    enter(lena, "1.A", 3)
    post(
        kofi, f"{table}m/1/r/1/A/",
        {"value": "2", "op": "00000000-0000-4000-8000-000000000001",
         "base": cell(lena, "1.A").get_attribute("data-version")},
    )  # fmt: skip
    written(lena, "1.A", 2)

    open_pad(lena, "1.A")

    expect(lena.page.locator("[data-pad-deal]")).to_have_text("Deal 1 · was 3")
    assert sheet(kofi, table)["rounds"][0]["entries"] == [2, None]


def test_without_scripts_a_deal_is_removed_and_put_back(phone):
    kofi = phone("Kofi")
    table = begin(kofi)
    for number, row in enumerate([(3, 0), (0, 2)], start=1):
        write_deal(kofi, table, number, *row)
    plain = phone("Kofi without scripts", java_script_enabled=False)
    plain.context.add_cookies(kofi.context.cookies())
    plain.open(f"{table}m/1/r/1/A/")

    plain.page.get_by_role("link", name="In the wrong place?").tap()
    plain.page.get_by_role("button", name="Remove").tap()
    plain.page.get_by_role("button", name="Yes, remove it").tap()

    expect(cell(plain, "1.B")).to_have_attribute("data-value", "2")
    expect(cell(plain, "2.B")).to_have_attribute("data-state", "open")
    plain.open(f"{table}m/1/history/")
    plain.page.get_by_role("button", name="Put deal 1 back").tap()
    plain.page.get_by_role("button", name="Yes, do it").or_(
        plain.page.locator('[data-cell="1.A"]')
    ).first.wait_for()
    assert entries(kofi, table) == [[3, 0], [0, 2]]
