"""Fixtures for tests in a real browser against a real server."""

import json
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    APIResponse,
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    expect,
    sync_playwright,
)

from tests.browser.cellar import Cellar
from tests.browser.find import MISSING, find
from tests.serving import OwnServer, Server

ROOT = Path(__file__).resolve().parent.parent.parent
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
TRIES = 5  # of going somewhere, while the page goes somewhere by itself
PATIENCE = 20_000  # milliseconds until what does not come is missed
# The browser itself reports each answer of 400 and above; these are how the product says no.
# What htmx and a browser with a service worker note in a cellar.
WITHOUT_SIGNAL = ("htmx:", "An unknown error occurred when fetching the script")
EXPECTED_STATUSES = ("403", "404", "409", "422", "429")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for all tests; each phone is a context of its own, which shares nothing."""
    path = find(light=True)
    if path is None:
        pytest.skip(MISSING)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Phone:
    """A phone in somebody's hand: a page, and what went wrong on it."""

    name: str
    page: Page
    context: BrowserContext
    home: str
    complaints: list[str] = field(default_factory=list)
    is_in_cellar: bool = False

    def open(self, path: str) -> None:
        """Go to a path of the server, even if the page just goes somewhere by itself."""
        for _ in range(TRIES):
            try:
                self.page.goto(self.home + path)
            except Error as error:
                if "interrupted by another navigation" not in str(error):
                    raise
                self.page.wait_for_load_state()
            else:
                return
        raise AssertionError(f"{self.name} never came to {path}")

    def ask(self, path: str) -> APIResponse:
        """Ask the server, beside the page; a connection that rested may just have been closed."""
        return self.context.request.get(self.home + path, max_retries=3)

    @contextmanager
    def expecting(self, complaint: str) -> Iterator[None]:
        """Within it, complaints that hold this text must come up, and are forgiven."""
        before = len(self.complaints)
        yield
        heard = self.complaints[before:]
        forgiven = [text for text in heard if complaint in text]
        assert forgiven, f"{self.name} did not complain {complaint!r}, but: {heard}"
        self.complaints[before:] = [text for text in heard if text not in forgiven]

    def watch(self) -> None:
        """Note whatever the page should not do, on this page and those it opens."""
        self.context.on("weberror", lambda found: self.complaints.append(f"error: {found.error}"))
        self.context.on("console", self._heard)
        self.context.on("request", self._asked)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type not in {"error", "warning"} or _is_expected(message.text):
            return
        if self.is_in_cellar and message.text.startswith(WITHOUT_SIGNAL):
            return
        self.complaints.append(f"console {message.type}: {message.text}")

    def _asked(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if (
            parts.scheme in {"http", "https", "ws", "wss"}
            and parts.netloc != urlsplit(self.home).netloc
        ):
            self.complaints.append(f"asked another host: {parts.netloc}")


def _is_expected(text: str) -> bool:
    if text == "Service Worker registration blocked by Playwright":
        return True
    if not text.startswith("Failed to load resource"):
        return False
    # Without a status the network is gone, which tests do on purpose.
    return "net::ERR_" in text or any(
        f"status of {status} " in text for status in EXPECTED_STATUSES
    )


@pytest.fixture
def cellar(server: Server) -> Iterator[Cellar]:
    """A bad place between phones and the server; see there what it can do."""
    taken = Cellar(urlsplit(server.url).port or 0)
    yield taken
    taken.close()


@pytest.fixture
def own_server(store: Path) -> Iterator[OwnServer]:
    """A server that a test may end."""
    taken = OwnServer(store)
    yield taken
    taken.stop()


@pytest.fixture
def phone(chromium: Browser, server: Server) -> Generator[Callable[..., Phone]]:
    """A function that hands out fresh phones; at the end none of them may have complained."""
    phones: list[Phone] = []

    def take(  # noqa: PLR0913 - what phones differ in
        name: str = "phone",
        *,
        width: int = 390,
        height: int = 844,
        dark: bool = False,
        locale: str = "en-GB",
        url: str | None = None,
        cellar: Cellar | None = None,
        times: dict[str, int] | None = None,
        **more: object,
    ) -> Phone:
        options = {
            "viewport": {"width": width, "height": height},
            "device_scale_factor": 2,
            "is_mobile": True,
            "has_touch": True,
            "color_scheme": "dark" if dark else "light",
            "locale": locale,
            "timezone_id": "Europe/Berlin",
            "service_workers": "block",  # it would hide requests from tests that watch them
            **more,
        }
        context = chromium.new_context(**options)  # type: ignore[arg-type] # any of Playwright's
        context.set_default_timeout(PATIENCE)
        if times is not None:  # milliseconds, by their names in live.js
            context.add_init_script(f"window.scoresheetTimes = {json.dumps(times)}")
        home = cellar.url if cellar else url or server.url
        taken = Phone(name, context.new_page(), context, home, is_in_cellar=cellar is not None)
        taken.watch()
        phones.append(taken)
        return taken

    yield take
    complaints = [f"{one.name}: {text}" for one in phones for text in one.complaints]
    for one in phones:
        one.context.close()
    assert complaints == []
