"""The end by tap, taking it back, and the match after."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Match, Phone
from tests.games.helpers import (
    code_of,
    fill,
    host_of,
    make_table,
    match_of,
    seated,
    set_back_end,
    stored,
    watcher,
)

pytestmark = pytest.mark.django_db


def state_of(phone, match=1):
    sheet = phone.sheet(match)
    return sheet["status"], sheet["how"], sheet["winners"]


def numbers(table):
    return list(Match.objects.filter(table=table).order_by("number").values_list("number", "how"))


# The question -----------------------------------------------------------------------------------


def test_a_tap_asks_before_it_ends_the_match():
    table = make_table()
    fill(table, [(3, 0)])
    before = stored(table)

    answer = host_of(table).post(".../end/")

    assert (answer.status_code, code_of(answer), stored(table)) == (422, "end", before)


def test_the_question_about_a_match_that_has_ended_leads_to_the_match():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    host.post(".../end/", sure="1")

    answer = host.get(".../end/")

    assert (answer.status_code, answer.headers["Location"]) == (302, host.url(".../"))


def test_a_sure_tap_ends_the_match():
    table = make_table()
    fill(table, [(3, 0)])

    answer = host_of(table).post(".../end/", sure="1")

    assert (answer.status_code, match_of(table).how) == (303, "tap")


def test_the_question_names_open_cells():
    table = make_table()
    fill(table, [(3, None), (0, 1), (None, 2)])

    answer = host_of(table).post(".../end/")

    assert answer.context["refusal"].details == (
        "Deal 1: Kofi & Nora is open",
        "Deal 3: Lena & Felix is open",
    )


@pytest.mark.parametrize(("seconds", "named"), [(50, False), (70, True)], ids=["50 s", "70 s"])
def test_the_question_names_phones_not_seen_for_a_minute(seconds, named):
    table = make_table()
    fill(table, [(3, 0)])
    seated(table, 3)
    Phone.objects.filter(player__seat=3).update(seen_at=timezone.now() - timedelta(seconds=seconds))

    details = host_of(table).post(".../end/").context["refusal"].details

    assert details == (("Nora’s phone has not been heard of for a minute",) if named else ())


def test_the_script_gets_the_question_alone():
    table = make_table()
    fill(table, [(3, 0)])

    answer = host_of(table, htmx=True).post(".../end/")

    text = answer.content.decode()
    assert answer.status_code == 422
    assert ('data-code="end"' in text, "<html" in text) == (True, False)


def test_the_script_is_sent_on_when_the_match_has_ended():
    table = make_table()
    fill(table, [(3, 0)])

    answer = host_of(table, htmx=True).end()

    assert (answer.status_code, match_of(table).how) == (200, "tap")


def test_the_question_is_a_page_too():
    table = make_table()
    fill(table, [(3, 0)])
    before = stored(table)

    answer = host_of(table).get(".../end/")

    assert (answer.status_code, stored(table)) == (200, before)
    assert 'name="sure" value="1"' in answer.content.decode()


@pytest.mark.parametrize("sure", ["", "1"], ids=["asked", "sure"])
def test_nothing_ends_before_anything_was_entered(sure):
    table = make_table()
    before = stored(table)

    answer = host_of(table).post(".../end/", sure=sure)

    assert (answer.status_code, code_of(answer)) == (409, "nothing-entered")
    assert stored(table) == before


def test_nothing_ends_after_everything_was_cleared():
    table = make_table()
    fill(table, [(3, None)])
    host = host_of(table)
    host.write(1, "A", "")

    assert code_of(host.end()) == "nothing-entered"


def test_any_player_ends_the_match():
    table = make_table()
    fill(table, [(3, 0)])

    answer = seated(table, 3).end()

    assert (answer.status_code, match_of(table).ended_by) == (303, "Nora")


def test_a_watcher_ends_nothing():
    table = make_table()
    fill(table, [(3, 0)])
    before = stored(table)

    assert watcher(table).end().status_code == 403
    assert stored(table) == before


def test_ending_twice_changes_nothing():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    host.end()
    before = stored(table)

    assert (host.end().status_code, stored(table)) == (303, before)


# How it came out --------------------------------------------------------------------------------


def test_below_the_line_the_match_ended_early_and_nobody_wins():
    table = make_table()
    fill(table, [(3, 0), (0, 1)])
    host = host_of(table)

    host.end()

    assert (state_of(host), host.sheet()["leaders"]) == (("ended-early", "tap", []), ["A"])


def test_the_page_names_the_leader_of_a_match_that_ended_early():
    table = make_table()
    fill(table, [(3, 0), (0, 1)])
    host = host_of(table)
    host.end()

    assert "Ended early, Lena &amp; Felix in front" in host.get(".../").content.decode()


def test_a_tap_over_the_line_banks_though_a_deal_is_open():
    table = make_table()
    fill(table, [(12, 0), (0, None), (8, 0)])
    host = host_of(table)

    host.end()

    assert (state_of(host), host.entries()[1]) == (("banked", "tap", ["A"]), [0, None])


@pytest.mark.parametrize(
    ("rows", "winners"),
    [([(14, 14, 0, 0), (0, 14, 0, 14)], ["1"]), ([(14, 14, 0, 0)], ["0", "1"])],
    ids=["highest", "joint"],
)
def test_without_a_line_the_highest_total_wins(rows, winners):
    table = make_table("schafkopf")
    fill(table, rows)
    host = host_of(table)

    host.end()

    assert state_of(host) == ("banked", "tap", winners)


def test_after_a_tap_blanks_count_nothing_even_where_one_reading_is_left():
    table = make_table("schafkopf", {"line": 28})
    fill(table, [(14, 0, 0, None), (None, None, 0, 14)])  # player 3 has 14, or 28 if all is filled
    host = host_of(table)

    host.end()

    assert state_of(host) == ("ended-early", "tap", [])
    assert host.entries() == [[14, 0, 0, None], [None, None, 0, 14]]


def test_blanks_stay_blank_and_the_host_may_still_complete_them():
    table = make_table()
    fill(table, [(3, None), (0, 1)])
    host = host_of(table)
    host.end()
    blank = host.entries()

    answer = host.write(1, "B", 0)

    assert (blank, answer.status_code) == ([[3, None], [0, 1]], 303)
    assert (state_of(host)[0], host.entries()[0]) == ("ended-early", [3, 0])


def test_after_a_tap_the_host_may_enter_the_next_round_and_no_further_one():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    host.end()

    answers = [host.write(3, "A", 1), host.write(2, "A", 1)]

    assert [(a.status_code, code_of(a)) for a in answers] == [(409, "ended"), (303, "")]
    assert (match_of(table).how, host.entries()) == ("tap", [[3, 0], [1, None]])


def test_a_correction_after_a_tap_gives_the_match_what_the_rounds_say():
    table = make_table()
    fill(table, [(12, 0), (3, 0)])
    host = host_of(table)
    host.end()

    host.write(2, "A", 8)

    assert state_of(host) == ("banked", "tap", ["A"])
    assert match_of(table).corrected is True


def test_a_correction_after_a_tap_opens_nothing():
    table = make_table()
    fill(table, [(12, 0), (0, None), (8, 0)])
    host = host_of(table)
    host.end()

    host.write(3, "A", 3)

    assert state_of(host) == ("ended-early", "tap", [])


# Taking a tap back ------------------------------------------------------------------------------


def test_taking_a_tap_back_opens_the_match_as_it_was():
    table = make_table()
    fill(table, [(3, None), (0, 1)])
    host = host_of(table)
    host.end()

    answer = host.post(".../reopen/")

    assert (answer.status_code, state_of(host)) == (303, ("open", None, []))
    assert host.entries() == [[3, None], [0, 1]]


@pytest.mark.parametrize(("seconds", "status"), [(115, 303), (125, 409)], ids=["soon", "later"])
def test_a_player_may_take_a_tap_back_within_two_minutes(seconds, status):
    table = make_table()
    fill(table, [(3, 0)])
    kofi = seated(table, 1)
    kofi.end()
    set_back_end(table, timedelta(seconds=seconds))

    answer = kofi.post(".../reopen/")

    assert (answer.status_code, match_of(table).is_open) == (status, status == 303)


def test_a_tap_is_not_taken_back_when_the_line_was_reached_since():
    table = make_table()
    fill(table, [(12, 0), (3, 0)])
    host = host_of(table)
    host.end()
    host.write(2, "A", 8)
    before = stored(table)

    answer = host.post(".../reopen/")

    assert (answer.status_code, code_of(answer)) == (409, "still-over")
    assert stored(table) == before


def test_a_match_before_the_last_is_not_opened_while_a_later_one_is_played():
    table = make_table()
    host = host_of(table)
    fill(table, [(3, 0)])
    host.end()
    host.post("next/")
    host.write(1, "A", 3, match=2)
    host.end(match=2)
    host.write(1, "A", "", match=2)
    host.post("next/")
    before = stored(table)

    answer = host.post(".../reopen/")

    assert (answer.status_code, code_of(answer)) == (409, "next-begun")
    assert stored(table) == before


def test_the_match_that_follows_a_removed_one_has_its_number_again():
    table = make_table()
    host = host_of(table)
    fill(table, [(3, 0)])
    host.end()
    host.post("next/")
    host.post(".../reopen/")
    host.end()

    answer = host.post("next/")

    assert (answer["Location"], numbers(table)) == (host.url(".../", 2), [(1, "tap"), (2, "")])
