"""The games there are, in the order of the menu."""

from types import MappingProxyType

from games.rules.catalogue import bauernschnapsen, bauernstoss, schafkopf
from games.rules.game import Game

_MENU = (
    bauernstoss.GAME,
    bauernschnapsen.GAME,
    schafkopf.GAME,
)
_GAMES = MappingProxyType({game.slug: game for game in _MENU})


class UnknownGame(KeyError):
    """No game has this slug."""


def all_games() -> tuple[Game, ...]:
    """Every game, in the order of the menu."""
    return tuple(_GAMES.values())


def find_game(slug: str) -> Game:
    """The game with this slug. Raises ``UnknownGame`` if there is none.

    >>> find_game("bauernstoss").check((3, 0), house={}).status
    'lawful'
    """
    try:
        return _GAMES[slug]
    except (KeyError, TypeError):
        raise UnknownGame(slug) from None
