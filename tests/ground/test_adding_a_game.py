"""The recipe for a new game is followed to the letter, in a copy, and a match is played with it."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "docs" / "adding-a-game.md"
SCRIPTS = Path(sysconfig.get_path("scripts"))
MODULE = "games/rules/catalogue/euchre.py"
PAGE = "templates/games/rules_euchre.html"
TESTS = "tests/rules/test_euchre.py"
EVENING = "tests/data/evening_with_euchre.py"
FOR_EVERY_GAME = ("test_completions", "test_house_rules", "test_plain")
COPIED = ("games", "scoresheet", "templates", "static", "locale", "tests")
COPIED_FILES = ("manage.py", "pyproject.toml", "Makefile")
NOT_COPIED = shutil.ignore_patterns("__pycache__", "browser")

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_ABOVE = re.compile(r"^`([^`\n]+)`\n\n\Z", re.MULTILINE)
IN_BACKTICKS = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True)
class Block:
    """A block of the recipe: its language, the file named on the line above it, and its text."""

    language: str
    file: str
    text: str


def blocks_of(recipe):
    found = []
    for match in BLOCK.finditer(recipe):
        above = FILE_ABOVE.search(recipe[: match.start()])
        found.append(Block(match[1], above[1] if above else "", match[2]))
    return found


def follow(recipe, folder):
    """Write and change the files as the blocks of a recipe say, where nobody has done so yet."""
    written: dict[str, list[str]] = {}
    for block in blocks_of(recipe):
        if block.language == "diff":
            path = folder / block.file
            path.write_text(changed(path.read_text(encoding="utf-8"), block.text), encoding="utf-8")
        elif block.file:
            written.setdefault(block.file, []).append(block.text)
    for file, texts in written.items():
        (folder / file).write_text("\n\n".join(texts), encoding="utf-8")


def changed(text, diff):
    """A text after a diff, each part of which is there already or fits in one place only."""
    for part in re.split(r"^@@\n", diff, flags=re.MULTILINE):
        lines = part.splitlines(keepends=True)
        assert {line[0] for line in lines} <= set(" +-")
        before = "".join(line[1:] for line in lines if line[0] != "+")
        after = "".join(line[1:] for line in lines if line[0] != "-")
        if after not in text:
            assert text.count(before) == 1, f"A diff of the recipe does not fit any more:\n{part}"
            text = text.replace(before, after)
    return text


def environment():
    """This machine's environment without what a test run has set for itself."""
    own = ("PYTEST", "COV", "DJANGO", "PYTHONPATH")
    return {name: value for name, value in os.environ.items() if not name.startswith(own)}


def run(folder, *command):
    return subprocess.run(
        command,
        check=False,
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def recipe():
    return RECIPE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def made(recipe, tmp_path_factory):
    """A copy of the project in which somebody followed the recipe."""
    copy = tmp_path_factory.mktemp("recipe")
    for name in COPIED:
        shutil.copytree(ROOT / name, copy / name, ignore=NOT_COPIED)
    for name in COPIED_FILES:
        shutil.copy2(ROOT / name, copy / name)
    follow(recipe, copy)
    return copy


@pytest.fixture(scope="module")
def played(made):
    """How every test about the new game ended, as (module, test, what went wrong)."""
    report = made / "report.xml"
    ran = run(
        made, sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}",
        "-k", "euchre or verdict_and_completions",
        TESTS, *(f"tests/rules/{module}.py" for module in FOR_EVERY_GAME),
        "tests/pages/test_rules_pages.py",
        "tests/ground/test_languages.py::test_a_template_says_nothing_outside_translation", EVENING,
    )  # fmt: skip
    assert report.exists(), ran.stdout + ran.stderr
    return [
        (
            case.get("classname", ""),
            case.get("name", ""),
            "\n".join(wrong.text or wrong.tag for wrong in case),
        )
        for case in ET.parse(report).iter("testcase")  # noqa: S314 -- pytest's own report
    ]


def ended(played, module):
    """What went wrong in each test of one module."""
    found = {name: wrong for where, name, wrong in played if where.endswith(module)}
    assert found, "\n".join([f"No test of {module} was run.", *(wrong for *_, wrong in played)])
    return {name: wrong for name, wrong in found.items() if wrong}


