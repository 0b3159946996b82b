"""What holds for the rules as code: examples in docstrings, and no Django."""

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

from games import rules

MODULES = [
    "games.rules",
    *(module.name for module in pkgutil.walk_packages(rules.__path__, "games.rules.")),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_hold(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_rules_need_nothing_but_python():
    """A fresh interpreter plays a match without Django ever being imported."""
    play = (
        "import sys; from games import rules; from games.rules import sheet;"
        "game = rules.find_game('bauernstoss');"
        "print(sheet.read_position(game, [(12, 0), (8, None)], house={}).winners,"
        " sorted(name for name in sys.modules if name.startswith('django')))"
    )

    ran = subprocess.run([sys.executable, "-c", play], capture_output=True, text=True, check=True)

    assert ran.stdout == "('A',) []\n"
