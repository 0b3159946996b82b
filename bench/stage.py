"""Where the bench plays: stores in a temporary folder, and the product serving them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import wire
from bench.machine import Process
from bench.sheets import Sheet, request
from tests.serving import (
    ROOT,
    SERVE,
    copy_store,
    drop_store,
    environment_of,
    free_port,
    make_store,
)

SECONDS_INSIDE = 180
SECONDS_TO_FILL_UP = 45 * 60  # with a million matches, on a machine that has other work
SECONDS_TO_START, SECONDS_TO_END = 60, 10
PAUSE = 0.02  # seconds


@dataclass(frozen=True)
class Served:
    """The product at work: its port, and its process as the system sees it."""

    port: int
    process: Process
    popen: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def end(self) -> float:
        """End it by SIGTERM; how many seconds that took. Killed where it does not end."""
        began = time.monotonic()
        if self.popen.poll() is None:
            self.popen.terminate()
        try:
            self.popen.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        return time.monotonic() - began


@dataclass(frozen=True)
class Store:
    """A store of its own, filled with tables; and all servers that were started on it."""

    data_dir: Path
    sheets: list[Sheet]
    servers: list[Served] = field(default_factory=list)

    @contextmanager
    def served(self, **more: str) -> Iterator[Served]:
        """The product, serving this store until the end of the block; ``more`` environment."""
        server = self.serve(free_port(), **more)
        try:
            yield server
        finally:
            server.end()

    def serve(self, port: int, **more: str) -> Served:
        """Start the product on this store, and wait until it answers."""
        log = self.data_dir / "server.log"
        with log.open("ab") as output:
            popen = subprocess.Popen(
                [sys.executable, *SERVE, "--host", wire.HOST, "--port", str(port)],
                cwd=ROOT,
                env={**environment_of(self.data_dir), **more},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        server = Served(port, Process(popen.pid), popen)
        self.servers.append(server)
        until = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < until and popen.poll() is None:
            with suppress(OSError):
                wire.ask_now(port, request("GET /healthz"))
                return server
            time.sleep(PAUSE)
        raise AssertionError(f"The server did not start:\n{log.read_text()}")

    def inside(self, what: str, **arguments: Any) -> Any:
        """Have something done inside Django, in a process of its own; see ``inside``."""
        return inside(self.data_dir, what, **arguments)


class Stage:
    """Hands out stores: copies of an empty one with static files collected, made once."""

    def __init__(self, folder: Path, *, prepared: Path | None = None) -> None:
        self._folder = folder
        self._prepared = prepared or make_store(folder / "prepared")
        self._made = 0

    @contextmanager
    def store(
        self, game: str = "bauernstoss", *, tables: int = 1, rounds: int = 10, watchers: int = 0
    ) -> Iterator[Store]:
        """A store with so many tables where so many rounds were played; gone after the block."""
        with self._empty() as data_dir:
            told = inside(
                data_dir, "fill", game=game, tables=tables, rounds=rounds, watchers=watchers
            )
            with _ending(Store(data_dir, Sheet.read(told))) as store:
                yield store

    @contextmanager
    def full_store(self, matches: int) -> Iterator[tuple[Store, dict[str, Any]]]:
        """A store where so many matches were played, and how to ask for them; see ``stored``."""
        with self._empty() as data_dir:
            told = inside(data_dir, "fill_up", at_most=SECONDS_TO_FILL_UP, matches=matches)
            with _ending(Store(data_dir, [])) as store:
                yield store, told

    @contextmanager
    def _empty(self) -> Iterator[Path]:
        self._made += 1
        data_dir = copy_store(self._prepared, self._folder / f"store-{self._made}")
        try:
            yield data_dir
        finally:
            drop_store(data_dir)
            shutil.rmtree(data_dir)


@contextmanager
def _ending(store: Store) -> Iterator[Store]:
    """End all servers of a store with the block."""
    try:
        yield store
    finally:
        for server in store.servers:
            server.end()


def inside(data_dir: Path, what: str, *, at_most: float = SECONDS_INSIDE, **arguments: Any) -> Any:
    """Run ``python -m bench.inside`` on a store, for so long at most; what it answers."""
    answer = subprocess.run(
        [sys.executable, "-m", "bench.inside", what],
        cwd=ROOT,
        env=environment_of(data_dir),
        input=json.dumps(arguments),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=at_most,
    )
    return json.loads(answer.stdout)
