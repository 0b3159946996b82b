"""What an evening counts of a deal: its name, its shape, and what a table can play for."""

import pytest

from games import rules
from games.rules import Feat

BAUERNSTOSS = rules.find_game("bauernstoss")
BAUERNSCHNAPSEN = rules.find_game("bauernschnapsen")
SCHAFKOPF = rules.find_game("schafkopf")


@pytest.mark.parametrize(
    ("game", "row", "feats"),
    [
        pytest.param(BAUERNSTOSS, (1, 0), (), id="an ordinary deal"),
        pytest.param(BAUERNSTOSS, (0, 2), (Feat("Schneider", (1,)),), id="Schneider"),
        pytest.param(BAUERNSTOSS, (3, 0), (Feat("Schwarz", (0,)),), id="Schwarz"),
        pytest.param(BAUERNSTOSS, (8, None), (Feat("Small Solo", (0,)),), id="one cell is enough"),
        pytest.param(BAUERNSTOSS, (None, 0), (), id="a zero alone"),
        pytest.param(BAUERNSTOSS, (None, None), (), id="a blank row"),
        pytest.param(BAUERNSCHNAPSEN, (0, 9), (Feat("Gang", (1,)),), id="Gang"),
        pytest.param(SCHAFKOPF, (14, 14, 0, 0), (), id="a Rufer"),
        pytest.param(SCHAFKOPF, (0, 20, 0, 0), (Feat("won alone", (1,)),), id="won alone"),
        pytest.param(SCHAFKOPF, (20, 20, 0, 20), (Feat("lost alone", (2,)),), id="lost alone"),
        pytest.param(SCHAFKOPF, (None, 20, 0, 0), (), id="an open cell"),
    ],
)
def test_a_deal_is_counted_by_its_numbers(game, row, feats):
    assert game.feats(row, house={}, told=None) == feats


def test_a_table_names_its_own_deals():
    house = {"variation": "schoofkopp"}

    assert BAUERNSTOSS.feats((15, 0), house=house, told=None) == (Feat("Lech Dich", (0,)),)


def test_a_hand_that_was_worked_out_knows_its_name():
    hand = {"kind": "big_solo", "bidder": "A", "made": False}
    told = BAUERNSTOSS.settle({**hand, "first_deal": False}, house={})

    assert told.entries == (0, 12)
    assert BAUERNSTOSS.feats((0, 12), house={}, told=told) == (Feat("Big Solo", (1,)),)


def test_a_hand_without_a_name_is_none_whatever_its_number_is_called():
    """A normal game for 2, doubled: 4 is no Bettler."""
    told = rules.Settlement(entries=(4, 0), note=(rules.Sentence("%(n)s : 20", {"n": 66}),))

    assert BAUERNSCHNAPSEN.feats((4, 0), house={}, told=None) == (Feat("Bettler", (0,)),)
    assert BAUERNSCHNAPSEN.feats((4, 0), house={}, told=told) == ()


@pytest.mark.parametrize(
    ("points", "feats"),
    [
        (95, (Feat("Schneider", (0, 1)),)),
        (70, ()),
        (20, (Feat("Schneider", (2, 3)),)),
    ],
)
def test_the_level_of_a_hand_counts_for_its_winners(points, feats):
    hand = {"contract": "rufer", "declarer": 0, "partner": 1, "points": points, "tricks": "some"}
    told = SCHAFKOPF.settle(hand, house={})

    assert told.entries is not None
    assert SCHAFKOPF.feats(told.entries, house={}, told=told) == feats


@pytest.mark.parametrize(
    ("game", "row", "pairs"),
    [
        (SCHAFKOPF, (14, 14, 0, 0), ((0, 1), (2, 3))),
        (SCHAFKOPF, (0, 14, 0, 14), ((1, 3), (0, 2))),
        (SCHAFKOPF, (0, 20, 20, 20), ()),
        (SCHAFKOPF, (None, 14, 0, 14), ()),
        (BAUERNSTOSS, (1, 0), ()),
    ],
)
def test_who_played_together_in_a_deal(game, row, pairs):
    assert game.together(row) == pairs


@pytest.mark.parametrize(
    ("game", "house", "stakes"),
    [
        (SCHAFKOPF, {}, ("unit",)),
        (BAUERNSTOSS, {}, ("match", "points")),
        (BAUERNSCHNAPSEN, {}, ("match", "points", "bummerl")),
        (BAUERNSCHNAPSEN, {"bummerl": "off"}, ("match", "points")),
    ],
)
def test_what_a_table_can_play_for(game, house, stakes):
    assert game.stakes(house) == stakes
