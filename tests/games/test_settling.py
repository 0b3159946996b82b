"""Settling up: whole cents, nothing lost, and the fewest payments there can be."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.settling import SETTLED_EXACTLY, Payment, added, payments, shared, whole_cents

PEOPLE = "ABCDEFGHIJKLMNOP"


def balances(people: int, amount: st.SearchStrategy[int]) -> st.SearchStrategy[dict[str, int]]:
    """Balances that sum to zero."""
    some = st.lists(amount, min_size=1, max_size=people - 1)
    return some.map(lambda cents: dict(zip(PEOPLE, [*cents, -sum(cents)], strict=False)))


FEW_VALUES = balances(8, st.integers(-4, 4))  # many groups that settle among themselves
ANY_VALUES = balances(8, st.integers(-(10**7), 10**7))


def partitions(people: list[str]) -> list[list[list[str]]]:
    """Every way to put people into groups."""
    if not people:
        return [[]]
    first, *rest = people
    found = []
    for way in partitions(rest):
        found.append([[first], *way])
        found += [[*way[:i], [first, *way[i]], *way[i + 1 :]] for i in range(len(way))]
    return found


def fewest(balance: dict[str, int]) -> int:
    """By brute force: people in as many groups as sum to zero, each with one payment fewer."""
    people = [who for who, cents in balance.items() if cents]
    ways = [
        way
        for way in partitions(people)
        if all(sum(balance[who] for who in one) == 0 for one in way)
    ]
    return len(people) - max(map(len, ways))


def after(balance: dict[str, int], paid: list[Payment[str]]) -> dict[str, int]:
    left = dict(balance)
    for one in paid:
        left[one.payer] += one.cents
        left[one.payee] -= one.cents
    return left


@given(st.one_of(FEW_VALUES, ANY_VALUES))
def test_payments_settle_exactly_and_are_never_more_than_people_less_one(balance):
    paid = payments(balance)

    assert set(after(balance, paid).values()) <= {0}
    assert len(paid) <= max(len(balance) - 1, 0)


@given(st.one_of(FEW_VALUES, ANY_VALUES))
def test_only_losers_pay_and_only_winners_are_paid(balance):
    for one in payments(balance):
        assert one.cents > 0
        assert balance[one.payer] < 0 < balance[one.payee]


@settings(max_examples=40)  # 4140 ways to put eight people into groups
@given(FEW_VALUES)
def test_no_settlement_has_fewer_payments(balance):
    assert len(payments(balance)) == fewest(balance)


def test_no_settlement_of_eight_has_fewer_payments():
    balance = dict(zip("ABCDEFGH", (-5, 9, -4, 3, -3, -7, 1, 6), strict=True))

    assert len(payments(balance)) == fewest(balance) == 5


@pytest.mark.parametrize(
    ("balance", "paid"),
    [
        ({}, []),
        ({"Lena": 0, "Kofi": 0}, []),
        ({"Lena": -5, "Kofi": 5}, [("Lena", "Kofi", 5)]),
        (
            {"Lena": 80, "Jonas": 260, "Felix": -60, "Nora": -280},
            [("Felix", "Lena", 60), ("Nora", "Lena", 20), ("Nora", "Jonas", 260)],
        ),
        (  # two pairs settle among themselves
            {"Lena": -30, "Kofi": 70, "Felix": 30, "Nora": -70},
            [("Lena", "Felix", 30), ("Nora", "Kofi", 70)],
        ),
    ],
)
def test_who_pays_whom(balance, paid):
    assert payments(balance) == paid


def test_more_people_than_can_be_tried_settle_all_the_same():
    balance = {who: 10 if place % 2 else -10 for place, who in enumerate(PEOPLE)}

    paid = payments(balance)

    assert len(balance) > SETTLED_EXACTLY
    assert set(after(balance, paid).values()) == {0}
    assert len(paid) < len(balance)


@given(st.lists(st.fractions(-1000, 1000, max_denominator=12), min_size=1, max_size=7))
def test_whole_cents_lose_nothing_and_are_less_than_a_cent_away(amounts):
    exact = dict(zip(PEOPLE, [*amounts, -sum(amounts)], strict=False))

    cents = whole_cents(exact)

    assert sum(cents.values()) == 0
    assert all(abs(cents[who] - exact[who]) < 1 for who in exact)
    assert all(cents[who] == exact[who] for who in exact if exact[who].denominator == 1)


def test_an_odd_cent_goes_to_whoever_is_nearest_to_it():
    exact = {"Lena": Fraction(-25, 2), "Kofi": Fraction(-1, 4), "Felix": Fraction(51, 4)}

    assert whole_cents(exact) == {"Lena": -13, "Kofi": 0, "Felix": 13}


def test_among_equals_who_is_listed_first_pays_the_cent_less_or_gets_the_cent_more():
    half = Fraction(25, 2)

    assert whole_cents({"Lena": half, "Kofi": -half, "Felix": half, "Nora": -half}) == {
        "Lena": 13, "Kofi": -12, "Felix": 12, "Nora": -13,
    }  # fmt: skip


def test_shares_are_equal_and_add_up_to_the_amount():
    lost = shared(Fraction(-25), ["Lena", "Felix"])

    assert lost == {"Lena": Fraction(-25, 2), "Felix": Fraction(-25, 2)}
    assert added([lost, lost, {"Kofi": Fraction(50)}]) == {"Lena": -25, "Felix": -25, "Kofi": 50}
