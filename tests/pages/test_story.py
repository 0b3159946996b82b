"""The story of a match and the slate, as pages: while it is played, at the bank, and to send on."""

from __future__ import annotations

import html
import re
from xml.etree import ElementTree as ET

import pytest

from games.models import Entry, Round
from tests.games.helpers import PhoneClient, fill, host_of, make_table, match_of, stranger

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"
COMEBACK: list[tuple[int | None, ...]] = [
    (1, 0),
    (0, 2),
    (0, 8),
    (12, 0),
    (3, 0),
    (0, 1),
    (2, 0),
    (3, 0),
]  # 21 : 11
ROWS: dict[str, list[tuple[int | None, ...]]] = {
    "bauernstoss": COMEBACK,
    "bauernschnapsen": [(0, 3), (12, 0), (0, 6)],
    "schafkopf": [(14, 14, 0, 0), (0, 20, 20, 20), (2, 0, 2, 0)],
}
NASTY = '<b>"Li&na"</b>'


def phone_at(game: str = "bauernstoss", rows=None, house=None) -> PhoneClient:
    """The host's phone at a table with so many rows."""
    table = make_table(game, house)
    fill(table, ROWS[game] if rows is None else rows)
    return host_of(table)


def page(phone: PhoneClient, path: str, *, htmx: bool = False) -> str:
    headers = {"HX-Request": "true"} if htmx else {}
    answer = phone.client.get(phone.url(path), headers=headers)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def texts(source: str) -> str:
    """What a page says, on one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", source)).split())


def picture(phone: PhoneClient) -> ET.Element:
    return ET.fromstring(page(phone, ".../story.svg"))  # noqa: S314 - our own


def said(element: ET.Element) -> list[str]:
    return ["".join(each.itertext()) for each in element.iter(f"{SVG}text")]


# ---- the story ----


@pytest.mark.parametrize("game", ROWS)
def test_a_story_can_be_told_while_the_match_is_played(game):
    phone = phone_at(game, ROWS[game][:3])

    story = page(phone, ".../story/")

    assert "Match 1 so far" in story
    assert story.count('<g class="') == len(phone.table.game.columns)
    assert "3 deals" in texts(story)


def test_a_story_at_the_bank():
    story = texts(page(phone_at(), ".../story/"))

    assert "Lena & Felix win" in story
    assert "After 8 deals: Lena & Felix 21, Kofi & Nora 11. Line 20." in story
    assert "Turning point Lena & Felix deal 4, from 1 : 10 behind" in story


def test_before_the_first_entry_there_is_nothing_to_tell_or_to_share():
    story = page(phone_at(rows=[]), ".../story/")

    assert "Nothing has been entered yet." in story
    assert '<svg class="chart"' not in story
    assert 'id="share" aria-labelledby="share-title" hidden>' in story  # until there is


def test_every_deal_stands_in_numbers_and_blank_is_not_0():
    phone = phone_at(rows=[(1, 0), (0, 2)])
    assert phone.write(3, "A", 3).status_code == 303

    table = page(phone, ".../story/").split("<tbody>")[1].split("</tbody>")[0]

    assert [texts(row) for row in table.split("</tr>")[:3]] == [
        "1 1 +1 0 0",
        "2 1 0 2 +2",
        "3 4 +3 open",
    ]


def test_deals_after_the_line_are_told_apart():
    phone = phone_at()
    assert phone.write_row(1, {"A": 12, "B": 0}, sure=1).status_code == 303  # 24 : 10 after 4

    story = page(phone, ".../story/")

    assert "4 deals" in texts(story)
    assert re.findall(r'<b class="tally">(\d+)</b></li>', story) == ["24", "10"]
    assert story.count('<tr class="after">') == 4
    assert story.count('class="rest"') == 3  # both lines go on, and the table says so


@pytest.mark.parametrize("rounds", [1, 2, 60, 300])
def test_a_story_may_be_long(rounds):
    phone = phone_at(rows=[], house={"line": "none"})
    write_at_once(phone, rounds)

    story = page(phone, ".../story/")

    assert story.count('<th scope="row">') == rounds
    assert len(story.split('<svg class="chart"')[1].split("</svg>")[0]) < 30_000


def write_at_once(phone: PhoneClient, rounds: int) -> None:
    """So many deals of 3 : 0 and 0 : 2 in turns, without the way of each number."""
    match = match_of(phone.table)
    first, second = match.sides.order_by("column")
    deals = Round.objects.bulk_create(
        Round(match=match, number=number) for number in range(1, rounds + 1)
    )
    Entry.objects.bulk_create(
        Entry(round=deal, side=side, points=points)
        for deal in deals
        for side, points in ((first, 3 * (deal.number % 2)), (second, 2 - 2 * (deal.number % 2)))
    )


def test_free_numbers_have_a_story():
    phone = phone_at(rows=[(150, 20), (33, 9000)], house={"free_numbers": True, "line": "none"})

    told = texts(page(phone, ".../story/"))

    assert "After 2 deals: Lena & Felix 183, Kofi & Nora 9020." in told
    assert "9000 · deal 2" in told
    assert "9000 · deal 2 · " not in told  # nobody shares it


@pytest.mark.parametrize("path", [".../story/", ".../story.svg", ".../strokes/"])
def test_what_is_looked_at_is_kept_nowhere(path):
    phone = phone_at()

    answer = phone.client.get(phone.url(path))

    assert "no-store" in answer["Cache-Control"]
    assert "private" in answer["Cache-Control"]


@pytest.mark.parametrize("path", [".../story/", ".../story.svg", ".../strokes/"])
def test_numbers_in_a_picture_are_the_same_in_german(path):
    phone = phone_at()

    german = phone.client.get(phone.url(path), headers={"Accept-Language": "de"}).content.decode()

    drawn = re.findall(r' (?:d|x|y|cx|cy)="([^"]*)"', german)
    assert drawn
    assert not [text for text in drawn if "," in text]


def test_the_link_is_told_with_what_it_shows():
    phone = phone_at()

    story = page(phone, ".../story/")

    assert f'value="http://testserver/t/{phone.table.key}/m/1/story/"' in story
    assert "Whoever has the link sees the whole sheet, not only the result." in story


# ---- on the sheet ----


def test_an_open_sheet_holds_the_place_and_nothing_else():
    sheet = page(phone_at(rows=COMEBACK[:3]), ".../")

    place = re.search(r'<section class="story.*?</section>', sheet, re.DOTALL)
    assert place is not None
    assert 'hx-trigger="intersect"' in place[0]
    assert texts(place[0]) == ""
    assert "story.css" not in sheet


def test_an_ended_sheet_tells_its_story():
    sheet = page(phone_at(), ".../")

    place = re.search(r'<section class="story.*?</section>', sheet, re.DOTALL)
    assert place is not None
    assert "Biggest deal" in place[0]
    assert 'hx-trigger="sheet:changed from:document"' in place[0]


def test_the_place_on_the_sheet_fetches_itself():
    phone = phone_at()
    over = page(phone, ".../story/", htmx=True)
    assert phone.post(".../reopen/").status_code == 303
    still = page(phone, ".../story/", htmx=True)

    assert over.startswith('<section class="story when-ended" id="story"')
    assert "Biggest deal" in over
    assert texts(still) == ""


def test_a_correction_tells_another_story():
    phone = phone_at()
    before = page(phone, ".../story/", htmx=True)
    assert phone.write_row(3, {"A": 0, "B": 3}).status_code == 303

    after = page(phone, ".../")

    assert "deal 4, from 1 : 10 behind" in before
    assert "deal 4, from 1 : 5 behind" in after
    assert "1 : 10" not in after


@pytest.mark.parametrize(("game", "slate"), [("bauernstoss", True), ("schafkopf", False)])
def test_the_sheet_s_menu_leads_there(game, slate):
    phone = phone_at(game)

    menu = page(phone, ".../").split('class="menu-list"')[1].split("</nav>")[0]

    assert f'href="{phone.url(".../story/")}"' in menu
    assert (f'href="{phone.url(".../strokes/")}"' in menu) == slate


# ---- the picture ----


@pytest.mark.parametrize("game", ROWS)
def test_the_picture_shows_names_totals_and_facts(game):
    phone = phone_at(game)

    found = picture(phone)
    words = said(found)

    assert (found.get("width"), found.get("height")) == ("1200", "630")
    assert "Scoresheet" in words
    assert {str(total) for total in phone.sheet()["totals"]} <= set(words)
    assert {column["name"] for column in phone.sheet()["columns"]} <= set(words)
    assert "Biggest deal" in words


def test_the_picture_comes_with_a_name_and_without_the_key():
    phone = phone_at()

    answer = phone.client.get(phone.url(".../story.svg"))

    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert answer["Content-Disposition"] == 'inline; filename="scoresheet-bauernstoss-1.svg"'
    assert phone.table.key not in answer.content.decode()
    assert phone.table.code not in answer.content.decode()


def test_the_picture_needs_nothing_else():
    source = page(phone_at(), ".../story.svg")

    for outside in ("href", "url(", "<style", " style=", "class-", "<script", "<image", "var("):
        assert outside not in source, outside


def test_names_cannot_break_out_of_a_picture_or_a_page():
    phone = phone_at()
    answer = phone.post("people/", {"do": "rename-side", "column": "A", "name": NASTY})
    assert answer.status_code == 303

    assert NASTY in said(picture(phone))
    for path in (".../story/", ".../strokes/", ".../"):
        assert '<b>"Li' not in page(phone, path)


def test_a_picture_of_nothing_can_be_asked_for():
    assert "Match 1 so far" in said(picture(phone_at(rows=[])))


# ---- the slate ----


@pytest.mark.parametrize(
    ("house", "rows", "labels"),
    [
        ({}, [(3, 0), (0, 1)], ["3 strokes", "1 stroke"]),
        ({}, [], ["0 strokes", "0 strokes"]),
        (
            {"variation": "schoofkopp"},
            [(4, 0), (0, 2)],
            ["Sheep’s head: 4 of 15 strokes", "Sheep’s head: 2 of 15 strokes"],
        ),
        (
            {"variation": "deutscher"},
            [(9, 0)],
            ["Sheep’s head: 9 of 9 strokes", "Sheep’s head: 0 of 9 strokes"],
        ),
    ],
)
def test_the_slate_says_what_is_chalked(house, rows, labels):
    slate = page(phone_at(rows=rows, house=house), ".../strokes/")

    assert re.findall(r'role="img" aria-label="([^"]*)"', slate) == labels


def test_the_numbers_stand_beside_the_strokes():
    slate = page(phone_at(rows=COMEBACK[:4]), ".../strokes/")

    assert re.findall(r'data-count="(\w)">(\d+)<', slate) == [("A", "13"), ("B", "10")]


def test_bummerl_are_blobs():
    slate = page(phone_at("bauernschnapsen", [(12, 0), (12, 0)]), ".../strokes/")

    blobs = re.search(r'class="blobs" role="img" aria-label="2 Bummerl">(.*?)</p>', slate)
    assert blobs is not None
    assert blobs[1].count("<i></i>") == 2


def test_four_players_have_no_slate():
    phone = phone_at("schafkopf")

    answer = phone.client.get(phone.url(".../strokes/"))

    assert answer.status_code == 404


@pytest.mark.parametrize("path", ["story/", "story.svg", "strokes/"])
def test_a_match_that_was_taken_back_leads_to_the_one_that_is_played(path):
    phone = phone_at(rows=[(3, 0)])
    assert phone.end().status_code == 303
    assert phone.post("next/").status_code == 303
    assert phone.post(".../reopen/").status_code == 303

    answer = phone.client.get(phone.url(f".../{path}", match=2))

    assert answer.status_code == 200
    assert "Match 2 was taken back" in answer.content.decode()


@pytest.mark.parametrize("path", [".../story/", ".../story.svg", ".../strokes/"])
def test_looking_needs_no_seat(path):
    phone = phone_at()

    assert stranger(phone.table).get(path).status_code == 200
