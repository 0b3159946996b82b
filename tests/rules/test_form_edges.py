"""Every question that a form asks about a hand: its kind, its answers, and when it is asked."""

import pytest

from games import rules

BAUERNSTOSS = rules.find_game("bauernstoss")
BAUERNSCHNAPSEN = rules.find_game("bauernschnapsen")
SCHAFKOPF = rules.find_game("schafkopf")

PLAYED = {"kind": ("played",)}
SOLOS = {"kind": ("small_solo", "big_solo")}
LECH_DICH = {"kind": ("big_solo",)}

LADDER = (
    "normal", "bettler", "schnapser", "gang", "zehner_gang", "kontra_schnapser",
    "bauern_schnapser", "farben_gang", "kontra_bauern_schnapser", "herren_schnapser",
)  # fmt: skip
NORMAL = {"contract": ("normal",)}
CLAIMED = {**NORMAL, "ending": ("claim",)}

COUNTED = ("rufer", "wenz", "solo")
TOUTS = ("wenz_tout", "solo_tout")
RUNNING = (*COUNTED, *TOUTS)
SHORT_HOUSE = {
    "short": True,
    "geier": True,
    "suit_geier": True,
    "wedding": True,
    "bettel": 5,
    "ramsch": 1,
}
SHORT_COUNTED = (*COUNTED, "wedding", "geier", "suit_geier")
SHORT_TOUTS = (*TOUTS, "geier_tout", "suit_geier_tout")
SHORT_FORM = (
    "rufer", "wedding", "bettel", "wenz", "geier", "suit_geier", "solo",
    "wenz_tout", "geier_tout", "suit_geier_tout", "solo_tout",
)  # fmt: skip


def of(*contracts):
    return {"contract": contracts}


def asked(game, house):
    """Each question as it is: name, kind, answers, when, and what is chosen at first."""
    return [
        (
            question.name,
            question.kind,
            [option.value for option in question.options],
            question.when,
            question.usual,
        )
        for question in game.questions(house)
    ]


def question(game, house, name, *, many=False):
    return next(
        question for question in game.questions(house)
        if question.name == name and question.many == many
    )  # fmt: skip


@pytest.mark.parametrize(
    ("variation", "form"),
    [
        pytest.param(
            "main",
            [
                ("kind", "choice", ["played", "small_solo", "big_solo"], {}, "played"),
                ("chalk", "side", [], PLAYED, None),
                ("points_a", "points", [], PLAYED, None),
                ("all_tricks", "side", ["", "A", "B"], PLAYED, ""),
                ("bidder", "side", [], SOLOS, None),
                ("made", "choice", [True, False], SOLOS, None),
            ],
            id="main",
        ),
        pytest.param(
            "schoofkopp",
            [
                ("kind", "choice", ["played", "big_solo"], {}, "played"),
                ("chalk", "side", [], {**PLAYED, "first_deal": (False,)}, None),
                ("trump_maker", "side", [], {**PLAYED, "first_deal": (True,)}, None),
                ("points_a", "points", [], PLAYED, None),
                ("all_tricks", "side", ["", "A", "B"], PLAYED, ""),
                ("bidder", "side", [], LECH_DICH, None),
                ("made", "choice", [True, False], LECH_DICH, None),
            ],
            id="schoofkopp",
        ),
        pytest.param(
            "deutscher",
            [
                ("trump_maker", "side", [], {}, None),
                ("points_a", "points", [], {}, None),
                ("all_tricks", "side", ["", "A", "B"], {}, ""),
            ],
            id="deutscher",
        ),
    ],
)
def test_the_form_of_bauernstoss(variation, form):
    assert asked(BAUERNSTOSS, {"variation": variation}) == form


