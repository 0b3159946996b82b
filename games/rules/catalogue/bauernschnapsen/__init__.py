"""Bauernschnapsen (docs/games.md; rules.md 2)."""

from games.rules.catalogue.bauernschnapsen import facts, hands, rows
from games.rules.game import Game, Rulebook
from games.rules.partnership import SIDES
from games.rules.vocabulary import gettext_noop

GAME = Game(
    slug="bauernschnapsen",
    name=gettext_noop("Bauernschnapsen"),
    columns=SIDES,
    house=rows.HOUSE_RULES,
    points_word=gettext_noop("game points"),
    tagline=gettext_noop("two partnerships, game points to 24, Kontra and Bummerl"),
    partnerships=True,
    thrown_in=False,
    counts_down=True,
    rulebook=Rulebook(
        judge=rows.judge,
        complete=rows.complete,
        explain=rows.explain,
        line=lambda house: rows.LINE,  # noqa: ARG005 -- every variation plays to 24
        value_names=rows.value_names,
        bummerl=rows.bummerl,
        settle=hands.settle,
        questions=hands.questions,
        facts=facts.facts,
    ),
)
