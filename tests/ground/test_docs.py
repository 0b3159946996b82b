"""What the documents say: commands run, links lead somewhere, files and make targets exist."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests.serving import ROOT, SECONDS_TO_END, SECONDS_TO_START, free_port

PAGES = [
    ROOT / "README.md",
    *sorted(page for page in ROOT.glob("*.md") if page.name != "README.md"),
    *sorted((ROOT / "docs").rglob("*.md")),
]
COMMAND = re.compile(r"make |\.venv/bin/|manage\.py |python3? |docker |sudo |pip |git |uvicorn ")
SERVES = re.compile(r"make run|\S*uvicorn |\S*python -m scoresheet\.serve")
# What is not run, and why. Everything else that stands in a document as a command is.
NOT_RUN = {
    r"sudo ": "changes the machine; the unit, nginx and Caddy are tried in tests/deploy/",
    r"cd /opt": "belongs to the commands around it that change the machine",
    r"docker ": "needs an engine for containers; tests/deploy/ follows the Dockerfile without one",
    r"cp deploy/compose\.env|chmod 600 \.env": "tests/deploy/ reads the example",
    r"make run PORT=": "is make run, which runs here on a port of its own",
    r"git pull": "needs a place to pull from",
    r"python3 -m venv|\.venv/bin/pip ": "takes minutes; make setup does it in each clean clone",
    r"make (check|test|coverage|format)\b": "is what this test is part of",
    r"make (soak|bench|gallery|mutants|messages|icons)\b": "takes long, or changes the tree",
    r"make audit\b": "asks the network",
    r"(\S+/)?python -m tests\.grown\b": "needs PostgreSQL; make test-grown is the same",
    r"\S+ -m scoresheet\.serve --workers ": "needs Redis; test_several.py does it",
    r"\.venv/bin/mutmut ": "needs the mutants of make mutants",
    r"(\S+/python )?manage\.py (backup|restore|doctor)\b": "tests/upkeep/ tries them",
}
COPIED = ("deploy", "games", "locale", "scoresheet", "static", "templates", "manage.py", "Makefile",
          "requirements.txt", "requirements-dev.txt")  # fmt: skip
# Named in documents, and there only when the product has run.
MADE_LATER = re.compile(
    r"(\.venv|data|build|mutants|backups)/|data|secret-key|\.env$|export\.(json|csv)"
    r"|bench\.(md|json)|.*\.(mo|sqlite3)$"
)
PATH = re.compile(
    r"(?!\.\.\.)[\w.-]+(/[\w.-]+)+/?|[\w.-]+/|[\w-]+\.(md|py|js|css|html|toml|yaml|txt)"
)
# Looks like a path: parts of addresses, a media type, and the game that the recipe makes.
NO_PATH = re.compile(r"(changes|strokes|history|undo|deal|tv|live)/|text/event-stream|.*euchre.*")
PATIENCE = 2 * SECONDS_TO_START  # a first start collects and compresses files


@dataclass(frozen=True)
class Code:
    """A command as a document says it, and where."""

    page: str
    text: str


def tokens(page):
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")):
        yield token
        yield from token.children or ()


def commands():
    """Every command of every document, once."""
    found: dict[str, Code] = {}
    for page in PAGES:
        for token in tokens(page):
            if token.type == "code_inline" and COMMAND.match(token.content):
                lines = [token.content]
            elif (token.type == "fence" and token.info == "sh") or token.type == "code_block":
                lines = token.content.splitlines()
            else:
                continue
            for line in lines:
                text = re.sub(r"\s+# .*", "", line).strip()
                if token.type == "code_block" and not COMMAND.match(text):
                    continue
                if text and not text.startswith("#"):
                    found.setdefault(text, Code(page.name, text))
    return list(found.values())


def reason_not_to_run(text):
    return next((why for start, why in NOT_RUN.items() if re.match(start, text)), None)


RUN = [code for code in commands() if reason_not_to_run(code.text) is None]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A fresh copy of the project with the packages of the tests, and nothing from this machine."""
    copy = tmp_path_factory.mktemp("docs") / "scoresheet"
    copy.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            ignore = shutil.ignore_patterns("__pycache__", "*.mo")
            shutil.copytree(source, copy / name, ignore=ignore)
        else:
            shutil.copy2(source, copy / name)
    (copy / ".venv").mkdir()
    for part in Path(sys.prefix).iterdir():
        if not part.name.startswith(".installed"):
            (copy / ".venv" / part.name).symlink_to(part)
    for stamp in (".installed", ".installed-dev"):
        (copy / ".venv" / stamp).touch()
    run(copy, ".venv/bin/python manage.py migrate --verbosity 0")
    return copy


