"""What a deal of Bauernstoss comes to (rules.md 1.2), and what a form asks about it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from games.rules.catalogue.bauernstoss.rows import CHALK_POINTS, Result, Variation, variation_of
from games.rules.hand import (
    CARD_POINTS,
    Answer,
    HandRefused,
    Option,
    Question,
    Reading,
    Settlement,
    read_card_points,
)
from games.rules.house import House
from games.rules.partnership import SCORELESS, SIDES, scored_by
from games.rules.vocabulary import (
    Breach,
    ColumnId,
    Sentence,
    counted,
    gettext_noop,
    is_whole,
    ngettext_noop,
    sentence,
)

PLAYED = "played"
THROWN_IN = "thrown_in"
SOLOS: tuple[Result, ...] = ("small_solo", "big_solo")
KINDS = (PLAYED, *SOLOS, THROWN_IN)

HALF = CARD_POINTS // 2
MAJORITY = HALF + 1
"""Card points with which a side scores where neither has an easier target (rules.md 1.2)."""


@dataclass(frozen=True, slots=True)
class _Role:
    """How a side scores in a played deal: the card points it needs, and what it is paid for.

    ``step`` and ``schneider_step`` say so, with ``least`` and ``most`` card points and the marks.
    """

    least: int
    step: tuple[str, str]
    schneider_step: tuple[str, str]
    result: Result = "ordinary"
    schneider: Result = "schneider"


_WITH_CHALK = _Role(
    CHALK_POINTS,
    ngettext_noop(
        "%(least)s to %(most)s with the chalk: %(n)s mark",
        "%(least)s to %(most)s with the chalk: %(n)s marks",
    ),
    ngettext_noop(
        "Schneider: %(least)s or more with the chalk, %(n)s mark",
        "Schneider: %(least)s or more with the chalk, %(n)s marks",
    ),
)
_AGAINST_CHALK = _Role(
    CARD_POINTS - CHALK_POINTS + 1,
    ngettext_noop(
        "%(least)s to %(most)s against the chalk: %(n)s mark",
        "%(least)s to %(most)s against the chalk: %(n)s marks",
    ),
    ngettext_noop(
        "Schneider: %(least)s or more against the chalk, %(n)s mark",
        "Schneider: %(least)s or more against the chalk, %(n)s marks",
    ),
)
_OPENING = _Role(
    MAJORITY,
    ngettext_noop(
        "%(least)s to %(most)s on the first deal: %(n)s mark",
        "%(least)s to %(most)s on the first deal: %(n)s marks",
    ),
    ngettext_noop(
        "Schneider: %(least)s or more on the first deal, %(n)s mark",
        "Schneider: %(least)s or more on the first deal, %(n)s marks",
    ),
)
_TRUMP_MAKERS = _Role(
    MAJORITY,
    ngettext_noop(
        "%(least)s to %(most)s for those who made trumps: %(n)s mark",
        "%(least)s to %(most)s for those who made trumps: %(n)s marks",
    ),
    ngettext_noop(
        "%(least)s or more for those who made trumps: %(n)s mark",
        "%(least)s or more for those who made trumps: %(n)s marks",
    ),
)
_OPPONENTS = _Role(
    MAJORITY,
    ngettext_noop(
        "%(least)s to %(most)s against those who made trumps: %(n)s mark",
        "%(least)s to %(most)s against those who made trumps: %(n)s marks",
    ),
    ngettext_noop(
        "%(least)s or more against those who made trumps: %(n)s mark",
        "%(least)s or more against those who made trumps: %(n)s marks",
    ),
    result="opponents",
    schneider="opponents_schneider",
)

_EVERY_TRICK = ngettext_noop(
    "Every trick for one side, Schwarz: %(n)s mark",
    "Every trick for one side, Schwarz: %(n)s marks",
)
_EVERY_TRICK_WINS = ngettext_noop(
    "Every trick for one side, the whole game: %(n)s mark",
    "Every trick for one side, the whole game: %(n)s marks",
)
_SOLO_MADE = ngettext_noop(
    "Made, every trick for the bidder: %(n)s mark",
    "Made, every trick for the bidder: %(n)s marks",
)
_SOLO_LOST = ngettext_noop(
    "Lost, not every trick for the bidder: %(n)s mark for the opponents",
    "Lost, not every trick for the bidder: %(n)s marks for the opponents",
)


class _Reading(Reading):
    """A hand being read at a table that plays one variation.

    ``opening``: the deal that first decides who holds the chalk.
    """

    def __init__(self, hand: Mapping[str, object], variation: Variation) -> None:
        super().__init__(hand)
        self.variation = variation
        self.first_deal = self.flag("first_deal") or False
        self.opening = self.first_deal and variation.chalk_from == "opening"

    def side(self, name: str) -> str | None:
        """The side that an answer names."""
        return self.text(name, SIDES)

    def need(self, name: str, text: str) -> None:
        """Note an answer as missing if it is left out."""
        if not self.has(name):
            self.missing(name, text)


@dataclass(frozen=True, slots=True)
class _Deal:
    """A played deal as it was read: the card points of each side, and who won every trick.

    Of ``chalk``, its holder, and ``trump_maker``, the side that made trumps, there is the one
    that decides; on an untied opening neither.
    """

    variation: Variation
    points: Mapping[str, int]
    swept_by: str | None
    chalk: str | None
    trump_maker: str | None
    opening: bool

    @property
    def point_note(self) -> Sentence:
        """The card points in the order of the sheet."""
        ours, theirs = (self.points[side] for side in SIDES)
        return sentence(gettext_noop("%(ours)s : %(theirs)s"), ours=ours, theirs=theirs)

    def role(self, side: str) -> _Role:
        """How a side scores."""
        if self.opening:
            return _OPENING
        if self.chalk:
            return _WITH_CHALK if side == self.chalk else _AGAINST_CHALK
        return _TRUMP_MAKERS if side == self.trump_maker else _OPPONENTS


def settle(hand: Mapping[str, object], house: House) -> Settlement:
    """What a deal comes to, and who holds the chalk after it (rules.md 1.2).

    Raises ``HandRefused`` with every breach found.
    """
    reading = _Reading(hand, variation_of(house))
    kind = reading.text("kind", KINDS) if reading.has("kind") else PLAYED
    chalk = _read_chalk(reading)
    if kind == PLAYED:
        return _settle_played(_read_deal(reading, chalk))
    for solo in SOLOS:
        if kind == solo:
            return _settle_solo(reading, solo, chalk)
    reading.refuse()  # a kind that is none, or a chalk that cannot be
    thrown_in = sentence(gettext_noop("Thrown in: no row, and the next player deals"))
    return Settlement(entries=None, steps=(thrown_in,), chalk_next=chalk)


def _read_chalk(reading: _Reading) -> str | None:
    """The side that holds the chalk, in a deal in which a side can."""
    if reading.variation.chalk_from == "nothing":
        if reading.has("chalk"):
            text = gettext_noop("Deutscher Schafkopf has no chalk; who made trumps decides.")
            reading.breach("no-chalk", text, "chalk")
        return None
    if reading.opening:
        if reading.has("chalk"):
            text = gettext_noop("Nobody holds the chalk on the first deal; the deal decides it.")
            reading.breach("opening-chalk", text, "chalk")
        return None
    return reading.side("chalk")


def _other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


def _read_deal(reading: _Reading, chalk: str | None) -> _Deal:
    swept_by = reading.side("all_tricks")
    points = _read_points(reading, swept_by)
    trump_maker = None
    if reading.variation.chalk_from == "nothing" or (reading.opening and points == HALF):
        reading.need("trump_maker", gettext_noop("Missing: the side that made trumps."))
        trump_maker = reading.side("trump_maker")
    elif not reading.opening:
        reading.need("chalk", gettext_noop("Missing: the side that held the chalk."))
    for name in ("bidder", "made"):
        if reading.has(name):
            text = gettext_noop("Nobody bids or makes a Solo in a deal played for card points.")
            reading.breach("solo-fields", text, name)
    if points is None or reading.breaches:
        raise HandRefused(reading.breaches)
    by_side = dict(zip(SIDES, (points, CARD_POINTS - points), strict=True))
    return _Deal(reading.variation, by_side, swept_by, chalk, trump_maker, reading.opening)


def _read_points(reading: _Reading, swept_by: str | None) -> int | None:
    """Side A's card points; where one side won every trick they may be left out."""
    points = read_card_points(reading, "points_a", reading.hand.get("points_a"))
    if swept_by is None:
        if not reading.has("all_tricks"):
            reading.need("points_a", gettext_noop("Missing: the card points."))
        return points
    swept = CARD_POINTS if swept_by == SIDES[0] else 0
    if not reading.has("points_a"):
        return swept
    told = reading.hand["points_a"]
    if is_whole(told) and told != swept:
        text = gettext_noop(
            "%(found)s card points, though one side won every trick: that makes it %(wanted)s."
        )
        reading.breach("schwarz-points", text, "points_a", found=told, wanted=swept)
    return points


