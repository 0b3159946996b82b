"""Evenings with a bit of everything, for tests of what is taken home."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.test import Client

from games import services
from games.models import Table
from tests.games.helpers import PhoneClient, fill, host_of, make_table, new_op, seated

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer


def two_sides() -> Table:
    """Bauernstoss: a bank with a correction and an implied 0, a late number, an open match."""
    table = make_table(house={"line": 3}, agreed="Wer gibt,\nzahlt.", first_dealer=1)
    host, lena, nora = host_of(table), seated(table, 0), seated(table, 3)
    assert lena.post(".../chalk/", side="B").status_code == 303
    assert lena.write(1, "A", 2).status_code == 303
    assert host.write(1, "A", 1).status_code == 303
    assert lena.post(".../thrown-in/", before=2, seen=0, op=new_op()).status_code == 303
    assert lena.post(".../dealer/", seat=0, op=new_op()).status_code == 303
    assert nora.write(2, "B", 3).status_code == 303
    assert nora.write(3, "B", 1).status_code == 409
    assert host.post("next/").status_code == 303
    assert host.post("people/", do="rename", seat=1, name="Öxl =1+1").status_code == 303
    assert lena.write(1, "A", 0, match=2).status_code == 303
    return table


def four_players() -> Table:
    """Schafkopf: a hand that was worked out, an open cell, an end by tap, units in cents."""
    table = make_table("schafkopf", unit_cents=10, currency="€")
    host = host_of(table)
    hand = {"contract": "rufer", "declarer": 0, "partner": 2, "points": 70}
    fields = {"do": "write", "op": new_op(), "round": 1, "base": 0}
    worked = host.post(".../settle/", fields | hand)
    assert worked.status_code == 303, worked.content
    assert host.write(2, "1", 20, sure=1).status_code == 303
    assert host.end().status_code == 303
    return table


def other_rules() -> Table:
    """Bauernschnapsen: a row that the house rules allow no more, and stays."""
    table = make_table("bauernschnapsen", house={"free_numbers": True, "line": "none"})
    fill(table, [(3, 0), (17, 4)])
    rules = table.game.house_rules({"line": "none"})
    services.change_house(visitor=host_of(table).visitor, house=rules, agreed="", sure=True)
    return table


EVENINGS = (two_sides, four_players, other_rules)


def exported(table: Table) -> dict[str, Any]:
    """What a stranger with the link takes home."""
    answer = Client().get(f"/t/{table.key}/export.json")
    assert answer.status_code == 200
    found: dict[str, Any] = json.loads(answer.content)
    return found


def bring(plain: Any, client: Client | None = None) -> Answer:
    """Paste a file; plain values are dumped first."""
    text = plain if isinstance(plain, str) else json.dumps(plain)
    return (client or Client()).post("/import/", {"text": text})


def without_marks(plain: dict[str, Any]) -> dict[str, Any]:
    """A file without the lines that say that its numbers were brought back."""
    matches = [
        match | {"history": [line for line in match["history"] if line["why"] != "import"]}
        for match in plain["matches"]
    ]
    return plain | {"matches": matches}


def sheets(table: Table) -> list[dict[str, Any]]:
    """All of sheet.json but versions, which belong to a table and not to what was written."""
    found = []
    for number in range(1, table.matches.count() + 1):
        sheet = PhoneClient(table).sheet(number)
        sheet.pop("version")
        rounds = [{"number": r["number"], "entries": r["entries"]} for r in sheet["rounds"]]
        found.append(sheet | {"rounds": rounds})
    return found


def rows() -> dict[str, int]:
    """How many rows there are of everything."""
    return {
        model.__name__: model._default_manager.count()
        for model in apps.get_app_config("games").get_models(include_auto_created=True)
    }


def newest_table() -> Table:
    """The table that was made last."""
    return Table.objects.latest("pk")


def brought(plain: Any) -> PhoneClient:
    """The phone that brought a table back, as its host."""
    client = Client()
    answer = bring(plain, client)
    assert answer.status_code == 303, answer.context["wrong"]
    table = newest_table()
    assert answer["Location"] == f"/t/{table.key}/"
    return PhoneClient(table, client.cookies["phone"].value, client=client)


_homes: dict[Any, Any] = {}


def home_of(evening: Any) -> Any:
    """An evening's file, made once and always given out afresh."""
    if evening not in _homes:
        _homes[evening] = exported(evening())
    return deepcopy(_homes[evening])
