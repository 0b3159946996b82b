"""Who deals, who holds the chalk, and hands that were thrown in."""

import pytest

from tests.games.helpers import (
    code_of,
    fill,
    host_of,
    make_table,
    match_of,
    new_op,
    rows_on,
    seated,
    stored,
    watcher,
)

pytestmark = pytest.mark.django_db


def throw_in(phone, before, seen, **more):
    fields = {"before": before, "seen": seen, "op": new_op()} | more
    return phone.post(".../thrown-in/", fields)


# Thrown in --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["bauernstoss", "schafkopf"])
def test_a_thrown_in_hand_moves_the_deal_on_and_leaves_no_row(game):
    table = make_table(game)
    host = host_of(table)

    answer = throw_in(host, before=1, seen=0)

    assert answer.status_code == 303
    assert (host.sheet()["dealer"], host.sheet()["rounds"]) == (1, [])


def test_in_bauernschnapsen_no_hand_is_thrown_in():
    table = make_table("bauernschnapsen")
    before = stored(table)

    answer = throw_in(host_of(table), before=1, seen=0)

    assert (answer.status_code, code_of(answer)) == (409, "no-thrown-in")
    assert stored(table) == before


def test_any_player_throws_in_and_a_watcher_does_not():
    table = make_table()

    answers = [throw_in(watcher(table), 1, 0), throw_in(seated(table, 3), 1, 0)]

    assert [a.status_code for a in answers] == [403, 303]
    assert match_of(table).thrown_total == 1


def test_the_same_attempt_to_throw_in_counts_once():
    table = make_table()
    host, op = host_of(table), new_op()

    answers = [throw_in(host, 1, 0, op=op), throw_in(host, 1, 0, op=op)]

    assert [a.status_code for a in answers] == [303, 303]
    assert match_of(table).thrown_total == 1


def test_an_attempt_that_stands_for_a_number_throws_nothing_in():
    table = make_table()
    host, op = host_of(table), new_op()
    host.write(1, "A", 3, op=op)
    before = stored(table)

    answer = throw_in(host, 2, 0, op=op)

    assert (answer.status_code, code_of(answer), stored(table)) == (422, "op-reused", before)


def test_two_phones_that_throw_in_the_same_hand_throw_in_one():
    table = make_table()

    answers = [throw_in(seated(table, 1), 1, 0), throw_in(seated(table, 2), 1, 0)]

    assert [a.status_code for a in answers] == [303, 303]
    assert match_of(table).thrown_total == 1


def test_a_second_thrown_in_hand_is_told_by_a_page_that_knows_the_first():
    table = make_table()
    host = host_of(table)
    throw_in(host, 1, 0)

    throw_in(host, 1, 1)

    assert (match_of(table).thrown_total, host.sheet()["dealer"]) == (2, 2)


def test_throwing_in_before_a_round_that_is_not_the_next_changes_nothing():
    table = make_table()
    fill(table, [(3, 0)])
    version = host_of(table).sheet()["version"]

    answer = throw_in(host_of(table), before=1, seen=0)

    assert (answer.status_code, host_of(table).sheet()["version"]) == (303, version)
    assert match_of(table).thrown_total == 0


def test_the_last_thrown_in_hand_is_taken_back():
    table = make_table()
    host = host_of(table)
    throw_in(host, 1, 0)
    throw_in(host, 1, 1)

    answer = throw_in(host, 1, 2, undo="1")

    assert (answer.status_code, host.sheet()["dealer"]) == (303, 1)
    assert match_of(table).thrown_in == {"1": 1}


def test_after_the_next_entry_no_thrown_in_hand_is_taken_back():
    table = make_table()
    host = host_of(table)
    throw_in(host, 1, 0)
    host.write(1, "A", 3)

    throw_in(host, 2, 1, undo="1")

    assert match_of(table).thrown_in == {"1": 1}


def test_taking_back_where_nothing_was_thrown_in_changes_nothing():
    table = make_table()
    host = host_of(table)

    answer = throw_in(host, 1, 0, undo="1")

    assert (answer.status_code, match_of(table).thrown_total) == (303, 0)


def test_a_dash_between_the_rows_says_who_gave():
    table = make_table(first_dealer=2)
    fill(table, [(3, 0)])
    host = host_of(table)
    throw_in(host, 2, 0)
    throw_in(host, 2, 1)
    host.write(2, "A", 1)

    rows = rows_on(host.get(".../"))

    assert [row.dashes for row in rows] == [[], ["Nora", "Lena"], []]


@pytest.mark.parametrize("name", ["before", "seen", "op"])
def test_throwing_in_without_a_field_is_refused(name):
    table = make_table()
    fields = {"before": 1, "seen": 0, "op": new_op()}
    del fields[name]

    answer = host_of(table).post(".../thrown-in/", fields)

    assert (answer.status_code, match_of(table).thrown_total) == (422, 0)


