"""The phones that the other browser tests hold: they notice what a page should not do."""

from urllib.parse import urlsplit

import pytest


def test_a_page_opens_without_a_complaint(phone, server):
    lena = phone("Lena")

    lena.open("/")

    assert lena.page.url == f"{server.url}/"
    assert lena.page.evaluate("navigator.maxTouchPoints") > 0
    assert lena.page.evaluate("[screen.width, navigator.language]") == [390, "en-GB"]
    assert lena.complaints == []


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("console.error('chalk is gone')", "console error: chalk is gone"),
        ("setTimeout(() => { throw new Error('no dealer') })", "error: no dealer"),
        ("fetch('http://192.0.2.1/').catch(() => 0)", "http://192.0.2.1/"),
        (
            "document.body.setAttribute('style', 'color: red')",
            "console error: Applying inline style violates the following Content Security Policy",
        ),
    ],
)
def test_what_a_page_should_not_do_is_noticed(phone, script, complaint):
    lena = phone("Lena")
    lena.open("/")

    with lena.expecting(complaint):
        lena.page.evaluate(f"() => {{ {script} }}")
        lena.page.wait_for_timeout(200)


def test_an_answer_that_says_no_is_no_complaint(phone):
    lena = phone("Lena")
    lena.open("/")

    status = lena.page.evaluate("fetch('/nothing/here/').then(answer => answer.status)")

    assert status == 404
    assert lena.complaints == []


def test_two_phones_share_nothing(phone, server):
    lena, felix = phone("Lena"), phone("Felix", dark=True, locale="de-DE")
    host = urlsplit(server.url).hostname

    lena.context.add_cookies([{"name": "seat", "value": "0", "domain": host, "path": "/"}])
    felix.open("/")

    assert "seat" not in {cookie["name"] for cookie in felix.context.cookies()}
    assert felix.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is True
