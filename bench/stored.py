"""A store that is as full as is wanted: groups of people who have played for months, copied.

One group is played by the verbs and copied by the store itself, so that a million matches take
minutes. What has to be of its own is made of the number of the copy: keys, codes, and the tokens of
browsers, so that every copy can be asked and written at. Needs Django to be set up; ``inside`` does
it.
"""

from __future__ import annotations

import hashlib
import time
from datetime import timedelta
from typing import Any

from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import F, Max, Model
from django.utils import timezone

from bench import evenings
from bench.sheets import Sheet
from games import access, rules, services
from games.models import (
    CODE_ALPHABET,
    CODE_LENGTH,
    Change,
    Entry,
    Group,
    GroupTable,
    Match,
    Member,
    Op,
    Phone,
    Player,
    Round,
    Side,
    Table,
)

TABLES_OF_A_GROUP, MATCHES_OF_A_TABLE = 20, 5
MATCHES_OF_A_GROUP = TABLES_OF_A_GROUP * MATCHES_OF_A_TABLE
LINE = 12
MATCH = ((3, 0), (0, 2), (3, 0), (3, 0), (3, 0))  # deals until the line
PLAYED = 2  # of the last match, which is open
AT_ONCE = 200  # groups that are copied by one statement
CODES, STEP = len(CODE_ALPHABET) ** CODE_LENGTH, 541_003_217  # they have no divisor in common
# What is copied, owners first.
PAGES = {  # what is asked for: a place and who comes there are drawn by lot
    "a sheet": "/t/{key}/",
    "an old match": "/t/{key}/m/1/",
    "the history of a match": "/t/{key}/m/1/history/",
    "an evening": "/t/{key}/evening/",
    "the people of a table": "/t/{key}/people/",
    "the tables of a browser": "/",
    "the box for a code": "/join/?code={code}",
    "a group": "/g/{group}/",
}
COPIED: tuple[type[Model], ...] = (
    Table, Player, Phone, Match, Side, Member, Round, Entry, Change, Op, Group, GroupTable,
)  # fmt: skip


def key_of(first: str, copy: int) -> str:
    """The key of a table or group in a copy, by its key in the first one."""
    return hashlib.md5(f"{first}.{copy}".encode(), usedforsecurity=False).hexdigest()[:22]


def token_of(seat: int, copy: int) -> str:
    """The token of the browser that sits on a seat in all tables of a copy."""
    return f"seat {seat} of {copy}"


def names_of(told: dict[str, Any], copy: int, table: int) -> dict[str, str]:
    """What addresses are made of: a table of a copy by its place, and its group."""
    key, group = told["keys"][table], told["group"]
    return {
        "key": key_of(key, copy) if copy else key,
        "group": key_of(group, copy) if copy else group,
        "code": _code(table + 1 + copy * TABLES_OF_A_GROUP),
    }


def sheet_of(told: dict[str, Any], copy: int, table: int) -> Sheet:
    """The open match of a table, as its phones see it now."""
    match = Match.objects.select_related("table").get(
        table__key=names_of(told, copy, table)["key"], ended_at=None
    )
    rounds = len(MATCH[:PLAYED])
    entered = Entry.objects.filter(round__match=match, round__number__gt=rounds).count()
    return Sheet(
        key=match.table.key,
        version=match.table.version,
        game=match.table.game_slug,
        rounds=rounds,
        columns="AB",
        seated=[token_of(seat, copy) for seat in range(4)],
        entered=entered,
        match=match.number,
    )


