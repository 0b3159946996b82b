"""What the store of a server holds, read as a file: no word of the product is taken for it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from tests.history import Line, assert_nothing_replaced_unseen

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.shown import Place

LINES = """SELECT c.version, c.phone_id, c.round_number, c."column", c.after, c.op, c.why
           FROM games_change c ORDER BY c.id"""
ENTRIES = """SELECT r.number, s."column", e.points FROM games_entry e
             JOIN games_round r ON r.id = e.round_id JOIN games_side s ON s.id = e.side_id"""


class Store(NamedTuple):
    """Everything that was ever written at the one table of a store."""

    version: int
    lines: list[Line]
    ops: list[str]
    entries: list[tuple[Place, int | None]]
    complaints: list[str]

    @classmethod
    def read(cls, data_dir: Path) -> Store:
        """The store as it lies there; ``complaints`` is what SQLite itself finds wrong."""
        with closing(sqlite3.connect(data_dir / "scoresheet.sqlite3", timeout=10)) as store:
            ((version,),) = store.execute("SELECT version FROM games_table")
            ((integrity,),) = store.execute("PRAGMA integrity_check")
            foreign = store.execute("PRAGMA foreign_key_check").fetchall()
            lines = store.execute(LINES).fetchall()
            ops = store.execute("SELECT op FROM games_op").fetchall()
            entries = store.execute(ENTRIES).fetchall()
        return cls(
            version,
            [
                Line(at, phone, (number, column), *rest)
                for at, phone, number, column, *rest in lines
            ],
            [op for (op,) in ops],
            [((number, column), points) for number, column, points in entries],
            [*(text for text in [integrity] if text != "ok"), *map(str, foreign)],
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
        assert set(self.ops) == set(written)
        assert_nothing_replaced_unseen(self.lines, seen)
