"""Mutation testing of the rules: ``make mutants`` (docs/mutants.md).

Run as ``python -m tests.mutation``, with the names of mutants to try only those. mutmut runs the
tests of the rules with the hooks at the end of this file.
"""

import importlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

WANTED = 95
"""Percent of the mutants that the tests must notice."""

MARKED_ONLY = {"gettext_noop", "ngettext_noop"}
"""Calls that mark a message. Its wording is for people, so nothing in there is mutated."""

NOTICED = ("killed", "timeout")
MUTANTS = Path("mutants")
STATS = Path("mutmut-stats.json")
TRYING = "MUTANT_UNDER_TEST"


def main(names: list[str]) -> int:
    """Try the mutants, say what became of them, and whether enough were noticed."""
    file_mutation = importlib.import_module("mutmut.mutation.file_mutation")
    file_mutation.NEVER_MUTATE_FUNCTION_CALLS.update(MARKED_ONLY)
    importlib.import_module("mutmut.__main__")._run(names, None)
    outcomes = dict(_outcomes())
    missed = [mutant for mutant, outcome in outcomes.items() if outcome not in NOTICED]
    score = 100 * (1 - len(missed) / len(outcomes))
    _say("", *_table(outcomes), "", *(f"{outcomes[mutant]}: {mutant}" for mutant in missed))
    _say(f"{score:.1f} % of {len(outcomes)} mutants were noticed, {WANTED} % are wanted.")
    return 0 if score >= WANTED else 1


def _outcomes() -> Iterator[tuple[str, str]]:
    """What became of each mutant that was tried."""
    words = importlib.import_module("mutmut.stats").status_by_exit_code
    for kept in sorted(MUTANTS.rglob("*.py.meta")):
        codes: dict[str, int | None] = json.loads(kept.read_text())["exit_code_by_key"]
        yield from ((name, words[code]) for name, code in codes.items() if code is not None)


def _table(outcomes: dict[str, str]) -> Iterator[str]:
    """How many mutants of each module there were, and how many of them were noticed."""
    counts = Counter(
        (mutant.rpartition(".")[0], outcome in NOTICED) for mutant, outcome in outcomes.items()
    )
    for module in sorted({module for module, _ in counts}):
        noticed, missed = counts[module, True], counts[module, False]
        yield f"{noticed:5} of {noticed + missed:5}  {module}"


def _say(*lines: str) -> None:
    sys.stdout.write("\n".join((*lines, "")))


def pytest_sessionstart() -> None:
    _forget()


def pytest_runtest_setup() -> None:
    """While mutmut notes which test reaches what, no test finds an answer that another left."""
    if os.environ.get(TRYING) == "stats":
        _forget()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Quick tests first: the first that fails is the last that is run."""
    if STATS.exists():
        took: dict[str, float] = json.loads(STATS.read_text())["duration_by_test"]
        items.sort(key=lambda item: took.get(item.nodeid, 0))


def _forget() -> None:
    """Empty what the rules remember: a mutant must not be given what the code itself worked out."""
    for name, module in [*sys.modules.items()]:
        if name.startswith("games.rules"):
            for value in vars(module).values():
                _clear(value)


def _clear(value: Any) -> None:
    if callable(clear := getattr(value, "cache_clear", None)):
        clear()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
