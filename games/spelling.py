"""Two spellings of a name: when they are the same to a reader."""

from __future__ import annotations

import unicodedata

import regex

_INVISIBLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")


def name_key(name: str) -> str:
    """What two names share when a reader cannot tell them apart by letters."""
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", name).casefold())
