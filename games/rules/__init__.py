"""The rules of the games, in plain Python.

>>> from games import rules
>>> game = rules.find_game("schafkopf")
>>> game.check((7, 7, 0, 0), house={}).breaches[0].code
'rufer-odd'
"""

from games.rules.dealing import dealer
from games.rules.feats import Feat
from games.rules.game import Game, Stake
from games.rules.hand import HandRefused, Option, Question, Settlement
from games.rules.house import HouseRule, HouseRuleRefused, HouseValue
from games.rules.registry import UnknownGame, all_games, find_game
from games.rules.vocabulary import (
    Breach,
    ColumnId,
    OpenRow,
    Row,
    Sentence,
    Standing,
    Status,
    Totals,
    Verdict,
)

__all__ = [
    "Breach",
    "ColumnId",
    "Feat",
    "Game",
    "HandRefused",
    "HouseRule",
    "HouseRuleRefused",
    "HouseValue",
    "OpenRow",
    "Option",
    "Question",
    "Row",
    "Sentence",
    "Settlement",
    "Stake",
    "Standing",
    "Status",
    "Totals",
    "UnknownGame",
    "Verdict",
    "all_games",
    "dealer",
    "find_game",
]
