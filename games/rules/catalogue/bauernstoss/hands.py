"""Hands worked out."""

from collections.abc import Mapping

from games.rules.hand import Question, Settlement
from games.rules.house import House


def settle(hand: Mapping[str, object], house: House) -> Settlement:
    """The row a hand gives."""
    raise NotImplementedError


def questions(house: House) -> tuple[Question, ...]:
    """What a form asks."""
    raise NotImplementedError
