"""Which numbers a complete row can hold: exactly those listed, under every variation."""

import pytest

from games import rules
from tests.rules.worked import BAUERNSCHNAPSEN_HOUSES, ROWS, SCHAFKOPF_HOUSES, codes, lawful_rows

SHAPES = {
    "pair": [
        lambda v: (v, v, 0, 0),
        lambda v: (v, 0, v, 0),
        lambda v: (v, 0, 0, v),
        lambda v: (0, v, v, 0),
        lambda v: (0, v, 0, v),
        lambda v: (0, 0, v, v),
    ],
    "lone_win": [
        lambda v: (v, 0, 0, 0),
        lambda v: (0, v, 0, 0),
        lambda v: (0, 0, v, 0),
        lambda v: (0, 0, 0, v),
    ],
    "lone_loss": [
        lambda v: (0, v, v, v),
        lambda v: (v, 0, v, v),
        lambda v: (v, v, 0, v),
        lambda v: (v, v, v, 0),
    ],
}
BEYOND_EVERY_NUMBER = 900


def lawful_values(game, house, row_of):
    """The numbers a row can hold without a doubt, and those with one, by its codes."""
    plain, doubted = [], {}
    for value in range(BEYOND_EVERY_NUMBER):
        verdict = game.check(row_of(value), house=house)
        if verdict.status == "lawful":
            if verdict.doubts:
                doubted[value] = codes(verdict.doubts)
            else:
                plain.append(value)
    return plain, doubted


@pytest.mark.parametrize("variation", ROWS["bauernstoss"])
@pytest.mark.parametrize("row_of", [lambda v: (v, 0), lambda v: (0, v)], ids=["A", "B"])
def test_bauernstoss_pays_exactly_the_listed_marks(variation, row_of):
    game = rules.find_game("bauernstoss")
    listed = ROWS["bauernstoss"][variation]

    plain, doubted = lawful_values(game, {"variation": variation}, row_of)

    assert plain == listed["values"]
    assert game.line({"variation": variation}) == listed["line"]
    assert (
        doubted
        == {
            "main": {},
            "schoofkopp": {
                0: ["tie-opening"],
                **{marks: ["only-if-completes"] for marks in (3, *range(5, 15))},
            },
            "deutscher": {
                0: ["tie-carried"],
                **{marks: ["carried-mark"] for marks in (3, 5)},
                **{marks: ["only-if-completes"] for marks in (6, 7, 8)},
            },
        }[variation]
    )


@pytest.mark.parametrize("variation", BAUERNSCHNAPSEN_HOUSES)
@pytest.mark.parametrize("row_of", [lambda v: (v, 0), lambda v: (0, v)], ids=["A", "B"])
def test_bauernschnapsen_pays_exactly_the_listed_game_points(variation, row_of):
    listed = ROWS["bauernschnapsen"][variation]
    pointless = [value for value in (48, 72, 80, 96, 144, 192) if value in listed]

    plain, doubted = lawful_values(
        rules.find_game("bauernschnapsen"), BAUERNSCHNAPSEN_HOUSES[variation], row_of
    )

    assert sorted([*plain, *doubted]) == listed
    assert doubted == {value: ["pointless-double"] for value in pointless}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("variation", SCHAFKOPF_HOUSES)
def test_schafkopf_pays_exactly_the_listed_units_in_any_seats(variation, shape):
    game = rules.find_game("schafkopf")
    listed = ROWS["schafkopf"][variation][shape]

    for row_of in SHAPES[shape]:
        plain, doubted = lawful_values(game, SCHAFKOPF_HOUSES[variation], row_of)

        assert plain == listed["values"]
        assert doubted == {value: ["runners-unlikely"] for value in listed["doubtful"]}


@pytest.mark.parametrize(
    ("house", "certain", "doubtful"),
    [
        pytest.param({}, 534, 64, id="main"),
        pytest.param({"geier": True, "suit_geier": True, "bettel": 5}, 534, 64, id="Geier, Bettel"),
        pytest.param({"ramsch": 1}, 546, 64, id="Ramsch"),
        pytest.param({"ramsch": 1, "ramsch_doubles": False}, 538, 64, id="Ramsch, not doubled"),
        pytest.param({"short": True}, 462, 68, id="Short"),
    ],
)
def test_schafkopf_has_the_counted_patterns(house, certain, doubtful):
    game = rules.find_game("schafkopf")

    rows = lawful_rows(game, (None,) * 4, house)

    doubts = [row for row in rows if game.check(row, house=house).doubts]
    assert (len(rows) - len(doubts), len(doubts)) == (certain, doubtful)
    assert len(set(rows)) == len(rows)
    assert rows[-len(doubts) :] == tuple(doubts)  # what is doubtful is offered last


@pytest.mark.parametrize(
    ("variation", "definite"), [("main", 10), ("schoofkopp", 8), ("deutscher", 8)]
)
def test_bauernstoss_has_the_counted_patterns(variation, definite):
    game = rules.find_game("bauernstoss")
    house = {"variation": variation}

    rows = lawful_rows(game, (None, None), house, number=2)

    assert sum(not game.check(row, house=house, number=2).doubts for row in rows) == definite


@pytest.mark.parametrize(
    ("house", "row", "status"),
    [
        pytest.param({"bettel": 7}, (28, 0, 0, 0), "lawful", id="Bettel at 7 won"),
        pytest.param({"bettel": 1}, (4, 0, 0, 0), "lawful", id="Bettel at 1 won"),
        pytest.param({"bettel": 1}, (0, 4, 4, 4), "lawful", id="Bettel at 1 lost"),
        pytest.param({"bettel": 1}, (16, 0, 0, 0), "lawful", id="Bettel at 1, doubled twice"),
        pytest.param({"bettel": 19}, (76, 0, 0, 0), "lawful", id="Bettel pays what was doubtful"),
        pytest.param({"ramsch": 3}, (12, 12, 0, 12), "lawful", id="Ramsch at 3"),
        pytest.param({"ramsch": 3}, (12, 0, 0, 0), "unlawful", id="nobody wins a Ramsch alone"),
        pytest.param({"ramsch": 19}, (608, 608, 608, 0), "lawful", id="Ramsch doubled three times"),
        pytest.param(
            {"ramsch": 1, "ramsch_doubles": False}, (8, 8, 8, 0), "unlawful", id="Ramsch undoubled"
        ),
        pytest.param({"short": True}, (832, 0, 0, 0), "unlawful", id="no Sie in Short"),
        pytest.param({}, (0, 832, 832, 832), "unlawful", id="a Sie is not lost"),
    ],
)
def test_schafkopf_takes_what_the_house_rules_pay(house, row, status):
    verdict = rules.find_game("schafkopf").check(row, house=house)

    assert (verdict.status, verdict.doubts) == (status, ())
