"""A table as plain values for JSON (docs/export.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.models import Match
from games.moves import moves_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from games.exchange.taken import Taken, TakenMatch
    from games.models import Change, LateEntry
    from games.sheet import Cell, Row, Sheet

FORMAT = "scoresheet"
EDITION = 1

Plain = dict[str, Any]


def as_plain(taken: Taken) -> Plain:
    """Everything that people wrote at a table."""
    table = taken.table
    return {
        "format": FORMAT,
        "edition": EDITION,
        "game": table.game_slug,
        "house": table.game.house_rules(table.house),
        "agreed": table.agreed,
        "unit_cents": table.unit_cents,
        "currency": table.currency,
        "stake": table.stake,
        "started_at": _time(table.created_at),
        "players": [{"name": player.name, "seat": player.seat} for player in taken.players],
        "matches": [_match(one) for one in taken.matches],
    }


def _match(taken: TakenMatch) -> Plain:
    sheet = taken.sheet
    match = sheet.match
    return {
        "number": match.number,
        "house": sheet.game.house_rules(match.house),
        "start_dealer": match.start_dealer,
        "first_chalk": match.first_chalk or None,
        "dealer_corrections": [
            {"deal": deal, "thrown_in": thrown, "seat": seat}
            for deal, thrown, seat in match.dealer_corrections
        ],
        "thrown_in": [
            {"before": int(before), "hands": hands}
            for before, hands in sorted(match.thrown_in.items(), key=lambda one: int(one[0]))
        ],
        "started_at": _time(match.started_at),
        "ended_at": _time(match.ended_at),
        "ended_by": match.ended_by,
        "how": match.how or None,
        "corrected": match.corrected,
        "banking": _banking(match.banking) if match.how == Match.How.LINE else None,
        "sides": [
            {
                "column": side.column,
                "name": side.name,
                "players": list(side.player_ids),
                "called": list(side.players),
            }
            for side in sheet.sides
        ],
        "rounds": [_round(sheet, row) for row in sheet.rows],
        "history": [_change(change) for change in taken.history],
        "moves": [
            {"write": move.version, "what": move.what, "deal": move.number}
            for move in moves_of(match.moves)
        ],
        "late": [_late(one) for one in taken.late],
    }


def _banking(banking: Mapping[str, Any]) -> Plain:
    """What the banking change wrote, so that it can still be taken back."""
    return {
        "cells": [
            {"deal": deal, "column": column, "before": before}
            for deal, column, before in banking.get("cells", ())
        ],
        "house": banking.get("house"),
    }


def _round(sheet: Sheet, row: Row) -> Plain:
    plain: Plain = {"number": row.number, "entries": [_entry(cell) for cell in row.cells]}
    if row.hand is not None:
        plain["hand"] = dict(row.hand)
    if row.confirmed:
        plain["confirmed"] = {code: list(columns) for code, columns in row.confirmed.items()}
    if row.number in sheet.unlawful:
        plain["unlawful"] = True
    return plain


def _entry(cell: Cell) -> Plain | None:
    if cell.value is None:
        return None
    plain = {"value": cell.value, "state": cell.state, "at": _time(cell.written_at)}
    return plain if cell.was is None else {**plain, "was": cell.was}


def _change(change: Change) -> Plain:
    plain: Plain = {
        "write": change.version,
        "at": _time(change.at),
        "who": change.who,
        "deal": change.round_number,
        "column": change.column,
        "before": change.before,
        "after": change.after,
        "why": change.why,
    }
    if change.hand is not None:
        plain["hand"] = change.hand
    if change.from_round is not None:
        plain["from_deal"] = change.from_round
    return plain


def _late(late: LateEntry) -> Plain:
    return {
        "at": _time(late.at),
        "who": late.who,
        "deal": late.round_number,
        "column": late.column,
        "value": late.value,
        "decision": late.decision,
    }


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