def test_the_form_of_bauernschnapsen():
    declared = tuple(key for key in LADDER if key not in {"normal", "herren_schnapser"})
    failing = tuple(key for key in declared if key != "farben_gang")

    assert asked(BAUERNSCHNAPSEN, {}) == [
        ("contract", "choice", list(LADDER), {}, "normal"),
        (
            "declarer",
            "choice",
            ["forehand", "dealers_partner", "forehands_partner", "dealer"],
            of(*declared),
            None,
        ),
        ("made", "choice", [True, False], of(*failing), None),
        ("ending", "choice", ["claim", "last_trick"], NORMAL, "claim"),
        ("by", "side", [], NORMAL, None),
        ("opp_tricks", "choice", [0, 1, 2, 3, 4], CLAIMED, None),
        ("claim_points", "points", [], CLAIMED, 66),
        ("opp_points", "points", [], {**CLAIMED, "opp_tricks": (1, 2, 3, 4)}, None),
        ("doubles", "choice", [0, 1, 2, 3], {}, 0),
    ]


def test_a_seat_is_offered_for_the_contracts_it_may_declare():
    declarer = question(BAUERNSCHNAPSEN, {}, "declarer")

    forehand, dealers_partner, forehands_partner, dealer = (
        option.when for option in declarer.options
    )
    assert forehand == of("bettler", "schnapser", "gang", "zehner_gang", "bauern_schnapser")
    assert forehands_partner == of(
        "bettler", "schnapser", "gang", "zehner_gang", "bauern_schnapser", "farben_gang"
    )
    assert dealer == dealers_partner
    assert dealer == of(
        "bettler", "gang", "zehner_gang", "kontra_schnapser", "farben_gang",
        "kontra_bauern_schnapser",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("house", "form"),
    [
        pytest.param(
            {},
            [
                ("contract", "choice", [*RUNNING, "sie"], {}, "rufer"),
                ("declarer", "seat", [], of(*RUNNING, "sie"), None),
                ("partner", "seat", [], of("rufer"), None),
                ("points", "points", [], of(*COUNTED), None),
                ("tricks", "choice", ["some", "all", "none"], of(*COUNTED), "some"),
                ("tricks", "choice", ["all", "some", "none", "some"], of(*TOUTS), None),
                ("runners", "count", [], of(*RUNNING), 0),
                (
                    "holder",
                    "choice",
                    ["declarer", "defence"],
                    {**of(*RUNNING), "runners": tuple(range(1, 15))},
                    None,
                ),
                ("doubles", "choice", [0, 1, 2], of(*RUNNING, "sie"), 0),
            ],
            id="usual",
        ),
        pytest.param(
            SHORT_HOUSE,
            [
                ("contract", "choice", [*SHORT_FORM, "ramsch"], {}, "rufer"),
                ("declarer", "seat", [], of(*SHORT_FORM), None),
                ("partner", "seat", [], of("rufer", "wedding"), None),
                ("points", "points", [], of(*SHORT_COUNTED), None),
                ("tricks", "choice", ["some", "all", "none"], of(*SHORT_COUNTED), "some"),
                (
                    "tricks",
                    "choice",
                    ["all", "some", "none", "some"],
                    of(*SHORT_TOUTS, "bettel"),
                    None,
                ),
                ("runners", "count", [], of(*SHORT_COUNTED, *SHORT_TOUTS), 0),
                (
                    "holder",
                    "choice",
                    ["declarer", "defence"],
                    {**of(*SHORT_COUNTED, *SHORT_TOUTS), "runners": tuple(range(1, 13))},
                    None,
                ),
                ("doubles", "choice", [0, 1, 2], of(*SHORT_FORM), 0),
                ("points", "points", [], of("ramsch"), None),
                ("no_trick", "switch", [], of("ramsch"), None),
                ("loser", "seat", [], of("ramsch"), None),
            ],
            id="everything by agreement",
        ),
    ],
)
def test_the_form_of_schafkopf(house, form):
    assert asked(SCHAFKOPF, house) == form


