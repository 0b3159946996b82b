"""From one phone to another in real browsers: how soon a number is there, and a tap is felt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple

from bench.browser import Chromium, Phone, chromium
from bench.far import FarServer
from bench.numbers import median, quantile
from bench.report import Finding
from bench.sheets import Sheet
from bench.size import Size
from bench.stage import Stage
from tests.browser.table import chip, is_live, open_pad

LOCK = 700  # milliseconds after a number in which the same phone's taps count as trembling
RTT, BYTES_PER_SECOND = 0.4, 50_000  # 400 ms, 400 kbit/s
SLOWER, MUCH_SLOWER = 4, 6  # times
FRAME = 16.0  # ms; what is felt sooner is not told
SETTLE = 600  # milliseconds
P95 = 0.95
# What is promised: ms, ms, taps, taps, ms, seconds.
MEDIAN, MOST, NEXT_TAPS, USUAL_TAPS, FELT, TYPABLE = 25.0, 60.0, 1, 2, 100.0, 2.5


class Way(NamedTuple):
    """Numbers from one phone to the other, in ms since they were sent and since the tap."""

    sent: list[float]
    tapped: list[float]
    taps: int


class Found(NamedTuple):
    """All that was found with browsers."""

    way: Way
    usual_taps: int
    felt: Sequence[float]
    typable: Sequence[float]
    far: Sequence[float]


def measure(stage: Stage, size: Size) -> list[Finding]:
    """Two phones of two sides at one table, then one of them on a slow network."""
    with stage.store(tables=2, rounds=2) as store, store.served() as server, chromium() as browser:
        fast, slow = store.sheets
        with ExitStack() as phones:
            lena, kofi = (
                phones.enter_context(browser.phone(server.url, token)) for token in fast.seated[:2]
            )
            for phone in (lena, kofi):
                phone.open(fast)
                is_live(phone)
            way = _talk(lena, kofi, fast, size.numbers)
            usual_taps = _taps_of_the_usual_entry(lena, kofi, fast)
        felt = _feel(browser, server.url, slow, size.times)
        typable = [_open_slowly(browser, server.url, slow, far=False) for _ in range(size.times)]
        with FarServer(server.port, rtt=RTT, bytes_per_second=BYTES_PER_SECOND) as proxy:
            far = [_open_slowly(browser, proxy.url, slow, far=True) for _ in range(size.times)]
    return findings(Found(way, usual_taps, felt, typable, far))


def _talk(lena: Phone, kofi: Phone, sheet: Sheet, count: int) -> Way:
    """Numbers in turn, each with a tap on the pad as it waits for the next open cell."""
    way = Way([], [], NEXT_TAPS)
    for _ in range(count):
        entry = sheet.next_entry()
        writer, reader = (lena, kofi) if entry.column == sheet.columns[0] else (kofi, lena)
        before = writer.note("taps")
        _wait_on(writer, entry.place)
        chip(writer, entry.value).tap()
        shown = _shown(entry.place, writer, reader)
        sent, _answered = writer.asked(sheet.path(entry))
        way.sent.append(shown - sent)
        way.tapped.append(shown - writer.note("tapped"))
        way = way._replace(taps=max(way.taps, writer.note("taps") - before))
        writer.page.wait_for_timeout(LOCK / 2)
    return way


def _wait_on(phone: Phone, place: str) -> None:
    """Wait until the pad stands on a cell."""
    phone.wait_for(f'document.querySelector("[data-pad]").dataset.padCell === "{place}"')


def _shown(place: str, writer: Phone, reader: Phone) -> float:
    """Wait for a number on both phones; when the reader had it."""
    for phone in (reader, writer):
        phone.wait_for(f'notes.shown["{place}"]')
    return float(reader.note(f'shown["{place}"]'))


def _taps_of_the_usual_entry(lena: Phone, kofi: Phone, sheet: Sheet) -> int:
    """A number into a cell that is chosen first."""
    entry = sheet.next_entry()
    writer, reader = (lena, kofi) if entry.column == sheet.columns[0] else (kofi, lena)
    before = int(writer.note("taps"))
    open_pad(writer, entry.place)
    chip(writer, entry.value).tap()
    _shown(entry.place, writer, reader)
    return int(writer.note("taps")) - before


def _feel(browser: Chromium, url: str, sheet: Sheet, count: int) -> list[float]:
    """How long until the screen answers a tap on a cell or on a number, on a slow phone: ms."""
    felt = []
    one, other, *_ = sheet.seated
    with browser.phone(url, one) as lena, browser.phone(url, other) as kofi:
        for phone in (lena, kofi):
            phone.open(sheet)
            is_live(phone)
            phone.slow_down(MUCH_SLOWER)
        for _ in range(2 * count):
            entry = sheet.next_entry()
            phone = lena if entry.column == sheet.columns[0] else kofi
            _wait_on(phone, entry.place)
            felt.append(_felt(phone, partial(open_pad, phone, entry.place)))
            felt.append(_felt(phone, chip(phone, entry.value).tap))
    return felt


def _felt(phone: Phone, tap: Callable[[], object]) -> float:
    """From a tap to the next frame that shows something of it, by the browser's own count."""
    phone.page.evaluate("notes.felt = []")
    tap()
    phone.page.wait_for_timeout(SETTLE)
    return float(max([FRAME, *phone.note("felt")]))


def _open_slowly(browser: Chromium, url: str, sheet: Sheet, *, far: bool) -> float:
    """Seconds from following the link until a cell can be typed in, on a slow phone far away.

    The network is the browser's own slow one, or the far server's.
    """
    with browser.phone(url, sheet.seated[0]) as phone:
        phone.slow_down(SLOWER)
        if not far:
            phone.slow_network(latency=RTT, bytes_per_second=BYTES_PER_SECOND)
        phone.open(sheet)
        ready = phone.page.evaluate(
            """() => Math.max(
                 performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
                 performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0)"""
        )
        open_pad(phone, f"{sheet.rounds + 1}.A")
    return float(ready) / 1000


def findings(found: Found) -> list[Finding]:
    """The rows."""
    way, felt = found.way, found.felt
    name = "written on one phone → in the DOM of another"
    opened = "link → first typable cell, 400 kbit/s, 400 ms RTT, CPU / 4"
    return [
        Finding(
            f"{name}, median",
            median(way.sent),
            most=MEDIAN,
            ratio_to="ORM write",
            beside=f"since the tap {median(way.tapped):.0f}",
        ),
        Finding(
            f"{name}, p95",
            quantile(way.sent, P95),
            most=MOST,
            ratio_to="ORM write",
            beside=f"since the tap {quantile(way.tapped, P95):.0f}",
        ),
        Finding("taps for the next open cell of the own column", way.taps, "taps", most=NEXT_TAPS),
        Finding("taps for the usual entry", found.usual_taps, "taps", most=USUAL_TAPS),
        Finding(
            "a tap is answered on the screen, CPU / 6, the slowest (statement 36)",
            max(felt),
            most=FELT,
            beside=f"median {median(felt):.0f}, of {len(felt)} taps",
        ),
        Finding(opened, median(found.typable), "s", most=TYPABLE, beside="the browser's network"),
        Finding(opened, median(found.far), "s", beside="a handshake for every connection as well"),
    ]
