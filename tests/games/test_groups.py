"""The group of a table: started, joined, left; names put together; what its matches tell."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from games import access, services
from games.groups import Guest, gather, key_in
from games.models import Alias, Entry, Group, GroupTable, Match, Phone, Player, Table
from games.regulars import meetings, partners, ranking
from games.spelling import name_key
from tests.games.helpers import (
    HOST_TOKEN,
    fill,
    host_of,
    let_play,
    make_table,
    match_of,
    seated,
    stored,
    watcher,
)

pytestmark = pytest.mark.django_db

BEGIN = datetime(2026, 3, 5, 20, tzinfo=UTC)


def group_of(*tables: Table, name: str = "Thursday round") -> Group:
    """A group that the hosts of these tables have made."""
    group = services.start_group(visitor=host_of(tables[0]).visitor, name=name)
    for table in tables[1:]:
        services.join_group(visitor=host_of(table).visitor, key=group.key)
    return group


def guest_at(group: Group, token: str = HOST_TOKEN) -> Guest:
    """A browser at a group's page, as the door knows it."""
    return Guest(group, access.hash_of(token), {}, is_host=True, own_names=frozenset())


def call(table: Table, *names: str) -> None:
    """Give the players of a table other names, by seat."""
    for seat, name in enumerate(names):
        table.players.filter(seat=seat).update(name=name)


def play(table: Table, *rows: tuple[int | None, ...], match: int = 1) -> None:
    """A match to the line of 3, or ended by a tap."""
    if match > 1:
        assert host_of(table).post("next/").status_code == 303
    fill(table, list(rows), match)
    if match_of(table, match).is_open:
        assert host_of(table).end(match).status_code == 303


def to_three() -> Table:
    return make_table(house={"line": 3})


def everything() -> tuple[list[object], ...]:
    return tuple(
        list(model.objects.order_by("pk").values()) for model in (Group, GroupTable, Alias)
    )


def records(found):
    return [(" ".join(r.members), r.won, r.played, r.points) for r in found]


# Which tables -----------------------------------------------------------------------------------


def test_a_host_starts_a_group_with_the_table_and_another_table_joins_by_its_key():
    one, other = make_table(), make_table()

    group = group_of(one, other)

    assert Group.objects.get().name == "Thursday round"
    assert len(group.key) == 22
    assert list(group.tables.order_by("pk").values_list("table", flat=True)) == [one.pk, other.pk]


def test_nothing_of_a_group_is_seen_at_the_table():
    """Whatever is done with it, the table keeps its version, and its code the hours it has left."""
    table, other = make_table(), make_table()
    before = stored(table), Table.objects.get(pk=table.pk).touched_at

    group = group_of(other, table)
    services.rename_group(guest=guest_at(group), name="Friday round")
    services.leave_group(visitor=host_of(table).visitor, sure=False)
    group_of(table)
    services.leave_group(visitor=host_of(table).visitor, sure=True)

    assert (stored(table), Table.objects.get(pk=table.pk).touched_at) == before


@pytest.mark.parametrize("who", [lambda t: seated(t, 2), watcher], ids=["player", "watcher"])
@pytest.mark.parametrize("verb", ["start", "join", "leave"])
def test_only_the_host_says_where_a_table_counts(verb, who):
    table, other = make_table(), make_table()
    group = group_of(other if verb != "leave" else table)
    visitor = who(table).visitor
    before = everything()

    with pytest.raises(PermissionDenied):
        {
            "start": lambda: services.start_group(visitor=visitor, name="x"),
            "join": lambda: services.join_group(visitor=visitor, key=group.key),
            "leave": lambda: services.leave_group(visitor=visitor, sure=True),
        }[verb]()

    assert everything() == before


def test_a_table_counts_in_one_group():
    table = make_table()
    group_of(table)
    other = group_of(make_table(), name="Others")
    before = everything()

    for verb in (
        lambda: services.start_group(visitor=host_of(table).visitor, name="Again"),
        lambda: services.join_group(visitor=host_of(table).visitor, key=other.key),
    ):
        with pytest.raises(services.Refusal) as refused:
            verb()
        assert refused.value.code == "in-a-group"
    assert everything() == before


