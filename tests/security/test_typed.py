"""What people type is text, wherever it is shown and whatever it looks like."""

from __future__ import annotations

import csv
import html
import io
import json
import re

import pytest
from django.test import Client

from games.exchange import spreadsheet
from games.models import Table
from tests.games.helpers import host_of, make_table, seated
from tests.games.test_access_matrix import ASKED, everything, filled, names_of, table_given

pytestmark = pytest.mark.django_db

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=x>',
    "' onclick='x",
    "=cmd|'/C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "&lt;b&gt;&#60;",
    "{{ 7*7 }}",
    "%(name)s%s",
    "</title><b>",
    "]]><x>",
    "--><x>",
    "\\u003cb\\u003e",
    "javascript:alert(1)",
    "👩‍👩‍👧‍👧🏳️‍🌈",
    "עברית العربية",
    "${7*7}`x`",
    "%0d%0aX: y",
)
REFUSED = {
    "nul": "a\x00b",
    "bidi": "a\u202eb",
    "isolate": "a\u2066b",
    "escape": "a\x1b[31m",
    "half": "a\ud800",
}

PAGES = (
    "",
    "m/1/",
    "people/",
    "tv/",
    "evening/",
    "house/",
    "take-home/",
    "m/1/story/",
    "m/1/story.svg",
    "m/1/history/",
    "m/1/print/",
    "m/1/strokes/",
    "m/1/r/1/A/",
    "m/1/r/2/A/",
    "m/1/changes/",
    "regulars/",
    "delete/",
    "m/1/end/",
)


def table_of(names, agreed=""):
    """A table where somebody is called each of these, with a number that everybody wrote."""
    table = make_table()
    host = host_of(table)
    for seat, name in enumerate(names):
        assert host.post("people/", do="rename", seat=seat, name=name).status_code == 303
    Table.objects.filter(pk=table.pk).update(agreed=agreed)
    seated(table, 0).write(1, "A", 3)
    return table, host


@pytest.mark.parametrize("start", range(0, len(HOSTILE), 4))
def test_names_and_notes_are_escaped_on_every_page(start):
    names = list(dict.fromkeys((*HOSTILE[start : start + 4], "Ida", "Jo", "Kai")))[:4]
    _table, host = table_of(names, agreed=" ".join(names))

    for page in PAGES:
        answer = host.get(page)
        assert answer.status_code == 200, page
        text = answer.content.decode()
        for name in names:
            if html.escape(name) != name and "<" in name:
                assert name not in text, page
        assert not re.search(r"<(img src=x|script>alert|x>)|onerror=x>|' onclick='x'", text), page
        assert "49" not in names or "{{" in text
    shown = html.unescape(host.get("people/").content.decode())
    assert all(name in shown for name in names)


def test_a_name_stays_itself_in_json_and_in_the_file_that_is_taken_home():
    names = [HOSTILE[0], HOSTILE[3], HOSTILE[15], HOSTILE[16]]
    _table, host = table_of(names)

    sheet = host.sheet()
    taken = host.get("export.json")

    assert [name for column in sheet["columns"] for name in column["players"]] == [
        names[0],
        names[2],
        names[1],
        names[3],
    ]
    assert [player["name"] for player in json.loads(taken.content)["players"]] == names
    assert taken["Content-Type"] == "application/json"
    assert taken["Content-Disposition"].startswith("attachment; ")


FORMULAS = ("=1+1", "+1", "-1", "@x", "＝1", "＋1", "－1", "＠x", "=cmd|' /C calc'!A0")


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_cell_of_the_spreadsheet_is_a_formula(language):
    _table, host = table_of(FORMULAS[:4])
    host.post("people/", do="rename-side", column="A", name=FORMULAS[8])

    answer = host.get("export.csv", lang=language)

    text = answer.content.decode().removeprefix(spreadsheet.BYTE_ORDER_MARK)
    rows = list(csv.reader(io.StringIO(text), delimiter=spreadsheet.separator_of(language)))
    cells = [cell for row in rows for cell in row]
    assert f"'{FORMULAS[8]}" in cells
    assert not [cell for cell in cells if cell.startswith(spreadsheet.STARTS_A_FORMULA)]
    assert answer["Content-Type"] == "text/csv; charset=utf-8"


@pytest.mark.parametrize("name", FORMULAS)
def test_every_beginning_of_a_formula_is_made_harmless(name):
    assert spreadsheet._harmless(name) == f"'{name}"
    assert spreadsheet._harmless(-3) == -3


@pytest.mark.parametrize("kind", REFUSED)
def test_characters_that_are_no_text_are_refused_at_their_box(kind):
    table = make_table()
    host = host_of(table)
    before = everything()
    name = REFUSED[kind].encode("utf-8", "surrogatepass").decode("utf-8", "replace")

    answers = [
        host.post("people/", do="rename", seat=0, name=name),
        host.post("people/", do="rename-side", column="A", name=name),
        host.post("house/", agreed=name),
        host.post("evening/", unit="1", currency=name),
        Client().post("/new/bauernstoss/", {f"player_{n}": f"{name}{n}" for n in range(4)}),
    ]

    if kind == "half":  # nothing of it arrives: browsers cannot send half a character
        return
    assert [answer.status_code for answer in answers] == [422] * 5
    assert all("control characters" in a.content.decode() for a in (*answers[:3], answers[4]))
    assert everything() == before


POSTS = [asked for asked in ASKED if asked.method == "POST" and asked.fields]


@pytest.mark.parametrize("asked", POSTS, ids=lambda asked: asked.what)
def test_no_field_takes_a_nul(asked):
    table, phones = table_given(asked)
    names = names_of(table)
    address = asked.address.format(**names)
    fields = {name: filled(str(value), names) for name, value in asked.fields.items()}

    for name in (*fields, "op", "code"):
        answer = phones["host"].client.post(
            address, {**fields, name: f"{fields.get(name, '')}\x00"}
        )
        assert answer.status_code < 500

    assert stored_nuls() == []


def stored_nuls():
    """Texts in the store that hold a NUL, which PostgreSQL could not keep."""
    return [
        (table, row)
        for table, rows in everything().items()
        for row in rows
        if any("\x00" in cell or "\\u0000" in cell for cell in row if isinstance(cell, str))
    ]
