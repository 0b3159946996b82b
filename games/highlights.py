"""What is worth retelling of a whole evening: facts that hold for one alone."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from games.recap import Fact
from games.sheet import MARKS

if TYPE_CHECKING:
    from games.evening import Evening, Told

FACTS_AT_MOST = 4
SHORTEST_RUN = 2  # matches in a row
FEWEST_MATCHES = 2  # below that none is the closest
FEWEST_TOGETHER = 3  # deals, below that partners are no news


def facts(evening: Evening) -> list[Fact]:
    """What is worth retelling of the whole evening."""
    tellers = (_biggest_deal, _longest_run, _closest_match, _happiest_pair, _most_won)
    return [fact for teller in tellers if (fact := teller(evening))][:FACTS_AT_MOST]


def _biggest_deal(evening: Evening) -> Fact | None:
    """The deal that paid most, if no other paid as much."""
    points = max(told.played.biggest[0] for told in evening.matches)
    found = [
        (told, number)
        for told in evening.matches
        if told.played.biggest[0] == points
        for number in told.played.biggest[1]
    ]
    if not points or len(found) > 1:
        return None
    told, number = found[0]
    row = told.played.rows[number - 1]
    sides = [side for side, cell in zip(told.sides, row, strict=True) if cell]
    words = _("%(points)s · match %(match)s, deal %(number)s") % {
        "points": points,
        "match": told.played.number,
        "number": number,
    }
    if len(sides) > 1:
        return Fact(_("Biggest deal"), f"{words} · {' & '.join(side.name for side in sides)}")
    return Fact(_("Biggest deal"), words, MARKS[sides[0].column], sides[0].name)


def _longest_run(evening: Evening) -> Fact | None:
    """The most matches in a row that the same partners won, if no others won as many."""
    if not evening.partnerships:
        return None
    won = [_winner(told) for told in evening.matches if told.played.status != "open"]
    runs = [(len(list(run)), who) for who, run in groupby(won) if who is not None]
    longest = max((length for length, _who in runs), default=0)
    found = [who for length, who in runs if length == longest]
    if longest < SHORTEST_RUN or len(found) > 1:
        return None
    record = next(one for one in evening.pairings if one.people == found[0])
    words = _("%(n)s matches in a row") % {"n": longest}
    return Fact(_("Longest run"), words, record.shape, record.name)


def _winner(told: Told) -> frozenset[int] | None:
    place = told.played.winner
    return None if place is None else frozenset(told.sides[place].player_ids)


def _closest_match(evening: Evening) -> Fact | None:
    """The match that was won by the least, among several."""
    if not evening.partnerships:
        return None
    won = [told.played for told in evening.matches if told.played.winner is not None]
    if len(won) < FEWEST_MATCHES:
        return None
    by_gap = sorted(won, key=lambda one: max(one.totals) - min(one.totals))
    closest, next_one = (sorted(one.totals, reverse=True) for one in by_gap[:2])
    if closest[0] - closest[1] == next_one[0] - next_one[1]:
        return None
    numbers = {"more": closest[0], "less": closest[1], "match": by_gap[0].number}
    return Fact(_("Closest match"), _("%(more)s : %(less)s, match %(match)s") % numbers)


def _happiest_pair(evening: Evening) -> Fact | None:
    """Partners for a deal who won most of all, if no others won as many."""
    if evening.partnerships or len(evening.pairings) <= 1:
        return None
    first, second = evening.pairings[:2]
    if first.tally.won == second.tally.won or first.tally.deals < FEWEST_TOGETHER:
        return None
    words = _("%(n)s of %(all)s") % {"n": first.tally.won, "all": first.tally.deals}
    return Fact(_("Happiest pair"), f"{first.name}, {words}")


def _most_won(evening: Evening) -> Fact | None:
    """The player who won most deals, if nobody won as many."""
    if evening.partnerships:
        return None
    by_won = sorted(evening.players, key=lambda one: -one.tally.won)
    if by_won[0].tally.won == by_won[1].tally.won:
        return None
    most = by_won[0]
    words = _("%(n)s of %(all)s") % {"n": most.tally.won, "all": most.tally.deals}
    return Fact(_("Most deals won"), words, most.shape, most.name)
