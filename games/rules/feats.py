"""What an evening counts of its deals: a Solo, a Schneider, won alone."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from games.rules.hand import Settlement
from games.rules.house import House
from games.rules.vocabulary import OpenRow


class Feat(NamedTuple):
    """One thing that a deal was, as a message, and the places of the columns that count it."""

    name: str
    places: tuple[int, ...]


Feats: TypeAlias = Callable[[OpenRow, House, Settlement | None], tuple[Feat, ...]]
Together: TypeAlias = Callable[[OpenRow], tuple[tuple[int, int], ...]]


def no_pairs(row: OpenRow) -> tuple[tuple[int, int], ...]:  # noqa: ARG001 -- as every game's
    """Nobody has a partner who changes from deal to deal."""
    return ()


def paid(row: OpenRow) -> tuple[int, ...]:
    """The places of the columns that a deal paid.

    >>> paid((14, None, 0, 14))
    (0, 3)
    """
    return tuple(place for place, cell in enumerate(row) if cell)


def plain_name(told: Settlement) -> str:
    """The name of a hand that was worked out, "" for one that only has its card points."""
    first = told.note[0] if told.note else None
    return "" if first is None or first.numbers else first.text


def by_name(row: OpenRow, names: Mapping[int, str], told: Settlement | None) -> tuple[Feat, ...]:
    """The name of a deal, counted for those whom it paid.

    A hand that was worked out knows its name, or that it has none; else it is the name that
    belongs to the number.
    """
    winners = paid(row)
    if not winners:
        return ()
    name = names.get(row[winners[0]] or 0, "") if told is None else plain_name(told)
    return (Feat(name, winners),) if name else ()
