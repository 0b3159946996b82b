"""The rules of Bauernschnapsen on their page: its numbers are those that the sheet goes by."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from games import rules
from games.rules.catalogue.bauernschnapsen import rows
from games.rules.house import read_house
from tests.rules.worked import BAUERNSCHNAPSEN_HOUSES, EXAMPLES, ROWS

GAME = rules.find_game("bauernschnapsen")
FACTS: Any = GAME.facts({})
CONTRACTS = rows.contracts(read_house(rows.HOUSE_RULES, {}))
SEATS = {"forehand", "dealers_partner", "forehands_partner", "dealer"}
WHO = {
    "anybody": SEATS,
    "anybody but forehand": SEATS - {"forehand"},
    "forehand’s side": {"forehand", "forehands_partner"},
    "forehand’s opponents": {"dealers_partner", "dealer"},
    "forehand only": {"forehand"},
}
EXAMPLE = next(case for case in EXAMPLES if case["id"] == "bsn-01")
CLAIM: dict[str, object] = {
    "contract": "normal",
    "forehand_side": "A",
    "ending": "claim",
    "by": "A",
}


def words(html):
    """What is read of a piece of a page."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def cells(html):
    """The words in each row of the tables' bodies, cell by cell."""
    return [
        tuple(words(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL))
        for body in re.findall(r"<tbody>(.*?)</tbody>", html, re.DOTALL)
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.DOTALL)
    ]


def shown(numbers):
    return ", ".join(str(number) for number in numbers) or "–"


@pytest.fixture(scope="module")
def sections():
    """The sections of the page by the ids that addresses end with."""
    answer = Client().get("/games/bauernschnapsen/", headers={"Accept-Language": "en"})
    assert answer.status_code == 200
    found = re.findall(r'<section id="(\w+)">(.*?)</section>', answer.content.decode(), re.DOTALL)
    return dict(found)


def claim(points, tricks, **told):
    """The row of a normal game in which side A says “enough” with just enough."""
    others = {"claim_points": FACTS["enough"], "opp_points": points, "opp_tricks": tricks}
    return GAME.settle({**CLAIM, **others, **told}, house={}).entries or ()


def refused_for(contract, seat):
    """The codes of what stands against a contract that this seat declares and makes."""
    hand = {"contract": contract.key, "declarer": seat, "forehand_side": "A", "made": True}
    try:
        if contract.key == "normal":
            claim(0, 0, declarer=seat)
        else:
            GAME.settle(hand, house={})
    except rules.HandRefused as refused:
        return [breach.code for breach in refused.breaches]
    return []


def test_every_section_is_filled(sections):
    lengths = {name: len(words(html).split()) for name, html in sections.items()}

    assert len(lengths) == 11
    assert {name for name, length in lengths.items() if length < 60} == set()
    assert len(re.findall(r'<details class="faq"><summary>', sections["questions"])) == 8


def test_the_contracts_stand_from_the_lowest_to_the_highest(sections):
    assert re.findall(r'id="contract-(\w+)"', sections["bidding"]) == [one.key for one in CONTRACTS]


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.key)
def test_a_contract_shows_its_worth_and_who_may_declare_it(sections, contract):
    row = re.search(rf'<tr id="contract-{contract.key}">.*?</tr>', sections["bidding"], re.DOTALL)
    assert row is not None
    worth, name, who, asked = re.findall(
        r"<td class=\"n\">(.*?)</td><td><strong>(.*?)</strong> · (.*?)<br>(.*?)</td>", row[0]
    )[0]

    assert worth.split() == [str(stake) for stake in contract.stakes]
    assert name == contract.name
    assert {seat: refused_for(contract, seat) for seat in SEATS} == {
        seat: [] if seat in WHO[unescape(who)] else ["seat"] for seat in SEATS
    }
    assert asked


def test_the_ladder_of_doubles_multiplies_as_the_sheet_does(sections):
    ladder = cells(sections["bidding"])[len(CONTRACTS) :]
    paid = [max(claim(0, 0, doubles=doubles)) for doubles in range(len(ladder))]

    assert [int(times) * paid[0] for times, _ in ladder] == paid
    assert [call.split(" · ")[0] for _, call in ladder[1:]] == ["Kontra", "Rekontra", "Subkontra"]


