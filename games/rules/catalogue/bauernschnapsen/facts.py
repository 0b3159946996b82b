"""Numbers for the page of rules."""

from collections.abc import Mapping

from games.rules.house import House


def facts(house: House) -> Mapping[str, object]:  # noqa: ARG001
    """What the page quotes."""
    return {}
