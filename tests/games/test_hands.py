"""Working a hand out at the table: the form, its answer, what is written and what is offered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from games import rules
from games.models import Change, Round
from tests.games.helpers import (
    PhoneClient,
    cell_version,
    fill,
    host_of,
    make_table,
    new_op,
    row_version,
    seated,
    watcher,
)

if TYPE_CHECKING:
    from typing import Any

    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

    from games.models import Table

pytestmark = pytest.mark.django_db

SOLO = {"contract": "solo", "declarer": 0, "points": 95, "runners": 3, "holder": "declarer"}


def settle(phone: PhoneClient, number: int, **fields: Any) -> Answer:
    """Send a hand to be worked out; ``do="write"`` writes it with the base it has now."""
    if fields.get("do") == "write":
        fields.setdefault("op", new_op())
        own = phone.visitor.columns(_sides(phone.table))
        one = cell_version(phone.table, number, own[0]) if len(own) == 1 else None
        fields.setdefault("base", row_version(phone.table, number) if one is None else one)
    return phone.post(".../settle/", round=number, **fields)


def _sides(table: Table) -> Any:
    from games import access  # noqa: PLC0415 - only here

    return access.sides_of(table.matches.get())


def text_of(answer: Answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_the_answer_shows_both_numbers_and_why():
    table = make_table()
    fill(table, [(3, 0)])

    answer = settle(seated(table, 0, htmx=True), 2, do="work", points_a=95)

    page = answer.content.decode()
    assert answer.status_code == 200
    assert 'data-share="A">2<' in page
    assert 'data-share="B">0<' in page
    assert "Schneider" in text_of(answer)
    assert table.matches.get().rounds.count() == 1  # nothing is written by asking


def test_the_chalk_is_taken_from_the_sheet():
    table = make_table()
    fill(table, [(0, 1)])  # so B holds the chalk

    answer = settle(host_of(table), 2, do="write", points_a=78)

    assert answer.status_code == 303
    assert host_of(table).entries() == [[0, 1], [0, 1]]  # with 78 : 42 the holder scores


def test_the_chalk_is_asked_for_while_nobody_has_said():
    table = make_table()

    opened = settle(host_of(table), 1)
    missing = settle(host_of(table), 1, do="write", points_a=95)
    told = settle(host_of(table), 1, do="write", points_a=95, chalk="A")

    assert 'name="chalk"' in opened.content.decode()
    assert missing.status_code == 422
    assert told.status_code == 303
    assert host_of(table).entries() == [[2, 0]]


def test_a_host_writes_the_whole_row_and_the_hand_stays_with_it():
    table = make_table("schafkopf")

    answer = settle(host_of(table), 1, do="write", **SOLO)

    assert answer.status_code == 303
    assert answer["Location"].endswith("#r1")
    assert host_of(table).entries() == [[36, 0, 0, 0]]
    assert Round.objects.filter(hand__contract="solo").count() == 1
    page = host_of(table).get("").content.decode()
    assert "Solo, Schneider, 3 runners" in page


def test_a_player_writes_the_own_column_and_the_others_are_offered_theirs():
    table = make_table("schafkopf")
    lena, nora = seated(table, 0), seated(table, 3)

    answer = settle(lena, 1, do="write", contract="rufer", declarer=0, partner=1, points=93,
                    runners=5, holder="declarer")  # fmt: skip

    assert answer.status_code == 303
    assert lena.entries() == [[14, None, None, None]]
    seen = nora.get(".../changes/").content.decode()
    assert offers_in(seen) == {"1.1": "14", "1.2": "0", "1.3": "0"}


def offers_in(page: str) -> dict[str, str]:
    cells = re.findall(r'data-cell="(1\.\w)"[^>]*?data-offer="(\d+)"', page)
    return dict(cells)


def test_an_offer_goes_away_once_its_cell_is_written():
    table = make_table("schafkopf")
    lena, kofi = seated(table, 0), seated(table, 1)
    settle(lena, 1, do="write", contract="rufer", declarer=0, partner=1, points=61)

    assert kofi.write(1, "1", 2).status_code == 303

    assert offers_in(kofi.get(".../changes/").content.decode()) == {"1.2": "0", "1.3": "0"}


def test_a_hand_lapses_when_a_number_says_otherwise_and_the_history_keeps_it():
    table = make_table("schafkopf")
    settle(host_of(table), 1, do="write", **SOLO)

    assert host_of(table).write_row(1, {"0": 40}).status_code == 303

    assert Round.objects.get().hand is None
    assert (
        "runners"
        not in host_of(table).get("").content.decode().split("</main>")[0].split("data-body")[1]
    )
    history = text_of(host_of(table).get(".../r/1/0/"))
    assert "worked out : Solo, Schneider, 3 runners" in history.replace("out:", "out :")
    assert Change.objects.filter(why="calculator", hand__contract="solo").count() == 4


def test_a_hand_can_be_told_for_numbers_that_stand_already():
    table = make_table("schafkopf")
    fill(table, [(36, 0, 0, 0)])

    assert settle(host_of(table), 1, do="write", **SOLO).status_code == 303

    assert "Solo, Schneider, 3 runners" in host_of(table).get("").content.decode()
    assert host_of(table).entries() == [[36, 0, 0, 0]]


def test_clearing_a_number_keeps_the_hand_which_offers_it_again():
    table = make_table("schafkopf")
    lena = seated(table, 0)
    settle(host_of(table), 1, do="write", **SOLO)

    assert lena.write(1, "0", "").status_code == 303

    assert offers_in(lena.get(".../changes/").content.decode()) == {"1.0": "36"}


@pytest.mark.parametrize(
    ("game", "fields", "code", "words"),
    [
        ("bauernstoss", {"chalk": "A", "points_a": 121}, "points-range", "121"),
        ("bauernstoss", {"chalk": "A", "points_a": 119}, "points-impossible", "119"),
        ("bauernstoss", {"chalk": "A", "points_a": "9o"}, "not-whole", "9o"),
        ("bauernstoss", {"chalk": "A", "points_a": 9, "all_tricks": "A"}, "schwarz-points", "9"),
        ("schafkopf", {**SOLO, "runners": 14}, "runners-range", "14"),
        ("schafkopf", {**SOLO, "tricks": "all"}, "tricks-points", "95"),
        ("bauernschnapsen",
         {"ending": "claim", "by": "A", "claim_points": 66, "opp_tricks": 1, "opp_points": 7},
         "points-tricks", "7"),
    ],
)  # fmt: skip
def test_an_impossible_hand_is_told_which_number_does_not_fit(game, fields, code, words):
    table = make_table(game)

    answer = settle(host_of(table, htmx=True), 1, do="work", **fields)

    assert answer.status_code == 422
    assert f'data-code="{code}"' in answer.content.decode()
    assert words in text_of(answer)
    assert 'value="write"' not in answer.content.decode()


def test_what_was_typed_stays_on_the_page_of_a_refused_hand():
    table = make_table("schafkopf")

    answer = settle(host_of(table), 1, do="write", **{**SOLO, "points": 121})

    page = answer.content.decode()
    assert answer.status_code == 422
    assert re.search(r'name="points" value="121"', page)
    assert re.search(r'value="solo"\s+checked', page)


def test_a_hand_that_should_be_confirmed_is_written_only_with_a_yes():
    table = make_table("schafkopf")
    sie = {"contract": "sie", "declarer": 2, "doubles": 1}

    unsure = settle(host_of(table, htmx=True), 1, do="write", **sie)
    sure = settle(host_of(table), 1, do="write", sure=1, **sie)

    assert unsure.status_code == 422
    assert 'name="sure" value="1"' in unsure.content.decode()
    assert "Yes, enter it" in text_of(unsure)
    assert sure.status_code == 303
    assert host_of(table).entries() == [[0, 0, 416, 0]]


def test_the_same_attempt_twice_writes_once():
    table = make_table("schafkopf")
    op = new_op()

    first = settle(host_of(table), 1, do="write", op=op, base=0, **SOLO)
    again = settle(host_of(table), 1, do="write", op=op, base=0, **SOLO)

    assert (first.status_code, again.status_code) == (303, 303)
    assert Change.objects.filter(why="calculator").count() == 4


def test_other_numbers_than_those_shown_are_never_written():
    """The chalk went over after the page said what the hand comes to, and before the tap."""
    table = make_table()
    fill(table, [(3, 0)])
    shown = settle(host_of(table, htmx=True), 2, do="work", points_a=60)
    assert 'name="shown" value="1 0"' in shown.content.decode()
    host_of(table).write_row(1, {"A": 0, "B": 3})

    answer = settle(host_of(table, htmx=True), 2, do="write", points_a=60, shown="1 0")

    assert answer.status_code == 409
    assert 'data-code="other-numbers"' in answer.content.decode()
    assert 'name="shown" value="0 1"' in answer.content.decode()
    assert host_of(table).entries() == [[0, 3]]


def test_what_the_form_saw_when_it_was_opened_counts_not_what_it_saw_last():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table, htmx=True)
    opened = re.search(r'name="base" value="(\d+)"', settle(host, 2).content.decode())
    assert opened is not None
    seated(table, 0).write(2, "A", 1)

    typed = settle(host, 2, do="work", points_a=95, base=opened[1]).content.decode()
    told = settle(host, 2, do="write", points_a=95, base=opened[1])

    assert f'name="base" value="{opened[1]}"' in typed
    assert told.status_code == 409
    assert "Lena wrote 1." in text_of(told)


def test_a_hand_for_numbers_that_stand_changes_nobodys_cell():
    table = make_table()
    fill(table, [(3, 0)])
    lena = seated(table, 0)
    lena.write(2, "A", 2)
    base = cell_version(table, 2, "A")

    assert settle(host_of(table), 2, do="write", points_a=95).status_code == 303

    assert cell_version(table, 2, "A") == base
    assert lena.write(2, "A", 1, base=base).status_code == 303


def test_only_the_host_tells_the_hand_of_a_match_that_has_ended():
    table = make_table("schafkopf")
    lena = seated(table, 0)
    fill(table, [(36, 0, 0, 0)])
    host_of(table).end()
    version = host_of(table).sheet()["version"]

    settle(lena, 1, do="write", **SOLO)
    assert Round.objects.get().hand is None
    assert host_of(table).sheet()["version"] == version

    settle(host_of(table), 1, do="write", **SOLO)
    assert Round.objects.filter(hand__contract="solo").count() == 1


def test_a_second_hand_that_does_not_fit_leaves_the_first():
    table = make_table()
    fill(table, [(3, 0)])
    lena, nora = seated(table, 0), seated(table, 3)
    settle(lena, 2, do="write", points_a=95)

    settle(nora, 2, do="write", points_a=60)  # says 1 : 0, and its 0 is right

    assert host_of(table).entries() == [[3, 0], [2, 0]]
    assert Round.objects.get(number=2).hand["points_a"] == 95  # type: ignore[index]


def test_a_row_that_is_cleared_has_no_hand():
    table = make_table("schafkopf")
    settle(host_of(table), 1, do="write", **SOLO)

    host_of(table).write_row(1, {"0": "", "1": "", "2": "", "3": ""})

    assert Round.objects.get().hand is None
    assert offers_in(host_of(table).get(".../changes/").content.decode()) == {}


def test_a_tout_is_not_lost_before_somebody_says_so():
    table = make_table("schafkopf")

    answer = settle(host_of(table), 1, do="write", contract="solo_tout", declarer=0)

    assert answer.status_code == 422
    assert "Not answered yet: Declarer’s tricks" in text_of(answer)
    assert host_of(table).entries() == []


def test_the_chalk_is_asked_for_after_a_deal_that_is_open():
    table = make_table()
    fill(table, [(1, 0), (2, 0), (0, 1)])
    host_of(table).write_row(2, {"A": "", "B": ""})
    host_of(table).write_row(3, {"A": "", "B": ""})

    asked = settle(host_of(table), 2).content.decode()

    assert 'name="chalk"' not in asked
    fill(table, [(1, 0)])
    host_of(table).write(2, "A", 2)
    host_of(table).write_row(3, {"A": 0, "B": 1})
    host_of(table).write_row(2, {"A": "", "B": ""})
    assert 'name="chalk"' in settle(host_of(table), 3).content.decode()
    assert 'name="chalk"' not in settle(host_of(table), 4).content.decode()


@pytest.mark.parametrize("kept", [[], "solo", 7, {"contract": 5}, {"contract": "bettel"}])
def test_a_stored_hand_that_is_none_shows_no_note(kept):
    table = make_table("schafkopf")
    fill(table, [(36, 0, 0, 0)])
    Round.objects.update(hand=kept)

    assert host_of(table).get("").status_code == 200
    assert "data-note" not in host_of(table).get(".../changes/").content.decode()


def test_a_number_written_meanwhile_is_not_replaced_unasked():
    table = make_table()
    fill(table, [(3, 0)])
    nora, lena = seated(table, 3), seated(table, 0)
    assert lena.write(2, "A", 1).status_code == 303

    late = settle(host_of(table, htmx=True), 2, do="write", points_a=95, base=0)
    fresh = re.search(r'name="base" value="(\d+)"', late.content.decode())

    assert late.status_code == 409
    assert "Lena wrote 1." in text_of(late)
    assert fresh is not None
    assert settle(host_of(table), 2, do="write", points_a=95, base=fresh[1]).status_code == 303
    assert nora.entries() == [[3, 0], [2, 0]]


def test_a_watcher_works_hands_out_but_finds_no_button_to_write():
    table = make_table("schafkopf")

    answer = settle(watcher(table, htmx=True), 1, do="work", **SOLO)

    assert 'data-share="0">36<' in answer.content.decode()
    assert 'value="write"' not in answer.content.decode()


def test_the_first_row_can_hold_no_solo_but_the_second_can():
    table = make_table()
    solo = {"kind": "big_solo", "bidder": "A", "made": "true"}

    first = settle(host_of(table, htmx=True), 1, do="work", chalk="B", **solo)
    fill(table, [(3, 0)])
    second = settle(host_of(table), 2, do="write", **solo)

    assert 'data-code="solo-first-deal"' in first.content.decode()
    assert second.status_code == 303
    assert host_of(table).entries() == [[3, 0], [12, 0]]


def test_whose_contract_it_is_follows_from_who_deals():
    table = make_table("bauernschnapsen", first_dealer=1)  # so Felix of A is forehand
    gang = {"contract": "gang", "declarer": "dealer", "made": "true"}

    opened = text_of(settle(host_of(table), 1))
    answer = settle(host_of(table), 1, do="write", **gang)

    assert "forehand Felix" in opened
    assert answer.status_code == 303
    assert host_of(table).entries() == [[0, 9]]


def test_only_what_is_asked_counts():
    """Answers of another kind of hand that a form still holds change nothing."""
    table = make_table()
    fill(table, [(3, 0)])

    answer = settle(host_of(table), 2, do="write", points_a=95, bidder="B", made="true")

    assert answer.status_code == 303
    assert host_of(table).entries() == [[3, 0], [2, 0]]


def test_a_table_with_its_own_numbers_still_works_hands_out():
    table = make_table("schafkopf", {"free_numbers": True})

    assert settle(host_of(table), 1, do="write", **SOLO).status_code == 303
    assert host_of(table).entries() == [[36, 0, 0, 0]]


@pytest.mark.parametrize("number", [0, 3, 301, "x"])
def test_a_hand_of_a_round_that_is_not_open_is_not_found(number):
    table = make_table()
    fill(table, [(3, 0)])

    assert settle(host_of(table), number, do="work", points_a=95).status_code == 404


def test_a_hand_worked_out_after_the_end_waits_for_the_host():
    table = make_table()
    fill(table, [(3, 0)])
    lena = seated(table, 0)
    host_of(table).end()

    answer = settle(lena, 2, do="write", points_a=95)

    assert answer.status_code == 409
    assert 'data-code="ended"' in answer.content.decode()
    late = table.late_entries.get()
    assert (late.round_number, late.column, late.value) == (2, "A", 2)


@pytest.mark.parametrize("game", rules.all_games(), ids=lambda game: game.slug)
def test_no_question_takes_a_name_the_form_itself_needs(game):
    names = {question.name for question in game.questions({})}

    assert names
    assert names.isdisjoint({"round", "do", "op", "base", "sure", "shown", "csrfmiddlewaretoken"})


def test_the_same_columns_show_what_a_row_pays_in_units():
    """Four columns: what goes on the sheet, and beside it what everybody won or lost."""
    answer = settle(host_of(make_table("schafkopf"), htmx=True), 1, do="work", **SOLO)

    assert re.findall(r"<small>([+−]\d+)</small>", answer.content.decode()) == [
        "+27", "−9", "−9", "−9",
    ]  # fmt: skip


def test_the_answer_that_writes_a_hand_stays_within_two_kilobytes_at_its_longest():
    """Long names, three hands thrown in, a great version, German."""
    table = make_table("schafkopf")
    for player in table.players.all():
        player.name = f"{player.name} {'Oberhuberbauer' * 3}"[:40]
        player.save()
    for side in table.matches.get().sides.all():
        side.name = side.players.get().name
        side.save()
    host = host_of(table, htmx=True)
    host.client.cookies["django_language"] = "de"
    for seen in range(3):
        host.post(".../thrown-in/", before=1, seen=seen, op=new_op())
    table.refresh_from_db()
    table.version = 1_003_456
    table.save()

    answer = settle(host, 1, do="write", **SOLO, doubles=2, sure=1)

    assert answer.status_code == 200
    assert "Laufende" in text_of(answer)
    assert len(answer.content) <= 2048
