"""Hands of Bavarian Schafkopf: what they come to, what is refused, and what a form asks."""

import pytest

from games import rules
from games.rules import HandRefused
from games.rules.catalogue.schafkopf import rows
from games.rules.catalogue.schafkopf.questions import NAMES
from games.rules.hand import applies
from games.rules.house import read_house
from tests.rules.worked import SCHAFKOPF_HOUSES, codes, examples

GAME = rules.find_game("schafkopf")
WORKED = [case for case in examples("settle") if case["game"] == "schafkopf"]

SHORT = {"short": True}
EVERYTHING = {"geier": True, "suit_geier": True, "wedding": True, "bettel": 5, "ramsch": 1}
SHORT_EVERYTHING = {**SHORT, **EVERYTHING}

RUFER = {"contract": "rufer", "declarer": 0, "partner": 1}
SOLO = {"contract": "solo", "declarer": 0}
WENZ = {"contract": "wenz", "declarer": 0}
TOUT = {"contract": "solo_tout", "declarer": 0}
SIE = {"contract": "sie", "declarer": 0}
BETTEL = {"contract": "bettel", "declarer": 0}
RAMSCH = {"contract": "ramsch", "points": [50, 40, 30, 0]}


def settled(hand, house=None):
    return GAME.settle(hand, house=house or {})


def refused(hand, house=None):
    """The breaches of a hand that cannot have happened."""
    with pytest.raises(HandRefused) as caught:
        GAME.settle(hand, house=house or {})
    return caught.value.breaches


def own(length):
    return {"runners": length, "holder": "declarer"}


def against(length):
    return {"runners": length, "holder": "defence"}


@pytest.mark.parametrize("case", WORKED, ids=lambda case: case["id"])
def test_settle_gives_the_result_of_the_worked_case(case):
    expected = case["expected"]
    if "breach" in expected:
        assert codes(refused(case["hand"], case["house"])) == [expected["breach"]]
        return

    settlement = settled(case["hand"], case["house"])

    assert list(settlement.entries) == expected["entries"]
    assert settlement.each == expected.get("each", settlement.each)


@pytest.mark.parametrize(
    ("points", "won", "extra"),
    [
        pytest.param(120, True, 1, id="120 without the last trick is no Schwarz"),
        pytest.param(118, True, 1, id="118"),
        pytest.param(91, True, 1, id="91, the least for a Schneider"),
        pytest.param(90, True, 0, id="90, one short of it"),
        pytest.param(61, True, 0, id="61, the least that wins"),
        pytest.param(60, False, 0, id="60, the most that loses"),
        pytest.param(31, False, 0, id="31, just out of Schneider"),
        pytest.param(30, False, 1, id="30, the most in Schneider"),
        pytest.param(2, False, 1, id="2"),
        pytest.param(0, False, 1, id="0 with a trick is no Schwarz"),
    ],
)
@pytest.mark.parametrize("contract", ["rufer", "wedding", "wenz", "geier", "solo", "suit_geier"])
@pytest.mark.parametrize("house", [EVERYTHING, SHORT_EVERYTHING], ids=["long", "short"])
def test_card_points_decide_who_wins_and_whether_it_is_a_schneider(
    house, contract, points, won, extra
):
    pair = contract in {"rufer", "wedding"}
    partner = {"partner": 2} if pair else {}

    settlement = settled({"contract": contract, "declarer": 1, "points": points, **partner}, house)

    each = (1 if pair else 5) + extra
    side = {1, 2} if pair else {1}
    number = each * (2 if pair else 4)
    assert settlement.each == each
    assert settlement.entries == tuple(number if (s in side) == won else 0 for s in range(4))
    assert settlement.doubts == ()


@pytest.mark.parametrize(
    ("contract", "tricks", "each"),
    [("rufer", "all", 3), ("rufer", "none", 3), ("wenz", "all", 7), ("solo", "none", 7)],
)
@pytest.mark.parametrize("told", [True, False], ids=["points told", "points left out"])
def test_schwarz_counts_instead_of_schneider_with_points_told_or_not(contract, tricks, each, told):
    partner = {"partner": 1} if contract == "rufer" else {}
    points = {"points": 120 if tricks == "all" else 0} if told else {}

    settlement = settled(
        {"contract": contract, "declarer": 0, "tricks": tricks, **partner, **points}
    )

    assert settlement.each == each
    assert (settlement.entries[0] > 0) == (tricks == "all")
    assert [note.message for note in settlement.note][1:] == ["Schwarz"]


@pytest.mark.parametrize(
    ("hand", "each"),
    [
        pytest.param({**RUFER, "points": 70, **own(2)}, 1, id="two in a Rufer pay nothing"),
        pytest.param({**RUFER, "points": 70, **own(3)}, 4, id="three in a Rufer"),
        pytest.param({**SOLO, "points": 70, **own(2)}, 5, id="two in a Solo pay nothing"),
        pytest.param({**SOLO, "points": 70, **own(3)}, 8, id="three in a Solo"),
        pytest.param({**WENZ, "points": 70, **own(1)}, 5, id="one in a Wenz pays nothing"),
        pytest.param({**WENZ, "points": 70, **own(2)}, 7, id="two in a Wenz"),
        pytest.param({**WENZ, "points": 70, **own(4)}, 9, id="all four of a Wenz"),
        pytest.param({**TOUT, "tricks": "all", **own(2)}, 10, id="two in a Tout pay nothing"),
        pytest.param({**TOUT, "tricks": "all", **own(3)}, 16, id="three in a Tout, 2 each"),
        pytest.param({**RUFER, "points": 70, "runners": 0}, 1, id="none"),
        pytest.param({**RUFER, "points": 70, "holder": "defence"}, 1, id="a holder of none"),
    ],
)
def test_runners_pay_from_their_least_number_on(hand, each):
    assert settled(hand).each == each


