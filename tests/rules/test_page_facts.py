"""The numbers that a page of rules quotes, written out as a person would check them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import pytest

from games import rules
from tests.rules.worked import ROWS

BAUERNSTOSS = rules.find_game("bauernstoss")
BAUERNSCHNAPSEN = rules.find_game("bauernschnapsen")
SCHAFKOPF = rules.find_game("schafkopf")
VARIATIONS = ["main", "schoofkopp", "deutscher"]


def facts_of(game: rules.Game, house: Mapping[str, object]) -> Any:
    return game.facts(house)


def bands(found):
    """From which card points to which, and what they pay in each role."""
    return [(band.lowest, band.highest, *band.marks) for band in found]


# Bauernstoss -----------------------------------------------------------------------------------


@pytest.mark.parametrize("variation", VARIATIONS)
def test_the_pack_of_bauernstoss_is_the_same_in_every_variation(variation):
    facts = facts_of(BAUERNSTOSS, {"variation": variation})

    assert [facts[name] for name in ("players", "pack", "hand", "batch", "jacks")] == [
        4, 32, 8, 4, 4,
    ]  # fmt: skip
    assert (facts["points"], facts["half"]) == (120, 60)
    assert facts["cards"] == {
        "ace": 11, "ten": 10, "king": 4, "queen": 3, "jack": 2, "nine": 0, "eight": 0, "seven": 0,
    }  # fmt: skip
    assert facts["faces"] == {"ten": 10, "nine": 9, "eight": 8, "seven": 7}
    assert facts["shape"] == {"long": 5, "short": 4}


@pytest.mark.parametrize(
    ("variation", "by_points", "needs", "schneider", "sweep"),
    [
        (
            "main",
            [(0, 41, 0, 0), (42, 78, 1, 0), (79, 90, 1, 1), (91, 120, 2, 2)],
            (42, 79),
            (91, 2),
            (3, 3),
        ),
        (
            "schoofkopp",
            [(0, 41, 0, 0), (42, 78, 1, 0), (79, 88, 1, 1), (89, 120, 2, 2)],
            (42, 79),
            (89, 2),
            (4, 4),
        ),
        (
            "deutscher",
            [(0, 60, 0, 0), (61, 90, 1, 2), (91, 120, 2, 4)],
            (61, 61),
            (91, 2),
            (9, 9),
        ),
    ],
)
def test_card_points_are_quoted_in_bands_that_pay_alike(
    variation, by_points, needs, schneider, sweep
):
    facts = facts_of(BAUERNSTOSS, {"variation": variation})

    assert bands(facts["bands"]) == by_points
    assert facts["needs"] == needs
    assert (facts["schneider"], facts["schneider_pays"]) == schneider
    assert facts["sweep"] == sweep


def test_only_schoofkopp_has_an_opening_of_its_own():
    opening = facts_of(BAUERNSTOSS, {"variation": "schoofkopp"})["opening"]

    assert bands(opening["bands"]) == [(0, 60, 0), (61, 88, 1), (89, 120, 2)]
    assert (opening["needs"], opening["sweep"]) == (61, (4,))
    assert set(opening) == {"bands", "needs", "sweep"}
    assert facts_of(BAUERNSTOSS, {})["opening"] is None
    assert facts_of(BAUERNSTOSS, {"variation": "deutscher"})["opening"] is None


@pytest.mark.parametrize(
    ("variation", "solos", "carried", "lowest_bid"),
    [
        ("main", {"small_solo": 8, "big_solo": 12}, (), None),
        ("schoofkopp", {"big_solo": 15}, (), None),
        ("deutscher", {}, (3, 5), 5),
    ],
)
def test_solos_ties_and_bids_are_those_of_the_variation(variation, solos, carried, lowest_bid):
    facts = facts_of(BAUERNSTOSS, {"variation": variation})

    assert (facts["solos"], facts["carried"], facts["lowest_bid"]) == (solos, carried, lowest_bid)


def test_the_usual_game_of_bauernstoss_works_a_hand_out():
    worked = facts_of(BAUERNSTOSS, {})["worked"]

    assert worked["hand"] == {"chalk": "A", "points_a": 95}
    assert (worked["points"], worked["rest"]) == ((95, 25), [11, 10, 4])
    assert (worked["before"], worked["after"]) == ((12, 9), (14, 9))
    assert worked["settlement"] == BAUERNSTOSS.settle(worked["hand"], house={})
    assert set(worked) == {"hand", "settlement", "points", "rest", "before", "after"}
    for variation in ("schoofkopp", "deutscher"):
        assert facts_of(BAUERNSTOSS, {"variation": variation})["worked"] is None


# Bauernschnapsen -------------------------------------------------------------------------------


def test_the_pack_and_the_points_of_bauernschnapsen():
    facts = facts_of(BAUERNSCHNAPSEN, {})

    assert {name: fact for name, fact in facts.items() if isinstance(fact, int)} == {
        "line": 24,
        "cards": 20,
        "hand": 5,
        "tricks": 5,
        "suit_cards": 5,
        "all_card_points": 120,
        "first_cards": 3,
        "later_cards": 2,
        "marriage": 20,
        "trump_marriage": 40,
        "schnapser_tricks": 3,
        "enough": 66,
        "half": 33,
        "last_trick": 1,
        "as_bettler": 5,
    }
    assert facts["card_points"] == {"ace": 11, "ten": 10, "king": 4, "queen": 3, "jack": 2}
    assert facts["safe_tricks"] == {"number": 3, "points": 36}
    assert facts["normal"] == {"past_half": 1, "under_half": 2, "no_trick": 3}
    assert facts["over"] == {"before": 23, "paid": 6, "after": 29}


def test_the_ladder_of_contracts_is_quoted_with_who_may_declare():
    facts = facts_of(BAUERNSCHNAPSEN, {})
    forehand, dealers_partner, forehands_partner, dealer = (
        "forehand", "dealers_partner", "forehands_partner", "dealer",
    )  # fmt: skip
    ladder = {contract["key"]: contract for contract in facts["contracts"]}

    assert facts["seats"] == ("forehand", "dealer’s partner", "forehand’s partner", "dealer")
    assert [(key, *contract["stakes"]) for key, contract in ladder.items()] == [
        ("normal", 1, 2, 3),
        ("bettler", 4),
        ("schnapser", 6),
        ("gang", 9),
        ("zehner_gang", 10),
        ("kontra_schnapser", 12),
        ("bauern_schnapser", 12),
        ("farben_gang", 18),
        ("kontra_bauern_schnapser", 24),
        ("herren_schnapser", 24),
    ]
    assert ladder["normal"]["name"] == "Normal game"
    assert {(contract["seats"], contract["who"]) for contract in ladder.values()} == {
        ((forehand,), "forehand only"),
        ((forehand, forehands_partner), "forehand’s side"),
        ((dealers_partner, dealer), "forehand’s opponents"),
        ((dealers_partner, forehands_partner, dealer), "anybody but forehand"),
        ((forehand, dealers_partner, forehands_partner, dealer), "anybody"),
    }
    assert [key for key, contract in ladder.items() if not contract["can_fail"]] == [
        "farben_gang",
        "herren_schnapser",
    ]


def test_doubles_are_called_by_the_sides_in_turn():
    assert facts_of(BAUERNSCHNAPSEN, {})["doubles"] == (
        {"name": "", "times": 1, "by_declarer": True},
        {"name": "Kontra", "times": 2, "by_declarer": False},
        {"name": "Rekontra", "times": 4, "by_declarer": True},
        {"name": "Subkontra", "times": 8, "by_declarer": False},
    )


def test_the_numbers_of_bauernschnapsen_and_what_house_rules_make_of_them():
    facts = facts_of(BAUERNSCHNAPSEN, {})
    listed = ROWS["bauernschnapsen"]

    assert list(facts["paid"]) == listed["main"]
    assert facts["pointless"] == (48, 72, 80, 96, 144, 192)
    assert [
        (change["rule"], change["choice"], change["comes"], change["goes"])
        for change in facts["changes"]
    ] == [
        ("Bettler", "not played", (), (32,)),
        ("Bettler", "5 game points", (5,), (32,)),
        ("As-Bettler, 5 game points", "", (5,), ()),
        ("Zehner-Gang", "not played", (), (10, 20, 40, 80)),
        ("Zehner-Gang", "8 game points", (64,), (10, 20, 40, 80)),
        ("Zehner-Gang", "9 game points", (), (10, 20, 40, 80)),
    ]
    played = facts_of(BAUERNSCHNAPSEN, {"zehner_gang": 8})
    assert list(played["paid"]) == listed["zehner_gang_8"]
    assert played["pointless"] == (48, 64, 72, 96, 144, 192)


@pytest.mark.parametrize("bummerl", ["off", "on", "on-with-four"])
def test_the_bummerl_is_quoted_whatever_the_table_plays(bummerl):
    assert facts_of(BAUERNSCHNAPSEN, {"bummerl": bummerl})["bummerl"] == {
        "lost": 1,
        "scoreless": 2,
        "led": 4,
        "almost": 23,
    }


def test_the_hand_of_bauernschnapsen_is_worked_out_with_and_without_a_kontra():
    worked = facts_of(BAUERNSCHNAPSEN, {})["worked"]

    assert worked["hand"]["claim_points"] == 66
    assert worked["settlement"] == BAUERNSCHNAPSEN.settle(worked["hand"], house={})
    assert worked["settlement"].entries == (2, 0)
    assert worked["doubled"] == 4
    assert set(worked) == {"hand", "settlement", "doubled"}


# Schafkopf -------------------------------------------------------------------------------------


def test_the_pack_of_schafkopf_and_how_it_is_dealt():
    facts = facts_of(SCHAFKOPF, {})

    assert facts["pack"] == {
        "cards": 32,
        "ranks": 8,
        "each": 8,
        "suit_points": 30,
        "points": 120,
        "card_points": (
            {"points": 11, "name": "Ace, called the Sow"},
            {"points": 10, "name": "Ten"},
            {"points": 4, "name": "King"},
            {"points": 3, "name": "Ober"},
            {"points": 2, "name": "Unter"},
            {"points": 0, "name": "Nine, Eight, Seven"},
        ),
    }
    assert facts["deal"] == {"packet": 4, "times": 2, "cut": 3}
    assert facts["call"] == {"aces": 3, "run_away": 3}
    assert facts["trumps"] == {"rufer": 14, "suit": 6, "wenz": 4}
    assert facts["bids"] == ("Rufer", "Wenz", "Solo", "Wenz Tout", "Solo Tout", "Sie")


def test_card_points_decide_a_deal_of_schafkopf():
    facts = facts_of(SCHAFKOPF, {})

    assert facts["points"] == {
        "win": 61,
        "others_win": 60,
        "schneider": 91,
        "others_schneider": 90,
        "out": 31,
        "others_out": 30,
    }
    assert facts["results"] == (
        {"lowest": 91, "highest": 120, "name": "won with Schneider"},
        {"lowest": 61, "highest": 90, "name": "won"},
        {"lowest": 31, "highest": 60, "name": "lost"},
        {"lowest": 0, "highest": 30, "name": "lost with Schneider"},
    )


def test_prices_and_runners_of_schafkopf():
    facts = facts_of(SCHAFKOPF, {})

    assert facts["prices"] == {
        "rufer": {"name": "Rufer", "units": (1, 2, 3)},
        "wenz": {"name": "Wenz", "units": (5, 6, 7)},
        "solo": {"name": "Solo", "units": (5, 6, 7)},
    }
    assert facts["flat"] == (
        {"name": "Wenz Tout", "units": 10},
        {"name": "Solo Tout", "units": 10},
        {"name": "Sie", "units": 20},
    )
    assert facts["runners"] == {
        "rates": (
            {"name": "Rufer", "start": 3, "units": 1},
            {"name": "Solo", "start": 3, "units": 1},
            {"name": "Wenz", "start": 2, "units": 1},
            {"name": "Solo Tout", "start": 3, "units": 2},
            {"name": "Wenz Tout", "start": 2, "units": 2},
            {"name": "Sie", "start": 8, "units": 4},
        ),
        "rufer": 14,
        "wenz": 4,
        "solo": 7,
        "solo_others": 13,
    }
    assert facts["sie"] == {
        "cards": 8,
        "price": 20,
        "runners": 32,
        "units": 52,
        "entry": 208,
        "doubled": 416,
        "answered": 832,
    }
    assert (facts["doubles"], facts["lift"]) == (
        {"times": 2, "answered": 4},
        {"pair": 2, "alone": 4},
    )


def test_rows_of_schafkopf_are_shown_as_they_go_on_the_sheet():
    facts = facts_of(SCHAFKOPF, {})

    assert facts["examples"] == (
        {"name": "a plain Rufer", "units": 1, "entries": (2, 2, 0, 0)},
        {"name": "a Rufer with runners, doubled", "units": 8, "entries": (16, 16, 0, 0)},
        {"name": "a plain Solo, won", "units": 5, "entries": (20, 0, 0, 0)},
        {"name": "a plain Solo, lost", "units": 5, "entries": (0, 20, 20, 20)},
        {"name": "Sie", "units": 52, "entries": (208, 0, 0, 0)},
    )


def test_the_numbers_of_schafkopf_are_split_by_whether_a_person_is_asked():
    facts = facts_of(SCHAFKOPF, {})
    listed = ROWS["schafkopf"]["main"]

    for winners, shape in (("two", "pair"), ("one", "lone_win"), ("three", "lone_loss")):
        doubtful = listed[shape]["doubtful"]
        assert list(facts["asked"][winners]) == doubtful
        assert list(facts["numbers"][winners]) == sorted(
            set(listed[shape]["values"]) - set(doubtful)
        )


@pytest.mark.parametrize("house", [{}, {"short": True}], ids=["long", "short"])
def test_what_other_tables_play_is_quoted_at_every_table(house):
    facts = facts_of(SCHAFKOPF, house)

    short = facts["short"]
    assert {name: short[name] for name in ("cards", "each", "trumps")} == {
        "cards": 24,
        "each": 6,
        "trumps": 12,
    }
    assert {name: short["runners"][name] for name in ("rufer", "wenz", "solo", "solo_others")} == {
        "rufer": 10,
        "wenz": 4,
        "solo": 5,
        "solo_others": 11,
    }
    assert short["gone"] == {
        "two": (34, 68, 128, 136),
        "one": (68, 136, 272, 352, 384, 416, 832),
        "three": (76, 152, 304, 544, 576),
    }
    assert facts["bettel"] == {"units": 5, "entry": 20}
    assert facts["ramsch"]["stake"] == 1
    assert facts["ramsch"]["pays"] == (
        {"without": 0, "units": 1, "entry": 4},
        {"without": 1, "units": 2, "entry": 8},
        {"without": 2, "units": 4, "entry": 16},
        {"without": 3, "units": 8, "entry": 32},
    )
    assert facts["ramsch"]["more"] == (4, 8, 16)


def test_a_ramsch_is_quoted_with_its_doubling_where_a_table_does_without():
    for house in ({"ramsch": 3, "ramsch_doubles": False}, {"ramsch": 1}):
        assert facts_of(SCHAFKOPF, house)["ramsch"]["more"] == (4, 8, 16)


def test_contracts_by_agreement_are_quoted_though_nobody_agreed():
    facts = facts_of(SCHAFKOPF, {})

    assert facts["geier"] == {
        "trumps": 4,
        "start": 2,
        "suit_trumps": 11,
        "suit_below": 7,
        "suit_start": 3,
    }
    assert facts["wedding"] == {"runners": 9, "runners_others": 13}


def test_the_hand_of_schafkopf_is_worked_out_player_by_player():
    worked = facts_of(SCHAFKOPF, {})["worked"]

    assert worked["settlement"] == SCHAFKOPF.settle(worked["hand"], house={})
    assert worked["names"] == ("Lena", "Jonas", "Felix", "Nora")
    assert [(one["name"], one["role"], one["entry"]) for one in worked["players"]] == [
        ("Lena", "calls the Ace", 14),
        ("Jonas", "holds the called Ace", 14),
        ("Felix", "plays against them", 0),
        ("Nora", "plays against them", 0),
    ]
    assert worked["average"] == 7
    assert worked["hand"]["points"] == 93
    assert set(worked) == {"hand", "settlement", "names", "players", "average"}


@pytest.mark.parametrize(
    ("game", "names"),
    [
        pytest.param(
            BAUERNSTOSS,
            "players pack hand batch jacks points half cards faces lowest_bid needs schneider "
            "schneider_pays bands sweep opening solos carried worked shape",
            id="bauernstoss",
        ),
        pytest.param(
            BAUERNSCHNAPSEN,
            "line cards hand tricks suit_cards card_points all_card_points first_cards "
            "later_cards marriage trump_marriage schnapser_tricks enough half safe_tricks normal "
            "last_trick seats contracts as_bettler doubles paid pointless over bummerl changes "
            "worked",
            id="bauernschnapsen",
        ),
        pytest.param(
            SCHAFKOPF,
            "pack deal call bids trumps points results prices flat runners sie doubles lift "
            "examples numbers asked short geier wedding bettel ramsch worked",
            id="schafkopf",
        ),
    ],
)
def test_a_page_finds_every_number_by_its_name(game, names):
    assert set(facts_of(game, {})) == set(names.split())


def test_facts_cannot_be_changed_by_who_reads_them():
    facts = facts_of(SCHAFKOPF, {})

    with pytest.raises(TypeError):
        facts["deal"] = {}


def numbers(found):
    """Every number in a nest of facts."""
    if isinstance(found, dict | MappingProxyType):
        found = found.values()
    if isinstance(found, int | float):
        yield found
    elif isinstance(found, Iterable) and not isinstance(found, str):
        for part in found:
            yield from numbers(part)


@pytest.mark.parametrize("game", rules.all_games(), ids=lambda game: game.slug)
def test_a_page_quotes_whole_numbers_only(game):
    found = list(numbers(facts_of(game, {})))

    assert len(found) > 20
    assert [number for number in found if isinstance(number, float)] == []
