"""The product as people run it, started and ended by tests.

A server's store is known by its data folder. With ``TEST_DATABASE_URL`` set it is a database of
its own there, so that any number of servers may be started on one store.
"""

import hashlib
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

ROOT = Path(__file__).resolve().parent.parent
SECONDS_TO_START = 60
SECONDS_TO_END = 30
# The two ways to start it that are documented.
SERVE = ("-m", "scoresheet.serve")
UVICORN = ("-m", "uvicorn", "scoresheet.asgi:application")
# What the grown set-up is tried with; none of it where one process has a SQLite file.
POSTGRES = os.environ.get("TEST_DATABASE_URL", "")
REDIS = os.environ.get("TEST_REDIS_URL", "")


@dataclass(frozen=True)
class Server:
    """A running product with a store of its own."""

    url: str
    data_dir: Path
    log: Path

    def path(self, address: str) -> str:
        """The path of a full address of this server."""
        return address.removeprefix(self.url)


def environment_of(data_dir: Path, *, tree: Path = ROOT, **more: str | None) -> dict[str, str]:
    """The environment of a process of the product that shares nothing with this machine's own.

    What is None is not set.
    """
    found = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(tree),
        "ENV_FILE": os.devnull,
        "DATA_DIR": str(data_dir),
        "DEBUG": "false",
        **_grown(data_dir),
        **more,
    }
    return {name: text for name, text in found.items() if text is not None}


def _grown(data_dir: Path) -> dict[str, str]:
    """What a process needs besides, where the store is a database."""
    name = _database_of(data_dir)
    hosts = {
        "SECRET_KEY": f"only for tests, but long enough: {name}",
        "ALLOWED_HOSTS": "localhost,127.0.0.1",
    }
    found = {**hosts, "DATABASE_URL": _address_of(name)} if POSTGRES else {}
    return {**found, "REDIS_URL": REDIS} if REDIS else found


def _database_of(data_dir: Path) -> str:
    return f"store_{hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()[:20]}"


def _address_of(name: str) -> str:
    return f"{POSTGRES.rpartition('/')[0]}/{name}"


def make_store(data_dir: Path) -> Path:
    """A fresh store, static files collected."""
    make_database(data_dir)
    manage("migrate", "--verbosity", "0", data_dir=data_dir)
    manage("collectstatic", "--noinput", "--verbosity", "0", data_dir=data_dir)
    return data_dir


def make_database(data_dir: Path) -> Path:
    """A store with nothing in it."""
    if POSTGRES:
        _create(_database_of(data_dir))
    return data_dir


def copy_store(prepared: Path, data_dir: Path) -> Path:
    """A copy of a store that nobody is connected to."""
    if POSTGRES:
        _create(_database_of(data_dir), f"TEMPLATE {_database_of(prepared)}")
    return Path(shutil.copytree(prepared, data_dir))


def drop_store(data_dir: Path) -> None:
    """Forget what is kept outside of the folder of a store, whoever is still connected."""
    if POSTGRES:
        with psycopg.connect(POSTGRES, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {_database_of(data_dir)} WITH (FORCE)")


def _create(name: str, more: str = "") -> None:
    with psycopg.connect(POSTGRES, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} {more}")


def ask_store(data_dir: Path, question: str, *values: object) -> list[tuple[Any, ...]]:
    """Rows of a store, read past the product."""
    with _cursor(data_dir, question, values) as cursor:
        return list(cursor.fetchall())


def change_store(data_dir: Path, statement: str, *values: object) -> None:
    """Change one row of a store as no verb does, so that nobody is told."""
    with _cursor(data_dir, statement, values) as cursor:
        assert cursor.rowcount == 1


@contextmanager
def _cursor(data_dir: Path, statement: str, values: tuple[object, ...]) -> Iterator[Any]:
    if POSTGRES:
        with psycopg.connect(_address_of(_database_of(data_dir))) as connection:
            yield connection.execute(statement.replace("?", "%s"), values)
        return
    with closing(sqlite3.connect(data_dir / "scoresheet.sqlite3", timeout=10)) as file, file:
        file.execute("PRAGMA foreign_keys=ON")
        yield file.execute(statement, values)


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        return int(listener.getsockname()[1])


def manage(*arguments: str, data_dir: Path, tree: Path = ROOT, **more: str | None) -> None:
    """Run one of Django's commands on the store in this folder."""
    subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=tree,
        env=environment_of(data_dir, tree=tree, **more),
        check=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )


def start_server(
    data_dir: Path,
    port: int,
    log: Path,
    *,
    command: tuple[str, ...] = SERVE,
    tree: Path = ROOT,
    **more: str | None,
) -> subprocess.Popen[bytes]:
    """Start the product on a port of this machine, and wait until it answers."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, *command, "--host", "127.0.0.1", "--port", str(port)],
            cwd=tree,
            env=environment_of(data_dir, tree=tree, **more),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    until = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2):
                return process
        except urllib.error.HTTPError as error:
            error.close()
            break
        except OSError:
            time.sleep(0.05)
    stop_server(process)
    raise AssertionError(f"The server did not start:\n{log.read_text()}")


def stop_server(process: subprocess.Popen[bytes]) -> int:
    """End it as a service manager would; its exit status."""
    if process.poll() is None:
        process.terminate()
    try:
        return process.wait(SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise


class OwnServer:
    """A server that a test may end and start again, on the same store and port."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.log = data_dir / "log"
        self.port = free_port()
        self.start()

    @property
    def url(self) -> str:
        """Where phones find it."""
        return f"http://127.0.0.1:{self.port}"

    def start(self, tree: Path = ROOT) -> None:
        """Start it, from this copy of the product."""
        self.process = start_server(self.data_dir, self.port, self.log, tree=tree)

    def stop(self) -> None:
        """End it in good order."""
        assert stop_server(self.process) == 0, self.log.read_text()
