"""The database refuses what must not exist, whoever asks: one test for every constraint."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from games import access
from games.models import (
    Alias,
    DeletedTable,
    Entry,
    Group,
    GroupTable,
    LateEntry,
    Match,
    Member,
    OldKey,
    Op,
    Phone,
    Player,
    Round,
    SeatRequest,
    Side,
    Table,
)
from tests.games.helpers import (
    code_of,
    entry,
    fill,
    host_of,
    make_table,
    match_of,
    new_op,
    stored,
    watcher,
)

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db


def table_again(**changed: Any) -> None:
    """One more table; only the named fields are chosen."""
    now = timezone.now()
    Table.objects.create(
        **{"game_slug": "bauernstoss", "created_at": now, "touched_at": now, **changed}
    )


def phone_again(table: Table, token_hash: str) -> None:
    Phone.objects.create(table=table, token_hash=token_hash, seen_at=timezone.now())


def match_again(table: Table, **changed: Any) -> None:
    """A second match as it can stand beside the first, but for the named fields."""
    now = timezone.now()
    Match.objects.create(
        **{
            "table": table,
            "number": 2,
            "start_dealer": 0,
            "started_at": now,
            "ended_at": now,
            "how": "tap",
            **changed,
        }
    )


def round_again(table: Table, number: int) -> None:
    Round.objects.create(match=match_of(table), number=number)


def late_again(table: Table) -> None:
    same = {
        "table": table,
        "match": match_of(table),
        "round_number": 9,
        "column": "A",
        "value": 1,
        "op": new_op(),
    }
    LateEntry.objects.create(at=timezone.now(), **same)
    LateEntry.objects.create(at=timezone.now(), **same)


def asks_twice(table: Table) -> None:
    phone = watcher(table).phone
    for player in table.players.filter(seat__in=[2, 3]):
        SeatRequest.objects.create(table=table, phone=phone, player=player, at=timezone.now())


def member_again(table: Table, **changed: Any) -> None:
    """Felix once more on Lena's and his side, but for the named fields."""
    felix = Member.objects.get(side__match__table=table, name="Felix")
    same = {"side": felix.side, "player": felix.player, "place": felix.place, "name": "Felix"}
    Member.objects.create(**{**same, **changed})


def recovery_again(table: Table) -> None:
    Table.objects.filter(pk=table.pk).update(recovery_hash="the same")
    table_again(code="AAAAAA", recovery_hash="the same")


def op_again(table: Table) -> None:
    op = new_op()
    Op.objects.create(table=table, op=op, what="one")
    Op.objects.create(table=table, op=op, what="another")


def group_again(**changed: Any) -> Group:
    """A group; only the named fields are chosen."""
    return Group.objects.create(**{"name": "Regulars", "created_at": timezone.now(), **changed})


def counts_twice(table: Table) -> None:
    for _ in range(2):
        GroupTable.objects.create(group=group_again(), table=table)


def two_people(_table: Table) -> None:
    group = group_again()
    for member in ("Lena", "Magdalena"):
        Alias.objects.create(group=group, name_key="leni", name="Leni", member=member)


# By name: what SQLite says of it (a table's check, or the columns that are unique together), and
# the write that breaks it, at a table with one round.
BROKEN_BY: dict[str, tuple[str, Callable[[Table], Any]]] = {
    "a_table_has_a_key": (
        "CHECK: a_table_has_a_key",
        lambda table: table_again(key="", code="AAAAAA"),
    ),
    "one_table_per_recovery_link": (
        "UNIQUE: games_table.recovery_hash",
        recovery_again,
    ),
    "one_player_per_seat": (
        "UNIQUE: games_player.table_id, games_player.seat",
        lambda table: Player.objects.create(table=table, seat=2, name="Ida"),
    ),
    "seats_are_0_to_3": (
        "CHECK: seats_are_0_to_3",
        lambda table: Player.objects.create(table=table, seat=4, name="Ida"),
    ),
    "one_phone_per_browser": (
        "UNIQUE: games_phone.table_id, games_phone.token_hash",
        lambda table: phone_again(table, host_of(table).phone.token_hash),
    ),
    "one_open_request_per_phone": (
        "UNIQUE: games_seatrequest.phone_id",
        asks_twice,
    ),
    "one_match_per_number": (
        "UNIQUE: games_match.table_id, games_match.number",
        lambda table: match_again(table, number=1),
    ),
    "one_open_match_per_table": (
        "UNIQUE: games_match.table_id",
        lambda table: match_again(table, ended_at=None, how=""),
    ),
    "matches_count_from_one": (
        "CHECK: matches_count_from_one",
        lambda table: match_again(table, number=0),
    ),
    "the_dealer_sits_on_0_to_3": (
        "CHECK: the_dealer_sits_on_0_to_3",
        lambda table: match_again(table, start_dealer=4),
    ),
    "an_ended_match_says_how": (
        "CHECK: an_ended_match_says_how",
        lambda table: match_again(table, how=""),
    ),
    "one_side_per_column": (
        "UNIQUE: games_side.match_id, games_side.column",
        lambda table: Side.objects.create(match=match_of(table), column="A", name="Ida & Jo"),
    ),
    "one_member_per_place": (
        "UNIQUE: games_member.side_id, games_member.place",
        lambda table: member_again(table, player=table.players.get(name="Nora")),
    ),
    "one_place_per_player": (
        "UNIQUE: games_member.side_id, games_member.player_id",
        lambda table: member_again(table, place=2),
    ),
    "one_round_per_number": (
        "UNIQUE: games_round.match_id, games_round.number",
        lambda table: round_again(table, 1),
    ),
    "rounds_count_from_one_to_300": (
        "CHECK: rounds_count_from_one_to_300",
        lambda table: round_again(table, 301),
    ),
    "one_entry_per_cell": (
        "UNIQUE: games_entry.round_id, games_entry.side_id",
        lambda table: Entry.objects.create(
            round=entry(table, 1, "A").round, side=entry(table, 1, "A").side
        ),
    ),
    "points_from_zero_up": (
        "CHECK: points",  # the column itself says so first
        lambda table: Entry.objects.filter(side__match__table=table).update(points=-1),
    ),
    "one_use_per_op": (
        "UNIQUE: games_op.table_id, games_op.op",
        op_again,
    ),
    "one_late_entry_per_op": (
        "UNIQUE: games_lateentry.table_id, games_lateentry.op",
        late_again,
    ),
    "a_group_has_a_key": (
        "CHECK: a_group_has_a_key",
        lambda _table: group_again(key=""),
    ),
    "a_table_counts_in_one_group": (
        "UNIQUE: games_grouptable.table_id",
        counts_twice,
    ),
    "a_name_is_one_member": (
        "UNIQUE: games_alias.group_id, games_alias.name_key",
        two_people,
    ),
}

