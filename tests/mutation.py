"""Mutation testing of the rules: ``make mutants`` (docs/mutants.md).

Run as ``python -m tests.mutation``, with the names of mutants to try only those. mutmut makes the
mutants, notes which test reaches which function, and forks a process for each mutant; this module
says how the tests are run in there. It is a plugin of pytest as well, for the hooks at its end.
"""

import importlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

WANTED = 95
"""Percent of the mutants that the tests must notice."""

MARKED_ONLY = {"gettext_noop", "ngettext_noop"}
"""Calls that mark a message. Its wording is for people, so nothing in there is mutated."""

NOTICED = ("killed", "timeout")
MUTANTS = Path("mutants")


def main(names: list[str]) -> int:
    """Try the mutants, say what became of them, and whether enough were noticed."""
    _prepare()
    importlib.import_module("mutmut.__main__")._run(names, None)
    outcomes = dict(_outcomes())
    missed = [mutant for mutant, outcome in outcomes.items() if outcome not in NOTICED]
    score = 100 * (1 - len(missed) / len(outcomes))
    _say("", *_table(outcomes), "", *(f"{outcomes[mutant]}: {mutant}" for mutant in missed))
    _say(f"{score:.1f} % of {len(outcomes)} mutants were noticed, {WANTED} % are wanted.")
    return 0 if score >= WANTED else 1


def _prepare() -> None:
    """Have mutmut leave messages alone, and gather the tests once instead of for each mutant.

    That is quicker by far. And mutmut would name each test on a command line, where pytest does
    not find those with a backslash in their name; every mutant they reach would count as killed.
    """
    mutation = importlib.import_module("mutmut.mutation.file_mutation")
    harness = importlib.import_module("mutmut.runners.harness")
    gathered: list[pytest.Session] = []

    def run_tests(runner: Any, *, mutant_name: str | None, tests: list[str]) -> int:
        with chdir(MUTANTS):
            if not gathered:
                gathered.append(_gather(runner._pytest_add_cli_args))
            if mutant_name is None:  # every test: with no mutant, then with one that always fails
                return _apart(gathered[0])
            return _try(gathered[0], tests)

    mutation.NEVER_MUTATE_FUNCTION_CALLS.update(MARKED_ONLY)
    harness.PytestRunner.run_tests = run_tests


def _gather(options: list[str]) -> pytest.Session:
    """The tests of the rules, ready to be run in a forked process."""
    options = ["--rootdir=.", "--capture=no", "-p", "no:terminal", *options, "tests/rules"]
    config = importlib.import_module("_pytest.config")._prepareconfig(options)
    config.option.tbstyle = "native"  # the quickest; nobody reads it
    config._do_configure()
    session = pytest.Session.from_config(config)
    config.hook.pytest_sessionstart(session=session)
    config.hook.pytest_collection(session=session)
    _forget()
    return session


def _apart(session: pytest.Session) -> int:
    """What every test comes to in a process of its own, as a mutant has it."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    failed = 1
    try:
        failed = _try(session, [item.nodeid for item in session.items])
    finally:
        os._exit(failed)


def _try(session: pytest.Session, tests: list[str]) -> int:
    """1 as soon as a test fails, and 0 if none does: what a forked process ends with."""
    items = {item.nodeid: item for item in session.items}
    for test in _mixed(tests):
        items[test].ihook.pytest_runtest_protocol(item=items[test], nextitem=None)
        if session.testsfailed:
            return 1
    return 0


def _mixed(tests: list[str]) -> list[str]:
    """One case of every test, then another of each: what fails is found sooner so."""
    cases = Counter[str]()

    def turn(test: str) -> int:
        name = test.partition("[")[0]
        cases[name] += 1
        return cases[name]

    return sorted(tests, key=turn)


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


def pytest_runtest_setup() -> None:
    """While mutmut notes which test reaches what, no test finds an answer that another left."""
    if os.environ.get("MUTANT_UNDER_TEST") == "stats":
        _forget()


def _forget() -> None:
    """Empty what the rules remember: a mutant must not be given what the code itself worked out."""
    for name, module in [*sys.modules.items()]:
        if name.startswith("games.rules"):
            for value in vars(module).values():
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
