"""What a deal of Bauernschnapsen comes to (rules.md 2.2), and what a form asks about it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType

from games.rules.catalogue.bauernschnapsen.rows import (
    CARDS,
    DEALERS_SIDE,
    DOUBLES,
    FOREHAND,
    FOREHANDS_SIDE,
    MARRIAGE,
    MOST_DOUBLES,
    NORMAL,
    SEATS,
    SUITS,
    TRUMP_MARRIAGE,
    Contract,
    contracts,
)
from games.rules.hand import CARD_POINTS, Answer, HandRefused, Option, Question, Reading, Settlement
from games.rules.house import House
from games.rules.partnership import SIDES, scored_by
from games.rules.vocabulary import (
    Breach,
    Sentence,
    counted,
    gettext_noop,
    is_whole,
    ngettext_noop,
    sentence,
)

ENOUGH = 66
"""Card points with which a side may say “enough” in a normal game."""

HALF = ENOUGH // 2
"""Card points with which the other side loses only the lowest stake."""

CLAIM = "claim"
LAST_TRICK = "last_trick"
ENDINGS = (CLAIM, LAST_TRICK)
NORMAL_ANSWERS = ("ending", "by", "claim_points", "opp_points", "opp_tricks")
"""What is told of a normal game only."""

MOST_IN_MARRIAGES = TRUMP_MARRIAGE + (SUITS - 1) * MARRIAGE
HIGHEST_CLAIM = CARD_POINTS + MOST_IN_MARRIAGES

# A trick has as many cards as there are of a rank, so tricks at their cheapest are four jacks,
# then four queens and so on; at their dearest four aces, then four tens.
_RANKS = sorted(SUITS * points for points in CARDS.values())
LEAST_IN_TRICKS = tuple(accumulate(_RANKS))
MOST_IN_TRICKS = tuple(accumulate(reversed(_RANKS)))
"""Card points that 1, 2 and so on tricks hold without marriages (rules.md 2.2)."""

POINTS_OF_TRICKS = (
    range(1),
    *(
        range(least, most + MOST_IN_MARRIAGES + 1)
        for least, most in zip(LEAST_IN_TRICKS[:-1], MOST_IN_TRICKS[:-1], strict=True)
    ),
)
"""What a side can have with 0, 1 and so on tricks while the other says “enough”.

