"""The pages of the regulars: the group of a table, its ranking by a secret link, who is who."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import groups, services
from games.models import Alias, Group, GroupTable, Match, Member, Phone, Player, Side, Table
from tests.games.helpers import (
    HOST_TOKEN,
    PhoneClient,
    fill,
    host_of,
    make_table,
    match_of,
    seated,
    stranger,
    watcher,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db

NASTY = '<b>"Li&na"</b>'
DECEMBER = datetime(2025, 12, 31, 23, 30, tzinfo=UTC)


def texts(answer: Answer) -> str:
    """What a page says, on one line."""
    shown = re.sub(r"<head>.*?</head>|<[^>]+>", " ", answer.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(shown).split())


def group_with(*tables: Table, name: str = "Thursday round") -> Group:
    group = services.start_group(visitor=host_of(tables[0]).visitor, name=name)
    for table in tables[1:]:
        services.join_group(visitor=host_of(table).visitor, key=group.key)
    return group


def played(game: str = "bauernstoss", *rows: tuple[int, ...], at: datetime | None = None) -> Table:
    """A table with a match to the line of 3, or to a tap where that is not reached."""
    table = make_table(game, {"line": 3} if game == "bauernstoss" else None)
    fill(table, list(rows) or [(3, 0)])
    if match_of(table).is_open:
        assert host_of(table).end().status_code == 303
    if at:
        Match.objects.filter(table=table).update(started_at=at, ended_at=at)
    return table


def look(group: Group, phone: PhoneClient | None = None, **query: str) -> Answer:
    client = phone.client if phone else Client()
    answer = client.get(group.get_absolute_url(), query)
    assert answer.status_code == 200
    return answer


def ranking(answer: Answer) -> list[tuple[str, ...]]:
    """The lines of the ranking: name (and points), won, played, share."""
    table = re.search(
        r'<table class="values ranking".*?</table>', answer.content.decode(), re.DOTALL
    )
    assert table
    return [
        tuple(
            " ".join(html.unescape(re.sub(r"<[^>]+>", " ", cell)).split())
            for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", row, re.DOTALL)[1:]
        )
        for row in re.findall(r"<tr[ >].*?</tr>", table[0], re.DOTALL)[1:]
    ]


# The page of the table --------------------------------------------------------------------------


def test_the_people_page_leads_host_and_players_to_the_regulars():
    table = make_table()

    for phone, is_led in (
        (host_of(table), True), (seated(table, 2), True), (watcher(table), False),
        (stranger(table), False),
    ):  # fmt: skip
        page = phone.get("people/").content.decode()
        assert (f'href="/t/{table.key}/regulars/"' in page) == is_led


def test_a_host_starts_a_group_and_host_and_players_see_its_link():
    table = make_table()

    answer = host_of(table).post("regulars/", do="start", name="  Thursday   round ")

    group = Group.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/t/{table.key}/regulars/")
    assert group.name == "Thursday round"
    for phone in (host_of(table), seated(table, 2)):
        page = phone.get("regulars/").content.decode()
        assert f'value="http://testserver/g/{group.key}/"' in page
        assert "Thursday round" in page


PAGES = ["", ".../", "people/", "house/", ".../changes/", ".../sheet.json", "tv/", ".../story/"]


@pytest.mark.parametrize("page", [*PAGES, "regulars/"])
def test_neither_watchers_nor_strangers_learn_of_the_group(page):
    table = make_table()
    group = group_with(table)

    for phone in (watcher(table), stranger(table)):
        answer = phone.get(page)
        assert group.key not in answer.content.decode()
        assert group.name not in answer.content.decode()
        assert answer.status_code == (403 if page == "regulars/" else 200)


def test_groups_of_other_tables_are_offered_by_name_and_taken_with_a_tap():
    group = group_with(make_table(), name=NASTY)
    table = make_table()

    page = host_of(table).get("regulars/").content.decode()
    assert f'<button class="big outline" name="link" value="{group.key}">' in page
    assert html.escape(NASTY) in page
    host_of(table).post("regulars/", do="join", link=group.key)

    assert group.tables.count() == 2


def test_a_pasted_link_is_taken():
    group = group_with(make_table())
    Phone.objects.all().delete()
    table = make_table()

    host_of(table).post(
        "regulars/", do="join", link=f" http://testserver/g/{group.key}/?season=all"
    )

    assert group.tables.count() == 2


@pytest.mark.parametrize(
    ("fields", "box", "code"),
    [
        ({"do": "start", "name": "  "}, "name", "name-missing"),
        ({"do": "start", "name": "x" * 41}, "name", "name-long"),
        ({"do": "join", "link": "Thursday"}, "group-link", "no-group"),
        ({"do": "join", "link": "http://testserver/g/" + "A" * 22 + "/"}, "group-link", "no-group"),
        ({"do": "join", "link": " "}, "group-link", "no-group"),
    ],
)
def test_what_cannot_be_is_said_at_its_box_and_stays_there(fields, box, code):
    table = make_table()

    answer = host_of(table).post("regulars/", **fields)

    page = answer.content.decode()
    typed = fields.get("name", fields.get("link", ""))
    assert answer.status_code == 422
    assert re.findall(r'role="alert" data-code="([\w-]+)"', page) == [code]
    (field,) = re.findall(rf'<input class="field" id="{box}"[^>]*>', page)
    assert f'value="{typed}"' in field
    assert 'aria-invalid="true"' in field
    assert not Group.objects.exists()


@pytest.mark.parametrize("fields", [{}, {"do": "dance"}, {"do": "start"}, {"do": "join"}])
def test_a_form_that_is_not_ours_is_refused(fields):
    table = make_table()

    answer = host_of(table).post("regulars/", **fields)

    assert answer.status_code == 422
    assert 'data-code="malformed"' in answer.content.decode()
    assert not Group.objects.exists()


def test_a_page_that_is_old_says_where_the_table_counts_by_now():
    table = make_table()
    group_with(table)

    answer = host_of(table).post("regulars/", do="start", name="Again")

    assert answer.status_code == 409
    assert "counts in “Thursday round” already" in texts(answer)
    assert Group.objects.count() == 1


def test_taking_the_last_table_out_is_asked_first():
    table = make_table()
    group_with(table)

    asked = host_of(table).post("regulars/", do="leave")
    assert (asked.status_code, Group.objects.count()) == (422, 1)
    assert "This is the last table of “Thursday round”" in texts(asked)
    assert 'name="sure" value="1"' in asked.content.decode()

    done = host_of(table).post("regulars/", do="leave", sure=1)
    assert (done.status_code, Group.objects.count()) == (303, 0)
    assert "Do you play together often?" in texts(host_of(table).get("regulars/"))


def test_a_player_looks_and_changes_nothing():
    table = make_table()
    player = seated(table, 2)

    assert "The host can let this table count" in texts(player.get("regulars/"))
    assert 'name="do" value="start"' not in player.get("regulars/").content.decode()

    group_with(table)
    assert 'name="do" value="leave"' not in player.get("regulars/").content.decode()


# The page of the group --------------------------------------------------------------------------


def test_a_group_without_a_finished_match_says_so():
    table = make_table()
    group = group_with(table)
    assert "No match has been finished yet" in texts(look(group))

    fill(table, [(3, 0)])
    page = texts(look(group))
    assert "No match has been finished yet" in page
    assert "1 match without a winner" in page  # the evening is there all the same


def test_the_ranking_of_one_game_tells_the_points():
    group = group_with(played(), played("bauernstoss", (0, 8)), played("bauernstoss", (2, 0)))

    page = look(group)

    assert ranking(page) == [
        ("Kofi 8 marks", "1", "3", "33%"),
        ("Nora 8 marks", "1", "3", "33%"),
        ("Felix 5 marks", "1", "3", "33%"),  # 3 + 0 + 2
        ("Lena 5 marks", "1", "3", "33%"),
    ]
    assert "1 match has no winner: it is still open, or ended early." in texts(page)
    assert "3 matches" in texts(page)
    assert re.search(r"Lena against the others .*? Kofi 1 : 1 Nora 1 : 1", texts(page))
    assert "Felix & Lena 1 Kofi & Nora 0" in texts(page)


def test_units_of_schafkopf_carry_their_sign():
    group = group_with(played("schafkopf", (14, 14, 0, 0), (0, 20, 20, 20)))

    page = look(group)

    assert ranking(page) == [
        ("Kofi +12 units", "1", "1", "100%"),
        ("Felix −2 units", "0", "1", "0%"),
        ("Nora −2 units", "0", "1", "0%"),
        ("Lena −8 units", "0", "1", "0%"),
    ]
    assert "Units are what each is above or below all four." in texts(page)
    assert "Partners" not in texts(page)


def test_points_of_several_games_are_not_added_up_and_each_can_be_looked_at():
    group = group_with(played(), played("schafkopf", (14, 14, 0, 0)))

    assert ranking(look(group))[0] == ("Lena", "2", "2", "100%")
    assert "Choose one game to see its points" in texts(look(group))
    assert ranking(look(group, game="schafkopf"))[0] == ("Kofi +7 units", "1", "1", "100%")
    assert ranking(look(group, game="chess")) == ranking(look(group))


def test_a_season_is_a_year_and_an_evening_goes_on_after_midnight():
    new_year = DECEMBER + timedelta(hours=2)
    spring = DECEMBER + timedelta(days=100)
    group = group_with(played(at=DECEMBER), played(at=new_year), played(at=spring))

    assert [len(look(group, season=season).context["evenings"]) for season in
            ("", "2026", "2025", "all", "2025-12", "nonsense")] == [1, 1, 2, 3, 1, 1]  # fmt: skip
    assert re.findall(r'href="\?season=(\w+)"', look(group).content.decode()) == [
        "2026", "2025", "all",
    ]  # fmt: skip


def test_an_evening_carries_the_day_it_began_in_every_time_zone():
    page = look(group_with(played(at=DECEMBER + timedelta(hours=2)))).content.decode()

    assert 'datetime="2025-12-31T12:00Z" data-day>Dec. 31, 2025<' in page


def test_months_are_to_be_chosen_from_while_there_is_one_year():
    group = group_with(played(at=DECEMBER), played(at=DECEMBER - timedelta(days=40)))

    page = look(group)

    assert re.findall(r'href="\?season=([\w-]+)"', page.content.decode()) == [
        "2025", "2025-12", "2025-11",
    ]  # fmt: skip
    assert "2025 December November" in texts(page)
    assert len(look(group, season="2025-11").context["evenings"]) == 1


def test_an_evening_leads_to_its_table_for_those_whom_the_table_knows():
    one, other = played(), played()
    group = group_with(one, other)
    phone = watcher(other, "looks on")
    Phone.objects.filter(table=one, token_hash=phone.phone.token_hash).delete()

    page = look(group, phone).content.decode()

    assert f"/t/{other.key}/" in page
    assert one.key not in page
    assert not re.search(r"/t/", look(group).content.decode())


def test_whoever_looks_finds_the_own_line_first_in_head_to_head():
    table = played()
    group = group_with(table)
    Alias.objects.create(group=group, name_key="nora", name="Nora", member="Eleonore")

    shown = look(group, seated(table, 3)).context["opponents"]

    assert [(one.name, one.is_own) for one in shown] == [
        ("Eleonore", True), ("Felix", False), ("Lena", False), ("Kofi", False),
    ]  # fmt: skip


def test_a_name_is_text():
    table = played()
    Player.objects.filter(table=table, seat=0).update(name=NASTY)

    page = look(group_with(table, name=NASTY)).content.decode()

    assert NASTY not in page
    assert html.escape(NASTY) in page


@pytest.mark.parametrize("path", ["", "edit/"])
def test_a_group_is_kept_by_nobody_and_listed_nowhere(path):
    group = group_with(make_table())
    client = host_of(group.tables.get().table).client

    answer = client.get(group.get_absolute_url() + path)

    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    assert answer["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("path", ["/g/{}/", "/g/{}/edit/"])
@pytest.mark.parametrize("key", ["A" * 22, "x"])
def test_the_key_of_no_group_opens_nothing(path, key):
    host = host_of(make_table())

    assert host.client.get(path.format(key)).status_code == 404
    assert host.client.post(path.format(key), {"do": "delete", "sure": 1}).status_code in {404, 405}


def test_a_group_whose_tables_are_gone_is_gone():
    table = make_table()
    group = group_with(table)
    table.delete()

    assert Client().get(group.get_absolute_url()).status_code == 404


def test_looking_writes_nothing():
    table = played()
    group = group_with(table)
    Phone.objects.update(seen_at=DECEMBER)

    with CaptureQueriesContext(connection) as captured:
        look(group, host_of(table))

    assert {query["sql"].split()[0] for query in captured} == {"SELECT"}


# Name, who is who, and the end ------------------------------------------------------------------


def edit(group: Group, **fields: object) -> Answer:
    client = Client()
    client.cookies["phone"] = HOST_TOKEN
    return client.post(f"{group.get_absolute_url()}edit/", fields)


def test_the_way_to_edit_is_there_for_hosts_alone():
    table = played()
    group = group_with(table)

    pages = [look(group, phone).content.decode() for phone in (host_of(table), seated(table, 2))]

    assert [f"/g/{group.key}/edit/" in page for page in pages] == [True, False]


def test_a_group_is_renamed():
    group = group_with(make_table())

    answer = edit(group, do="rename", name="Friday round")

    assert (answer.status_code, answer["Location"]) == (303, f"/g/{group.key}/edit/")
    assert Group.objects.get().name == "Friday round"


def test_a_name_that_cannot_be_stays_in_its_box():
    group = group_with(make_table())

    answer = edit(group, do="rename", name="y" * 41)

    assert answer.status_code == 422
    assert f'value="{"y" * 41}"' in answer.content.decode()
    assert 'data-code="name-long"' in answer.content.decode()
    assert Group.objects.get().name == "Thursday round"


def test_names_are_put_together_and_taken_apart():
    one, other = played(), played()
    Player.objects.filter(table=other, seat=0).update(name="Leni")
    group = group_with(one, other)

    assert edit(group, do="merge", one="Leni", member="Lena").status_code == 303
    assert ranking(look(group))[1] == ("Lena 6 marks", "2", "2", "100%")
    page = texts(host_of(one).client.get(f"{group.get_absolute_url()}edit/"))
    assert "Leni is Lena" in page

    assert edit(group, do="split", one="Leni").status_code == 303
    assert ranking(look(group))[1] == ("Lena 3 marks", "1", "1", "100%")


@pytest.mark.parametrize(
    ("member", "status", "code"), [("Kofi", 409, "two-people"), ("", 422, "no-member")]
)
def test_names_that_cannot_be_one_stay_chosen(member, status, code):
    group = group_with(played())

    answer = edit(group, do="merge", one="Lena", member=member)

    page = answer.content.decode()
    assert answer.status_code == status
    assert f'id="merge-wrong" role="alert" data-code="{code}"' in page
    assert page.count("<option selected>Lena</option>") == 1
    assert not Alias.objects.exists()


def test_the_end_of_a_group_is_asked_first():
    table = played()
    group = group_with(table)

    asked = edit(group, do="delete")
    assert (asked.status_code, Group.objects.count()) == (422, 1)
    assert "Delete “Thursday round”?" in texts(asked)

    done = edit(group, do="delete", sure=1)
    assert (done.status_code, done["Location"], Group.objects.count()) == (303, "/", 0)
    assert Client().get(group.get_absolute_url()).status_code == 404
    assert host_of(table).get("").status_code == 200


# However much there is --------------------------------------------------------------------------


def many_tables(group: Group, count: int, matches: int = 10) -> None:
    """Tables with ended matches, written past the verbs."""
    for _ in range(count):
        table = make_table()
        GroupTable.objects.create(group=group, table=table)
        players = list(table.players.order_by("seat"))
        table.matches.all().delete()
        made = Match.objects.bulk_create(
            Match(
                table=table, number=number, start_dealer=0, how="line",
                started_at=DECEMBER, ended_at=DECEMBER + timedelta(days=number),
                result={"winners": ["A"], "totals": [20, 11], "status": "banked"},
            )
            for number in range(1, matches + 1)
        )  # fmt: skip
        sides = Side.objects.bulk_create(
            Side(match=match, column=column, name=column) for match in made for column in "AB"
        )
        Member.objects.bulk_create(
            Member(side=side, player=players[seat], place=place, name=players[seat].name)
            for side in sides
            for place, seat in enumerate((0, 2) if side.column == "A" else (1, 3))
        )


@pytest.mark.parametrize("count", [3, 60])
def test_a_group_takes_the_same_queries_however_many_tables_it_has(count):
    table = played()
    group = group_with(table)
    many_tables(group, count)
    Alias.objects.create(group=group, name_key="leni", name="Leni", member="Lena")

    found = {}
    for who, phone in (("host", host_of(table)), ("stranger", stranger(table))):
        groups.forget_all()
        with CaptureQueriesContext(connection) as captured:
            page = look(group, phone, season="all")
        found[who] = len(captured)
        assert page.context["ranking"][0].record.played == 10 * count + 1
    with CaptureQueriesContext(connection) as captured:
        assert host_of(table).client.get(f"{group.get_absolute_url()}edit/").status_code == 200
    found["edit"] = len(captured)
    for who, phone in (("table", host_of(table)), ("other table", host_of(make_table()))):
        with CaptureQueriesContext(connection) as captured:
            assert phone.get("regulars/").status_code == 200
        found[who] = len(captured)

    assert found == {"host": 6, "stranger": 5, "edit": 5, "table": 2, "other table": 3}


def test_a_group_that_was_looked_at_is_not_gathered_again():
    table = played()
    group = group_with(table, played())
    before = ranking(look(group, host_of(table)))

    with CaptureQueriesContext(connection) as captured:
        after = look(group, host_of(table))

    assert len(captured) == 4
    assert ranking(after) == before


CHANGES: dict[str, Callable[[PhoneClient, Group], object]] = {
    "a number": lambda host, _group: host.write(1, "A", 1),
    "a name": lambda host, _group: host.post("people/", {"do": "rename", "seat": 0, "name": "Ida"}),
    "another table": lambda _host, group: GroupTable.objects.create(group=group, table=played()),
    "a table less": lambda host, _group: host.post("regulars/", {"do": "leave"}),
    "a table deleted": lambda host, _group: services.delete_table(visitor=host.visitor),
    "two names of one": lambda _host, group: Alias.objects.create(
        group=group, name_key="kofi", name="Kofi", member="Lena"
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_group_shows_is_what_its_tables_hold_now(change):
    table, other = played(), played()
    group = group_with(table, other)
    gathered = groups.gather(group)

    CHANGES[change](host_of(table), group)

    now = groups.gather(group)
    groups.forget_all()
    assert now == groups.gather(group)
    assert now != gathered