def test_a_key_of_no_group_is_refused():
    table = make_table()

    with pytest.raises(services.Malformed) as refused:
        services.join_group(visitor=host_of(table).visitor, key="A" * 22)

    assert refused.value.code == "no-group"
    assert everything() == ([], [], [])


def test_a_table_is_taken_out_and_the_others_stay():
    one, other = make_table(), make_table()
    group = group_of(one, other)

    services.leave_group(visitor=host_of(one).visitor, sure=False)

    assert [line.table_id for line in group.tables.all()] == [other.pk]


def test_the_last_table_takes_the_group_with_it_when_somebody_is_sure():
    table = make_table()
    group = group_of(table)
    before = everything()

    with pytest.raises(services.NeedsSure) as asked:
        services.leave_group(visitor=host_of(table).visitor, sure=False)
    assert (asked.value.code, everything()) == ("last-table", before)

    services.leave_group(visitor=host_of(table).visitor, sure=True)
    assert not Group.objects.filter(pk=group.pk).exists()
    assert Table.objects.filter(pk=table.pk).exists()


def test_a_deleted_table_leaves_its_group_and_the_last_one_takes_the_group_with_it():
    one, other = make_table(), make_table()
    group, another = group_of(one, other), group_of(make_table())

    services.delete_table(visitor=host_of(one).visitor)
    assert set(Group.objects.living()) == {group, another}

    services.delete_table(visitor=host_of(other).visitor)
    assert Group.objects.get() == another
    with pytest.raises(services.Malformed):
        services.join_group(visitor=host_of(make_table()).visitor, key=group.key)


def test_a_group_without_tables_is_none():
    table = make_table()
    group = group_of(table)

    table.delete()

    assert not Group.objects.living().exists()
    with pytest.raises(services.Malformed):
        services.join_group(visitor=host_of(make_table()).visitor, key=group.key)


def test_taking_a_table_out_of_no_group_changes_nothing():
    table = make_table()

    services.leave_group(visitor=host_of(table).visitor, sure=False)

    assert everything() == ([], [], [])