ALLOWED: dict[str, Callable[[Table], Any]] = {
    "two tables without a recovery link": lambda _table: make_table(),
    "two people who sit out": lambda table: Player.objects.bulk_create(
        [Player(table=table, name="Ida"), Player(table=table, name="Jo")]
    ),
    "one browser at two tables": lambda table: phone_again(
        make_table(), access.hash_of("seen elsewhere")
    ),
    "round 300": lambda table: round_again(table, 300),
    "an ended match beside the open one": match_again,
    "0 points": lambda table: Entry.objects.filter(side__match__table=table).update(points=0),
    "a blank": lambda table: Entry.objects.filter(side__match__table=table).update(points=None),
    "one name in two groups": lambda _table: [
        Alias.objects.create(group=group_again(), name_key="leni", name="Leni", member="Lena")
        for _ in range(2)
    ],
    "one op at two tables": lambda table: [
        Op.objects.create(table=each, op="the same", what="") for each in (table, make_table())
    ],
}


# PostgreSQL asks the column before it asks us.
FIRST_OF_ITS_COLUMN = {"points_from_zero_up": "games_entry_points_check"}


@pytest.fixture
def table() -> Table:
    table = make_table()
    fill(table, [(3, 0)])
    phone_again(table, access.hash_of("seen elsewhere"))
    return table


@pytest.mark.parametrize("name", BROKEN_BY)
def test_the_database_refuses_what_breaks_a_constraint_and_names_it(table, name):
    said, write = BROKEN_BY[name]
    before = stored(table)

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        write(table)

    if connection.vendor == "sqlite":
        assert str(refused.value) == said.replace(":", " constraint failed:", 1)
    else:
        (told,) = re.findall('constraint "(.+?)"', str(refused.value))
        assert told in {name, FIRST_OF_ITS_COLUMN.get(name)}
    assert stored(table) == before


@pytest.mark.parametrize("write", ALLOWED.values(), ids=ALLOWED)
def test_the_database_takes_what_only_looks_alike(table, write):
    write(table)

    connection.check_constraints()


def test_every_constraint_of_the_models_is_tried():
    named = [
        constraint.name
        for model in apps.get_app_config("games").get_models()
        for constraint in model._meta.constraints
    ]

    assert sorted(named) == sorted(BROKEN_BY)


@pytest.mark.parametrize("name", ["key", "code"])
def test_no_two_tables_share_what_opens_them(table, name):
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        table_again(**{name: getattr(table, name)})

    if connection.vendor == "sqlite":
        assert str(refused.value) == f"UNIQUE constraint failed: games_table.{name}"
    assert Table.objects.count() == 1


def test_a_table_is_deleted_once():
    now = timezone.now()
    DeletedTable.objects.create(key_hash="a" * 64, at=now)

    with pytest.raises(IntegrityError), transaction.atomic():
        DeletedTable.objects.create(key_hash="a" * 64, at=now)

    assert DeletedTable.objects.count() == 1


def test_no_two_groups_share_what_opens_them():
    group = group_again()

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        group_again(key=group.key)

    if connection.vendor == "sqlite":
        assert str(refused.value) == "UNIQUE constraint failed: games_group.key"
    assert Group.objects.count() == 1


def test_every_field_that_is_unique_by_itself_is_tried():
    fields = [
        f"{model.__name__}.{field.name}"
        for model in apps.get_app_config("games").get_models()
        for field in model._meta.local_fields
        if field.unique and not field.primary_key
    ]

    assert fields == ["Table.key", "Table.code", "OldKey.key", "DeletedTable.key_hash", "Group.key"]


def test_no_two_tables_had_the_same_key(table):
    OldKey.objects.create(table=table, key="old")

    with pytest.raises(IntegrityError), transaction.atomic():
        OldKey.objects.create(table=make_table(), key="old")

    assert OldKey.objects.count() == 1


def test_a_match_that_was_cleared_after_its_end_is_not_removed_from_under_the_next():
    """Taking back the end of match 1 would leave match 1 and match 3 open."""
    table = make_table()
    host = host_of(table)
    for number in (1, 2):
        assert host.write(1, "A", 3, match=number).status_code == 303
        assert host.end(number).status_code == 303
        assert host.post("next/", after=number).status_code == 303
    assert host.write(1, "A", "", match=2).status_code == 303

    answer = host.post(".../reopen/", match=1)

    assert (answer.status_code, code_of(answer)) == (409, "next-begun")
    assert [match.is_open for match in table.matches.order_by("number")] == [False, False, True]
