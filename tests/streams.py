"""Phones on the network that listen to a stream, and write with forms."""

from __future__ import annotations

import http.client
import queue
import re
import socket
import threading
import time
import uuid
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

if TYPE_CHECKING:
    from tests.serving import Server

PATIENCE = 20.0  # seconds, for what takes a moment on a machine with nothing else to do
NAMES = {"player_0": "Lena", "player_1": "Kofi", "player_2": "Felix", "player_3": "Nora"}
TOKEN = "t" * 32


@dataclass
class Event:
    """What a stream said: one event, or its end (``name`` is "end")."""

    name: str = "message"
    id: int | None = None
    data: str = ""
    retry: str = ""

    @property
    def rounds(self) -> list[int]:
        """The rounds whose rows it brings."""
        return [int(n) for n in re.findall(r'<tr[^>]*data-round="(\d+)" data-version', self.data)]


class Stream:
    """An open stream; events are read as they come."""

    def __init__(self, server: Server, path: str, **headers: str) -> None:
        parts = urlsplit(server.url)
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        try:
            self._connection.request(
                "GET",
                path,
                headers={name.replace("_", "-"): text for name, text in headers.items()},
            )
            self._socket = self._connection.sock
            self.answer = self._connection.getresponse()
        except BaseException:
            self._connection.close()
            raise
        self._events: queue.Queue[Event] = queue.Queue()
        self._reading = threading.Thread(target=self._read, daemon=True)
        if self.answer.status == 200:
            self._reading.start()

    def next(self, name: str = "", *, patience: float = PATIENCE) -> Event:
        """The next event, or the next of this name."""
        until = time.monotonic() + patience
        while True:
            event = self._events.get(timeout=max(0.0, until - time.monotonic()))
            if name in {"", event.name}:
                return event
            assert event.name not in {"end", "cut"}, f"The stream ended before a {name}."

    @property
    def is_open(self) -> bool:
        """Whether more may come."""
        return self._reading.is_alive()

    def nothing_more(self) -> bool:
        """Whether nothing has come that was not taken."""
        return self._events.empty()

    def close(self) -> None:
        """Close the connection, as a browser does."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        if self._reading.is_alive():
            self._reading.join()
        self.answer.close()
        self._connection.close()

    def _read(self) -> None:
        try:
            text = ""
            for line in self.answer:
                text += line.decode()
                if line == b"\n":
                    self._events.put(read_event(text))
                    text = ""
        except (OSError, ValueError, http.client.HTTPException):
            self._events.put(Event("cut"))
        else:
            self._events.put(Event("end"))


def read_event(text: str) -> Event:
    """An event as a browser reads it."""
    event = Event()
    lines = []
    for line in text.removesuffix("\n\n").split("\n"):
        name, _colon, value = line.partition(": ")
        if name == "data":
            lines.append(value)
        elif name == "id":
            event.id = int(value)
        elif name == "event":
            event.name = value
        else:
            event.name, event.retry = name, value
    event.data = "\n".join(lines)
    return event


@dataclass
class Phone:
    """A browser at a table of a server."""

    server: Server
    key: str = ""
    cookie: str = ""
    streams: list[Stream] = field(default_factory=list)
    patience: float = PATIENCE  # until an answer is missed

    def start_table(self, game: str = "bauernstoss", **more: str) -> Phone:
        """Start a table, as its host without a seat."""
        answer = self.post(f"/new/{game}/", **NAMES, **more)
        assert answer.status == 303
        self.key = answer.headers["Location"].split("/")[2]
        return self

    def sit(self, host: Phone, seat: int) -> Phone:
        """Sit down at another phone's table."""
        self.key = host.key
        assert self.post(f"/t/{self.key}/seat/", seat=str(seat)).status == 303
        return self

    def look_at(self, host: Phone) -> Phone:
        """Know the link of another phone's table, and nothing else."""
        self.key = host.key
        return self

    def write(self, number: int, column: str, value: int, base: int = 0) -> int:
        """Write a cell; the status."""
        path = f"/t/{self.key}/m/1/r/{number}/{column}/"
        return self.post(path, value=str(value), base=str(base)).status

    def post(self, path: str, **fields: str) -> http.client.HTTPResponse:
        form = urlencode({"op": str(uuid.uuid4()), **fields})
        answer, _text = self.ask("POST", path, form)
        return answer

    def ask(
        self, method: str, path: str, form: str | None = None, **headers: str
    ) -> tuple[http.client.HTTPResponse, str]:
        parts = urlsplit(self.server.url)
        host, port = parts.hostname or "", parts.port
        cookies = "; ".join(cookie for cookie in (self.cookie, f"csrftoken={TOKEN}") if cookie)
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
        more = {name.replace("_", "-"): text for name, text in headers.items()}
        sent = {"Cookie": cookies, "X-CSRFToken": TOKEN, **kind, **more}
        with closing(http.client.HTTPConnection(host, port, timeout=self.patience)) as connection:
            connection.request(method, path, form, sent)
            with connection.getresponse() as answer:
                text = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            if cookie.startswith("phone="):
                self.cookie = cookie.partition(";")[0]
        return answer, text

    def listen(self, since: int | None = None, **headers: str) -> Stream:
        """Open the stream of the table."""
        query = "" if since is None else f"?since={since}"
        if self.cookie:
            headers["Cookie"] = self.cookie
        stream = Stream(self.server, f"/live/{self.key}/{query}", **headers)
        self.streams.append(stream)
        return stream