def test_every_block_of_code_says_which_file_it_belongs_to(recipe):
    blocks = blocks_of(recipe)

    assert recipe.count("\n```") == 2 * len(blocks)
    assert [block.text for block in blocks if not block.file] == []
    assert {block.language for block in blocks} == {"python", "html", "diff"}
    files = [block.file for block in blocks if block.language != "diff"]
    assert list(dict.fromkeys(files)) == [MODULE, PAGE, TESTS]


def test_the_games_own_tests_pass(played):
    assert ended(played, "rules.test_euchre") == {}


def test_the_page_has_what_the_project_asks_of_every_page_of_rules(played):
    assert ended(played, "pages.test_rules_pages") == {}
    assert ended(played, "ground.test_languages") == {}


@pytest.mark.parametrize("module", FOR_EVERY_GAME)
def test_what_holds_for_every_game_holds_for_the_new_one(played, module):
    assert ended(played, f"rules.{module}") == {}


def test_an_evening_can_be_played(played):
    assert ended(played, "data.evening_with_euchre") == {}


def test_nothing_about_the_new_game_fails_or_is_skipped(played):
    assert {name: wrong for _, name, wrong in played if wrong} == {}


def test_the_module_is_plain_python_and_knows_no_other_game(made):
    ran = run(made, SCRIPTS / "lint-imports", "--no-cache")

    assert ran.returncode == 0, ran.stdout
    assert "The rules are plain Python KEPT" in ran.stdout


@pytest.mark.parametrize("how", [("check",), ("format", "--check")], ids="-".join)
def test_the_code_is_in_the_usual_style(made, how):
    ran = run(made, sys.executable, "-m", "ruff", *how, "--no-cache", "games/rules", "tests/rules")

    assert ran.returncode == 0, ran.stdout


def test_the_template_is_in_the_usual_style(made):
    ran = run(made, SCRIPTS / "djade", "--target-version", "5.2", "--check", PAGE)

    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_types_of_the_module_hold(made):
    ran = run(
        made,
        sys.executable,
        "-m",
        "mypy",
        "--config-file=",
        "--strict",
        "--cache-dir=.mypy",
        MODULE,
    )

    assert ran.returncode == 0, ran.stdout


# What the recipe speaks of ---------------------------------------------------------------------


def prose(recipe):
    return BLOCK.sub("", recipe)


def test_every_file_that_is_named_exists(recipe, made):
    named = [
        name
        for name in IN_BACKTICKS.findall(prose(recipe))
        if re.fullmatch(r"[\w.-]+(/[\w.-]+)+/?|[\w-]+\.(md|py|html|toml)", name)
    ]

    assert MODULE in named
    missing = [name for name in named if name != "__init__.py" and not (made / name).exists()]
    assert missing == []


def test_every_link_leads_somewhere(recipe):
    links = re.findall(r"\]\(([^)#]+)\)", prose(recipe))

    assert links
    assert [link for link in links if not (RECIPE.parent / link).exists()] == []


def test_every_name_that_is_mentioned_is_known_to_the_code(recipe, made):
    sources = [
        path.read_text(encoding="utf-8")
        for folder in ("games", "tests", "templates/games")
        for path in (made / folder).rglob("*.*")
        if path.suffix in {".py", ".html"}
    ]
    words = {word for source in sources for word in re.findall(r"\w+", source)}
    mentioned = {
        name for name in IN_BACKTICKS.findall(prose(recipe)) if re.fullmatch(r"[A-Za-z_]\w*", name)
    }

    assert {"judge", "Rulebook", "gettext_noop"} <= mentioned
    assert sorted(mentioned - words - {"diff"}) == []


def test_every_make_target_that_is_named_exists(recipe, made):
    targets = set(re.findall(r"^([a-z-]+):", (made / "Makefile").read_text(), re.MULTILINE))

    named = set(re.findall(r"(?:`| {4})make ([a-z]+)", prose(recipe)))

    assert {"check", "test", "messages"} <= named <= targets


def test_every_address_that_is_named_answers(recipe):
    addresses = {name for name in IN_BACKTICKS.findall(prose(recipe)) if name.startswith("/")}

    assert addresses == {"/games/euchre/"}  # the evening asks for it
