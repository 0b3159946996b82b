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
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from redis import Redis, RedisError

from tests.serving import free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    try:
        with postgres(keeps=keeps) as database, redis() as broker:
            given = {"TEST_DATABASE_URL": database, "TEST_REDIS_URL": broker}
            python = [sys.executable, *arguments]
            return subprocess.run(python, env={**os.environ, **given}, check=False).returncode
    except Missing as missing:
        print(missing, file=sys.stderr)  # noqa: T201
        return 1


@contextmanager
def postgres(*, keeps: bool = False) -> Iterator[str]:
    """A PostgreSQL server; the address of a database there. Only ``keeps`` waits for the disk."""
    server = _program("postgres", package="postgresql")
    port = free_port()
    url = f"postgresql://scoresheet@127.0.0.1:{port}/postgres"
    with tempfile.TemporaryDirectory(prefix="scoresheet-postgres-") as name:
        folder = Path(name)
        somebody = _not_root(folder)
        data = str(folder / "data")
        make = [str(Path(server).with_name("initdb")), "--pgdata", data, "--username", "scoresheet",
                "--auth", "trust", "--encoding", "UTF8", "--no-sync"]  # fmt: skip
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL, cwd=folder, **somebody)
        serve = [server, "-D", data, "-h", "127.0.0.1", "-p", str(port), "-k", name, *ROOM]
        serve += [] if keeps else QUICK
        with _running(serve, folder, **somebody):
            _wait_until(lambda: psycopg.connect(url).close(), folder)
            yield url


@contextmanager
def redis(port: int | None = None) -> Iterator[str]:
    """A Redis server that keeps nothing; its address."""
    server = _program("redis-server", package="redis-server")
    port = port or free_port()
    url = f"redis://127.0.0.1:{port}/0"
    with tempfile.TemporaryDirectory(prefix="scoresheet-redis-") as name:
        serve = [server, "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--dir", name]
        with _running(serve, Path(name)):
            with Redis.from_url(url) as client:
                _wait_until(client.ping, Path(name))
            yield url


def _program(name: str, *, package: str) -> str:
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


@contextmanager
def _running(command: list[str], folder: Path, **somebody: Any) -> Iterator[None]:
    """A program that runs until the end of the block, whoever is still connected then."""
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **somebody
        )
    try:
        yield
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until(answers: Callable[[], object], folder: Path) -> None:
    until = time.monotonic() + SECONDS_TO_START
    while True:
        try:
            answers()
        except (psycopg.OperationalError, RedisError):
            if time.monotonic() > until:
                raise AssertionError((folder / "log").read_text()) from None
            time.sleep(0.05)
        else:
            return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
