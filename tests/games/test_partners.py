"""Who plays in the match to come: other partners, new people, sitting out, and coming back."""

import pytest

from games import services
from games.models import Match, Member, Player, Side, Table
from tests.games.helpers import (
    PhoneClient,
    fill,
    host_of,
    make_table,
    match_of,
    new_op,
    seated,
    stored,
    stranger,
    watcher,
)

pytestmark = pytest.mark.django_db


def arrange(phone, *names, match=1):
    """Seats 0 to 3 for the match to come, by names."""
    people = dict(Player.objects.filter(table=phone.table).values_list("name", "pk"))
    fields = {f"seat_{seat}": people[name] for seat, name in enumerate(names)}
    return phone.post("people/", {"do": "seats", "match": match, **fields})


def take_in(table, name):
    answer = host_of(table).post("people/", {"do": "take-in", "name": name})
    assert answer.status_code == 303


def seats(table):
    players = Player.objects.filter(table=table).order_by("seat")
    return {player.name: player.seat for player in players}


def columns(table, match=1):
    sheet = host_of(table).sheet(match)
    return [(column["id"], column["name"], column["players"]) for column in sheet["columns"]]


def ended(game="bauernstoss", rows=((3, 0), (0, 1)), **more):
    """A table whose first match has ended, and the host."""
    table = make_table(game, **more)
    fill(table, list(rows))
    host = host_of(table)
    assert host.end().status_code == 303
    return table, host


OTHERS = ("Lena", "Felix", "Kofi", "Nora")  # Lena & Kofi against Felix & Nora


# Before the first entry -------------------------------------------------------------------------


def test_partners_change_before_the_first_entry():
    table = make_table()
    host = host_of(table)

    answer = arrange(host, *OTHERS)

    assert (answer.status_code, answer["Location"]) == (303, f"/t/{table.key}/")
    assert columns(table) == [
        ("A", "Lena & Kofi", ["Lena", "Kofi"]),
        ("B", "Felix & Nora", ["Felix", "Nora"]),
    ]
    assert seats(table) == {"Lena": 0, "Felix": 1, "Kofi": 2, "Nora": 3}
    assert Match.objects.count() == 1


def test_phones_go_with_their_people():
    table = make_table()
    kofi = seated(table, 1)

    arrange(host_of(table), *OTHERS)

    assert kofi.visitor.seat == 2
    assert kofi.write(1, "A", 3).status_code == 303
    assert kofi.write(1, "B", 0).status_code == 403


def test_the_dealer_is_the_same_person():
    table = make_table(first_dealer=1)

    arrange(host_of(table), *OTHERS)

    assert host_of(table).sheet()["dealer"] == seats(table)["Kofi"] == 2


def test_the_chalk_is_asked_for_again():
    table = make_table()
    host = host_of(table)
    host.post(".../chalk/", side="B")

    arrange(host, *OTHERS)

    assert host.sheet()["chalk"] is None


def test_a_number_that_was_meant_for_the_old_sides_meets_a_conflict():
    table = make_table()
    host = host_of(table)
    arrange(host, *OTHERS)

    answer = seated(table, 0).write(1, "A", 3, base=0)

    assert answer.status_code == 409
    assert host.entries() == []
    assert seated(table, 0, "again").write(1, "A", 3).status_code == 303


def test_the_same_seats_again_change_nothing():
    table = make_table()
    before = stored(table)

    assert arrange(host_of(table), "Lena", "Kofi", "Felix", "Nora").status_code == 303
    assert stored(table) == before


@pytest.mark.parametrize("rows", [[(3, None)], [(3, 0), (0, 1)]])
def test_in_the_middle_of_a_match_nobody_changes_seats(rows):
    table = make_table()
    fill(table, rows)
    before = stored(table), seats(table)

    answer = arrange(host_of(table), *OTHERS)

    assert answer.status_code == 409
    assert "Match 1 has begun." in answer.content.decode()
    assert (stored(table), seats(table)) == before


def test_a_hand_thrown_in_begins_a_match():
    table = make_table()
    host = host_of(table)
    host.post(".../thrown-in/", before=1, seen=0, op=new_op())
    before = stored(table), seats(table)

    assert arrange(host, *OTHERS).status_code == 409
    assert (stored(table), seats(table)) == before


@pytest.mark.parametrize("people", ["0 1 2 2", "0 1 2 99999", "0 1 2 other"])
def test_four_different_people_of_the_table_have_to_sit(people):
    table, other = make_table(), make_table()
    ids = [str(pk) for pk in table.players.order_by("seat").values_list("pk", flat=True)]
    strange = str(other.players.get(seat=0).pk)
    wanted = [
        strange if one == "other" else ids[int(one)] if len(one) == 1 else one
        for one in people.split()
    ]
    before = stored(table), seats(table)

    answer = host_of(table).post(
        "people/", {"do": "seats", "match": 1, **{f"seat_{i}": pk for i, pk in enumerate(wanted)}}
    )

    assert answer.status_code == 422
    assert 'data-code="seats"' in answer.content.decode()
    assert (stored(table), seats(table)) == before


