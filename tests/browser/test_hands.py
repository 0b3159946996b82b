"""Working a hand out on a phone: by taps, with the reason shown, one tap to write it."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.table import (
    FOUR,
    begin,
    cell,
    enter,
    entries,
    history,
    look_again,
    set_up,
    sheet,
    show,
    written,
)

SMALL = {"width": 360, "height": 640}


def work_out(phone):
    """Open the form for the deal that the pad stands on."""
    phone.page.locator("[data-settle]").tap()
    expect(phone.page.locator("#hand")).to_be_visible()


def answer(phone, name, word):
    """Tap an answer."""
    phone.page.locator(f'#hand label[for="{name}-{word}"]').tap()


def points(phone, digits, name=None):
    """Type card points on the form's own keys, into the box that waits or one by its name."""
    if name:
        phone.page.locator(f'#hand [name="{name}"]:visible').tap()
    for digit in str(digits):
        phone.page.locator(f'#hand [data-key="{digit}"]').tap()


def shares(phone):
    return phone.page.locator("#worked [data-share]")


def worked(phone):
    return phone.page.locator("#worked")


def write(phone):
    worked(phone).locator(".hand-write button").tap()
    expect(phone.page.locator("#hand")).to_have_count(0)


def test_a_host_works_a_deal_out_with_a_few_taps(phone):
    lena, kofi = phone("Lena", **SMALL), phone("Kofi")
    path = begin(lena, kofi)
    lena.page.locator("#chalk").get_by_role("button", name="Lena & Felix").tap()
    expect(lena.page.locator('[data-chalk="A"]')).to_have_text("chalk: 42 is enough")

    work_out(lena)
    points(lena, 95)  # the chalk is known, so the keys are there at once
    expect(shares(lena)).to_have_text(["2", "0"])
    expect(lena.page.locator("[data-mirror]")).to_have_value("25")
    write(lena)

    written(kofi, "1.A", 2)
    written(kofi, "1.B", 0)
    expect(cell(kofi, "1.A").locator("small")).to_have_text("Schneider")
    assert entries(lena, path) == [[2, 0]]
    assert "worked out: Schneider" in history(lena, path, "1.A")[0]


def test_the_other_side_can_type_its_own_card_points(phone):
    lena = phone("Lena")
    begin(lena)

    work_out(lena)
    answer(lena, "chalk", "A")
    lena.page.locator("[data-mirror]").tap()
    points(lena, 79)

    expect(lena.page.locator("#hand [name=points_a]")).to_have_value("41")
    expect(shares(lena)).to_have_text(["0", "1"])


def test_a_player_writes_the_own_number_and_the_others_take_theirs_with_one_tap(phone):
    lena, kofi = phone("Lena", **SMALL), phone("Kofi", **SMALL)
    host = phone("Nora")
    path = begin(host, lena, kofi, game="schafkopf")

    work_out(lena)
    answer(lena, "declarer", 0)
    answer(lena, "partner", 1)
    points(lena, 93)
    lena.page.locator("#hand [data-key=ok]").tap()
    for _ in range(5):
        lena.page.locator("[data-ask=runners] [data-step='1']").tap()
    answer(lena, "holder", "declarer")
    expect(shares(lena)).to_have_text(["14", "14", "0", "0"])
    expect(worked(lena).locator("small")).to_have_text(["+7", "+7", "−7", "−7"])
    expect(worked(lena)).to_contain_text("5 runners, 1 each: 5 units")
    write(lena)

    look_again(kofi)
    offered = kofi.page.locator("[data-pad] [data-chip][data-offered]")
    expect(offered).to_have_text(re.compile("14.*worked out"))
    offered.tap()
    written(kofi, "1.1", 14)
    assert entries(lena, path) == [[14, 14, None, None]]
    expect(kofi.page.locator('tr[data-round="1"] th small')).to_have_text(
        "Rufer, Schneider, 5 runners"
    )
    enter(host, "1.2", 0)
    enter(host, "1.3", 0)
    expect(host.page.locator("#h0 p").first).to_have_text("+7 units")