@pytest.mark.parametrize(
    ("points", "run", "entries"),
    [
        pytest.param(61, own(4), (10, 10, 0, 0), id="the winners' own"),
        pytest.param(61, against(4), (10, 10, 0, 0), id="held by the losers"),
        pytest.param(60, own(4), (0, 0, 10, 10), id="a losing declarer's own"),
        pytest.param(60, against(4), (0, 0, 10, 10), id="held by the winning defence"),
    ],
)
def test_the_winners_are_paid_for_a_run_whoever_holds_it(points, run, entries):
    assert settled({**RUFER, "points": points, **run}).entries == entries


@pytest.mark.parametrize(
    ("doubles", "each"), [(None, 9), (0, 9), (1, 18), (2, 36)], ids=["left out", "0", "1", "2"]
)
def test_doubling_doubles_everything_a_hand_is_worth(doubles, each):
    settlement = settled({**SOLO, "points": 70, "doubles": doubles, **against(4)})

    assert (settlement.each, settlement.entries) == (each, (4 * each, 0, 0, 0))


@pytest.mark.parametrize(
    ("hand", "entries"),
    [
        pytest.param({"tricks": "all"}, (40, 0, 0, 0), id="made"),
        pytest.param({"tricks": "all", "points": 120}, (40, 0, 0, 0), id="made, points told"),
        pytest.param({}, (0, 40, 40, 40), id="lost: every trick was not told"),
        pytest.param({"tricks": "some"}, (0, 40, 40, 40), id="lost"),
        pytest.param({"tricks": "none"}, (0, 40, 40, 40), id="lost without a trick"),
        pytest.param({"points": 115}, (0, 40, 40, 40), id="lost, whatever the points"),
        pytest.param({"points": 119}, (0, 40, 40, 40), id="lost, points unplayed"),
        pytest.param({"tricks": "none", "points": 50}, (0, 40, 40, 40), id="lost, points ignored"),
        pytest.param({"points": 2, **own(7)}, (0, 96, 96, 96), id="lost, its own run paid"),
        pytest.param({"tricks": "none", **against(13)}, (0, 144, 144, 144), id="lost to thirteen"),
    ],
)
def test_a_tout_is_made_with_every_trick_and_else_lost_outright(hand, entries):
    assert settled({**TOUT, **hand}).entries == entries


@pytest.mark.parametrize("contract", ["wenz_tout", "geier_tout", "suit_geier_tout", "solo_tout"])
@pytest.mark.parametrize("house", [EVERYTHING, SHORT_EVERYTHING], ids=["long", "short"])
def test_every_tout_costs_ten_and_two_for_each_runner(contract, house):
    settlement = settled({"contract": contract, "declarer": 3, "tricks": "all", **own(3)}, house)

    assert settlement.entries == (0, 0, 0, 64)


@pytest.mark.parametrize(
    ("hand", "number", "doubts"),
    [
        pytest.param({}, 208, [], id="shown"),
        pytest.param({"tricks": "all", "points": 120}, 208, [], id="all told"),
        pytest.param(own(8), 208, [], id="its eight runners told"),
        pytest.param({"runners": 0}, 208, [], id="no runners told"),
        pytest.param({"doubles": 1}, 416, ["sie-doubled"], id="doubled"),
        pytest.param({"doubles": 2}, 832, ["sie-doubled"], id="doubled and answered"),
    ],
)
def test_a_sie_always_pays_its_eight_runners(hand, number, doubts):
    settlement = settled({**SIE, **hand})

    assert settlement.entries == (number, 0, 0, 0)
    assert codes(settlement.doubts) == doubts


@pytest.mark.parametrize(
    ("hand", "entries"),
    [
        pytest.param({"tricks": "none"}, (28, 0, 0, 0), id="made"),
        pytest.param({"tricks": "none", "points": 0}, (28, 0, 0, 0), id="made, points told"),
        pytest.param({"tricks": "none", "doubles": 2}, (112, 0, 0, 0), id="made and doubled twice"),
        pytest.param({}, (0, 28, 28, 28), id="lost: no trick was not told"),
        pytest.param({"tricks": "some", "points": 118}, (0, 28, 28, 28), id="lost, points ignored"),
        pytest.param({"tricks": "all", "doubles": 1}, (0, 56, 56, 56), id="lost and doubled"),
        pytest.param({"tricks": "some", "runners": 0}, (0, 28, 28, 28), id="lost, no runners told"),
    ],
)
def test_a_bettel_is_made_without_a_trick_at_the_tables_price(hand, entries):
    assert settled({**BETTEL, **hand}, {"bettel": 7}).entries == entries


