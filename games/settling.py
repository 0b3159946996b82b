"""Settling up: from what everybody won or lost to whole cents, and to the fewest payments.

Plain functions. People are known by any key; their order is that of the mapping, the order in
which the page lists them.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Who = TypeVar("Who")

SETTLED_EXACTLY = 12  # people with a balance; beyond them there may be a payment too many


class Payment(NamedTuple, Generic[Who]):
    """What one person pays another."""

    payer: Who
    payee: Who
    cents: int


def shared(amount: Fraction, people: Sequence[Who]) -> dict[Who, Fraction]:
    """An amount in equal shares.

    >>> shared(Fraction(5), ["Lena", "Felix"])["Felix"]
    Fraction(5, 2)
    """
    return {who: amount / len(people) for who in people}


def added(balances: Sequence[Mapping[Who, Fraction]]) -> dict[Who, Fraction]:
    """What everybody has after several balances, in the order in which they come up."""
    found: dict[Who, Fraction] = {}
    for balance in balances:
        for who, amount in balance.items():
            found[who] = found.get(who, Fraction(0)) + amount
    return found


def whole_cents(balance: Mapping[Who, Fraction]) -> dict[Who, int]:
    """A balance that sums to zero, in whole cents that sum to zero.

    Everybody gets their amount rounded down, which is a cent more to pay for a loser; the cents
    that are then left go to those who lost most by it, and among equals to who is listed first.

    >>> whole_cents({"Lena": Fraction(-25, 2), "Kofi": Fraction(25, 2)})
    {'Lena': -12, 'Kofi': 12}
    """
    down = {who: floor(amount) for who, amount in balance.items()}
    left = -sum(down.values())
    by_loss = sorted(balance, key=lambda who: down[who] - balance[who])
    first = set(by_loss[:left])
    return {who: cents + (who in first) for who, cents in down.items()}


def payments(balance: Mapping[Who, int]) -> list[Payment[Who]]:
    """The fewest payments that settle a balance of whole cents, which sums to zero.

    People fall into groups that settle among themselves, and a group of n takes n - 1 payments:
    so the more groups, the fewer payments. For up to twelve people the most groups are found.
    """
    owed = {who: cents for who, cents in balance.items() if cents}
    groups = _most_groups(owed) if len(owed) <= SETTLED_EXACTLY else [list(owed)]
    order = {who: place for place, who in enumerate(balance)}
    found = [one for group in groups for one in _settle_group({who: owed[who] for who in group})]
    return sorted(found, key=lambda one: (order[one.payer], order[one.payee]))


def _most_groups(owed: Mapping[Who, int]) -> list[list[Who]]:
    """As many groups as there can be, each of which sums to zero.

    People are put in a row one by one; whenever the row so far sums to zero, a group is complete.
    ``most`` is the highest count of such moments for every set of people, whatever their order.
    """
    people = list(owed)
    everybody = (1 << len(people)) - 1
    sums, most, last = [0], [0], [0]
    for row in range(1, everybody + 1):
        lowest = (row & -row).bit_length() - 1
        sums.append(sums[row & (row - 1)] + owed[people[lowest]])
        members = [place for place in range(len(people)) if row >> place & 1]
        best = max(members, key=lambda place: most[row ^ 1 << place])
        last.append(best)
        most.append(most[row ^ 1 << best] + (sums[row] == 0))
    groups: list[list[Who]] = []
    row = everybody
    while row:
        if sums[row] == 0:
            groups.append([])
        groups[-1].append(people[last[row]])
        row ^= 1 << last[row]
    return groups


def _settle_group(owed: Mapping[Who, int]) -> list[Payment[Who]]:
    """Who owes most pays whom most is owed, until nobody owes anything."""
    left = dict(owed)
    found = []
    while any(left.values()):
        payer = min(left, key=lambda who: left[who])
        payee = max(left, key=lambda who: left[who])
        cents = min(-left[payer], left[payee])
        left[payer] += cents
        left[payee] -= cents
        found.append(Payment(payer, payee, cents))
    return found
