"""The page of a sheet, which is drawn once for each kind of viewer.

What no two looks have in common is left as a gap: the token against forged requests, the op of a
form, the address that was asked for, who waits at the door. They are filled in for each request;
nothing else of a request is known where the page is drawn, so that none can get something of
another's.
"""

from __future__ import annotations

import re
import secrets
import uuid
from typing import TYPE_CHECKING, Any, NamedTuple

from django.middleware.csrf import get_token
from django.utils.html import escape

from games.live import usual_values
from games.models import Match

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from games.models import LateEntry
    from games.sheet import Sheet

_MARK = secrets.token_hex(8)  # so that nobody can call a player by the name of a gap
GAPS = {name: f"{name}-{_MARK}" for name in ("csrf_token", "op_gap", "way_back", "door")}
_GAP = re.compile(f"({'|'.join(GAPS)})-{_MARK}")


class Viewer(NamedTuple):
    """Who looks at a sheet: all that makes one's page another than somebody else's."""

    role: str
    may: str  # the columns this phone may write
    own: str  # the column of the person who sits with it
    sits: bool
    theme: str  # "light", "dark", or "" for the system's


def page_context(sheet: Sheet) -> dict[str, Any]:
    """What stands on a sheet's page outside the parts that news replace, whoever looks."""
    match = sheet.match
    return {
        "all_values": usual_values(sheet),
        "value_names": tuple(sheet.game.value_names(sheet.house).items()),
        "dealer_choices": sheet.names_by_seat,
        "tie": sheet.game.partnerships and _may_tie(sheet),
        "settles": bool(sheet.game.questions(sheet.house)),
        "chalk_question": _may_ask_chalk(sheet) and sheet.game.chalk_question(sheet.house),
        "begun": sheet.has_begun,
        "previous": match.number - 1 if match.number > 1 and not sheet.has_begun else None,
    }


def viewer_context(viewer: Viewer, sheet: Sheet, late: Sequence[LateEntry]) -> dict[str, Any]:
    """What stands on it for one kind of viewer."""
    is_host = viewer.role == "host"
    return {
        **viewer._asdict(),
        "late": late if is_host else (),
        "beyond_tap": sheet.highest + 1 if sheet.match.how == Match.How.TAP and is_host else None,
    }


def _may_ask_chalk(sheet: Sheet) -> bool:
    """Whether the question belongs on the page; one that comes back later loads the page anew."""
    return sheet.asks_chalk or not sheet.has_begun


def _may_tie(sheet: Sheet) -> bool:
    """Whether the next deal can pay nobody anything."""
    nothing = (0,) * len(sheet.sides)
    number = sheet.highest + 1
    return bool(sheet.game.completions(nothing, house=sheet.house, number=number))


def fill(page: str, request: HttpRequest, *, door: str) -> str:
    """A page for one request; ``door`` is what it says about seats."""
    filling = {
        "csrf_token": get_token(request),
        "way_back": escape(request.get_full_path()),
        "door": door,
    }
    # Every form is an attempt of its own, and has an op of its own.
    return _GAP.sub(lambda gap: str(uuid.uuid4()) if gap[1] == "op_gap" else filling[gap[1]], page)
