"""Reading the fields of a POST strictly: a missing or malformed one is refused, never guessed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypedDict

from django.utils.translation import gettext as _

from games.services import Malformed

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.http import QueryDict

OP = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
WHOLE = re.compile(r"(0|[1-9][0-9]{0,17})\Z")


class Attempt(TypedDict):
    """What every write says of itself: which attempt, what its page had seen, a yes to a doubt."""

    op: str
    base: int
    sure: bool


def text(post: QueryDict, name: str) -> str:
    """A field that has to be there, possibly empty."""
    if name not in post:
        raise malformed(name)
    return str(post[name])


def whole(post: QueryDict, name: str) -> int:
    """A field that holds a whole number from zero up."""
    value = text(post, name).strip()
    if not WHOLE.match(value):
        raise malformed(name)
    return int(value)


def whole_or_none(post: QueryDict, name: str) -> int | None:
    """A field that may be left out, or holds a whole number."""
    return whole(post, name) if post.get(name, "") != "" else None


def op(post: QueryDict) -> str:
    """The UUID of this attempt."""
    value = text(post, "op").strip().lower()
    if not OP.match(value):
        raise malformed("op")
    return value


def attempt(post: QueryDict) -> Attempt:
    """The fields that every write brings along, as its verb takes them."""
    return {"op": op(post), "base": whole(post, "base"), "sure": flag(post, "sure")}


def version(text: str) -> int | None:
    """A version that somebody says to have, None for anything that is no such number."""
    return int(text) if WHOLE.match(text) else None


def flag(post: QueryDict, name: str) -> bool:
    """A field that is "1", or "0", empty or missing."""
    value = post.get(name, "")
    if value not in {"", "0", "1"}:
        raise malformed(name)
    return value == "1"


def one_of(post: QueryDict, name: str, choices: Collection[str]) -> str:
    """A field that holds one of a few words."""
    value = text(post, name)
    if value not in choices:
        raise malformed(name)
    return value


def malformed(name: str) -> Malformed:
    """A field nobody typed wrongly: the page itself sent it so."""
    return Malformed(
        "malformed",
        _("This page sent something incomplete (%(field)s). Please load it again.")
        % {"field": name},
    )
