"""An evening at the table: four phones, everything by taps, and all of them show the same."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.table import (
    answer,
    begin,
    cell,
    chip,
    end_by_tap,
    enter,
    entries,
    history,
    look_again,
    ok,
    open_pad,
    play_on,
    say,
    say_who,
    set_up,
    sheet,
    show,
    sit,
    sit_down,
    status,
    tool,
    type_digits,
    written,
)

# The worked hand of each game text: who keeps the sheet, and the number of every column.
WORKED = {
    "bauernstoss": (0, {"A": 2, "B": 0}),
    "bauernschnapsen": (None, {"A": 2, "B": 0}),
    "schafkopf": (0, {"0": 14, "1": 14, "2": 0, "3": 0}),
}
MATCH = [(1, 0), (0, 2), (0, 8), (12, 0), (3, 0), (0, 1), (2, 0), (3, 0)]  # 21 : 11


def test_the_first_page_leads_to_every_game_s_set_up(phone):
    lena = phone("Lena")

    for game in WORKED:
        lena.open("/")
        lena.page.locator(f'a[href="/new/{game}/"]').tap()
        expect(lena.page.get_by_role("button", name="Start the table")).to_be_visible()


@pytest.mark.parametrize("game", WORKED)
def test_a_worked_hand_is_entered_by_its_sides_and_seen_by_all(phone, game):
    holder, numbers = WORKED[game]
    host, kofi, felix, nora = (phone(name) for name in ("Lena", "Kofi", "Felix", "Nora"))
    table = set_up(host, game, holder=holder)
    host.page.get_by_role("link", name="Invite: code and QR").tap()
    code = host.page.locator("[data-table-code]").inner_text()
    link = host.page.locator(".invite a.link").evaluate("link => link.href")

    felix.page.goto(link)
    say_who(felix, "Felix")
    kofi.open("/")
    kofi.page.fill("#code", code.lower())
    kofi.page.get_by_role("button", name="Join").tap()
    say_who(kofi, "Kofi")
    sit(nora, table, "Nora")
    host.page.get_by_role("link", name="Back to the sheet").tap()
    if game == "bauernstoss":
        chalk = kofi.page.locator("#chalk")
        expect(chalk).to_contain_text("jack of clubs")
        chalk.get_by_role("button", name="Lena & Felix").tap()
    for column, number in numbers.items():
        seats = {"A": felix, "B": nora, "0": host, "1": kofi, "2": felix, "3": nora}
        enter(seats[column], f"1.{column}", number)

    show([host, kofi, felix, nora], *numbers.values())
    found = sheet(kofi, table)
    assert found["totals"] == list(numbers.values())
    assert found["rounds"][0]["entries"] == list(numbers.values())
    assert found["chalk"] == ("A" if game == "bauernstoss" else None)
    assert found["dealer"] == 1


def test_a_match_is_played_to_the_bank_and_the_next_one_begun(phone):
    slow = {"goAfter": 60_000}  # nobody is taken to the next match before the own tap
    everybody = [phone(name, times=slow) for name in ("Kofi", "Lena", "Felix", "Nora")]
    host, lena, felix, nora = everybody
    table = set_up(host, holder=1, dealer=3)
    sit_down(host, table, lena, felix, nora)
    expect(lena.page.locator("#chalk")).to_be_visible()
    lena.page.locator("#chalk").get_by_role("button", name="Kofi & Nora").tap()
    expect(felix.page.locator('[data-chalk="B"]')).to_be_visible()

    for number, (a, b) in enumerate(MATCH, start=1):
        look_again(felix)
        expect(felix.page.locator("[data-dealer]")).to_have_attribute(
            "data-dealer", str((2 + number) % 4)
        )
        if number < len(MATCH):
            enter(host, f"{number}.B", b)
        enter(lena, f"{number}.A", a)
        look_again(felix)
        expect(felix.page.locator("[data-chalk]")).to_have_attribute("data-chalk", "AB"[b > a])

    status(everybody, "banked")
    show(everybody, 21, 11)
    for one in everybody:
        expect(one.page.get_by_role("heading", name="Lena & Felix win")).to_be_visible()
        expect(cell(one, "8.B")).to_have_attribute("data-state", "implied")
    found = sheet(nora, table)
    assert (found["status"], found["how"], found["winner"]) == ("banked", "line", "A")
    assert found["totals"] == [21, 11]

    tool(lena, "Take back").tap()
    status(everybody, "open")
    show(everybody, 18, 11)
    assert entries(nora, table)[8:] == []
    enter(felix, "8.A", 3)
    status(everybody, "banked")

    for one in everybody:
        tool(one, "Next match").tap()
    for one in everybody:
        one.page.wait_for_url(re.compile(f"{table}m/2/$"))
        expect(one.page.locator("[data-dealer]")).to_have_attribute("data-dealer", "3")
        expect(one.page.locator("[data-chalk]")).to_have_count(0)
    show(everybody, 0, 0)
    assert history(nora, table, "8.A")[0].startswith("open → 3 · Felix")


def test_a_match_ended_by_tap_is_asked_for_once(phone):
    lena, kofi = phone("Lena"), phone("Kofi")
    table = begin(lena, kofi, game="schafkopf")
    enter(kofi, "1.1", 14)

    tool(kofi, "End match").tap()
    question = kofi.page.get_by_role("region", name="A question")
    expect(question).to_contain_text("Deal 1: Lena is open")
    play_on(kofi)
    assert sheet(kofi, table)["status"] == "open"

    end_by_tap(kofi)
    status([lena], "banked")
    expect(lena.page.get_by_role("heading", name="Kofi wins")).to_be_visible()
    tool(kofi, "Take back").tap()
    status([lena, kofi], "open")


def test_a_thrown_in_hand_moves_the_dealer_and_leaves_a_dash(phone):
    lena, kofi = phone("Lena"), phone("Kofi")
    table = begin(lena, kofi)

    tool(kofi, "Thrown in").tap()

    for one in (lena, kofi):
        expect(one.page.locator("[data-dash]")).to_have_text("thrown in, Lena gave")
        expect(one.page.locator("[data-dealer]")).to_have_text("Kofi")
    assert entries(kofi, table) == []
    tool(lena, "Take the thrown-in hand back").tap()
    for one in (lena, kofi):
        expect(one.page.locator("[data-dash]")).to_have_count(0)
        expect(one.page.locator("[data-dealer]")).to_have_text("Lena")


def test_13_the_host_corrects_the_other_side_everybody_sees_it_and_it_can_be_set_back(phone):
    lena, kofi, nora = phone("Lena"), phone("Kofi"), phone("Nora")
    table = begin(lena, kofi, nora)
    enter(kofi, "1.B", 2)
    look_again(lena)
    show([lena], 0, 2)

    enter(lena, "1.B", 1)

    for one in (lena, kofi, nora):
        expect(cell(one, "1.B")).to_have_attribute("data-state", "corrected")
        expect(cell(one, "1.B").get_by_role("link")).to_have_accessible_name(
            "Deal 1, Kofi & Nora: 1, corrected"
        )
    show([lena, kofi, nora], 0, 1)
    for one in (lena, kofi, nora):
        corrected, first = history(one, table, "1.B")
        assert re.match(r"2 → 1 · Lena · as host\s+\d\d:\d\d$", corrected)
        assert re.match(r"open → 2 · Kofi\s+\d\d:\d\d$", first)
        one.open(table)

    enter(lena, "1.B", 2)

    show([lena, kofi, nora], 0, 2)
    for one in (lena, kofi, nora):
        written(one, "1.B", 2)
    told = [line.split(" · ")[0] for line in history(nora, table, "1.B")]
    assert told == ["1 → 2", "2 → 1", "open → 2"]


@pytest.mark.parametrize(("choice", "stands"), [("Keep 1", 1), ("Enter 2", 2)])
def test_two_partners_who_write_one_cell_choose_between_their_numbers(phone, choice, stands):
    lena, felix = phone("Lena"), phone("Felix")
    table = begin(lena, felix)
    open_pad(felix, "1.A")
    enter(lena, "1.A", 1)

    chip(felix, 2).tap()
    expect(say(felix)).to_contain_text(re.compile(r"Lena wrote 1 \(\d\d:\d\d\), you wrote 2\."))
    assert entries(felix, table) == [[1, None]]
    answer(felix, choice)

    show([lena, felix], stands, 0)
    written(felix, "1.A", stands)
    assert entries(felix, table) == [[stands, None]]


def test_the_same_number_from_two_partners_is_no_conflict(phone):
    lena, felix = phone("Lena"), phone("Felix")
    table = begin(lena, felix)
    open_pad(felix, "1.A")
    enter(lena, "1.A", 2)

    chip(felix, 2).tap()

    written(felix, "1.A", 2)
    expect(say(felix)).to_be_empty()
    assert len(history(felix, table, "1.A")) == 1


def test_a_row_that_no_deal_gives_is_answered_by_its_only_lawful_number(phone):
    lena, kofi = phone("Lena"), phone("Kofi")
    table = begin(lena, kofi)
    enter(lena, "1.A", 3)

    type_digits(kofi, "1.B", "3")
    ok(kofi).tap()
    expect(say(kofi)).to_contain_text("Lena & Felix: 3")
    expect(kofi.page.locator("[data-pad-value]")).to_have_value("3")
    answer(kofi, "Enter 0")

    written(kofi, "1.B", 0)
    assert entries(lena, table) == [[3, 0]]


def test_a_solo_in_the_first_deal_is_doubted_and_entered(phone):
    lena = phone("Lena")
    table = begin(lena, phone("Kofi"))

    type_digits(lena, "1.A", "8")
    ok(lena).tap()
    expect(say(lena).get_by_role("button", name="Yes, enter it")).to_be_visible()
    assert entries(lena, table) == []
    answer(lena, "Yes, enter it")

    written(lena, "1.A", 8)
    assert entries(lena, table) == [[8, None]]


def test_one_phone_is_enough_for_a_table(phone):
    host = phone("host")
    table = set_up(host)

    host.page.locator("#chalk").get_by_role("button", name="Lena & Felix").tap()
    expect(host.page.locator('[data-chalk="A"]')).to_be_visible()
    cell(host, "1.B").tap()  # the whole row in two taps
    chip(host, 2).tap()
    written(host, "1.B", 2)
    written(host, "1.A", 0)
    tool(host, "Thrown in").tap()
    expect(host.page.locator("[data-dash]")).to_be_visible()
    for number in (2, 3):
        cell(host, f"{number}.A").tap()
        chip(host, 12).tap()
        written(host, f"{number}.B", 0)
    status([host], "banked")
    tool(host, "Next match").tap()

    expect(host.page.locator("[data-dealer]")).to_have_attribute("data-dealer", "0")
    assert entries(host, table) == [[0, 2], [12, 0], [12, 0]]


def test_who_comes_late_takes_a_seat_and_brings_a_name(phone):
    lena, late = phone("Lena"), phone("late")
    table = set_up(lena, "schafkopf", names=("Lena", "Kofi", "Felix", "?"), holder=0)
    enter(lena, "1.0", 14)

    late.open(table)
    late.page.get_by_role("region", name="Who are you?").get_by_role("button").nth(3).tap()
    late.page.get_by_role("link", name="Invite: code and QR").tap()
    late.page.locator('[data-box="seat-3"]').get_by_text("Rename").tap()
    late.page.locator('[data-box="seat-3"] [name=name]').fill("Élodie 👩🏽")
    late.page.locator('[data-box="seat-3"]').get_by_role("button", name="Save").tap()
    late.page.get_by_role("link", name="Back to the sheet").tap()

    for one in (lena, late):
        expect(one.page.locator("#n3")).to_have_text("Élodie 👩🏽")
        expect(cell(one, "1.3").get_by_role("link")).to_have_accessible_name(
            "Deal 1, Élodie 👩🏽: open"
        )
    enter(late, "1.3", 14)
    show([lena, late], 14, 0, 0, 14)


def test_numbers_arrive_on_other_phones_in_the_order_they_were_written(phone):
    lena, kofi = phone("Lena"), phone("Kofi")
    begin(lena, kofi, game="bauernschnapsen")
    kofi.page.evaluate(
        """() => { window.seen = []; new MutationObserver(() => {
             const total = document.querySelector('[data-total="A"]').textContent;
             if (window.seen.at(-1) !== total) window.seen.push(total);
           }).observe(document.querySelector('.slate'), {childList: true, subtree: true}); }"""
    )

    for number, points in enumerate((3, 6, 2), start=1):
        enter(lena, f"{number}.A", points)
        expect(kofi.page.locator('[data-total="A"]')).to_have_text(str((3, 9, 11)[number - 1]))

    assert kofi.page.evaluate("window.seen") == ["3", "9", "11"]