def test_only_seats_that_may_bid_are_offered(phone):
    lena = phone("Lena")
    begin(lena, game="bauernschnapsen")
    offered = lena.page.locator("[data-ask=declarer] .pick:visible small")

    work_out(lena)
    expect(offered).to_have_count(0)  # forehand plays the normal game
    answer(lena, "contract", "kontra_schnapser")
    expect(offered).to_have_text(["Felix", "Lena"])  # Lena deals, so Kofi is forehand
    answer(lena, "contract", "schnapser")
    expect(offered).to_have_text(["Kofi", "Nora"])
    answer(lena, "contract", "herren_schnapser")
    expect(shares(lena)).to_have_text(["0", "24"])


def test_an_answer_that_is_no_longer_offered_is_open_again(phone):
    lena = phone("Lena")
    begin(lena, game="bauernschnapsen")

    work_out(lena)
    answer(lena, "contract", "gang")
    answer(lena, "declarer", "dealer")
    answer(lena, "made", "true")
    expect(shares(lena)).to_have_text(["9", "0"])
    answer(lena, "contract", "schnapser")

    expect(lena.page.locator("#hand [name=declarer]:checked")).to_have_count(0)
    expect(worked(lena)).to_contain_text("Missing")
    expect(shares(lena)).to_have_count(0)


@pytest.mark.parametrize(
    ("typed", "code"), [("121", "points-range"), ("1", "points-impossible")], ids=["121", "1"]
)
def test_a_number_that_does_not_fit_is_named_and_stays(phone, typed, code):
    lena = phone("Lena", **SMALL)
    begin(lena)

    work_out(lena)
    answer(lena, "chalk", "A")
    points(lena, typed)

    expect(worked(lena).locator(f'[data-code="{code}"]')).to_contain_text(typed)
    box = lena.page.locator("#hand [name=points_a]")
    expect(box).to_have_attribute("aria-invalid", "true")
    expect(box).to_have_value(typed)
    expect(worked(lena).locator("button")).to_have_count(0)
    lena.page.locator("#hand [data-key=erase]").tap()
    points(lena, "")
    lena.page.locator("#hand [data-key=erase]").tap()
    points(lena, 70)
    expect(box).to_have_value(re.compile("70$"))
    expect(box).to_have_attribute("aria-invalid", "false" if typed == "1" else "true")


def late(route):
    """Let a request go only after a while."""
    route.request.frame.page.wait_for_timeout(150)
    route.continue_()


def test_digits_typed_while_answers_come_are_never_lost(phone):
    lena = phone("Lena")
    begin(lena)
    work_out(lena)
    answer(lena, "chalk", "A")
    lena.page.route("**/settle/", late)

    points(lena, 105)

    expect(lena.page.locator("#hand [name=points_a]")).to_have_value("105")
    expect(shares(lena)).to_have_text(["2", "0"])
    expect(lena.page.locator("[data-mirror]")).to_have_value("15")
    lena.page.unroute_all(behavior="wait")


def test_what_is_written_is_what_was_shown(phone):
    """An answer that comes late and is tapped at once, while more is being typed."""
    lena = phone("Lena")
    path = begin(lena)
    work_out(lena)
    answer(lena, "chalk", "A")
    points(lena, 90)
    expect(shares(lena)).to_have_text(["1", "0"])
    lena.page.locator("#hand [data-key=erase]").tap()  # 9, of which the server is not asked yet
    lena.page.evaluate("document.querySelector('.hand-write').requestSubmit()")
    expect(lena.page.locator("#hand")).to_have_count(0)

    written(lena, "1.A", 1)
    assert entries(lena, path) == [[1, 0]]


def test_an_answer_that_is_older_than_the_last_tap_has_no_button(phone):
    lena = phone("Lena")
    begin(lena)
    work_out(lena)
    answer(lena, "chalk", "A")
    first: list[Route] = []

    def hold_the_first(route):
        if first:
            route.continue_()
        else:
            first.append(route)

    lena.page.route("**/settle/", hold_the_first)

    points(lena, 9)
    lena.page.wait_for_timeout(400)
    points(lena, 5)
    first[0].continue_()

    expect(shares(lena)).to_have_text(["2", "0"])
    expect(worked(lena).locator(".hand-write button")).to_be_enabled()
    expect(lena.page.locator("#hand [name=points_a]")).to_have_value("95")


