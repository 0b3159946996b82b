"""The story of a match, against sheets that were worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from games import access, story
from games.kept import load_sheet
from games.recap import facts_of, story_of
from games.story import Biggest, ChalkWay, Course, Gap, Moment, Most, Turn
from tests.games.helpers import fill, host_of, make_table, match_of

if TYPE_CHECKING:
    from games.rules.vocabulary import OpenRow
    from games.sheet import Sheet

# Totals: 1:0, 1:2, 1:10, 13:10, 16:10, 16:11, 18:11, 21:11.
COMEBACK: list[tuple[int | None, ...]] = [
    (1, 0),
    (0, 2),
    (0, 8),
    (12, 0),
    (3, 0),
    (0, 1),
    (2, 0),
    (3, 0),
]
# Totals: 2, 5, 6, 6:1, 8:1.
WIRE_TO_WIRE = [(2, 0), (3, 0), (1, 0), (0, 1), (2, 0)]
# Lena 0, Kofi 1, Felix 2, Nora 3. Totals after each: 14 14 0 0, 14 34 20 20, 16 34 22 20,
# 16 34 42 20, 16 74 42 20, 56 74 42 20.
FOUR = [
    (14, 14, 0, 0), (0, 20, 20, 20), (2, 0, 2, 0), (0, 0, 20, 0), (0, 40, 0, 0), (40, 0, 0, 0),
]  # fmt: skip


def two(*rows: OpenRow, chalk: tuple[int | None, ...] = ()) -> Course:
    return Course(2, rows, chalk)


def four(*rows: OpenRow) -> Course:
    return Course(4, rows)


def sheet_of(rows, game="bauernstoss", house=None, *, end=False) -> Sheet:
    table = make_table(game, house)
    fill(table, rows)
    if end:
        assert host_of(table).end().status_code == 303
    match = match_of(table)
    return load_sheet(match, access.sides_of(match))


# ---- the facts ----


def test_totals_count_a_blank_as_nothing():
    course = two((1, None), (None, None), (0, 2))

    assert course.totals == ((0, 0), (1, 0), (1, 0), (1, 2))
    assert course.leaders == (None, 0, 0, 1)


@pytest.mark.parametrize(
    ("course", "found"),
    [
        (two(*COMEBACK), Biggest(12, (4,), (0,))),
        (two((1, 0), (0, 8), (0, 8)), Biggest(8, (2, 3), (1,))),
        (two((1, 0), (8, 0), (0, 8)), Biggest(8, (2, 3), ())),
        (two((1, 0), (8, 0), (0, 8), (8, 0)), None),  # three of them are no news
        (two((2, 0), (0, 2), (2, 0)), None),  # nor is one like the other
        (two((0, 0), (2, 0)), None),
        (two((3, 0)), None),
        (two(), None),
        (four((2, 2, 0, 0), (0, 20, 20, 20)), Biggest(20, (2,), (1, 2, 3))),
        (four((2, 2, 0, 0), (None, 24, 0, 0)), Biggest(24, (2,), (1,))),
        (four((2, 2, 0, 0), (20, 20, 20, None)), Biggest(20, (2,), ())),  # against whom is open
        (two((150, 20), (33, 9000)), Biggest(9000, (2,), (1,))),
    ],
)
def test_the_biggest_deal_stands_out(course, found):
    assert story.biggest_deal(course) == found


@pytest.mark.parametrize(
    ("course", "found"),
    [
        (two(*COMEBACK), Turn(4, 1, 10)),
        (two((0, 3), (3, 0), (1, 0)), Turn(3, 3, 3)),  # from a level score
        (two((0, 3), (8, 0), (0, 8), (12, 0)), Turn(4, 8, 11)),  # the last of three
        (two((0, 3), (8, 0), (0, 5), (1, 0)), Turn(4, 8, 8)),  # caught up in between
        (two(*WIRE_TO_WIRE), None),  # nobody else was ever in front
        (two((0, 3), (3, 0)), None),  # nobody is in front
        (four(*FOUR), Turn(5, 34, 42)),
    ],
)
def test_the_turning_point_is_where_the_lead_came_for_good(course, found):
    assert story.turning_point(course) == found


@pytest.mark.parametrize(
    ("course", "found"),
    [
        (two(*COMEBACK), Moment(9, 3)),
        (two((0, 3), (8, 0), (0, 12), (12, 0)), Moment(7, 3)),
        (two((0, 1), (2, 0)), None),  # 1 is no distance
        (two(*WIRE_TO_WIRE), None),
        (two((0, 3), (3, 0)), None),
    ],
)
def test_how_far_the_winner_was_behind(course, found):
    assert story.comeback(course) == found


@pytest.mark.parametrize(
    ("course", "found"),
    [
        (two(*WIRE_TO_WIRE), 1),
        (two((0, 0), (2, 0), (1, 0)), 2),  # a tied deal first
        (two((1, 0), (0, 1), (3, 0), (1, 0)), None),  # was caught
        (two((0, 0), (0, 0), (2, 0)), None),  # the last deal alone is no lead
        (two((2, 0), (1, 0)), None),  # too short
        (two(*COMEBACK), None),
        (two(), None),
    ],
)
def test_who_was_always_in_front(course, found):
    assert story.led_throughout(course) == found


@pytest.mark.parametrize(
    ("course", "found"),
    [
        (two((3, 0), (2, 0)), 1),
        (two((0, 3), (0, 2)), 0),
        (two((3, 0)), None),
        (two((3, 0), (0, 1)), None),
        (four((14, 14, 0, 0), (2, 0, 2, 0)), None),
    ],
)
def test_who_came_away_with_nothing(course, found):
    assert story.shut_out(course) == found


@pytest.mark.parametrize(
    ("course", "found"),
    [
        (two(*WIRE_TO_WIRE), Most(0, 3)),
        (two((1, 0), (1, 0), (0, 1)), None),  # two are no run
        (two(*[(1, 0)] * 3, *[(0, 1)] * 3), None),  # shared
        (two((1, 0), (1, 0), (None, None), (1, 0)), None),  # an open deal breaks it
        (two((1, None), (1, 0), (1, 0)), Most(0, 3)),
        (four((2, 2, 0, 0), (2, 0, 2, 0), (2, 0, 0, 2)), Most(0, 3)),
    ],
)
def test_the_longest_run(course, found):
    assert story.longest_run(course) == found


@pytest.mark.parametrize(
    ("chalk", "found"),
    [
        ((0, 0, 1, 1, 0, 0, 1, 0), ChalkWay(4, 0)),
        ((None, 0, 1, 1, 0), ChalkWay(2, None)),  # held as long by both
        ((1, 1, 1), ChalkWay(0, 1)),
        ((1, None, 1, 1), ChalkWay(0, 1)),
        ((0, 1), None),
        ((None,) * 8, None),
        ((), None),
    ],
)
def test_how_the_chalk_went_round(chalk, found):
    assert story.chalk_way(two(*COMEBACK, chalk=chalk)) == found


@pytest.mark.parametrize(
    ("course", "found"),
    [
        (two((1, 0), (0, 2), (2, 0), (0, 3)), 3),
        (two((1, 0), (0, 1), (0, 2), (3, 0), (0, 1), (0, 2)), 3),  # level in between
        (two((1, 0), (0, 2), (2, 0)), None),
    ],
)
def test_how_often_the_lead_changed(course, found):
    assert story.lead_changes(course) == found


@pytest.mark.parametrize(
    ("course", "found"),
    [
        (two((1, 0), (0, 3), (2, 0), (1, 0)), Moment(3, 3)),
        (two((1, 0), (0, 1), (1, 0), (1, 0), (1, 0)), Moment(1, 2)),
        (two((1, 0), (0, 1), (1, 0), (1, 0), (1, 0), (1, 0)), None),  # long ago
        (two((1, 0), (0, 1)), None),  # at the end that is the result
        (two((0, 0), (1, 0), (1, 0)), None),
        (four((2, 2, 0, 0), (0, 0, 2, 2), (2, 0, 2, 0)), Moment(2, 2)),
    ],
)
def test_when_it_was_level_for_the_last_time(course, found):
    assert story.last_level(course) == found


def test_what_players_did():
    assert story.most_won(four(*FOUR)) is None  # Lena, Kofi and Felix three each
    assert story.most_won(four(*FOUR, (0, 2, 0, 2))) == Most(1, 4)
    assert story.won_alone(four(*FOUR)) is None  # Felix, Kofi and Lena once each
    assert story.won_alone(four(*FOUR, (0, 20, 0, 0))) == Most(1, 2)
    assert story.won_alone(four((20, None, 0, 0), (20, 0, 0, 0))) is None  # one is still open
    assert story.widest_gap(four(*FOUR)) == Gap(58, 1, 0, 5)
    assert story.widest_gap(four(*FOUR[:2])) is None
    assert story.widest_gap(four((2, 2, 0, 0), (2, 2, 0, 0), (2, 2, 0, 0))) is None


# ---- in words ----


def words(sheet: Sheet) -> list[tuple[str, str, str, str]]:
    return [(fact.label, fact.words, fact.shape, fact.name) for fact in facts_of(sheet)]


@pytest.mark.django_db
def test_a_match_of_two_sides_in_four_facts():
    table = make_table()
    assert host_of(table).post(".../chalk/", {"side": "A"}).status_code == 303
    fill(table, COMEBACK)
    match = match_of(table)

    sheet = load_sheet(match, access.sides_of(match))

    assert words(sheet) == [
        ("Biggest deal", "12 · Big Solo · deal 4", "A", "Lena & Felix"),
        ("Turning point", "deal 4, from 1 : 10 behind", "A", "Lena & Felix"),
        ("The chalk", "changed hands 4 times, longest with Lena & Felix", "", ""),
    ]


@pytest.mark.django_db
def test_a_match_to_nothing():
    sheet = sheet_of([(3, 0), (2, 0), (12, 0), (3, 0)])

    assert words(sheet) == [
        ("Biggest deal", "12 · Big Solo · deal 3", "A", "Lena & Felix"),
        ("Always in front", "from deal 1 on", "A", "Lena & Felix"),
        ("Came away with nothing", "", "B", "Kofi & Nora"),
        ("The chalk", "stayed with Lena & Felix", "", ""),
    ]


@pytest.mark.django_db
def test_a_sitting_of_four_players():
    sheet = sheet_of([*FOUR, (0, 20, 0, 0)], "schafkopf", end=True)

    assert words(sheet) == [
        ("Biggest deal", "40 · deals 5 and 6", "", ""),
        ("Turning point", "deal 5, from 8 behind", "B", "Kofi"),
        ("Most deals won", "4 of 7", "B", "Kofi"),
        ("Won alone most", "2 times", "B", "Kofi"),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("row", "who"),
    [
        ((0, 20, 20, 20), "against Lena"),
        ((14, 14, 0, 0), "Lena & Kofi"),
    ],
)
def test_a_big_deal_of_several_names_them_or_their_one_opponent(row, who):
    sheet = sheet_of([(2, 0, 2, 0), row], "schafkopf")

    assert words(sheet)[0] == ("Biggest deal", f"{max(row)} · deal 2 · {who}", "", "")


@pytest.mark.django_db
def test_while_a_match_is_played_the_turn_is_no_turning_point_yet():
    sheet = sheet_of(COMEBACK[:4])

    assert ("In front since", "deal 4, from 1 : 10 behind", "A", "Lena & Felix") in words(sheet)


@pytest.mark.django_db
def test_deals_after_the_line_tell_nothing():
    table = make_table()
    fill(table, COMEBACK)
    host = host_of(table)
    assert host.write_row(1, {"A": 12, "B": 0}, sure=1).status_code == 303  # 24 after deal 4
    match = match_of(table)

    course = story.course_of(load_sheet(match, access.sides_of(match)))

    assert course.rows == ((12, 0), (0, 2), (0, 8), (12, 0))


@pytest.mark.django_db
def test_a_sheet_without_an_entry_has_no_story():
    assert story_of(sheet_of([])) is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rows", "house", "said"),
    [
        (COMEBACK, None, "After 8 deals: Lena & Felix 21, Kofi & Nora 11. Line 20."),
        ([(3, 0)], {"line": "none"}, "After 1 deal: Lena & Felix 3, Kofi & Nora 0."),
    ],
)
def test_the_chart_is_told_to_those_who_do_not_see_it(rows, house, said):
    told = story_of(sheet_of(rows, house=house))

    assert told is not None
    assert told["described"] == said
