"""The bench: its arithmetic, its table, and that its parts still find what they measure.

Nothing here says how fast anything is.
"""

import doctest
import json

import pytest

from bench import numbers, report
from bench.livejs import Times
from bench.machine import Machine
from bench.numbers import Span, apart, quantile
from bench.parts import entries, growth, load, page, streams, watchers, workers
from bench.report import Finding
from bench.sheets import Sheet
from bench.size import Size
from bench.stage import Stage

MACHINE = Machine({"Cores": "2"}, {"ORM write": 2.0}, load=0)
TINY = Size(
    runs=2,
    tables=2,
    rates={17: 0.3},
    turns=1,
    seconds=0.2,
    connections=2,
    streams=8,
    idle=0.1,
    watchers=3,
    told=1,
    ends=(1,),
    storm=4,
    rounds=3,
    pages=1,
    numbers=2,
    patience=1,
    times=1,
    stored=(100, 200),
    roamings=1,
    ways=1,
)


@pytest.mark.parametrize("module", [numbers, report])
def test_examples_hold(module):
    found = doctest.testmod(module)

    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize(
    ("part", "value"), [(0.5, 500), (0.95, 950), (0.99, 990), (0.001, 1), (1, 1000)]
)
def test_a_quantile_is_one_of_the_values(part, value):
    assert quantile(range(1, 1001), part) == value


BEFORE, AFTER = Span(8, 10), Span(11, 12)


@pytest.mark.parametrize("met", [Span(9, 10.5), Span(10.1, 10.2), Span(10.5, 12), Span(9, 12)])
def test_what_met_a_stall_is_set_apart(met):
    calm = 5 * [BEFORE, AFTER]

    assert apart([*calm, met], [Span(10, 11)]) == calm


def test_nothing_is_set_apart_where_the_disk_stalls_all_the_time():
    spans = [BEFORE, AFTER, Span(9, 12)]

    assert apart(spans, [Span(10, 11)]) == spans


@pytest.mark.parametrize(
    ("value", "promise", "verdict"),
    [
        (5.0, {"most": 5}, "met"),
        (5.1, {"most": 5}, "**missed**: a reason"),
        (48.0, {"least": 48}, "met"),
        (47.9, {"least": 48}, "**missed**: a reason"),
        (5.0, {}, ""),
    ],
)
def test_a_finding_says_whether_its_promise_was_kept(value, promise, verdict):
    assert Finding("page", value, why="a reason", **promise).verdict(MACHINE) == verdict


def test_a_miss_on_a_busy_machine_says_so():
    busy = Machine({}, {"ORM write": 1.5}, load=12.0)

    assert "a load of 12.0" in Finding("page", 6, most=5).verdict(busy)


@pytest.mark.parametrize(
    ("finding", "verdict"),
    [
        (Finding("page", 12, most=5), "**missed**: at the pace of the budgets 6 ms"),
        (
            Finding("page", 12, most=5, why="cold"),
            "**missed**: cold; at the pace of the budgets 6 ms",
        ),
        (Finding("page", 12, "kB", most=5), "**missed**: for no reason that the run shows"),
    ],
)
def test_a_miss_on_a_slow_machine_says_what_it_would_be_on_that_of_the_budgets(finding, verdict):
    assert finding.verdict(Machine({}, {"ORM write": 3.0}, load=0)) == verdict


def test_a_time_is_told_as_a_multiple_of_a_unit_of_the_same_run():
    finding = Finding("page", 5.0, most=4, ratio_to="ORM write", beside="7 queries")

    text = report.page("Today.", [finding], MACHINE)

    assert "| page | ≤ 4 ms | 5 ms (2.5 × ORM write; 7 queries) | **missed**" in text
    assert "| Cores | 2 |" in text
    assert json.loads(report.as_json([finding], MACHINE))["findings"][0]["is_met"] is False


def test_a_new_table_leaves_the_words_around_it(tmp_path):
    document = tmp_path / "performance.md"
    document.write_text("Before.\n<!-- bench -->\nold\n<!-- /bench -->\nAfter.\n")

    report.keep(document, "new")

    assert document.read_text() == "Before.\n<!-- bench -->\nnew\n<!-- /bench -->\nAfter.\n"


def test_a_page_without_a_place_for_the_table_is_left_alone(tmp_path):
    document = tmp_path / "performance.md"
    document.write_text("Before.\n<!-- bench -->\nAfter.\n")

    with pytest.raises(ValueError, match="no place"):
        report.keep(document, "new")
    assert document.read_text() == "Before.\n<!-- bench -->\nAfter.\n"


def test_numbers_come_cell_by_cell_from_the_phones_of_their_sides():
    sheet = Sheet("key", 1, "bauernstoss", 10, "AB", ["lena", "kofi", "felix", "nora"])

    entered = [sheet.next_entry() for _ in range(4)]

    assert [entry.place for entry in entered] == ["11.A", "11.B", "12.A", "12.B"]
    assert [entry.value for entry in entered] == [1, 0, 0, 1]
    assert [entry.seat for entry in entered] == [2, 3, 0, 1]


def test_pages_come_back_by_the_times_of_their_script():
    times = Times.of_the_script()

    assert 0 < times.retry_least < times.retry_first < times.retry_most
    assert 0 < times.probe[0] < times.probe[1] < times.poll


@pytest.mark.sqlite  # what is promised of one process
@pytest.mark.parametrize(
    ("part", "rows"),
    [
        (load, ["written → seen", "computing", "lost or refused"]),
        (entries, ["entries of one process", "computing for each"]),
        (streams, ["memory", "threads", "connections", "opened"]),
        (watchers, ["last byte at a watcher"]),
        (growth, ["a sheet", "the tables of a browser", "a group", "a number", "on the disk"]),
        (workers, ["1 worker: entries", "until its answer", "written → seen", "not seen"]),
        (page, ["somebody has seen", "a deal was written", "nobody", "`changes`", "queries"]),
    ],
    ids=["load", "entries", "streams", "watchers", "growth", "workers", "page"],
)
def test_a_part_measures_a_little_of_the_product(part, rows, prepared, tmp_path):
    findings = part.measure(Stage(tmp_path, prepared=prepared), TINY)

    assert all(any(row in finding.what for finding in findings) for row in rows)
    assert all(finding.value >= 0 for finding in findings)
    assert not any(finding.value for finding in findings if "lost or refused" in finding.what)
