"""A PostgreSQL and a Redis of one's own, for as long as a command runs.

``python -m tests.grown -m pytest -n auto`` runs the tests on them; ``make test-grown`` is short for
it. Both live in a temporary folder, listen on this machine alone, and are gone afterwards.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Self

import psycopg
import redis

from tests.serving import free_port

SECONDS_TO_START = 60
SECONDS_TO_END = 30
DEBIAN = Path("/usr/lib/postgresql")  # where the programs of each version have a folder
# Nothing here outlives the tests, whatever the power does.
QUICK = ("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off")
ROOM = ("-c", "max_connections=300")


class Missing(Exception):
    """What is not on this machine, and how to get it."""


def main(arguments: list[str]) -> int:
    """Run Python with these arguments while both are there; its exit status.

    With ``--keeps`` before them PostgreSQL writes as it does for people, which is to be measured.
    """
    keeps = arguments[:1] == ["--keeps"]
    arguments = arguments[1:] if keeps else arguments
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing is left running
    try:
        with Postgres(keeps=keeps) as database, Redis() as broker:
            given = {"TEST_DATABASE_URL": database.url, "TEST_REDIS_URL": broker.url}
            python = [sys.executable, *arguments]
            return subprocess.run(python, env={**os.environ, **given}, check=False).returncode
    except Missing as missing:
        print(missing, file=sys.stderr)  # noqa: T201
        return 1


class Service(ABC):
    """A server of one's own in a temporary folder; may be stopped and started again as it was."""

    url: str
    _command: list[str]
    _somebody: dict[str, Any]

    def __init__(self, name: str) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix=f"scoresheet-{name}-")
        self._folder = Path(self._temporary.name)
        self._port = free_port()
        self._somebody = {}

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_trouble: object) -> None:
        self.stop()
        self._temporary.cleanup()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **self._somebody,
            )
        until = time.monotonic() + SECONDS_TO_START
        while not self._answers():
            if time.monotonic() > until:
                self.stop()
                raise AssertionError((self._folder / "log").read_text())
            time.sleep(0.05)

    def stop(self) -> None:
        """End it, whoever is still connected."""
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @abstractmethod
    def _answers(self) -> bool:
        """Whether it can be used."""


class Postgres(Service):
    """A PostgreSQL server; only one that ``keeps`` waits for the disk. Raises ``Missing``."""

    def __init__(self, *, keeps: bool = False) -> None:
        server = program("postgres", package="postgresql")
        super().__init__("postgres")
        self._somebody = _not_root(self._folder)
        self.url = f"postgresql://scoresheet@127.0.0.1:{self._port}/postgres"
        data = str(self._folder / "data")
        make = [str(Path(server).with_name("initdb")), "--pgdata", data, "--username", "scoresheet",
                "--auth", "trust", "--encoding", "UTF8", "--no-sync"]  # fmt: skip
        subprocess.run(
            make, check=True, stdout=subprocess.DEVNULL, cwd=self._folder, **self._somebody
        )
        self._command = [server, "-D", data, "-h", "127.0.0.1", "-p", str(self._port),
                         "-k", str(self._folder), *ROOM, *(() if keeps else QUICK)]  # fmt: skip

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url).close()
        except psycopg.OperationalError:
            return False
        return True


class Redis(Service):
    """A Redis server that keeps nothing. Raises ``Missing``."""

    def __init__(self, port: int | None = None) -> None:
        server = program("redis-server", package="redis-server")
        super().__init__("redis")
        self._port = port or self._port
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self._command = [server, "--bind", "127.0.0.1", "--port", str(self._port), "--save", "",
                         "--dir", str(self._folder)]  # fmt: skip

    def _answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False


def program(name: str, *, package: str) -> str:
    """Where a program is, the newest one. Raises ``Missing``."""
    versions = [int(folder.name) for folder in DEBIAN.glob("*") if folder.name.isdigit()]
    places = [str(DEBIAN / str(version) / "bin") for version in sorted(versions, reverse=True)]
    found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(places))
    if found is None:
        raise Missing(f"These tests need {name}: apt-get install {package}")
    return found


def _not_root(folder: Path) -> dict[str, Any]:
    """By whom PostgreSQL is run, which refuses to be run by root; the folder is theirs."""
    if os.geteuid() != 0:
        return {}
    try:
        owner = pwd.getpwnam("postgres")
    except KeyError:
        raise Missing("PostgreSQL is not run by root: these tests need a user postgres.") from None
    os.chown(folder, owner.pw_uid, owner.pw_gid)
    return {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
