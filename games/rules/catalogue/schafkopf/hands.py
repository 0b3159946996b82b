"""What a hand of Bavarian Schafkopf comes to (rules.md 3.3)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from games.rules.catalogue.schafkopf import rows
from games.rules.catalogue.schafkopf.questions import (
    ALL,
    BETTEL,
    DECLARER,
    DEFENCE,
    DOUBLING,
    HOLDERS,
    NAMES,
    NONE,
    RAMSCH,
    SIE,
    SOME,
    TRICKS,
    questions,
)
from games.rules.catalogue.schafkopf.reading import (
    Seats,
    read_contract,
    read_doubles,
    read_loser,
    read_points,
    read_ramsch_points,
    read_run,
    read_side,
    read_trickless,
    read_tricks,
    refuse_doubles,
    refuse_runners,
)
from games.rules.catalogue.schafkopf.rows import CARD_POINTS, SEATS, Contract, Level
from games.rules.catalogue.schafkopf.runs import Play, Run, check_run
from games.rules.hand import HandRefused, Reading, Settlement
from games.rules.house import House
from games.rules.vocabulary import (
    Breach,
    Sentence,
    counted,
    gettext_noop,
    ngettext_noop,
    sentence,
)

__all__ = ["questions", "settle"]


class Charge(NamedTuple):
    """One part of what a hand is worth: units for each loser, and the words for them."""

    units: int
    step: Sentence
    note: Sentence | None = None


class Times(NamedTuple):
    """What makes a hand worth a multiple, and the words for it."""

    factor: int
    step: Sentence
    note: Sentence


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a hand ended for the declarer's side, and what that is worth undoubled."""

    won: bool
    charges: tuple[Charge, ...]


def settle(hand: Mapping[str, object], house: House) -> Settlement:
    """The row of a hand, the units each loser pays and the reasons (rules.md 3.3).

    Raises ``HandRefused`` with every breach found.
    """
    reading = Reading(hand)
    contract = read_contract(reading, house)
    if contract == RAMSCH:
        return _settle_ramsch(reading, house)
    side = read_side(reading, contract, house)
    outcome = _outcome(reading, contract, house)
    doubles = read_doubles(reading)
    if reading.breaches or contract is None or outcome is None:
        raise HandRefused(reading.breaches)
    doubts = (_sie_doubled(doubles),) if contract == SIE and doubles else ()
    return _settlement(contract, side, outcome, _doubled(doubles), doubts)


def _outcome(reading: Reading, contract: str | None, house: House) -> Outcome | None:
    """How a hand with a declarer ended, if all that it depends on could be read."""
    if contract == SIE:
        return _sie(reading)
    if contract == BETTEL:
        return _bettel(reading, house.number("bettel"))
    run = read_run(reading)
    pack = rows.PACKS[bool(house["short"])]
    for known in rows.every_contract(house):
        if contract == known.key:
            tricks = read_tricks(reading)
            points = read_points(reading, tricks)
            return _by_points(reading, Play(known, pack, tricks, points, run))
        if contract == known.tout_key:
            tricks = read_tricks(reading)
            played = read_points(reading, tricks) if tricks == ALL else None
            return _tout(reading, Play(known, pack, tricks, played, run))
    if reading.has("points"):
        read_points(reading, read_tricks(reading))
    return None


def _by_points(reading: Reading, play: Play) -> Outcome | None:
    """A contract in which card points count: plain, Schneider or Schwarz."""
    check_run(reading, play)
    points, run = play.points, play.run
    if points is None or run is None:
        return None
    won = points >= rows.WINS_FROM[True]
    charges = (
        _plain(play.contract, points, won=won),
        *_level(play.tricks, points, won=won),
        *_runners(run, rate=rows.RUNNER, least=play.contract.runners_from),
    )
    return Outcome(won, charges)


def _plain(contract: Contract, points: int, *, won: bool) -> Charge:
    forms = (
        ngettext_noop(
            "Won with %(points)s card points: %(n)s unit",
            "Won with %(points)s card points: %(n)s units",
        )
        if won
        else ngettext_noop(
            "Lost with %(points)s card points, %(needed)s are needed: %(n)s unit",
            "Lost with %(points)s card points, %(needed)s are needed: %(n)s units",
        )
    )
    needed = rows.WINS_FROM[True]
    return Charge(contract.base, counted(forms, contract.base, points=points, needed=needed))


