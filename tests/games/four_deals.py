"""Four deals of which one stands in the wrong place."""

from games import kept
from games.access import sides_of
from tests.games.helpers import fill, make_table, match_of

FOUR: list[tuple[int | None, ...]] = [(3, 0), (0, 2), (1, 0), (0, 12)]
MOVES = {
    "remove": (2, [[3, 0], [1, 0], [0, 12]]),
    "insert": (2, [[3, 0], [None, None], [0, 2], [1, 0], [0, 12]]),
    "up": (3, [[3, 0], [1, 0], [0, 2], [0, 12]]),
    "down": (3, [[3, 0], [0, 2], [0, 12], [1, 0]]),
}


def four_deals(**house):
    table = make_table(house=house or None)
    fill(table, FOUR)
    return table


def details_of(answer):
    """What the question lists."""
    return list(answer.context["refusal"].details)


def sheet_as_stored(table):
    match = match_of(table)
    return kept.load_sheet(match, sides_of(match))