@pytest.mark.parametrize(
    ("hand", "house", "entries", "doubts"),
    [
        pytest.param({}, {}, (0, 4, 4, 4), [], id="0 points with a trick double nothing"),
        pytest.param({"no_trick": [False] * 4}, {}, (0, 4, 4, 4), [], id="everybody has a trick"),
        pytest.param(
            {"no_trick": [None, "", False, True]}, {}, (0, 8, 8, 8), [], id="one without a trick"
        ),
        pytest.param(
            {"points": [0, 70, 0, 50], "no_trick": [True, False, True, False]},
            {},
            (16, 0, 16, 16),
            [],
            id="two without a trick",
        ),
        pytest.param(
            {"points": [0, 0, 120, 0], "no_trick": [True, True, False, True]},
            {},
            (32, 32, 0, 32),
            ["durchmarsch"],
            id="three without a trick",
        ),
        pytest.param(
            {"points": (0, 0, 120, 0), "no_trick": (True, True, False, True)},
            {"ramsch_doubles": False},
            (4, 4, 0, 4),
            ["durchmarsch"],
            id="three without a trick where nothing doubles",
        ),
        pytest.param(
            {"no_trick": [False, False, False, True]},
            {"ramsch": 3, "ramsch_doubles": False},
            (0, 12, 12, 12),
            [],
            id="a stake that does not double",
        ),
        pytest.param(
            {"points": [40, 40, 25, 15], "loser": 1}, {}, (4, 0, 4, 4), [], id="a tie, one named"
        ),
        pytest.param({"loser": 0}, {}, (0, 4, 4, 4), [], id="the loser named without a tie"),
        pytest.param({"doubles": 0, "runners": 0}, {}, (0, 4, 4, 4), [], id="no doubles told"),
        pytest.param(
            {"declarer": 9, "partner": 2, "tricks": "all", "holder": "defence"},
            {},
            (0, 4, 4, 4),
            [],
            id="answers about a declarer do not matter",
        ),
    ],
)
def test_a_ramsch_is_paid_by_whoever_has_the_most(hand, house, entries, doubts):
    settlement = settled({**RAMSCH, **hand}, {"ramsch": 1, **house})

    assert settlement.entries == entries
    assert settlement.each == max(entries) // 4
    assert codes(settlement.doubts) == doubts


@pytest.mark.parametrize(
    ("hand", "gains"),
    [
        pytest.param({**RUFER, "partner": 3, "points": 61}, (1, -1, -1, 1), id="Rufer won"),
        pytest.param({**RUFER, "partner": 3, "points": 60}, (-1, 1, 1, -1), id="Rufer lost"),
        pytest.param({**SOLO, "declarer": 2, "points": 61}, (-5, -5, 15, -5), id="Solo won"),
        pytest.param({**SOLO, "declarer": 2, "points": 60}, (5, 5, -15, 5), id="Solo lost"),
        pytest.param(SIE, (156, -52, -52, -52), id="Sie"),
        pytest.param(
            {**RAMSCH, "points": [30, 30, 30, 30], "loser": 3}, (1, 1, 1, -3), id="Ramsch"
        ),
    ],
)
def test_gains_are_the_units_that_every_player_wins_or_loses(hand, gains):
    assert settled(hand, {"ramsch": 1}).gains == gains


@pytest.mark.parametrize(
    ("contract", "house", "most_own", "most_against"),
    [
        pytest.param("rufer", EVERYTHING, 14, 14, id="Rufer"),
        pytest.param("wedding", EVERYTHING, 9, 13, id="Wedding"),
        pytest.param("wenz", EVERYTHING, 4, 4, id="Wenz"),
        pytest.param("geier", EVERYTHING, 4, 4, id="Geier"),
        pytest.param("solo", EVERYTHING, 7, 13, id="Solo"),
        pytest.param("suit_geier", EVERYTHING, 8, 10, id="Suit Geier"),
        pytest.param("wenz_tout", EVERYTHING, 4, 4, id="Wenz Tout"),
        pytest.param("geier_tout", EVERYTHING, 4, 4, id="Geier Tout"),
        pytest.param("solo_tout", EVERYTHING, 7, 13, id="Solo Tout"),
        pytest.param("suit_geier_tout", EVERYTHING, 8, 10, id="Suit Geier Tout"),
        pytest.param("rufer", SHORT_EVERYTHING, 10, 12, id="Short Rufer"),
        pytest.param("wedding", SHORT_EVERYTHING, 7, 11, id="Short Wedding"),
        pytest.param("wenz", SHORT_EVERYTHING, 4, 4, id="Short Wenz"),
        pytest.param("geier", SHORT_EVERYTHING, 4, 4, id="Short Geier"),
        pytest.param("solo", SHORT_EVERYTHING, 5, 11, id="Short Solo"),
        pytest.param("suit_geier", SHORT_EVERYTHING, 6, 8, id="Short Suit Geier"),
        pytest.param("solo_tout", SHORT_EVERYTHING, 5, 11, id="Short Solo Tout"),
    ],
)
def test_a_run_is_as_long_as_the_hands_of_its_side_can_hold(
    contract, house, most_own, most_against
):
    partner = {"partner": 1} if contract in {"rufer", "wedding"} else {}
    made = {"contract": contract, "declarer": 0, "tricks": "all", **partner}
    lost = {**made, "tricks": "none"}
    is_sie = contract.startswith("solo") and not house.get("short")

    assert settled({**made, **own(most_own)}, house).entries[0] > 0
    assert settled({**lost, **against(most_against)}, house).entries[0] == 0
    assert codes(refused({**made, **own(most_own + 1)}, house)) == [
        "runners-sie" if is_sie else "runners-range"
    ]
    assert codes(refused({**made, **own(most_own + 2)}, house)) == ["runners-range"]
    assert codes(refused({**lost, **against(most_against + 1)}, house)) == ["runners-range"]


