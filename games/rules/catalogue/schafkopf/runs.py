"""Which runs a deal can give, and which tell against its tricks or card points (rules.md 3.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from types import MappingProxyType
from typing import NamedTuple

from games.rules.catalogue.schafkopf import rows
from games.rules.catalogue.schafkopf.questions import ALL, DECLARER, DEFENCE, NONE
from games.rules.catalogue.schafkopf.rows import CARD_POINTS, SEATS, Contract
from games.rules.hand import Reading
from games.rules.vocabulary import gettext_noop


class Run(NamedTuple):
    """An unbroken run of the highest trumps, and the side that holds it, if it was told."""

    length: int
    holder: str | None


@dataclass(frozen=True, slots=True)
class Play:
    """A contract with runners as it was played; ``None`` stands for what could not be read.

    ``pack`` are the card points of every card, the highest first. ``points`` are those of the
    declarer's side, and ``None`` in a lost Tout, which nobody plays to its end.
    """

    contract: Contract
    pack: tuple[int, ...]
    tricks: str | None
    points: int | None
    run: Run | None

    @property
    def hand_cards(self) -> int:
        """Cards in each hand, which are as many as the tricks of a deal."""
        return len(self.pack) // len(SEATS)

    def runners(self, run: Run) -> tuple[int, ...]:
        """Card points of the trumps in a run."""
        return self.contract.trumps[: run.length]

    def tricks_won_by(self, run: Run) -> int:
        """The least tricks that a run wins: each hand plays one of its cards to a trick."""
        return ceil(run.length / self.holding_hands(run))

    def holding_hands(self, run: Run) -> int:
        """How many hands hold a run together."""
        if self.contract.paired:
            return len(SEATS) // 2
        return 1 if run.holder == DECLARER else len(SEATS) - 1


TRICKLESS: Mapping[str, str] = MappingProxyType({ALL: DEFENCE, NONE: DECLARER})
"""The side without a trick, by the tricks of the declarer's side."""

TOO_LONG: Mapping[str | None, str] = MappingProxyType(
    {
        DECLARER: gettext_noop(
            "Runners: %(found)s; the declarer’s side holds 0 to %(most)s in this contract."
        ),
        DEFENCE: gettext_noop(
            "Runners: %(found)s; the declarer’s opponents hold 0 to %(most)s in this contract."
        ),
        None: gettext_noop("Runners: %(found)s; a side holds 0 to %(most)s in this contract."),
    }
)


def check_run(reading: Reading, play: Play) -> None:
    """Note what no deal gives: too long a run, or one against its side's tricks or card points."""
    run = play.run
    if run is None or not run.length or not _fits_hands(reading, play, run):
        return
    if play.tricks and run.holder and TRICKLESS.get(play.tricks) == run.holder:
        reading.breach(
            "runners-tricks",
            gettext_noop(
                "Runners: %(found)s, on the side without a trick; the highest of them wins one."
            ),
            "runners",
            found=run.length,
        )
        return
    if _leaves_a_trick_too_many(play, run):
        reading.breach(
            "runners-tricks",
            gettext_noop(
                "Runners: %(found)s; they win every trick, so the other side can have none."
            ),
            "runners",
            found=run.length,
        )
    _check_points(reading, play, run)


def _leaves_a_trick_too_many(play: Play, run: Run) -> bool:
    """Whether the other side is said to have a trick though the run wins them all."""
    if play.tricks is None or run.holder is None:
        return False
    others_have_none = TRICKLESS.get(play.tricks) not in {None, run.holder}
    return play.tricks_won_by(run) == play.hand_cards and not others_have_none


def _fits_hands(reading: Reading, play: Play, run: Run) -> bool:
    """Whether the hands of a side can hold a run of this length."""
    limits = {DECLARER: play.contract.own, DEFENCE: play.contract.against}
    most = limits[run.holder] if run.holder else max(limits.values())
    if 0 <= run.length <= most:
        return True
    if _is_sie(play, run):
        reading.breach(
            "runners-sie",
            gettext_noop("Runners: %(found)s in one hand; that is a Sie and not a Solo."),
            "runners",
            found=run.length,
        )
    else:
        reading.breach(
            "runners-range", TOO_LONG[run.holder], "runners", found=run.length, most=most
        )
    return False


def _is_sie(play: Play, run: Run) -> bool:
    """Whether a Solo's declarer holds a whole hand of Obers and Unters."""
    return (
        play.contract.key == rows.SOLO
        and run.holder == DECLARER
        and run.length == rows.SIE_RUNNERS == play.hand_cards
    )


def _check_points(reading: Reading, play: Play, run: Run) -> None:
    """Weigh a run against card points: its own, and what its tricks leave the other side."""
    if play.points is None or run.holder is None:
        return
    holders = play.points if run.holder == DECLARER else CARD_POINTS - play.points
    others = CARD_POINTS - holders
    worth = sum(play.runners(run))
    tricks = play.tricks_won_by(run)
    room = _room_beside(play, run, tricks)
    if holders < worth:
        reading.breach(
            "runners-points",
            gettext_noop(
                "%(found)s card points on the side with a run of %(run)s, which alone has "
                "%(worth)s."
            ),
            "runners",
            found=holders,
            run=run.length,
            worth=worth,
        )
    elif others > room:
        reading.breach(
            "runners-points",
            gettext_noop(
                "%(found)s card points against a run of %(run)s; it wins at least %(tricks)s of "
                "the %(all)s tricks, which leaves the other side %(room)s at most."
            ),
            "runners",
            found=others,
            run=run.length,
            tricks=tricks,
            all=play.hand_cards,
            room=room,
        )


def _room_beside(play: Play, run: Run, tricks: int) -> int:
    """The most card points that the other side can have if a run wins so many tricks."""
    cards = list(play.pack)
    for runner in play.runners(run):
        cards.remove(runner)
    return sum(cards[: (play.hand_cards - tricks) * len(SEATS)])
