"""What only scripts need of a sheet, in one language: sentences, the pad, files that come later.

It is the same for every table, so browsers get it once, by an address that changes with it.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.translation import get_language, override

HTMX = "django_htmx/htmx-2.min.js"
HTMX_CONFIG = json.dumps(
    {
        "allowEval": False,
        "allowScriptTags": False,
        "includeIndicatorStyles": False,
        "selfRequestsOnly": True,
        "disableInheritance": True,
        "historyEnabled": False,
        "historyCacheSize": 0,
        "historyRestoreAsHxRequest": False,
        "defaultFocusScroll": False,
        "defaultSwapStyle": "none",  # what is swapped says so
        "scrollIntoViewOnBoost": False,
        "timeout": 8000,
        "responseHandling": [
            {"code": "204", "swap": False},
            {"code": "[23]..", "swap": True},
            {"code": "4(03|09|12|22|23|29)", "swap": True, "error": False},
            {"code": "[45]..", "swap": False, "error": True},
        ],
    },
    separators=(",", ":"),
)
"""How htmx behaves on every page: no eval, no history, and refusals that are shown."""


class Words(NamedTuple):
    """The script that hands everything over, and a mark that changes with it."""

    script: str
    mark: str


def words_of_now() -> Words:
    """What scripts need in the language of now."""
    language = get_language() or settings.LANGUAGE_CODE
    return _draw(language) if settings.DEBUG else _kept(language)


def words_of(language: str) -> Words:
    """What scripts need in a language."""
    with override(language):
        return words_of_now()


def _draw(language: str) -> Words:
    with override(language):
        given = {
            "words": render_to_string("games/_words.html").strip(),
            "pad": render_to_string("games/_pad.html").strip(),
            "menu": render_to_string("games/_menu_icons.html").strip(),
            "awake": render_to_string("games/_awake.html").strip(),
            "htmx": {"address": static(HTMX), "config": HTMX_CONFIG},
            "hand": {"script": static("js/hand.js"), "style": static("css/hand.css")},
        }
    script = f"window.scoresheetGiven = {json.dumps(given, ensure_ascii=False)};\n"
    return Words(script, hashlib.sha256(script.encode()).hexdigest()[:12])


_kept = lru_cache(_draw)
