"""Who deals (rules.md 1.1, 2.3.13)."""

from games.rules.vocabulary import is_whole

SEATS_AT_A_TABLE = 4


def dealer(first_dealer: int, rounds_before: int, thrown_in_before: int) -> int:
    """The seat, 0 to 3 clockwise, that gives the next deal.

    Every round and every thrown-in hand since ``first_dealer`` dealt passes the deal on.
    Raises ``ValueError`` if that is not a seat, or for a count that is not a whole number from 0.

    >>> dealer(2, 5, 1)
    0
    """
    if not is_whole(first_dealer) or not 0 <= first_dealer < SEATS_AT_A_TABLE:
        raise ValueError(f"The first dealer sits on seat 0 to 3, not on {first_dealer!r}.")
    for count in (rounds_before, thrown_in_before):
        if not is_whole(count) or count < 0:
            raise ValueError(f"Deals are counted from 0 up, not as {count!r}.")
    return (first_dealer + rounds_before + thrown_in_before) % SEATS_AT_A_TABLE
