"""The unit for systemd: it is valid, it is closed off, and its commands start the sheet."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
import urllib.request

import pytest

from tests.serving import ROOT, SECONDS_TO_END, SECONDS_TO_START, free_port

UNIT = ROOT / "deploy" / "scoresheet.service"
HOME = "/opt/scoresheet"
MOST_EXPOSED = 2.0  # of 10, as `systemd-analyze security` counts


def lines(name):
    return re.findall(rf"^{name}=(.*)$", UNIT.read_text(), re.MULTILINE)


def here(command, folder):
    """A command of the unit for this copy of the project and this Python."""
    assert command.startswith(f"{HOME}/.venv/bin/python ")
    return command.replace(f"{HOME}/.venv/bin/python", sys.executable).replace(
        "/var/lib/scoresheet", str(folder)
    )


@pytest.fixture(scope="module")
def unit(tmp_path_factory):
    """The unit with the folders of this machine, for programs that look whether they exist."""
    path = tmp_path_factory.mktemp("unit") / UNIT.name
    path.write_text(
        UNIT.read_text()
        .replace(f"{HOME}/.venv/bin/python", sys.executable)
        .replace(HOME, str(ROOT))
    )
    return path


def test_systemd_has_nothing_to_say_against_it(unit):
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )

    said = [line for line in checked.stderr.splitlines() if unit.name in line]
    assert (checked.returncode, said) == (0, [])


def test_it_is_closed_off(unit):
    checked = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--no-pager", unit],
        capture_output=True,
        text=True,
        check=False,
    )

    exposed = re.search(r"Overall exposure level for .*: ([\d.]+)", checked.stdout)
    assert exposed, checked.stderr
    assert float(exposed[1]) <= MOST_EXPOSED


def test_its_commands_start_the_sheet_and_end_it(tmp_path):
    (environment,) = lines("Environment")
    said = dict(part.split("=") for part in environment.split())
    assert said["DATA_DIR"] == f"/var/lib/{lines('StateDirectory')[0]}"
    said |= {"DATA_DIR": str(tmp_path), "PATH": os.environ["PATH"], "ENV_FILE": os.devnull}
    for command in lines("ExecStartPre"):
        subprocess.run(shlex.split(here(command, tmp_path)), cwd=ROOT, env=said, check=True)
    (start,) = lines("ExecStart")
    port = free_port()
    assert "--port 8000" in start

    with (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen(
            shlex.split(here(start, tmp_path).replace("--port 8000", f"--port {port}")),
            cwd=ROOT, env=said, stdout=log, stderr=log,
        )  # fmt: skip
    answered, until = 0, time.monotonic() + SECONDS_TO_START
    while not answered and running.poll() is None and time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
                answered = answer.status
        except OSError:
            time.sleep(0.05)
    running.send_signal(signal.SIGTERM)

    assert running.wait(SECONDS_TO_END) == 0, (tmp_path / "log").read_text()
    assert answered == 200
    assert (tmp_path / "scoresheet.sqlite3").exists()


def test_it_waits_longer_than_the_sheet_takes_to_end():
    from scoresheet.ending import SECONDS_TO_FINISH  # noqa: PLC0415

    assert int(lines("TimeoutStopSec")[0]) > SECONDS_TO_FINISH
