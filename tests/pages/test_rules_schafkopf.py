"""The rules of Bavarian Schafkopf on their page: every number is the one that the sheet goes by."""

import re
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client

from games import rules
from games.rules.catalogue.schafkopf import rows
from games.rules.house import read_house
from tests.rules.worked import EXAMPLES, ROWS

GAME = rules.find_game("schafkopf")
FACTS: Any = GAME.facts({})
LISTED = ROWS["schafkopf"]
SHAPES = {"two": "pair", "one": "lone_win", "three": "lone_loss"}
WORKED = next(case for case in EXAMPLES if case["id"] == "skf-01")
PLAYED = {contract.key: contract for contract in rows.contracts(read_house(GAME.house, {}))}
CONTRACTS = {"Rufer": "rufer", "Wenz": "wenz", "Solo": "solo"}
TOUTS = {"Wenz Tout": "wenz_tout", "Solo Tout": "solo_tout"}


def words(html):
    """What one reads of a piece of a page."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def tables(html):
    """The tables of a piece of a page: for each its rows, for each row its cells."""
    return [
        [
            [words(cell) for _, cell in re.findall(r"<(td|th)[^>]*>(.*?)</\1>", row, re.DOTALL)]
            for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.DOTALL)
        ]
        for body in re.findall(r"<tbody>(.*?)</tbody>", html, re.DOTALL)
    ]


@pytest.fixture(scope="module")
def page():
    answer = Client().get("/games/schafkopf/", headers={"Accept-Language": "en"})

    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture(scope="module")
def sections(page):
    return dict(re.findall(r'<section id="(\w+)">(.*?)</section>', page, re.DOTALL))


def settled(contract="rufer", *, house=None, **hand):
    if contract in {"rufer", "wedding"}:
        hand = {"partner": 1, **hand}
    return GAME.settle({"contract": contract, "declarer": 0, **hand}, house=house or {})


def each(contract, **hand):
    return settled(contract, **hand).each


def test_the_page_has_a_text_in_every_section(sections):
    names = "players deal bidding play scoring sheet worked ending variations tips questions"

    assert list(sections) == names.split()
    assert [name for name, html in sections.items() if len(words(html)) < 100] == []


def test_the_cards_shown_make_up_the_pack(sections):
    by_rank, trumps = tables(sections["players"])[:2]
    pack = FACTS["pack"]

    points = [int(shown) for shown, names in by_rank for _ in re.findall("[A-Z]", names)]
    points.remove(11)  # an Ace is named twice: the Sow

    assert len(points) == pack["ranks"]
    assert sum(points) == pack["suit_points"]
    assert 4 * len(points) == pack["cards"] == 4 * pack["each"]
    assert 4 * sum(points) == pack["points"] == rows.CARD_POINTS
    assert [int(shown) for shown, _ in trumps] == [
        len(PLAYED[contract].trumps) for contract in ("rufer", "solo", "wenz")
    ]


def test_the_dealing_gives_everybody_their_cards():
    assert FACTS["deal"]["packet"] * FACTS["deal"]["times"] == FACTS["pack"]["each"] == 8
    assert (FACTS["short"]["cards"], FACTS["short"]["each"]) == (24, 6)


def test_the_bids_stand_from_low_to_high(sections):
    assert "Rufer · Wenz · Solo · Wenz Tout · Solo Tout · Sie" in words(sections["bidding"])


def test_the_card_points_that_decide_are_those_of_the_rules(sections):
    results = tables(sections["scoring"])[0]
    spans = [tuple(map(int, span.split("–"))) for span, _ in results]

    assert [spans[0][1], spans[-1][0]] == [rows.CARD_POINTS, 0]
    assert all(above[0] == below[1] + 1 for above, below in pairwise(spans))
    for (lowest, highest), (_, name) in zip(spans, results, strict=True):
        for points in (lowest, highest):
            outcome = settled(points=points)
            assert name.startswith("won" if outcome.gains[0] > 0 else "lost"), points
            assert ("Schneider" in name) == (outcome.each > each("rufer", points=61)), points


def test_what_wins_for_either_side_is_said(sections):
    text = words(sections["scoring"])

    assert "wins with 61 and its opponents with 60" in text
    assert "a Schneider takes 91 for the one and 90 for the others" in text


@pytest.mark.parametrize(("name", "contract"), CONTRACTS.items())
def test_a_contract_is_shown_with_what_each_loser_pays(sections, name, contract):
    shown = {row[0]: row[1:] for row in tables(sections["scoring"])[1]}
    paid = [
        each(contract, points=points, tricks=tricks)
        for points, tricks in ((61, "some"), (91, "some"), (120, "all"))
    ]

    assert shown[name] == list(map(str, paid))
    assert len(shown) == len(CONTRACTS)


def test_contracts_with_one_price_are_shown_with_it(sections):
    shown = {name: int(units) for units, name in tables(sections["scoring"])[2]}
    sie_runners = FACTS["sie"]["runners"]

    assert shown == {
        **{name: each(contract, tricks="all") for name, contract in TOUTS.items()},
        "Sie": each("sie") - sie_runners,
    }
    assert [each(tout, tricks="some") for tout in TOUTS.values()] == [
        each(tout, tricks="all") for tout in TOUTS.values()
    ]


def test_a_sie_is_shown_with_its_runners(sections):
    sie = FACTS["sie"]

    assert f"are {each('sie')} from each opponent" in words(sections["scoring"])
    assert sie["price"] + sie["runners"] == sie["units"] == each("sie")
    assert [sie["entry"], sie["doubled"], sie["answered"]] == [
        max(settled("sie", doubles=doubles).entries) for doubles in range(3)
    ]
    assert f"{sie['doubled']} or {sie['answered']}" in words(sections["scoring"])


@pytest.mark.parametrize(("name", "contract"), {**CONTRACTS, **TOUTS}.items())
def test_runners_are_shown_from_as_many_as_pay(sections, name, contract):
    shown = {row[0]: tuple(map(int, row[1:])) for row in tables(sections["scoring"])[3]}
    start, units = shown[name]
    played = {"points": 61} if contract in CONTRACTS.values() else {"tricks": "all"}
    bare = each(contract, **played)

    def more(runners):
        return each(contract, **played, runners=runners, holder="declarer") - bare

    assert more(start) == start * units
    assert more(start - 1) == 0


@pytest.mark.parametrize(
    ("contract", "holder", "most"),
    [
        ("rufer", "declarer", FACTS["runners"]["rufer"]),
        ("wenz", "declarer", FACTS["runners"]["wenz"]),
        ("solo", "declarer", FACTS["runners"]["solo"]),
        ("solo", "defence", FACTS["runners"]["solo_others"]),
    ],
)
def test_no_side_holds_more_runners_than_the_page_says(contract, holder, most):
    hand = (
        {"points": 120, "tricks": "all"}
        if holder == "declarer"
        else {"points": 0, "tricks": "none"}
    )

    assert settled(contract, **hand, runners=most, holder=holder).entries
    with pytest.raises(rules.HandRefused):
        settled(contract, **hand, runners=most + 1, holder=holder)


def test_the_examples_of_rows_are_what_hands_come_to(sections):
    shown = [
        (int(re.findall(r"(\d+) units? each", deal)[0]), tuple(map(int, row.split(" · "))))
        for deal, row in tables(sections["sheet"])[0]
    ]
    runners = {"runners": PLAYED["rufer"].runners_from, "holder": "declarer"}
    hands = [
        settled(points=61),
        settled(points=61, **runners, doubles=1),
        settled("solo", points=61),
        settled("solo", points=60),
        settled("sie"),
    ]

    assert shown == [(hand.each, hand.entries) for hand in hands]


@pytest.mark.parametrize(("winners", "shape"), SHAPES.items())
def test_every_number_that_winners_can_enter_is_listed(sections, winners, shape):
    lists = re.findall(r'<p class="numbers">(.*?)</p>', sections["sheet"], re.DOTALL)
    shown = dict(zip(SHAPES, lists, strict=True))[winners]

    assert list(map(int, words(shown).split())) == LISTED["main"][shape]["values"]
    assert list(FACTS["asked"][winners]) == LISTED["main"][shape]["doubtful"]
    assert ", ".join(map(str, FACTS["asked"][winners])) in words(sections["sheet"])


@pytest.mark.parametrize(("winners", "shape"), SHAPES.items())
def test_the_numbers_that_the_short_game_lacks_are_listed(sections, winners, shape):
    main, short = (LISTED[way][shape]["values"] for way in ("main", "short"))
    gone = [number for number in main if number not in short]

    assert set(short) < set(main)
    assert list(FACTS["short"]["gone"][winners]) == gone
    assert ", ".join(map(str, gone)) in words(sections["variations"])


@pytest.mark.parametrize("way", ["geier", "suit_geier", "wedding", "bettel"])
def test_other_contracts_bring_no_number(way):
    assert LISTED[way] == LISTED["main"]


def test_a_ramsch_is_shown_by_how_many_have_no_trick(sections):
    shown = [tuple(map(int, row)) for row in tables(sections["variations"])[0]]
    taken = [[50, 30, 20, 20], [60, 30, 30, 0], [70, 50, 0, 0], [120, 0, 0, 0]]
    house = {"ramsch": FACTS["ramsch"]["stake"]}
    entries = [
        settled("ramsch", points=points, no_trick=[not n for n in points], house=house).entries
        for points in taken
    ]

    assert shown == [
        (max(row), points.count(0)) for row, points in zip(entries, taken, strict=True)
    ]
    assert list(FACTS["ramsch"]["more"]) == [
        number
        for number in LISTED["ramsch"]["lone_loss"]["values"]
        if number not in LISTED["main"]["lone_loss"]["values"]
    ]


def test_a_bettel_is_shown_at_a_price_for_example(sections):
    bettel = FACTS["bettel"]
    hands = [
        settled("bettel", tricks=tricks, house={"bettel": bettel["units"]})
        for tricks in ("none", "some")
    ]

    assert [max(hand.entries) for hand in hands] == [bettel["entry"]] * 2
    said = f"At {bettel['units']} units a lone winner enters {bettel['entry']}"
    assert said in words(sections["variations"])


def test_the_worked_hand_is_the_one_of_the_rules(sections):
    entries = WORKED["expected"]["entries"]
    players = tables(sections["worked"])[0]

    assert dict(FACTS["worked"]["hand"]) == WORKED["hand"]
    assert [(int(entry), who.split(" · ")[0]) for entry, who in players] == list(
        zip(entries, ("Lena", "Jonas", "Felix", "Nora"), strict=True)
    )
    settlement = GAME.settle(WORKED["hand"], house={})
    steps = re.findall(r"<li>(.*?)</li>", sections["worked"], re.DOTALL)
    assert list(map(words, steps)) == list(settlement.lines)


def test_who_is_up_and_down_is_measured_from_the_average(page):
    worked = FACTS["worked"]
    settlement = worked["settlement"]

    assert settlement.gains == tuple(n - worked["average"] for n in settlement.entries)
    assert f"We played for {settlement.each}: why do we enter {settlement.entries[0]}?" in page


def test_questions_open_to_an_answer(sections):
    asked = re.findall(
        r'<details class="faq"><summary>(.*?)</summary><p>(.*?)</p></details>',
        sections["questions"],
        re.DOTALL,
    )

    assert 6 <= len(asked) <= 8
    assert all(question.endswith("?") and words(answer) for question, answer in asked)
