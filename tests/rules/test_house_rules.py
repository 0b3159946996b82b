"""What a table may agree on, and what is refused."""

import json

import pytest

from games import rules
from games.rules.house import read_house

DEFAULTS = {
    "bauernstoss": {"variation": "main", "free_numbers": False, "line": "game"},
    "bauernschnapsen": {
        "bettler": 4,
        "as_bettler": False,
        "zehner_gang": 10,
        "bummerl": "on",
        "free_numbers": False,
        "line": "game",
    },
    "schafkopf": {
        "short": False,
        "geier": False,
        "suit_geier": False,
        "wedding": False,
        "bettel": 0,
        "ramsch": 0,
        "ramsch_doubles": True,
        "free_numbers": False,
        "line": "game",
    },
}
GAMES = rules.all_games()


def by_slug(game):
    return game.slug


def test_the_menu_has_three_games_in_order():
    assert [game.slug for game in GAMES] == ["bauernstoss", "bauernschnapsen", "schafkopf"]


@pytest.mark.parametrize("slug", ["", "skat", "Bauernstoss", None, []])
def test_find_game_knows_no_other_slug(slug):
    with pytest.raises(rules.UnknownGame):
        rules.find_game(slug)

    assert issubclass(rules.UnknownGame, KeyError)


@pytest.mark.parametrize(
    ("slug", "columns", "partnerships", "thrown_in", "points_word"),
    [
        ("bauernstoss", ("A", "B"), True, True, "marks"),
        ("bauernschnapsen", ("A", "B"), True, False, "game points"),
        ("schafkopf", (0, 1, 2, 3), False, True, "units"),
    ],
)
def test_games_state_the_facts_a_sheet_needs(slug, columns, partnerships, thrown_in, points_word):
    game = rules.find_game(slug)

    assert game.columns == columns
    assert (game.partnerships, game.thrown_in) == (partnerships, thrown_in)
    assert game.points_word == points_word
    assert {game: slug}[rules.find_game(slug)] == slug  # the same hashable value every time
    assert game.name
    assert game.tagline


@pytest.mark.parametrize("game", GAMES, ids=by_slug)
def test_house_rules_fills_defaults_in_a_stable_order(game):
    settled = game.house_rules({})

    assert settled == DEFAULTS[game.slug]
    assert list(settled) == [rule.name for rule in game.house] == list(DEFAULTS[game.slug])
    assert json.loads(json.dumps(settled)) == settled
    assert game.house_rules(settled) == settled


@pytest.mark.parametrize("game", GAMES, ids=by_slug)
def test_every_choice_of_a_rule_is_taken_and_kept_as_it_is(game):
    for rule in game.house:
        for value in rule.choices:
            kept = game.house_rules({rule.name: value})[rule.name]

            assert (type(kept), kept) == (type(value), value)
        assert rule.default in rule.choices
        assert rule.label
        assert len(rule.options) == len(rule.labels)


def test_house_rules_changes_neither_what_it_was_given_nor_a_later_answer():
    game = rules.find_game("schafkopf")
    wanted = {"short": "on"}

    game.house_rules(wanted)["short"] = False

    assert wanted == {"short": "on"}
    assert game.house_rules(wanted)["short"] is True


@pytest.mark.parametrize(
    ("slug", "name", "sent", "kept"),
    [
        ("schafkopf", "short", "on", True),
        ("schafkopf", "short", "true", True),
        ("schafkopf", "short", "True", True),
        ("schafkopf", "ramsch_doubles", "off", False),
        ("schafkopf", "ramsch_doubles", "false", False),
        ("schafkopf", "ramsch_doubles", "False", False),
        ("schafkopf", "bettel", "0", 0),
        ("schafkopf", "bettel", "5", 5),
        ("schafkopf", "ramsch", 20, 20),
        ("bauernschnapsen", "bettler", "5", 5),
        ("bauernschnapsen", "bettler", "0", 0),
        ("bauernschnapsen", "zehner_gang", "9", 9),
        ("bauernschnapsen", "bummerl", "on", "on"),
        ("bauernschnapsen", "bummerl", "off", "off"),
        ("bauernstoss", "variation", "deutscher", "deutscher"),
        ("bauernstoss", "free_numbers", "on", True),
        ("bauernstoss", "line", "game", "game"),
        ("bauernstoss", "line", "none", "none"),
        ("bauernstoss", "line", 1, 1),
        ("bauernstoss", "line", "9999", 9999),
    ],
)
def test_house_rules_reads_values_and_their_text_forms(slug, name, sent, kept):
    found = rules.find_game(slug).house_rules({name: sent})[name]

    assert (type(found), found) == (type(kept), kept)


