"""A server whose machine gets into trouble when a test says so (``faults.py`` is what it runs)."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.serving import Server, free_port, start_server, stop_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE = "trouble.json"
SERVE_IN_TROUBLE = ("-m", "uvicorn", "tests.upkeep.faults:application")


@contextmanager
def troubled_server(data_dir: Path) -> Iterator[Server]:
    """It runs within this."""
    port, log = free_port(), data_dir / "log"
    process = start_server(data_dir, port, log, command=SERVE_IN_TROUBLE)
    try:
        yield Server(f"http://127.0.0.1:{port}", data_dir, log)
    finally:
        stop_server(process)


@contextmanager
def trouble(server: Server, **what: object) -> Iterator[None]:
    """Within it the machine is in this trouble."""
    file = server.data_dir / FILE
    written = file.with_suffix(".new")
    written.write_text(json.dumps(what))
    written.replace(file)
    try:
        yield
    finally:
        file.unlink()
