"""Who holds the chalk: told once, then derived from the deals."""

import pytest

from tests.games.helpers import (
    code_of,
    fill,
    host_of,
    make_table,
    new_op,
    seated,
    stored,
    watcher,
)

pytestmark = pytest.mark.django_db

SCHOOFKOPP = {"variation": "schoofkopp"}
DEUTSCHER = {"variation": "deutscher"}


def throw_in(phone, before, seen, **more):
    fields = {"before": before, "seen": seen, "op": new_op()} | more
    return phone.post(".../thrown-in/", fields)


# The chalk --------------------------------------------------------------------------------------


def asks(phone):
    """Whether the sheet shows the question for the first chalk."""
    return "data-asks" in phone.get(".../").content.decode()


def test_the_first_chalk_is_asked_until_round_1_has_an_entry():
    table = make_table()
    host = host_of(table)
    before = asks(host)

    host.write(1, "A", 3)

    assert (before, asks(host)) == (True, False)


@pytest.mark.parametrize(("side", "holder"), [("A", "A"), ("B", "B"), ("", None)])
def test_a_player_says_who_was_dealt_the_jack_of_clubs_or_later(side, holder):
    table = make_table()
    nora = seated(table, 3)

    answer = nora.post(".../chalk/", side=side)

    assert (answer.status_code, nora.sheet()["chalk"]) == (303, holder)


def test_another_answer_may_be_given_before_round_1_has_an_entry():
    table = make_table()
    host = host_of(table)
    host.post(".../chalk/", side="A")

    host.post(".../chalk/", side="B")

    assert host.sheet()["chalk"] == "B"


def test_after_round_1_has_an_entry_the_chalk_follows_from_the_deals():
    table = make_table()
    fill(table, [(3, 0)])
    before = stored(table)

    answer = host_of(table).post(".../chalk/", side="B")

    assert (answer.status_code, code_of(answer), stored(table)) == (409, "no-chalk", before)
    assert host_of(table).sheet()["chalk"] == "A"


def test_the_chalk_belongs_to_the_side_that_scored_last():
    table = make_table()
    fill(table, [(3, 0), (0, 1)])

    assert host_of(table).sheet()["chalk"] == "B"


def test_a_hand_thrown_in_before_round_1_clears_the_chalk():
    table = make_table()
    host = host_of(table)
    host.post(".../chalk/", side="A")

    throw_in(host, 1, 0)

    assert (host.sheet()["chalk"], asks(host)) == (None, True)


def test_a_hand_thrown_in_later_leaves_the_chalk():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)

    throw_in(host, 2, 0)

    assert host.sheet()["chalk"] == "A"


@pytest.mark.parametrize(("row", "asked"), [((0, 0), True), ((1, 0), False)], ids=["tied", "won"])
def test_alter_schoofkopp_asks_after_a_tied_opening_instead(row, asked):
    table = make_table(house=SCHOOFKOPP)
    host = host_of(table)
    at_first = asks(host)

    fill(table, [row])

    assert (at_first, asks(host)) == (False, asked)


def test_the_chalk_of_a_tied_opening_is_told_and_kept():
    table = make_table(house=SCHOOFKOPP)
    fill(table, [(0, 0)])
    host = host_of(table)

    answer = host.post(".../chalk/", side="B")

    assert (answer.status_code, host.sheet()["chalk"]) == (303, "B")


@pytest.mark.parametrize(
    ("game", "house", "rows"),
    [
        ("bauernstoss", DEUTSCHER, []),
        ("bauernstoss", DEUTSCHER, [(0, 0)]),
        ("bauernstoss", SCHOOFKOPP, []),
        ("bauernschnapsen", {}, []),
        ("schafkopf", {}, []),
    ],
    ids=["deutscher", "deutscher tied", "schoofkopp opening", "bauernschnapsen", "schafkopf"],
)
def test_where_nobody_holds_it_the_chalk_is_never_told(game, house, rows):
    table = make_table(game, house)
    fill(table, rows)
    before = stored(table)

    answer = host_of(table).post(".../chalk/", side="A")

    assert (answer.status_code, code_of(answer), stored(table)) == (409, "no-chalk", before)
    assert (asks(host_of(table)), host_of(table).sheet()["chalk"]) == (False, None)


@pytest.mark.parametrize("fields", [{}, {"side": "C"}, {"side": "a"}], ids=["none", "C", "a"])
def test_a_side_that_is_none_holds_no_chalk(fields):
    table = make_table()

    assert host_of(table).post(".../chalk/", fields).status_code == 422
    assert host_of(table).sheet()["chalk"] is None


def test_a_watcher_does_not_say_who_holds_the_chalk():
    table = make_table()

    assert watcher(table).post(".../chalk/", side="A").status_code == 403
    assert host_of(table).sheet()["chalk"] is None
