"""What phones in a cellar see and when: the time limits of what must hold at a table."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from bench import wire
from bench.browser import Chromium, Phone, chromium
from bench.numbers import median
from bench.report import Finding
from bench.sheets import Entry, Sheet
from bench.size import Size
from bench.stage import Served, Stage
from tests.browser.cellar import Cellar
from tests.browser.table import hide, is_live, tool

ONE_WAY = 0.75  # seconds; there and back is twice that
A_MOMENT = 0.5  # seconds


class Place(NamedTuple):
    """A table with a cellar of its own, where the phones are."""

    sheet: Sheet
    cellar: Cellar
    phones: Sequence[Phone]
    port: int  # where phones with a good signal find the server

    def enter(self) -> Entry:
        """Enter a number by a phone with a good signal."""
        entry = self.sheet.next_entry()
        answer = wire.ask_now(self.port, self.sheet.post(entry))
        if answer.status != wire.OK:
            raise AssertionError(f"{entry} was not taken: {answer.status}")
        return entry

    def seen(self, entry: Entry, since: float) -> list[float]:
        """Wait until a number stands on all phones; how many seconds that took each of them."""
        for phone in self.phones:
            phone.wait_for(f'notes.shown["{entry.place}"]')
        shown = [phone.note(f'shown["{entry.place}"]') / 1000 for phone in self.phones]
        return [max(0.0, moment - since) for moment in shown]


class Limit(NamedTuple):
    """A statement about phones, and how many seconds it allows."""

    what: str
    most: float


SEEN = Limit("another phone’s number shows, good net (17)", 2)
SEEN_FAR = Limit("another phone’s number shows, 1500 ms latency (17)", 5)
UNLOCKED = Limit("right after the phone was unlocked (19)", 2)
BACK = Limit("right after the signal is back (18)", 3)
UNANSWERED = Limit("a tap without a signal gets words (22)", 9)
SILENT = Limit("a silent stream is replaced (20)", 30)


def measure(stage: Stage, size: Size) -> list[Finding]:
    """Short troubles one after the other; the three long ones at the same time."""
    found: dict[Limit, list[float]] = {}
    filled = stage.store(tables=4, rounds=2, watchers=size.times)
    with filled as store, store.served() as server, chromium() as browser:
        short, *long = store.sheets
        with _cellar(browser, server, short, short.watching[:1]) as place:
            _have_short_troubles(place, size.times, found)
        with ExitStack() as places:
            tokens = (long[0].watching, long[1].watching, long[2].seated[:1])
            lost, silent, stuck = (
                places.enter_context(_cellar(browser, server, sheet, some))
                for sheet, some in zip(long, tokens, strict=True)
            )
            _have_long_troubles(lost, silent, stuck, size.patience, found)
    return findings(found)


@contextmanager
def _cellar(
    browser: Chromium, server: Served, sheet: Sheet, tokens: Sequence[str]
) -> Iterator[Place]:
    """Phones at a table that reach the server through a cellar, all of them live."""
    cellar = Cellar(server.port)
    try:
        with ExitStack() as stack:
            phones = [stack.enter_context(browser.phone(cellar.url, token)) for token in tokens]
            for phone in phones:
                phone.open(sheet)
                is_live(phone)
            yield Place(sheet, cellar, phones, server.port)
    finally:
        cellar.close()


def _have_short_troubles(place: Place, times: int, found: dict[Limit, list[float]]) -> None:
    for _ in range(times):
        found.setdefault(SEEN, []).extend(_see(place))
        found.setdefault(UNLOCKED, []).extend(_unlock(place))
    place.cellar.delay(ONE_WAY)
    for _ in range(times):
        found.setdefault(SEEN_FAR, []).extend(_see(place))


def _see(place: Place) -> list[float]:
    entry = place.enter()
    return place.seen(entry, since=time.time())


def _unlock(place: Place) -> list[float]:
    (phone,) = place.phones
    hide(phone)
    place.cellar.cut_once()
    entry = place.enter()
    time.sleep(A_MOMENT)
    unlocked = time.time()
    hide(phone, hidden=False)
    phone.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    took = place.seen(entry, since=unlocked)
    is_live(phone)
    return took


def _have_long_troubles(
    lost: Place, silent: Place, stuck: Place, patience: float, found: dict[Limit, list[float]]
) -> None:
    """No signal at all, a stream that says nothing more, and a tap into the void."""
    for place in (lost, stuck):
        place.cellar.black_hole()
    silenced = time.monotonic()
    silent.cellar.black_hole(only="/live/")
    time.sleep(A_MOMENT)
    silent.cellar.signal()  # what met the hole stays dead
    entry = lost.enter()
    (player,) = stuck.phones
    tapped = time.time()
    tool(player, "End match").tap()
    player.wait_for("notes.said")
    found[UNANSWERED] = [player.note("said") / 1000 - tapped]
    while time.monotonic() < silenced + patience:
        time.sleep(A_MOMENT)
    lost.cellar.signal()
    found[BACK] = lost.seen(entry, since=time.time())
    while len(again := silent.cellar.asked_for("/live/", since=silenced)) < len(silent.phones):
        if time.monotonic() > silenced + 2 * SILENT.most:
            raise AssertionError("a silent stream was never replaced")
        time.sleep(A_MOMENT)
    found[SILENT] = [asked.at - silenced for asked in again]


def findings(found: dict[Limit, list[float]]) -> list[Finding]:
    """The rows: the slowest time of all."""
    return [
        Finding(
            limit.what,
            max(took),
            "s",
            most=limit.most,
            beside=f"median {median(took):.2f}, of {len(took)}",
        )
        for limit, took in found.items()
    ]
