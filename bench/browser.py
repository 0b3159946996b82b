"""Chromium, as many phones as are wanted, and a notebook in every page.

Taps go through the same helpers as the browser tests. What is timed is noted by the page itself, on
the clock that all pages of a machine share.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect, sync_playwright

from bench.sheets import CSRF, Sheet
from tests.browser.conftest import FLAGS
from tests.browser.find import MISSING, find

PATIENCE = 40_000  # milliseconds
PAUSE = 40  # milliseconds
NOTEBOOK = """
window.moment = () => performance.timeOrigin + performance.now();
window.notes = {shown: {}, taps: 0, tapped: 0, felt: [], said: null};
performance.setResourceTimingBufferSize(5000);
addEventListener("pointerdown", () => { notes.taps += 1; notes.tapped = moment(); }, true);
new PerformanceObserver((list) => {
  for (const event of list.getEntries()) if (event.interactionId) notes.felt.push(event.duration);
}).observe({type: "event", durationThreshold: 16});
addEventListener("DOMContentLoaded", () => {
  const body = document.querySelector("[data-body]");
  const question = document.getElementById("question");
  const all = {subtree: true, childList: true, attributes: true};
  if (body) new MutationObserver(() => {
    for (const {dataset} of body.querySelectorAll("[data-cell][data-value]")) {
      notes.shown[dataset.cell] ??= moment();
    }
  }).observe(body, all);
  if (question) new MutationObserver(() => {
    if (question.textContent.includes("Not sent")) notes.said ??= moment();
  }).observe(question, all);
});
"""


@dataclass
class Phone:
    """A phone at a table, as the helpers of the browser tests know one."""

    page: Page
    context: BrowserContext
    home: str
    name: str = ""

    def note(self, path: str) -> Any:
        """What the page has noted, None for nothing."""
        return self.page.evaluate(f"notes.{path} ?? null")

    def asked(self, path: str) -> tuple[float, float]:
        """When the page last sent a request to a path, and when it had the answer."""
        times = self.page.evaluate(
            """address => {
                 const {startTime, responseEnd} = performance.getEntriesByName(address).at(-1);
                 return [startTime, responseEnd].map((at) => performance.timeOrigin + at);
               }""",
            self.home + path,
        )
        return times[0], times[1]

    def wait_for(self, condition: str) -> None:
        """Wait until something holds in the page; asked seldom, so that asking costs little."""
        for _ in range(PATIENCE // PAUSE):
            if self.page.evaluate(f"Boolean({condition})"):
                return
            self.page.wait_for_timeout(PAUSE)
        raise TimeoutError(f"never came true: {condition}")

    def open(self, sheet: Sheet) -> None:
        """Follow the link of a table."""
        self.page.goto(self.home + sheet.page, wait_until="domcontentloaded")

    def slow_down(self, times: float) -> None:
        """Let the page compute so many times slower."""
        self.devtools().send("Emulation.setCPUThrottlingRate", {"rate": times})

    def slow_network(self, *, latency: float, bytes_per_second: float) -> None:
        """Let the browser hold back requests and answers; latency in seconds."""
        devtools = self.devtools()
        devtools.send("Network.enable")
        devtools.send(
            "Network.emulateNetworkConditions",
            {
                "offline": False,
                "latency": latency * 1000,
                "downloadThroughput": bytes_per_second,
                "uploadThroughput": bytes_per_second,
            },
        )

    def devtools(self) -> CDPSession:
        """The browser's own tools for this page."""
        return self.context.new_cdp_session(self.page)


@dataclass(frozen=True)
class Chromium:
    """A browser; each phone shares nothing with the others."""

    browser: Browser

    @contextmanager
    def phone(self, url: str, token: str) -> Iterator[Phone]:
        """The phone with this token in its cookie; it has opened nothing yet."""
        context = self.browser.new_context(
            viewport={"width": 390, "height": 844},
            device_scale_factor=2,
            is_mobile=True,
            has_touch=True,
            locale="en-GB",
            service_workers="block",  # it would answer in the server's place
        )
        context.set_default_timeout(PATIENCE)
        context.add_init_script(NOTEBOOK)
        context.add_cookies(
            [
                {"name": "phone", "value": token, "url": url},
                {"name": "csrftoken", "value": CSRF, "url": url},
            ]
        )
        try:
            yield Phone(context.new_page(), context, url)
        finally:
            context.close()


@contextmanager
def chromium() -> Iterator[Chromium]:
    """The browser that the browser tests drive."""
    path = find()
    if path is None:
        raise FileNotFoundError(MISSING)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        try:
            yield Chromium(browser)
        finally:
            browser.close()
