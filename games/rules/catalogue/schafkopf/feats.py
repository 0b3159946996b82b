"""What an evening of Schafkopf counts: who won alone, who played together (rules.md 3.1)."""

from games.rules.feats import Feat, paid
from games.rules.hand import Settlement
from games.rules.house import House
from games.rules.vocabulary import OpenRow, gettext_noop, is_complete

WON_ALONE = gettext_noop("won alone")
LOST_ALONE = gettext_noop("lost alone")
LEVELS = (gettext_noop("Schneider"), gettext_noop("Schwarz"))
"""Levels that only a hand which was worked out can tell of."""

PAIR = 2


def feats(row: OpenRow, house: House, told: Settlement | None) -> tuple[Feat, ...]:  # noqa: ARG001
    """What a complete row says of itself: its shape, and the level of a hand worked out."""
    if not is_complete(row):
        return ()
    winners = paid(row)
    losers = tuple(place for place in range(len(row)) if place not in winners)
    found = []
    if len(winners) == 1:
        found.append(Feat(WON_ALONE, winners))
    if len(losers) == 1:
        found.append(Feat(LOST_ALONE, losers))
    levels = () if told is None else (note.text for note in told.note if note.text in LEVELS)
    return (*found, *(Feat(level, winners) for level in levels))


def together(row: OpenRow) -> tuple[tuple[int, int], ...]:
    """The two who won a Rufer and the two who lost it; () for any other deal.

    >>> together((0, 14, 0, 14)), together((0, 20, 20, 20))
    (((1, 3), (0, 2)), ())
    """
    winners = paid(row)
    if not is_complete(row) or len(winners) != PAIR:
        return ()
    first, second = winners
    third, fourth = (place for place in range(len(row)) if place not in winners)
    return (first, second), (third, fourth)
