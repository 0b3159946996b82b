"""Rows of two sides of which exactly one scores: what both partnership games share."""

from collections.abc import Callable, Iterable, Sequence

from games.rules.vocabulary import Breach, OpenRow, Row, gettext_noop

SIDES = ("A", "B")
SCORELESS: Row = (0, 0)


def scored_by(side: int, points: int) -> Row:
    """The row in which one side, 0 for A or 1 for B, scores.

    >>> scored_by(1, 8)
    (0, 8)
    """
    return (points, 0) if side == 0 else (0, points)


def one_sided(by_side: Sequence[Iterable[int]]) -> tuple[Row, ...]:
    """The rows of the numbers each side can score, side by side, in the order given.

    >>> one_sided([(1, 2), (1, 3, 2)])
    ((1, 0), (0, 1), (2, 0), (0, 3), (0, 2))
    """
    ours, theirs = (list(numbers) for numbers in by_side)
    rows: list[Row] = []
    for turn in range(max(len(ours), len(theirs))):
        rows += [scored_by(0, points) for points in ours[turn : turn + 1]]
        rows += [scored_by(1, points) for points in theirs[turn : turn + 1]]
    return tuple(rows)


def scorer(row: OpenRow) -> int | None:
    """The side with more on a row, 0 for A and 1 for B; ``None`` if neither has."""
    ours, theirs = (cell or 0 for cell in row)
    if ours == theirs:
        return None
    return 0 if ours > theirs else 1


def both_score(row: Row) -> Breach:
    """The breach of a row on which both sides have a number above zero."""
    return Breach(
        "both-score",
        gettext_noop(
            "Both sides have a number, %(ours)s and %(theirs)s; one side scores on a deal and "
            "the other enters 0."
        ),
        {"ours": row[0], "theirs": row[1]},
    )


def nobody_scores() -> Breach:
    """The breach of 0–0 where every deal pays one side."""
    return Breach(
        "nobody-scores",
        gettext_noop("Both sides have 0; one side scores on every deal."),
        {},
    )


def agreeing(rows: Iterable[Row], row: OpenRow) -> tuple[Row, ...]:
    """The rows that agree with the cells already written.

    >>> agreeing([(1, 0), (0, 1), (0, 2)], (0, None))
    ((0, 1), (0, 2))
    """
    ours, theirs = row
    return tuple(way for way in rows if ours in {None, way[0]} and theirs in {None, way[1]})


def complete_sides(
    row: OpenRow,
    is_lawful: Callable[[Row], bool],
    ways: Callable[[], tuple[Row, ...]],
) -> tuple[Row, ...]:
    """The lawful rows that agree with an incomplete row of two sides.

    A number above zero leaves one way at most; only otherwise ``ways`` is asked for them all.
    """
    written = scorer(row)
    if written is None:
        return ways()
    only = scored_by(written, row[written] or 0)
    return (only,) if is_lawful(only) else ()