def _settle_played(deal: _Deal) -> Settlement:
    if deal.swept_by:
        return _swept(deal, deal.swept_by)
    for side in SIDES:
        if deal.points[side] >= deal.role(side).least:
            return _won(deal, side)
    return _tied(deal)


def _swept(deal: _Deal, side: str) -> Settlement:
    """Every trick, which does not add to Schneider (1.3.7); 120 card points are not that yet."""
    wins_match = "every_trick" in deal.variation.whole
    forms = _EVERY_TRICK_WINS if wins_match else _EVERY_TRICK
    step = counted(forms, deal.variation.pays("every_trick"))
    return _scored(deal, side, "every_trick", (step,))


def _won(deal: _Deal, side: str) -> Settlement:
    """A side has the card points it needs, and perhaps enough for Schneider."""
    role, schneider_points = deal.role(side), deal.variation.schneider_points
    if deal.points[side] >= schneider_points:
        marks = deal.variation.pays(role.schneider)
        step = counted(role.schneider_step, marks, least=schneider_points)
        return _scored(deal, side, role.schneider, (_told(deal), step))
    marks = deal.variation.pays(role.result)
    step = counted(role.step, marks, least=role.least, most=schneider_points - 1)
    return _scored(deal, side, role.result, (_told(deal), step))


