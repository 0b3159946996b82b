"""What the bench found, as a table for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.machine import Machine

UNKNOWN = "for no reason that the run shows"
COMPUTED = ("ms", "% of a core")  # what takes as long as a machine computes
SLOW = 1.5  # so much longer is a reason


@dataclass(frozen=True)
class Finding:
    """One number, what was promised for it, and one reason should it be missed.

    ``unit`` is what it is counted in; a time in ms can be told as a multiple of a unit of the
    machine, named by ``ratio_to``. ``beside`` says what else belongs to it.
    """

    what: str
    value: float
    unit: str = "ms"
    most: float | None = None
    least: float | None = None
    ratio_to: str = ""
    beside: str = ""
    why: str = ""

    @property
    def is_met(self) -> bool | None:
        """Whether the promise was kept; None where nothing was promised."""
        if self.most is None and self.least is None:
            return None
        enough = self.least is None or self.value >= self.least
        return enough and (self.most is None or self.value <= self.most)

    def budget(self) -> str:
        """What was promised, in words."""
        if self.most is not None:
            return f"≤ {number(self.most)} {self.unit}"
        return "" if self.least is None else f"≥ {number(self.least)} {self.unit}"

    def measured(self, units: Mapping[str, float]) -> str:
        """What was found, in words."""
        words = f"{number(self.value)} {self.unit}"
        more = [self.beside] if self.beside else []
        if self.ratio_to in units:
            more.insert(0, f"{number(self.value / units[self.ratio_to])} × {self.ratio_to}")
        return f"{words} ({'; '.join(more)})" if more else words

    def verdict(self, machine: Machine) -> str:
        """Met or missed, and then why."""
        if self.is_met is None:
            return ""
        if self.is_met:
            return "met"
        reasons = [self.why or machine.why(), self._at_its_pace(machine)]
        return f"**missed**: {'; '.join(filter(None, reasons)) or UNKNOWN}"

    def _at_its_pace(self, machine: Machine) -> str:
        """What it would be on the machine that the budgets were set on, if that is a faster one."""
        if self.unit not in COMPUTED or machine.pace < SLOW:
            return ""
        return f"at the pace of the budgets {number(self.value / machine.pace)} {self.unit}"


def number(value: float) -> str:
    """A number with as many digits as mean something.

    >>> [number(one) for one in (0, 0.0231, 0.5, 2.5, 48.3, 213.4, 10000)]
    ['0', '0.023', '0.5', '2.5', '48', '213', '10000']
    """
    for most, digits in ((0.1, 3), (1, 2), (20, 1)):
        if abs(value) < most:
            return f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return f"{value:.0f}"


def page(heading: str, findings: Iterable[Finding], machine: Machine) -> str:
    """Both tables: what was promised and found, and what machine it was found on."""
    lines = [heading, "", "| what | budget | measured | |", "|---|---|---|---|"]
    for one in findings:
        cells = (one.what, one.budget(), one.measured(machine.units), one.verdict(machine))
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "| this machine | |", "|---|---|"]
    lines += [f"| {name} | {fact} |" for name, fact in machine.facts.items()]
    return "\n".join(lines)


def keep(path: Path, text: str, mark: str = "bench") -> None:
    """Put a table between two marks of a page; what stands around it stays."""
    first, last = f"<!-- {mark} -->", f"<!-- /{mark} -->"
    before, begin, rest = path.read_text().partition(first)
    _old, end, after = rest.partition(last)
    if not begin or not end:
        raise ValueError(f"{path} has no place for the table: {first} ... {last}")
    path.write_text(f"{before}{first}\n{text}\n{last}{after}")


def as_json(findings: Iterable[Finding], machine: Machine) -> str:
    """Everything for programs: numbers, promises, and the machine."""
    found = [asdict(one) | {"is_met": one.is_met} for one in findings]
    return json.dumps({"machine": asdict(machine), "findings": found}, indent=1)
