"""Starting a table: numbers name the lines of the form, people move to their seats."""

import re

import pytest
from django.test import Client

from games import access
from games.models import Phone, Table

pytestmark = pytest.mark.django_db
FOUR = {"player_0": "Lena", "player_1": "Kofi", "player_2": "Felix", "player_3": "Nora"}


def start(slug="bauernstoss", client=None, **typed):
    fields = {**FOUR, **typed}
    return (client or Client()).post(
        f"/new/{slug}/", {k: v for k, v in fields.items() if v is not None}
    )


def seats(table):
    return list(table.players.order_by("seat").values_list("name", flat=True))


def where_phone_sits(table):
    return table.phones.values_list("player__seat", "player__name").get()


def refused_boxes(answer):
    return dict(
        re.findall(r'id="([\w-]+)-wrong"[^>]*data-code="([\w-]+)"', answer.content.decode())
    )


def test_four_names_are_enough():
    client = Client()

    answer = start(client=client)

    table = Table.objects.get()
    phone = table.phones.get()
    match = table.matches.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/t/{table.key}/")
    assert seats(table) == ["Lena", "Kofi", "Felix", "Nora"]
    assert (phone.is_host, phone.player) == (True, None)
    assert phone.token_hash == access.hash_of(client.cookies[access.COOKIE].value)
    assert match.start_dealer == 0
    assert list(match.sides.order_by("column").values_list("column", "name")) == [
        ("A", "Lena & Felix"),
        ("B", "Kofi & Nora"),
    ]
    assert table.house == {"variation": "main", "free_numbers": False, "line": "game"}
    assert (table.agreed, table.stake) == ("", "match")
    assert (table.unit_cents, table.currency) == (None, "€")


def test_the_cookie_is_out_of_reach_of_scripts_and_lives_long():
    cookie = start().cookies[access.COOKIE]

    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 400 * 86400)
    assert len(cookie.value) >= 32


def test_a_browser_keeps_its_token():
    client = Client()
    start(client=client)
    token = client.cookies[access.COOKIE].value

    start(client=client)

    assert client.cookies[access.COOKIE].value == token
    assert Phone.objects.filter(token_hash=access.hash_of(token)).count() == 2


@pytest.mark.parametrize(
    ("partner", "seating"),
    [
        ("1", ["Lena", "Felix", "Kofi", "Nora"]),
        ("2", ["Lena", "Kofi", "Felix", "Nora"]),
        ("3", ["Lena", "Kofi", "Nora", "Felix"]),
    ],
)
@pytest.mark.parametrize("line", [0, 1, 2, 3])
def test_the_person_moves_and_the_number_follows(partner, seating, line):
    start(partner_of_0=partner, first_dealer=str(line), holder=str(line))

    table = Table.objects.get()
    person = FOUR[f"player_{line}"]
    assert seats(table) == seating
    assert table.matches.get().start_dealer == seating.index(person)
    assert where_phone_sits(table) == (seating.index(person), person)


def test_in_schafkopf_everybody_stays_on_the_line():
    start("schafkopf", partner_of_0="1", first_dealer="3", holder="1")

    table = Table.objects.get()
    assert seats(table) == ["Lena", "Kofi", "Felix", "Nora"]
    assert table.matches.get().start_dealer == 3
    assert where_phone_sits(table) == (1, "Kofi")
    assert list(table.matches.get().sides.order_by("column").values_list("column", "name")) == [
        ("0", "Lena"),
        ("1", "Kofi"),
        ("2", "Felix"),
        ("3", "Nora"),
    ]


def test_a_form_filled_in_to_the_last_box():
    start(
        side_A="Die Roten",
        side_B=" Die  Blauen ",
        variation="schoofkopp",
        free_numbers="on",
        line="number",
        line_number="33",
        agreed="A misdeal\r\ncosts a round.",
    )

    table = Table.objects.get()
    assert [side.name for side in table.matches.get().sides.order_by("column")] == [
        "Die Roten",
        "Die Blauen",
    ]
    assert table.house == {"variation": "schoofkopp", "free_numbers": True, "line": 33}
    assert table.agreed == "A misdeal\ncosts a round."


@pytest.mark.parametrize("line", ["33", "none", "game"])
def test_a_line_may_come_by_its_own_name(line):
    start(line=line)

    assert str(Table.objects.get().house["line"]) == line


def test_an_unticked_switch_means_no():
    start("schafkopf", ramsch="2", ramsch_doubles="off")

    house = Table.objects.get().house
    assert (house["ramsch"], house["ramsch_doubles"]) == (2, False)


@pytest.mark.parametrize(
    ("typed", "cents"),
    [
        ("0.10", 10),
        ("0,10", 10),
        ("0.1", 10),
        ("2", 200),
        ("100", 10000),
        ("10 ct", 10),
        ("1ct", 1),
        ("50 Cent", 50),
        (" 0,05 ", 5),
        ("", None),
    ],
)
def test_a_unit_is_kept_in_cents(typed, cents):
    start("schafkopf", unit=typed)

    table = Table.objects.get()
    assert (table.unit_cents, table.currency) == (cents, "€")