def environment_of(tree):
    return {"PATH": os.environ["PATH"], "HOME": str(tree.parent), "LANG": "C.UTF-8"}


def test_some_commands_are_run_and_each_reason_not_to_is_needed():
    texts = [code.text for code in commands()]

    assert "make run" in [code.text for code in RUN]
    assert [start for start in NOT_RUN if not any(re.match(start, text) for text in texts)] == []


@pytest.mark.parametrize("code", [c for c in RUN if not SERVES.match(c.text)], ids=lambda c: c.text)
def test_a_command_of_the_documents_works(code, tree):
    text = re.sub(r"^(python )?manage\.py ", ".venv/bin/python manage.py ", code.text)
    only_its_name = re.fullmatch(r"manage\.py \w+", code.text)
    run(tree, f"{text} --help" if only_its_name else text)


def run(tree, text):
    ran = subprocess.run(
        ["sh", "-c", text],
        cwd=tree,
        env=environment_of(tree),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, f"{text}\n{ran.stdout}{ran.stderr}"
    return ran.stdout


@pytest.mark.parametrize("code", [c for c in RUN if SERVES.match(c.text)], ids=lambda c: c.text)
def test_a_command_that_serves_the_sheet_serves_it(code, tree):
    port = free_port()
    text = re.sub(r"^python ", ".venv/bin/python ", code.text)
    text = re.sub(r"--port \d+", f"--port {port}", text)
    log = tree.parent / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            shlex.split(text),
            cwd=tree,
            env=environment_of(tree) | {"PORT": str(port)},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    answered, until = 0, time.monotonic() + PATIENCE
    while not answered and server.poll() is None and time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as answer:
                answered = answer.status
        except OSError:
            time.sleep(0.05)
    if server.poll() is None:
        os.killpg(server.pid, signal.SIGTERM)
    server.wait(SECONDS_TO_END)

    assert answered == 200, log.read_text()


def make_targets():
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_make_target_exists(page):
    said = {
        name
        for token in tokens(page)
        if token.type in {"code_inline", "code_block", "fence"}
        for name in re.findall(r"^\s*(?:sudo )?make ([a-z-]+)", token.content, re.MULTILINE)
    }

    assert said - make_targets() == set()


def test_make_help_lists_what_the_readme_names(tree):
    listed = set(re.findall(r"^  make ([a-z-]+)", run(tree, "make help"), re.MULTILINE))
    named = set(re.findall(r"\bmake (run|test|[a-z]+)\b", (ROOT / "README.md").read_text()))

    assert {"run", "test", "help"} <= listed
    assert (named & make_targets()) - listed == set()


def slugs(page):
    """The anchors of a page's headings."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    links = [
        str(token.attrs.get("href") or token.attrs.get("src"))
        for token in tokens(page)
        if token.type in {"link_open", "image"}
    ]
    broken = []
    for link in links:
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        if not target.exists() or (anchor and anchor not in slugs(target)):
            broken.append(link)

    assert broken == []


def is_there(name, page):
    """Whether a path is one of the project, also when it is said from a folder further down."""
    clean = name.rstrip("/")
    if (ROOT / clean).exists() or (page.parent / clean).exists():
        return True
    folders = ("games", "scoresheet", "tests", "static", "templates", "bench", "docs")
    last = clean.rpartition("/")[2]
    found = (path for folder in folders for path in (ROOT / folder).rglob(last))
    return any(str(path).endswith(f"/{clean}") for path in found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_is_named_exists(page):
    named = {token.content for token in tokens(page) if token.type == "code_inline"}
    paths = {name for name in named if PATH.fullmatch(name)}

    missing = [
        name
        for name in sorted(paths)
        if not MADE_LATER.match(name) and not NO_PATH.match(name) and not is_there(name, page)
    ]

    assert missing == []


def test_every_document_can_be_found_from_the_readme():
    readme = (ROOT / "README.md").read_text()
    listed = {link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", readme)}

    assert [
        page.relative_to(ROOT).as_posix()
        for page in PAGES[1:]
        if page.parent.name != "decisions" and page.relative_to(ROOT).as_posix() not in listed
    ] == []
    assert "docs/decisions/" in listed


def test_decisions_say_what_why_and_at_which_cost():
    records = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [record.name[:4] for record in records]

    assert len(set(numbers)) == len(numbers)
    for record in records:
        text = record.read_text(encoding="utf-8")
        assert text.startswith("# "), record.name
        assert "**What.**" in text, record.name
        assert re.search(r"\*\*Why[ .]", text), record.name
