"""Names of people and sides: what may stand on a sheet."""

from __future__ import annotations

import unicodedata

import regex
from django.utils.translation import gettext as _

from games.models import NAME_LENGTH
from games.services.refusals import Malformed

NAME_CLUSTERS = 40  # what a reader counts as characters
TYPED_LENGTH = 4 * NAME_LENGTH  # longer texts are no name; NFC takes quadratic time

_WHITE = regex.compile(r"\p{White_Space}+")
FORBIDDEN = regex.compile(r"[\p{Cc}\p{Cs}\p{Bidi_Control}]")
# Invisible, and nothing in a name: zero-width space, word joiner, byte order mark, soft hyphen.
_NOTHING = regex.compile(r"[\u200B\u2060\uFEFF\u00AD]")
# Joiners mean something inside an emoji, after a mark of an Indic script, and in Arabic.
_JOINERS_OF_NOTHING = regex.compile(
    r"(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}])[\u200C\u200D]"
)
_JOINERS_AT_THE_ENDS = regex.compile(r"\A[\u200C\u200D]+|[\u200C\u200D]+\Z")
_VISIBLE = regex.compile(
    r"[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]", regex.V1
)
_CLUSTER = regex.compile(r"\X")


def clean_name(text: str) -> str:
    """A name as it is kept: NFC, one space between words, 1 to 40 grapheme clusters.

    Raises ``Malformed``: ``name-missing`` for nothing that can be seen, ``name-characters`` for
    control characters and ones that turn the direction of writing, ``name-long``.
    """
    name = _clean(text)
    if len(name) > NAME_LENGTH or len(_CLUSTER.findall(name)) > NAME_CLUSTERS:
        raise _too_long()
    return name


def clean_side_name(text: str) -> str:
    """A side's name as it is kept: like any other, but it may be the names of two joined by &."""
    name = _clean(text)
    if len(name) > 2 * NAME_LENGTH + 3 or len(_CLUSTER.findall(name)) > 2 * NAME_CLUSTERS + 3:
        raise _too_long()
    return name


def _clean(text: str) -> str:
    if len(text) > TYPED_LENGTH:
        raise _too_long()
    name = _WHITE.sub(" ", unicodedata.normalize("NFC", text))
    if FORBIDDEN.search(name):
        raise Malformed("name-characters", _("A name cannot hold control characters."))
    name = _JOINERS_OF_NOTHING.sub("", _NOTHING.sub("", name))
    name = _JOINERS_AT_THE_ENDS.sub("", name.strip())
    name = unicodedata.normalize("NFC", _WHITE.sub(" ", name).strip())
    if not _VISIBLE.search(name):
        raise Malformed("name-missing", _("A name is missing here."))
    return name


def _too_long() -> Malformed:
    return Malformed("name-long", _("A name has at most 40 characters."))