@pytest.mark.parametrize(
    "typed",
    [
        "0",
        "0.00",
        "0.001",
        "-1",
        "0.105",
        "100.01",
        "10000",
        "0 ct",
        "10001 ct",
        "0.5 ct",
        "1e3",
        "ten",
        "1.",
        ".5",
        "٣",
        "1,2,3",
        "10 c",
        "1 000",
        "9" * 5000,
    ],
)
def test_a_unit_that_is_no_amount_is_refused(typed):
    answer = start("schafkopf", unit=typed)

    assert answer.status_code == 422
    assert refused_boxes(answer) == {"unit": "unit"}
    assert f'value="{typed}"' in answer.content.decode()
    assert not Table.objects.exists()


def test_a_currency_may_be_another():
    start("schafkopf", unit="0.10", currency="CHF")

    assert Table.objects.get().currency == "CHF"


@pytest.mark.parametrize("kind", ["match", "points"])
def test_partnerships_play_for_a_match_or_for_its_difference(kind):
    start(stake=kind, unit="1,50", currency="")

    table = Table.objects.get()
    assert (table.stake, table.unit_cents, table.currency) == (kind, 150, "€")


@pytest.mark.parametrize(
    ("game", "kind"), [("bauernstoss", "bummerl"), ("bauernstoss", "unit"), ("schafkopf", "match")]
)
def test_a_stake_that_a_game_does_not_have_is_refused(game, kind):
    answer = start(game, stake=kind, unit="1")

    assert answer.status_code == 422
    assert not Table.objects.exists()


def test_bummerl_are_played_for_where_they_are_counted():
    start("bauernschnapsen", stake="bummerl", unit="1", bummerl="on")

    assert Table.objects.get().stake == "bummerl"
    assert start("bauernschnapsen", stake="bummerl", unit="1", bummerl="off").status_code == 422


@pytest.mark.parametrize(
    ("typed", "boxes"),
    [
        ({"player_2": ""}, {"player-2": "name-missing"}),
        ({"player_2": None}, {"player-2": "name-missing"}),
        ({"player_3": "LENA"}, {"player-3": "name-twice"}),
        ({"player_3": "Le\u200bna"}, {"player-3": "name-twice"}),
        ({"player_1": "x" * 41}, {"player-1": "name-long"}),
        ({"player_1": "Ko\u202efi"}, {"player-1": "name-characters"}),
        ({"side_A": "x" * 41}, {"side-a": "name-long"}),
        ({"side_A": "Wir", "side_B": "WIR"}, {"side-b": "side-twice"}),
        ({"side_A": "Kofi & Nora"}, {"side-a": "side-twice"}),
        ({"agreed": "x" * 201}, {"agreed": "agreed-long"}),
        ({"line": "0"}, {"line": "house"}),
        ({"line": "number", "line_number": "many"}, {"line": "house"}),
        ({"variation": "skat"}, {"variation": "house"}),
        ({"free_numbers": "perhaps"}, {"free_numbers": "house"}),
    ],
)
def test_what_is_wrong_stands_beside_its_box_and_everything_typed_is_kept(typed, boxes):
    answer = start(**{"player_0": "Lena", "agreed": "No <b>talking</b>", **typed})

    page = answer.content.decode()
    texts = {**FOUR, **typed}
    kept = [texts[key] for key in texts.keys() - {"free_numbers", "variation"} if texts[key]]
    assert answer.status_code == 422
    assert refused_boxes(answer) == boxes
    assert [text for text in kept if text.replace("&", "&amp;") not in page] == []
    assert page.count('aria-invalid="true"') + page.count("<fieldset aria-describedby") >= 1
    assert not Table.objects.exists()
    assert access.COOKIE not in answer.cookies


@pytest.mark.parametrize("box", ["partner_of_0", "first_dealer", "holder"])
@pytest.mark.parametrize("typed", ["4", "-1", "x", "00", "٣"])
def test_a_number_that_names_no_line_is_refused(box, typed):
    answer = start(**{box: typed})

    assert answer.status_code == 422
    assert 'data-code="choice"' in answer.content.decode()
    assert not Table.objects.exists()


def test_nobody_is_their_own_partner():
    assert start(partner_of_0="0").status_code == 422


def test_chosen_things_stay_chosen_when_the_page_comes_again():
    page = start(player_1="", partner_of_0="3", first_dealer="2", holder="1").content.decode()

    chosen = re.findall(r'name="(\w+)" id="[\w-]+" value="(\w*)" checked', page)
    assert chosen == [
        ("partner_of_0", "3"),
        ("first_dealer", "2"),
        ("holder", "1"),
        ("variation", "main"),
        ("line", "game"),
        ("stake", "match"),
    ]


def test_names_that_played_here_before_are_suggested():
    client = Client()
    start(client=client)

    page = client.get("/new/schafkopf/").content.decode()

    assert re.findall(r'<option value="(\w+)"></option>', page) == ["Lena", "Kofi", "Felix", "Nora"]


def test_a_stranger_is_suggested_nobody():
    start()

    assert '<option value="Lena">' not in Client().get("/new/schafkopf/").content.decode()


def test_partners_are_not_asked_for_in_schafkopf():
    page = Client().get("/new/schafkopf/").content.decode()

    assert "partner_of_0" not in page
    assert 'name="unit"' in page


def test_names_are_shown_as_text():
    start(player_0="<script>alert(1)</script>")
    table = Table.objects.get()

    page = Client().get(f"/t/{table.key}/people/").content.decode()

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_a_form_without_its_token_starts_nothing():
    client = Client(enforce_csrf_checks=True)

    answer = start(client=client)

    assert answer.status_code == 403
    assert 'data-code="csrf"' in answer.content.decode()
    assert not Table.objects.exists()