@pytest.mark.parametrize(
    ("hand", "possible", "impossible", "house"),
    [
        pytest.param(
            {**SOLO, **against(9)}, 89, 90, {}, id="nine against a Solo have 31 card points"
        ),
        pytest.param(
            {**SOLO, **own(7)}, 76, 75, {}, id="seven own leave one trick, four aces at most"
        ),
        pytest.param({**RUFER, **own(14)}, 77, 76, {}, id="fourteen in two hands leave one trick"),
        pytest.param({**RUFER, **own(8)}, 20, 18, {}, id="eight in a Rufer have 20 card points"),
        pytest.param({**RUFER, **against(14)}, 43, 44, {}, id="fourteen against leave one trick"),
        pytest.param({**WENZ, **own(4)}, 8, 7, {}, id="four Unters have 8 card points"),
        pytest.param({**WENZ, **against(4)}, 112, 113, {}, id="four Unters against a Wenz"),
        pytest.param(
            {**SOLO, "contract": "geier", **own(4)}, 12, 11, EVERYTHING, id="four Obers have 12"
        ),
        pytest.param({**RUFER, **own(10)}, 77, 76, SHORT, id="ten of a Short Rufer leave one"),
        pytest.param({**SOLO, **against(11)}, 71, 72, SHORT, id="eleven against a Short Solo"),
    ],
)
def test_a_run_needs_its_own_card_points_and_its_tricks(hand, possible, impossible, house):
    assert settled({**hand, "points": possible}, house).each > 0

    breaches = refused({**hand, "points": impossible}, house)

    assert codes(breaches) == ["runners-points"]
    held = impossible if hand["holder"] == "declarer" else 120 - impossible
    assert breaches[0].numbers["found"] in {held, 120 - held}
    assert breaches[0].numbers["run"] == hand["runners"]


