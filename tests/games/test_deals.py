"""Deals in the wrong place: the host removes one, puts a blank one in, or swaps two."""

import pytest

from games.models import Change, Entry
from tests.games.four_deals import FOUR, MOVES, details_of, four_deals, sheet_as_stored
from tests.games.helpers import (
    cell_version,
    code_of,
    entry,
    fill,
    host_of,
    make_table,
    match_of,
    new_op,
    row_version,
    rows_on,
    seated,
    stored,
    watcher,
)

pytestmark = pytest.mark.django_db


def lines(table, number, column, **more):
    """The history of a cell, oldest first, as far as its deal moved."""
    found = Change.objects.filter(
        table=table, round_number=number, column=column, why="moved", **more
    ).order_by("pk")
    return list(found.values_list("before", "after", "from_round"))


# What moves --------------------------------------------------------------------------------------


@pytest.mark.parametrize("do", MOVES)
def test_the_host_moves_a_deal_and_the_others_make_room(do):
    table = four_deals()
    host = host_of(table)
    number, wanted = MOVES[do]

    answer = host.move(number, do, sure="1")

    assert (answer.status_code, answer.headers["Location"].split("#")[1]) == (303, f"r{number}")
    assert host.entries() == wanted


@pytest.mark.parametrize("do", MOVES)
def test_what_moved_has_new_versions_and_what_did_not_keeps_its_own(do):
    table = four_deals()
    number = MOVES[do][0]
    first = {"up": 2}.get(do, number)
    last = {"up": 3, "down": 4}.get(do, 9)
    before = [cell_version(table, n, "A") for n in range(1, 8)]
    now = table.__class__.objects.get(pk=table.pk).version

    host_of(table).move(number, do, sure="1")

    after = [cell_version(table, n, "A") for n in range(1, 8)]
    touched = [first <= n <= last for n in range(1, 8)]
    assert after == [now + 1 if t else old for t, old in zip(touched, before, strict=True)]
    assert [row_version(table, n) == now + 1 for n in range(1, 8)] == touched


@pytest.mark.parametrize("do", MOVES)
def test_who_wrote_a_number_and_when_goes_with_it(do):
    table = four_deals()
    lena = seated(table, 0)
    lena.write(3, "A", 2)
    before = entry(table, 3, "A")
    number = {"remove": 1, "insert": 1}.get(do, 3)
    now = {"remove": 2, "insert": 4, "up": 2, "down": 4}[do]

    host_of(table).move(number, do, sure="1")

    found = entry(table, now, "A")
    assert (found.points, found.written_by, found.written_at, found.corrected, found.was) == (
        2, lena.phone, before.written_at, True, 1,
    )  # fmt: skip


def test_every_move_of_a_number_stands_in_the_history_with_the_deal_it_came_from():
    table = four_deals()

    host_of(table).move(2, "remove", sure="1")

    assert [lines(table, n, "B") for n in range(1, 6)] == [
        [], [(2, 0, 3)], [(0, 12, 4)], [(12, None, 5)], [],
    ]  # fmt: skip
    last = Change.objects.filter(table=table, why="moved").latest("pk")
    assert (last.phone, last.op) == (host_of(table).phone, "")


def test_nothing_is_ever_erased():
    table = four_deals()
    host = host_of(table)
    cells = set(Entry.objects.values_list("pk", flat=True))
    changes = list(Change.objects.order_by("pk").values())

    for number, do in ((2, "remove"), (1, "insert"), (2, "down"), (1, "remove")):
        assert host.move(number, do, sure="1").status_code == 303

    assert cells <= set(Entry.objects.values_list("pk", flat=True))
    assert list(Change.objects.order_by("pk").values())[: len(changes)] == changes


def rounds(table, *numbers):
    """Hand and confirmed doubts of some rounds, as stored."""
    found = {one.number: (one.hand, one.confirmed) for one in match_of(table).rounds.all()}
    return [found[number] for number in numbers]


def test_the_hand_goes_with_its_deal():
    table = make_table()
    host = host_of(table)
    fill(table, [(3, 0)])
    hand = {"do": "write", "round": 2, "points_a": 95, "base": 0, "op": new_op()}
    assert host.post(".../settle/", hand).status_code == 303
    ((told, _doubts),) = rounds(table, 2)

    host.move(1, "remove", sure="1")

    assert told
    assert rounds(table, 1, 2) == [(told, {}), (None, {})]


def test_confirmed_doubts_go_with_their_deal():
    table = make_table(house={"variation": "deutscher"})
    fill(table, [(1, 0), (0, 0)])
    ((_hand, doubts),) = rounds(table, 2)

    host_of(table).move(1, "remove", sure="1")

    assert doubts
    assert rounds(table, 1, 2) == [(None, doubts), (None, {})]


def thrown(table, *counts):
    """Four deals, with so many hands thrown in before each, and before the next."""
    host = host_of(table)
    for number, row in enumerate([*FOUR, None], start=1):
        for _ in range(counts[number - 1]):
            seen = match_of(table).thrown_total
            host.post(".../thrown-in/", before=number, seen=seen, op=new_op())
        if row:
            cells = {c: str(value) for c, value in zip("AB", row, strict=True)}
            host.write_row(number, cells, sure="1")


