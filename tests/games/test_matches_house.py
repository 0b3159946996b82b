"""House rules that change while a match is played."""

import pytest

from games.models import Table
from tests.games.helpers import (
    cell_state,
    code_of,
    fill,
    host_of,
    make_table,
    match_of,
    rows_on,
    seated,
    stored,
)

pytestmark = pytest.mark.django_db


def details_of(answer):
    """What the question lists."""
    return answer.context["question"].details


def test_the_host_changes_the_house_rules_at_any_time():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)

    answer = host.post("house/", line="15")

    assert (answer.status_code, host.sheet()["line"]) == (303, 15)


def test_a_player_changes_no_house_rules():
    table = make_table()
    before = stored(table)

    answer = seated(table, 0).post("house/", line="15")

    assert (answer.status_code, stored(table)) == (403, before)


def test_rounds_that_would_not_be_lawful_are_listed_first():
    table = make_table(house={"variation": "deutscher"})
    fill(table, [(1, 0), (0, 4), (0, 0)])
    before = stored(table)

    answer = host_of(table).post("house/", variation="main")

    assert (answer.status_code, stored(table)) == (422, before)
    assert details_of(answer) == ("Deals 2, 3 do not fit these rules; they stay, marked.",)


def test_rounds_that_are_not_lawful_stay_and_are_marked():
    table = make_table(house={"variation": "deutscher"})
    fill(table, [(1, 0), (0, 4), (0, 0)])
    host = host_of(table)

    answer = host.post("house/", variation="main", sure="1")

    rows = rows_on(host.get(".../"))
    assert (answer.status_code, host.entries()) == (303, [[1, 0], [0, 4], [0, 0]])
    assert [row.number for row in rows if "data-unlawful" in row.attributes] == [2, 3]


def test_a_change_that_touches_no_number_is_not_asked_about():
    table = make_table()
    fill(table, [(3, 0)])

    assert host_of(table).post("house/", free_numbers="on").status_code == 303


def test_a_new_line_that_banks_is_asked_about_first():
    table = make_table()
    fill(table, [(12, 0), (3, None)])
    before = stored(table)

    answer = host_of(table).post("house/", line="15")

    assert (answer.status_code, stored(table)) == (422, before)
    assert details_of(answer) == ("The line 15 is reached: the match would be banked.",)


def test_a_new_line_banks_the_match_when_the_host_is_sure():
    table = make_table()
    fill(table, [(12, 0), (3, None)])
    host = host_of(table)

    host.post("house/", line="15", sure="1")

    sheet = host.sheet()
    assert (sheet["status"], sheet["how"], sheet["winner"]) == ("banked", "line", "A")
    assert cell_state(table, 2, "B") == (0, "implied")


@pytest.mark.parametrize(("line", "status"), [(16, 303), (15, 422)])
def test_a_new_line_that_is_not_reached_is_not_asked_about(line, status):
    table = make_table()
    fill(table, [(12, 0), (3, 0)])

    assert host_of(table).post("house/", line=str(line)).status_code == status


def test_a_row_is_judged_by_the_house_rules_it_is_written_under():
    table = make_table()
    host = host_of(table)
    refused = host.write(1, "A", 7)

    host.post("house/", free_numbers="on")

    assert (code_of(refused), host.write(1, "A", 7).status_code) == ("value", 303)


def test_a_complete_row_that_is_not_lawful_any_more_is_not_written_again():
    table = make_table(house={"variation": "deutscher"})
    fill(table, [(4, 0)])
    host = host_of(table)
    host.post("house/", variation="main", sure="1")

    answers = [host.write(1, "A", 9), host.write(1, "A", 4), host.write(1, "A", 3)]

    assert [a.status_code for a in answers] == [422, 303, 303]


def test_an_ended_match_keeps_the_house_rules_it_was_played_by():
    table = make_table()
    fill(table, [(12, 0), (8, 0)])
    host = host_of(table)

    host.post("house/", line="30")
    host.post("next/")

    assert (host.sheet(1)["line"], host.sheet(1)["status"]) == (20, "banked")
    assert host.sheet(2)["line"] == 30


def test_a_change_is_told_to_every_phone():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    since = host.sheet()["version"]

    host.post("house/", line="30")

    assert host.sheet()["version"] > since
    assert 'data-round="1"' in host.get(".../changes/", since=since).content.decode()


def test_the_same_house_rules_again_change_nothing():
    table = make_table(house={"line": 30})
    before = stored(table)

    answer = host_of(table).post("house/", line="30")

    assert (answer.status_code, stored(table)) == (303, before)


def test_a_house_rule_that_is_none_is_refused():
    table = make_table()
    before = stored(table)

    answer = host_of(table).post("house/", variation="skat")

    assert (answer.status_code, stored(table)) == (422, before)


def test_what_the_table_settled_by_word_is_kept():
    table = make_table()

    host_of(table).post("house/", agreed="Wer gibt, holt das Bier.")

    assert Table.objects.get().agreed == "Wer gibt, holt das Bier."


def test_taking_back_the_bank_of_a_new_line_is_told_to_every_phone():
    table = make_table(house={"variation": "deutscher", "line": 20})
    fill(table, [(4, 0), (4, 0)])
    host = host_of(table)
    host.post("house/", variation="main", line="8", sure="1")
    since = host.sheet()["version"]

    host.post(".../reopen/")

    text = host.get(".../changes/", since=since).content.decode()
    assert match_of(table).house["variation"] == "deutscher"
    assert ("data-unlawful" in text, 'data-round="1"' in text) == (False, True)
