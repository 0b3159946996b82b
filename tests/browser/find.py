"""Where the browser is that tests drive: the system's own first, then Playwright's download.

Chromium comes whole, as people use it, or as a headless shell: the same engine without windows,
profiles and extensions. A page costs the shell half the work, so tests drive that one where the
system has it. What is measured or made into pictures takes the whole one.

``python -m tests.browser.find --install`` gets one where there is none, if it can, and says so
where it cannot.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

WHOLE = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
PACKAGES = ("chromium", "fonts-dejavu", "fonts-noto-color-emoji")
MISSING = "no Chromium: install the system's chromium, or run `make test` as root"


def find(*, light: bool = False) -> str | None:
    """The path of a browser that starts, or None; ``light`` prefers the shell."""
    for name in (*SHELLS, *WHOLE) if light else (*WHOLE, *SHELLS):
        path = shutil.which(name)
        if path and _starts(path):
            return path
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() and _starts(own) else None


def _starts(path: str) -> bool:
    """Whether this is a browser; a distribution may put a mere pointer to its store there."""
    try:
        answer = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and ("Chrom" in answer.stdout)


def _install() -> None:
    """Get one from the system's packages or, failing that, Playwright's."""
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update", "-q"], ["install", "-qy", "--no-install-recommends", *PACKAGES]):
            _try(["apt-get", *command], environment)
        if find():
            return
    _try([sys.executable, "-m", "playwright", "install", "chromium"], dict(os.environ))


def _try(command: list[str], environment: dict[str, str]) -> None:
    try:
        subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=400,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        print(f"Could not run {' '.join(command[:3])}: {error}", file=sys.stderr)


def main() -> int:
    """Say which browser tests will drive; fails in CI where there is none."""
    path = find(light=True)
    if path is None and "--install" in sys.argv:
        print("No Chromium here; getting one for the browser tests ...", flush=True)
        _install()
        path = find(light=True)
    if path:
        print(f"Browser tests drive {path}")
        return 0
    print(f"The browser tests will NOT be run: {MISSING}", file=sys.stderr)
    return 1 if os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    sys.exit(main())