@pytest.mark.parametrize(
    ("house", "touts", "bettel"),
    [
        pytest.param({}, TOUTS, (), id="usual"),
        pytest.param(SHORT_HOUSE, SHORT_TOUTS, ("bettel",), id="by agreement"),
    ],
)
def test_tricks_are_offered_as_they_are_called_in_a_contract(house, touts, bettel):
    counted, flat = (asked for asked in SCHAFKOPF.questions(house) if asked.name == "tricks")

    assert [option.when for option in counted.options] == [{}, {}, {}]
    assert [option.when for option in flat.options] == [
        of(*touts), of(*touts), of(*bettel), of(*bettel),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "house", "names"),
    [
        (BAUERNSTOSS, {}, []),
        (BAUERNSTOSS, {"variation": "schoofkopp"}, ["trump_maker"]),
        (BAUERNSTOSS, {"variation": "deutscher"}, []),
        (BAUERNSCHNAPSEN, {}, []),
        (SCHAFKOPF, {}, []),
        (SCHAFKOPF, SHORT_HOUSE, ["loser"]),
    ],
)
def test_only_what_matters_in_a_tie_may_be_left_out(game, house, names):
    assert [asked.name for asked in game.questions(house) if asked.optional] == names


def test_seats_are_numbered_clockwise_from_the_dealer():
    declarer = question(BAUERNSCHNAPSEN, {}, "declarer")

    assert [(option.value, option.seat) for option in declarer.options] == [
        ("forehand", 1),
        ("dealers_partner", 2),
        ("forehands_partner", 3),
        ("dealer", 4),
    ]


@pytest.mark.parametrize(
    ("game", "house", "name", "lowest", "highest"),
    [
        (BAUERNSTOSS, {}, "points_a", 0, 120),
        (BAUERNSTOSS, {"variation": "deutscher"}, "points_a", 0, 120),
        (BAUERNSCHNAPSEN, {}, "claim_points", 0, 220),
        (BAUERNSCHNAPSEN, {}, "opp_points", 8, 212),
        (SCHAFKOPF, {}, "points", 0, 120),
        (SCHAFKOPF, {}, "runners", 0, 14),
        (SCHAFKOPF, SHORT_HOUSE, "runners", 0, 12),
    ],
)
def test_numbers_are_asked_for_within_bounds(game, house, name, lowest, highest):
    found = question(game, house, name)

    assert (found.lowest, found.highest) == (lowest, highest)


def test_only_the_points_of_side_a_are_mirrored_and_only_a_ramsch_asks_everybody():
    mirrored = [
        question.name
        for game in rules.all_games()
        for question in game.questions({})
        if question.mirror
    ]
    of_many = [
        (question.name, question.highest)
        for question in SCHAFKOPF.questions(SHORT_HOUSE)
        if question.many
    ]

    assert mirrored == ["points_a"]
    assert of_many == [("points", 120), ("no_trick", 0)]


@pytest.mark.parametrize(
    ("game", "house"),
    [
        (BAUERNSTOSS, {}),
        (BAUERNSTOSS, {"variation": "schoofkopp"}),
        (BAUERNSTOSS, {"variation": "deutscher"}),
        (BAUERNSCHNAPSEN, {}),
        (SCHAFKOPF, SHORT_HOUSE),
    ],
)
def test_nothing_is_asked_or_offered_without_words(game, house):
    for asked_for in game.questions(house):
        assert isinstance(asked_for.label, str)
        assert asked_for.label
        labels = [option.label for option in asked_for.options]
        assert all(isinstance(label, str) and label for label in labels)


def test_sides_are_offered_by_their_letters_and_solos_by_their_names():
    tricks = question(BAUERNSTOSS, {}, "all_tricks")
    kinds = question(BAUERNSTOSS, {"variation": "schoofkopp"}, "kind")

    assert [option.label for option in tricks.options[1:]] == ["A", "B"]
    assert kinds.options[1].label == "Lech Dich"
    assert [option.label for option in question(BAUERNSCHNAPSEN, {}, "opp_tricks").options] == [
        "0", "1", "2", "3", "4",
    ]  # fmt: skip