REFUSED = {
    "eight of a Suit Geier in one hand leave no trick": (
        {**SOLO, "contract": "suit_geier", **own(8), "points": 120},
        EVERYTHING,
        ["runners-tricks runners"],
    ),
    "a Suit Geier Tout with eight own runners cannot be lost": (
        {"contract": "suit_geier_tout", "declarer": 0, **own(8)},
        EVERYTHING,
        ["runners-tricks runners"],
    ),
    "twelve against a Short Rufer leave no trick": (
        {**RUFER, **against(12), "points": 0},
        SHORT,
        ["runners-tricks runners"],
    ),
    "nothing told": ({}, {}, ["missing contract", "missing declarer"]),
    "blanks are left out": (
        {"contract": "", "declarer": None},
        {},
        ["missing contract", "missing declarer"],
    ),
    "no points": (RUFER, {}, ["missing points"]),
    "no points with some tricks": ({**SOLO, "tricks": "some"}, {}, ["missing points"]),
    "an unknown contract": ({**SOLO, "contract": "herz"}, {}, ["not-played contract"]),
    "a contract that is no word": ({**SOLO, "contract": ["solo"]}, {}, ["not-played contract"]),
    "no Tout of a Rufer": ({**SOLO, "contract": "rufer_tout"}, {}, ["not-played contract"]),
    "no Sie in Short": (SIE, SHORT, ["not-played contract"]),
    "no Geier": ({**SOLO, "contract": "geier", "points": 70}, {}, ["not-played contract"]),
    "no Geier Tout": ({**TOUT, "contract": "geier_tout"}, {}, ["not-played contract"]),
    "a Geier agreed is no Suit Geier": (
        {**SOLO, "contract": "suit_geier", "points": 70},
        {"geier": True},
        ["not-played contract"],
    ),
    "nor the Tout of one": (
        {**TOUT, "contract": "suit_geier_tout"},
        {"geier": True},
        ["not-played contract"],
    ),
    "no Wedding": (
        {**RUFER, "contract": "wedding", "points": 70},
        {},
        ["not-played contract"],
    ),
    "no Bettel": (BETTEL, {}, ["not-played contract"]),
    "no Ramsch": (RAMSCH, {}, ["not-played contract"]),
    "no partner": ({**RUFER, "partner": None, "points": 70}, {}, ["partner-missing partner"]),
    "no partner in a Wedding": (
        {"contract": "wedding", "declarer": 0, "points": 70},
        {"wedding": True},
        ["partner-missing partner"],
    ),
    "the declarer's own partner": (
        {**RUFER, "declarer": 2, "partner": 2, "points": 70},
        {},
        ["partner-self partner"],
    ),
    "a partner in a Solo": ({**SOLO, "partner": 1, "points": 70}, {}, ["partner-alone partner"]),
    "a partner in a Tout": ({**TOUT, "partner": 1}, {}, ["partner-alone partner"]),
    "a partner in a Sie": ({**SIE, "partner": 1}, {}, ["partner-alone partner"]),
    "a partner in a Bettel": (
        {**BETTEL, "partner": 1},
        {"bettel": 5},
        ["partner-alone partner"],
    ),
    "a fifth seat": ({**SOLO, "declarer": 4, "points": 70}, {}, ["unknown-answer declarer"]),
    "a seat as text": ({**SOLO, "declarer": "0", "points": 70}, {}, ["unknown-answer declarer"]),
    "a partner from nowhere": (
        {**RUFER, "partner": -1, "points": 70},
        {},
        ["unknown-answer partner"],
    ),
    "121": ({**SOLO, "points": 121}, {}, ["points-range points"]),
    "below zero": ({**SOLO, "points": -2}, {}, ["points-range points"]),
    "1": ({**SOLO, "points": 1}, {}, ["points-impossible points"]),
    "119": ({**SOLO, "points": 119}, {}, ["points-impossible points"]),
    "half a point": ({**SOLO, "points": 70.5}, {}, ["not-whole points"]),
    "a list of points": ({**SOLO, "points": [70, 50, 0, 0]}, {}, ["not-whole points"]),
    "every trick but 118": (
        {**SOLO, "tricks": "all", "points": 118},
        {},
        ["tricks-points points"],
    ),
    "no trick but 2": ({**SOLO, "tricks": "none", "points": 2}, {}, ["tricks-points points"]),
    "a Tout made with 110": (
        {**TOUT, "tricks": "all", "points": 110},
        {},
        ["tricks-points points"],
    ),
    "a Sie with 110": ({**SIE, "points": 110}, {}, ["tricks-points points"]),
    "a Bettel made with 10": (
        {**BETTEL, "tricks": "none", "points": 10},
        {"bettel": 5},
        ["tricks-points points"],
    ),
    "tricks in other words": (
        {**SOLO, "tricks": "most", "points": 70},
        {},
        ["unknown-answer tricks"],
    ),
    "a Tout with tricks in other words": ({**TOUT, "tricks": 8}, {}, ["unknown-answer tricks"]),
    "a Bettel with tricks in other words": (
        {**BETTEL, "tricks": 8},
        {"bettel": 5},
        ["unknown-answer tricks"],
    ),
    "a Sie without a trick": ({**SIE, "tricks": "none"}, {}, ["sie-lost tricks"]),
    "a Sie that lost a trick": ({**SIE, "tricks": "some"}, {}, ["sie-lost tricks"]),
    "a Sie with seven": ({**SIE, **own(7)}, {}, ["sie-runners runners"]),
    "a Sie with nine": ({**SIE, **own(9)}, {}, ["sie-runners runners"]),
    "a Sie with eight against": ({**SIE, **against(8)}, {}, ["sie-runners runners"]),
    "a Sie held by the others": ({**SIE, "holder": "defence"}, {}, ["sie-runners runners"]),
    "a lost Bettel with 121 card points": (
        {"contract": "bettel", "declarer": 0, "tricks": "some", "points": 121},
        {"bettel": 5},
        ["points-range points"],
    ),
    "every trick with 121 card points": (
        {**RUFER, "points": 121, "tricks": "all"},
        {},
        ["points-range points", "tricks-points points"],
    ),
    "a run that nobody holds": (
        {**SOLO, "points": 70, "runners": 1},
        {},
        ["holder-missing holder"],
    ),
    "a run held by a player": (
        {**SOLO, "points": 70, "runners": 3, "holder": 2},
        {},
        ["unknown-answer holder"],
    ),
    "half a runner": ({**SOLO, "points": 70, **own("3")}, {}, ["not-whole runners"]),
    "runners below zero": ({**SOLO, "points": 70, **own(-1)}, {}, ["runners-range runners"]),
    "a run that nobody holds, and only the defence could": (
        {**SOLO, "points": 40, "runners": 13},
        {},
        ["holder-missing holder"],
    ),
    "a long run that nobody holds": (
        {**SOLO, "points": 70, "runners": 14},
        {},
        ["holder-missing holder", "runners-range runners"],
    ),
    "runners in a Bettel": ({**BETTEL, **own(3)}, {"bettel": 5}, ["runners-none runners"]),
    "runners in a Ramsch": ({**RAMSCH, **own(3)}, {"ramsch": 1}, ["runners-none runners"]),
    "eight own in a Solo": ({**SOLO, "points": 110, **own(8)}, {}, ["runners-sie runners"]),
    "eight own in a lost Tout": ({**TOUT, **own(8)}, {}, ["runners-sie runners"]),
    "eight own in a Short Solo": (
        {**SOLO, "points": 110, **own(8)},
        SHORT,
        ["runners-range runners"],
    ),
    "every trick, a runner against": (
        {**SOLO, "tricks": "all", **against(1)},
        {},
        ["runners-tricks runners"],
    ),
    "no trick, a runner of one's own": (
        {**RUFER, "tricks": "none", **own(1)},
        {},
        ["runners-tricks runners"],
    ),
    "a Tout made, a run against": (
        {**TOUT, "tricks": "all", **against(3)},
        {},
        ["runners-tricks runners"],
    ),
    "a Tout lost without a trick, its own run": (
        {**TOUT, "tricks": "none", **own(3)},
        {},
        ["runners-tricks runners"],
    ),
    "nine against a Schneider": (
        {**SOLO, "points": 91, **against(9)},
        {},
        ["runners-points runners"],
    ),
    "a third double": ({**SOLO, "points": 70, "doubles": 3}, {}, ["doubles doubles"]),
    "a double below zero": ({**SOLO, "points": 70, "doubles": -1}, {}, ["doubles doubles"]),
    "half a double": ({**SOLO, "points": 70, "doubles": 0.5}, {}, ["doubles doubles"]),
    "a double that is a yes": ({**SOLO, "points": 70, "doubles": True}, {}, ["doubles doubles"]),
    "a Ramsch doubled": ({**RAMSCH, "doubles": 1}, {"ramsch": 1}, ["doubles doubles"]),
    "a Ramsch doubled by a word": ({**RAMSCH, "doubles": "1"}, {"ramsch": 1}, ["doubles doubles"]),
    "a Ramsch without points": ({"contract": "ramsch"}, {"ramsch": 1}, ["missing points"]),
    "a Ramsch with one number": ({**RAMSCH, "points": 50}, {"ramsch": 1}, ["missing points"]),
    "a Ramsch of three": ({**RAMSCH, "points": [50, 40, 30]}, {"ramsch": 1}, ["missing points"]),
    "a Ramsch with a blank": (
        {**RAMSCH, "points": [50, 40, 30, None]},
        {"ramsch": 1},
        ["missing points"],
    ),
    "a Ramsch with 119 beside a blank": (
        {**RAMSCH, "points": [119, "", 0, 0]},
        {"ramsch": 1},
        ["points-impossible points", "missing points"],
    ),
    "a Ramsch with a word": (
        {**RAMSCH, "points": ["x", 40, 30, 50]},
        {"ramsch": 1},
        ["not-whole points"],
    ),
    "a Ramsch with 1": (
        {**RAMSCH, "points": [1, 39, 30, 50]},
        {"ramsch": 1},
        ["points-impossible points"],
    ),
    "a Ramsch with 130": (
        {**RAMSCH, "points": [130, 0, 0, 0]},
        {"ramsch": 1},
        ["points-range points", "points-sum points"],
    ),
    "a Ramsch with 118 in all": (
        {**RAMSCH, "points": [50, 40, 28, 0]},
        {"ramsch": 1},
        ["points-sum points"],
    ),
    "a Ramsch with 122 in all": (
        {**RAMSCH, "points": [52, 40, 30, 0]},
        {"ramsch": 1},
        ["points-sum points"],
    ),
    "points without a trick": (
        {**RAMSCH, "no_trick": [False, False, True, True]},
        {"ramsch": 1},
        ["tricks-points no_trick"],
    ),
    "one answer about tricks": (
        {**RAMSCH, "no_trick": True},
        {"ramsch": 1},
        ["unknown-answer no_trick"],
    ),
    "a number about tricks": (
        {**RAMSCH, "no_trick": [0, 0, 0, 1]},
        {"ramsch": 1},
        ["unknown-answer no_trick"],
    ),
    "a tie": ({**RAMSCH, "points": [40, 40, 30, 10]}, {"ramsch": 1}, ["ramsch-tie loser"]),
    "a tie of four": ({**RAMSCH, "points": [30] * 4}, {"ramsch": 1}, ["ramsch-tie loser"]),
    "a tie, another loser named": (
        {**RAMSCH, "points": [40, 40, 30, 10], "loser": 2},
        {"ramsch": 1},
        ["ramsch-loser loser"],
    ),
    "a loser without the most": ({**RAMSCH, "loser": 1}, {"ramsch": 1}, ["ramsch-loser loser"]),
    "a loser from nowhere": ({**RAMSCH, "loser": 7}, {"ramsch": 1}, ["unknown-answer loser"]),
    "much at once": (
        {"contract": "geier", "partner": 2, "points": 119, "runners": 5, "doubles": 3},
        {},
        [
            "not-played contract",
            "missing declarer",
            "partner-alone partner",
            "holder-missing holder",
            "points-impossible points",
            "runners-range runners",
            "doubles doubles",
        ],
    ),
    "tricks against points and a run": (
        {**RUFER, "partner": 0, "tricks": "all", "points": 110, **against(3)},
        {},
        ["partner-self partner", "tricks-points points", "runners-tricks runners"],
    ),
    "a Sie all wrong": (
        {**SIE, "partner": 1, "tricks": "none", "points": 90, "runners": 7, "doubles": 4},
        {},
        [
            "partner-alone partner",
            "sie-lost tricks",
            "tricks-points points",
            "sie-runners runners",
            "doubles doubles",
        ],
    ),
    "a Ramsch all wrong": (
        {
            "contract": "ramsch",
            "points": [40, 40, 30, 20],
            "no_trick": [True, False, False, False],
            "runners": 2,
            "doubles": 1,
        },
        {},
        [
            "not-played contract",
            "points-sum points",
            "tricks-points no_trick",
            "ramsch-tie loser",
            "runners-none runners",
            "doubles doubles",
        ],
    ),
    "a Bettel all wrong": (
        {"contract": "bettel", "partner": 1, "tricks": "none", "points": 30, **own(2)},
        {},
        [
            "not-played contract",
            "missing declarer",
            "partner-alone partner",
            "runners-none runners",
            "tricks-points points",
        ],
    ),
    "whatever is told beside an unknown contract": (
        {"contract": "herz", "declarer": 5, "points": 121, "runners": 3, "doubles": 9},
        {},
        [
            "not-played contract",
            "unknown-answer declarer",
            "holder-missing holder",
            "points-range points",
            "doubles doubles",
        ],
    ),
}


