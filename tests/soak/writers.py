"""Phones that write all evening and listen, whatever becomes of the server."""

from __future__ import annotations

import queue
import threading
from contextlib import suppress
from http.client import HTTPException
from itertools import count
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tests.outbox import Outbox, Record
from tests.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.shown import Place
    from tests.streams import Phone, Stream

SECONDS_TO_ANSWER = 8.0  # as static/js/live.js has it
SECONDS_BETWEEN = 0.4  # two numbers of one person, at most
SECONDS_TO_RETRY = 0.2  # a real phone has more patience
SECONDS_OF_SILENCE = 25.0  # on a stream, until it is opened again
SILENCE = (OSError, HTTPException)  # what a lost answer looks like
ROUNDS = 24  # after that, only numbers that stand are changed
numbers = map(str, count(1))  # no number is typed twice


class Writer:
    """A phone: one thread types and sends as a page does, another one listens to the stream."""

    def __init__(self, phone: Phone, columns: str, dice: Random) -> None:
        phone.patience = SECONDS_TO_ANSWER
        self.phone = phone
        self.outbox = Outbox(Shown())
        self.typed: dict[str, Record] = {}  # by op, whatever became of it
        self.written: dict[str, Record] = {}  # by op: those of which the phone was told so
        self.ids: list[int] = []  # of the stream's events
        self._columns = columns
        self._dice = dice
        self._lock = threading.Lock()
        self._quiet, self._over = threading.Event(), threading.Event()
        self._trouble: list[BaseException] = []
        self._writing, self._listening = (
            threading.Thread(target=self._safely, args=[run], daemon=True)
            for run in (self._write, self._listen)
        )

    def begin(self) -> None:
        """Type, send and listen from now on."""
        self._writing.start()
        self._listening.start()

    def fall_silent(self) -> None:
        """Type nothing more."""
        self._quiet.set()

    def wait_until_sent(self) -> None:
        """Wait until everything was answered."""
        self._writing.join()
        self._tell()

    def leave(self) -> None:
        """Put the phone away."""
        self._quiet.set()
        self._over.set()
        for stream in tuple(self.phone.streams):
            stream.close()

    def has_heard(self, version: int, patience: float) -> bool:
        """Wait until the stream has brought a version."""
        for _ in range(int(patience / SECONDS_TO_RETRY)):
            if self.outbox.shown.since >= version or self._trouble:
                break
            self._over.wait(SECONDS_TO_RETRY)
        self._tell()
        return self.outbox.shown.since == version

    def _safely(self, run: Callable[[], None]) -> None:
        try:
            run()
        except BaseException as trouble:  # told to whoever waits for this phone
            self._trouble.append(trouble)

    def _tell(self) -> None:
        if self._trouble:
            raise self._trouble[0]

    # Typing and sending -------------------------------------------------------------------------

    def _write(self) -> None:
        while not self._quiet.wait(self._dice.uniform(0, SECONDS_BETWEEN)):
            with self._lock:
                self._type()
            self._send_all()
        while self.outbox.records and not self._over.is_set():
            with self._lock:
                self._choose()
            if not self._send_all():
                self._over.wait(SECONDS_TO_RETRY)

    def _type(self) -> None:
        """A number into the next open cell of a column, or instead of one that stands."""
        self._choose()
        column = self._dice.choice(self._columns)
        shown = self.outbox.shown
        last = max(shown.drawn, self.outbox.ahead)
        if not last:
            return  # the stream has not brought the sheet yet
        cells = [(number, column) for number in range(1, min(last, ROUNDS) + 1)]
        taken = self.outbox.guarded
        free = [cell for cell in cells if cell not in taken and shown.stored(cell) is None]
        self._put(free[0] if free and self._dice.random() < 0.5 else self._dice.choice(cells))

    def _choose(self) -> None:
        """Answer every refusal: mine all the same, or what stands."""
        for record in self.outbox.refused:
            if record.stands is not None and self._dice.random() < 0.5:
                self._put(record.place, record.text, base=record.stands)
            else:
                self.outbox.forget(record)

    def _put(self, place: Place, text: str = "", *, base: int | None = None) -> None:
        record = self.outbox.put(place, text or next(numbers), base=base)
        self.typed[record.op] = record

    def _send_all(self) -> bool:
        """Send what waits, oldest first; False as soon as an answer is lost."""
        while True:
            with self._lock:
                if not self.outbox.waiting:
                    return True
                record = self.outbox.waiting[0]
                record.sent = True
            number, column = record.place
            path = f"/t/{self.phone.key}/m/1/r/{number}/{column}/"
            try:
                answer, html = self.phone.ask(
                    "POST", path, urlencode(record.fields), HX_Request="true"
                )
            except SILENCE:
                return False
            if answer.status >= 500:
                return False
            with self._lock:
                self._hear(record, answer.status, html)

    def _hear(self, record: Record, status: int, html: str) -> None:
        assert status in {200, 409}, html
        if status == 200:
            self.written[record.op] = record
        self.outbox.hear(record, status, html)

    # Listening ----------------------------------------------------------------------------------

    def _listen(self) -> None:
        while not self._over.wait(SECONDS_TO_RETRY / 2):
            with suppress(*SILENCE):
                stream = self.phone.listen(Last_Event_ID=str(self.outbox.shown.since))
                try:
                    self._follow(stream)
                finally:
                    self.phone.streams.remove(stream)
                    stream.close()

    def _follow(self, stream: Stream) -> None:
        """Take what a stream brings until it ends; a silent one is given up."""
        with suppress(queue.Empty):
            while (event := stream.next(patience=SECONDS_OF_SILENCE)).name not in {"end", "cut"}:
                if event.id is not None:
                    self.ids.append(event.id)
                    with self._lock:
                        self.outbox.take(event.data)
