"""Evenings in the store: one table that was played by the verbs, and as many twins as are wanted.

Needs Django to be set up; ``inside`` does it.
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle, islice
from typing import Any

from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from bench.sheets import DEALS
from games import access, rules, services
from games.access import Visitor
from games.models import (
    Change,
    Entry,
    Match,
    Member,
    Op,
    Phone,
    Player,
    Round,
    Side,
    Table,
    new_code,
    new_key,
)

NAMES = ("Lena", "Kofi", "Felix", "Nora")
Ids = list[dict[int, int]]  # for each twin: a row of the first one -> its own


def fill(game: str, *, tables: int, rounds: int, watchers: int = 0) -> list[dict[str, Any]]:
    """Fill the store with tables of four phones and so many rounds; what ``Sheet`` needs of each.

    Watchers are phones without a seat, so many at every table.
    """
    seated = [_new_tokens(len(NAMES)) for _ in range(tables)]
    watching = [_new_tokens(watchers) for _ in range(tables)]
    with transaction.atomic():
        first = play(game, rounds, seated[0])
        twins = copy_table(first, tables - 1, (token for four in seated[1:] for token in four))
        for table, tokens in zip((first, *twins), watching, strict=True):
            Phone.objects.bulk_create(
                Phone(table=table, token_hash=access.hash_of(token), seen_at=timezone.now())
                for token in tokens
            )
    return [
        {
            "key": table.key,
            "version": table.version,
            "game": game,
            "rounds": rounds,
            "columns": "".join(columns_of(table)),
            "seated": sitting,
            "watching": looking,
        }
        for table, sitting, looking in zip((first, *twins), seated, watching, strict=True)
    ]


def play(game: str, rounds: int, tokens: Sequence[str]) -> Table:
    """A table where four phones sit, the host on seat 0, and so many rounds were written."""
    new = services.NewTable(
        game_slug=game,
        names=NAMES,
        first_dealer=0,
        holder=0,
        house=rules.find_game(game).house_rules({}),
    )
    hashes = [access.hash_of(token) for token in tokens]
    table = services.start_table(token_hash=hashes[0], new=new)
    for seat, token_hash in enumerate(hashes[1:], 1):
        visitor = Visitor(Table.objects.get(pk=table.pk), None)
        services.take_seat(visitor=visitor, token_hash=token_hash, seat=seat)
    write_rounds(table, islice(cycle(DEALS[game]), rounds))
    return Table.objects.get(pk=table.pk)


def write_rounds(table: Table, rows: Iterable[Sequence[int]], *, first: int = 1) -> None:
    """Write whole rows from a round on, as the table's host does."""
    host = Phone.objects.select_related("player").get(table=table, is_host=True)
    visitor = Visitor(Table.objects.get(pk=table.pk), host)
    match, columns = access.newest_match(visitor.table), columns_of(table)
    for number, row in enumerate(rows, first):
        services.write_round(
            visitor=visitor,
            match=match,
            round_number=number,
            texts={column: str(value) for column, value in zip(columns, row, strict=True)},
            op=str(uuid.uuid4()),
            base=0,
        )


def columns_of(table: Table) -> list[str]:
    """The columns of a table's match, left to right."""
    partnerships = table.game.partnerships
    return ["A", "B"] if partnerships else ["0", "1", "2", "3"]


def copy_table(first: Table, count: int, tokens: Iterator[str]) -> list[Table]:
    """Twins of a table with everything it owns, but for keys, codes and their phones' cookies."""
    codes = iter({new_code() for _ in range(2 * count + 10)} - {first.code})
    of_first = Table.objects.filter(pk=first.pk)
    of_table = {"table_id": _copy(of_first, count, key=new_key, code=lambda: next(codes))}
    of_player = {"player_id": _copy(Player.objects.filter(table=first), count, of_table)}
    phones = _copy(
        Phone.objects.filter(table=first),
        count,
        of_table | of_player,
        token_hash=lambda: access.hash_of(next(tokens)),
    )
    of_match = {"match_id": _copy(Match.objects.filter(table=first), count, of_table)}
    of_side = {"side_id": _copy(Side.objects.filter(match__table=first), count, of_match)}
    members = Member.objects.filter(side__match__table=first)
    _copy(members, count, of_side | of_player)
    of_round = {"round_id": _copy(Round.objects.filter(match__table=first), count, of_match)}
    entries = Entry.objects.filter(round__match__table=first)
    _copy(entries, count, of_round | of_side | {"written_by_id": phones})
    _copy(Change.objects.filter(table=first), count, of_table | {"phone_id": phones})
    _copy(Op.objects.filter(table=first), count, of_table)
    return list(Table.objects.filter(pk__gt=first.pk).order_by("pk"))


def _copy(
    rows: QuerySet[Any],
    count: int,
    owners: dict[str, Ids] | None = None,
    **fresh: Callable[[], object],
) -> Ids:
    """Rows once more for each twin, owned by the twin's own; ``fresh`` values are made anew."""
    model: type[Model] = rows.model
    originals = list(rows.order_by("pk").values())
    made = []
    for twin in range(count):
        for row in originals:
            values = {name: value for name, value in row.items() if name != "id"}
            values |= {name: ids[twin].get(row[name]) for name, ids in (owners or {}).items()}
            values |= {name: make() for name, make in fresh.items()}
            made.append(model(**values))
    stored = iter(rows.model.objects.bulk_create(made, batch_size=2000))
    return [{row["id"]: next(stored).pk for row in originals} for _twin in range(count)]


def _new_tokens(count: int) -> list[str]:
    return [secrets.token_hex(16) for _ in range(count)]
