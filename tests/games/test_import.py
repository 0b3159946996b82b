"""A file becomes a table again, whole or not at all."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import exchange
from games.models import Change, LateEntry, Phone
from tests.games.helpers import (
    HOST_TOKEN,
    host_of,
)
from tests.games.taken_home import (
    EVENINGS,
    bring,
    brought,
    exported,
    four_players,
    home_of,
    newest_table,
    sheets,
    two_sides,
    without_marks,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("evening", EVENINGS)
def test_a_table_that_is_brought_back_is_as_it_was(evening):
    table = evening()
    home = exported(table)

    new = brought(home).table

    assert new.pk != table.pk
    assert sheets(new) == sheets(table)
    assert without_marks(exported(new)) == home


def test_the_phone_that_brings_a_table_is_its_host_and_can_play_on():
    host = brought(exported(two_sides()))

    assert host.phone.is_host
    assert host.phone.player is None
    assert host.table.code
    assert host.write(1, "B", 2, match=2).status_code == 303
    assert host.entries(2) == [[0, 2]]
    # A number that stood is taken for what it is: somebody else's.
    assert host.write(1, "A", 1, base=0, match=2).status_code == 409
    assert host.write(1, "A", 1, match=2, sure=1).status_code in {303, 422}


def test_a_bank_that_was_brought_back_can_be_taken_back():
    table = two_sides()
    home = exported(table)
    home["matches"].pop()
    host = brought(home)

    assert host.post(".../reopen/").status_code == 303
    assert host.sheet()["status"] == "open"
    assert host.entries() == [[1, None]]


def test_a_late_number_still_waits_for_the_host():
    host = brought(exported(two_sides()))
    late = LateEntry.objects.get(table=host.table)

    assert host.post(f"late/{late.pk}/", do="drop").status_code == 303
    assert LateEntry.objects.get(pk=late.pk).decision == "dropped"


def test_every_number_is_marked_as_brought_back_after_its_history():
    before = timezone.now()
    host = brought(exported(two_sides()))

    cell = Change.objects.filter(
        table=host.table, match_number=1, round_number=1, column="A"
    ).order_by("pk")
    assert [(c.before, c.after, c.why, c.who) for c in cell] == [
        (None, 2, "own", "Lena"),
        (2, 1, "host", ""),
        (1, 1, "import", ""),
    ]
    assert cell[2].at > cell[1].at > before
    page = host.get(".../r/1/A/").content.decode()
    assert "brought back" in page
    numbers = [cell for sheet in sheets(host.table) for row in sheet["rounds"]
               for cell in row["entries"] if cell is not None]  # fmt: skip
    assert Change.objects.filter(table=host.table, why="import").count() == len(numbers)


def test_a_hand_that_was_worked_out_comes_along():
    host = brought(exported(four_players()))

    taken = exchange.take(host.table).matches[0]
    told = taken.sheet.settlement(taken.sheet.row(1))
    assert told is not None
    assert told.entries == taken.sheet.row(1).values


def test_a_file_can_be_chosen_as_well_as_pasted():
    client = Client()
    home = exported(two_sides())
    file = SimpleUploadedFile("x.json", b"\xef\xbb\xbf" + json.dumps(home).encode())

    answer = client.post("/import/", {"file": file, "text": "nonsense"})

    assert answer.status_code == 303
    assert without_marks(exported(newest_table())) == home


def test_whoever_brings_a_table_keeps_the_others():
    table = two_sides()
    client = Client()
    client.cookies["phone"] = HOST_TOKEN

    assert bring(exported(table), client).status_code == 303
    assert Phone.objects.filter(table=newest_table()).get().token_hash == (
        host_of(table).phone.token_hash
    )


def test_many_matches_are_stored_in_as_few_statements_as_one():
    """As long as each statement has room for what it stores."""
    home = home_of(two_sides)
    first, last = (match | {"history": [], "late": []} for match in home["matches"])
    found = []
    for count in (1, 9):
        ended = [first | {"number": number} for number in range(1, count + 1)]
        file = home | {"matches": [*ended, last | {"number": count + 1}]}
        with CaptureQueriesContext(connection) as captured:
            assert bring(file).status_code == 303
        found.append(len(captured))

    assert found[0] == found[1] < 20
