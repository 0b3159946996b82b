"""House rules as they are made, and the words in which one is refused."""

import pytest

from games import rules
from games.rules.house import choice, flag, read_house, units


@pytest.mark.parametrize("default", [False, True])
def test_a_flag_is_no_or_yes(default):
    rule = flag("short", "Short", default=default)

    assert (rule.name, rule.label, rule.kind) == ("short", "Short", "flag")
    assert rule.options == ((False, "no"), (True, "yes"))
    assert rule.default is default
    assert (rule.lowest, rule.highest) == (None, None)


def test_a_flag_is_off_unless_told_otherwise():
    assert flag("short", "Short").default is False


def test_a_choice_has_its_values_in_their_order():
    rule = choice("bettler", "Bettler", {4: "four", 0: "not played"}, default=4)

    assert (rule.name, rule.label, rule.kind) == ("bettler", "Bettler", "choice")
    assert rule.options == ((4, "four"), (0, "not played"))
    assert rule.default == 4
    assert (rule.lowest, rule.highest) == (None, None)


def test_units_go_from_not_played_up():
    rule = units("ramsch", "Ramsch", highest=3)

    assert (rule.name, rule.label, rule.kind) == ("ramsch", "Ramsch", "number")
    assert rule.options == ((0, "not played"), (1, ""), (2, ""), (3, ""))
    assert rule.default == 0
    assert (rule.lowest, rule.highest) == (0, 3)
    assert [rule.label_of(value) for value in (0, 1, 3)] == ["not played", "1", "3"]


def test_a_label_belongs_to_one_value_of_one_type():
    rule = flag("short", "Short")

    assert [rule.label_of(value) for value in (True, False, 1, 0)] == ["yes", "no", "1", "0"]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"bettel": 21}, "'bettel' cannot be 21."),
        ({"short": "maybe"}, "'short' cannot be 'maybe'."),
        ({"skat": 1}, "'skat' cannot be 1."),
    ],
)
def test_a_refusal_says_which_rule_cannot_be_what(wanted, message):
    with pytest.raises(rules.HouseRuleRefused) as refused:
        rules.find_game("schafkopf").house_rules(wanted)

    assert str(refused.value) == message
    assert {refused.value.name: refused.value.value} == wanted


def test_a_number_is_told_by_what_it_is_not():
    house = read_house(rules.find_game("schafkopf").house, {"short": True})

    with pytest.raises(TypeError, match=r"^short is not set by a number, but by True\.$"):
        house.number("short")


def test_values_that_cannot_be_remembered_are_refused_like_any():
    game = rules.find_game("bauernstoss")

    for value in ([20], {"line": 20}, {20}):
        with pytest.raises(rules.HouseRuleRefused) as refused:
            game.line({"line": value})
        assert refused.value.value == value