@pytest.mark.parametrize(("hand", "house", "expected"), REFUSED.values(), ids=REFUSED)
def test_a_hand_is_refused_for_everything_that_cannot_be(hand, house, expected):
    breaches = refused(hand, house)

    assert [f"{breach.code} {breach.answer}" for breach in breaches] == expected
    assert all(breach.message.endswith(".") for breach in breaches)


def test_every_breach_of_the_rules_brief_is_refused_somewhere():
    seen = {told.split()[0] for _, _, expected in REFUSED.values() for told in expected}

    assert seen == {
        "not-played",
        "missing",
        "partner-missing",
        "partner-self",
        "partner-alone",
        "points-range",
        "points-impossible",
        "points-sum",
        "tricks-points",
        "sie-lost",
        "sie-runners",
        "holder-missing",
        "runners-none",
        "runners-range",
        "runners-sie",
        "runners-tricks",
        "runners-points",
        "doubles",
        "ramsch-tie",
        "ramsch-loser",
        "not-whole",
        "unknown-answer",
    }


@pytest.mark.parametrize(
    ("hand", "house", "message"),
    [
        pytest.param(
            {**SOLO, "points": 91, **against(9)},
            {},
            "29 card points on the side with a run of 9, which alone has 31.",
            id="its own card points",
        ),
        pytest.param(
            {**SOLO, "points": 75, **own(7)},
            {},
            "45 card points against a run of 7; it wins at least 7 of the 8 tricks, which leaves "
            "the other side 44 at most.",
            id="its tricks",
        ),
        pytest.param(
            {**SOLO, "points": 70, **own(6)},
            SHORT,
            "Runners: 6; the declarer’s side holds 0 to 5 in this contract.",
            id="too long a run",
        ),
        pytest.param(
            {**SOLO, "tricks": "all", "points": 110},
            {},
            "110 card points with every trick; all tricks have 120.",
            id="tricks and points",
        ),
        pytest.param(
            {**SOLO, "contract": "suit_geier", "points": 70},
            {},
            "“Suit Geier” is not played at this table.",
            id="a contract by its name",
        ),
        pytest.param(
            {**RAMSCH, "points": [50, 40, 28, 0]},
            {"ramsch": 1},
            "The four have 118 card points together; a deal has 120.",
            id="the sum of a Ramsch",
        ),
    ],
)
def test_a_refusal_names_what_was_found_and_what_the_rule_wants(hand, house, message):
    assert [breach.message for breach in refused(hand, house)] == [message]


