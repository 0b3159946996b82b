"""The Dockerfile without Docker: followed line by line in a folder, and what it makes is served."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from scoresheet.release import release_of
from tests.serving import ROOT, SECONDS_TO_END, SECONDS_TO_START, free_port

# Has to be downloaded, which `make setup` does with the same file of requirements.
PACKAGES = re.compile(r"python -m venv|pip .*install")


def instructions():
    """The lines of the Dockerfile: (stage, instruction, the rest)."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    found, stage = [], -1
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip():
            word, _, rest = line.strip().partition(" ")
            stage += word == "FROM"
            found.append((stage, word, rest.strip()))
    return found


def of(stage, word):
    return [rest for where, what, rest in instructions() if (where, what) == (stage, word)]


def let_through():
    """What .dockerignore lets into the image, and what of that stays out again."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    return (
        {rule[1:] for rule in rules if rule.startswith("!")},
        {rule.removeprefix("**/") for rule in rules[1:] if not rule.startswith("!")},
    )


def environment_of_image(app, data_dir):
    """What ENV says, with the folders of this machine."""
    (said,) = of(1, "ENV")
    named = dict(part.split("=", 1) for part in shlex.split(said))
    places = {"app": str(app), "data": str(data_dir)}
    return {name: moved(value, places) for name, value in named.items()} | {
        "PATH": f"{app}/.venv/bin:{os.environ['PATH']}"
    }


def moved(text, places):
    """A text with folders of the image where this machine has them."""
    return re.sub(r"(?<![\w./])/(\w+)", lambda found: places.get(found[1], found[0]), text)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder /app as the first stage makes it; packages are those of the tests."""
    app = tmp_path_factory.mktemp("image") / "app"
    app.mkdir()
    (app / ".venv").symlink_to(sys.prefix)
    _, left_out = let_through()
    for stage, word, rest in instructions():
        if stage == 0 and word == "COPY":
            source, target = rest.split()
            if (ROOT / source).is_dir():
                ignore = shutil.ignore_patterns(*left_out)
                shutil.copytree(ROOT / source, app / target, ignore=ignore)
            else:
                shutil.copy2(ROOT / source, app / target)
        elif stage == 0 and word == "RUN" and not PACKAGES.search(rest):
            there = moved(rest, {"app": str(app), "tmp": str(app.parent)})
            subprocess.run(
                ["sh", "-c", there], cwd=app, check=True, env={"PATH": os.environ["PATH"]}
            )
    return app


def test_the_build_makes_translations_and_static_files(built):
    assert (built / "locale/de/LC_MESSAGES/django.mo").exists()
    assert release_of(built / "collected") != "0"
    assert list((built / "collected/js").glob("sheet.*.js.br"))
    assert not (built / "data").exists()


def test_what_is_copied_is_let_through_and_nothing_else(built):
    copied = {rest.split()[0] for rest in of(0, "COPY")}
    allowed, left_out = let_through()

    assert copied == allowed
    assert left_out == {"__pycache__", "*.mo"}
    assert not [path for path in built.iterdir() if path.name in {".env", "data", "tests", ".git"}]


def test_the_image_is_started_answers_its_health_check_and_ends(built, tmp_path):
    port = str(free_port())
    environment = environment_of_image(built, tmp_path) | {"PORT": port, "PYTHONPATH": str(built)}
    (start,) = of(1, "CMD")
    (health,) = of(1, "HEALTHCHECK")
    check = json.loads(health[health.index("CMD ") + 4 :])
    log = tmp_path / "log"

    with log.open("wb") as output:
        running = subprocess.Popen(
            json.loads(start), cwd=built, env=environment, stdout=output, stderr=output
        )
    asking = [part.replace(":8000/", f":{port}/") for part in check]
    assert asking != check
    healthy, until = 1, time.monotonic() + SECONDS_TO_START
    while healthy and running.poll() is None and time.monotonic() < until:
        healthy = subprocess.run(
            asking, cwd=built, env=environment, check=False, capture_output=True
        ).returncode
    running.send_signal(signal.SIGTERM)

    assert running.wait(SECONDS_TO_END) == 0, log.read_text()
    assert healthy == 0, log.read_text()
    assert {path.name for path in tmp_path.iterdir()} >= {"scoresheet.sqlite3", "secret-key"}
    assert not (tmp_path / "static").exists()  # it brings its own


def test_a_stop_while_it_migrates_waits_for_that_and_begins_nothing(built, tmp_path):
    environment = environment_of_image(built, tmp_path) | {"PYTHONPATH": str(built)}
    (start,) = of(1, "CMD")

    running = subprocess.Popen(json.loads(start), cwd=built, env=environment)
    until = time.monotonic() + SECONDS_TO_START
    while not (tmp_path / "secret-key").exists() and time.monotonic() < until:
        time.sleep(0.01)
    running.send_signal(signal.SIGTERM)  # to the shell alone, as an engine does

    assert running.wait(SECONDS_TO_END) == 128 + signal.SIGTERM
    check = [sys.executable, "manage.py", "migrate", "--check"]
    assert subprocess.run(check, cwd=built, env=environment, check=False).returncode == 0
    assert not (tmp_path / "scoresheet.sqlite3-served").exists()


def test_the_image_runs_as_nobody_and_keeps_what_is_written_in_a_volume():
    last = instructions()[-1][0]
    (user,) = of(last, "USER")
    (volume,) = of(last, "VOLUME")

    assert last == 1
    assert int(user) >= 1000
    assert f"--owner {user} --mode 0700 {volume}" in of(last, "RUN")[0]
    assert of(last, "EXPOSE") == ["8000"]


def test_no_tool_that_installs_stays_behind():
    packages = [run for run in of(0, "RUN") if PACKAGES.search(run)]

    assert packages[0] == "python -m venv --without-pip .venv"
    assert "--only-binary :all: -r requirements.txt" in packages[1]
    assert "pip uninstall" in of(1, "RUN")[0]
    assert len(packages) == 2


def test_both_stages_have_one_python_that_is_named_and_new_enough():
    images = [rest.split()[0] for _, word, rest in instructions() if word == "FROM"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    least = tuple(map(int, re.findall(r"\d+", project["requires-python"])))

    assert len(set(images)) == 1
    found = re.fullmatch(r"python:(\d+)\.(\d+)-slim-[a-z]+", images[0])
    assert found
    assert (int(found[1]), int(found[2])) >= least


def test_every_folder_that_is_named_is_there():
    for source in let_through()[0]:
        assert Path(ROOT / source).exists(), source
