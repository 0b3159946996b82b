"""An evening in which the power goes twenty times, while four phones and a browser write.

Nobody waits for anybody: the server is killed before, after and within what it does, and started
again on what it has left. ``SOAK=10`` makes it ten evenings.
"""

from __future__ import annotations

import json
import os
import random
import re
import threading
from contextlib import contextmanager

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from tests.browser.cellar import Cellar
from tests.browser.table import is_live, ok, open_pad, outbox, press, show, sit
from tests.soak.power import MOMENTS, Power
from tests.soak.store import Store
from tests.soak.writers import ROUNDS, Writer, numbers
from tests.streams import Phone

EVENINGS = int(os.environ.get("SOAK", "1"))
SOMEWHEN = "somewhen"
FALLS = (*MOMENTS, SOMEWHEN) * 4
FREE = {"free_numbers": "on", "line": "none"}  # any number is lawful, and nothing banks
RELOADS = 0.05  # of the browser's page, for each number typed there
SECONDS_TO_CATCH_UP = 60
# A browser's patience, shortened as far as the network here is quicker than a pub's.
TIMES = {"probe": 500, "poll": 1000, "sendFirst": 200, "sendMost": 800, "retryFirst": 300,
         "retryMost": 1000, "ahead": 100}  # fmt: skip
TELL = """document.addEventListener("outbox:changed",
            ({detail: {entry}}) => window.tell(entry).catch(() => {}));"""
ERROR = re.compile(r"^\w[\w.]*(?:Error|Exception|Warning)\b.*$", re.MULTILINE)
BUSY = "OperationalError: database is locked"

pytestmark = pytest.mark.timeout(1200)


@pytest.fixture
def power(store):
    """A server that may fall at any time."""
    taken = Power(store)
    taken.comes()
    yield taken
    taken.end()


@pytest.fixture
def cellar(power):
    """Between the browser and the server: what is cut off arrives there as no answer at all."""
    taken = Cellar(power.port)
    yield taken
    taken.close()


@pytest.fixture
def writers(power):
    """The host, who keeps the sheet, and the first three players, on phones without a browser."""
    dice = random.Random()  # noqa: S311
    host = Phone(power.server).start_table("schafkopf", **FREE)
    seated = [Phone(power.server).sit(host, seat) for seat in range(3)]
    taken = [Writer(host, "012", dice), *(Writer(p, str(n), dice) for n, p in enumerate(seated))]
    yield taken
    for writer in taken:
        writer.leave()


class Nora:
    """The fourth player, with the page itself in a browser; nobody else writes in her column."""

    def __init__(self, phone, path):
        self.phone = phone
        self.path = path
        self.typed = {}  # op -> (place, text)
        self.seen = {}  # op -> version of the cell
        phone.context.expose_binding("tell", self._told)
        phone.context.add_init_script(TELL)
        sit(phone, path, "Nora")
        is_live(phone)

    def _told(self, _source, entry):
        """Take note of what the page's outbox says about a number."""
        ((column, text),) = entry["cells"].items()
        number = int(entry["place"].split(".")[0])
        self.typed.setdefault(entry["op"], ((number, column), text))
        self.seen.setdefault(entry["op"], int(entry["base"]))

    def type(self, dice):
        """A number by taps on the pad: into the next open cell, or instead of one that stands."""
        waiting = {kept["place"] for kept in outbox(self.phone)}
        cells = self.phone.page.locator('[data-cell$=".3"]').evaluate_all(
            "cells => cells.map((cell) => [cell.dataset.cell, cell.dataset.state])"
        )
        cells = [(place, state) for place, state in cells[:ROUNDS] if place not in waiting]
        free = [place for place, state in cells if state == "open"]
        if cells:
            places = free[:1] if dice.random() < 0.5 else []
            open_pad(self.phone, dice.choice(places or [place for place, _state in cells]))
            press(self.phone, next(numbers))
            ok(self.phone).tap()

    def load(self):
        """The page again, as soon as there is a server."""
        while True:
            try:
                self.phone.page.goto(self.phone.home + self.path)
            except PlaywrightError:
                self.phone.page.wait_for_timeout(200)
            else:
                return

    def wait_until_sent(self):
        """Wait until the outbox is empty."""
        self.phone.page.wait_for_function(
            "() => !window.scoresheet.outbox.all().length", timeout=SECONDS_TO_CATCH_UP * 1000
        )

    def shows(self, sheet):
        """Wait until the page shows a sheet: its version, its totals, every number."""
        caught_up = self.phone.page.locator("[data-sheet]")
        expect(caught_up).to_have_attribute("data-version", str(sheet["version"]))
        show([self.phone], *sheet["totals"])
        found = self.phone.page.locator("[data-cell]").evaluate_all(
            "cells => cells.map((one) => [one.dataset.cell, one.querySelector('b')?.textContent])"
        )
        assert {place: int(text) for place, text in found if text} == {
            f"{row['number']}.{column['id']}": value
            for row in sheet["rounds"]
            for column, value in zip(sheet["columns"], row["entries"], strict=True)
            if value is not None
        }