def _level(tricks: str | None, points: int, *, won: bool) -> Iterable[Charge]:
    """What a Schneider costs on top, or a Schwarz instead of it (rules.md 3.4.6).

    All card points without the last trick are a Schneider.
    """
    winners_points = points if won else CARD_POINTS - points
    if tricks in {ALL, NONE}:
        level, note = Level.SCHWARZ, sentence(gettext_noop("Schwarz"))
    elif winners_points >= rows.SCHNEIDER_FROM[won]:
        level, note = Level.SCHNEIDER, sentence(gettext_noop("Schneider"))
    else:
        return
    limit = rows.SCHNEIDER_FROM[True] if won else rows.SCHNEIDER_LEAVES[False]
    yield Charge(level.value, counted(LEVELS[level, won], level.value, limit=limit), note)


LEVELS: Mapping[tuple[Level, bool], tuple[str, str]] = MappingProxyType(
    {
        (Level.SCHNEIDER, True): ngettext_noop(
            "Schneider, %(limit)s or more: %(n)s unit more",
            "Schneider, %(limit)s or more: %(n)s units more",
        ),
        (Level.SCHNEIDER, False): ngettext_noop(
            "Schneider, %(limit)s or fewer: %(n)s unit more",
            "Schneider, %(limit)s or fewer: %(n)s units more",
        ),
        (Level.SCHWARZ, True): ngettext_noop(
            "Schwarz, every trick: %(n)s unit more",
            "Schwarz, every trick: %(n)s units more",
        ),
        (Level.SCHWARZ, False): ngettext_noop(
            "Schwarz, no trick: %(n)s unit more",
            "Schwarz, no trick: %(n)s units more",
        ),
    }
)


def _runners(run: Run, *, rate: int, least: int) -> Iterable[Charge]:
    """What a run costs: the winners are paid for it, whoever holds it (rules.md 3.3)."""
    if run.length >= least:
        units = run.length * rate
        forms = ngettext_noop(
            "%(runners)s runners, %(rate)s each: %(n)s unit",
            "%(runners)s runners, %(rate)s each: %(n)s units",
        )
        note = counted(ngettext_noop("%(n)s runner", "%(n)s runners"), run.length)
        yield Charge(units, counted(forms, units, runners=run.length, rate=rate), note)
    elif run.length:
        forms = ngettext_noop(
            "%(n)s runner pays nothing; %(least)s are needed",
            "%(n)s runners pay nothing; %(least)s are needed",
        )
        yield Charge(0, counted(forms, run.length, least=least))


def _tout(reading: Reading, play: Play) -> Outcome | None:
    """A Tout: made with every trick, else lost outright, at a flat price (rules.md 3.3)."""
    check_run(reading, play)
    if play.tricks is None or play.run is None:
        return None
    made = play.tricks == ALL
    forms = (
        ngettext_noop(
            "Tout made, with every trick: %(n)s unit", "Tout made, with every trick: %(n)s units"
        )
        if made
        else ngettext_noop(
            "Tout lost, without every trick: %(n)s unit",
            "Tout lost, without every trick: %(n)s units",
        )
    )
    runners = _runners(play.run, rate=rows.TOUT_RUNNER, least=play.contract.runners_from)
    return Outcome(made, (Charge(rows.TOUT, counted(forms, rows.TOUT)), *runners))


def _sie(reading: Reading) -> Outcome:
    """A Sie: shown and won, with its runners always paid (rules.md 3.1)."""
    if reading.text("tricks", TRICKS) in {SOME, NONE}:
        reading.breach(
            "sie-lost",
            gettext_noop("A Sie that lost a trick; it is shown and won, and takes every trick."),
            "tricks",
        )
    read_points(reading, ALL)
    told = reading.whole("runners") or 0  # its holder is never in doubt
    if told not in {0, rows.SIE_RUNNERS} or reading.text("holder", HOLDERS) == DEFENCE:
        reading.breach(
            "sie-runners",
            gettext_noop("Runners: %(found)s; a Sie always has %(all)s, all with the declarer."),
            "runners",
            found=told,
            all=rows.SIE_RUNNERS,
        )
    forms = ngettext_noop("Sie, shown and won: %(n)s unit", "Sie, shown and won: %(n)s units")
    run = Run(rows.SIE_RUNNERS, DECLARER)
    runners = _runners(run, rate=rows.SIE_RUNNER, least=rows.SIE_RUNNERS)
    return Outcome(won=True, charges=(Charge(rows.SIE, counted(forms, rows.SIE)), *runners))


def _sie_doubled(doubles: int) -> Breach:
    """The doubt about a Sie, which leaves no second card to double before (rules.md 3.4.3)."""
    return Breach(
        "sie-doubled",
        gettext_noop(
            "A Sie that is worth %(times)s times as much; it is shown before a card is played, "
            "and not every table doubles it."
        ),
        {"times": 1 << doubles},
        answer="doubles",
    )


