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
from tests.serving import ROOT, SERVE, environment_of, free_port, manage

SECONDS_INSIDE = 180
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
    def served(self) -> Iterator[Served]:
        """The product, serving this store until the end of the block."""
        server = self.serve(free_port())
        try:
            yield server
        finally:
            server.end()

    def serve(self, port: int) -> Served:
        """Start the product on this store, and wait until it answers."""
        log = self.data_dir / "server.log"
        with log.open("ab") as output:
            popen = subprocess.Popen(
                [sys.executable, *SERVE, "--host", wire.HOST, "--port", str(port)],
                cwd=ROOT,
                env=environment_of(self.data_dir),
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
        self._prepared = prepared or folder / "prepared"
        self._made = 0
        if prepared is None:
            manage("migrate", "--verbosity", "0", data_dir=self._prepared)
            manage("collectstatic", "--noinput", "--verbosity", "0", data_dir=self._prepared)

    @contextmanager
    def store(
        self, game: str = "bauernstoss", *, tables: int = 1, rounds: int = 10, watchers: int = 0
    ) -> Iterator[Store]:
        """A store with so many tables where so many rounds were played; gone after the block."""
        self._made += 1
        data_dir = self._folder / f"store-{self._made}"
        shutil.copytree(self._prepared, data_dir)
        try:
            told = inside(
                data_dir, "fill", game=game, tables=tables, rounds=rounds, watchers=watchers
            )
            store = Store(data_dir, Sheet.read(told))
            try:
                yield store
            finally:
                for server in store.servers:
                    server.end()
        finally:
            shutil.rmtree(data_dir)


def inside(data_dir: Path, what: str, **arguments: Any) -> Any:
    """Run ``python -m bench.inside`` on a store; what it answers."""
    answer = subprocess.run(
        [sys.executable, "-m", "bench.inside", what],
        cwd=ROOT,
        env=environment_of(data_dir),
        input=json.dumps(arguments),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=SECONDS_INSIDE,
    )
    return json.loads(answer.stdout)
