"""The lawful rows that agree with what is already written."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import rules
from games.rules.vocabulary import is_complete
from tests.rules.worked import lawful_rows

BAUERNSTOSS = rules.find_game("bauernstoss")
BAUERNSCHNAPSEN = rules.find_game("bauernschnapsen")
SCHAFKOPF = rules.find_game("schafkopf")

HOUSES: dict[str, list[dict[str, Any]]] = {
    "bauernstoss": [
        {},
        {"variation": "schoofkopp"},
        {"variation": "deutscher"},
        {"variation": "schoofkopp", "line": 22},
        {"variation": "deutscher", "line": "none"},
    ],
    "bauernschnapsen": [{}, {"bettler": 5, "zehner_gang": 8}, {"line": "none"}],
    "schafkopf": [{}, {"short": True, "suit_geier": True}, {"bettel": 3, "ramsch": 1}],
}
GAMES_AND_HOUSES = [(game, house) for game in rules.all_games() for house in HOUSES[game.slug]]


@st.composite
def places(draw):
    """A game, a house and a row somewhere on its sheet, often with numbers that games pay."""
    game, house = draw(st.sampled_from(GAMES_AND_HOUSES))
    cell = st.none() | st.sampled_from([0, 1, 2, 3, 4, 7, 8, 12, 14, 15, 20, 24, 36, 64, 76, 208])
    entries = draw(st.tuples(*[cell] * len(game.columns)))
    totals = draw(st.none() | st.tuples(*[st.integers(0, 30)] * len(game.columns)))
    return game, house, entries, {"number": draw(st.none() | st.integers(1, 4)), "totals": totals}


@given(place=places())
def test_every_completion_is_lawful_complete_and_agrees_with_the_row(place):
    game, house, entries, where = place

    ways = game.completions(entries, house=house, **where)

    assert len(set(ways)) == len(ways)
    for way in ways:
        assert is_complete(way)
        assert all(
            cell in {None, cell_of_way} for cell, cell_of_way in zip(entries, way, strict=True)
        )
        assert game.check(way, house=house, **where).status == "lawful"


@given(place=places())
def test_verdict_and_completions_say_the_same(place):
    game, house, entries, where = place

    verdict = game.check(entries, house=house, **where)

    ways = game.completions(entries, house=house, **where)
    if is_complete(entries):
        assert ways == ((entries,) if verdict.status == "lawful" else ())
    else:
        assert verdict.status == "incomplete"
    assert bool(verdict.breaches) == (ways == ())
    for doubt in verdict.doubts:
        for way in ways:
            assert doubt.code in {d.code for d in game.check(way, house=house, **where).doubts}


@given(place=places(), column=st.integers(0, 3))
def test_no_lawful_row_is_missed(place, column):
    game, house, entries, where = place
    blanked = list(entries)
    blanked[column % len(entries)] = None

    if is_complete(entries) and game.check(entries, house=house, **where).status == "lawful":
        assert entries in game.completions(blanked, house=house, **where)


@pytest.mark.parametrize(
    ("game", "house", "entries", "where", "ways"),
    [
        pytest.param(
            BAUERNSTOSS,
            {},
            (None, None),
            {},
            "1-0 0-1 2-0 0-2 3-0 0-3 8-0 0-8 12-0 0-12",
            id="Bauernstoss, blank",
        ),
        pytest.param(BAUERNSTOSS, {}, (0, None), {}, "0-1 0-2 0-3 0-8 0-12", id="other scores"),
        pytest.param(BAUERNSTOSS, {}, (3, None), {}, "3-0", id="this side scored"),
        pytest.param(BAUERNSTOSS, {}, (None, 8), {"number": 1}, "0-8", id="a doubted Solo"),
        pytest.param(BAUERNSTOSS, {}, (None, 4), {}, "", id="a number nobody is paid"),
        pytest.param(BAUERNSTOSS, {}, (2, 1), {}, "", id="both score"),
        pytest.param(
            BAUERNSTOSS,
            {"variation": "schoofkopp"},
            (None, 0),
            {"number": 1},
            "1-0 2-0 4-0 0-0 15-0",
            id="opening of Schoofkopp",
        ),
        pytest.param(
            BAUERNSTOSS,
            {"variation": "schoofkopp"},
            (None, None),
            {"number": 5, "totals": (12, 5)},
            "1-0 0-1 2-0 0-2 4-0 0-4 15-0 0-15 3-0 0-10",
            id="each side's own missing marks",
        ),
        pytest.param(
            BAUERNSTOSS,
            {"variation": "schoofkopp"},
            (None, 0),
            {"number": 5},
            "1-0 2-0 4-0 15-0 3-0 5-0 6-0 7-0 8-0 9-0 10-0 11-0 12-0 13-0 14-0",
            id="unknown totals",
        ),
        pytest.param(
            BAUERNSTOSS,
            {"variation": "schoofkopp"},
            (0, None),
            {"number": 9, "totals": (4, 16)},
            "0-1 0-2 0-4 0-15",
            id="past the line nothing completes",
        ),
        pytest.param(
            BAUERNSTOSS,
            {"variation": "schoofkopp", "line": "none"},
            (None, 0),
            {"number": 5},
            "1-0 2-0 4-0 15-0",
            id="without a line nothing completes",
        ),
        pytest.param(
            BAUERNSTOSS,
            {"variation": "deutscher"},
            (None, 0),
            {"number": 5, "totals": (2, 0)},
            "1-0 2-0 4-0 0-0 9-0 3-0 5-0 7-0",
            id="Deutscher",
        ),
        pytest.param(
            BAUERNSCHNAPSEN,
            {},
            (None, 0),
            {},
            "1-0 2-0 3-0 4-0 6-0 9-0 10-0 12-0 18-0 24-0 8-0 20-0 36-0 48-0 16-0 40-0 72-0 96-0 "
            "32-0 80-0 144-0 192-0",
            id="undoubled first",
        ),
        pytest.param(SCHAFKOPF, {}, (14, 14, 0, None), {}, "14-14-0-0", id="a Rufer"),
        pytest.param(
            SCHAFKOPF,
            {},
            (14, None, None, None),
            {},
            "14-14-0-0 14-0-14-0 14-0-0-14",
            id="one winner of a Rufer",
        ),
        pytest.param(
            SCHAFKOPF,
            {},
            (20, None, 0, None),
            {},
            "20-20-0-20 20-0-0-0 20-20-0-0 20-0-0-20",
            id="a Solo rather than a long Rufer",
        ),
        pytest.param(SCHAFKOPF, {}, (None, 208, 208, 208), {}, "0-208-208-208", id="three winners"),
        pytest.param(SCHAFKOPF, {}, (None, 832, 832, 832), {}, "", id="a Sie is not lost"),
        pytest.param(
            SCHAFKOPF, {}, (84, None, None, 0), {}, "84-84-84-0 84-0-0-0", id="doubtful ones too"
        ),
    ],
)
def test_completions_list_the_most_usual_first(game, house, entries, where, ways):
    expected = tuple(tuple(map(int, way.split("-"))) for way in ways.split())

    assert game.completions(entries, house=house, **where) == expected


def test_the_first_offers_of_a_blank_schafkopf_row_are_plain_rufers():
    rows = lawful_rows(SCHAFKOPF, (None,) * 4, {})

    assert rows[:7] == (
        (2, 2, 0, 0),
        (2, 0, 2, 0),
        (2, 0, 0, 2),
        (0, 2, 2, 0),
        (0, 2, 0, 2),
        (0, 0, 2, 2),
        (4, 4, 0, 0),
    )


def test_a_far_line_with_unknown_totals_lists_every_number_once():
    house = {"variation": "schoofkopp", "line": 9999}

    rows = lawful_rows(BAUERNSTOSS, (None, 0), house, number=7)

    assert rows[:4] == ((1, 0), (2, 0), (4, 0), (15, 0))
    assert sorted(row[0] for row in rows) == list(range(1, 10000))
