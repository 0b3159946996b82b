"""The other language is one tap away on every page, and nothing that was typed is lost by it."""

import pytest
from playwright.sync_api import expect

from tests.browser.table import begin, cell, type_digits


def speak_german(phone):
    phone.page.locator("form.language button").tap()
    expect(phone.page.locator("html")).to_have_attribute("lang", "de")


def test_a_table_that_is_half_set_up_stays_so(phone):
    lena = phone("Lena")
    lena.open("/new/bauernstoss/")
    lena.page.fill("#player-0", "Lena")
    lena.page.fill("#player-2", "Dr. Felix")
    lena.page.locator("label[for=dealer-2]").tap()
    lena.page.get_by_text("House rules", exact=True).tap()
    lena.page.locator("label[for=line-none]").tap()
    lena.page.fill("#agreed", "Five is even.")

    speak_german(lena)

    expect(lena.page.locator("#player-0")).to_have_value("Lena")
    expect(lena.page.locator("#player-2")).to_have_value("Dr. Felix")
    expect(lena.page.locator("#player-1")).to_have_value("")
    expect(lena.page.locator("#dealer-2")).to_be_checked()
    expect(lena.page.locator("#line-none")).to_be_checked()
    expect(lena.page.locator("label[for=line-none]")).to_be_visible()
    expect(lena.page.locator("#agreed")).to_have_value("Five is even.")
    expect(lena.page.locator('[data-label="2"]').first).to_have_text("Dr. Felix")


def test_what_was_typed_comes_back_once(phone):
    lena = phone("Lena")
    lena.open("/new/bauernstoss/")
    lena.page.fill("#player-0", "Lena")
    speak_german(lena)
    expect(lena.page.locator("#player-0")).to_have_value("Lena")

    lena.open("/")
    lena.open("/new/bauernstoss/")

    expect(lena.page.locator("#player-0")).to_have_value("")


def test_house_rules_that_are_being_changed_stay_so(phone):
    lena = phone("Lena")
    path = begin(lena)
    lena.open(f"{path}house/")
    lena.page.locator("label[for=line-none]").tap()
    lena.page.fill("#agreed", "Five is even.")

    speak_german(lena)

    expect(lena.page.locator("#line-none")).to_be_checked()
    expect(lena.page.locator("#agreed")).to_have_value("Five is even.")


@pytest.mark.parametrize("digits", ["1", "12"])
def test_a_number_that_is_half_typed_waits_in_its_cell(phone, digits):
    lena = phone("Lena")
    begin(lena)
    type_digits(lena, "1.A", digits)

    lena.page.locator(".menu > summary").tap()
    speak_german(lena)

    expect(lena.page.locator("[data-pad-value]")).to_have_value(digits)
    expect(cell(lena, "1.A")).to_have_attribute("data-draft", digits)