@pytest.mark.parametrize(
    ("number", "do", "wanted"),
    [
        (2, "remove", {"1": 1, "2": 5, "3": 4, "4": 5}),
        (4, "remove", {"1": 1, "2": 2, "3": 3, "4": 9}),
        (1, "insert", {"2": 1, "3": 2, "4": 3, "5": 4, "6": 5}),
        (2, "down", {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5}),
    ],
)
def test_thrown_in_hands_stay_before_their_deal(number, do, wanted):
    table = make_table()
    thrown(table, 1, 2, 3, 4, 5)

    host_of(table).move(number, do, sure="1")

    assert match_of(table).thrown_in == wanted


def dealers(table):
    sheet = sheet_as_stored(table)
    return [sheet.dealer_in(number) for number in range(1, sheet.highest + 2)]


def test_who_deals_follows_from_the_deals_that_stand():
    table = four_deals()
    host = host_of(table)
    assert dealers(table) == [0, 1, 2, 3, 0]

    host.move(2, "remove", sure="1")
    assert dealers(table) == [0, 1, 2, 3]

    host.move(1, "insert", sure="1")
    assert dealers(table) == [0, 1, 2, 3, 0]


@pytest.mark.parametrize(
    ("do", "wanted"),
    [
        ("remove", [0, 1, 1, 2, 3]),  # deal 4 was given by seat 1
        ("insert", [0, 1, 2, 3, 1, 2, 3]),
        ("down", [0, 1, 2, 1, 2, 3]),
    ],
)
def test_a_correction_of_the_dealer_goes_with_its_deal(do, wanted):
    table = make_table()
    fill(table, FOUR[:3])
    host = host_of(table)
    host.post(".../dealer/", seat=1, op=new_op())
    host.write_row(4, {"A": 0, "B": 2})
    host.write_row(5, {"A": 1, "B": 0})
    assert dealers(table) == [0, 1, 2, 1, 2, 3]

    host.move(2, do, sure="1")

    assert dealers(table) == wanted


def test_the_later_correction_holds_where_two_meet():
    table = make_table()
    host = host_of(table)
    fill(table, FOUR[:1])
    host.post(".../dealer/", seat=3, op=new_op())
    host.write_row(2, {"A": 0, "B": 2})
    host.post(".../dealer/", seat=2, op=new_op())
    host.write_row(3, {"A": 1, "B": 0})

    host.move(2, "remove", sure="1")

    assert match_of(table).dealer_corrections == [[2, 0, 2]]


def test_the_chalk_follows_from_the_deals_that_stand():
    table = make_table()
    fill(table, [(3, 0), (0, 2)])
    host = host_of(table)
    before = host.sheet()["chalk"]

    host.move(2, "remove", sure="1")

    assert (before, host.sheet()["chalk"]) == ("B", "A")


def test_a_row_that_no_deal_can_give_in_its_new_place_is_asked_about_and_marked():
    table = make_table(house={"variation": "schoofkopp"})
    fill(table, [(0, 0), (2, 0)])
    host = host_of(table)
    before = stored(table)

    asked = host.move(2, "up")
    assert (asked.status_code, stored(table)) == (422, before)
    assert details_of(asked) == [
        "Deal 2 would be a row that no deal there can give; it stays, marked."
    ]
    answer = host.move(2, "up", sure="1")

    rows = rows_on(host.get(".../"))
    assert (answer.status_code, host.entries()) == (303, [[2, 0], [0, 0]])
    assert [row.number for row in rows if "data-unlawful" in row.attributes] == [2]


def test_only_the_number_of_a_removed_deal_is_asked_about():
    table = four_deals()

    asked = host_of(table).move(2, "remove")

    assert (asked.status_code, code_of(asked)) == (422, "remove")
    assert details_of(asked) == [
        "Lena & Felix: 0", "Kofi & Nora: 2", "These numbers stay in the history.",
    ]  # fmt: skip
    assert b'name="sure" value="1"' in asked.content


# News ---------------------------------------------------------------------------------------------


def test_rows_that_moved_are_news_and_rows_that_went_are_named():
    table = four_deals()
    host = host_of(table)
    since = host.sheet()["version"]

    host.move(2, "remove", sure="1")

    rows = rows_on(watcher(table).get(".../changes/", since=since))
    assert [row.number for row in rows] == [2, 3, 4, 5]
    assert ["data-gone" in row.attributes for row in rows] == [False, False, False, True]


def test_two_removals_are_one_news_for_a_phone_that_was_away():
    table = four_deals()
    host = host_of(table)
    since = host.sheet()["version"]

    host.move(2, "remove", sure="1")
    host.move(2, "remove", sure="1")

    rows = rows_on(watcher(table).get(".../changes/", since=since))
    gone = [row.number for row in rows if "data-gone" in row.attributes]
    assert ([row.number for row in rows if row.number not in gone], gone) == ([2, 3], [4, 5])


def test_with_htmx_the_answer_is_the_news():
    table = four_deals()

    answer = host_of(table, htmx=True).move(2, "remove", sure="1")

    assert answer.status_code == 200
    assert answer.content.startswith(b"<div data-parts")
    assert [row.number for row in rows_on(answer)] == [2, 3, 4, 5]
