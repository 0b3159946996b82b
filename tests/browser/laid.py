"""Tables in the middle of an evening, for tests that look at a sheet: laid once for a module.

They are set up by requests, without pages. Whoever sits there is a browser's storage, which any
number of phones can be opened with. A test that writes lays a table of its own.
"""

from dataclasses import dataclass, field

from playwright.sync_api import APIResponse, BrowserContext

from tests.browser.table import FOUR, post, write_deal

TWO_SIDES = ((1, 0), (0, 2), (0, 8), (12, 0), (3, 0), (0, 1), (2, 0))
FOUR_PLAYERS = ((14, 14, 0, 0), (0, 20, 20, 20), (2, 0, 2, 0), (0, 40, 0, 0), (0, 0, 2, 2))
DEALS = {"bauernstoss": TWO_SIDES, "bauernschnapsen": TWO_SIDES[:5], "schafkopf": FOUR_PLAYERS}
SIZES = {"small": (360, 640), "phone": (390, 844), "lying": (844, 390), "tablet": (820, 1180)}


@dataclass
class Hand:
    """A browser without a page, which is all that requests need."""

    context: BrowserContext
    home: str

    def ask(self, path: str) -> APIResponse:
        """Ask the server; a connection that rested may just have been closed."""
        return self.context.request.get(self.home + path, max_retries=3)


@dataclass
class Laid:
    """A table: its path, how many deals are written, and the browsers of those who sit there."""

    path: str
    deals: int
    seated: dict[str, object] = field(default_factory=dict)

    @property
    def next_deal(self):
        return self.deals + 1

    def hold(self, phone, name="Lena", **more):
        """The sheet in the hand of somebody who sits there; ``name=None``: of a stranger."""
        seat = {"storage_state": self.seated[name]} if name else {}
        taken = phone(name or "stranger", **seat, **more)
        taken.open(self.path)
        return taken


def lay(chromium, server, game="bauernstoss", *, names=FOUR, deals=None, others=("Kofi",)):  # noqa: PLR0913
    """A table with Lena as host, Kofi of the other side, and some deals written."""
    rows = DEALS[game] if deals is None else deals
    fields = {f"player_{line}": name for line, name in enumerate(names)} | {"holder": "0"}
    contexts = {name: chromium.new_context(locale="en-GB") for name in ("Lena", *others)}
    hands = {name: Hand(one, server.url) for name, one in contexts.items()}
    path = post(hands["Lena"], f"/new/{game}/", fields)
    for name in others:
        post(hands[name], f"{path}seat/", {"seat": str(FOUR.index(name))})
    if game == "bauernstoss":
        post(hands["Lena"], f"{path}m/1/chalk/", {"side": "A"})
    for number, values in enumerate(rows, start=1):
        write_deal(hands["Lena"], path, number, *values)
    laid = Laid(path, len(rows), {name: one.storage_state() for name, one in contexts.items()})
    for one in contexts.values():
        one.close()
    return laid


def opens_large(phone):
    """Let every page of this phone open with text twice as large."""
    phone.context.add_init_script(
        "new MutationObserver((_all, seen) => { if (!document.documentElement) return;"
        " document.documentElement.style.fontSize = '200%'; seen.disconnect(); })"
        ".observe(document, {childList: true})"
    )
