"""Who wins how often over the months: facts of matches that can be checked by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import regulars
from games.regulars import Meeting, Played, Season, Team, members_at, seasons, true_gaps

BEGIN = datetime(2026, 3, 5, 20, tzinfo=UTC)


def played(*teams: tuple[str, int], won: str = "", hours: float = 0, table: int = 1) -> Played:
    """A match of sides such as ("lf", 20): one letter for each member. ``won`` are the winners."""
    return Played(
        table,
        "bauernstoss",
        BEGIN + timedelta(hours=hours),
        tuple(
            Team(tuple(members), Fraction(points), members in won.split())
            for members, points in teams
        ),
    )


# Lena and Felix against Kofi and Nora; then the partners change.
MATCHES = [
    played(("fl", 20), ("kn", 11), won="fl"),
    played(("fl", 9), ("kn", 21), won="kn", hours=1),
    played(("kl", 20), ("fn", 4), won="kl", hours=2),
    played(("fl", 6), ("kn", 3), hours=3),  # ended early, or still open
]


def told(records):
    return [(r.rank, "".join(r.members), r.won, r.played, r.points) for r in records]


def test_the_ranking_counts_who_sat_on_a_side_and_not_the_column():
    assert told(regulars.ranking(MATCHES)) == [
        (1, "k", 2, 4, 55),  # 11 + 21 + 20 + 3
        (1, "l", 2, 4, 55),  # 20 + 9 + 20 + 6
        (3, "f", 1, 4, 39),  # 20 + 9 + 4 + 6
        (3, "n", 1, 4, 39),  # 11 + 21 + 4 + 3
    ]


def test_partners_are_counted_as_they_sat_together():
    assert told(regulars.partners(MATCHES)) == [
        (1, "kl", 1, 1, 20),
        (2, "fl", 1, 3, 35),
        (2, "kn", 1, 3, 35),
        (4, "fn", 0, 1, 4),
    ]


def test_more_points_go_before_fewer_where_all_played_one_game():
    matches = [played(("a", 2), ("b", 5), ("c", 5), ("d", 9), won="d")]
    other = Played(2, "schafkopf", BEGIN, (Team(("d",), 1, won=False),))

    assert [(r.members[0], r.rank) for r in regulars.ranking(matches)] == [
        ("d", 1), ("b", 2), ("c", 2), ("a", 4),
    ]  # fmt: skip
    assert [(r.members[0], r.rank) for r in regulars.ranking([*matches, other])] == [
        ("d", 1), ("a", 2), ("b", 2), ("c", 2),
    ]  # fmt: skip


def test_whoever_needed_fewer_matches_for_as_many_wins_stands_before():
    matches = [played(("a", 2), ("b", 1), won="a"), played(("b", 2), ("c", 1), won="b", hours=1)]

    assert [r.members[0] for r in regulars.ranking(matches)] == ["a", "b", "c"]


@pytest.mark.parametrize(("won", "of", "share"), [(0, 3, 0), (1, 3, 33), (2, 3, 67), (3, 3, 100)])
def test_the_share_is_a_whole_number_of_a_hundred(won, of, share):
    assert regulars.Record(("a",), of, won, 0, 1).share == share


def test_head_to_head_counts_matches_that_one_won_and_the_other_lost():
    met = regulars.meetings(MATCHES)

    assert met["l"] == [Meeting("n", 2, 1), Meeting("k", 1, 1), Meeting("f", 1, 0)]
    assert met["n"] == [Meeting("l", 1, 2), Meeting("f", 1, 1), Meeting("k", 0, 1)]


def test_joint_winners_did_not_beat_one_another():
    match = played(("a", 7), ("b", 7), ("c", 0), ("d", 0), won="a b")

    met = regulars.meetings([match])

    assert met["a"] == [Meeting("c", 1, 0), Meeting("d", 1, 0)]
    assert met["c"] == [Meeting("a", 0, 1), Meeting("b", 0, 1)]


def test_a_match_nobody_won_is_played_and_beats_nobody():
    match = played(("a", 7), ("b", 3))

    assert told(regulars.ranking([match])) == [(1, "a", 0, 1, 7), (2, "b", 0, 1, 3)]
    assert regulars.meetings([match]) == {}
    assert not match.is_decided


names = st.sampled_from(["a", "b", "c", "d", "e"])


@st.composite
def any_match(draw):
    sides = draw(st.lists(names, min_size=2, max_size=4, unique=True))
    won = draw(st.sets(st.sampled_from(sides)))
    return played(*((side, draw(st.integers(0, 30))) for side in sides), won=" ".join(won))


@given(st.lists(any_match(), max_size=12))
def test_what_one_won_another_lost(matches):
    met = regulars.meetings(matches)
    found = {(me, one.other): (one.won, one.lost) for me, all_met in met.items() for one in all_met}

    assert all(found[you, me] == (lost, won) for (me, you), (won, lost) in found.items())
    records = regulars.ranking(matches)
    assert sum(r.played for r in records) == sum(len(match.teams) for match in matches)


def test_an_evening_goes_on_after_midnight_and_ends_before_the_next():
    late = played(("a", 2), ("b", 1), won="a", hours=5)  # one o'clock
    next_day = played(("a", 1), ("b", 2), won="b", hours=24)
    elsewhere = played(("a", 1), ("c", 2), hours=4, table=2)

    found = regulars.evenings([played(("a", 2), ("b", 1), won="a"), late, elsewhere, next_day])

    assert [(one.table, one.day, one.matches, one.undecided) for one in found] == [
        (1, date(2026, 3, 6), 1, 0),
        (1, date(2026, 3, 5), 2, 0),
        (2, date(2026, 3, 5), 1, 1),
    ]
    assert found[1].won == ((("a",), 2), (("b",), 0))


def test_years_are_to_be_chosen_from_and_months_of_a_single_one():
    march, may, last_year = date(2026, 3, 5), date(2026, 5, 1), date(2025, 5, 1)

    assert seasons([last_year, may, march]) == [Season(2026), Season(2025), Season()]
    assert seasons([march, may]) == [Season(2026), Season(2026, 5), Season(2026, 3)]
    assert seasons([march, march]) == seasons([]) == []


@pytest.mark.parametrize(
    ("season", "holds"),
    [
        (Season(), [True, True, True]),
        (Season(2026), [True, True, False]),
        (Season(2026, 3), [True, False, False]),
    ],
)
def test_a_season_holds_its_evenings(season, holds):
    days = [date(2026, 3, 31), date(2026, 4, 1), date(2025, 3, 31)]

    assert [season.holds(day) for day in days] == holds


@given(st.lists(st.integers(0, 500), min_size=1, max_size=4))
def test_true_gaps_keep_the_gaps_and_sum_to_nothing(totals):
    gaps = true_gaps(totals)

    assert sum(gaps) == 0
    assert all(
        mine - other == total - another
        for mine, total in zip(gaps, totals, strict=True)
        for other, another in zip(gaps, totals, strict=True)
    )


def test_a_name_that_was_put_together_with_another_is_its_member():
    assert members_at(["leni", "kofi"], {"leni": "lena"}) == {"leni": "lena", "kofi": "kofi"}


def test_two_who_sat_at_one_table_stay_two():
    assert members_at(["leni", "lena"], {"leni": "lena"}) == {"leni": "leni", "lena": "lena"}
