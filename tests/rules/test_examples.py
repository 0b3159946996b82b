"""Every worked case of the games that the sheet can judge or add up."""

import pytest

from games import rules
from tests.rules.worked import codes, examples


@pytest.mark.parametrize("case", examples("check"), ids=lambda case: case["id"])
def test_check_gives_the_verdict_of_the_worked_case(case):
    game = rules.find_game(case["game"])

    verdict = game.check(
        case["entries"],
        house=case["house"],
        number=case.get("number"),
        totals=case.get("totals"),
    )

    expected = case["expected"]
    assert verdict.status == expected["verdict"]
    assert codes(verdict.breaches) == ([expected["breach"]] if expected["breach"] else [])
    assert codes(verdict.doubts) == expected["doubts"]


@pytest.mark.parametrize("case", examples("standing"), ids=lambda case: case["id"])
def test_standing_adds_up_the_worked_case(case):
    game = rules.find_game(case["game"])

    standing = game.standing(case["rows"], house=case["house"], start=case.get("start"))

    for name, expected in case["expected"].items():
        found = getattr(standing, name)
        assert (list(found) if isinstance(found, tuple) else found) == expected, name


@pytest.mark.parametrize("case", examples("check"), ids=lambda case: case["id"])
def test_settled_house_rules_judge_like_those_a_table_leaves_out(case):
    game = rules.find_game(case["game"])
    place = {"number": case.get("number"), "totals": case.get("totals")}

    verdict = game.check(case["entries"], house=game.house_rules(case["house"]), **place)

    assert verdict == game.check(case["entries"], house=case["house"], **place)


@pytest.mark.parametrize(
    ("first_dealer", "rounds_before", "thrown_in_before", "seat"),
    [
        pytest.param(0, 0, 0, 0, id="the first deal"),
        pytest.param(0, 1, 0, 1, id="after one row"),
        pytest.param(3, 1, 0, 0, id="round the table"),
        pytest.param(1, 0, 1, 2, id="a thrown-in hand passes the deal on"),
        pytest.param(2, 5, 2, 1, id="rows and thrown-in hands"),
    ],
)
def test_dealer_moves_on_with_rows_and_thrown_in_hands(
    first_dealer, rounds_before, thrown_in_before, seat
):
    assert rules.dealer(first_dealer, rounds_before, thrown_in_before) == seat


@pytest.mark.parametrize(
    "nonsense",
    [(4, 0, 0), (-1, 0, 0), (True, 0, 0), ("0", 0, 0), (0, -1, 0), (0, 0, -1), (0, 1.5, 0)],
    ids=str,
)
def test_dealer_refuses_nonsense(nonsense):
    with pytest.raises(ValueError, match="not"):
        rules.dealer(*nonsense)
