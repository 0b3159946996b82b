"""What an accepted number leaves behind and answers: history, versions, the page's parts."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Change, Entry, Match, Round, Table
from tests.games.helpers import (
    cell_version,
    entry,
    fill,
    host_of,
    make_table,
    match_of,
    new_op,
    row_version,
    seated,
)

pytestmark = pytest.mark.django_db

LIMIT = 2048  # bytes of an answer to a write


def test_a_form_is_sent_on_to_its_row_of_the_sheet():
    table = make_table()
    lena = seated(table, 0)

    answer = lena.write(1, "A", 3)

    assert (answer.status_code, answer["Location"]) == (303, lena.url(".../") + "#r1")


def test_every_write_is_kept_with_who_when_before_after_op_and_why():
    table = make_table()
    lena, host, op = seated(table, 0), host_of(table), new_op()
    lena.write(1, "A", 3, op=op)
    host.write(1, "A", 2)
    lena.write(1, "A", "")

    history = Change.objects.filter(match_number=1, round_number=1, column="A").order_by("pk")

    assert [(c.who, c.before, c.after, c.why) for c in history] == [
        ("Lena", None, 3, "own"),
        ("", 3, 2, "host"),
        ("Lena", 2, None, "partner"),
    ]
    assert (history[0].op, history[0].phone) == (op, lena.phone)
    assert timezone.now() - history[0].at < timedelta(minutes=1)


def test_a_refused_write_leaves_no_history():
    table = make_table()

    host_of(table).write(1, "A", 4)

    assert Change.objects.count() == 0


def test_an_accepted_write_raises_every_version_it_touches_to_the_same_number():
    table = make_table()
    before = Table.objects.get().version

    seated(table, 0).write(1, "A", 3)

    versions = {
        Table.objects.get().version,
        Match.objects.get().version,
        row_version(table, 1),
        cell_version(table, 1, "A"),
    }
    assert versions == {before + 1}


def test_a_write_leaves_the_versions_of_other_cells_and_rounds():
    table = make_table()
    fill(table, [(3, None)])
    first = (row_version(table, 1), cell_version(table, 1, "A"))

    host_of(table).write(2, "A", 1)

    assert (row_version(table, 1), cell_version(table, 1, "A")) == first
    assert cell_version(table, 1, "B") == 0


def test_a_write_starts_the_clock_of_free_seats_once():
    table = make_table()
    host = host_of(table)
    host.write(1, "A", 3)
    first = Table.objects.get().first_entry_at

    host.write(2, "A", 3)

    assert (first, Table.objects.get().first_entry_at) == (entry(table, 1, "A").written_at, first)


# The answer to the page's script -----------------------------------------------------------------


def long_evening(game):
    """A table of 60 deals, without a line."""
    table = make_table(game, {"line": "none"})
    match, row = match_of(table), (14, 0, 14, 0) if game == "schafkopf" else (3, 0)
    rounds = Round.objects.bulk_create(Round(match=match, number=n) for n in range(1, 61))
    Entry.objects.bulk_create(
        Entry(round=one, side=side, points=points)
        for one in rounds
        for side, points in zip(match.sides.order_by("column"), row, strict=True)
    )
    return table


def rounds_in(answer):
    return re.findall(r'<tr[^>]*data-round="(\d+)"', answer.content.decode())


@pytest.mark.parametrize("game", ["bauernstoss", "bauernschnapsen", "schafkopf"])
@pytest.mark.parametrize("number", [5, 60, 61], ids=["early", "last", "next"])
def test_the_answer_to_the_script_is_the_row_and_the_totals_in_two_kilobytes(game, number):
    table = long_evening(game)
    host = host_of(table, htmx=True)
    column = host.sheet()["columns"][0]["id"]

    answer = host.write(number, column, 2 if game == "schafkopf" and number == 61 else "")

    text = answer.content.decode()
    assert answer.status_code == 200
    assert rounds_in(answer)[0] == str(number)
    assert f'data-total="{column}"' in text
    assert f'data-cell="{number}.{column}"' in text
    assert (len(answer.content) <= LIMIT, "<template" in text, "<input" in text) == (
        True,
        True,
        False,
    )


def test_the_answer_has_the_number_and_the_new_version():
    table = make_table()
    lena = seated(table, 0, htmx=True)

    text = lena.write(1, "A", 3).content.decode()

    cell = re.search(r'<td[^>]*data-cell="1\.A"[^>]*>', text)
    assert cell is not None
    assert f'data-version="{cell_version(table, 1, "A")}"' in cell[0]
    assert 'data-state="written"' in cell[0]


def test_the_answer_to_a_repeated_attempt_is_the_cell_as_it_stands_now():
    table = make_table()
    lena, felix, op = seated(table, 0, htmx=True), seated(table, 2), new_op()
    lena.write(1, "A", 3, op=op)
    felix.write(1, "A", 2)

    text = lena.write(1, "A", 3, op=op).content.decode()

    cell = re.search(r'<td[^>]*data-cell="1\.A"[^>]*>', text)
    assert cell is not None
    assert 'data-state="corrected"' in cell[0]


def test_the_answer_names_its_match_and_the_current_one():
    table = make_table()
    host = host_of(table, htmx=True)

    text = host.write(1, "A", 3).content.decode()

    assert ('data-match="1"' in text, 'data-current="1"' in text) == (True, True)


@pytest.mark.parametrize(
    ("fields", "status"),
    [({"value": "x"}, 422), ({"value": "4"}, 422), ({"value": "8"}, 422), ({"value": "2"}, 409)],
    ids=["no number", "unlawful", "doubtful", "old base"],
)
def test_a_refusal_says_its_code_to_the_script_too(fields, status):
    table = make_table()
    seated(table, 2).write(1, "A", 3)
    base = 0 if status == 409 else cell_version(table, 1, "A")

    answer = seated(table, 0, htmx=True).write(1, "A", fields["value"], base=base)

    assert answer.status_code == status
    assert re.search(r'data-code="[a-z0-9-]+"', answer.content.decode()) is not None


def test_who_wrote_a_cell_and_when_stands_on_its_page():
    table = make_table()
    seated(table, 0).write(1, "A", 3)
    seated(table, 2).write(1, "A", 2)

    answer = host_of(table).get(".../r/1/A/")

    assert [(c.who, c.before, c.after) for c, *_ in answer.context["history"]] == [
        ("Felix", 3, 2),
        ("Lena", None, 3),
    ]


@pytest.mark.parametrize(
    ("column", "has_form"), [("A", True), ("B", False)], ids=["own side", "other side"]
)
def test_the_page_of_a_cell_has_the_form_for_a_phone_that_may_write_it(column, has_form):
    table = make_table()
    lena = seated(table, 0)

    text = lena.get(f".../r/1/{column}/").content.decode()

    found = [f'name="{name}"' in text for name in ("op", "base", "value")]
    assert found == [has_form] * 3


@pytest.mark.parametrize(
    ("who", "has_form"), [("host", True), ("player", False)], ids=["host", "player"]
)
def test_the_page_of_a_cell_has_the_form_for_the_host_also_after_the_end(who, has_form):
    table = make_table()
    fill(table, [(3, None)])
    host_of(table).end()
    phone = host_of(table) if who == "host" else seated(table, 0)

    text = phone.get(".../r/1/A/").content.decode()

    assert ('name="op"' in text) == has_form


def test_the_form_of_a_cell_carries_the_version_of_its_cell_and_a_fresh_op():
    table = make_table()
    lena = seated(table, 0)
    lena.write(1, "A", 3)

    first, second = (lena.get(".../r/1/A/").context for _ in range(2))

    assert first["base"] == cell_version(table, 1, "A")
    assert first["op"] != second["op"]


# What the page offers ---------------------------------------------------------------------------


def test_the_script_gets_the_form_of_a_cell_alone():
    table = make_table()

    text = seated(table, 0, htmx=True).get(".../r/1/A/").content.decode()

    assert ("<form" in text, "<html" in text, "<h1" in text) == (True, False, False)


def test_a_round_before_the_last_says_that_the_next_has_begun():
    table = make_table()
    fill(table, [(3, None), (0, 1)])

    texts = [host_of(table).get(f".../r/{n}/B/").content.decode() for n in (1, 2)]

    assert ["has begun)" in text for text in texts] == [True, False]


@pytest.mark.parametrize("who", ["host", "player"])
def test_a_breach_is_said_with_the_cell_against_it_and_the_ways_out(who):
    table = make_table()
    seated(table, 0).write(1, "A", 3)
    phone = host_of(table) if who == "host" else seated(table, 1)

    text = phone.write(1, "B", 1).content.decode()

    answer = text[text.index('data-code="both-score"') :].split("</section>", 1)[0]
    assert "Lena &amp; Felix: 3" in answer
    assert 'name="value" value="0"' in answer  # the only lawful value
    assert "Clear mine" in answer
    assert ("The whole deal" in answer, f"/t/{table.key}/house/" in answer) == (
        who == "host",
        who == "host",
    )


def test_a_doubt_is_said_with_the_same_attempt_to_confirm_it():
    table = make_table()
    op = new_op()

    text = seated(table, 0).write(1, "A", 8, op=op).content.decode()

    answer = text[text.index('data-code="solo-in-round-1"') :].split("</form>", 1)[0]
    assert f'name="op" value="{op}"' in answer
    assert 'name="sure" value="1"' in answer
    assert 'name="value" value="8"' in answer
    assert "Yes, enter it" in answer


@pytest.mark.parametrize(
    ("game", "row", "cell", "only"),
    [
        ("bauernstoss", (None, None), "1.A", "0 1 2 3 8 12"),
        ("bauernstoss", (3, None), "1.B", "0"),
        ("bauernstoss", (0, None), "1.B", "1 2 3 8 12"),
        ("bauernstoss", (None, 1), "1.A", "0"),
        ("schafkopf", (20, None, None, 0), "1.1", "0 20"),
        ("schafkopf", (14, 0, None, None), "1.2", "0 14"),
        ("bauernschnapsen", (None, None), "1.A", None),
    ],
)
def test_a_cell_with_few_lawful_values_left_carries_them(game, row, cell, only):
    table = make_table(game)
    if any(value is not None for value in row):
        fill(table, [row])

    text = host_of(table).get(".../changes/").content.decode()

    found = re.search(rf'<td[^>]*data-cell="{re.escape(cell)}"[^>]*>', text)
    assert found is not None
    carried = re.search(r'data-only="([^"]*)"', found[0])
    assert (carried[1] if carried else None) == only