Never all tricks; and marriages count once there is a trick (rules.md 2.3.3).
"""


@dataclass(frozen=True, slots=True)
class _Claim:
    """A side said “enough”: with what, and what the other side had by then."""

    by: str
    points: int
    opp_points: int
    opp_tricks: int

    @property
    def point_note(self) -> Sentence:
        """The card points in the order of the sheet."""
        ours, theirs = self.points, self.opp_points
        if self.by != SIDES[0]:
            ours, theirs = theirs, ours
        return sentence(gettext_noop("%(ours)s : %(theirs)s"), ours=ours, theirs=theirs)


@dataclass(frozen=True, slots=True)
class _Paid:
    """A deal before it is doubled: the side that is paid, the stake, and how it came to that."""

    side: str
    stake: int
    steps: tuple[Sentence, ...]
    note: tuple[Sentence, ...]
    doubts: tuple[Breach, ...] = ()


def settle(hand: Mapping[str, object], house: House) -> Settlement:
    """What a deal comes to (rules.md 2.2).

    Raises ``HandRefused`` with every breach found.
    """
    reading = Reading(hand)
    doubles = _read_doubles(reading)
    contract = _read_contract(reading, house)
    if contract.key == NORMAL:
        paid = _settle_normal(reading, contract)
    else:
        paid = _settle_contract(reading, contract, doubles)
    last_double = DOUBLES[:doubles][-1:]
    return Settlement(
        entries=scored_by(SIDES.index(paid.side), paid.stake << doubles),
        steps=(*paid.steps, *_double_steps(paid.stake, doubles)),
        doubts=paid.doubts,
        note=(*paid.note, *map(sentence, last_double)),
    )


def _read_doubles(reading: Reading) -> int:
    if not reading.has("doubles"):
        return 0
    doubles = reading.hand["doubles"]
    if is_whole(doubles) and 0 <= doubles <= MOST_DOUBLES:
        return doubles
    text = gettext_noop(
        "“%(found)s” is no number of doubles: 0 to %(most)s, as Subkontra is the last."
    )
    reading.breach("doubles", text, "doubles", found=str(doubles)[:40], most=MOST_DOUBLES)
    return 0


def _read_contract(reading: Reading, house: House) -> Contract:
    """The contract, on which everything else depends; the hand is refused at once without one."""
    word = reading.hand.get("contract")
    for contract in contracts(house):
        if contract.key == word:
            return contract
    if reading.has("contract"):
        text = gettext_noop("“%(found)s” is no contract that this table plays.")
        reading.breach("not-played", text, "contract", found=str(word)[:40])
    else:
        reading.missing("contract", gettext_noop("Missing: the contract."))
    raise HandRefused(reading.breaches)


def _read_declarer(reading: Reading, contract: Contract) -> str | None:
    """The seat that declared; the only one that may need not be told."""
    if not reading.has("declarer") and len(contract.seats) == 1:
        return contract.seats[0]
    _need(reading, "declarer", gettext_noop("Missing: the seat that declared."))
    declarer = reading.text("declarer", SEATS)
    if declarer is not None and declarer not in contract.seats:
        reading.breach("seat", _ONLY_SEATS[contract.seats], "declarer")
    return declarer


_ONLY_SEATS: Mapping[tuple[str, ...], str] = MappingProxyType(
    {
        (FOREHAND,): gettext_noop("Only forehand may declare this contract."),
        FOREHANDS_SIDE: gettext_noop(
            "Only forehand or forehand’s partner may declare this contract."
        ),
        DEALERS_SIDE: gettext_noop("Only an opponent of forehand may declare this contract."),
        SEATS[1:]: gettext_noop("Anybody but forehand may declare this contract."),
    }
)


def _need(reading: Reading, name: str, text: str) -> None:
    """Note an answer as missing if it is left out."""
    if not reading.has(name):
        reading.missing(name, text)


def _need_side(reading: Reading, name: str, text: str) -> str | None:
    """The side that an answer names, which may not be left out."""
    _need(reading, name, text)
    return reading.text(name, SIDES)


def _other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


def _double_steps(stake: int, doubles: int) -> Iterator[Sentence]:
    for times, forms in enumerate(_DOUBLED[:doubles], start=1):
        yield counted(forms, stake << times)


_DOUBLED = (
    ngettext_noop("Kontra: %(n)s game point", "Kontra: %(n)s game points"),
    ngettext_noop("Rekontra: %(n)s game point", "Rekontra: %(n)s game points"),
    ngettext_noop("Subkontra: %(n)s game point", "Subkontra: %(n)s game points"),
)


def _settle_contract(reading: Reading, contract: Contract, doubles: int) -> _Paid:
    """A contract is made or it fails, and pays its worth to the declarer's side or the other."""
    declarer = _read_declarer(reading, contract)
    forehand_side = _need_side(
        reading, "forehand_side", gettext_noop("Missing: the side that forehand is on.")
    )
    made = _read_made(reading, contract)
    for answer in NORMAL_ANSWERS:
        if reading.has(answer):
            text = gettext_noop("This is told of a normal game only, not of this contract.")
            reading.breach("not-normal", text, answer)
    if declarer is None or forehand_side is None or made is None or reading.breaches:
        raise HandRefused(reading.breaches)
    (stake,) = contract.stakes
    is_forehands = declarer in FOREHANDS_SIDE
    name = sentence(contract.name)
    return _Paid(
        side=forehand_side if made == is_forehands else _other(forehand_side),
        stake=stake,
        steps=(name, counted(_outcome(contract, made=made), stake)),
        note=(name,) if made else (name, sentence(gettext_noop("lost"))),
        doubts=(_doubled_certainty(doubles),) if doubles and not contract.can_fail else (),
    )


def _read_made(reading: Reading, contract: Contract) -> bool | None:
    made = reading.flag("made")
    if contract.can_fail:
        _need(reading, "made", gettext_noop("Missing: whether the contract was made or failed."))
    elif made is False:
        text = gettext_noop("This contract is won on the cards held; it cannot fail.")
        reading.breach("cannot-fail", text, "made")
    elif not reading.has("made"):
        return True
    return made


def _outcome(contract: Contract, *, made: bool) -> tuple[str, str]:
    if not contract.can_fail:
        return ngettext_noop(
            "Won on the cards held: %(n)s game point", "Won on the cards held: %(n)s game points"
        )
    if made:
        return ngettext_noop(
            "Made: %(n)s game point for the declarer’s side",
            "Made: %(n)s game points for the declarer’s side",
        )
    return ngettext_noop(
        "Failed: %(n)s game point for the declarer’s opponents",
        "Failed: %(n)s game points for the declarer’s opponents",
    )


