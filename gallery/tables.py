"""The tables of the gallery: what people would have typed, sent as their phones send it."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import APIRequestContext, APIResponse, Browser, BrowserContext

Rows = tuple[tuple[int, ...], ...]

FOUR = ("Lena", "Kofi", "Felix", "Nora")
LONG = (
    "Maximilian-Alexander von und zu Hohenbur",
    "Annegret Schwarzenberger-Rautenstrauch M",
    "Wolfgang-Amadeus Untermoser-Hinterhuber",
    "Brunhilde",
)
LONG_EVENING = 60  # rounds
# Deals of an evening, over and over: (A, B), or one number for each player.
TWO_SIDES = ((1, 0), (0, 2), (0, 8), (12, 0), (3, 0), (0, 1), (2, 0))
SCHNAPSEN = ((3, 0), (0, 2), (1, 0), (0, 6), (4, 0), (0, 1), (2, 0))
PLAYERS = ((14, 14, 0, 0), (0, 20, 20, 20), (2, 0, 2, 0), (0, 0, 0, 40), (4, 0, 0, 4), (0, 0, 6, 6))


@dataclass
class Owner:
    """A browser that acts for one person."""

    context: BrowserContext
    home: str

    @property
    def _asking(self) -> APIRequestContext:
        return self.context.request

    def post(self, path: str, **fields: object) -> APIResponse:
        """Send a form; whatever is refused ends the gallery, as its pictures would not be true."""
        self._asking.get(f"{self.home}/csrf/")
        token = next(one["value"] for one in self.context.cookies() if one["name"] == "csrftoken")
        form: dict[str, str | float | bool] = {
            "op": str(uuid.uuid4()),
            **{name: str(value) for name, value in fields.items()},
        }
        answer = self._asking.post(
            self.home + path, form=form, headers={"X-CSRFToken": token}, max_redirects=0
        )
        if answer.status != HTTPStatus.SEE_OTHER and 'data-code="asked"' not in answer.text():
            raise RuntimeError(f"{path} answered {answer.status} to {fields}")
        return answer

    def start(self, game: str, names: tuple[str, ...] = FOUR, **more: object) -> str:
        """Start a table; its path."""
        players = {f"player_{line}": name for line, name in enumerate(names)}
        answer = self.post(f"/new/{game}/", **{"holder": 0, "unit": "0.25", **players, **more})
        return answer.headers["location"]

    def write_row(self, table: str, number: int, values: tuple[int, ...]) -> None:
        """Write a deal as the host."""
        columns = "AB" if len(values) == len("AB") else "0123"
        fields = {f"value_{column}": n for column, n in zip(columns, values, strict=True)}
        self.post(f"{table}m/1/r/{number}/", base=0, sure=1, **fields)

    def write_rows(self, table: str, rows: Rows, count: int) -> str:
        """Write so many deals, the given ones over and over; the table's path."""
        for number in range(1, count + 1):
            self.write_row(table, number, rows[(number - 1) % len(rows)])
        return table


@dataclass
class Scenery:
    """Everything that the scenes are taken of, and who looks."""

    home: str
    people: dict[str, BrowserContext]
    paths: dict[str, str]

    def close(self) -> None:
        """Let the browsers go."""
        for context in self.people.values():
            context.close()


def set_the_scene(browser: Browser, home: str) -> Scenery:
    """Play what is to be seen."""
    host = Owner(browser.new_context(locale="en-GB"), home)
    partner = Owner(browser.new_context(locale="en-GB"), home)
    asker = Owner(browser.new_context(locale="en-GB"), home)  # of a seat that is taken
    paths = {}
    for game, rows in (
        ("bauernstoss", TWO_SIDES),
        ("bauernschnapsen", SCHNAPSEN),
        ("schafkopf", PLAYERS),
    ):
        paths[f"{game}-empty"] = host.start(game)
        paths[game] = host.start(game)
        if game == "bauernstoss":
            host.post(f"{paths[game]}m/1/chalk/", side="A")
        host.write_rows(paths[game], rows, min(len(rows), 6))
        line = {} if game == "schafkopf" else {"line": "none"}
        paths[f"{game}-long"] = host.write_rows(host.start(game, LONG, **line), rows, LONG_EVENING)
        paths[f"{game}-ended"] = _ended(host, game, rows)
    paths["asked"] = host.write_rows(host.start("bauernstoss"), TWO_SIDES, 3)
    paths["freed"] = host.write_rows(host.start("bauernstoss"), TWO_SIDES, 3)
    for path in paths.values():
        partner.post(f"{path}seat/", seat=2)
    asker.post(f"{paths['asked']}seat/", seat=2, me=1)
    host.post(f"{paths['freed']}people/", do="free", seat=2)
    host.post(f"{paths['freed']}people/", do="take-in", name="Ida")
    host.post(f"{paths['bauernstoss']}m/1/thrown-in/", before=7, seen=0)
    _correct(host, paths["bauernstoss"])
    partner.post(f"{paths['bauernstoss']}m/1/r/7/A/", value=2, base=0)
    paths["group"] = _group(
        host, "Thursday round", [paths[f"{game}-ended"] for game in ("bauernstoss", "schafkopf")]
    )
    paths["group-long"] = _group(host, LONG[1], [paths["bauernschnapsen-long"]])
    people = {"host": host.context, "partner": partner.context, "asker": asker.context}
    return Scenery(home, people, paths)


def _group(host: Owner, name: str, tables: list[str]) -> str:
    """A group of tables; its path."""
    first, *others = tables
    host.post(f"{first}regulars/", do="start", name=name)
    page = host.context.request.get(f"{host.home}{first}regulars/", max_retries=3).text()
    path: str = re.findall(r"/g/[\w-]+/", page)[0]
    for table in others:
        host.post(f"{table}regulars/", do="join", link=path)
    return path


def _ended(host: Owner, game: str, rows: Rows) -> str:
    """A table whose match is over: by the line, or by a tap where there is none."""
    table = host.start(game)
    for number in range(1, LONG_EVENING):
        host.write_row(table, number, rows[number % len(rows)])
        if _status(host, table) != "open" or (game == "schafkopf" and number == len(rows)):
            break
    if _status(host, table) == "open":
        host.post(f"{table}m/1/end/", sure=1)
    return table


def _status(host: Owner, table: str) -> str:
    sheet = host.context.request.get(f"{host.home}{table}m/1/sheet.json", max_retries=3).json()
    status: str = sheet["status"]
    return status


def _correct(host: Owner, table: str) -> None:
    """Set a number right that stood in the sheet."""
    page = host.context.request.get(f"{host.home}{table}m/1/r/3/B/", max_retries=3).text()
    base = re.search(r'name="base" value="(\d+)"', page)
    host.post(f"{table}m/1/r/3/B/", value=2, base=base[1] if base else 0, sure=1)