@contextmanager
def power_cuts(power, dice):
    """Within it the server falls at every kind of moment, and comes again each time."""
    enough = threading.Event()
    cutting = threading.Thread(target=_cut, args=[power, dice, enough])
    cutting.start()
    try:
        yield cutting
    finally:
        enough.set()
        cutting.join()


def _cut(power, dice, enough):
    for moment in dice.sample(FALLS, len(FALLS)):
        if enough.is_set():
            break
        if moment == SOMEWHEN:
            enough.wait(dice.uniform(0.1, 1.0))
            power.goes()
        else:
            power.goes_at(moment, dice.randint(1, 5))
        power.is_gone()
        power.comes()


@pytest.mark.parametrize("evening", range(EVENINGS))
def test_no_number_is_lost_or_doubled_when_the_power_goes(evening, power, writers, cellar, phone):
    dice = random.Random(evening)  # noqa: S311
    nora = Nora(phone("Nora", cellar=cellar, times=TIMES), f"/t/{writers[0].phone.key}/")
    for writer in writers:
        writer.begin()
    with power_cuts(power, dice) as cutting:
        while cutting.is_alive():
            nora.type(dice)
            nora.phone.page.wait_for_timeout(dice.randint(100, 600))
            if dice.random() < RELOADS:
                nora.load()

    for writer in writers:
        writer.fall_silent()
    for one in (*writers, nora):
        one.wait_until_sent()
    check_the_log(power)
    check_the_store(power, writers, nora)
    sheet = sheet_of(writers[0].phone)
    for writer in writers:
        check_what_is_shown(writer, sheet)
    nora.shows(sheet)


def check_the_log(power):
    """The server fell at the moments that were chosen, and did not stumble otherwise.

    On a machine that is very busy a writer may wait for the store in vain; its phone tries again.
    """
    assert sorted(power.moments()) == sorted(one for one in FALLS if one != SOMEWHEN)
    errors = ERROR.findall(power.server.log.read_text())
    assert [error for error in errors if not error.endswith(BUSY)] == []


def check_the_store(power, writers, nora):
    """What phones were told to be written is there once, and nothing else is there.

    Of the browser's numbers that is every one that was ever typed.
    """
    written, seen = dict(nora.typed), dict(nora.seen)
    for writer in writers:
        written |= {op: (one.place, one.text) for op, one in writer.written.items()}
        seen |= {op: one.seen for op, one in writer.typed.items()}
    store = Store.read(power.server.data_dir)
    store.assert_sound()
    store.assert_holds(written, seen)


def check_what_is_shown(writer, sheet):
    """The stream brought everything, in order, to a phone that had to open it again each time."""
    assert writer.has_heard(sheet["version"], SECONDS_TO_CATCH_UP)
    assert writer.ids == sorted(set(writer.ids))
    shown = writer.outbox.shown
    rows = [list(shown.rows[row["number"]].cells.values()) for row in sheet["rounds"]]
    assert [[cell.value for cell in row] for row in rows] == [r["entries"] for r in sheet["rounds"]]
    assert list(shown.totals.values()) == sheet["totals"]


def sheet_of(phone):
    answer, text = phone.ask("GET", f"/t/{phone.key}/m/1/sheet.json")
    assert answer.status == 200
    return json.loads(text)
