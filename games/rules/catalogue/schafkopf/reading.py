"""The answers about a hand one by one, each refused if no hand can be so (rules.md 3.3)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from games.rules.catalogue.schafkopf import rows
from games.rules.catalogue.schafkopf.questions import (
    ALL,
    HOLDERS,
    NAMES,
    NONE,
    SOME,
    TRICKS,
    played,
)
from games.rules.catalogue.schafkopf.rows import CARD_POINTS, SEATS
from games.rules.catalogue.schafkopf.runs import Run
from games.rules.hand import Reading, read_card_points
from games.rules.house import House
from games.rules.vocabulary import OpenRow, gettext_noop, is_complete, is_whole

Seats: TypeAlias = tuple[int, ...]

POINTS_OF: Mapping[str, int] = MappingProxyType({ALL: CARD_POINTS, NONE: 0})
"""Card points that go with every trick, and with none."""

NO_TRICK_POINTS = gettext_noop("%(found)s card points without a trick; that leaves %(all)s.")
TRICKS_POINTS: Mapping[str, str] = MappingProxyType(
    {
        ALL: gettext_noop("%(found)s card points with every trick; all tricks have %(all)s."),
        NONE: NO_TRICK_POINTS,
    }
)


def read_contract(reading: Reading, house: House) -> str | None:
    """The word of a contract, also of one that this table does not play; ``None`` for no word."""
    if not reading.has("contract"):
        reading.missing("contract", gettext_noop("The contract is missing."))
        return None
    word = reading.hand["contract"]
    known = word if isinstance(word, str) and word in NAMES else None
    if known not in played(house):
        reading.breach(
            "not-played",
            gettext_noop("“%(found)s” is not played at this table."),
            "contract",
            found=NAMES[known] if known else str(word)[:40],
        )
    return known


def read_side(reading: Reading, contract: str | None, house: House) -> Seats:
    """The seats of the declarer's side. Without a contract nobody knows whether it has two."""
    side = [_read_seat(reading, "declarer")]
    if not reading.has("declarer"):
        reading.missing("declarer", gettext_noop("The declarer is missing."))
    if contract in {known.key for known in rows.every_contract(house) if known.paired}:
        side.append(_read_partner(reading, declarer=side[0]))
    elif contract and reading.has("partner"):
        reading.breach(
            "partner-alone",
            gettext_noop("This contract is played alone against three, without a partner."),
            "partner",
        )
    return tuple(seat for seat in side if seat is not None)


def _read_partner(reading: Reading, declarer: int | None) -> int | None:
    partner = _read_seat(reading, "partner")
    if not reading.has("partner"):
        reading.breach(
            "partner-missing",
            gettext_noop("The partner is missing; this contract is played by two."),
            "partner",
        )
    elif partner is not None and partner == declarer:
        reading.breach(
            "partner-self",
            gettext_noop("The declarer is named as the partner, who is one of the other three."),
            "partner",
        )
    return partner


def _read_seat(reading: Reading, name: str) -> int | None:
    seat = reading.word(name, SEATS)
    return seat if is_whole(seat) else None


def read_doubles(reading: Reading) -> int:
    """How often a hand was doubled; 0 if that is left out or refused."""
    doubles = reading.hand["doubles"] if reading.has("doubles") else 0
    if is_whole(doubles) and 0 <= doubles <= rows.MOST_DOUBLES:
        return doubles
    reading.breach(
        "doubles",
        gettext_noop(
            "Doubled “%(found)s” times; a hand is doubled 0 to %(most)s times, by a defender’s "
            "call and the declarer’s answer."
        ),
        "doubles",
        found=str(doubles)[:40],
        most=rows.MOST_DOUBLES,
    )
    return 0


def refuse_doubles(reading: Reading) -> None:
    """Note that a Ramsch is said to be doubled."""
    doubles = reading.hand["doubles"] if reading.has("doubles") else 0
    if not is_whole(doubles) or doubles:
        reading.breach(
            "doubles",
            gettext_noop("Doubled “%(found)s” times; nobody doubles a Ramsch."),
            "doubles",
            found=str(doubles)[:40],
        )


def read_tricks(reading: Reading) -> str | None:
    """The tricks of the declarer's side: some, unless told otherwise."""
    return reading.text("tricks", TRICKS) if reading.has("tricks") else SOME


