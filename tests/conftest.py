"""What holds for every test."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation
from hypothesis import settings as hypothesis_settings

from scoresheet.messages import compile_stale
from tests.serving import (
    POSTGRES,
    Server,
    copy_store,
    drop_store,
    free_port,
    make_store,
    start_server,
    stop_server,
)

pytest.register_assert_rewrite(
    "tests.games.helpers", "tests.games.taken_home", "tests.games.together"
)

IN_CI = os.environ.get("CI") == "true"
# Reasons to skip a test in CI. Keep it empty: what is not run is not known to work.
SKIPS_ALLOWED_IN_CI: frozenset[str] = frozenset()
OTHER_STORE = "sqlite" if POSTGRES else "grown"
BROWSER_TESTS = Path(__file__).parent / "browser"

hypothesis_settings.register_profile("dev", print_blob=True, deadline=None)
hypothesis_settings.register_profile("ci", print_blob=True, deadline=None, derandomize=True)
hypothesis_settings.load_profile("ci" if IN_CI else "dev")


def pytest_configure(config: pytest.Config) -> None:
    compile_stale()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than cores: a phone in a cellar mostly waits."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is about the other store.

    Browser tests come last: while Playwright runs, Django's ORM refuses this thread.
    """
    others = [item for item in items if item.get_closest_marker(OTHER_STORE)]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in others]
    for item in items:
        if item.path.is_relative_to(BROWSER_TESTS):
            item.add_marker(pytest.mark.browser)
            if config.getoption("max_suite_reruns", None):  # .ci/run says how often, and why
                item.add_marker(pytest.mark.flaky(reruns=1))
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> tuple[bool, bool]:
    """Of the browser's tests those with a time of their own first: no process ends alone on one."""
    own_time = item.get_closest_marker("timeout")
    return item.path.is_relative_to(BROWSER_TESTS), own_time is None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _fail_if_skipped_in_ci(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _fail_if_skipped_in_ci(report)
    return report


def _fail_if_skipped_in_ci(report: pytest.TestReport | pytest.CollectReport) -> None:
    if not IN_CI or not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if reason.removeprefix("Skipped: ") in SKIPS_ALLOWED_IN_CI:
        return
    report.outcome = "failed"
    report.longrepr = f"{report.nodeid} was not run, and in CI everything runs. {reason}"


@pytest.fixture(autouse=True)
def _own_language() -> Iterator[None]:
    """Every test in the language of the settings: a page that was asked for leaves its own on."""
    translation.activate(settings.LANGUAGE_CODE)
    yield
    translation.activate(settings.LANGUAGE_CODE)


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A fresh store, static files collected; to be copied, since making one takes seconds."""
    data_dir = make_store(tmp_path_factory.mktemp("prepared") / "data")
    yield data_dir
    drop_store(data_dir)


@pytest.fixture
def store(prepared: Path, tmp_path: Path) -> Iterator[Path]:
    """A fresh store for a server of a test's own."""
    data_dir = copy_store(prepared, tmp_path / "data")
    yield data_dir
    drop_store(data_dir)


@pytest.fixture(scope="session")
def server(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The product as people run it, on a fresh store; DEBUG off, static files collected."""
    log = tmp_path_factory.mktemp("served") / "server.log"
    data_dir = copy_store(prepared, log.parent / "data")
    port = free_port()
    process = start_server(data_dir, port, log)
    yield Server(f"http://127.0.0.1:{port}", data_dir, log)
    assert stop_server(process) == 0, log.read_text()
    drop_store(data_dir)