def _doubled_certainty(doubles: int) -> Breach:
    return Breach(
        "doubled-certainty",
        gettext_noop(
            "Doubled, times called: %(found)s; but this contract is won on the cards held, so no "
            "opponent could gain by it."
        ),
        {"found": doubles},
        answer="doubles",
    )


def _settle_normal(reading: Reading, contract: Contract) -> _Paid:
    """A normal game ends with “enough”, or else on the last trick (rules.md 2.2, 2.3)."""
    _read_declarer(reading, contract)
    if reading.has("made"):
        text = gettext_noop("A normal game is neither made nor failed; tell how it ended.")
        reading.breach("normal-made", text, "made")
    ending = reading.text("ending", ENDINGS) if reading.has("ending") else CLAIM
    by = _need_side(
        reading, "by", gettext_noop("Missing: the side that said “enough” or won the last trick.")
    )
    if ending == CLAIM:
        return _settle_claim(_read_claim(reading, by), contract)
    if by is None or reading.breaches:
        raise HandRefused(reading.breaches)
    stake = contract.stakes[0]
    forms = ngettext_noop(
        "Nobody said “enough”: %(n)s game point for the last trick",
        "Nobody said “enough”: %(n)s game points for the last trick",
    )
    return _Paid(by, stake, (counted(forms, stake),), (sentence(gettext_noop("last trick")),))


def _read_claim(reading: Reading, by: str | None) -> _Claim:
    points = _read_up_to(
        reading,
        "claim_points",
        HIGHEST_CLAIM,
        "claim-range",
        gettext_noop("%(found)s card points: tricks and marriages together hold 0 to %(most)s."),
    )
    _need(reading, "claim_points", gettext_noop("Missing: the card points of “enough”."))
    tricks = _read_up_to(
        reading,
        "opp_tricks",
        len(POINTS_OF_TRICKS) - 1,
        "tricks-range",
        gettext_noop("%(found)s tricks: the other side can have 0 to %(most)s by then."),
    )
    _need(reading, "opp_tricks", gettext_noop("Missing: the tricks of the other side."))
    opp_points = _read_opp_points(reading, tricks)
    if by is None or points is None or tricks is None or opp_points is None or reading.breaches:
        raise HandRefused(reading.breaches)
    return _Claim(by, points, opp_points, tricks)


def _read_up_to(reading: Reading, name: str, most: int, code: str, text: str) -> int | None:
    """A whole number from 0 to ``most``."""
    number = reading.whole(name)
    if number is None or 0 <= number <= most:
        return number
    reading.breach(code, text, name, found=number, most=most)
    return None


def _read_opp_points(reading: Reading, tricks: int | None) -> int | None:
    """The other side's card points: nothing without a trick, else what its tricks can hold."""
    if tricks == 0 and not reading.has("opp_points"):
        return 0
    _need(reading, "opp_points", gettext_noop("Missing: the card points of the other side."))
    points = reading.whole("opp_points")
    if points is not None:
        _check_points_of_tricks(reading, points, tricks)
    return points


def _check_points_of_tricks(reading: Reading, points: int, tricks: int | None) -> None:
    possible = range(POINTS_OF_TRICKS[-1].stop) if tricks is None else POINTS_OF_TRICKS[tricks]
    if points in possible:
        return
    if tricks == 0 and points > 0:
        code = "points-no-trick"
        text = gettext_noop("%(found)s card points without a trick: marriages wait for a trick.")
    elif tricks and points == 0:
        code = "trick-no-points"
        text = gettext_noop("%(found)s card points with a trick: a trick has %(least)s or more.")
    else:
        code = "points-tricks"
        text = gettext_noop(
            "%(found)s card points do not fit the tricks, which hold %(least)s to %(most)s, "
            "marriages included."
        )
    reading.breach(
        code, text, "opp_points", found=points, least=possible.start, most=possible.stop - 1
    )


def _settle_claim(claim: _Claim, contract: Contract) -> _Paid:
    """The claimant is paid, or the other side the same if it was not enough (rules.md 2.2).

    What the claimant says is not held against what the others have.
    """
    stake, level_step = _level(claim, contract)
    if claim.points >= ENOUGH:
        text = gettext_noop("“Enough” with %(found)s card points; it takes %(enough)s")
        said = sentence(text, found=claim.points, enough=ENOUGH)
        return _Paid(claim.by, stake, (said, level_step), (claim.point_note,))
    text = gettext_noop(
        "“Enough” with %(found)s card points, short of %(enough)s: the others get what it would "
        "have paid"
    )
    said = sentence(text, found=claim.points, enough=ENOUGH)
    failed = sentence(gettext_noop("not enough"))
    return _Paid(_other(claim.by), stake, (said, level_step), (claim.point_note, failed))