def read_points(reading: Reading, tricks: str | None) -> int | None:
    """Card points of the declarer's side; all tricks and no trick say them by themselves."""
    taken = POINTS_OF.get(tricks or SOME)
    if not reading.has("points"):
        if taken is None:
            reading.missing(
                "points", gettext_noop("The card points of the declarer’s side are missing.")
            )
        return taken
    told = reading.hand["points"]
    points = read_card_points(reading, "points", told)
    if tricks and is_whole(told) and taken not in {None, told}:
        _tricks_against(reading, tricks, told)
        return None
    return points


def _tricks_against(reading: Reading, tricks: str, points: int) -> None:
    reading.breach(
        "tricks-points", TRICKS_POINTS[tricks], "points", found=points, all=POINTS_OF[tricks]
    )


def read_run(reading: Reading) -> Run | None:
    """The runners and the side that holds them; none, unless told."""
    length = reading.whole("runners") if reading.has("runners") else 0
    holder = reading.text("holder", HOLDERS)
    if length is None:
        return None
    if length > 0 and not reading.has("holder"):
        reading.breach(
            "holder-missing",
            gettext_noop("Runners: %(found)s; the side that holds them is missing."),
            "holder",
            found=length,
        )
    return Run(length, holder)


def refuse_runners(reading: Reading) -> None:
    """Note runners where none are paid: in a Bettel or a Ramsch."""
    length = reading.whole("runners")
    if length:
        reading.breach(
            "runners-none",
            gettext_noop("Runners: %(found)s; this contract has none."),
            "runners",
            found=length,
        )


def read_ramsch_points(reading: Reading) -> OpenRow:
    """Card points of each player in a Ramsch, ``None`` where they could not be read."""
    told = _one_each(reading, "points") or (None,) * len(SEATS)
    points = tuple(read_card_points(reading, "points", value) for value in told)
    if any(_is_blank(value) for value in told):
        reading.missing("points", gettext_noop("The card points of all four players are wanted."))
    numbers = [value for value in told if is_whole(value)]
    if len(numbers) == len(SEATS) and sum(numbers) != CARD_POINTS:
        reading.breach(
            "points-sum",
            gettext_noop("The four have %(found)s card points together; a deal has %(all)s."),
            "points",
            found=sum(numbers),
            all=CARD_POINTS,
        )
    return points


def read_trickless(reading: Reading, points: OpenRow) -> int:
    """How many players took no trick in a Ramsch; one without card points may have taken some."""
    if not reading.has("no_trick"):
        return 0
    told = _one_each(reading, "no_trick")
    if told is None or not all(_is_blank(word) or isinstance(word, bool) for word in told):
        reading.breach(
            "unknown-answer",
            gettext_noop("“%(found)s” is not a yes or no for each of the four players."),
            "no_trick",
            found=str(reading.hand["no_trick"])[:40],
        )
        return 0
    without = [found for found, word in zip(points, told, strict=True) if word is True]
    for found in without:
        if found:
            reading.breach("tricks-points", NO_TRICK_POINTS, "no_trick", found=found, all=0)
    return len(without)


def _one_each(reading: Reading, name: str) -> tuple[object, ...] | None:
    """A list of one answer for each player, ``None`` for anything else."""
    told = reading.hand.get(name)
    return tuple(told) if isinstance(told, list | tuple) and len(told) == len(SEATS) else None


def _is_blank(value: object) -> bool:
    return value is None or value == ""


def read_loser(reading: Reading, points: OpenRow) -> int | None:
    """Who has the most card points in a Ramsch; if several have, the table names one of them."""
    named = _read_seat(reading, "loser")
    if not is_complete(points):
        return None
    most = max(points)
    tied = [seat for seat in SEATS if points[seat] == most]
    if named is not None and named not in tied:
        reading.breach(
            "ramsch-loser",
            gettext_noop(
                "The loser has %(found)s card points; whoever has the most, %(most)s, loses."
            ),
            "loser",
            found=points[named],
            most=most,
        )
    elif named is None and len(tied) > 1:
        reading.breach(
            "ramsch-tie",
            gettext_noop(
                "%(players)s players have the most card points, %(found)s; the table names the "
                "one who loses."
            ),
            "loser",
            players=len(tied),
            found=most,
        )
    return tied[0] if named is None else named
