"""The product as people run it, started and ended by tests."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS_TO_START = 60
SECONDS_TO_END = 30
# The two ways to start it that are documented.
SERVE = ("-m", "scoresheet.serve")
UVICORN = ("-m", "uvicorn", "scoresheet.asgi:application")


@dataclass(frozen=True)
class Server:
    """A running product with a store of its own."""

    url: str
    data_dir: Path
    log: Path

    def path(self, address: str) -> str:
        """The path of a full address of this server."""
        return address.removeprefix(self.url)


def environment_of(data_dir: Path, *, tree: Path = ROOT, **more: str) -> dict[str, str]:
    """The environment of a process of the product that shares nothing with this machine's own."""
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(tree),
        "ENV_FILE": os.devnull,
        "DATA_DIR": str(data_dir),
        "DEBUG": "false",
        **more,
    }


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        return int(listener.getsockname()[1])


def manage(*arguments: str, data_dir: Path, tree: Path = ROOT, **more: str) -> None:
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
    **more: str,
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