def _level(claim: _Claim, contract: Contract) -> tuple[int, Sentence]:
    """What a normal game is worth by what the side that did not claim has, and why."""
    one, two, three = contract.stakes
    if claim.opp_tricks == 0:
        stake = three
        forms = ngettext_noop(
            "No trick for the others: %(n)s game point",
            "No trick for the others: %(n)s game points",
        )
    elif claim.opp_points < HALF:
        stake = two
        forms = ngettext_noop(
            "At least a trick for the others, but %(points)s card points, fewer than %(half)s: "
            "%(n)s game point",
            "At least a trick for the others, but %(points)s card points, fewer than %(half)s: "
            "%(n)s game points",
        )
    else:
        stake = one
        forms = ngettext_noop(
            "%(points)s card points for the others, %(half)s or more: %(n)s game point",
            "%(points)s card points for the others, %(half)s or more: %(n)s game points",
        )
    return stake, counted(forms, stake, points=claim.opp_points, half=HALF)


def questions(house: House) -> tuple[Question, ...]:
    """What a form asks about a deal; which side forehand is on the sheet knows (rules.md 2.2)."""
    played = contracts(house)
    contract = Question(
        "contract",
        gettext_noop("Contract"),
        "choice",
        options=tuple(Option(contract.key, contract.name) for contract in played),
        usual=NORMAL,
    )
    doubles = Question(
        "doubles",
        gettext_noop("Doubled?"),
        "choice",
        options=tuple(
            Option(level, name) for level, name in enumerate((gettext_noop("no Kontra"), *DOUBLES))
        ),
        usual=0,
    )
    return (contract, *_contract_questions(played), *_normal_questions(), doubles)


def _contract_questions(played: tuple[Contract, ...]) -> Iterator[Question]:
    """Who declared, where more than one seat may, and how it went, where it could fail."""
    declared = [contract for contract in played if len(contract.seats) > 1]
    yield Question(
        "declarer",
        gettext_noop("Who declared it?"),
        "choice",
        options=tuple(
            Option(
                seat,
                _SEAT_LABELS[seat],
                when={"contract": tuple(each.key for each in declared if seat in each.seats)},
                seat=clockwise,
            )
            for clockwise, seat in enumerate(SEATS, start=1)
        ),
        when={"contract": tuple(contract.key for contract in declared)},
    )
    yield Question(
        "made",
        gettext_noop("How did it end?"),
        "choice",
        options=(
            Option(value=True, label=gettext_noop("made")),
            Option(value=False, label=gettext_noop("failed")),
        ),
        when={
            "contract": tuple(
                contract.key for contract in played if contract.can_fail and contract.key != NORMAL
            )
        },
    )


_SEAT_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "forehand": gettext_noop("forehand"),
        "dealers_partner": gettext_noop("dealer’s partner"),
        "forehands_partner": gettext_noop("forehand’s partner"),
        "dealer": gettext_noop("dealer"),
    }
)


def _normal_questions() -> Iterator[Question]:
    normal: dict[str, tuple[Answer, ...]] = {"contract": (NORMAL,)}
    claimed = {**normal, "ending": (CLAIM,)}
    tricks = range(len(POINTS_OF_TRICKS))
    yield Question(
        "ending",
        gettext_noop("How did it end?"),
        "choice",
        options=(
            Option(CLAIM, gettext_noop("said “enough”")),
            Option(LAST_TRICK, gettext_noop("on the last trick")),
        ),
        when=normal,
        usual=CLAIM,
    )
    yield Question("by", gettext_noop("By which side?"), "side", when=normal)
    yield Question(
        "opp_tricks",
        gettext_noop("Tricks of the others"),
        "choice",
        options=tuple(Option(number, str(number)) for number in tricks),
        when=claimed,
    )
    yield Question(
        "claim_points",
        gettext_noop("Their card points"),
        "points",
        when=claimed,
        usual=ENOUGH,
        highest=HIGHEST_CLAIM,
    )
    yield Question(
        "opp_points",
        gettext_noop("Others’ card points"),
        "points",
        when={**claimed, "opp_tricks": tuple(tricks[1:])},
        lowest=POINTS_OF_TRICKS[1].start,
        highest=POINTS_OF_TRICKS[-1].stop - 1,
    )
