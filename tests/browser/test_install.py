"""On the home screen: a hint where it makes sense, and never again after a no."""

import pytest
from playwright.sync_api import expect

from tests.browser.table import begin

OFFERED = """() => {
  const event = new Event('beforeinstallprompt', {cancelable: true});
  event.prompt = () => { window.asked = (window.asked ?? 0) + 1; };
  dispatchEvent(event);
  return event.defaultPrevented;
}"""
ON_AN_IPHONE = "Object.defineProperty(navigator, 'standalone', {value: %s})"


@pytest.fixture
def lena(phone):
    """A phone with a table, on the first page."""
    taken = phone("Lena")
    begin(taken)
    taken.open("/")
    return taken


def hint(phone):
    return phone.page.locator("[data-install]")


def test_a_browser_that_can_put_the_icon_down_is_asked_by_one_tap(lena):
    expect(hint(lena)).to_be_hidden()

    assert lena.page.evaluate(OFFERED) is True
    expect(hint(lena)).to_contain_text("Opens your tables with one tap")
    lena.page.get_by_role("button", name="Put it there").tap()

    expect(hint(lena)).to_be_hidden()
    assert lena.page.evaluate("window.asked") == 1


def test_a_no_holds(lena):
    lena.page.evaluate(OFFERED)
    lena.page.get_by_role("button", name="No, thanks").tap()
    expect(hint(lena)).to_be_hidden()

    lena.page.reload()
    lena.page.evaluate(OFFERED)

    expect(lena.page.get_by_role("heading", name="Tables of this phone")).to_be_visible()
    expect(hint(lena)).to_be_hidden()


def test_a_phone_without_a_table_is_left_alone(phone):
    guest = phone("guest")
    guest.open("/")

    assert guest.page.evaluate(OFFERED) is False
    expect(hint(guest)).to_have_count(0)


@pytest.mark.parametrize(("standalone", "shown"), [("false", True), ("true", False)])
def test_an_iphone_is_told_the_way_by_hand_until_the_icon_is_there(lena, standalone, shown):
    lena.page.add_init_script(ON_AN_IPHONE % standalone)

    lena.page.reload()

    expect(lena.page.get_by_role("heading", name="Tables of this phone")).to_be_visible()
    expect(hint(lena)).to_be_visible(visible=shown)
    if shown:
        expect(hint(lena)).to_contain_text("asks once more who you are")
        expect(hint(lena).get_by_role("button")).to_have_text(["No, thanks"])
