"""Breaches and doubts: cells, rows with blanks, and what depends on the place of a row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import rules
from tests.rules.worked import codes, lawful_rows

BAUERNSTOSS = rules.find_game("bauernstoss")
BAUERNSCHNAPSEN = rules.find_game("bauernschnapsen")
SCHAFKOPF = rules.find_game("schafkopf")
SCHOOFKOPP = {"variation": "schoofkopp"}
DEUTSCHER = {"variation": "deutscher"}
FREE = {"free_numbers": True}

garbage = st.one_of(
    st.none(),
    st.integers(),
    st.booleans(),
    st.floats(),
    st.text(max_size=5),
    st.binary(max_size=3),
    st.lists(st.integers(), max_size=2),
)


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        pytest.param((2.5, 0), [("not-whole", "A")], id="half"),
        pytest.param((0, True), [("not-whole", "B")], id="true"),
        pytest.param(("3", 0), [("not-whole", "A")], id="text"),
        pytest.param((3.0, 0), [("not-whole", "A")], id="a float that is whole"),
        pytest.param((-1, 0), [("negative", "A")], id="negative"),
        pytest.param((-1, 2.5), [("negative", "A"), ("not-whole", "B")], id="each cell for itself"),
        pytest.param((None, "x"), [("not-whole", "B")], id="beside a blank"),
        pytest.param((), [("columns", None)], id="no cells"),
        pytest.param((1,), [("columns", None)], id="one cell"),
        pytest.param((1, 0, 0, 0), [("columns", None)], id="four cells"),
        pytest.param((1, 0, "x"), [("columns", None)], id="columns before cells"),
    ],
)
@pytest.mark.parametrize("house", [{}, FREE], ids=["game", "free"])
def test_check_refuses_a_cell_that_no_sheet_takes(entries, expected, house):
    verdict = BAUERNSTOSS.check(entries, house=house)

    assert verdict.status == "unlawful"
    assert [(breach.code, breach.column) for breach in verdict.breaches] == expected
    assert BAUERNSTOSS.completions(entries, house=house) == ()


@pytest.mark.parametrize("game", rules.all_games(), ids=lambda game: game.slug)
@pytest.mark.parametrize("house", [{}, FREE, {"line": 9999}, {"line": "none"}], ids=str)
@given(entries=st.lists(garbage, max_size=5), number=st.none() | st.integers(1, 3))
def test_check_says_something_about_whatever_is_written(game, house, entries, number):
    verdict = game.check(entries, house=house, number=number)

    assert verdict.status in {"lawful", "incomplete", "unlawful"}
    assert not (verdict.status == "lawful" and verdict.breaches)
    for finding in verdict.breaches + verdict.doubts:
        assert finding.message.endswith(".")
        assert finding.column is None or finding.column in game.columns
        assert all(isinstance(number, int | str) for number in finding.numbers.values())


@pytest.mark.parametrize(
    ("game", "house", "entries", "breaches"),
    [
        pytest.param(BAUERNSTOSS, {}, (3, None), [], id="a number the game pays"),
        pytest.param(BAUERNSTOSS, {}, (None, 0), [], id="a zero"),
        pytest.param(BAUERNSTOSS, {}, (None, None), [], id="blank"),
        pytest.param(BAUERNSTOSS, {}, (4, None), ["value"], id="4 marks"),
        pytest.param(BAUERNSTOSS, {}, (None, 21), ["value"], id="21 marks"),
        pytest.param(BAUERNSTOSS, FREE, (4, None), [], id="free numbers"),
        pytest.param(BAUERNSTOSS, SCHOOFKOPP, (16, None), ["value"], id="more than the line"),
        pytest.param(BAUERNSCHNAPSEN, {}, (7, None), ["value"], id="7 game points"),
        pytest.param(SCHAFKOPF, {}, (14, 14, 0, None), [], id="a Rufer"),
        pytest.param(SCHAFKOPF, {}, (0, 0, 0, None), [], id="three zeros"),
        pytest.param(SCHAFKOPF, {}, (6, 4, None, None), ["shape"], id="two numbers"),
        pytest.param(SCHAFKOPF, {}, (7, 7, 0, None), ["rufer-odd"], id="7-7-0"),
        pytest.param(SCHAFKOPF, {}, (7, 7, None, None), ["rufer-odd"], id="7-7"),
        pytest.param(SCHAFKOPF, {}, (38, 38, 0, None), ["value"], id="38-38-0"),
        pytest.param(SCHAFKOPF, {}, (14, 14, 14, None), ["alone-not-4"], id="14-14-14"),
        pytest.param(SCHAFKOPF, {}, (16, 16, 16, None), ["value"], id="16-16-16"),
        pytest.param(SCHAFKOPF, {}, (15, 0, 0, None), ["value"], id="15-0-0"),
        pytest.param(SCHAFKOPF, {}, (None, 7, None, None), ["value"], id="7"),
        pytest.param(SCHAFKOPF, {}, (None, None, 900, None), ["value"], id="900"),
    ],
)
def test_a_row_with_a_blank_is_incomplete_and_tells_why_nothing_completes_it(
    game, house, entries, breaches
):
    verdict = game.check(entries, house=house)

    assert verdict.status == "incomplete"
    assert codes(verdict.breaches) == breaches
    assert (game.completions(entries, house=house) == ()) == bool(breaches)


@pytest.mark.parametrize(
    ("house", "number", "entries", "status", "found"),
    [
        pytest.param({}, 1, (8, 0), "lawful", ["solo-in-round-1"], id="Small Solo first"),
        pytest.param({}, 1, (0, 12), "lawful", ["solo-in-round-1"], id="Big Solo first"),
        pytest.param({}, 1, (3, 0), "lawful", [], id="Schwarz first"),
        pytest.param({}, 2, (12, 0), "lawful", [], id="Big Solo second"),
        pytest.param({}, None, (12, 0), "lawful", [], id="Big Solo in an unknown round"),
        pytest.param({}, 1, (8, None), "incomplete", ["solo-in-round-1"], id="Solo, other blank"),
        pytest.param({}, 1, (None, 0), "incomplete", [], id="blank beside 0"),
        pytest.param({}, 1, (0, 0), "unlawful", ["nobody-scores"], id="0-0"),
        pytest.param(SCHOOFKOPP, 1, (0, 0), "lawful", ["tie-opening"], id="tied opening"),
        pytest.param(SCHOOFKOPP, None, (0, 0), "lawful", ["tie-opening"], id="tie, unknown round"),
        pytest.param(SCHOOFKOPP, 2, (0, 0), "unlawful", ["nobody-scores"], id="later tie"),
        pytest.param(SCHOOFKOPP, 1, (15, 0), "lawful", ["solo-in-round-1"], id="Lech Dich first"),
        pytest.param(SCHOOFKOPP, 2, (15, 0), "lawful", [], id="Lech Dich second"),
        pytest.param(SCHOOFKOPP, 1, (4, 0), "lawful", [], id="Schwarz first in Schoofkopp"),
        pytest.param(SCHOOFKOPP, 1, (3, 0), "unlawful", ["value"], id="3 before any total"),
        pytest.param(DEUTSCHER, 1, (9, 0), "lawful", [], id="every trick first in Deutscher"),
        pytest.param(DEUTSCHER, 7, (0, 0), "lawful", ["tie-carried"], id="tie in Deutscher"),
        pytest.param(DEUTSCHER, 7, (0, 3), "lawful", ["carried-mark"], id="3 in Deutscher"),
        pytest.param(DEUTSCHER, 7, (5, None), "incomplete", ["carried-mark"], id="5, other blank"),
        pytest.param(DEUTSCHER, 7, (None, 0), "incomplete", [], id="blank beside 0 in Deutscher"),
    ],
)
def test_bauernstoss_judges_by_the_round(house, number, entries, status, found):
    verdict = BAUERNSTOSS.check(entries, house=house, number=number)

    assert verdict.status == status
    assert codes(verdict.breaches + verdict.doubts) == found


@pytest.mark.parametrize(
    ("house", "totals", "entries", "status", "found"),
    [
        pytest.param(SCHOOFKOPP, (12, 5), (3, 0), "lawful", [], id="3 completes 12"),
        pytest.param(SCHOOFKOPP, (12, 5), (0, 3), "unlawful", ["value"], id="not for the other"),
        pytest.param(SCHOOFKOPP, (5, 12), (0, 3), "lawful", [], id="3 completes B's 12"),
        pytest.param(SCHOOFKOPP, (5, 5), (10, 0), "lawful", [], id="10 completes 5"),
        pytest.param(SCHOOFKOPP, (5, 5), (11, 0), "unlawful", ["value"], id="11 overshoots"),
        pytest.param(SCHOOFKOPP, (14, 5), (15, 0), "lawful", [], id="Lech Dich from any total"),
        pytest.param(SCHOOFKOPP, (15, 5), (3, 0), "unlawful", ["value"], id="after the line"),
        pytest.param(SCHOOFKOPP, None, (3, 0), "lawful", ["only-if-completes"], id="unknown"),
        pytest.param(SCHOOFKOPP, None, (3, None), "incomplete", ["only-if-completes"], id="open"),
        pytest.param(SCHOOFKOPP, None, (16, 0), "unlawful", ["value"], id="past the line"),
        pytest.param(SCHOOFKOPP | {"line": 16}, None, (16, 0), "lawful", ["only-if-completes"]),
        pytest.param(SCHOOFKOPP | {"line": 16}, (13, 0), (3, 0), "lawful", [], id="own line"),
        pytest.param(SCHOOFKOPP | {"line": 16}, (12, 0), (3, 0), "unlawful", ["value"]),
        pytest.param(SCHOOFKOPP | {"line": 16}, (12, 0), (15, 0), "lawful", [], id="15 stays"),
        pytest.param(SCHOOFKOPP | {"line": "none"}, (12, 0), (3, 0), "unlawful", ["value"]),
        pytest.param(SCHOOFKOPP | {"line": "none"}, None, (3, 0), "unlawful", ["value"]),
        pytest.param(SCHOOFKOPP | {"line": "none"}, None, (15, 0), "lawful", []),
        pytest.param(DEUTSCHER, (2, 0), (7, 0), "lawful", [], id="7 completes 2"),
        pytest.param(DEUTSCHER, (3, 0), (7, 0), "unlawful", ["value"], id="7 overshoots 3"),
        pytest.param(DEUTSCHER, None, (7, 0), "lawful", ["only-if-completes"], id="7, unknown"),
        pytest.param(DEUTSCHER, (6, 0), (3, 0), "lawful", ["carried-mark"], id="3 completes 6"),
        pytest.param(DEUTSCHER, (0, 0), (9, 0), "lawful", [], id="every trick"),
        pytest.param({}, (17, 0), (5, 0), "unlawful", ["value"], id="nothing completes in main"),
    ],
)
def test_bauernstoss_takes_what_exactly_completes_the_line(house, totals, entries, status, found):
    verdict = BAUERNSTOSS.check(entries, house=house, number=6, totals=totals)

    assert verdict.status == status
    assert codes(verdict.breaches + verdict.doubts) == found


def test_a_whole_match_in_the_first_round_of_schoofkopp_is_doubted_at_any_line():
    verdict = BAUERNSTOSS.check((20, 0), house=SCHOOFKOPP | {"line": 20}, number=1)

    assert (verdict.status, codes(verdict.doubts)) == ("lawful", ["solo-in-round-1"])


@pytest.mark.parametrize(
    ("house", "totals", "entries", "doubted"),
    [
        pytest.param({}, (0, 0), (36, 0), False, id="36 at 0-0"),
        pytest.param({}, (6, 6), (36, 0), True, id="36 at 6-6"),
        pytest.param({}, (5, 6), (36, 0), False, id="36 at 5-6"),
        pytest.param({}, (6, 5), (0, 36), False, id="36 at 6-5, by the other"),
        pytest.param({}, None, (36, 0), False, id="36, totals unknown"),
        pytest.param({}, None, (48, 0), True, id="48, totals unknown"),
        pytest.param({}, (0, 0), (48, 0), True, id="48 at 0-0"),
        pytest.param({}, (23, 23), (24, 0), False, id="24 needs no double"),
        pytest.param({}, (23, 23), (2, 0), False, id="2 needs no double"),
        pytest.param({}, (20, 20), (8, 0), True, id="8 at 20-20: 4 already won"),
        pytest.param({}, (19, 20), (8, 0), False, id="8 at 19-20"),
        pytest.param({}, (20, 20), (4, 0), False, id="4 may be a Bettler"),
        pytest.param({"bettler": 0}, (22, 22), (4, 0), True, id="4 without a Bettler at 22-22"),
        pytest.param({"bettler": 0}, (22, 21), (4, 0), False, id="4 without a Bettler at 22-21"),
        pytest.param({"zehner_gang": 8}, None, (64, 0), False, id="64, totals unknown"),
        pytest.param({"zehner_gang": 8}, (0, 0), (64, 0), True, id="64 at 0-0"),
        pytest.param({"line": 50}, None, (48, 0), False, id="48 to 50"),
        pytest.param({"line": 50}, (30, 30), (48, 0), True, id="48 to 50 at 30-30"),
        pytest.param({"line": 10}, None, (20, 0), True, id="20 to 10"),
        pytest.param({"line": 10}, None, (16, 0), False, id="16 to 10 is 8 doubled"),
        pytest.param({"line": "none"}, None, (192, 0), False, id="192 without a line"),
        pytest.param({"line": "none"}, (90, 90), (8, 0), False, id="8 without a line"),
        # 144 is a Farben-Gang doubled thrice: it cannot fail, so the losers called last.
        pytest.param({"line": 100}, (90, 20), (144, 0), False, id="144, losers at 20"),
        pytest.param({"line": 100}, (20, 90), (144, 0), True, id="144, losers at 90"),
        pytest.param({"line": 100}, (90, 20), (0, 144), True, id="144 to B, losers at 90"),
    ],
)
def test_bauernschnapsen_doubts_a_double_that_gained_nothing(house, totals, entries, doubted):
    verdict = BAUERNSCHNAPSEN.check(entries, house=house, totals=totals)

    assert verdict.status == "lawful"
    assert codes(verdict.doubts) == (["pointless-double"] if doubted else [])


def test_sixteen_numbers_of_bauernschnapsen_are_sensible_from_the_start():
    rows = lawful_rows(BAUERNSCHNAPSEN, (None, 0), {}, number=1, totals=(0, 0))

    sensible = [
        row[0] for row in rows if not BAUERNSCHNAPSEN.check(row, house={}, totals=(0, 0)).doubts
    ]
    assert sorted(sensible) == [1, 2, 3, 4, 6, 8, 9, 10, 12, 16, 18, 20, 24, 32, 36, 40]


@pytest.mark.parametrize(
    ("game", "entries", "code", "message", "column"),
    [
        (
            BAUERNSTOSS,
            (2, 1),
            "both-score",
            "Both sides have a number, 2 and 1; one side scores on a deal and the other enters 0.",
            None,
        ),
        (BAUERNSTOSS, (0, 4), "value", "No deal pays 4; it is one of 1, 2, 3, 8, 12.", "B"),
        (
            BAUERNSTOSS,
            (2.5, 0),
            "not-whole",
            "2.5 is not a whole number; the sheet takes 0, 1, 2 and so on.",
            "A",
        ),
        (
            BAUERNSTOSS,
            ("<b>", 0),
            "not-whole",
            "This is not a whole number; the sheet takes 0, 1, 2 and so on.",
            "A",
        ),
        (BAUERNSTOSS, (0, -3), "negative", "-3 is below zero; the sheet counts from 0 up.", "B"),
        (
            BAUERNSTOSS,
            (1,),
            "columns",
            "The row has 1 cells; this sheet has 2 columns.",
            None,
        ),
        (
            SCHAFKOPF,
            (0, 7, 7, 0),
            "rufer-odd",
            (
                "7 for two winners: they finish 2 above the losers for each unit, so the number is "
                "even; 7 units are entered as 14."
            ),
            None,
        ),
        (
            SCHAFKOPF,
            (0, 0, 15, 0),
            "alone-not-4",
            (
                "15 for one against three: winners finish 4 above the losers for each unit, so the "
                "number is a multiple of 4, such as 20."
            ),
            2,
        ),
        (
            SCHAFKOPF,
            (38, 38, 0, 0),
            "value",
            "No deal pays 38 here; the closest numbers: 36, 40.",
            None,
        ),
        (
            SCHAFKOPF,
            (15, 5, 5, 5),
            "no-zero",
            (
                "The lowest number is 5; everybody enters the units above the lowest player, so "
                "that player has 0."
            ),
            None,
        ),
        (
            SCHAFKOPF,
            (6, 4, 2, 0),
            "shape",
            "6, 4, 2, 0: the winners of a deal all enter the same number, the others 0.",
            None,
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and " " not in value else None,
)
def test_messages_name_what_is_there_and_what_the_rule_wants(game, entries, code, message, column):
    (breach,) = game.check(entries, house={}).breaches

    assert (breach.code, breach.message, breach.column) == (code, message, column)
    assert breach.message == breach.text % breach.numbers


@pytest.mark.parametrize(
    ("entries", "column"),
    [
        pytest.param((None, 7, None, None), 1, id="the one number"),
        pytest.param((0, None, 15, 0), 2, id="beside zeros"),
        pytest.param((38, 38, None, None), None, id="two cells"),
        pytest.param((14, 14, 14, None), None, id="three cells"),
    ],
)
def test_a_breach_names_the_cell_only_where_one_stands_alone(entries, column):
    (breach,) = SCHAFKOPF.check(entries, house={}).breaches

    assert breach.column == column


@pytest.mark.parametrize(
    ("game", "row", "code", "message", "column"),
    [
        pytest.param(
            BAUERNSTOSS,
            {"entries": (0, 12), "house": {}, "number": 1},
            "solo-in-round-1",
            "12 is a Solo, and a Solo cannot be bid on the first deal.",
            "B",
        ),
        pytest.param(
            BAUERNSTOSS,
            {"entries": (0, 3), "house": SCHOOFKOPP, "number": None},
            "only-if-completes",
            "3 is only scored when it brings a side exactly to 15.",
            "B",
        ),
        pytest.param(
            BAUERNSTOSS,
            {"entries": (0, 0), "house": SCHOOFKOPP, "number": 1},
            "tie-opening",
            "0–0 stands for a first deal that was tied 60–60; nobody scores then.",
            None,
        ),
        pytest.param(
            BAUERNSTOSS,
            {"entries": (0, 0), "house": DEUTSCHER, "number": 3},
            "tie-carried",
            "0–0 stands for a deal that was tied 60–60 and is settled by the next.",
            None,
        ),
        pytest.param(
            BAUERNSTOSS,
            {"entries": (5, 0), "house": DEUTSCHER, "number": 3},
            "carried-mark",
            "5 is only scored when the mark of a tied deal is added to the next deal.",
            "A",
        ),
        pytest.param(
            BAUERNSCHNAPSEN,
            {"entries": (0, 48), "house": {}, "number": 3},
            "pointless-double",
            (
                "48 needs a double that gained nothing: whoever called it would have reached 24 "
                "without it."
            ),
            "B",
        ),
        pytest.param(
            SCHAFKOPF,
            {"entries": (0, 0, 0, 76), "house": {}, "number": 3},
            "runners-unlikely",
            "76 needs more runners than a Solo has been seen with.",
            3,
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and " " not in value else "",
)
def test_doubts_say_what_to_confirm(game, row, code, message, column):
    (doubt,) = game.check(**row).doubts

    assert (doubt.code, doubt.message, doubt.column) == (code, message, column)


def test_breaches_are_compared_and_hashed_by_value():
    first, again = (BAUERNSTOSS.check((4, 0), house={}).breaches[0] for _ in range(2))
    other = BAUERNSTOSS.check((5, 0), house={}).breaches[0]

    assert first == again
    assert first != other
    assert {first, again, other} == {first, other}


@given(row=st.tuples(*[st.integers(min_value=0)] * 4))
def test_every_complete_row_is_lawful_with_free_numbers(row):
    house = {"free_numbers": True}

    assert SCHAFKOPF.check(row, house=house) == rules.Verdict("lawful")
    assert SCHAFKOPF.completions(row, house=house) == (row,)


@pytest.mark.parametrize("entries", [(None, None), (None, 0), (17, None)])
def test_any_number_completes_a_row_with_free_numbers(entries):
    assert BAUERNSTOSS.completions(entries, house=FREE) is None
    assert BAUERNSTOSS.check(entries, house=FREE) == rules.Verdict("incomplete")
