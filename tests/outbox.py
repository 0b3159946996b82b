"""A phone's outbox: static/js/outbox.js, as far as the numbers of one match go.

A number lies here first and only then goes on its way. It keeps its op and its base until it was
answered, and is forgotten after the answer that it was written, or by a person.
"""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Literal

from tests.shown import Parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.shown import Place, Shown

_CODE = re.compile(r'data-code="([\w-]+)"')
_MINE = re.compile(r'name="base" value="(\d+)"><input type="hidden" name="value"')


@dataclass
class Record:
    """One number of one cell, "" to clear it.

    ``sent``: it may have reached the server, so it is not changed any more. ``seen``: the version
    of the cell that the person had before their eyes.
    """

    place: Place
    text: str
    base: int
    op: str
    seen: int
    at: int
    sure: bool = False
    state: Literal["waiting", "refused", "late"] = "waiting"
    sent: bool = False
    code: str = ""
    html: str = ""
    then: tuple[int, bool] = (0, False)
    knows_late: bool = False
    knows_over: bool = False

    @property
    def fields(self) -> dict[str, str]:
        """What is sent."""
        fields = {"op": self.op, "base": str(self.base), "value": self.text}
        return fields | ({"sure": "1"} if self.sure else {})

    @property
    def stands(self) -> int | None:
        """The version of what stands, as the refusal of an old page says it."""
        found = _MINE.search(self.html)
        return int(found[1]) if self.code == "changed" and found else None

    def afresh(self) -> None:
        """Let it be sent once more, as it is."""
        self.state, self.html, self.code = "waiting", "", ""


@dataclass
class Outbox:
    """What a phone keeps of one match, oldest first."""

    shown: Shown
    records: list[Record] = field(default_factory=list)
    _clock: Iterator[int] = field(default_factory=count)

    @property
    def guarded(self) -> set[Place]:
        """The cells that show a number of this phone."""
        return {record.place for record in self.records}

    @property
    def waiting(self) -> list[Record]:
        return [record for record in self.records if record.state == "waiting"]

    @property
    def refused(self) -> list[Record]:
        return [record for record in self.records if record.state == "refused"]

    @property
    def ahead(self) -> int:
        """The last deal that this page has opened itself, for numbers on their way."""
        shown = self.shown
        if shown.status != "open" or shown.holds:
            return 0
        opened = [
            record.place[0] + 1
            for record in self.waiting
            if record.place[0] >= shown.next_round and record.text
        ]
        return max(opened, default=0)

    def put(
        self,
        place: Place,
        text: str,
        *,
        base: int | None = None,
        op: str = "",
        sure: bool = False,
    ) -> Record:
        """Keep a number that a person has typed; without a base, on what the sheet shows."""
        base = self.shown.base(place) if base is None else base
        fresh = Record(place, text, base, op or str(uuid.uuid4()), base, next(self._clock), sure)
        last = next((one for one in reversed(self.records) if one.place == place), None)
        if last and last.state == "waiting" and last.text == text and not sure:
            return last
        if last and last.state == "waiting" and not last.sent:
            fresh.base, fresh.seen = last.base, max(fresh.seen, last.seen)
            self.records[self.records.index(last)] = fresh
        else:
            self.records = [
                one for one in self.records if one.place != place or one.state == "waiting"
            ]
            self.records.append(fresh)
        return fresh

    def hear(self, record: Record, status: int, html: str) -> None:
        """Take the answer to a number."""
        if record not in self.records:
            return
        if status == 200:
            self._written(record, html)
        else:
            self._refused(record, status, html)

    def take(self, html: str) -> None:
        """Take what a stream or a poll has brought."""
        self.shown.take(html, self.guarded, self.ahead)
        self.look()

    def forget(self, record: Record) -> None:
        """A person's word: this number is not wanted any more."""
        self.records = [
            one
            for one in self.records
            if one.place != record.place or (one.state == "waiting" and one.sent)
        ]
        self.shown.release(self.guarded, self.ahead)

    def look(self, *, is_loaded: bool = False) -> None:
        """See what the sheet says by now about numbers that were refused or came late."""
        shown = self.shown
        is_over = shown.status != "open"
        for record in list(self.records):
            if record.state == "late" and not is_over and record.knows_over:
                record.afresh()
                record.knows_over = False
            elif record.state == "late" and (
                shown.stored(record.place) == int(record.text)
                or (not shown.has_late and (is_loaded or record.knows_late))
            ):
                self.records.remove(record)
            elif record.state == "late":
                record.knows_late |= shown.has_late
                record.knows_over |= is_over
            elif record.code == "not-open" and self._is_open_now(record):
                record.afresh()
        shown.release(self.guarded, self.ahead)

    def _written(self, record: Record, html: str) -> None:
        number, column = record.place
        stands = Parts.read(html).rows[number].cells[column]
        for behind in self.records:
            if behind.place == record.place and behind is not record:
                if stands.text == record.text:
                    behind.base = behind.seen = stands.version
                break
        self.records.remove(record)
        self._apply(html)

    def _refused(self, record: Record, status: int, html: str) -> None:
        if any(one.place == record.place and one.at > record.at for one in self.records):
            self.records.remove(record)  # the person has already said otherwise
            self.look()
            return
        found = _CODE.search(html)
        record.code = found[1] if found else str(status)
        record.html = html
        record.state = "late" if record.code == "ended" and record.text else "refused"
        record.then = self._situation
        self.look()

    def _apply(self, html: str) -> None:
        self.shown.apply(html, self.guarded, self.ahead)
        self.look()

    @property
    def _situation(self) -> tuple[int, bool]:
        return self.shown.next_round, self.shown.holds

    def _is_open_now(self, record: Record) -> bool:
        shown = self.shown
        is_open = shown.status == "open" and not shown.holds
        return is_open and record.place[0] <= shown.next_round and record.then != self._situation
