"""What the sheet's page weighs on the wire, as a browser loads it for the first time and again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bench import wire
from bench.browser import Phone, chromium
from bench.report import Finding
from bench.sheets import Sheet, request
from bench.size import Size
from bench.stage import Served, Stage
from bench.wire import Answer
from tests.browser.table import is_live

ROUNDS = 12
BROTLI, GZIP = "gzip, deflate, br", "gzip, deflate"
SETTLE = 1000  # milliseconds
COLD, WARM, REQUESTS = 40.0, 4.0, 8  # kB, kB, besides the page
SHELL = re.compile(rb"^const SHELL = (.*);$", re.MULTILINE)


@dataclass
class Load:
    """One load of the page: bytes that came over the wire by path, heads of answers included."""

    sizes: dict[str, float] = field(default_factory=dict)

    @property
    def kb(self) -> float:
        """All of it."""
        return sum(self.sizes.values()) / 1000

    @contextmanager
    def noted(self, phone: Phone) -> Iterator[None]:
        """Note what the browser itself counts, for as long as the block lasts."""
        paths: dict[str, str] = {}

        def ask(event: dict[str, Any]) -> None:
            paths[event["requestId"]] = event["request"]["url"].removeprefix(phone.home)

        def forget(event: dict[str, Any]) -> None:
            paths.pop(event["requestId"], None)  # it lay in the browser

        def add(event: dict[str, Any]) -> None:
            path, told = paths.get(event["requestId"]), event.get("response", event)
            if path is None or told.get("fromDiskCache"):
                forget(event)
            else:
                self.sizes[path] = self.sizes.get(path, 0) + told["encodedDataLength"]

        def conclude(event: dict[str, Any]) -> None:
            if path := paths.get(event["requestId"]):
                self.sizes[path] = event["encodedDataLength"]

        devtools = phone.devtools()
        devtools.on("Network.requestWillBeSent", ask)
        devtools.on("Network.requestServedFromCache", forget)
        devtools.on("Network.responseReceived", add)
        devtools.on("Network.dataReceived", add)
        devtools.on("Network.loadingFinished", conclude)
        devtools.send("Network.enable")
        yield
        devtools.detach()


class Weight(NamedTuple):
    """First load, second load, and what else there is, in kB."""

    cold: Load
    warm: Load
    gzip: float  # the first load by plain http, where browsers take no brotli
    worker: float  # itself, and what it gets that the page has not


def measure(stage: Stage, size: Size) -> list[Finding]:  # noqa: ARG001 - once is enough
    """Real answers of the running server, once with an empty cache and once more."""
    with stage.store(rounds=ROUNDS) as store, store.served() as server:
        (sheet,) = store.sheets
        cold, warm = Load(), Load()
        with chromium() as browser, browser.phone(server.url, sheet.seated[1]) as phone:
            for load in (cold, warm):
                with load.noted(phone):
                    phone.open(sheet)
                    is_live(phone)
                    phone.page.wait_for_timeout(SETTLE)
        return findings(_weigh(server, sheet, cold, warm))


def _weigh(server: Served, sheet: Sheet, cold: Load, warm: Load) -> Weight:
    """Ask for what the browser did not ask for, or not like that."""

    def get(path: str, encodings: str = BROTLI) -> Answer:
        line, token = f"GET {path}", sheet.seated[1]
        return wire.ask_now(server.port, request(line, token=token, encodings=encodings))

    loaded = [path for path in cold.sizes if not path.startswith("/live/")]
    worker = get("/sw.js", GZIP)
    shell = SHELL.search(worker.body)
    more = json.loads(shell[1]) if shell else []
    return Weight(
        cold,
        warm,
        gzip=sum(get(path, GZIP).size for path in loaded) / 1000,
        worker=(worker.size + sum(get(path).size for path in more if path not in loaded)) / 1000,
    )


def findings(weight: Weight) -> list[Finding]:
    """The rows."""
    cold, warm = weight.cold, weight.warm
    page, *files = ((path, size / 1000) for path, size in cold.sizes.items())
    by_weight = sorted(files, key=lambda one: -one[1])
    told = [f"{path.partition('?')[0].rpartition('/')[2]} {size:.1f}" for path, size in by_weight]
    return [
        Finding(
            f"sheet page of {ROUNDS} rounds, cold, everything over the wire (brotli)",
            cold.kb,
            "kB",
            most=COLD,
            beside=f"the page {page[1]:.1f}; by gzip alone {weight.gzip:.1f} in all",
            why=f"the heaviest files: {', '.join(told[:4])}",
        ),
        Finding(
            "the same: requests besides the page",
            len(files),
            "requests",
            most=REQUESTS,
            why="each file is asked for by itself, and the stream is one more",
        ),
        Finding(
            "the same, warm",
            warm.kb,
            "kB",
            most=WARM,
            beside=f"{len(warm.sizes)} requests",
            why=f"the page itself, by gzip {page[1]:.1f}",
        ),
        Finding("the worker afterwards, once a release", weight.worker, "kB"),
    ]