def test_tapping_twice_opens_one_form_and_every_key_counts_once(phone):
    lena = phone("Lena")
    begin(lena)

    lena.page.locator("[data-settle]").dblclick()
    expect(lena.page.locator("#hand")).to_be_visible()
    lena.page.wait_for_timeout(600)
    answer(lena, "chalk", "A")
    points(lena, 95)

    expect(lena.page.locator("#hand [name=points_a]")).to_have_value("95")
    expect(lena.page.get_by_role("region", name="A question")).to_be_hidden()


def test_news_of_other_names_leaves_the_open_form_alone(phone):
    lena, kofi = phone("Lena"), phone("Kofi")
    path = begin(lena, kofi)
    work_out(lena)
    answer(lena, "chalk", "A")
    points(lena, 95)

    kofi.open(f"{path}people/")
    kofi.page.locator("summary", has_text="Rename").first.tap()
    kofi.page.locator(".rename input[name=name]").first.fill("Kofi Annan")
    kofi.page.get_by_role("button", name="Save").first.tap()
    look_again(lena)
    lena.page.wait_for_timeout(2500)

    expect(lena.page.locator("#hand [name=points_a]")).to_have_value("95")
    write(lena)
    assert entries(lena, path) == [[2, 0]]


def test_without_signal_the_form_says_so_and_keeps_everything(phone):
    lena = phone("Lena")
    path = begin(lena)
    work_out(lena)
    answer(lena, "chalk", "A")
    points(lena, 95)
    expect(shares(lena)).to_have_text(["2", "0"])

    lena.context.set_offline(True)
    with lena.expecting("htmx:"):
        worked(lena).locator(".hand-write button").tap()
        expect(worked(lena).locator("[data-code=unsent]")).to_be_visible()
        expect(lena.page.locator("#hand [name=points_a]")).to_have_value("95")
        lena.page.wait_for_timeout(500)  # what the console says comes a little later
    lena.context.set_offline(False)
    write(lena)

    written(lena, "1.A", 2)
    assert entries(lena, path) == [[2, 0]]


def test_a_number_that_came_meanwhile_is_shown_before_it_is_replaced(phone):
    lena, kofi = phone("Lena"), phone("Kofi")
    path = begin(lena, kofi)
    work_out(lena)
    answer(lena, "chalk", "B")
    points(lena, 20)
    expect(shares(lena)).to_have_text(["0", "2"])
    enter(kofi, "1.B", 1)

    worked(lena).locator(".hand-write button").tap()
    expect(worked(lena).locator("[data-code=changed]")).to_contain_text("Kofi wrote 1.")
    worked(lena).get_by_role("button", name="Enter it all the same").tap()

    written(kofi, "1.B", 2)
    assert entries(lena, path) == [[0, 2]]


def usual_bauernstoss(phone):
    answer(phone, "chalk", "A")
    points(phone, 95)


def usual_bauernschnapsen(phone):
    answer(phone, "by", "A")
    answer(phone, "opp_tricks", 2)
    points(phone, 21)


def usual_schafkopf(phone):
    answer(phone, "declarer", 0)
    answer(phone, "partner", 1)
    points(phone, 93)
    phone.page.locator("#hand [data-key=ok]").tap()
    for _ in range(3):
        phone.page.locator("[data-ask=runners] [data-step='1']").tap()
    answer(phone, "holder", "defence")
    answer(phone, "doubles", 1)


