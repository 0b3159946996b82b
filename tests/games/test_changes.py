"""What changed since a version, as parts of the page for polling and catching up."""

import re

import pytest

from tests.games.helpers import (
    fill,
    host_of,
    make_table,
    new_op,
    seated,
    stored,
    stranger,
    watcher,
)

pytestmark = pytest.mark.django_db


def news(phone, since=None, match=1):
    query = {} if since is None else {"since": since}
    return phone.get(".../changes/", match, **query)


def rows_of(answer):
    """The rounds that an answer brings."""
    found = re.findall(r'<tr[^>]*?data-round="(\d+)"([^>]*)>', answer.content.decode())
    return [int(number) for number, rest in found if "data-gone" not in rest]


def gone_of(answer):
    """The rounds that an answer says are no longer there."""
    found = re.findall(r'<tr[^>]*?data-round="(\d+)"([^>]*)>', answer.content.decode())
    return [int(number) for number, rest in found if "data-gone" in rest]


def value_of(answer, name):
    """The value of the first attribute of this name."""
    return re.findall(rf'{name}="([^"]*)"', answer.content.decode())[0]


def test_nothing_new_is_answered_with_204():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)

    answer = news(host, since=host.sheet()["version"])

    assert (answer.status_code, answer.content) == (204, b"")


def test_a_row_that_changed_comes_with_the_next_round_and_the_totals():
    table = make_table()
    fill(table, [(3, 0), (1, 0), (2, 0)])
    host = host_of(table)
    since = host.sheet()["version"]
    host.write(4, "B", 3)

    answer = news(host, since=since)

    assert (answer.status_code, rows_of(answer)) == (200, [4, 5])
    assert re.search(r'data-total="B"[^>]*>\s*(?:<[^>]*>\s*)*3\b', answer.content.decode())


def test_rows_after_one_that_changed_come_along_as_their_sums_changed():
    table = make_table()
    fill(table, [(3, 0), (1, 0), (2, 0)])
    host = host_of(table)
    since = host.sheet()["version"]
    host.write(2, "A", 2)

    assert rows_of(news(host, since=since)) == [2, 3, 4]


@pytest.mark.parametrize("since", ["above", "none", "x", "-1", "٣", "9" * 5000])
def test_without_a_version_that_can_be_everything_comes(since):
    table = make_table()
    fill(table, [(3, 0), (1, 0)])
    host = host_of(table)
    if since == "above":
        since = host.sheet()["version"] + 1

    answer = news(host, None if since == "none" else since)

    assert (answer.status_code, rows_of(answer)) == (200, [1, 2, 3])


def test_an_answer_names_its_match_its_version_and_the_current_match():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)

    answer = news(host)

    assert value_of(answer, "data-match") == "1"
    assert value_of(answer, "data-current") == "1"
    assert value_of(answer, "data-version") == str(host.sheet()["version"])


def test_the_version_of_one_answer_is_where_the_next_begins():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    first = value_of(news(host), "data-version")
    host.write(2, "A", 1)

    second = news(host, since=first)

    assert int(value_of(second, "data-version")) > int(first)
    assert news(host, since=value_of(second, "data-version")).status_code == 204


def test_another_match_is_told_which_one_is_current():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    host.end()
    since = host.sheet()["version"]
    host.post("next/")

    answer = news(host, since=since)

    assert (answer.status_code, rows_of(answer)) == (200, [])
    assert (value_of(answer, "data-match"), value_of(answer, "data-current")) == ("1", "2")


def test_a_match_that_was_removed_is_told_which_one_is_current():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    for path in (".../end/", "next/", ".../reopen/"):
        host.post(path, sure="1")

    answer = news(host, match=2)

    assert (answer.status_code, value_of(answer, "data-current")) == (200, "1")


def test_a_match_that_never_was_is_not_found():
    table = make_table()

    assert news(host_of(table), match=2).status_code == 404


def test_a_row_that_vanished_is_sent_as_gone():
    table = make_table()
    fill(table, [(3, 0), (1, None)])
    host = host_of(table)
    since = host.sheet()["version"]
    host.write(2, "A", "")

    answer = news(host, since=since)

    assert (rows_of(answer), gone_of(answer)) == ([2], [3])


def test_every_row_that_vanished_with_the_last_number_is_sent_as_gone():
    table = make_table()
    fill(table, [(3, 0), (1, None), (None, 1)])
    host = host_of(table)
    host.write(2, "A", "")
    since = host.sheet()["version"]
    host.write(3, "B", "")

    answer = news(host, since=since)

    assert (rows_of(answer), gone_of(answer)) == ([2], [3, 4])