def test_a_claim_pays_what_the_table_says(sections):
    enough, half = FACTS["enough"], FACTS["half"]

    assert (enough, half) == (66, 33)
    assert claim(half, 2, claim_points=enough - 1)[0] == 0 < claim(half, 2)[0]
    assert cells(sections["scoring"]) == [
        (str(claim(half, 2)[0]), f"{half} card points or more, marriages included"),
        (str(claim(half - 1, 2)[0]), f"a trick, but fewer than {half}"),
        (str(claim(0, 0)[0]), "no trick"),
    ]
    assert f"as soon as your side has {enough} card points" in words(sections["scoring"])


def test_so_many_tricks_are_never_under_half(sections):
    safe = FACTS["safe_tricks"]

    with pytest.raises(rules.HandRefused):
        claim(FACTS["half"] - 1, safe["number"])
    assert claim(FACTS["half"] - 1, safe["number"] - 1)[0] == FACTS["normal"]["under_half"]
    assert f"{safe['number']} tricks hold {safe['points']} card points" in words(
        sections["scoring"]
    )


def test_every_number_that_a_deal_pays_is_there(sections):
    numbers = [int(number) for number in re.findall(r"<span>(\d+)</span>", sections["scoring"])]

    assert numbers == ROWS["bauernschnapsen"]["main"]


def test_the_numbers_that_are_doubted_from_any_score_are_named(sections):
    doubted = [
        number
        for number in ROWS["bauernschnapsen"]["main"]
        if GAME.check((number, 0), house={}, totals=(0, 0)).doubts
    ]

    assert f"From any score, {shown(doubted)} would need" in words(sections["scoring"])


def test_the_worked_hand_is_settled_by_the_game(sections):
    settlement = GAME.settle(EXAMPLE["hand"], house=EXAMPLE["house"])
    section = words(sections["worked"])

    assert dict(FACTS["worked"]["hand"]) == EXAMPLE["hand"]
    assert settlement.lines
    assert [line for line in settlement.lines if line not in section] == []
    assert [int(entry) for entry, _ in cells(sections["worked"])] == EXAMPLE["expected"]["entries"]
    assert f"would have paid {2 * max(EXAMPLE['expected']['entries'])}." in section


def test_the_bummerl_are_those_that_a_match_brings(sections):
    line = FACTS["line"]
    lost, scoreless, led = (int(number) for number, _ in cells(sections["ending"]))
    four = {"bummerl": "on-with-four"}

    assert lost == GAME.standing([(0, 1), (line, 0)], house={}).bummerl
    assert scoreless == GAME.standing([(line, 0)], house={}).bummerl
    assert led == GAME.standing([(0, line - 1), (line, 0)], house=four).bummerl
    assert f"led by {line - 1} to nothing" in words(sections["ending"])


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("Bettler: not played", "no_bettler"),
        ("Bettler: 5 game points", "soft_bettler_5"),
        ("As-Bettler, 5 game points", "as_bettler"),
        ("Zehner-Gang: not played", "no_zehner_gang"),
        ("Zehner-Gang: 8 game points", "zehner_gang_8"),
        ("Zehner-Gang: 9 game points", "zehner_gang_9"),
    ],
)
def test_a_house_rule_shows_the_numbers_that_it_changes(sections, rule, name):
    usual, other = (ROWS["bauernschnapsen"][one] for one in ("main", name))
    new = [number for number in other if number not in usual]
    gone = [number for number in usual if number not in other]

    assert len(BAUERNSCHNAPSEN_HOUSES[name]) == 1
    assert (rule, shown(new), shown(gone)) in cells(sections["variations"])


def test_no_other_house_rule_changes_a_number(sections):
    assert len(cells(sections["variations"])) == 6


@pytest.mark.parametrize("name", list(BAUERNSCHNAPSEN_HOUSES))
def test_the_facts_of_every_house_fit_its_rows(name):
    facts: Any = GAME.facts(BAUERNSCHNAPSEN_HOUSES[name])

    assert list(facts["paid"]) == ROWS["bauernschnapsen"][name]
    assert facts["worked"]["settlement"].entries == tuple(EXAMPLE["expected"]["entries"])
