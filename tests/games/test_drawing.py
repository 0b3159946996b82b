"""Where the lines of a chart lie, and the strokes on the slate."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from games import access
from games.drawing import BOTTOM, HEIGHT, LABEL_HEIGHT, LEFT, chart_of, running_chart
from games.kept import load_sheet
from games.slate import DRAWN_AT_MOST, FIVE, HEADS, tallies
from tests.games.helpers import fill, make_table, match_of

if TYPE_CHECKING:
    from games.sheet import Sheet


def sheet_of(rows, house=None) -> Sheet:
    table = make_table(house=house)
    fill(table, rows)
    match = match_of(table)
    return load_sheet(match, access.sides_of(match))


# ---- the chart ----


def corners(path: str) -> list[tuple[float, float]]:
    """The corners of a path of level and upright steps."""
    x, y = map(float, path[1:].split("H", maxsplit=1)[0].split())
    found = [(x, y)]
    for letter, number in re.findall(r"([HV])([\d.-]+)", path):
        x, y = (float(number), y) if letter == "H" else (x, float(number))
        found.append((x, y))
    return found


def test_a_total_steps_up_where_its_deal_ends():
    chart = chart_of([(3, 0), (0, 5)], "AB", line=10, decided_in=None)
    first, second = (corners(trace.path) for trace in chart.traces)
    base, width = HEIGHT - BOTTOM, float(chart.right) - LEFT

    assert [x for x, _ in first] == pytest.approx(
        [LEFT - 1, LEFT + width / 2 - 1, LEFT + width / 2 - 1, LEFT + width - 1], abs=0.1
    )
    assert first[0][1] == pytest.approx(base - 1, abs=0.1)
    assert first[1][1] > first[2][1] == first[3][1]
    assert [x for x, _ in second][1] == pytest.approx(LEFT + width + 1, abs=0.1)
    assert chart.line is not None
    assert float(chart.line.y) < first[3][1]


def test_an_evening_runs_below_nothing_and_says_where_that_is():
    chart = running_chart([(0, 0), (-12, 12), (-28, 28)], "AB", ["−28", "+28"])
    first, second = (corners(trace.path) for trace in chart.traces)
    levels = {level.points: float(level.y) for level in chart.levels}

    assert [trace.total for trace in chart.traces] == ["−28", "+28"]
    assert list(levels) == ["−20", 0, 20]
    assert levels["−20"] > levels[0] > levels[20]
    assert first[0][1] == pytest.approx(levels[0] - 1, abs=0.1)
    assert first[-1][1] == pytest.approx(HEIGHT - BOTTOM - 1, abs=0.1)
    assert second[-1][1] < levels[20]


def test_an_evening_that_never_went_below_nothing_stands_on_the_base():
    chart = running_chart([(0, 0), (1, 0), (2, 0)], "AB", ["2", "0"])

    assert [level.points for level in chart.levels] == [1, 2]
    assert corners(chart.traces[1].path)[-1][1] == pytest.approx(HEIGHT - BOTTOM + 1, abs=0.1)
    assert [tick.number for tick in chart.ticks] == [1, 2]


def test_an_evening_without_any_gain_is_a_level_line():
    chart = running_chart([(0, 0), (0, 0)], "AB", ["0", "0"])

    assert len({y for trace in chart.traces for _x, y in corners(trace.path)}) == 2


def test_level_lines_lie_beside_one_another():
    chart = chart_of([(2, 2, 0, 0), (0, 0, 2, 2)], "ABCD", line=None, decided_in=None)
    ends = [corners(trace.path)[-1] for trace in chart.traces]

    assert len({y for _, y in ends}) == 4
    assert len({trace.dash for trace in chart.traces}) == 4


@pytest.mark.parametrize("totals", [(4, 4, 4, 4), (0, 0, 0, 0), (40, 39, 1, 0), (9, 9, 8, 0)])
def test_end_labels_do_not_touch_and_stay_inside(totals):
    chart = chart_of([totals], "ABCD", line=None, decided_in=None)
    heights = sorted(float(trace.label_y) for trace in chart.traces)

    assert min(b - a for a, b in pairwise(heights)) >= LABEL_HEIGHT
    assert heights[0] >= 8
    assert heights[-1] <= HEIGHT - 8


def test_blank_is_a_hole_and_0_is_none():
    chart = chart_of([(None, 0), (0, 2), (3, None)], "AB", line=None, decided_in=None)

    assert [len(trace.open) for trace in chart.traces] == [1, 1]


def test_deals_after_the_line_go_on_as_another_line():
    rows = [(3, 0), (3, 0), (0, 2)]
    over = chart_of(rows, "AB", line=6, decided_in=2)
    still = chart_of(rows, "AB", line=7, decided_in=None)

    assert [trace.total for trace in over.traces] == [6, 0]
    assert all(trace.rest for trace in over.traces)
    assert over.decided_x
    assert not any(trace.rest for trace in still.traces)
    assert not still.decided_x


@pytest.mark.parametrize(
    ("deals", "ticks"),
    [
        (1, [1]),
        (2, [1, 2]),
        (8, [1, 2, 3, 4, 5, 6, 7, 8]),
        (9, [2, 4, 6, 8]),
        (60, [10, 20, 30, 40, 50, 60]),
        (300, [50, 100, 150, 200, 250, 300]),
    ],
)
def test_deals_are_numbered_as_far_as_there_is_room(deals, ticks):
    chart = chart_of([(1, 0)] * deals, "AB", line=None, decided_in=None)

    assert [tick.number for tick in chart.ticks] == ticks


def test_free_numbers_fit_as_well():
    chart = chart_of([(9999, 0), (0, 12)], "AB", line=None, decided_in=None)
    xs = [x for trace in chart.traces for x, _ in corners(trace.path)]

    assert float(chart.traces[0].text_x) + 4 * 9 <= chart.width
    assert max(xs) <= float(chart.right) + 2
    assert [level.points for level in chart.levels] == [5000]


# ---- the slate ----


@pytest.mark.django_db
@pytest.mark.parametrize("total", [(0, 3), (2, 0), (0, 12)])
def test_marks_are_strokes_in_fives(total):
    sheet = sheet_of([total])

    first, second = tallies(sheet)

    assert [len(first.fives), len(second.fives)] == list(total)
    assert (first.head_count, first.more) == (0, 0)
    assert (first.width, first.height) == (second.width, first.height)


@pytest.mark.django_db
def test_the_fifth_stroke_goes_across_the_other_four():
    strokes = tallies(sheet_of([(8, 0)]))[0].fives
    wide = [_width(stroke) for stroke in strokes]

    assert [width > 40 for width in wide] == [False] * 4 + [True] + [False] * 3


def _width(stroke: str) -> int:
    x, _y, _qx, _qy, last, _ly = map(int, re.findall(r"-?\d+", stroke))
    return abs(last - x)


@pytest.mark.django_db
def test_a_slate_has_room_for_so_many():
    house = {"free_numbers": True, "line": "none"}

    first, second = tallies(sheet_of([(DRAWN_AT_MOST + 12, 7)], house=house))

    assert (len(first.fives), first.more) == (DRAWN_AT_MOST, 12)
    assert first.width == second.width
    assert first.height > second.height


@pytest.mark.django_db
@pytest.mark.parametrize(("variation", "line"), [("schoofkopp", 15), ("deutscher", 9)])
def test_a_finished_head_is_the_line(variation, line):
    sheet = sheet_of([(4, 0), (0, 2)], house={"variation": variation})

    assert len(HEADS[variation]) == line == sheet.line
    assert [(len(t.head), t.head_count, len(t.fives)) for t in tallies(sheet)] == [
        (4, line, 0),
        (2, line, 0),
    ]


@pytest.mark.django_db
def test_marks_beyond_the_head_are_strokes_again():
    rows = [(4, 0), (4, 0), (4, 0), (2, 0), (4, 0)]  # 18 of 15

    first = tallies(sheet_of(rows, house={"variation": "schoofkopp"}))[0]

    assert (len(first.head), len(first.missing), len(first.fives), first.count) == (15, 0, 3, 18)


@pytest.mark.django_db
def test_to_another_line_there_is_no_head():
    first = tallies(sheet_of([(4, 0)], house={"variation": "schoofkopp", "line": 20}))[0]

    assert (first.head_count, len(first.fives)) == (0, 4)
    assert len(first.fives) < FIVE
