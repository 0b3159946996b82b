"""What the store of a server holds, read past the product: no word of it is taken."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from tests import serving
from tests.history import Line, assert_nothing_replaced_unseen

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.shown import Place

TABLE = "SELECT id, version FROM games_table WHERE ? IN ('', key)"
LINES = """SELECT c.version, c.phone_id, c.round_number, c."column", c.after, c.op, c.why
           FROM games_change c WHERE c.table_id = ? ORDER BY c.id"""
ENTRIES = """SELECT r.number, s."column", e.points FROM games_entry e
             JOIN games_round r ON r.id = e.round_id JOIN games_side s ON s.id = e.side_id
             JOIN games_match m ON m.id = r.match_id WHERE m.table_id = ?"""


class Store(NamedTuple):
    """Everything that was ever written at one table."""

    version: int
    lines: list[Line]
    ops: list[str]
    entries: list[tuple[Place, int | None]]
    complaints: list[str]

    @classmethod
    def read(cls, data_dir: Path, key: str = "") -> Store:
        """What lies there of a table, or of the only one.

        ``complaints`` is what SQLite itself finds wrong.
        """
        ((table, version),) = serving.ask_store(data_dir, TABLE, key)
        complaints = [] if serving.POSTGRES else _complaints(data_dir)
        lines = serving.ask_store(data_dir, LINES, table)
        ops = serving.ask_store(data_dir, "SELECT op FROM games_op WHERE table_id = ?", table)
        entries = serving.ask_store(data_dir, ENTRIES, table)
        return cls(
            version,
            [
                Line(at, phone, (number, column), *rest)
                for at, phone, number, column, *rest in lines
            ],
            [op for (op,) in ops],
            [((number, column), points) for number, column, points in entries],
            complaints,
        )

    def assert_sound(self) -> None:
        """Nothing is broken, nothing is there twice, and versions went one way."""
        assert self.complaints == []
        twice = [op for op, times in Counter(self.ops).items() if times > 1]
        twice += [op for op, times in Counter(line.op for line in self.lines).items() if times > 1]
        assert twice == []
        versions = [line.version for line in self.lines]
        assert versions == sorted(set(versions))
        assert max(versions, default=0) <= self.version
        assert len(self.entries) == len(dict(self.entries))
        assert dict(self.entries) == {line.place: line.after for line in self.lines}

    def assert_holds(
        self, written: Mapping[str, tuple[Place, str]], seen: Mapping[str, int]
    ) -> None:
        """What phones were told to be written is there once, and nothing else.

        ``seen`` says for each op which version of its cell the person saw who typed it.
        """
        stored = {line.op: (line.place, line.text) for line in self.lines}
        lost, extra = written.items() - stored.items(), stored.items() - written.items()
        assert not lost, f"Not in the store: {lost}"
        assert not extra, f"Nobody was told of {extra}"
        assert set(self.ops) == set(written), set(self.ops) ^ set(written)
        assert_nothing_replaced_unseen(self.lines, seen)


def _complaints(data_dir: Path) -> list[str]:
    ((integrity,),) = serving.ask_store(data_dir, "PRAGMA integrity_check")
    foreign = serving.ask_store(data_dir, "PRAGMA foreign_key_check")
    return [*(text for text in [integrity] if text != "ok"), *map(str, foreign)]
