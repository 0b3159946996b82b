"""The words of a hand of Bavarian Schafkopf, and what a form asks about one (rules.md 3.3)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from games.rules.catalogue.schafkopf import rows
from games.rules.hand import Answer, Option, Question
from games.rules.house import House
from games.rules.vocabulary import gettext_noop

SIE, BETTEL, RAMSCH = "sie", "bettel", "ramsch"

NAMES: Mapping[str, str] = MappingProxyType(
    {
        "rufer": gettext_noop("Rufer"),
        "wedding": gettext_noop("Wedding"),
        "bettel": gettext_noop("Bettel"),
        "wenz": gettext_noop("Wenz"),
        "geier": gettext_noop("Geier"),
        "suit_geier": gettext_noop("Suit Geier"),
        "solo": gettext_noop("Solo"),
        "wenz_tout": gettext_noop("Wenz Tout"),
        "geier_tout": gettext_noop("Geier Tout"),
        "suit_geier_tout": gettext_noop("Suit Geier Tout"),
        "solo_tout": gettext_noop("Solo Tout"),
        "sie": gettext_noop("Sie"),
        "ramsch": gettext_noop("Ramsch"),
    }
)
"""Every contract there is, in the order of a form: the higher bid further down."""

SOME, ALL, NONE = "some", "all", "none"
TRICKS = (SOME, ALL, NONE)
"""Tricks of the declarer's side."""

DECLARER, DEFENCE = "declarer", "defence"
HOLDERS = (DECLARER, DEFENCE)
"""The side that holds the runners."""

DOUBLING = (
    gettext_noop("not doubled"),
    gettext_noop("doubled"),
    gettext_noop("doubled and answered"),
)


@lru_cache(maxsize=64)
def played(house: House) -> tuple[str, ...]:
    """The contracts of a table, in the order of a form."""
    known = {
        SIE: not house["short"],
        BETTEL: house["bettel"],
        RAMSCH: house["ramsch"],
        **dict.fromkeys(_counted(house), True),
        **dict.fromkeys(_touts(house), True),
    }
    return tuple(word for word in NAMES if known.get(word))


def _counted(house: House) -> tuple[str, ...]:
    """The contracts in which card points count."""
    return tuple(contract.key for contract in rows.contracts(house))


def _touts(house: House) -> tuple[str, ...]:
    return tuple(contract.tout_key for contract in rows.contracts(house) if contract.has_tout)


def _paired(house: House) -> tuple[str, ...]:
    return tuple(contract.key for contract in rows.contracts(house) if contract.paired)


def questions(house: House) -> tuple[Question, ...]:
    """What a form asks to work a hand out, in order (rules.md 3.3)."""
    contracts = played(house)
    ramsch = _about_a_ramsch() if RAMSCH in contracts else ()
    return (
        Question(
            "contract",
            gettext_noop("Contract"),
            "choice",
            options=tuple(Option(word, NAMES[word]) for word in contracts),
            usual=contracts[0],
        ),
        *_about_the_play(house, tuple(word for word in contracts if word != RAMSCH)),
        *_about_the_runners(house),
        Question(
            "doubles",
            gettext_noop("Doubling"),
            "choice",
            options=tuple(Option(times, label) for times, label in enumerate(DOUBLING)),
            when=_in([word for word in contracts if word != RAMSCH]),
            usual=0,
        ),
        *ramsch,
    )


def _in(contracts: Iterable[str]) -> Mapping[str, tuple[Answer, ...]]:
    return {"contract": tuple(contracts)}


def _about_the_play(house: House, declared: tuple[str, ...]) -> tuple[Question, ...]:
    counted, touts = _counted(house), _touts(house)
    bettel = tuple(word for word in declared if word == BETTEL)
    return (
        Question("declarer", gettext_noop("Declarer"), "seat", when=_in(declared)),
        Question("partner", gettext_noop("Partner"), "seat", when=_in(_paired(house))),
        Question(
            "points",
            gettext_noop("Declarer’s card points"),
            "points",
            when=_in(counted),
            highest=rows.CARD_POINTS,
        ),
        Question(
            "tricks",
            gettext_noop("Declarer’s tricks"),
            "choice",
            options=(
                Option(SOME, gettext_noop("not all")),
                Option(ALL, gettext_noop("every trick")),
                Option(NONE, gettext_noop("no trick")),
            ),
            when=_in(counted),
            usual=SOME,
        ),
        Question(
            "tricks",
            gettext_noop("Declarer’s tricks"),
            "choice",
            options=(
                Option(ALL, gettext_noop("made: every trick"), when=_in(touts)),
                Option(SOME, gettext_noop("lost: not every trick"), when=_in(touts)),
                Option(NONE, gettext_noop("made: no trick"), when=_in(bettel)),
                Option(SOME, gettext_noop("lost: took a trick"), when=_in(bettel)),
            ),
            when=_in((*touts, *bettel)),
        ),
    )


def _about_the_runners(house: House) -> tuple[Question, ...]:
    contracts = _in((*_counted(house), *_touts(house)))
    longest = max(len(contract.trumps) for contract in rows.contracts(house))
    return (
        Question(
            "runners", gettext_noop("Runners"), "count", when=contracts, usual=0, highest=longest
        ),
        Question(
            "holder",
            gettext_noop("Held by"),
            "choice",
            options=(
                Option(DECLARER, gettext_noop("declarer")),
                Option(DEFENCE, gettext_noop("others")),
            ),
            when={**contracts, "runners": tuple(range(1, longest + 1))},
        ),
    )


def _about_a_ramsch() -> tuple[Question, ...]:
    ramsch = _in([RAMSCH])
    return (
        Question(
            "points",
            gettext_noop("Card points of each player"),
            "points",
            when=ramsch,
            highest=rows.CARD_POINTS,
            many=True,
        ),
        Question("no_trick", gettext_noop("Took no trick"), "switch", when=ramsch, many=True),
        Question("loser", gettext_noop("Who loses a tie"), "seat", when=ramsch, optional=True),
    )
