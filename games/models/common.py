"""What several models share: keys, codes, how long a name may be."""

from __future__ import annotations

import secrets

CODE_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 6
NAME_LENGTH = 400  # 40 grapheme clusters; an emoji of a family alone has seven code points


def new_key() -> str:
    """A table's key in its addresses: 22 characters, 128 random bits."""
    return secrets.token_urlsafe(16)


def new_code() -> str:
    """A code to type: six characters, none of which looks like another (no 0 O 1 I L)."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
