"""Where a POST of a number spends its time. Not one of the usual parts: it promises nothing."""

from __future__ import annotations

from bench.report import Finding
from bench.size import Size
from bench.stage import Stage
from tests.serving import ROOT

TABLES = 50
FILE = ROOT / "build" / "bench" / "profile.txt"


def measure(stage: Stage, size: Size) -> list[Finding]:
    """Time POSTs inside Django, and write the profile and the queries into a file."""
    with stage.store(tables=TABLES) as store:
        sheets = [vars(sheet) for sheet in store.sheets]
        found = store.inside("profile", sheets=sheets, posts=size.runs)
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text("\n".join([found["profile"], "Queries of one POST:", *found["queries"], ""]))
    return [
        Finding(
            "POST of a number inside Django",
            found["ms"],
            ratio_to="ORM write",
            beside=f"{len(found['queries'])} queries; see {FILE.relative_to(ROOT)}",
        )
    ]
