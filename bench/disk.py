"""Watches for stalls of the disk, for as long as something else is measured.

A process of its own (``python -m bench.disk <file>``) keeps 4 KiB over and over and says when that
took long: whatever waited for the disk at that time says little about the product.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bench.machine import BLOCK
from bench.numbers import Span
from tests.serving import ROOT

STALL = 0.010  # seconds; a disk in order keeps 4 KiB in less than one millisecond
PAUSE = 0.010  # seconds


@contextmanager
def watched(folder: Path) -> Iterator[list[Span]]:
    """The stalls of a folder's disk during the block; they are in the list after it."""
    stalls: list[Span] = []
    command = [sys.executable, "-m", "bench.disk", str(folder / "synced")]
    watching = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        yield stalls
    finally:
        watching.terminate()
        told, _ = watching.communicate()
        stalls += [Span(*map(float, line.split())) for line in told.splitlines()]


def watch(path: Path) -> None:
    """Print when every stall began and ended, until the process that asked is gone."""
    asker = os.getppid()
    with path.open("wb", buffering=0) as file:
        while os.getppid() == asker:
            file.seek(0)
            file.write(BLOCK)
            began = time.monotonic()
            os.fdatasync(file.fileno())
            ended = time.monotonic()
            if ended - began > STALL:
                print(began, ended, flush=True)
            time.sleep(PAUSE)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        watch(Path(sys.argv[1]))
