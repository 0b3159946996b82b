"""Bavarian Schafkopf (docs/games.md; rules.md 3)."""

from games.rules.catalogue.schafkopf import facts, feats, hands, rows
from games.rules.game import Game, Rulebook
from games.rules.house import COMMON, flag, units
from games.rules.vocabulary import gettext_noop

GAME = Game(
    slug="schafkopf",
    name=gettext_noop("Bavarian Schafkopf"),
    columns=rows.SEATS,
    house=(
        flag("short", gettext_noop("Short, with 24 cards")),
        flag("geier", gettext_noop("Geier")),
        flag("suit_geier", gettext_noop("Suit Geier")),
        flag("wedding", gettext_noop("Wedding")),
        units("bettel", gettext_noop("Bettel, in units"), highest=20),
        units("ramsch", gettext_noop("Ramsch instead of a redeal, in units"), highest=20),
        flag(
            "ramsch_doubles",
            gettext_noop("A Ramsch doubles for each player without a trick"),
            default=True,
        ),
        *COMMON,
    ),
    points_word=gettext_noop("units"),
    tagline=gettext_noop("four players, units, no line"),
    partnerships=False,
    thrown_in=True,
    rulebook=Rulebook(
        judge=rows.judge,
        complete=rows.complete,
        explain=rows.explain,
        line=lambda house: None,  # noqa: ARG005 -- played until somebody ends it
        value_names=rows.value_names,
        settle=hands.settle,
        questions=hands.questions,
        facts=facts.facts,
        feats=feats.feats,
        together=feats.together,
    ),
)
