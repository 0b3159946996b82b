"""The worked cases and the exact values of the three games, and how their names map to houses."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from games.rules import Game, Row

DATA = Path(__file__).parents[1] / "data"

ROWS: dict[str, Any] = json.loads((DATA / "rules-rows.json").read_text(encoding="utf-8"))
EXAMPLES: list[dict[str, Any]] = json.loads(
    (DATA / "rules-examples.json").read_text(encoding="utf-8")
)

BAUERNSCHNAPSEN_HOUSES: dict[str, dict[str, Any]] = {
    "main": {},
    "no_bettler": {"bettler": 0},
    "soft_bettler_5": {"bettler": 5},
    "as_bettler": {"as_bettler": True},
    "soft_bettler_5_as_bettler": {"bettler": 5, "as_bettler": True},
    "no_zehner_gang": {"zehner_gang": 0},
    "zehner_gang_8": {"zehner_gang": 8},
    "zehner_gang_9": {"zehner_gang": 9},
    "no_bettler_no_zehner_gang": {"bettler": 0, "zehner_gang": 0},
}
SCHAFKOPF_HOUSES: dict[str, dict[str, Any]] = {
    "main": {},
    "short": {"short": True},
    "geier": {"geier": True},
    "suit_geier": {"suit_geier": True},
    "bettel": {"bettel": 5},
    "wedding": {"wedding": True},
    "ramsch": {"ramsch": 1},
}


def examples(kind: str) -> list[dict[str, Any]]:
    """The worked cases of one kind: check or standing."""
    return [example for example in EXAMPLES if example["kind"] == kind]


def codes(findings: tuple[Any, ...]) -> list[str]:
    """The codes of breaches or doubts, in their order."""
    return [finding.code for finding in findings]


def lawful_rows(
    game: Game, entries: Sequence[int | None], house: Mapping[str, Any], **place: Any
) -> tuple[Row, ...]:
    """The completions of a row at a table that does not play free numbers."""
    rows = game.completions(entries, house=house, **place)
    assert rows is not None
    return rows