@pytest.mark.parametrize(
    ("game", "tell"),
    [
        ("bauernstoss", usual_bauernstoss),
        ("bauernschnapsen", usual_bauernschnapsen),
        ("schafkopf", usual_schafkopf),
    ],
    ids=["bauernstoss", "bauernschnapsen", "schafkopf"],
)
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_a_whole_hand_stays_on_one_small_screen(phone, game, tell, locale):
    lena = phone("Lena", locale=locale, **SMALL)
    begin(lena, game=game)

    work_out(lena)
    tell(lena)
    if lena.page.locator("#hand [data-key=ok]").is_visible():
        lena.page.locator("#hand [data-key=ok]").tap()
    button = worked(lena).locator(".hand-write button")
    expect(button).to_be_enabled()  # the last answer has come

    found = button.bounding_box()
    assert found["y"] + found["height"] <= 640
    over = lena.page.evaluate(
        "() => [document.querySelector('.asks'), document.getElementById('worked')]"
        ".map((box) => [box.scrollHeight - box.clientHeight, box.scrollWidth - box.clientWidth])"
    )
    assert over == [[0, 0], [0, 0]]
    for target in lena.page.locator("#hand :is(.chip, button, .icon):visible").all():
        size = target.bounding_box()
        assert min(size["width"], size["height"]) >= 44, target.inner_text()


def test_the_form_goes_away_with_escape_and_back(phone):
    lena = phone("Lena")
    begin(lena)

    work_out(lena)
    lena.page.keyboard.press("Escape")
    expect(lena.page.locator("#hand")).to_have_count(0)
    work_out(lena)
    lena.page.get_by_role("link", name="Back to the sheet").tap()
    expect(lena.page.locator("#hand")).to_have_count(0)
    expect(lena.page.locator("[data-pad]")).to_be_visible()


def test_without_scripts_a_hand_is_worked_out_on_a_page_of_its_own(phone):
    lena = phone("Lena", java_script_enabled=False)
    path = set_up(lena, "schafkopf", names=FOUR)

    cell(lena, "1.0").get_by_role("link").tap()
    lena.page.get_by_role("button", name="Work it out").tap()
    answer(lena, "contract", "solo")
    answer(lena, "declarer", 2)
    lena.page.locator("#hand [name=points]:visible").fill("95")
    lena.page.get_by_role("button", name="Work it out").tap()
    expect(shares(lena)).to_have_text(["0", "0", "24", "0"])
    worked(lena).locator(".hand-write button").tap()
    lena.page.wait_for_url(re.compile("#r1$"))

    assert entries(lena, path) == [[0, 0, 24, 0]]


def test_a_phone_may_count_down_from_the_line(phone):
    lena, kofi = phone("Lena"), phone("Kofi")
    begin(lena, kofi, game="bauernschnapsen")
    enter(kofi, "1.B", 6)

    lena.page.get_by_label("Menu").first.tap()
    lena.page.get_by_role("button", name="Count down from 24").tap()

    left = '() => getComputedStyle(document.querySelector(`[data-total="B"]`), "::after").content'
    expect(lena.page.locator('[data-total="B"]')).to_have_attribute("data-left", "18")
    assert lena.page.evaluate(left) == '"18"'
    lena.page.reload()
    expect(lena.page.locator("#page")).to_have_attribute("data-left", "24")
    assert lena.page.evaluate(left) == '"18"'
    show([kofi], 0, 6)
    expect(kofi.page.locator("#page")).not_to_have_attribute("data-left", "24")


def test_the_bummerl_of_the_evening_stands_with_the_side_that_lost(phone):
    lena = phone("Lena")
    path = begin(lena, game="bauernschnapsen")

    enter(lena, "1.A", 24)
    lena.page.get_by_role("button", name="Next match, same partners").tap()
    lena.page.wait_for_url("**/m/2/")

    expect(lena.page.locator("#hB .bummerl")).to_have_text("2 Bummerl")
    expect(lena.page.locator("#hA .bummerl")).to_have_count(0)
    assert sheet(lena, path, match=1)["winner"] == "A"


def test_a_deal_that_would_do_is_named(phone):
    lena = phone("Lena")
    begin(lena)

    for number, value in enumerate((3, 12, 3), start=1):
        enter(lena, f"{number}.A", value)

    expect(lena.page.locator("#hA p").first).to_contain_text("2 to go: Schneider")
    expect(lena.page.locator("#hB p").first).to_have_text("20 to go")