@pytest.mark.parametrize("make", [seated, watcher, stranger], ids=lambda make: make.__name__)
def test_seats_and_new_people_are_the_hosts(make):
    table = make_table()
    phone = make(table, 0) if make is seated else make(table)
    before = stored(table), seats(table)

    assert arrange(phone, *OTHERS).status_code == 403
    assert phone.post("people/", {"do": "take-in", "name": "Ida"}).status_code == 403
    assert (stored(table), seats(table)) == before


# The next match ---------------------------------------------------------------------------------


def test_other_partners_begin_the_next_match_and_the_one_before_stays():
    table, host = ended()
    before = host.sheet(1)

    arrange(host, *OTHERS)

    assert [column[1] for column in columns(table, 2)] == ["Lena & Kofi", "Felix & Nora"]
    after = host.sheet(1)
    assert {**after, "version": 0} == {**before, "version": 0}


def test_who_would_have_dealt_next_deals_wherever_they_sit():
    table, host = ended(first_dealer=0)  # two deals, so Felix on seat 2 gives the next

    arrange(host, *OTHERS)

    assert host.sheet(2)["dealer"] == seats(table)["Felix"] == 1


def test_two_taps_make_one_match():
    _table, host = ended()

    answers = [arrange(host, *OTHERS) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [303, 303]
    assert Match.objects.count() == 2


def test_an_old_form_does_not_seat_people_in_another_match():
    table, host = ended()
    host.post("next/")
    before = stored(table), seats(table)

    answer = arrange(host, *OTHERS, match=1)

    assert (answer.status_code, stored(table), seats(table)) == (409, *before)


def test_a_new_name_does_not_reach_matches_that_were_played():
    table, host = ended()
    host.post("next/")
    before = columns(table, 1)

    host.post("people/", do="rename", seat=0, name="Magdalena")

    assert columns(table, 1) == before
    assert columns(table, 2)[0] == ("A", "Magdalena & Felix", ["Magdalena", "Felix"])
    assert "Lena gave" not in host.get(".../changes/", 2).content.decode()


def test_who_dealt_in_an_old_match_stays_after_people_changed_seats():
    table = make_table()
    host = host_of(table)
    fill(table, [(3, 0)])
    host.post(".../thrown-in/", before=2, seen=0, op=new_op())
    host.end()
    before = host.get(".../changes/", 1).content.decode()

    arrange(host, *OTHERS)
    host.post("people/", do="rename", seat=1, name="Fee")

    assert "Kofi gave" in before
    assert "Kofi gave" in host.get(".../changes/", 1).content.decode()


def test_a_pair_keeps_the_name_it_has_together():
    table, host = ended(side_names={"A": "Die Alten"})

    arrange(host, "Kofi", "Felix", "Nora", "Lena")  # the same pairs, the other columns

    assert [column[1] for column in columns(table, 2)] == ["Kofi & Nora", "Die Alten"]


def test_a_name_of_a_pair_does_not_stay_with_half_of_it():
    table, host = ended(side_names={"A": "Die Alten"})

    arrange(host, *OTHERS)

    assert [column[1] for column in columns(table, 2)] == ["Lena & Kofi", "Felix & Nora"]


def test_taking_the_end_back_seats_people_as_they_were():
    table, host = ended()
    arrange(host, *OTHERS)
    lena, kofi = seated(table, 0), PhoneClient(table, "kofi")
    before_back = seats(table)

    answer = host.post(".../reopen/", match=1)

    assert answer.status_code == 303
    assert before_back != seats(table) == {"Lena": 0, "Kofi": 1, "Felix": 2, "Nora": 3}
    assert lena.write(3, "A", 1).status_code == 303
    assert kofi.get("").status_code == 200


# People who come, sit out, come back -------------------------------------------------------------


def test_a_fifth_person_sits_out_until_they_have_a_seat():
    table, host = ended()
    take_in(table, "Ida")
    assert seats(table)["Ida"] is None

    arrange(host, "Lena", "Ida", "Felix", "Nora")

    assert seats(table) == {"Kofi": None, "Lena": 0, "Ida": 1, "Felix": 2, "Nora": 3}
    assert [column[1] for column in columns(table, 2)] == ["Lena & Felix", "Ida & Nora"]
    assert columns(table, 1)[1] == ("B", "Kofi & Nora", ["Kofi", "Nora"])


def test_who_sits_out_keeps_the_phone_and_comes_back_with_it():
    table, host = ended("schafkopf", rows=[(14, 14, 0, 0)])
    kofi = seated(table, 1)
    take_in(table, "Ida")
    arrange(host, "Lena", "Ida", "Felix", "Nora")
    out = kofi.write(1, "1", 5, match=2)
    page = kofi.get("people/").content.decode()
    fill(table, [(14, 14, 0, 0)], 2)
    host.end(2)

    arrange(host, "Kofi", "Ida", "Felix", "Nora", match=2)

    assert out.status_code == 403
    assert "sits out" in page
    assert columns(table, 3)[0] == ("0", "Kofi", ["Kofi"])
    assert (kofi.visitor.seat, seats(table)["Lena"]) == (0, None)
    assert kofi.write(1, "0", 14, match=3).status_code == 303


def test_somebody_new_can_be_taken_in_while_a_match_is_played():
    table = make_table()
    fill(table, [(3, 0)])

    take_in(table, "Ida")

    assert seats(table)["Ida"] is None
    assert columns(table)[0][2] == ["Lena", "Felix"]


@pytest.mark.parametrize(
    ("name", "code"), [("lena", "name-taken"), (" ", "name-missing"), ("x" * 41, "name-long")]
)
def test_a_newcomer_needs_a_name_of_their_own(name, code):
    table = make_table()
    before = seats(table)

    answer = host_of(table).post("people/", {"do": "take-in", "name": name})

    page = answer.content.decode()
    assert (answer.status_code, seats(table)) == (422, before)
    assert f'id="newcomer-wrong" role="alert" data-code="{code}"' in page
    assert f'value="{name}"' in page


def test_only_so_many_people_are_at_a_table():
    table = make_table()
    for number in range(8):
        take_in(table, f"guest {number}")

    answer = host_of(table).post("people/", {"do": "take-in", "name": "one more"})

    assert (answer.status_code, Player.objects.count()) == (422, 12)
    assert "12 people" in answer.content.decode()


def test_who_sits_out_can_be_renamed_by_the_host():
    table = make_table()
    take_in(table, "Ida")
    ida = Player.objects.get(name="Ida")

    wrong = host_of(table).post("people/", {"do": "rename", "player": ida.pk, "name": "Lena"})
    host_of(table).post("people/", {"do": "rename", "player": ida.pk, "name": "Ida Maria"})

    assert f'id="player-{ida.pk}-wrong"' in wrong.content.decode()
    assert seats(table)["Ida Maria"] is None


def test_who_was_taken_in_by_mistake_is_taken_off_the_list():
    table = make_table()
    take_in(table, "Ida")
    ida = Player.objects.get(name="Ida")
    host, phone = host_of(table), watcher(table)
    table.phones.filter(is_host=False).update(player=ida)

    assert "Take off the list" in host.get("people/").content.decode()
    assert host.post("people/", {"do": "let-go", "player": ida.pk}).status_code == 303

    assert "Ida" not in seats(table)
    assert phone.visitor.role == "watcher"
    assert host.post("people/", {"do": "let-go", "player": ida.pk}).status_code == 303
    take_in(table, "Ida")


def test_who_has_played_stays_on_the_list():
    table, host = ended()
    take_in(table, "Ida")
    arrange(host, "Lena", "Ida", "Felix", "Nora")
    before = seats(table)

    for name in ("Kofi", "Ida"):
        player = Player.objects.get(name=name)
        answer = host.post("people/", {"do": "let-go", "player": player.pk})
        assert answer.status_code == 409
        assert f"{name} has played here and stays on the list." in answer.content.decode()

    assert seats(table) == before
    assert "Take off the list" not in host.get("people/").content.decode()


# What is kept of evenings ------------------------------------------------------------------------


def bummerl(host, match):
    page = host.get(".../", match).content.decode()
    return [
        part.split(" Bummerl")[0].rsplit(">", 1)[-1].strip() if "Bummerl" in part else ""
        for part in page.split('id="h')[1:3]
    ]


def test_the_bummerl_stays_with_those_who_lost():
    """Lena & Felix win as A; then the same pairs play from the other columns, then others."""
    table = make_table("bauernschnapsen")
    host = host_of(table)
    line = match_of(table).table.game.line(match_of(table).house)
    fill(table, [(line, 0)])
    lost_by_b = bummerl(host, 1)

    arrange(host, "Kofi", "Felix", "Nora", "Lena", match=1)
    swapped = bummerl(host, 2)
    fill(table, [(1, 0)], 2)
    host.end(2)
    arrange(host, "Lena", "Felix", "Kofi", "Nora", match=2)
    others = bummerl(host, 3)

    assert lost_by_b[0] == ""
    assert lost_by_b[1] != ""
    assert swapped == [lost_by_b[1], ""]
    assert others == ["", ""]


def test_a_match_knows_its_players_by_its_own_names():
    table, host = ended()
    arrange(host, *OTHERS)

    found = Member.objects.filter(side__match__table=table).order_by(
        "side__match__number", "side__column", "place"
    )

    assert [member.name for member in found] == [
        "Lena", "Felix", "Kofi", "Nora", "Lena", "Kofi", "Felix", "Nora",
    ]  # fmt: skip
    assert Side.objects.count() == 4


def test_the_verb_says_which_match_they_play():
    _table, host = ended()
    people = list(Table.objects.get().players.order_by("seat").values_list("pk", flat=True))

    assert services.seat_players(visitor=host.visitor, number=1, people=people) == 2
    assert services.seat_players(visitor=host.visitor, number=2, people=people) == 2
