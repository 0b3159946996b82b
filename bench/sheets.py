"""A table as the bench knows it: the cookies of its phones, and what is entered next."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

DEALS = {  # rows that the games take, over and over; nobody comes near a line
    "bauernstoss": ((1, 0), (0, 1)),
    "schafkopf": ((0, 4, 4, 0), (2, 0, 0, 2), (0, 0, 20, 0), (6, 6, 0, 0), (0, 2, 0, 2)),
}
CSRF = "t" * 32


class Entry(NamedTuple):
    """One number: in which deal and column, and by the phone of which seat."""

    number: int
    column: str
    value: int
    seat: int

    @property
    def place(self) -> str:
        """The cell as the sheet names it."""
        return f"{self.number}.{self.column}"


@dataclass
class Sheet:
    """A table with a match under way."""

    key: str
    version: int
    game: str
    rounds: int
    columns: str
    seated: list[str]
    watching: list[str] = field(default_factory=list)
    entered: int = 0
    match: int = 1

    @classmethod
    def read(cls, told: list[dict[str, Any]]) -> list[Sheet]:
        """What ``inside`` tells of tables."""
        return [cls(**one) for one in told]

    @staticmethod
    def new_op() -> str:
        """The UUID of a new attempt."""
        return str(uuid.uuid4())

    @property
    def page(self) -> str:
        """The path of the sheet's page."""
        return f"/t/{self.key}/"

    def next_entry(self) -> Entry:
        """The next number of the evening, cell by cell; each phone writes for its own side."""
        deal, index = divmod(self.entered, len(self.columns))
        self.entered += 1
        number = self.rounds + 1 + deal
        rows = DEALS[self.game]
        seat = index if len(self.columns) == len(self.seated) else index + 2 * (number % 2)
        value = rows[(number - 1) % len(rows)][index]
        return Entry(number, self.columns[index], value, seat)

    def path(self, entry: Entry) -> str:
        """The path of a number."""
        return f"/t/{self.key}/m/{self.match}/r/{entry.number}/{entry.column}/"

    def post(self, entry: Entry) -> bytes:
        """The request with which a phone's page sends a number."""
        form = urlencode({"value": entry.value, "op": self.new_op(), "base": 0})
        return request(
            f"POST {self.path(entry)}",
            token=self.seated[entry.seat],
            more=(
                "HX-Request: true",
                f"X-CSRFToken: {CSRF}",
                "Content-Type: application/x-www-form-urlencoded",
                f"Content-Length: {len(form)}",
            ),
            body=form,
        )

    def listen(self, token: str) -> bytes:
        """The request with which a phone's page opens its stream."""
        return request(f"GET /live/{self.key}/?since={self.version}", token=token)


def request(
    line: str,
    *,
    token: str = "",
    encodings: str = "gzip, deflate, br",
    more: tuple[str, ...] = (),
    body: str = "",
) -> bytes:
    """A request as a browser would send it."""
    cookies = f"csrftoken={CSRF}" + (f"; phone={token}" if token else "")
    lines = (
        f"{line} HTTP/1.1",
        "Host: 127.0.0.1",
        f"Accept-Encoding: {encodings}",
        "Accept-Language: en-GB",
        f"Cookie: {cookies}",
        *more,
    )
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()