def test_the_next_round_is_gone_when_the_match_ends():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    since = host.sheet()["version"]
    host.end()

    answer = news(host, since=since)

    assert (rows_of(answer), gone_of(answer)) == ([], [2])


def test_the_next_round_comes_back_when_the_end_is_taken_back():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    host.end()
    since = host.sheet()["version"]
    host.post(".../reopen/")

    assert rows_of(news(host, since=since)) == [2]


def test_numbers_written_by_the_bank_in_other_rows_come_along():
    table = make_table()
    fill(table, [(8, None), (0, 1)])
    host = host_of(table)
    since = host.sheet()["version"]
    host.write(3, "A", 12)

    answer = news(host, since=since)

    assert rows_of(answer) == [1, 2, 3]
    assert 'data-cell="1.B" data-version="0" data-state="implied"' in answer.content.decode()


@pytest.mark.parametrize("game", ["bauernstoss", "bauernschnapsen", "schafkopf"])
def test_every_phone_gets_the_same_bytes_and_no_box_to_type_in(game):
    table = make_table(game)
    fill(table, [(14, 14, 0, 0)] if game == "schafkopf" else [(3, 0)])
    phones = [host_of(table), seated(table, 0), seated(table, 1), watcher(table), stranger(table)]

    answers = {news(phone).content for phone in phones}

    assert len(answers) == 1
    text = answers.pop().decode()
    assert ("<input" in text, "<form" in text, "csrf" in text) == (False, False, False)


def test_names_come_when_they_changed_and_only_then():
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    since = host.sheet()["version"]
    host.write(2, "A", 1)
    without = news(host, since=since).content.decode()
    since = host.sheet()["version"]
    host.post("people/", do="rename", seat=0, name="Magdalena")
    after = news(host, since=since).content.decode()

    assert ("Lena &amp; Felix" in without, "Magdalena" in after) == (False, True)


@pytest.mark.parametrize(
    "verb",
    [
        lambda phone: phone.post(".../thrown-in/", before=2, seen=0, op=new_op()),
        lambda phone: phone.post(".../dealer/", seat=3, op=new_op()),
        lambda phone: phone.end(),
        lambda phone: phone.post("house/", free_numbers="on"),
        lambda phone: phone.write(1, "A", ""),
    ],
    ids=["thrown in", "dealer", "end", "house rules", "a clear"],
)
def test_every_visible_change_is_news(verb):
    table = make_table()
    fill(table, [(3, 0)])
    host = host_of(table)
    since = host.sheet()["version"]

    assert verb(host).status_code == 303

    assert (news(host, since=since).status_code, host.sheet()["version"]) == (200, since + 1)


def test_looking_for_news_leaves_no_trace():
    table = make_table()
    before = (stored(table), table.phones.count())

    news(stranger(table))

    assert (stored(table), table.phones.count()) == before


def test_times_travel_in_utc():
    table = make_table()
    fill(table, [(3, 0)])
    host_of(table).end()

    text = news(host_of(table)).content.decode()

    assert re.search(r'<time datetime="[0-9T:.-]+\+00:00"', text) is not None


OF_A_BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"


@pytest.mark.parametrize(
    "headers",
    [{"Sec-Fetch-Mode": "navigate", "Accept": OF_A_BROWSER}, {"Accept": OF_A_BROWSER}],
    ids=["https", "http"],
)
def test_who_opens_it_in_a_browser_is_led_to_the_sheet(headers):
    host = host_of(make_table())

    answer = host.client.get(host.url(".../changes/?since=1"), headers=headers)

    assert (answer.status_code, answer.headers["Location"]) == (302, host.url(".../"))
    assert {"Sec-Fetch-Mode", "Accept"} <= set(answer.headers["Vary"].split(", "))


@pytest.mark.parametrize(
    "headers",
    [{"Sec-Fetch-Mode": "same-origin", "Accept": OF_A_BROWSER}, {"Accept": "*/*"}, {}],
    ids=["page", "script", "plain"],
)
def test_what_asks_without_showing_it_gets_the_parts(headers):
    host = host_of(make_table())

    answer = host.client.get(host.url(".../changes/"), headers=headers)

    assert answer.status_code == 200
    assert answer.content.startswith(b"<div data-parts")
    assert {"Sec-Fetch-Mode", "Accept"} <= set(answer.headers["Vary"].split(", "))
