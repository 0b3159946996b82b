"""The limits of this machine, beside which every number of the bench has to be read."""

from __future__ import annotations

import os
import platform
import socket
import sqlite3
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bench.numbers import median, quantile

PROC = Path("/proc")
BLOCK = b"\0" * 4096
TICKS = os.sysconf("SC_CLK_TCK")
A_LOT = 0.2  # cores that others take
ALL_THE_TIME = 0.9  # of a core
CROWDED = 0.75  # load for each core
ORM_WRITE_OF_BUDGETS = 1.5  # ms on the machine that the budgets were set on


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Process:
    """Another process as the system sees it (Linux)."""

    pid: int

    def cpu_seconds(self) -> float:
        """Computing time so far, its own and the system's on its behalf."""
        fields = self._read("stat").rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory_kib(self) -> int:
        """Memory it holds now."""
        return self._status("VmRSS")

    def threads(self) -> int:
        """Threads it has now."""
        return self._status("Threads")

    def open_files(self, ending: str = "") -> int:
        """Open files whose name ends like this; all with "", connections too."""
        count = 0
        for link in (PROC / str(self.pid) / "fd").iterdir():
            with suppress(OSError):  # closed meanwhile
                count += str(link.readlink()).endswith(ending)
        return count

    def _status(self, name: str) -> int:
        line = next(
            line for line in self._read("status").splitlines() if line.startswith(f"{name}:")
        )
        return int(line.split()[1])

    def _read(self, name: str) -> str:
        return (PROC / str(self.pid) / name).read_text()


def cpu_seconds_of(*names: str) -> dict[int, float]:
    """Computing time so far of every process that is called like this, by its number."""
    found = {}
    for folder in PROC.glob("[0-9]*"):
        with suppress(OSError):  # ended meanwhile
            if (folder / "comm").read_text().strip() in names:
                found[int(folder.name)] = Process(int(folder.name)).cpu_seconds()
    return found


@dataclass(frozen=True)
class Busy:
    """How much computing went on, in cores: 0.5 is half of one core all the time."""

    seconds: float
    server: float
    bench: float
    others: float

    def why(self) -> str:
        """The reason why something was slow, as far as computing shows it; or ""."""
        if self.others > A_LOT:
            return f"other programs of this machine took {self.others:.1f} cores meanwhile"
        if self.server > ALL_THE_TIME:
            return f"the process is at its limit, {self.server * 100:.0f} % of a core"
        if self.server + self.bench > ALL_THE_TIME * cores():
            return "server and bench together fill the cores of this machine"
        return ""


class Watch:
    """Counts who computes, from its making until it is asked."""

    def __init__(self, server: Process) -> None:
        self._server = server
        self._before = self._now()

    def busy(self) -> Busy:
        """How much each has computed since then."""
        before, now = self._before, self._now()
        took, server, own, everybody = (b - a for a, b in zip(before, now, strict=True))
        return Busy(took, server / took, own / took, max(0.0, everybody - server - own) / took)

    def _now(self) -> tuple[float, float, float, float]:
        fields = (PROC / "stat").read_text().splitlines()[0].split()[1:]
        idle = int(fields[3]) + int(fields[4])
        everybody = (sum(map(int, fields[:8])) - idle) / TICKS  # with what other machines steal
        return time.monotonic(), self._server.cpu_seconds(), time.process_time(), everybody


@dataclass(frozen=True)
class Machine:
    """What a run was made on: facts in words, and the units of its ratios in ms."""

    facts: dict[str, str]
    units: dict[str, float]
    load: float  # at the start, over one minute

    @property
    def pace(self) -> float:
        """How much longer this machine computes than the one that the budgets were set on."""
        return self.units["ORM write"] / ORM_WRITE_OF_BUDGETS

    def why(self) -> str:
        """The reason why anything was slow, as far as the machine is one; or ""."""
        busy = f"this machine had other work, a load of {self.load:.1f} at the start"
        return busy if self.load > CROWDED * cores() else ""


def look(folder: Path, units: dict[str, float]) -> Machine:
    """This machine as it is now; ``folder`` lies on the disk that stores are put on."""
    load = os.getloadavg()  # before the bench itself makes some
    syncs = fsync_times(folder)
    trips = round_trips()
    units = {**units, "fdatasync": median(syncs), "round trip": median(trips)}
    facts = {
        "Cores": str(cores()),
        "Memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "System": f"{platform.system()} {platform.release()}",
        "Python, SQLite": f"{platform.python_version()}, {sqlite3.sqlite_version}",
        "Load at the start (1, 5, 15 minutes)": " / ".join(f"{one:.1f}" for one in load),
        "fdatasync of 4 KiB": f"median {median(syncs):.2f} ms, p99 {quantile(syncs, 0.99):.1f} ms",
        "Round trip on the loopback": f"{median(trips):.3f} ms",
        "Bare request through Django (WSGI, in process)": f"{units['bare request']:.2f} ms",
        "Plain ORM write (5 statements, one transaction)": f"{units['ORM write']:.2f} ms",
    }
    here = Machine(facts, units, load[0])
    facts["Its pace"] = (
        f"takes {here.pace:.1f} times as long as the machine that the budgets were set on, "
        f"where a plain ORM write took {ORM_WRITE_OF_BUDGETS} ms"
    )
    return here


def fsync_times(folder: Path, count: int = 300) -> list[float]:
    """How long the disk takes to keep 4 KiB, in ms."""
    times = []
    path = folder / "synced"
    with path.open("wb", buffering=0) as file:
        for _ in range(count):
            file.write(BLOCK)
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - began) * 1000)
    path.unlink()
    return times


def round_trips(count: int = 1000) -> list[float]:
    """How long a byte takes to another thread and back over the loopback, in ms."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        echo = threading.Thread(target=_echo, args=(listener,))
        echo.start()
        times = []
        with socket.create_connection(listener.getsockname()) as asking:
            asking.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for _ in range(count):
                began = time.perf_counter()
                asking.send(b".")
                asking.recv(1)
                times.append((time.perf_counter() - began) * 1000)
        echo.join()
    return times


def _echo(listener: socket.socket) -> None:
    answering, _address = listener.accept()
    with answering:
        answering.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while byte := answering.recv(1):
            answering.send(byte)