@pytest.mark.parametrize(
    ("slug", "name", "value"),
    [
        ("schafkopf", "short", 1),
        ("schafkopf", "short", 0),
        ("schafkopf", "short", "1"),
        ("schafkopf", "short", "yes"),
        ("schafkopf", "short", "ON"),
        ("schafkopf", "short", ""),
        ("schafkopf", "short", None),
        ("schafkopf", "short", [True]),
        ("schafkopf", "bettel", True),
        ("schafkopf", "bettel", "on"),
        ("schafkopf", "bettel", 21),
        ("schafkopf", "bettel", -1),
        ("schafkopf", "ramsch", 21),
        ("schafkopf", "bettel", 5.0),
        ("schafkopf", "bettel", "5.0"),
        ("schafkopf", "bettel", "05"),
        ("schafkopf", "bettel", " 5"),
        ("schafkopf", "bettel", "5\n"),
        ("schafkopf", "bettel", "٥"),
        ("schafkopf", "bettel", {}),
        ("schafkopf", "variation", "main"),
        ("schafkopf", "", True),
        ("schafkopf", 7, True),
        ("bauernschnapsen", "bettler", False),
        ("bauernschnapsen", "bettler", 6),
        ("bauernschnapsen", "bettler", "4.0"),
        ("bauernschnapsen", "bummerl", True),
        ("bauernschnapsen", "bummerl", "ON"),
        ("bauernstoss", "variation", "skat"),
        ("bauernstoss", "variation", True),
        ("bauernstoss", "line", 0),
        ("bauernstoss", "line", "0"),
        ("bauernstoss", "line", 10000),
        ("bauernstoss", "line", "10000"),
        ("bauernstoss", "line", True),
        ("bauernstoss", "line", 20.0),
        ("bauernstoss", "line", "020"),
        ("bauernstoss", "line", None),
        ("bauernstoss", "Line", 20),
    ],
    ids=repr,
)
def test_house_rules_refuses_anything_else_by_name_and_value(slug, name, value):
    game = rules.find_game(slug)

    with pytest.raises(rules.HouseRuleRefused) as refused:
        game.house_rules({name: value})

    assert refused.value.name == name
    assert type(refused.value.value) is type(value)
    assert refused.value.value == value
    with pytest.raises(rules.HouseRuleRefused):
        game.check((None,) * len(game.columns), house={name: value})


def test_true_is_not_remembered_as_one_nor_one_as_true():
    game = rules.find_game("schafkopf")
    assert game.house_rules({"bettel": 1})["bettel"] == 1
    assert game.house_rules({"short": True})["short"] is True

    for name, value in [("bettel", True), ("short", 1)]:
        with pytest.raises(rules.HouseRuleRefused):
            game.house_rules({name: value})


@pytest.mark.parametrize(
    ("slug", "house", "line"),
    [
        ("bauernstoss", {}, 20),
        ("bauernstoss", {"variation": "schoofkopp"}, 15),
        ("bauernstoss", {"variation": "deutscher"}, 9),
        ("bauernstoss", {"variation": "deutscher", "line": 12}, 12),
        ("bauernstoss", {"line": "none"}, None),
        ("bauernschnapsen", {}, 24),
        ("bauernschnapsen", {"line": "7"}, 7),
        ("schafkopf", {}, None),
        ("schafkopf", {"line": "100"}, 100),
        ("schafkopf", {"free_numbers": "on"}, None),
    ],
)
def test_line_is_the_games_own_unless_the_table_plays_another(slug, house, line):
    assert rules.find_game(slug).line(house) == line


@pytest.mark.parametrize(
    ("slug", "name", "value", "label"),
    [
        ("schafkopf", "bettel", 0, "not played"),
        ("schafkopf", "bettel", 5, "5"),
        ("bauernschnapsen", "bettler", 5, "5 game points"),
        ("bauernstoss", "line", "none", "no line"),
        ("bauernstoss", "line", 30, "30"),
        ("bauernstoss", "free_numbers", False, "no"),
        ("bauernstoss", "free_numbers", True, "yes"),
    ],
)
def test_a_rule_names_its_values(slug, name, value, label):
    rule = next(rule for rule in rules.find_game(slug).house if rule.name == name)

    assert rule.label_of(value) == label


@pytest.mark.parametrize(
    ("slug", "house", "names"),
    [
        ("bauernstoss", {}, {2: "Schneider", 3: "Schwarz", 8: "Small Solo", 12: "Big Solo"}),
        (
            "bauernstoss",
            {"variation": "schoofkopp"},
            {2: "Schneider", 4: "Schwarz", 15: "Lech Dich"},
        ),
        ("bauernstoss", {"variation": "deutscher"}, {9: "Every trick"}),
        (
            "bauernschnapsen",
            {},
            {
                4: "Bettler",
                6: "Schnapser",
                9: "Gang",
                10: "Zehner-Gang",
                12: "Bauern-Schnapser",
                18: "Farben-Gang",
                24: "Herren-Schnapser",
            },
        ),
        (
            "bauernschnapsen",
            {"bettler": 0, "as_bettler": True, "zehner_gang": 9},
            {
                5: "As-Bettler",
                6: "Schnapser",
                9: "Gang",
                12: "Bauern-Schnapser",
                18: "Farben-Gang",
                24: "Herren-Schnapser",
            },
        ),
        ("schafkopf", {}, {208: "Sie"}),
        ("schafkopf", {"short": True}, {}),
    ],
)
def test_value_names_are_what_a_table_calls_the_numbers(slug, house, names):
    game = rules.find_game(slug)

    assert dict(game.value_names(house)) == names
    for value in names:
        row = (value,) + (0,) * (len(game.columns) - 1)
        assert game.check(row, house=house).status == "lawful"


def test_the_whole_house_answers_by_name_only():
    game = rules.find_game("schafkopf")
    house = read_house(game.house, {"bettel": 5})

    assert house.number("bettel") == 5
    with pytest.raises(TypeError, match="short"):
        house.number("short")
    with pytest.raises(KeyError, match="variation"):
        house["variation"]
