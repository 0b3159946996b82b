"""A file back to a table: what is taken could have been written at one (docs/export.md)."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from django.utils.translation import gettext as _

from games import rules
from games.access import SideLike
from games.exchange.parts import Unreadable, parse
from games.exchange.taken import Taken, TakenMatch
from games.exchange.writing import EDITION, FORMAT
from games.forms import clean_agreed
from games.models import HIGHEST_ROUND, Change, LateEntry, Match, Player, Table
from games.names import clean_name, clean_side_name
from games.rules import HouseRuleRefused
from games.services.refusals import in_words
from games.sheet import Cell, Row, Sheet
from games.spelling import name_key
from games.stakes import clean_currency

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.exchange.parts import Group, Part

Value = TypeVar("Value")

VERSION = 1  # of everything in a table that has just been brought back
SEATS = 4
PLAYERS_AT_MOST = 100
MATCHES_AT_MOST = 1000
DEALS_AT_MOST = 5000  # in all matches
HISTORY_AT_MOST = 100_000
THROWN_AT_MOST = 1000
LISTED_AT_MOST = 1000  # corrections of the dealer and the like
HIGHEST_VALUE = 9999  # as the pad has four digits
HIGHEST_CENTS = 999_999
HIGHEST_VERSION = 10**9
ANSWERS_AT_MOST = 40  # of a hand
WRITTEN, CORRECTED, IMPLIED = "written", "corrected", "implied"
_WORD = re.compile(r"[A-Za-z0-9_-]{1,40}\Z")


def read_file(data: bytes | str) -> Taken:
    """What a file holds, nothing of it stored yet. Raises ``Unreadable``."""
    top = parse(data)
    _refuse_foreign(top)
    group = top.group(
        ("format", "edition", "game", "house", "started_at", "players", "matches"),
        ("agreed", "unit_cents", "currency", "stake"),
    )
    table = Table(
        game_slug=group["game"].word([game.slug for game in rules.all_games()]),
        agreed=group.read("agreed", lambda part: part.cleaned(clean_agreed), ""),
        unit_cents=group.read("unit_cents", _cents, None),
        currency=group.read("currency", _currency, ""),
        created_at=group["started_at"].time(),
    )
    table.house = _house(group["house"], table)
    table.stake = group.read("stake", lambda part: _stake(part, table), "")
    players = _players(group["players"])
    parts = _matches(group["matches"])
    _refuse_too_long(parts)
    matches = [_match(part, number, table, players) for number, part in enumerate(parts, start=1)]
    for one, part in zip(matches[:-1], parts, strict=False):
        if one.sheet.match.is_open:
            part.refuse(_("Only the last match can be open."))
    return Taken(table, players, matches)


def _refuse_foreign(top: Part) -> None:
    """Raise for what is no file of ours, and for an edition that we cannot read."""
    said = top.value if isinstance(top.value, dict) else {}
    if said.get("format") != FORMAT:
        raise Unreadable(_("This is no file that was taken home from a score sheet."))
    if said.get("edition") != EDITION or isinstance(said["edition"], bool):
        raise Unreadable(
            _("This file is of another edition. Only edition %(edition)s can be read here.")
            % {"edition": EDITION}
        )


def _matches(part: Part) -> list[Part]:
    found = part.each(_("match %(n)s"), MATCHES_AT_MOST)
    if not found:
        part.refuse(_("There is no match in this file."))
    return found


def _refuse_too_long(matches: list[Part]) -> None:
    """Raise for so many deals that judging them would keep others waiting."""
    rounds = [one.value.get("rounds") for one in matches if isinstance(one.value, dict)]
    if sum(len(deals) for deals in rounds if isinstance(deals, list)) > DEALS_AT_MOST:
        say = _("These are more than %(most)s deals, and no evening is so long.")
        raise Unreadable(say % {"most": DEALS_AT_MOST})


def _cents(part: Part) -> int | None:
    return part.or_none(lambda cents: cents.whole(1, HIGHEST_CENTS))


def _currency(part: Part) -> str:
    return part.cleaned(clean_currency) if part.text() else ""


def _stake(part: Part, table: Table) -> str:
    kinds = ("match", "points", "bummerl") if table.game.partnerships else ("unit",)
    return part.word(kinds) if part.text() else ""


def _house(part: Part, table: Table) -> dict[str, Any]:
    """House rules, all of them: those left out are as usual."""
    if not isinstance(part.value, dict):
        part.refuse(_("Here belong names with values, in braces."))
    try:
        return dict(table.game.house_rules(part.value))
    except HouseRuleRefused as refused:
        say = _("No house rule “%(name)s” of this game can be so.")
        part.refuse(say % {"name": str(refused.name)[:40]})


def _players(part: Part) -> list[Player]:
    found = []
    known: set[str] = set()
    for one in part.each(_("player %(n)s"), PLAYERS_AT_MOST):
        group = one.group(("name", "seat"))
        name = group["name"].cleaned(clean_name)
        if name_key(name) in known:
            group["name"].refuse(_("Somebody at this table has that name already."))
        known.add(name_key(name))
        seat = group["seat"].or_none(lambda seat: seat.whole(0, SEATS - 1))
        found.append(Player(name=name, seat=seat))
    if sorted(player.seat for player in found if player.seat is not None) != list(range(SEATS)):
        part.refuse(_("On each of the seats 0 to 3 there has to sit one player."))
    return found


def _match(part: Part, number: int, table: Table, players: Sequence[Player]) -> TakenMatch:
    group = part.group(
        ("number", "house", "start_dealer", "started_at", "ended_at", "how", "sides", "rounds"),
        (
            *("first_chalk", "dealer_corrections", "thrown_in", "ended_by", "corrected"),
            *("banking", "history", "late", "moves"),
        ),
    )
    if group["number"].whole(1, MATCHES_AT_MOST) != number:
        group["number"].refuse(_("Matches have to be in their order, from 1 on."))
    match = Match(
        table=table,
        number=number,
        house=_house(group["house"], table),
        start_dealer=group["start_dealer"].whole(0, SEATS - 1),
        first_chalk=group.read("first_chalk", lambda chalk: _chalk(chalk, table), ""),
        dealer_corrections=group.read("dealer_corrections", _corrections, []),
        thrown_in=group.read("thrown_in", lambda thrown: _thrown_in(thrown, table), {}),
        corrected=group.read("corrected", lambda flag: flag.flag(), default=False),
        moves=group.read("moves", _moves, []),
        version=VERSION,
        started_at=group["started_at"].time(),
    )
    sides = _sides(group["sides"], table, players)
    columns = tuple(side.column for side in sides)
    _read_end(group, match, columns)
    sheet = _sheet(group["rounds"], match, sides)
    return TakenMatch(
        sheet,
        group.read("history", lambda lines: _history(lines, columns), []),
        group.read("late", lambda lines: _late(lines, columns), []),
    )


def _chalk(part: Part, table: Table) -> str:
    columns = [str(c) for c in table.game.columns] if table.game.partnerships else []
    return part.or_none(lambda chalk: chalk.word(columns)) or ""


def _corrections(part: Part) -> list[list[int]]:
    found: list[list[int]] = []
    for one in part.items(LISTED_AT_MOST):
        group = one.group(("deal", "thrown_in", "seat"))
        here = [
            group["deal"].whole(1, HIGHEST_ROUND + 1),
            group["thrown_in"].whole(0, THROWN_AT_MOST),
        ]
        if found and found[-1][:2] >= here:
            one.refuse(_("Deals have to be in their order, and each once."))
        found.append([*here, group["seat"].whole(0, SEATS - 1)])
    return found


def _moves(part: Part) -> list[list[Any]]:
    """Deals that were removed, put in or swapped, each at a version of the table."""
    found: list[list[Any]] = []
    for one in part.items(LISTED_AT_MOST):
        group = one.group(("write", "what", "deal"))
        version = _version(group["write"], last=found[-1][0] if found else 0)
        what = group["what"].word(["remove", "insert", "swap"])
        found.append([version, what, group["deal"].whole(1, HIGHEST_ROUND)])
    return found


def _version(part: Part, *, last: int) -> int:
    """A version of the table, not before the last one."""
    return part.whole(max(last, 1), HIGHEST_VERSION)


def _thrown_in(part: Part, table: Table) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in part.items(HIGHEST_ROUND + 1):
        group = one.group(("before", "hands"))
        before = str(group["before"].whole(1, HIGHEST_ROUND + 1))
        if before in found:
            one.refuse(_("Deals have to be in their order, and each once."))
        found[before] = group["hands"].whole(1, THROWN_AT_MOST)
    if found and not table.game.thrown_in:
        part.refuse(_("No hand is thrown in in this game."))
    return found


def _read_end(group: Group, match: Match, columns: Sequence[str]) -> None:
    """How a match ended, when and by whom; or that it is still open."""
    how = group["how"].or_none(lambda how: how.word(Match.How.values)) or ""
    ended_at = group["ended_at"].or_none(lambda at: at.time())
    if bool(how) != (ended_at is not None):
        group["how"].refuse(_("A match that has ended says when and how, an open one neither."))
    if ended_at is not None and ended_at < match.started_at:
        group["ended_at"].refuse(_("The match ends before it starts."))
    match.how, match.ended_at = how, ended_at
    match.ended_by = group.read("ended_by", _who, "") if how else ""
    banking = group.read("banking", lambda part: _banking(part, match.table, columns), {})
    match.banking = banking if how == Match.How.LINE else {}


def _banking(part: Part, table: Table, columns: Sequence[str]) -> dict[str, Any]:
    if part.value is None:
        return {}
    group = part.group(("cells", "house"))
    cells = []
    for one in group["cells"].items(LISTED_AT_MOST):
        cell = one.group(("deal", "column", "before"))
        deal, column = cell["deal"].whole(1, HIGHEST_ROUND), cell["column"].word(columns)
        cells.append([deal, column, cell["before"].or_none(_value)])
    house = group["house"].or_none(lambda house: _house(house, table))
    return {"cells": cells, "house": house}


def _sides(part: Part, table: Table, players: Sequence[Player]) -> tuple[SideLike, ...]:
    game = table.game
    sides: list[SideLike] = []
    taken: set[int] = set()
    for one in part.items(len(game.columns)):
        group = one.group(("column", "name", "players"), ("called",))
        name = group["name"].cleaned(clean_side_name)
        if name_key(name) in {name_key(side.name) for side in sides}:
            group["name"].refuse(_("The other side has that name already."))
        places = [p.whole(0, len(players) - 1) for p in group["players"].items(SEATS)]
        if len(set(places)) != (2 if game.partnerships else 1) or taken & set(places):
            say = _("Every side has players of its own: two partners, or one player alone.")
            group["players"].refuse(say)
        taken |= set(places)
        column = group["column"].word([str(column) for column in game.columns])
        now = [players[place].name for place in places]
        names = tuple(group.read("called", partial(_called, count=len(places)), now))
        sides.append(SideLike(len(sides), column, name, tuple(places), names))
    if [side.column for side in sides] != [str(column) for column in game.columns]:
        part.refuse(_("Here belong all sides of the game, in their order."))
    return tuple(sides)


def _called(part: Part, *, count: int) -> list[str]:
    """The names that the players of a side had in this match."""
    names = [one.cleaned(clean_name) for one in part.items(SEATS)]
    if len(names) != count:
        part.refuse(_("Here belongs one name for each player."))
    return names


def _sheet(part: Part, match: Match, sides: tuple[SideLike, ...]) -> Sheet:
    """The rows as a sheet; each is one that some deal gives, or says of itself that it is not."""
    parts = part.each(_("deal %(n)s"), HIGHEST_ROUND)
    columns = tuple(side.column for side in sides)
    groups = [one.group(("number", "entries"), ("hand", "confirmed", "unlawful")) for one in parts]
    rows = {n: _row(group, n, columns) for n, group in enumerate(groups, start=1)}
    sheet = Sheet(match, sides, rows)
    for number in sheet.unlawful:
        group = groups[number - 1]
        if not group.read("unlawful", lambda flag: flag.flag(), default=False):
            breaches = sheet.check(sheet.row(number).values, number).breaches
            group.part.refuse(" ".join(in_words(breach) for breach in breaches))
    if match.is_open and sheet.position.bank_round is not None:
        say = _("The line is reached in deal %(number)s, so this match cannot be open.")
        part.refuse(say % {"number": sheet.position.bank_round})
    return sheet


def _row(group: Group, number: int, columns: tuple[str, ...]) -> Row:
    if group["number"].whole(1, HIGHEST_ROUND) != number:
        group["number"].refuse(_("Deals have to be in their order, from 1 on."))
    cells = group["entries"].items(len(columns))
    if len(cells) != len(columns):
        group["entries"].refuse(_("Here belongs one number for each side, or null."))
    return Row(
        number,
        VERSION,
        tuple(_cell(part, column) for part, column in zip(cells, columns, strict=True)),
        group.read("confirmed", lambda part: _confirmed(part, columns), {}),
        stored=True,
        hand=group.read("hand", _hand, None),
    )


def _cell(part: Part, column: str) -> Cell:
    if part.value is None:
        return Cell(column)
    group = part.group(("value",), ("state", "at", "was"))
    state = group.read("state", lambda s: s.word((WRITTEN, CORRECTED, IMPLIED)), WRITTEN)
    return Cell(
        column,
        _value(group["value"]),
        VERSION,
        implied=state == IMPLIED,
        corrected=state == CORRECTED,
        was=group.read("was", lambda was: was.or_none(_value), None),
        written_at=group.read("at", lambda at: at.or_none(lambda time: time.time()), None),
    )


def _confirmed(part: Part, columns: Sequence[str]) -> dict[str, list[str]]:
    """The doubts that somebody confirmed, each with the columns it was about."""
    codes = part.value if isinstance(part.value, dict) else {}
    group = part.group((), codes)
    for code in codes:
        _refuse_no_word(part, code)
    return {code: [one.word(columns) for one in group[code].items(len(columns))] for code in codes}


def _hand(part: Part) -> dict[str, Any] | None:
    """A hand as it was told: words, numbers, yes and no, or a list with one for each seat."""
    if part.value is None:
        return None
    answers = part.value if isinstance(part.value, dict) else {}
    group = part.group((), answers)
    if len(answers) > ANSWERS_AT_MOST:
        part.refuse(_("Here belongs a list of at most %(most)s.") % {"most": ANSWERS_AT_MOST})
    for name in answers:
        _refuse_no_word(part, name)
        answer = group[name]
        several = answer.items(SEATS) if isinstance(answer.value, list) else [answer]
        for one in several:
            _refuse_no_answer(one)
    return dict(answers)


def _refuse_no_answer(part: Part) -> None:
    if isinstance(part.value, str):
        if part.value:
            _refuse_no_word(part, part.value)
    elif part.value is not None and not isinstance(part.value, bool):
        part.whole(-HIGHEST_VALUE, HIGHEST_VALUE)


def _refuse_no_word(part: Part, word: str) -> None:
    if not _WORD.match(word):
        part.refuse(_("“%(word)s” is no word of this game.") % {"word": word[:40]})


def _history(part: Part, columns: Sequence[str]) -> list[Change]:
    found: list[Change] = []
    for one in part.each(_("line %(n)s of the history"), HISTORY_AT_MOST):
        group = one.group(
            ("at", "who", "deal", "column", "before", "after", "why"),
            ("write", "hand", "from_deal"),
        )
        at = group["at"].time()
        last = found[-1].version if found else 0
        is_one_write = bool(found) and found[-1].at == at
        change = Change(
            version=group.read(
                "write", partial(_version, last=last), last if is_one_write else last + 1
            ),
            at=at,
            who=_who(group["who"]),
            round_number=group["deal"].whole(1, HIGHEST_ROUND),
            column=group["column"].word(columns),
            before=group["before"].or_none(_value),
            after=group["after"].or_none(_value),
            why=group["why"].word(Change.Why.values),
            hand=group.read("hand", _hand, None),
            from_round=group.read("from_deal", lambda deal: deal.whole(1, HIGHEST_ROUND), None),
        )
        found.append(change)
    return found


def _late(part: Part, columns: Sequence[str]) -> list[LateEntry]:
    found = []
    for one in part.each(_("late number %(n)s"), LISTED_AT_MOST):
        group = one.group(("at", "who", "deal", "column", "value", "decision"))
        late = LateEntry(
            at=group["at"].time(),
            who=_who(group["who"]),
            round_number=group["deal"].whole(1, HIGHEST_ROUND),
            column=group["column"].word(columns),
            value=_value(group["value"]),
            decision=group["decision"].word(LateEntry.Decision.values),
        )
        found.append(late)
    return found


def _value(part: Part) -> int:
    return part.whole(0, HIGHEST_VALUE)


def _who(part: Part) -> str:
    """A name, or "" for a host without a seat."""
    return part.cleaned(clean_name) if part.text() else ""
