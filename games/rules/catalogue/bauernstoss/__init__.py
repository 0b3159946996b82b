"""Bauernstoss, with Alter Schoofkopp and Deutscher Schafkopf (docs/games.md; rules.md 1)."""

from games.rules.catalogue.bauernstoss import facts, hands, rows
from games.rules.game import Game, Rulebook
from games.rules.house import COMMON, choice
from games.rules.partnership import SIDES
from games.rules.vocabulary import gettext_noop

GAME = Game(
    slug="bauernstoss",
    name=gettext_noop("Bauernstoss"),
    columns=SIDES,
    house=(
        choice(
            "variation",
            gettext_noop("Variation"),
            {
                "main": gettext_noop("Bauernstoss, to 20"),
                "schoofkopp": gettext_noop("Alter Schoofkopp, to 15"),
                "deutscher": gettext_noop("Deutscher Schafkopf, to 9"),
            },
            default="main",
        ),
        *COMMON,
    ),
    points_word=gettext_noop("marks"),
    tagline=gettext_noop("two partnerships, marks to 20, the chalk"),
    partnerships=True,
    thrown_in=True,
    rulebook=Rulebook(
        judge=rows.judge,
        complete=rows.complete,
        explain=rows.explain,
        line=lambda house: rows.variation_of(house).line,
        value_names=lambda house: rows.variation_of(house).names,
        chalk=rows.chalk,
        asks_chalk=rows.asks_chalk,
        chalk_question=rows.chalk_question,
        settle=hands.settle,
        questions=hands.questions,
        needs=hands.needs,
        facts=facts.facts,
    ),
)