def test_no_hand_is_thrown_in_after_the_end():
    table = make_table()
    fill(table, [(3, 0)])
    host_of(table).end()
    before = stored(table)

    answer = throw_in(host_of(table), 2, 0)

    assert (answer.status_code, code_of(answer), stored(table)) == (409, "ended", before)


# Who deals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_the_first_dealer_gives_the_first_deal(first):
    table = make_table(first_dealer=first)

    assert host_of(table).sheet()["dealer"] == first


def test_the_deal_moves_on_with_the_highest_round_that_has_an_entry():
    table = make_table(first_dealer=3)
    host = host_of(table)

    dealers = []
    for number in (1, 2, 3):
        host.write(number, "A", 0)
        dealers.append(host.sheet()["dealer"])

    assert dealers == [0, 1, 2]


def test_the_deal_moves_back_when_the_last_round_is_cleared():
    table = make_table()
    fill(table, [(3, 0), (1, None)])
    host = host_of(table)

    host.write(2, "A", "")

    assert host.sheet()["dealer"] == 1


def test_rounds_and_thrown_in_hands_are_added_up():
    table = make_table(first_dealer=1)
    host = host_of(table)
    throw_in(host, 1, 0)
    fill(table, [(3, 0), (1, 0)])
    throw_in(host, 3, 1)

    assert host.sheet()["dealer"] == (1 + 2 + 2) % 4


def test_any_player_says_who_really_gives_the_next_deal():
    table = make_table()
    fill(table, [(3, 0)])
    kofi = seated(table, 1)

    answer = kofi.post(".../dealer/", seat=3, op=new_op())

    assert (answer.status_code, kofi.sheet()["dealer"]) == (303, 3)


def test_after_a_correction_the_deal_is_counted_from_there():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    host.post(".../dealer/", seat=3, op=new_op())

    host.write(2, "A", 1)
    after_a_round = host.sheet()["dealer"]
    throw_in(host, 3, 0)

    assert (after_a_round, host.sheet()["dealer"]) == (0, 1)


def test_a_correction_counts_from_the_thrown_in_hands_before_it():
    table = make_table()
    host = host_of(table)
    throw_in(host, 1, 0)
    host.post(".../dealer/", seat=0, op=new_op())

    throw_in(host, 1, 1)

    assert host.sheet()["dealer"] == 1


def test_the_last_of_several_corrections_counts():
    table = make_table()
    host = host_of(table)
    for seat in (3, 2):
        host.post(".../dealer/", seat=seat, op=new_op())
    fill(table, [(3, 0)])
    host.post(".../dealer/", seat=1, op=new_op())

    assert host.sheet()["dealer"] == 1


def test_a_correction_does_not_change_who_gave_earlier_hands():
    table = make_table()
    host = host_of(table)
    throw_in(host, 1, 0)
    host.post(".../dealer/", seat=3, op=new_op())

    assert rows_on(host.get(".../"))[0].dashes == ["Lena"]


def test_a_later_correction_leaves_an_earlier_one_to_the_hands_before_it():
    table = make_table()
    host = host_of(table)
    host.post(".../dealer/", seat=3, op=new_op())
    throw_in(host, 1, 0)

    host.post(".../dealer/", seat=2, op=new_op())

    assert rows_on(host.get(".../"))[0].dashes == ["Nora"]
    assert host.sheet()["dealer"] == 2


def test_taking_a_thrown_in_hand_back_takes_back_who_was_said_to_deal_after_it():
    table = make_table()
    host = host_of(table)
    throw_in(host, 1, 0)
    host.post(".../dealer/", seat=3, op=new_op())

    throw_in(host, 1, 1, undo="1")

    assert host.sheet()["dealer"] == 0


@pytest.mark.parametrize("seat", ["4", "-1", "", "x"])
def test_a_seat_that_is_none_deals_not(seat):
    table = make_table()
    before = stored(table)

    answer = host_of(table).post(".../dealer/", seat=seat, op=new_op())

    assert (answer.status_code, stored(table)) == (422, before)


def test_who_deals_is_not_said_without_an_op():
    table = make_table()

    assert host_of(table).post(".../dealer/", seat=2).status_code == 422
    assert host_of(table).sheet()["dealer"] == 0


def test_the_same_attempt_to_name_the_dealer_counts_once():
    table = make_table()
    host, op = host_of(table), new_op()
    host.post(".../dealer/", seat=2, op=op)
    host.post(".../dealer/", seat=1, op=new_op())

    host.post(".../dealer/", seat=2, op=op)

    assert host.sheet()["dealer"] == 1


def test_a_watcher_does_not_say_who_deals():
    table = make_table()

    assert watcher(table).post(".../dealer/", seat=2, op=new_op()).status_code == 403
    assert host_of(table).sheet()["dealer"] == 0