def fill(*, matches: int) -> dict[str, Any]:
    """Fill an empty store with so many matches, or a few more; how to ask for its groups.

    ``keys`` and ``group`` are those of the first group, from which the others follow.
    """
    began = time.monotonic()
    group = _play_for_months()
    copies = -(-matches // MATCHES_OF_A_GROUP) - 1
    _copy(copies)
    if copies <= AT_ONCE:  # more of them come by the same statements
        connection.check_constraints()
    tables = [one.table for one in group.tables.select_related("table").order_by("table")]
    return {
        "groups": copies + 1,
        "matches": Match.objects.count(),
        "entries": Entry.objects.count(),
        "seconds": time.monotonic() - began,
        "bytes": _bytes(),
        "group": group.key,
        "keys": [table.key for table in tables],
    }


def _play_for_months() -> Group:
    """One evening a week: played once by the verbs, and put back week by week."""
    tokens = [token_of(seat, 0) for seat in range(4)]
    with transaction.atomic():
        first = _play_an_evening(tokens)
        weeks = TABLES_OF_A_GROUP - 1
        tables = [first, *evenings.copy_table(first, weeks, iter(tokens * weeks))]
        group = Group.objects.create(name="Thursday round", created_at=timezone.now())
        for week, table in enumerate(reversed(tables)):
            ago = timedelta(weeks=week)
            GroupTable.objects.create(group=group, table=table)
            table.code = _code(table.pk)
            table.touched_at -= ago
            table.save()
            table.matches.update(started_at=F("started_at") - ago)
            table.matches.exclude(ended_at=None).update(ended_at=F("ended_at") - ago)
    return group


def _play_an_evening(tokens: list[str]) -> Table:
    table = evenings.play("bauernstoss", 0, tokens)
    Table.objects.update(house=rules.find_game("bauernstoss").house_rules({"line": LINE}))
    Match.objects.update(house=Table.objects.get().house)
    for number in range(1, MATCHES_OF_A_TABLE + 1):
        rows = [row[:: 1 if number % 2 else -1] for row in MATCH]  # they win in turn
        if number == MATCHES_OF_A_TABLE:
            evenings.write_rounds(table, rows[:PLAYED])
        else:
            evenings.write_rounds(table, rows)
            host = Phone.objects.select_related("player").get(is_host=True)
            visitor = access.Visitor(Table.objects.get(), host)
            services.next_match(visitor=visitor, after=number)
    return Table.objects.get()


def _code(table: int) -> str:
    rest = table * STEP % CODES
    digits = [rest // len(CODE_ALPHABET) ** place for place in range(CODE_LENGTH)]
    return "".join(CODE_ALPHABET[digit % len(CODE_ALPHABET)] for digit in digits)


def _copy(copies: int) -> None:
    """So many copies of everything, by statements that never leave the store."""
    lengths = {model: _length(model) for model in COPIED}
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":  # a store that is half full is thrown away
            cursor.execute("PRAGMA foreign_keys=OFF")
            cursor.execute("PRAGMA synchronous=OFF")
            cursor.execute("PRAGMA cache_size=-262144")
        else:
            cursor.execute("SET session_replication_role = replica")
        for first in range(1, copies + 1, AT_ONCE):
            last = min(first + AT_ONCE - 1, copies)
            with transaction.atomic():
                for model in COPIED:
                    cursor.execute(_copying(model, lengths, first, last))
        for statement in connection.ops.sequence_reset_sql(no_style(), list(COPIED)):
            cursor.execute(statement)
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        else:
            cursor.execute("VACUUM ANALYZE")


def _length(model: Any) -> int:
    """How many keys the first group has taken of a kind of row."""
    return int(model.objects.aggregate(last=Max("pk"))["last"])


def _copying(model: type[Model], lengths: dict[type[Model], int], first: int, last: int) -> str:
    """The statement that makes these copies of one kind of row."""
    rows = model._meta  # noqa: SLF001 - Django's way to ask a model
    names = ", ".join(f'"{field.column}"' for field in rows.concrete_fields)
    values = ", ".join(_copied(model, field, lengths) for field in rows.concrete_fields)
    return (
        f"INSERT INTO {rows.db_table} ({names})"  # noqa: S608 - nothing that anybody typed
        f" WITH RECURSIVE copies(k) AS (SELECT {first} UNION ALL SELECT k + 1 FROM copies"
        f" WHERE k < {last}) SELECT {values} FROM copies CROSS JOIN {rows.db_table} t"
        f" WHERE t.id <= {lengths[model]} ORDER BY k, t.id"
    )


def _copied(model: type[Model], field: Any, lengths: dict[type[Model], int]) -> str:
    """What a column holds in copy ``k``."""
    own = f't."{field.column}"'
    if field.primary_key:
        return f"{own} + k * {lengths[model]}"
    if field.is_relation:
        return f"{own} + k * {lengths[field.related_model]}"
    if field.name == "key":
        return f"substr(md5({own} || '.' || k), 1, 22)"
    if field.name == "code":
        return _code_sql(f"((t.id + k * {lengths[model]}) * {STEP} % {CODES})")
    if field.name == "token_hash":
        return _token_hash_sql(own)
    return own


def _code_sql(number: str) -> str:
    count = len(CODE_ALPHABET)
    return " || ".join(
        f"substr('{CODE_ALPHABET}', CAST(1 + {number} / {count**place} % {count} AS int), 1)"
        for place in range(CODE_LENGTH)
    )


def _token_hash_sql(own: str) -> str:
    seats = " ".join(
        f"WHEN '{access.hash_of(token_of(seat, 0))}' THEN 'seat {seat} of '" for seat in range(4)
    )
    token = f"(CASE {own} {seats} END || k)"
    if connection.vendor == "sqlite":
        return f"sha256({token})"
    return f"encode(sha256({token}::bytea), 'hex')"


def _bytes() -> int:
    """What the store takes on the disk."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        else:
            cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])