def _bettel(reading: Reading, price: int) -> Outcome | None:
    """A Bettel: made without a trick, else lost whatever the card points (rules.md 3.4.14)."""
    refuse_runners(reading)
    tricks = read_tricks(reading)
    if tricks is None:
        return None
    made = tricks == NONE
    if reading.has("points"):
        read_points(reading, tricks)
    forms = (
        ngettext_noop(
            "Bettel made, without a trick: %(n)s unit", "Bettel made, without a trick: %(n)s units"
        )
        if made
        else ngettext_noop(
            "Bettel lost, with a trick: %(n)s unit", "Bettel lost, with a trick: %(n)s units"
        )
    )
    return Outcome(made, (Charge(price, counted(forms, price)),))


def _settle_ramsch(reading: Reading, house: House) -> Settlement:
    """A Ramsch: whoever has the most card points pays the other three (rules.md 3.4.16)."""
    points = read_ramsch_points(reading)
    trickless = read_trickless(reading, points)
    loser = read_loser(reading, points)
    refuse_runners(reading)
    refuse_doubles(reading)
    if reading.breaches or loser is None:
        raise HandRefused(reading.breaches)
    stake = house.number("ramsch")
    forms = ngettext_noop(
        "The most card points, %(points)s: %(n)s unit",
        "The most card points, %(points)s: %(n)s units",
    )
    charge = Charge(stake, counted(forms, stake, points=points[loser] or 0))
    times = _without_trick(trickless) if trickless and house["ramsch_doubles"] else None
    doubts = (_durchmarsch(trickless),) if trickless == rows.RAMSCH_WITHOUT_TRICK else ()
    return _settlement(RAMSCH, (loser,), Outcome(won=False, charges=(charge,)), times, doubts)


def _without_trick(players: int) -> Times:
    factor = 1 << players
    forms = ngettext_noop(
        "%(n)s player without a trick: %(times)s times as much",
        "%(n)s players without a trick: %(times)s times as much",
    )
    note = sentence(gettext_noop("%(players)s without a trick"), players=players)
    return Times(factor, counted(forms, players, times=factor), note)


def _durchmarsch(players: int) -> Breach:
    """The doubt about one player with every trick, who wins at many tables (rules.md 3.4.16)."""
    return Breach(
        "durchmarsch",
        gettext_noop(
            "%(found)s players without a trick: whoever took them all pays here, and wins at "
            "other tables."
        ),
        {"found": players},
        answer="no_trick",
    )


DOUBLED: Mapping[int, str] = MappingProxyType(
    {
        1: gettext_noop("Doubled: %(times)s times as much"),
        2: gettext_noop("Doubled and answered: %(times)s times as much"),
    }
)


def _doubled(doubles: int) -> Times | None:
    if not doubles:
        return None
    factor = 1 << doubles
    step = sentence(DOUBLED[doubles], times=factor)
    return Times(factor, step, sentence(DOUBLING[doubles]))


def _settlement(
    contract: str, side: Seats, outcome: Outcome, times: Times | None, doubts: tuple[Breach, ...]
) -> Settlement:
    """The row, the units and the reasons, with ``side`` the declarer's or a Ramsch's loser."""
    charges = outcome.charges
    each = sum(charge.units for charge in charges) * (times.factor if times else 1)
    gains = _gains(side, each, won=outcome.won)
    won, lost = max(gains), min(gains)
    return Settlement(
        entries=tuple(gain - lost for gain in gains),
        steps=(
            *(charge.step for charge in charges),
            *((times.step,) if times else ()),
            counted(_payment(side, won=outcome.won), each),
            sentence(
                gettext_noop(
                    "The sheet counts from the lowest up: %(won)s won and %(lost)s lost make "
                    "%(entry)s"
                ),
                won=won,
                lost=-lost,
                entry=won - lost,
            ),
        ),
        doubts=doubts,
        note=(
            sentence(NAMES[contract]),
            *(charge.note for charge in charges if charge.note),
            *((times.note,) if times else ()),
        ),
        each=each,
        gains=gains,
    )


def _gains(side: Seats, each: int, *, won: bool) -> tuple[int, ...]:
    """Units that every player wins or loses: one alone settles with each of the other three.

    >>> _gains((0, 1), 7, won=True), _gains((2,), 5, won=False)
    ((7, 7, -7, -7), (5, 5, -15, 5))
    """
    others = len(SEATS) - len(side)
    sign = 1 if won else -1
    own = sign * each * others // len(side)
    return tuple(own if seat in side else -sign * each for seat in SEATS)


def _payment(side: Seats, *, won: bool) -> tuple[str, str]:
    if len(side) > 1:
        return ngettext_noop(
            "%(n)s unit from each of the two losers", "%(n)s units from each of the two losers"
        )
    if won:
        return ngettext_noop(
            "%(n)s unit from each of the other three", "%(n)s units from each of the other three"
        )
    return ngettext_noop(
        "%(n)s unit to each of the other three", "%(n)s units to each of the other three"
    )
