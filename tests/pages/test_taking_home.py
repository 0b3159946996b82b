"""Taking an evening home: for a spreadsheet, on paper, as a bare result; and deleting it."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games import bus, services
from games.access import TableDeleted, hash_of
from games.exchange import as_csv, take_sheets
from games.models import DeletedTable, Match, Table
from games.views.results import result_path
from tests.games.helpers import (
    HOST_TOKEN,
    PhoneClient,
    fill,
    host_of,
    make_table,
    match_of,
    seated,
    stored,
    stranger,
    watcher,
)
from tests.games.taken_home import four_players, rows, two_sides

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db

WON: list[tuple[int | None, ...]] = [(8, 0), (0, 12), (8, 0), (8, 0)]  # 24 : 12


def ended(**more: Any) -> Table:
    table = make_table(**more)
    fill(table, WON)
    assert match_of(table).ended_at is not None
    return table


# For spreadsheets ------------------------------------------------------------


def lines_of(answer: Answer, separator: str) -> list[list[str]]:
    text = answer.content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))


@pytest.mark.parametrize(
    ("language", "separator", "first"), [("en", ",", "Match"), ("de", ";", "Partie")]
)
def test_a_spreadsheet_opens_in_either_language(language, separator, first):
    table = two_sides()

    answer = host_of(table).get("export.csv", lang=language)
    by_page = Client().get(f"/t/{table.key}/export.csv", headers={"Accept-Language": language})

    assert answer.content == by_page.content
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert b"\r\n" in answer.content
    titles, *lines = lines_of(answer, separator)
    assert titles[0] == first
    assert [(line[0], line[2], *line[4:10]) for line in lines] == [
        ("1", "1", "Lena & Felix", "1", "1", "Kofi & Nora", "0", "0"),
        ("1", "2", "Lena & Felix", "0", "1", "Kofi & Nora", "3", "3"),
        ("2", "1", "Lena & Felix", "0", "0", "Öxl =1+1 & Nora", "", "0"),
    ]
    assert {len(line) for line in (titles, *lines)} == {11}


def test_a_spreadsheet_has_all_four_players():
    titles, *lines = lines_of(host_of(four_players()).get("export.csv"), ",")

    assert [line[4::3][:4] for line in lines] == [["Lena", "Kofi", "Felix", "Nora"]] * 2
    assert lines[1][7:10] == ["Kofi", "20", "20"]
    assert len(titles) == len(lines[0]) == 17


def test_a_language_that_nobody_speaks_is_not_guessed():
    assert host_of(make_table()).get("export.csv", lang="xx").status_code == 404


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "＝", "＋", "－", "＠"])
def test_a_name_is_never_a_formula(start):
    table = make_table()
    host = host_of(table)
    fill(table, [(3, 0)])
    name = f'{start}HYPERLINK("x")'
    assert host.post("people/", do="rename", seat=0, name=name).status_code == 303
    assert host.post("people/", do="rename-side", column="B", name=name).status_code == 303

    _titles, line = lines_of(host.get("export.csv"), ",")

    assert (line[3], line[4], line[7]) == (f"'{name}", f"'{name} & Felix", f"'{name}")


@pytest.mark.parametrize("start", ["\t", "\r", "\n"])
def test_not_even_by_characters_that_no_name_can_hold(start):
    table = make_table()
    fill(table, [(3, 0)])
    match_of(table).sides.filter(column="A").update(name=f"{start}=1")

    text = as_csv(take_sheets(table), separator=",")

    assert f"'{start}=1" in text


def test_deals_after_the_line_say_so():
    table = ended()
    host = host_of(table)
    Match.objects.filter(table=table).update(ended_at=None, how="")
    fill_more(host, 5)
    lines = lines_of(host.get("export.csv"), ",")

    assert [line[-1] for line in lines[1:]] == ["", "", "", "", "after the line, counts nothing"]


def fill_more(host: PhoneClient, number: int) -> None:
    """A deal after the line, as it comes about when an earlier one is filled in late."""
    match = match_of(host.table)
    round_ = match.rounds.create(number=number, version=9)
    for side in match.sides.all():
        round_.entries.create(side=side, points=0, version=9)
    Match.objects.filter(pk=match.pk).update(ended_at=match.started_at, how="line")


# The page ------------------------------------------------------------


def test_the_page_offers_what_this_phone_may_have():
    table = ended()
    host = host_of(table)
    assert host.post("next/").status_code == 303

    as_host = host.get("take-home/").content.decode()
    as_watcher = watcher(table).get("take-home/").content.decode()

    for page in (as_host, as_watcher):
        for path in ("export.json", "export.csv", "m/1/print/"):
            assert f'href="/t/{table.key}/{path}"' in page
        assert f'href="{result_path(match_of(table))}"' in page
        assert "24 : 12 · 4 deals" in page
        assert "m/2/print/" not in page
    assert "/delete/" in as_host
    assert "/delete/" not in as_watcher


def test_the_menu_of_the_sheet_leads_there():
    table = make_table()

    assert f'href="/t/{table.key}/take-home/"' in stranger(table).get("").content.decode()
    assert 'href="/import/"' in Client().get("/").content.decode()


# On paper ------------------------------------------------------------


def test_the_sheet_on_paper_has_what_paper_had():
    table = two_sides()

    page = host_of(table).get(".../print/").content.decode()

    assert re.findall(r'<td class="dealer">([^<]+)</td>', page) == ["Kofi", "Felix", "Lena"]
    assert "thrown in" in page
    assert "1*" in page
    assert 'class="chalk"' in page
    assert "Kofi &amp; Nora win" in page
    assert "<script" not in page.split("</head>")[1]


@pytest.mark.parametrize("deals", [0, 1, 60])
def test_paper_takes_the_same_queries_however_long_the_match(deals):
    table = make_table("schafkopf")
    fill(table, [(2, 2, 0, 0)] * deals)
    host = host_of(table)
    host.get("")

    with CaptureQueriesContext(connection) as captured:
        page = host.get(".../print/").content.decode()

    assert len(captured) == 1
    assert page.count('<th scope="row">') == deals


# The result and nothing else ------------------------------------------------------------


def test_the_result_shows_who_won_and_leads_to_no_sheet():
    table = ended()
    path = result_path(match_of(table))

    answer = Client().get(path)

    page = answer.content.decode()
    assert "Lena &amp; Felix win" in page
    assert re.findall(r'<b class="tally">(\d+)</b>', page) == ["24", "12"]
    assert table.key not in page
    assert table.key not in path
    assert table.code not in page
    assert "/t/" not in page
    assert answer["X-Robots-Tag"] == "noindex"
    assert answer["Referrer-Policy"] == "same-origin"  # no other host learns the address


def test_the_result_follows_corrections():
    table = ended()
    path = result_path(match_of(table))
    host = host_of(table)
    assert host.post("next/").status_code == 303
    assert host.write(1, "A", 1, match=2).status_code == 303

    assert host.write_row(2, {"A": 0, "B": 8}, sure=1).status_code == 303

    page = Client().get(path).content.decode()
    assert re.findall(r'<b class="tally">(\d+)</b>', page) == ["24", "8"]


def test_there_is_no_result_before_the_end_and_none_of_a_deleted_table():
    table = ended()
    path = result_path(match_of(table))
    host = host_of(table)
    found = [Client().get(path).status_code]
    assert host.post(".../reopen/").status_code == 303
    found.append(Client().get(path).status_code)
    services.delete_table(visitor=host.visitor)
    found.append(Client().get(path).status_code)

    assert found == [200, 404, 404]


def test_a_result_nobody_signed_is_none():
    table = ended()
    signed = result_path(match_of(table)).strip("/").removeprefix("r/")
    pk, signature = signed.split(".")

    other = f"{int(pk) + 1}.{signature}"
    for text in (pk, f"{pk}.", other, f"{pk}.{signature[:-1]}", "..", "x" * 900):
        answer = Client().get(f"/r/{text}/")
        assert answer.status_code == 404
    assert Client().get(f"/r/{signed}/").status_code == 200


def test_the_story_shares_the_result_beside_the_sheet():
    table = ended()
    path = result_path(match_of(table))

    page = stranger(table).get(".../story/").content.decode()
    assert host_of(table).post(".../reopen/").status_code == 303
    again = stranger(table).get(".../story/").content.decode()

    assert f'value="http://testserver{path}"' in page
    assert f'value="http://testserver/t/{table.key}/m/1/story/"' in page
    assert "/r/" not in again


# For good ------------------------------------------------------------


def test_the_question_says_what_goes():
    table = ended()
    host = host_of(table)
    assert host.post("next/").status_code == 303
    before = stored(table)

    page = host.get("delete/").content.decode()

    assert re.findall(r"<li>(\d+ .*?)</li>", page) == ["2 matches", "4 deals"]
    assert f'href="/t/{table.key}/export.json"' in page
    assert stored(table) == before


def test_a_deleted_table_is_gone_with_all_it_had():
    other = two_sides()
    before = rows()
    table = two_sides()
    key, host = table.key, host_of(table)

    answer = host.post("delete/")

    assert (answer.status_code, answer["Location"]) == (303, "/")
    assert rows() == before | {"DeletedTable": 1}
    assert Table.objects.get() == other
    assert key not in host.client.get("/").content.decode()
    assert str(DeletedTable.objects.values_list("key_hash", flat=True).get()) == hash_of(key)


GONE = [
    ("get", ""), ("get", "m/1/"), ("get", "m/1/changes/"), ("get", "m/1/story/"),
    ("get", "people/"),
    ("get", "m/1/r/1/A/"), ("post", "m/1/r/1/A/"), ("post", "next/"), ("post", "seat/"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), GONE)
def test_every_phone_hears_kindly_that_it_was_deleted(method, path):
    table = ended()
    lena = seated(table, 0)
    services.delete_table(visitor=host_of(table).visitor)

    answer = getattr(lena.client, method)(f"/t/{table.key}/{path}")

    page = answer.content.decode()
    assert answer.status_code == 404
    assert 'data-code="deleted"' in page
    assert "This table was deleted" in page
    assert 'href="/import/"' in page


def test_the_address_of_no_table_does_not_say_so():
    assert 'data-code="not-found"' in Client().get(f"/t/{'x' * 22}/").content.decode()


def test_nobody_but_the_host_deletes():
    table = ended()
    before = (stored(table), rows_but_phones())

    for phone in (seated(table, 0), watcher(table), stranger(table)):
        assert (phone.get("delete/").status_code, phone.post("delete/").status_code) == (403, 403)

    assert (stored(table), rows_but_phones()) == before


def rows_but_phones() -> dict[str, int]:
    return {name: count for name, count in rows().items() if name != "Phone"}


def test_a_verb_that_waited_while_the_table_went_is_told_so():
    table = ended()
    visitor = seated(table, 0).visitor
    services.delete_table(visitor=host_of(table).visitor)

    with pytest.raises(TableDeleted):
        services.next_match(visitor=visitor)


@pytest.mark.django_db(transaction=True)
def test_phones_that_listen_hear_of_it_at_once(monkeypatch):
    table = ended()
    version = Table.objects.get(pk=table.pk).version
    heard: list[tuple[int, int]] = []
    monkeypatch.setattr(bus, "publish", lambda pk, now: heard.append((pk, now)))

    services.delete_table(visitor=host_of(table).visitor)

    assert heard == [(table.pk, version + 1)]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_questions_are_asked_in_either_language(language):
    table = ended()
    client = Client()
    client.cookies["phone"] = HOST_TOKEN
    for path in (f"/t/{table.key}/take-home/", f"/t/{table.key}/delete/", "/import/"):
        with translation.override(language):
            answer = client.get(path, headers={"Accept-Language": language})
        assert answer.status_code == 200
        assert f'lang="{language}"' in answer.content.decode()
