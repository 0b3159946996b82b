"""An evening with the game of docs/adding-a-game.md, played where that page was followed.

Not collected by itself: tests/ground/test_adding_a_game.py runs it in a copy of the project.
"""

import re
from html import unescape

import pytest
from django.test import Client

from games.access import COOKIE
from games.models import Table
from tests.games.helpers import NAMES, PhoneClient, new_op, row_version

pytestmark = pytest.mark.django_db


def text_of(answer):
    html = re.sub(r"<[^>]*>", " ", answer.content.decode())
    return " ".join(unescape(html).split())


def start_table(**house):
    """The phone of a host who filled in the set-up form."""
    client = Client()
    players = {f"player_{line}": name for line, name in enumerate(NAMES)}
    answer = client.post("/new/euchre/", {**players, **house})
    assert answer.status_code == 303
    table = Table.objects.get()
    assert answer["Location"] == f"/t/{table.key}/"
    return PhoneClient(table, client.cookies[COOKIE].value)


def work_out(host, number, **hand):
    fields = {"round": number, "op": new_op(), "base": row_version(host.table, number)}
    return host.post(".../settle/", {**fields, **hand})


def test_the_first_page_has_a_card_with_the_line():
    page = Client().get("/").content.decode()

    card = re.search(r'<a class="gamecard" href="/new/euchre/">.*?</a>', page, re.DOTALL)
    assert card is not None
    assert "<b>Euchre</b>" in card.group()
    assert '<span class="pic" aria-hidden="true">10</span>' in card.group()
    assert 'href="/games/euchre/"' in page


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_of_rules_answers_in_each_language(language):
    answer = Client().get("/games/euchre/", headers={"Accept-Language": language})

    assert answer.status_code == 200


def test_the_page_of_rules_quotes_the_numbers_of_the_code():
    page = text_of(Client().get("/games/euchre/"))

    said = [
        "5 quick tricks a deal",
        "10 points win the match.",
        "4 people play, partners across from each other, with 24 cards",
        "1 the makers, with 3 tricks or more",
        "2 the makers, with every trick: a march",
        "4 the makers, with every trick for one who plays alone",
        "2 the others, if the makers are euchred",
        "The sheet only takes what a deal can pay: 1, 2, 4 (alone).",
        "Too few tricks: 2 to the others Side A enters 0, side B enters 2.",
        "One may play alone",
    ]
    assert [words for words in said if words not in page] == []


def test_the_set_up_asks_for_the_house_rule():
    page = text_of(Client().get("/new/euchre/"))

    assert "One may play alone" in page


def test_the_host_writes_a_row():
    host = start_table()

    answer = host.write_row(1, {"A": 2, "B": 0})

    assert answer.status_code == 303
    assert host.entries() == [[2, 0]]


def test_a_number_that_no_deal_pays_is_refused_in_the_words_of_the_game():
    host = start_table()

    answer = host.write_row(1, {"A": 3, "B": 0})

    assert answer.status_code == 422
    assert "No deal pays 3; it is one of 1, 2, 4." in text_of(answer)
    assert host.entries() == []


def test_a_number_is_refused_at_a_table_whose_house_rule_rules_it_out():
    host = start_table(alone="off")

    answer = host.write_row(1, {"A": 4, "B": 0})

    assert answer.status_code == 422
    assert "No deal pays 4; it is one of 1, 2." in text_of(answer)
    assert host.entries() == []


def test_a_hand_is_worked_out_step_by_step():
    host = start_table()

    answer = work_out(host, 1, do="work", makers="A", tricks="5", alone="true")

    assert answer.status_code == 200
    assert "Every trick: 4 to the makers" in text_of(answer)
    assert host.entries() == []


def test_a_hand_that_is_worked_out_is_written_on_the_sheet():
    host = start_table()

    answer = work_out(host, 1, do="write", makers="A", tricks="2")

    assert answer.status_code == 303
    assert host.entries() == [[0, 2]]
    assert "euchred" in text_of(host.get(".../"))


def test_a_hand_that_is_not_told_to_the_end_waits():
    host = start_table()

    answer = work_out(host, 1, do="work", makers="A")

    assert answer.status_code == 200
    assert "Missing: the tricks." in text_of(answer)


def test_a_hand_that_cannot_be_is_refused_in_the_words_of_the_game():
    host = start_table()

    answer = work_out(host, 1, do="write", makers="A", tricks="6")

    assert answer.status_code == 422
    assert "A deal has 5 tricks; nobody takes 6." in text_of(answer)
    assert host.entries() == []


def test_the_form_does_not_ask_what_the_table_does_not_play():
    host = start_table(alone="off")

    page = text_of(work_out(host, 1))

    assert "Tricks of that side" in page
    assert "one alone" not in page


def test_the_match_banks_when_the_line_is_crossed():
    host = start_table()
    for number, row in enumerate([(4, 0), (0, 2), (4, 0)], start=1):
        host.write_row(number, dict(zip("AB", row, strict=True)))
    assert host.sheet()["status"] == "open"

    host.write_row(4, {"A": 2, "B": 0})

    sheet = host.sheet()
    assert (sheet["status"], sheet["how"], sheet["winner"]) == ("banked", "line", "A")
    assert sheet["totals"] == [10, 2]