def _scored(deal: _Deal, side: str, result: Result, steps: tuple[Sentence, ...]) -> Settlement:
    name = deal.variation.called.get(result)
    settlement = Settlement(
        entries=scored_by(SIDES.index(side), deal.variation.pays(result)),
        steps=steps,
        note=(sentence(name) if name else deal.point_note,),
    )
    if deal.variation.chalk_from == "nothing":
        return settlement
    return replace(
        settlement,
        steps=(*steps, _chalk_step(deal.chalk, side)),
        doubts=_opening_doubts(deal.variation, result) if deal.opening else (),
        chalk_next=side,
    )


def _tied(deal: _Deal) -> Settlement:
    """Nobody has more than half (rules.md 1.3.11, 1.3.16)."""
    chalk_next = None
    step = sentence(gettext_noop("A tie: no mark, and the next deal settles it"))
    if deal.opening and deal.trump_maker:
        chalk_next = _other(deal.trump_maker)
        step = sentence(
            gettext_noop("A tie: no mark, and those who did not make trumps get the chalk")
        )
    return Settlement(
        SCORELESS, steps=(_told(deal), step), note=(deal.point_note,), chalk_next=chalk_next
    )


def _told(deal: _Deal) -> Sentence:
    """The card points of both sides, of which none is named."""
    if deal.opening:
        fewer, more = sorted(deal.points.values())
        text = gettext_noop("%(more)s card points against %(fewer)s, and nobody has the chalk yet")
        return sentence(text, more=more, fewer=fewer)
    favoured = deal.chalk or deal.trump_maker
    ours, theirs = (deal.points[side] for side in sorted(SIDES, key=lambda side: side != favoured))
    if deal.chalk:
        text = gettext_noop("With the chalk %(ours)s card points, the others %(theirs)s")
    else:
        text = gettext_noop("Those who made trumps %(ours)s card points, the others %(theirs)s")
    return sentence(text, ours=ours, theirs=theirs)


def _chalk_step(chalk: str | None, scorer: str) -> Sentence:
    if chalk == scorer:
        return sentence(gettext_noop("The chalk stays with the side that scores"))
    return sentence(gettext_noop("The side that scores takes the chalk"))


def _opening_doubts(variation: Variation, result: Result) -> tuple[Breach, ...]:
    """What to confirm about an opening that pays more than the one mark it is said to bank."""
    marks, usual = variation.pays(result), variation.pays("ordinary")
    if marks == usual:
        return ()
    text = gettext_noop(
        "%(found)s on the first deal: some tables count no more than %(usual)s on it."
    )
    name = "all_tricks" if result == "every_trick" else "points_a"
    return (Breach("opening-level", text, {"found": marks, "usual": usual}, answer=name),)


