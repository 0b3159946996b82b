"""Measures what the design promises: ``make bench``, or ``make bench ARGS="load page"``.

Without names all usual parts are measured, and the tables go into docs/performance.md, as do those
of ``growth workers``; with other names, or by ``--quick``, they are only shown. Everything stays on
this machine and stops by itself.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from bench import machine, report
from bench.machine import Machine
from bench.parts import (
    cellar,
    entries,
    growth,
    load,
    page,
    phones,
    profile,
    restart,
    streams,
    watchers,
    weight,
    workers,
)
from bench.report import Finding
from bench.size import FULL, QUICK, Size
from bench.stage import Stage
from tests.serving import POSTGRES, ROOT

Part = Callable[[Stage, Size], list[Finding]]
USUAL: dict[str, Part] = {
    "weight": weight.measure,
    "phones": phones.measure,
    "cellar": cellar.measure,
    "load": load.measure,
    "entries": entries.measure,
    "page": page.measure,
    "streams": streams.measure,
    "watchers": watchers.measure,
    "restart": restart.measure,
}
GROWN: dict[str, Part] = {"growth": growth.measure, "workers": workers.measure}
PARTS = {**USUAL, **GROWN, "profile": profile.measure}
PAGE = ROOT / "docs" / "performance.md"
KEPT = ROOT / "build" / "bench"
SECONDS_AT_MOST = 12 * 60
SECONDS_TO_GROW = 2 * 60 * 60  # a million matches have to be stored first


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and say what was found; 1 if something could not be measured."""
    options = _parser().parse_args(arguments)
    names, size = options.parts or list(USUAL), QUICK if options.quick else FULL
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.signal(signal.SIGALRM, _time_is_over)
    seconds = SECONDS_TO_GROW if set(names) & set(GROWN) else SECONDS_AT_MOST
    signal.alarm(seconds)
    began = time.monotonic()
    KEPT.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix="stores-", dir=KEPT) as folder:  # on a real disk
            here, findings, failed = measure(Path(folder), names, size, seconds)
    except KeyboardInterrupt:
        print("Stopped; nothing is kept.", file=sys.stderr)
        return 130
    kind = "a quick look" if options.quick else "one run"
    minutes = (time.monotonic() - began) / 60
    where = " on PostgreSQL and Redis" if POSTGRES else ""
    heading = (
        f"{time.strftime('%-d %B %Y')}, {kind} of {minutes:.0f} minutes{where}: {', '.join(names)}."
    )
    text = report.page(heading, findings, here)
    print(text)
    (KEPT / "bench.md").write_text(text + "\n")
    (KEPT / "bench.json").write_text(report.as_json(findings, here))
    if failed:
        print(f"Could not be measured: {', '.join(failed)}", file=sys.stderr)
        return 1
    if not options.quick and names == list(USUAL) and not POSTGRES:
        report.keep(PAGE, text)
    if not options.quick and names == list(GROWN):
        report.keep(PAGE, text, mark="growth on PostgreSQL" if POSTGRES else "growth on SQLite")
    return 0


def measure(
    folder: Path, names: Sequence[str], size: Size, seconds: float
) -> tuple[Machine, list[Finding], list[str]]:
    """Measure the machine and these parts; and which of them failed."""
    stage = Stage(folder)
    with stage.store() as store:
        here = machine.look(store.data_dir, store.inside("units", runs=size.runs))
    findings, failed = [], []
    end = time.monotonic() + seconds - 60  # what begins later would not come to its end
    for name in names:
        began = time.monotonic()
        if began > end:
            failed.append(name)
            continue
        print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
        try:
            findings += PARTS[name](stage, size)
        except Exception:
            failed.append(name)  # the others can be measured all the same
            traceback.print_exc()
        print(f"{time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return here, findings, failed


class TimeIsOver(Exception):
    """The bench has taken as long as it may; what it did not come to is not measured."""


def _time_is_over(_number: int, _frame: object) -> None:
    raise TimeIsOver


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", type=_part, help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="a quick look, too short for docs")
    return parser


def _part(name: str) -> str:
    if name in PARTS:
        return name
    raise argparse.ArgumentTypeError(f"choose of {', '.join(PARTS)}, not {name!r}")


if __name__ == "__main__":
    sys.exit(main())
