"""Whether what phones saw of one cell can have happened in one order, on one machine.

Every write gives the cell a version of its own, so the order is known, and only two things are left
to check: that it keeps to the clock (what was answered before something else was asked comes
first), and that everybody saw what stood there at that moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Done(NamedTuple):
    """One request about the cell that was answered; times in seconds of one clock.

    ``wrote``: whether a number was written. ``base``: what the writer had seen before; of a read,
    the version that it found. ``version``: what the cell has from then on.
    """

    asked: float
    answered: float
    wrote: bool
    base: int
    version: int
    text: str


def complaints(history: Sequence[Done]) -> list[str]:
    """Why these cannot have happened one after the other; nothing if they can."""
    writes = sorted((one for one in history if one.wrote), key=lambda one: one.version)
    versions = [one.version for one in writes]
    found = [f"version {v} twice" for v in set(versions) if versions.count(v) > 1]
    stands, text = 0, ""
    texts = {0: ""}
    for write in writes:
        if write.base != stands and write.text != text:
            found.append(f"{write} replaced {text!r} of version {stands}, which nobody had seen")
        stands, text = write.version, write.text
        texts[stands] = text
    found += [
        f"{read} saw what never stood there"
        for read in history
        if not read.wrote and texts.get(read.version) != read.text
    ]
    return found + _against_the_clock(history)


def _against_the_clock(history: Sequence[Done]) -> list[str]:
    """Requests that were asked after the answer to another, and saw or made something older."""
    found, newest = [], 0
    answers = sorted(history, key=lambda one: one.answered)
    place = 0
    for one in sorted(history, key=lambda one: one.asked):
        while place < len(answers) and answers[place].answered < one.asked:
            newest = max(newest, answers[place].version)
            place += 1
        if one.version < newest or (one.wrote and one.version == newest):
            found.append(f"{one} was asked when version {newest} had been answered")
    return found
