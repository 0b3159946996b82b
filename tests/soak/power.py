"""A server whose power goes and comes back, on one store and one port."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from tests.serving import Server, free_port, start_server, stop_server

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

# Moments in the life of one number.
BEFORE_THE_COMMIT = "before the commit"
AFTER_THE_COMMIT = "after the commit"
WITHIN_THE_ANSWER = "within the answer"
AFTER_THE_ANSWER = "after the answer"
MOMENTS = (BEFORE_THE_COMMIT, AFTER_THE_COMMIT, WITHIN_THE_ANSWER, AFTER_THE_ANSWER)
ORDER = "fall"  # the file in which the server finds the moment that a test has chosen

SERVE_AND_FALL = ("-m", "uvicorn", "tests.soak.falls:application")
SECONDS_TO_FALL = 60


class Power:
    """Starts the server, and lets it fall: nothing it would do at its end is done."""

    def __init__(self, data_dir: Path) -> None:
        self.port = free_port()
        self.server = Server(f"http://127.0.0.1:{self.port}", data_dir, data_dir / "log")
        self._order = data_dir / ORDER
        self._process: subprocess.Popen[bytes] | None = None

    def comes(self) -> None:
        """Start the server on what the one before has left."""
        self._order.unlink(missing_ok=True)
        self._process = start_server(
            self.server.data_dir, self.port, self.server.log, command=SERVE_AND_FALL
        )

    def goes_at(self, moment: str, number: int = 1) -> None:
        """Let the server fall at the so many-th such moment from now on."""
        written = self._order.with_suffix(".new")
        written.write_text(f"{moment} {number}")
        written.replace(self._order)

    def goes(self) -> None:
        """Let the server fall now, whatever it is doing."""
        assert self._process is not None
        self._process.kill()

    def is_gone(self, seconds: float = SECONDS_TO_FALL) -> None:
        """Wait until the server has fallen."""
        assert self._process is not None
        assert self._process.wait(seconds) == -signal.SIGKILL, self.server.log.read_text()

    def moments(self) -> list[str]:
        """When the server has fallen by itself so far."""
        lines = self.server.log.read_text().splitlines()
        start, end = "The power goes ", "."
        return [line[len(start) : -len(end)] for line in lines if line.startswith(start)]

    def end(self) -> None:
        """End the server as a service manager does."""
        if self._process is not None and self._process.poll() is None:
            assert stop_server(self._process) == -signal.SIGTERM, self.server.log.read_text()