def _settle_solo(reading: _Reading, solo: Result, chalk: str | None) -> Settlement:
    """A Solo pays the side that wins it, which takes the chalk (rules.md 1.3.6)."""
    bidder, made = reading.side("bidder"), reading.flag("made")
    swept_by = reading.side("all_tricks")
    _refuse_bid(reading, solo)
    if reading.has("points_a"):
        text = gettext_noop("A Solo is all or nothing: no card points are counted in it.")
        reading.breach("solo-points", text, "points_a")
    if None not in {bidder, made, swept_by} and made != (swept_by == bidder):
        text = gettext_noop(
            "A Solo is won exactly when the bidder’s side wins every trick; this does not agree."
        )
        reading.breach("solo-tricks", text, "all_tricks")
    if bidder is None or made is None or reading.breaches:
        raise HandRefused(reading.breaches)
    winner = bidder if made else _other(bidder)
    marks = reading.variation.pays(solo)
    name = sentence(reading.variation.called[solo])
    step = counted(_SOLO_MADE if made else _SOLO_LOST, marks)
    return Settlement(
        entries=scored_by(SIDES.index(winner), marks),
        steps=(name, step, _chalk_step(chalk, winner)),
        note=(name,) if made else (name, sentence(gettext_noop("lost"))),
        chalk_next=winner,
    )


def _refuse_bid(reading: _Reading, solo: Result) -> None:
    """Whatever stands against this Solo being bid at all (rules.md 1.3.2, 1.3.14)."""
    solos = [other for other in SOLOS if other in reading.variation.whole]
    if not solos:
        text = gettext_noop("Deutscher Schafkopf has no Solo of any kind.")
        reading.breach("no-solo", text, "kind")
        return
    if reading.first_deal:
        text = gettext_noop("A Solo cannot be bid on the first deal of a game.")
        reading.breach("solo-first-deal", text, "kind")
    if solo not in solos:
        text = gettext_noop("Alter Schoofkopp has no Small Solo, only Lech Dich.")
        reading.breach("no-small-solo", text, "kind")
        return
    reading.need("bidder", gettext_noop("Missing: the side that bid the Solo."))
    reading.need("made", gettext_noop("Missing: whether the Solo was won or lost."))


def needs(house: House, chalk: ColumnId | None, first_deal: bool) -> Mapping[ColumnId, int]:  # noqa: FBT001
    """The card points with which each side scores the next deal at all (rules.md 1.2).

    Nothing is known while nobody has said who holds the chalk.
    """
    chalk_from = variation_of(house).chalk_from
    if chalk_from == "nothing" or (chalk_from == "opening" and first_deal):
        return dict.fromkeys(SIDES, MAJORITY)
    if chalk is None:
        return {}
    return {side: (_WITH_CHALK if side == chalk else _AGAINST_CHALK).least for side in SIDES}


def questions(house: House) -> tuple[Question, ...]:
    """What a form asks about a deal; a thrown-in hand needs no form (rules.md 1.2)."""
    return tuple(_questions(variation_of(house)))


def _questions(variation: Variation) -> Iterator[Question]:
    solos = [solo for solo in SOLOS if solo in variation.whole]
    played: dict[str, tuple[Answer, ...]] = {"kind": (PLAYED,)} if solos else {}
    bid: dict[str, tuple[Answer, ...]] = {"kind": tuple(solos)}
    if solos:
        yield Question(
            "kind",
            gettext_noop("What was played?"),
            "choice",
            options=(
                Option(PLAYED, gettext_noop("For card points")),
                *(Option(solo, variation.called[solo]) for solo in solos),
            ),
            usual=PLAYED,
        )
    yield from _side_questions(variation, played)
    yield Question(
        "points_a",
        gettext_noop("Card points"),
        "points",
        when=played,
        highest=CARD_POINTS,
        mirror=True,
    )
    yield Question(
        "all_tricks",
        gettext_noop("Who won every trick?"),
        "side",
        options=(Option("", gettext_noop("nobody")), *(Option(side, side) for side in SIDES)),
        when=played,
        usual="",
    )
    if solos:
        yield Question("bidder", gettext_noop("Who bid the Solo?"), "side", when=bid)
        yield Question(
            "made",
            gettext_noop("How did the Solo end?"),
            "choice",
            options=(
                Option(value=True, label=gettext_noop("won")),
                Option(value=False, label=gettext_noop("lost")),
            ),
            when=bid,
        )


def _side_questions(
    variation: Variation, played: Mapping[str, tuple[Answer, ...]]
) -> Iterator[Question]:
    """Which side the deal is counted from: its chalk, or who made trumps."""
    chalk = gettext_noop("Who held the chalk?")
    trump_maker = gettext_noop("Who made trumps?")
    if variation.chalk_from == "jack":
        yield Question("chalk", chalk, "side", when=played)
    elif variation.chalk_from == "opening":
        tied_only = gettext_noop("Who made trumps? Matters at 60–60 only.")
        yield Question("chalk", chalk, "side", when={**played, "first_deal": (False,)})
        opening = {**played, "first_deal": (True,)}
        yield Question("trump_maker", tied_only, "side", when=opening, optional=True)
    else:
        yield Question("trump_maker", trump_maker, "side", when=played)