def test_answers_that_nobody_asks_for_change_nothing():
    told = {**SOLO, "points": 95, **own(4), "doubles": 1}

    assert settled({**told, "first_deal": True, "bidder": "A", "loser": 3}) == settled(told)


def test_blanks_are_answers_left_out():
    blanks = {"partner": "", "tricks": None, "runners": "", "holder": None, "doubles": ""}

    assert settled({**SOLO, "points": 95, **blanks}) == settled({**SOLO, "points": 95})


@pytest.mark.parametrize(
    ("hand", "house", "lines", "note"),
    [
        pytest.param(
            {**RUFER, "points": 93, **own(5)},
            {},
            (
                "Won with 93 card points: 1 unit",
                "Schneider, 91 or more: 1 unit more",
                "5 runners, 1 each: 5 units",
                "7 units from each of the two losers",
                "The sheet counts from the lowest up: 7 won and 7 lost make 14",
            ),
            ["Rufer", "Schneider", "5 runners"],
            id="the hand of the text",
        ),
        pytest.param(
            {**SOLO, "points": 30, **against(2), "doubles": 1},
            {},
            (
                "Lost with 30 card points, 61 are needed: 5 units",
                "Schneider, 30 or fewer: 1 unit more",
                "2 runners pay nothing; 3 are needed",
                "Doubled: 2 times as much",
                "12 units to each of the other three",
                "The sheet counts from the lowest up: 12 won and 36 lost make 48",
            ),
            ["Solo", "Schneider", "doubled"],
            id="a Solo in Schneider, runners too few, doubled",
        ),
        pytest.param(
            {**WENZ, "tricks": "none", **against(1), "doubles": 2},
            {},
            (
                "Lost with 0 card points, 61 are needed: 5 units",
                "Schwarz, no trick: 2 units more",
                "1 runner pays nothing; 2 are needed",
                "Doubled and answered: 4 times as much",
                "28 units to each of the other three",
                "The sheet counts from the lowest up: 28 won and 84 lost make 112",
            ),
            ["Wenz", "Schwarz", "doubled and answered"],
            id="a Wenz lost Schwarz, doubled and answered",
        ),
        pytest.param(
            {**TOUT, "tricks": "all", **own(3)},
            {},
            (
                "Tout made, with every trick: 10 units",
                "3 runners, 2 each: 6 units",
                "16 units from each of the other three",
                "The sheet counts from the lowest up: 48 won and 16 lost make 64",
            ),
            ["Solo Tout", "3 runners"],
            id="a Tout",
        ),
        pytest.param(
            {**RAMSCH, "no_trick": [False, False, False, True]},
            {"ramsch": 1},
            (
                "The most card points, 50: 1 unit",
                "1 player without a trick: 2 times as much",
                "2 units to each of the other three",
                "The sheet counts from the lowest up: 2 won and 6 lost make 8",
            ),
            ["Ramsch", "1 without a trick"],
            id="a Ramsch",
        ),
    ],
)
def test_steps_and_note_explain_the_result(hand, house, lines, note):
    settlement = settled(hand, house)

    assert settlement.lines == lines
    assert [part.message for part in settlement.note] == note


