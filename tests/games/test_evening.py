"""An evening as facts, against evenings that were worked out by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import drawn, gathered, services
from games.evening import Tally, added, balance, played
from games.gathered import evening_of
from games.models import Entry, Match, Table
from tests.games.helpers import (
    HOST_TOKEN,
    PhoneClient,
    fill,
    host_of,
    let_play,
    make_table,
    match_of,
    new_op,
)
from tests.games.test_kept import WRITES

if TYPE_CHECKING:
    from games.evening import Evening, Record

pytestmark = pytest.mark.django_db

# 21 : 5, to the line, and 0 : 22.
BAUERNSTOSS = [
    [(1, 0), (0, 2), (12, 0), (0, 3), (8, 0)],
    [(0, 2), (0, 12), (0, 8)],
]
BAUERNSCHNAPSEN = [[(24, 0)], [(12, 0), (0, 3), (12, 0)], [(0, 6), (1, 0)]]
# Units won or lost: 7 7 -7 -7, -15 5 5 5, 1 -1 1 -1.
SCHAFKOPF = [[(14, 14, 0, 0), (0, 20, 20, 20)], [(2, 0, 2, 0)]]


def now(table: Table) -> Table:
    return Table.objects.get(pk=table.pk)


def play(game: str, matches, house=None) -> Table:
    """A table where these matches were played; all but the last have ended."""
    table = make_table(game, house)
    host = host_of(table)
    for number, rows in enumerate(matches, start=1):
        if number > 1:
            if match_of(table, number - 1).is_open:
                assert host.end(number - 1).status_code == 303
            assert host.post("next/").status_code == 303
        fill(table, rows, number)
    return table


def evening(table: Table) -> Evening:
    return evening_of(now(table))


def fresh(table: Table) -> Evening:
    drawn.forget_all()
    return evening(table)


def of(records: tuple[Record, ...], name: str) -> Record:
    return next(record for record in records if record.name == name)


def tally(found: Tally) -> tuple[int, ...]:
    return found.deals, found.won, found.points, found.best, found.held, found.won_held


class InSecondMatch(PhoneClient):
    """A phone that writes in the second match."""

    def url(self, path: str, match: int = 2) -> str:
        return super().url(path, 2)

    def write(self, number, column, value, **more):
        return super().write(number, column, value, **{**more, "match": 2})

    def write_row(self, number, values, **more):
        return super().write_row(number, values, **{**more, "match": 2})

    def move(self, number, do, **more):
        return super().move(number, do, **{**more, "match": 2})

    def take_back(self, version, **more):
        return super().take_back(now(self.table).version, **{**more, "match": 2})


def change_partners(table: Table, number: int) -> None:
    """Lena plays with Kofi in a match, against Felix and Nora."""
    match = match_of(table, number)
    people = {player.name: player for player in table.players.all()}
    for column, names in {"A": ("Lena", "Kofi"), "B": ("Felix", "Nora")}.items():
        side = match.sides.get(column=column)
        side.name = " & ".join(names)
        side.save()
        let_play(side, [people[name] for name in names])


# ---- three evenings ----


def test_an_evening_of_bauernstoss():
    found = evening(play("bauernstoss", BAUERNSTOSS))

    assert [told.played.totals for told in found.matches] == [(21, 5), (0, 22)]
    assert [told.played.winner for told in found.matches] == [0, 1]
    assert [told.played.how for told in found.matches] == ["line", "line"]
    ours, theirs = found.pairings
    assert (ours.name, ours.matches, ours.won) == ("Lena & Felix", 2, 1)
    assert (theirs.name, theirs.matches, theirs.won) == ("Kofi & Nora", 2, 1)
    # The chalk: A before deals 2 and 4 of the first, B before 3 and 5, and before 2 and 3 of the
    # second match; nobody said who had it in the first deals.
    assert tally(ours.tally) == (8, 3, 21, 12, 2, 0)
    assert tally(theirs.tally) == (8, 5, 27, 12, 4, 2)
    assert ours.tally.feats == {"Big Solo": 1, "Small Solo": 1}
    assert theirs.tally.feats == {"Schneider": 2, "Schwarz": 1, "Big Solo": 1, "Small Solo": 1}
    assert ours.tally.average == Fraction(21, 8)
    assert {one.name: one.dealt for one in found.players} == dict.fromkeys(
        ("Lena", "Kofi", "Felix", "Nora"), 2
    )
    assert found.deals == 8
    assert found.has_fixed_partners


def test_an_evening_of_bauernschnapsen():
    found = evening(play("bauernschnapsen", BAUERNSCHNAPSEN))

    assert [told.played.status for told in found.matches] == ["banked", "banked", "open"]
    ours, theirs = found.pairings
    assert (ours.matches, ours.won, ours.bummerl) == (2, 2, 0)
    assert (theirs.matches, theirs.won, theirs.bummerl) == (2, 0, 3)  # 2 against nothing, and 1
    assert tally(ours.tally) == (6, 4, 49, 24, 0, 0)
    assert tally(theirs.tally) == (6, 2, 9, 6, 0, 0)
    assert theirs.tally.feats == {"Schnapser": 1}
    assert ours.tally.feats == {"Herren-Schnapser": 1, "Bauern-Schnapser": 2}
    assert of(found.players, "Kofi").bummerl == 3


def test_an_evening_of_schafkopf():
    found = evening(play("schafkopf", SCHAFKOPF))

    gains = {one.name: one.gain for one in found.players}
    assert gains == {"Lena": -7, "Kofi": 11, "Felix": -1, "Nora": -3}
    assert sum(gains.values()) == 0
    lena, kofi = found.players[:2]
    assert tally(lena.tally) == (3, 2, 16, 14, 0, 0)
    assert tally(kofi.tally) == (3, 2, 34, 20, 0, 0)
    assert lena.tally.feats == {"lost alone": 1}
    assert kofi.tally.feats == {}
    assert {one.name: (one.tally.won, one.tally.deals) for one in found.pairings} == {
        "Lena & Kofi": (1, 1), "Felix & Nora": (0, 1),
        "Lena & Felix": (1, 1), "Kofi & Nora": (0, 1),
    }  # fmt: skip
    assert not found.has_fixed_partners


# ---- what counts ----


def test_a_deal_that_nobody_entered_and_an_open_cell_count_for_nobody():
    table = play("bauernstoss", [[(1, 0), (None, 2)]])

    found = evening(table)

    assert [tally(one.tally)[:3] for one in found.pairings] == [(1, 1, 1), (2, 1, 2)]


def test_deals_after_the_line_count_nothing():
    table = play("bauernstoss", [[(12, 0), (8, 0)]])
    host = host_of(table)
    assert host.write_row(1, {"A": 3, "B": 0}).status_code == 303  # open again
    assert host.write_row(3, {"A": 0, "B": 3}).status_code == 303
    assert host.write_row(1, {"A": 12, "B": 0}, sure="1").status_code == 303

    found = evening(table)

    assert found.matches[0].played.status == "banked"
    assert found.deals == 2
    assert [one.tally.points for one in found.pairings] == [20, 0]


def test_a_match_that_was_ended_early_is_won_by_nobody():
    table = play("bauernstoss", [[(3, 0)], [(1, 0)]])

    found = evening(table)

    assert [(one.matches, one.won) for one in found.pairings] == [(1, 0), (1, 0)]
    assert all(balance(told, "match") == {} for told in found.matches)


def test_hands_thrown_in_count_for_whoever_gave_them():
    table = make_table()
    host = host_of(table)
    assert host.post(".../thrown-in/", before=1, seen=0, op=new_op()).status_code == 303
    fill(table, [(1, 0)])
    assert host.post(".../thrown-in/", before=2, seen=1, op=new_op()).status_code == 303

    found = evening(table)

    assert [one.dealt for one in found.players] == [1, 1, 1, 0]


def test_a_hand_that_was_worked_out_knows_its_name():
    """No number of units says Schneider."""
    table = make_table("schafkopf")
    host = host_of(table)
    hand = {
        "do": "write", "round": 1, "contract": "rufer", "declarer": 0, "partner": 1, "points": 95,
        "runners": 0, "tricks": "some", "base": 0, "op": new_op(),
    }  # fmt: skip
    assert host.post(".../settle/", hand).status_code == 303, host.sheet()

    lena, kofi, felix, nora = evening(table).players

    assert lena.tally.feats == kofi.tally.feats == {"Schneider": 1}
    assert felix.tally.feats == nora.tally.feats == {}


# ---- partners and names ----


def test_people_are_counted_and_not_columns_when_partners_change():
    table = play("bauernstoss", [BAUERNSTOSS[0], []])
    change_partners(table, 2)
    Table.objects.filter(pk=table.pk).update(version=now(table).version + 1)
    fill(table, [*BAUERNSTOSS[1]], 2)

    found = evening(table)

    assert not found.has_fixed_partners
    assert {one.name: (one.matches, one.won) for one in found.pairings} == {
        "Lena & Felix": (1, 1), "Kofi & Nora": (1, 0),
        "Lena & Kofi": (1, 0), "Felix & Nora": (1, 1),
    }  # fmt: skip
    assert {one.name: one.won for one in found.players} == {
        "Lena": 1, "Kofi": 0, "Felix": 2, "Nora": 1,
    }  # fmt: skip
    assert tally(of(found.players, "Felix").tally)[:4] == (8, 6, 43, 12)
    assert len({one.shape for one in found.players}) == 4
    first, second = found.matches
    owed = [balance(first, "match"), balance(second, "match")]
    felix = next(iter(of(found.players, "Felix").people))
    assert [one[felix] for one in owed] == [Fraction(1, 2), Fraction(1, 2)]


def test_a_new_name_is_the_name_of_the_whole_evening():
    table = play("schafkopf", SCHAFKOPF)
    evening(table)
    services.rename_player(
        visitor=host_of(table).visitor, player_id=table.players.get(seat=0).pk, name="Ida"
    )

    assert evening(table).players[0].name == "Ida"
    assert evening(table).players[0].gain == -7


# ---- stakes ----


@pytest.mark.parametrize(
    ("stake", "stakes"), [("match", (2, -2)), ("points", (24 + 21, -45)), ("bummerl", (3, -3))]
)
def test_the_losing_side_pays_together_and_the_winners_share(stake, stakes):
    found = evening(play("bauernschnapsen", BAUERNSCHNAPSEN))
    sums: dict[int, Fraction] = {}
    for told in found.matches:
        for who, amount in balance(told, stake).items():
            sums[who] = sums.get(who, Fraction(0)) + amount

    assert [sums[who] for one in found.pairings for who in one.people] == [
        Fraction(amount, 2) for amount in stakes for _partner in range(2)
    ]


# ---- time ----


def test_a_match_across_midnight_belongs_to_its_evening():
    table = play("bauernstoss", BAUERNSTOSS)
    start = datetime(2026, 11, 30, 23, 40, tzinfo=UTC)
    Match.objects.filter(table=table).update(
        started_at=start, ended_at=start + timedelta(minutes=80)
    )

    found = fresh(table)

    assert [told.played.took for told in found.matches] == [timedelta(minutes=80)] * 2


def test_an_open_match_lasts_to_its_last_number():
    table = play("bauernstoss", [[(1, 0)]])
    start = match_of(table).started_at
    Entry.objects.update(written_at=start + timedelta(minutes=12))

    assert fresh(table).matches[0].played.took == timedelta(minutes=12)


def test_a_match_without_a_number_has_not_lasted():
    assert evening(make_table()).matches[0].played.took is None


# ---- what is kept ----


@pytest.mark.parametrize("what", WRITES)
def test_a_write_gives_the_evening_that_a_fresh_look_finds(what):
    rows, write = WRITES[what]
    table = play("bauernstoss", [BAUERNSTOSS[0], rows])
    before = evening(table)

    assert write(InSecondMatch(table, HOST_TOKEN)).status_code == 303
    after = evening(table)

    assert after == fresh(table)
    assert after != before


def test_a_correction_of_an_old_match_gives_the_evening_that_a_fresh_look_finds():
    table = play("bauernstoss", BAUERNSTOSS)
    before = evening(table)

    assert host_of(table).write_row(2, {"A": 2, "B": 0}).status_code == 303
    after = evening(table)

    assert after == fresh(table)
    assert of(after.pairings, "Lena & Felix").tally.points == 23
    assert before.matches[1].played == after.matches[1].played


def test_an_old_match_is_folded_once(monkeypatch):
    table = play("bauernstoss", BAUERNSTOSS)
    evening(table)
    folded = []

    def note(sheet):
        folded.append(sheet.match.number)
        return played(sheet)

    monkeypatch.setattr(gathered, "fold_match", note)

    assert host_of(table).write(1, "A", "", match=2).status_code == 303
    evening(table)
    evening(table)

    assert folded == [2]


def test_an_evening_that_was_written_to_while_it_was_read_is_not_kept():
    table = play("bauernstoss", BAUERNSTOSS)
    visitor = now(table)
    assert host_of(table).write_row(2, {"A": 2, "B": 0}).status_code == 303

    evening_of(visitor)

    assert table.key not in gathered._evenings
    assert evening(table) == fresh(table)


@pytest.mark.parametrize("matches", [1, 3])
def test_an_evening_takes_the_same_queries_however_long_it_is(matches):
    table = play("bauernstoss", [BAUERNSTOSS[1]] * matches)
    drawn.forget_all()
    visitor = now(table)

    with CaptureQueriesContext(connection) as cold:
        evening_of(visitor)
    with CaptureQueriesContext(connection) as warm:
        evening_of(visitor)

    assert (len(cold), len(warm)) == (5, 0)


def test_tallies_add_up():
    one = Tally(2, 1, 8, 8, 1, 1, {"Small Solo": 1})
    other = Tally(1, 1, 12, 12, 0, 0, {"Big Solo": 1, "Small Solo": 1})

    assert added([one, other]) == Tally(3, 2, 20, 12, 1, 1, {"Small Solo": 2, "Big Solo": 1})
    assert added([]) == Tally()
    assert Tally().average is None
