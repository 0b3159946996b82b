"""The pages of rules: one frame for every game, and numbers that come from the code."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po
from django.template.base import Lexer, TokenType
from django.test import Client

from games import rules
from games.rules.catalogue.bauernstoss import facts as bauernstoss
from games.rules.hand import CARD_POINTS
from tests.rules.worked import EXAMPLES

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates" / "games"
GERMAN = ROOT / "locale" / "de" / "LC_MESSAGES" / "django.po"
SLUGS = [game.slug for game in rules.all_games()]
SECTIONS = [
    "players", "deal", "bidding", "play", "scoring", "sheet", "worked", "ending", "variations",
    "tips", "questions",
]  # fmt: skip
DIGIT = re.compile(r"[0-9]")
TAG = re.compile(r"<[^>]*>")
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\{.*?\}\}")

BAUERNSTOSS = rules.find_game("bauernstoss")


def page_of(slug, language="en"):
    answer = Client().get(f"/games/{slug}/", headers={"Accept-Language": language})
    assert answer.status_code == 200
    return answer.content.decode()


def section(page, name):
    found = re.search(rf'<section id="{name}">(.*?)</section>', page, re.DOTALL)
    assert found is not None
    return found.group(1)


def text(html):
    return " ".join(unescape(TAG.sub(" ", html)).split())


def tables(html):
    """Each table of numbers: the rows below its head, each with its heading and its numbers."""
    return [[numbers(row) for row in rows_of(table)] for table in html.split("</thead>")[1:]]


def rows_of(table):
    return re.findall(r"<tr[^>]*>(.*?)</tr>", table.split("</table>")[0], re.DOTALL)


def numbers(row):
    headings, cells = (re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", row) for tag in ("th", "td"))
    return text(headings[0]), [int(cell) for cell in cells]


# The frame -------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
def test_a_page_has_every_section_once_in_order_with_something_in_it(slug):
    page = page_of(slug)

    assert re.findall(r'<section id="(\w+)">', page) == SECTIONS
    assert [name for name in SECTIONS if len(text(section(page, name))) < 100] == []


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_contents_name_the_sections_by_their_headings(slug, language):
    page = page_of(slug, language)
    contents = re.search(r'<nav class="contents".*?</nav>', page, re.DOTALL)
    assert contents is not None

    links = re.findall(r'<a href="#(\w+)">(.*?)</a>', contents.group())
    headings = re.findall(r'<section id="(\w+)"><h2>(.*?)</h2>', page)

    assert links == headings
    assert len({heading for _, heading in headings}) == len(SECTIONS)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_link_within_a_page_leads_somewhere(slug):
    page = page_of(slug)
    ids = re.findall(r'\bid="([^"]+)"', page)

    assert len(set(ids)) == len(ids)
    assert [link for link in re.findall(r'href="#([^"]*)"', page) if link not in ids] == []


@pytest.mark.parametrize("slug", SLUGS)
def test_a_page_leads_back_up_and_on_to_a_table(slug):
    page = page_of(slug)

    assert '<a class="icon" href="/" ' in page
    assert '<a class="icon up" href="#main" ' in page
    assert f'href="/new/{slug}/"' in page


@pytest.mark.parametrize("slug", SLUGS)
def test_questions_open_without_a_script(slug):
    questions = section(page_of(slug), "questions")

    assert 6 <= len(re.findall(r'<details class="faq"><summary>[^<]+</summary>', questions)) <= 10
    assert questions.count("<details") == questions.count('<details class="faq"><summary>')


@pytest.mark.parametrize("slug", SLUGS)
def test_a_page_lists_the_house_rules_of_its_game(slug):
    listed = section(page_of(slug), "variations")

    labels = [rule.label for rule in rules.find_game(slug).house]
    assert [label for label in labels if f"<li>{label}" not in listed] == []


def test_a_page_of_rules_asks_nothing_of_the_store(db, django_assert_num_queries):
    with django_assert_num_queries(0):
        page_of("bauernstoss")


# No number is typed ----------------------------------------------------------------------------


def pieces(source):
    """The texts of a template: what stands between tags, and the messages of translation tags.

    A message is given as ``makemessages`` finds it, but with ``{{ … }}`` for its placeholders.
    """
    plain, messages = [], []
    inside = False
    skipped = False
    for token in Lexer(source).tokenize():
        words = token.split_contents() if token.token_type == TokenType.BLOCK else [""]
        if words[0] in {"comment", "endcomment"}:
            skipped = words[0] == "comment"
        elif words[0] == "translate":
            messages.append(words[1].strip("\"'"))
        elif words[0] in {"blocktranslate", "endblocktranslate"}:
            inside = words[0] == "blocktranslate"
            messages += [""] if inside else []
        elif words[0] == "plural":
            messages.append("")
        elif inside:
            is_variable = token.token_type == TokenType.VAR
            messages[-1] += f"{{{{ {token.contents} }}}}" if is_variable else token.contents
        elif token.token_type == TokenType.TEXT and not skipped:
            plain.append(TAG.sub(" ", token.contents))
    return plain, messages


def forms(said):
    """The forms of a message: one, or one for each plural."""
    return (said,) if isinstance(said, str) else tuple(said or ())


def typed_numbers(source):
    plain, messages = pieces(source)
    return [piece for piece in (*plain, *messages) if DIGIT.search(PLACEHOLDER.sub("", piece))]


@pytest.mark.parametrize(
    ("source", "typed"),
    [
        ("{# 20 #}{% comment %}20{% endcomment %}<h2 class='at20'>x</h2>", 0),
        ("<td>20</td>", 1),
        ("{% translate 'play to 20' %}", 1),
        ("{% blocktranslate with n=20 %}to {{ n }}{% endblocktranslate %}", 0),
        ("{% blocktranslate with n1=20 %}to {{ n1 }}{% endblocktranslate %}", 0),
        ("{% blocktranslate count n=a %}{{ n }} of 20{% plural %}20{% endblocktranslate %}", 2),
    ],
)
def test_a_typed_number_is_found(source, typed):
    assert len(typed_numbers(source)) == typed


@pytest.mark.parametrize("template", sorted(path.name for path in TEMPLATES.glob("rules*.html")))
def test_no_number_is_typed_in_a_page_or_its_translation(template):
    source = (TEMPLATES / template).read_text(encoding="utf-8")
    messages = {re.sub(r"\{\{ (\w+) \}\}", r"%(\1)s", piece) for piece in pieces(source)[1]}
    with GERMAN.open("rb") as file:
        german = [
            form
            for message in read_po(file, locale="de")
            if set(forms(message.id)) & messages
            for form in forms(message.string)
        ]

    assert typed_numbers(source) == []
    assert [form for form in german if DIGIT.search(PLACEHOLDER.sub("", form))] == []


# Bauernstoss -----------------------------------------------------------------------------------


def facts(variation="main") -> Any:
    return BAUERNSTOSS.facts({"variation": variation})


def marks_of(hand, variation):
    """What side A scores with a hand; None if it cannot have happened."""
    try:
        settlement = BAUERNSTOSS.settle(hand, house={"variation": variation})
    except rules.HandRefused:
        return None
    assert settlement.entries is not None
    return settlement.entries[0]


def points_named(label):
    """The card points that a row of a table is about."""
    numbers = [int(number) for number in re.findall(r"\d+", label)]
    lowest = 0 if label.startswith("up to ") else numbers[0]
    highest = CARD_POINTS if label.endswith(" or more") else numbers[-1]
    return range(lowest, highest + 1)


CHALK = ({"chalk": "A"}, {"chalk": "B"})
TRUMPS = ({"trump_maker": "A"}, {"trump_maker": "B"})
OPENING = ({"first_deal": True, "trump_maker": "A"},)


@pytest.mark.parametrize(
    ("where", "table", "variation", "roles"),
    [
        ("scoring", 0, "main", CHALK),
        ("variations", 0, "schoofkopp", OPENING),
        ("variations", 1, "schoofkopp", CHALK),
        ("variations", 2, "deutscher", TRUMPS),
    ],
)
def test_the_tables_of_bauernstoss_pay_what_the_sheet_pays_for_every_number_of_points(
    where, table, variation, roles
):
    rows = tables(section(page_of("bauernstoss"), where))[table]
    shown = {points: marks for label, marks in rows[:-1] for points in points_named(label)}
    everything = {"points_a": CARD_POINTS, "all_tricks": "A"}

    settled = {
        points: [marks_of({**role, "points_a": points}, variation) for role in roles]
        for points in range(CARD_POINTS + 1)
    }
    possible = {points: marks for points, marks in settled.items() if None not in marks}

    assert {points: shown[points] for points in possible} == possible
    assert set(range(CARD_POINTS + 1)) - set(possible) == {1, CARD_POINTS - 1}
    assert sorted(shown) == list(range(CARD_POINTS + 1))
    assert rows[-1] == (
        "every trick",
        [marks_of({**role, **everything}, variation) for role in roles],
    )


@pytest.mark.parametrize("made", [True, False])
def test_a_solo_pays_as_the_page_says_whether_it_is_made_or_lost(made):
    rows = tables(section(page_of("bauernstoss"), "scoring"))[1]
    names = {"Small Solo": "small_solo", "Big Solo": "big_solo"}
    winner = 0 if made else 1

    for name, [marks] in rows:
        solo = {"kind": names[name], "chalk": "B", "bidder": "A", "made": made}
        settlement = BAUERNSTOSS.settle(solo, house={})
        assert settlement.entries is not None
        assert (settlement.entries[winner], settlement.chalk_next) == (marks, "AB"[winner])
    assert [name for name, _ in rows] == list(names)


def test_the_cards_add_up_to_the_points_of_a_pack():
    [rows] = tables(section(page_of("bauernstoss"), "players"))
    cards, [whole] = rows[:-1], rows[-1][1]

    values = [value for label, [value] in cards for _ in label.replace(", always", "").split(", ")]
    assert len(values) * 4 == bauernstoss.PACK == 32
    assert sum(values) * 4 == whole == CARD_POINTS
    assert bauernstoss.HAND_SIZE == 8


def test_bauernstoss_says_what_each_side_needs_and_what_wins():
    page = text(page_of("bauernstoss"))

    said = [
        "20 marks win the match",
        "So 42 points are enough with the chalk, and without it you need 79",
        "From 91 it is called Schneider",
        "1, 2 (Schneider), 3 (Schwarz), 8 (Small Solo), 12 (Big Solo).",
        "15 marks win.",
        "Whoever takes 61 card points or more",
        "89 points are Schneider already, and Schwarz pays 4 marks.",
        "On the sheet that is 15 for the winners",
        "9 marks win;",
        "Nobody bids fewer than 5 trumps",
        "that can make 3 or 5;",
        "Every trick wins the match: 9 on the sheet",
        "the winners get 2 marks instead of 3.",
    ]
    assert [words for words in said if words not in page] == []


def test_the_tips_count_right():
    cards = facts()["cards"]

    assert 2 * cards["ace"] + 2 * cards["ten"] == facts()["needs"][0]
    assert facts()["shape"] == {"long": 5, "short": 4}


def test_what_one_side_needs_is_what_the_other_must_not_leave():
    for variation in ("main", "schoofkopp"):
        with_chalk, without = facts(variation)["needs"]
        assert with_chalk + without == CARD_POINTS + 1


def test_the_worked_hand_is_settled_as_in_the_examples():
    example = next(example for example in EXAMPLES if example["id"] == "bst-01")
    worked = facts()["worked"]
    ours, theirs = worked["points"]

    assert dict(worked["hand"]) == example["hand"]
    assert list(worked["settlement"].entries) == example["expected"]["entries"]
    assert worked["settlement"].chalk_next == example["expected"]["chalk_next"]
    assert (ours + theirs, ours) == (CARD_POINTS, example["hand"]["points_a"])
    assert all(
        before + marks == after
        for before, marks, after in zip(
            worked["before"], worked["settlement"].entries, worked["after"], strict=True
        )
    )


def test_the_worked_hand_is_shown_step_by_step():
    shown = section(page_of("bauernstoss"), "worked")
    worked = facts()["worked"]

    assert tables(shown)[0] == [
        ("before", list(worked["before"])),
        ("card points", list(worked["points"])),
        ("this deal", list(worked["settlement"].entries)),
        ("after", list(worked["after"])),
    ]
    assert "11 + 10 + 4 = 25" in text(shown)
    lines = worked["settlement"].lines
    assert len(lines) > 1
    assert [line for line in lines if f"<li>{line}</li>" not in shown] == []


@pytest.mark.parametrize("anchor", ["chalk", "schoofkopp", "deutscher"])
def test_parts_of_bauernstoss_can_be_linked(anchor):
    assert f'<h3 id="{anchor}">' in page_of("bauernstoss")