def asked(contract, house):
    """The questions about a contract, once the form knows that there are runners."""
    hand = {"contract": contract, "runners": 3}
    return [question for question in GAME.questions(house) if applies(question.when, hand)]


@pytest.mark.parametrize(
    ("house", "offered"),
    [
        pytest.param({}, "rufer wenz solo wenz_tout solo_tout sie", id="main"),
        pytest.param(SHORT, "rufer wenz solo wenz_tout solo_tout", id="short"),
        pytest.param(
            {"wedding": True}, "rufer wedding wenz solo wenz_tout solo_tout sie", id="Wedding"
        ),
        pytest.param({"bettel": 1}, "rufer bettel wenz solo wenz_tout solo_tout sie", id="Bettel"),
        pytest.param({"ramsch": 1}, "rufer wenz solo wenz_tout solo_tout sie ramsch", id="Ramsch"),
        pytest.param(
            {"geier": True}, "rufer wenz geier solo wenz_tout geier_tout solo_tout sie", id="Geier"
        ),
        pytest.param(EVERYTHING, " ".join(NAMES), id="everything"),
    ],
)
def test_the_form_offers_the_contracts_of_the_table(house, offered):
    contract = GAME.questions(house)[0]

    assert contract.name == "contract"
    assert [option.value for option in contract.options] == offered.split()
    assert contract.usual == "rufer"


@pytest.mark.parametrize("house", [EVERYTHING, SHORT_EVERYTHING], ids=["long", "short"])
def test_every_contract_with_runners_has_a_name(house):
    known = rows.contracts(read_house(GAME.house, house))

    words = {contract.key for contract in known}
    words |= {contract.tout_key for contract in known if contract.has_tout}
    assert words == set(NAMES) - {"sie", "bettel", "ramsch"}


@pytest.mark.parametrize(
    ("contract", "names"),
    [
        ("rufer", "contract declarer partner points tricks runners holder doubles"),
        ("wedding", "contract declarer partner points tricks runners holder doubles"),
        ("wenz", "contract declarer points tricks runners holder doubles"),
        ("suit_geier", "contract declarer points tricks runners holder doubles"),
        ("solo_tout", "contract declarer tricks runners holder doubles"),
        ("sie", "contract declarer doubles"),
        ("bettel", "contract declarer tricks doubles"),
        ("ramsch", "contract points no_trick loser"),
    ],
)
def test_the_form_asks_what_belongs_to_a_contract(contract, names):
    assert [question.name for question in asked(contract, EVERYTHING)] == names.split()


def test_the_form_asks_for_a_holder_only_of_runners():
    holder = next(question for question in GAME.questions({}) if question.name == "holder")

    assert not applies(holder.when, {"contract": "solo", "runners": 0})
    assert applies(holder.when, {"contract": "solo", "runners": 1})
    assert applies(holder.when, {"contract": "solo", "runners": 14})


@pytest.mark.parametrize(
    ("contract", "offered"),
    [
        ("solo", ["some", "all", "none"]),
        ("solo_tout", ["all", "some"]),
        ("bettel", ["none", "some"]),
    ],
)
def test_the_tricks_that_are_offered_fit_the_contract(contract, offered):
    tricks = next(q for q in asked(contract, EVERYTHING) if q.name == "tricks")

    options = [o for o in tricks.options if applies(o.when, {"contract": contract})]

    assert [option.value for option in options] == offered
    assert len({option.label for option in options}) == len(offered)
    assert tricks.usual == ("some" if contract == "solo" else None)


@pytest.mark.parametrize(("house", "longest"), [({}, 14), (SHORT, 12)], ids=["long", "short"])
def test_the_form_counts_card_points_and_runners_as_far_as_they_go(house, longest):
    by_name = {question.name: question for question in asked("rufer", house)}

    assert (by_name["points"].lowest, by_name["points"].highest) == (0, 120)
    assert (by_name["runners"].lowest, by_name["runners"].highest) == (0, longest)


def test_a_ramsch_asks_every_player():
    kinds = {
        question.name: (question.kind, question.many) for question in asked("ramsch", EVERYTHING)
    }

    assert kinds["points"] == ("points", True)
    assert kinds["no_trick"] == ("switch", True)
    assert kinds["loser"] == ("seat", False)


@pytest.mark.parametrize("house", SCHAFKOPF_HOUSES.values(), ids=SCHAFKOPF_HOUSES)
def test_every_question_and_every_option_has_a_label(house):
    questions = GAME.questions(house)

    assert all(question.label for question in questions)
    assert all(option.label for question in questions for option in question.options)