@pytest.mark.parametrize(
    ("pasted", "key"),
    [
        ("https://cards.example/g/0123456789abcdefghi-_k/", "0123456789abcdefghi-_k"),
        (" http://10.0.0.2/g/0123456789abcdefghi-_k/?season=all#x \n", "0123456789abcdefghi-_k"),
        ("/g/0123456789abcdefghi-_k", "0123456789abcdefghi-_k"),
        ("0123456789abcdefghi-_k", "0123456789abcdefghi-_k"),
        ("https://cards.example/t/0123456789abcdefghi-_k/", ""),
        ("https://cards.example/g/0123456789abcdefghi-_k/edit/", ""),
        ("Thursday round", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_the_key_is_found_in_a_pasted_link(pasted, key):
    assert key_in(pasted) == key


# Which groups a browser knows -------------------------------------------------------------------


def test_a_browser_knows_the_groups_of_tables_where_it_has_a_say():
    hosted, played_at, watched, elsewhere = (make_table() for _ in range(4))
    for name, table in zip("abcd", (hosted, played_at, watched, elsewhere), strict=True):
        group_of(table, name=name)
    Phone.objects.filter(table=hosted).update(token_hash=access.hash_of("me"))
    seated(played_at, 1, "me")
    watcher(watched, "me")

    assert [group.name for group in Group.objects.known_to(access.hash_of("me"))] == ["a", "b"]


# Who is who -------------------------------------------------------------------------------------


def two_evenings() -> tuple[Group, Table, Table]:
    """Lena & Felix against Kofi & Nora; the second time Lena is written as Leni."""
    one, other = to_three(), to_three()
    call(one, "Lena", "Kofi", "Felix", "Nora")
    call(other, "Leni", "KOFI", "Felix", "nora")
    play(one, (3, 0))
    play(other, (0, 3))
    return group_of(one, other), one, other


def test_spellings_fall_together_by_themselves_and_other_names_do_not():
    group, _one, _other = two_evenings()

    found = gather(group)

    assert records(ranking(found.matches)) == [
        ("lena", 1, 1, 3),
        ("felix", 1, 2, 3),
        ("kofi", 1, 2, 3),
        ("nora", 1, 2, 3),
        ("leni", 0, 1, 0),
    ]
    assert found.names["kofi"] == "KOFI"  # as written last


def test_names_are_put_together_by_hand_and_taken_apart_again():
    group, _one, _other = two_evenings()
    before = records(ranking(gather(group).matches))

    services.merge_names(guest=guest_at(group), name="Leni", member="Lena")

    together = gather(group)
    assert records(ranking(together.matches))[-1] == ("nora", 1, 2, 3)
    assert ("lena", 1, 2, 3) in records(ranking(together.matches))
    assert together.names["lena"] == "Lena"
    assert records(partners(together.matches)) == [("felix lena", 1, 2, 3), ("kofi nora", 1, 2, 3)]

    services.split_name(guest=guest_at(group), name="leni")
    assert records(ranking(gather(group).matches)) == before
    assert not Alias.objects.exists()


def test_who_was_put_together_before_goes_along():
    group, _one, _other = two_evenings()
    third = to_three()
    call(third, "Magdalena", "Ida", "Jo", "Kai")
    play(third, (3, 0))
    services.join_group(visitor=host_of(third).visitor, key=group.key)
    services.merge_names(guest=guest_at(group), name="Leni", member="Lena")

    services.merge_names(guest=guest_at(group), name="Lena", member="Magdalena")

    found = gather(group)
    assert ("magdalena", 2, 3, 6) in records(ranking(found.matches))
    assert found.names["magdalena"] == "Magdalena"
    services.split_name(guest=guest_at(group), name="Leni")
    assert ("magdalena", 2, 2, 6) in records(ranking(gather(group).matches))


def test_two_who_sat_at_one_table_are_two_people():
    group, _one, _other = two_evenings()
    before = everything()

    for name, member in (("Lena", "Kofi"), ("Leni", "nora")):
        with pytest.raises(services.Refusal) as refused:
            services.merge_names(guest=guest_at(group), name=name, member=member)
        assert refused.value.code == "two-people"
    assert everything() == before


def test_a_table_that_comes_later_with_both_names_keeps_them_apart():
    group, _one, _other = two_evenings()
    services.merge_names(guest=guest_at(group), name="Leni", member="Lena")
    third = to_three()
    call(third, "Lena", "Kofi", "Leni", "Nora")
    play(third, (3, 0))

    services.join_group(visitor=host_of(third).visitor, key=group.key)

    assert records(ranking(gather(group).matches)) == [
        ("lena", 2, 3, 6),
        ("leni", 1, 1, 3),
        ("felix", 1, 2, 3),
        ("kofi", 1, 3, 3),
        ("nora", 1, 3, 3),
    ]


@pytest.mark.parametrize(
    ("name", "member", "code"),
    [
        ("Lena", "lena", "same-name"),
        ("Lena", "Zoe", "no-member"),
        ("Zoe", "Lena", "no-member"),
        ("", "Lena", "no-member"),
        ("Lena", "", "no-member"),
    ],
)
def test_what_cannot_be_put_together_is_refused(name, member, code):
    group, _one, _other = two_evenings()

    with pytest.raises(services.Malformed) as refused:
        services.merge_names(guest=guest_at(group), name=name, member=member)

    assert refused.value.code == code
    assert not Alias.objects.exists()


def test_the_longest_names_can_be_put_together():
    group, one, _other = two_evenings()
    call(one, "\N{LATIN SMALL LETTER SHARP S}" * 400)

    services.merge_names(guest=guest_at(group), name=Player.objects.get(table=one, seat=0).name,
                         member="Leni")  # fmt: skip

    assert Alias.objects.get().name_key == name_key("s" * 800)


# Name and end -----------------------------------------------------------------------------------


VERBS = {
    "rename": lambda guest: services.rename_group(guest=guest, name="New"),
    "merge": lambda guest: services.merge_names(guest=guest, name="Leni", member="Lena"),
    "split": lambda guest: services.split_name(guest=guest, name="Leni"),
    "delete": lambda guest: services.delete_group(guest=guest, sure=True),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_group_is_changed_by_hosts_of_its_tables_alone(verb):
    """The door lets the others in no further; here one was host until a moment ago."""
    group, one, _other = two_evenings()
    seated(one, 2)
    if verb == "split":
        VERBS["merge"](guest_at(group))
    before = everything()

    for token in ("seat-2", "nobody"):
        with pytest.raises(PermissionDenied):
            VERBS[verb](guest_at(group, token))
    assert everything() == before

    VERBS[verb](guest_at(group))
    assert everything() != before


@pytest.mark.parametrize("verb", VERBS)
def test_a_group_that_went_meanwhile_is_not_found(verb):
    group, _one, _other = two_evenings()
    services.delete_group(guest=guest_at(group), sure=True)

    with pytest.raises(Http404):
        VERBS[verb](guest_at(group))


def test_a_group_is_deleted_when_somebody_is_sure_and_its_tables_stay():
    group, one, other = two_evenings()
    tables = stored(one), stored(other)
    before = everything()

    with pytest.raises(services.NeedsSure) as asked:
        services.delete_group(guest=guest_at(group), sure=False)
    assert (asked.value.code, everything()) == ("delete", before)
    assert "2 tables" in asked.value.details[0]

    services.delete_group(guest=guest_at(group), sure=True)
    assert everything() == ([], [], [])
    assert (stored(one), stored(other)) == tables


# What is told -----------------------------------------------------------------------------------


def test_a_match_counts_from_its_first_entry():
    table = to_three()
    group = group_of(table)
    assert gather(group).matches == ()

    fill(table, [(2, 0)])
    (match,) = gather(group).matches
    assert [(team.won, team.points) for team in match.teams] == [(False, 0), (False, 0)]

    host_of(table).end()  # before the line
    (match,) = gather(group).matches
    assert [(team.won, team.points) for team in match.teams] == [(False, 2), (False, 0)]

    play(table, (0, 3), match=2)
    assert [match.is_decided for match in gather(group).matches] == [False, True]


def test_a_number_that_was_cleared_begins_no_match():
    table = to_three()
    group = group_of(table)
    fill(table, [(2, 0)])
    Entry.objects.update(points=None)

    assert gather(group).matches == ()


def test_a_correction_tells_another_story():
    table = to_three()
    group = group_of(table)
    play(table, (3, 0))
    assert records(ranking(gather(group).matches))[0] == ("felix", 1, 1, 3)

    host_of(table).write_row(1, {"A": 0, "B": 3}, sure=1)

    assert records(ranking(gather(group).matches))[0] == ("kofi", 1, 1, 3)


def test_partners_that_changed_between_matches_are_counted_by_who_sat_together():
    table = to_three()
    group = group_of(table)
    play(table, (3, 0))
    play(table, (3, 0), match=2)
    second = match_of(table, 2)
    players = {player.seat: player for player in table.players.all()}
    let_play(second.sides.get(column="A"), [players[0], players[1]])
    let_play(second.sides.get(column="B"), [players[2], players[3]])

    found = gather(group)

    assert records(ranking(found.matches)) == [
        ("lena", 2, 2, 6),
        ("felix", 1, 2, 3),
        ("kofi", 1, 2, 3),
        ("nora", 0, 2, 0),
    ]
    assert {one.other: (one.won, one.lost) for one in meetings(found.matches)["lena"]} == {
        "nora": (2, 0),
        "felix": (1, 0),
        "kofi": (1, 0),
    }


def test_units_are_true_gaps():
    """(14, 14, 0, 0) is a call won by 7, (0, 20, 20, 20) a Solo that lost 5 to each."""
    table = make_table("schafkopf")
    group = group_of(table)

    play(table, (14, 14, 0, 0), (0, 20, 20, 20))

    assert records(ranking(gather(group).matches)) == [
        ("kofi", 1, 1, 7 + 5),
        ("felix", 0, 1, -7 + 5),
        ("nora", 0, 1, -7 + 5),
        ("lena", 0, 1, 7 - 15),
    ]


def test_the_newest_spelling_is_the_one_that_is_shown():
    group, one, _other = two_evenings()
    Match.objects.filter(table=one).update(ended_at=BEGIN + timedelta(days=9999))

    assert gather(group).names["kofi"] == "Kofi"
