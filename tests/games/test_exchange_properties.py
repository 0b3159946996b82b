"""Any evening comes back as it was, and any damage to its file is refused or harmless."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import services
from games.services import Refusal
from tests.games.helpers import (
    PhoneClient,
    host_of,
    make_table,
    match_of,
    new_op,
    row_version,
)
from tests.games.taken_home import (
    EVENINGS,
    bring,
    brought,
    exported,
    home_of,
    newest_table,
    rows,
    sheets,
    without_marks,
)

if TYPE_CHECKING:
    from games.models import Table

pytestmark = pytest.mark.django_db

PAGES = ("", "take-home/", "export.json", "export.csv", "people/", "house/", "tv/")
PAGES_OF_A_MATCH = (".../", ".../sheet.json", ".../story/", ".../print/", ".../changes/")

SOME = settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
A_STEP = st.tuples(
    st.sampled_from(["write"] * 6 + ["throw", "dealer", "chalk", "end", "next", "house", "rename"]),
    st.integers(0, 3),
    st.sampled_from([0, 0, 0, 1, 2, 3, 8, 12, 20]),
)


def play(table: Table, step: tuple[str, int, int]) -> None:
    """One thing that happens at a table, if it can."""
    verb, who, value = step
    host = host_of(table)
    number = table.matches.count()
    match = match_of(table, number)
    sheet = host.sheet(number)
    column = sheet["columns"][who % len(sheet["columns"])]["id"]
    last = len(sheet["rounds"])
    if verb == "write":
        texts = {one["id"]: str(value) if one["id"] == column else "0" for one in sheet["columns"]}
        services.write_round(
            visitor=host.visitor, match=match, round_number=last + 1, texts=texts, op=new_op(),
            base=row_version(table, last + 1, number), sure=True,
        )  # fmt: skip
    elif verb == "throw":
        services.throw_in(visitor=host.visitor, match=match, before=last + 1,
                          seen=match.thrown_total, op=new_op())  # fmt: skip
    elif verb == "dealer":
        services.set_dealer(visitor=host.visitor, match=match, seat=who, op=new_op())
    elif verb == "chalk":
        services.set_chalk(visitor=host.visitor, match=match, side=column)
    elif verb == "end":
        services.end_match(visitor=host.visitor, match=match, sure=True)
    elif verb == "next":
        services.next_match(visitor=host.visitor)
    elif verb == "house":
        house = table.game.house_rules({"line": value or "none", "free_numbers": who > 1})
        services.change_house(
            visitor=host.visitor, house=house, agreed=f"{who}\n{value}", sure=True
        )
    else:
        player = table.players.get(seat=who)
        services.rename_player(visitor=host.visitor, player_id=player.pk, name=f"P{who}{value}")


@SOME
@given(
    game=st.sampled_from(["bauernstoss", "bauernschnapsen", "schafkopf"]),
    steps=st.lists(A_STEP, min_size=3, max_size=25),
)
def test_any_evening_comes_back_as_it_was(game, steps):
    table = make_table(game)
    for step in steps:
        try:
            play(table, step)
        except Refusal:
            continue
    home = exported(table)

    new = brought(home).table

    assert without_marks(exported(new)) == home
    assert sheets(new) == sheets(table)


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 12),
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["A", "B", "0", "line", "implied", "2026-01-01T00:00:00+00:00", "rufer"]),
    st.lists(st.integers(0, 4), max_size=5),
    st.dictionaries(st.sampled_from(["kind", "declarer", "value", "deal", "line"]),
                    st.integers(0, 9), max_size=3),
)  # fmt: skip


def places(plain: Any) -> list[tuple[Any, Any]]:
    """Everything in a file that can be replaced: what holds it, and under which name or number."""
    names = list(plain) if isinstance(plain, dict) else range(len(plain))
    found: list[tuple[Any, Any]] = []
    for name in names:
        found.append((plain, name))
        if isinstance(plain[name], dict | list):
            found += places(plain[name])
    return found


def damage(file: Any, data: st.DataObject) -> None:
    """Replace, remove or double something, up to three times."""
    for _ in range(data.draw(st.integers(1, 3))):
        inside, name = data.draw(st.sampled_from(places(file)))
        how = data.draw(st.sampled_from(["replace", "replace", "remove", "double"]))
        if how == "replace":
            inside[name] = data.draw(JUNK)
        elif how == "remove":
            del inside[name]
        elif isinstance(inside, list):
            inside.insert(name, deepcopy(inside[name]))


@settings(SOME, max_examples=60)
@given(evening=st.sampled_from(EVENINGS), data=st.data())
def test_a_damaged_file_is_refused_or_makes_a_table_that_works(evening, data):
    file = home_of(evening)
    damage(file, data)
    before = rows()
    client = Client()

    answer = bring(file, client)

    assert answer.status_code in {303, 422}
    if answer.status_code == 422:
        assert rows() == before
        assert answer.context["wrong"]["text"].say
        return
    assert rows()["Table"] == before["Table"] + 1
    look_at_everything(PhoneClient(newest_table(), client.cookies["phone"].value, client=client))


def look_at_everything(phone: PhoneClient) -> None:
    """Every page works, and the file of what was made of a file is the same."""
    for page in PAGES:
        assert phone.get(page).status_code == 200
    for number in range(1, phone.table.matches.count() + 1):
        for page in PAGES_OF_A_MATCH:
            assert phone.get(page, match=number).status_code == 200
    again = exported(phone.table)
    assert without_marks(exported(brought(again).table)) == without_marks(again)
