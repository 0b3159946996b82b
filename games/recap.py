"""The story of a match in words: four facts worth retelling, and the chart with what it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import story
from games.drawing import chart_of
from games.hands import note_words
from games.live import match_url
from games.sheet import MARKS

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.sheet import Sheet
    from games.story import Course

FACTS_AT_MOST = 4


@dataclass(frozen=True)
class Fact:
    """One line of the recap: what it is about, what is said of it, and the side it belongs to."""

    label: str
    words: str
    shape: str = ""
    name: str = ""


def story_of(sheet: Sheet) -> dict[str, Any] | None:
    """What the page and the sheet of a match show of its story; None before the first entry."""
    if not sheet.rows:
        return None
    shapes = [MARKS[column] for column in sheet.columns]
    return {
        "chart": chart_of(
            [row.values for row in sheet.rows],
            shapes,
            line=sheet.line,
            decided_in=sheet.decided_in,
        ),
        "described": described(sheet),
        "facts": facts_of(sheet),
        "url": f"{match_url(sheet)}story/",
    }


def described(sheet: Sheet) -> str:
    """What the chart shows, for those who do not see it."""
    totals = ", ".join(
        f"{side.name} {total}"
        for side, total in zip(sheet.sides, sheet.result()["totals"], strict=True)
    )
    count = len(sheet.rows[: sheet.decided_in])
    words = ngettext("After %(n)s deal: %(totals)s.", "After %(n)s deals: %(totals)s.", count)
    words %= {"n": count, "totals": totals}
    if sheet.line is None:
        return words
    line = _("Line %(line)s.") % {"line": sheet.line}
    return f"{words} {line}"


def facts_of(sheet: Sheet) -> list[Fact]:
    """The facts that say most about this match, at most four."""
    told = Told(sheet, story.course_of(sheet))
    tellers = FOR_SIDES if sheet.game.partnerships else FOR_PLAYERS
    return [fact for teller in tellers if (fact := teller(told))][:FACTS_AT_MOST]


@dataclass(frozen=True)
class Told:
    """A sheet and its course, on the way into words."""

    sheet: Sheet
    course: Course

    def name(self, column: int) -> str:
        """What a column is called."""
        return self.sheet.sides[column].name

    def fact(self, label: str, words: str, column: int) -> Fact:
        """A fact of one side or player."""
        return Fact(label, words, MARKS[self.sheet.columns[column]], self.name(column))


def _biggest_deal(told: Told) -> Fact | None:
    found = story.biggest_deal(told.course)
    if found is None:
        return None
    first, *others = found.rounds
    when = _("deal %(number)s") % {"number": first}
    if others:
        when = _("deals %(first)s and %(second)s") % {"first": first, "second": others[0]}
    hand = "" if others else _hand_in(told, first)
    words = " · ".join(part for part in (str(found.points), hand, when) if part)
    label = _("Biggest deal")
    if len(found.columns) == 1:
        return told.fact(label, words, found.columns[0])
    return Fact(label, f"{words} · {_shared_by(told, found.columns)}" if found.columns else words)


def _hand_in(told: Told, number: int) -> str:
    """The hand of a round as the sheet names it, "" for one that it cannot name."""
    row = told.sheet.row(number)
    names = told.sheet.game.value_names(told.sheet.house)
    points = max(value or 0 for value in row.values)
    return note_words(told.sheet.settlement(row)) or (_(names[points]) if points in names else "")


def _shared_by(told: Told, columns: tuple[int, ...]) -> str:
    """Several winners by name, or the one they all won against."""
    losers = [column for column in range(told.course.columns) if column not in columns]
    if len(losers) == 1:
        return _("against %(name)s") % {"name": told.name(losers[0])}
    return " & ".join(told.name(column) for column in columns)


def _turning_point(told: Told) -> Fact | None:
    found, hero = story.turning_point(told.course), told.course.hero
    if found is None or hero is None:
        return None
    numbers = {
        "number": found.number,
        "mine": found.mine,
        "theirs": found.theirs,
        "points": found.theirs - found.mine,
    }
    if found.mine == found.theirs:
        words = _("deal %(number)s, at %(mine)s : %(theirs)s") % numbers
    elif told.sheet.game.partnerships:
        words = _("deal %(number)s, from %(mine)s : %(theirs)s behind") % numbers
    else:
        words = _("deal %(number)s, from %(points)s behind") % numbers
    is_won = told.sheet.status == "banked"
    return told.fact(_("Turning point") if is_won else _("In front since"), words, hero)


def _comeback(told: Told) -> Fact | None:
    found, hero = story.comeback(told.course), told.course.hero
    if found is None or hero is None or found.points == _behind_at_the_turn(told):
        return None
    numbers = {"points": found.points, "number": found.after}
    return told.fact(_("Furthest behind"), _("%(points)s, after deal %(number)s") % numbers, hero)


def _behind_at_the_turn(told: Told) -> int:
    turn = story.turning_point(told.course)
    return 0 if turn is None else turn.theirs - turn.mine


def _led_throughout(told: Told) -> Fact | None:
    found, hero = story.led_throughout(told.course), told.course.hero
    if found is None or hero is None:
        return None
    return told.fact(_("Always in front"), _("from deal %(number)s on") % {"number": found}, hero)


def _shut_out(told: Told) -> Fact | None:
    found = story.shut_out(told.course)
    if found is None or told.sheet.status != "banked":
        return None
    return told.fact(_("Came away with nothing"), "", found)


def _longest_run(told: Told) -> Fact | None:
    found = story.longest_run(told.course)
    if found is None:
        return None
    words = _("%(n)s deals in a row") % {"n": found.times}
    return told.fact(_("Longest run"), words, found.column)


def _chalk_way(told: Told) -> Fact | None:
    found = story.chalk_way(told.course)
    if found is None:
        return None
    label = _("The chalk")
    longest = "" if found.longest is None else told.name(found.longest)
    if not found.changes:
        return Fact(label, _("stayed with %(name)s") % {"name": longest})
    words = ngettext("changed hands once", "changed hands %(n)s times", found.changes)
    words %= {"n": found.changes}
    if longest:
        words = _("%(changed)s, longest with %(name)s") % {"changed": words, "name": longest}
    return Fact(label, words)


def _lead_changes(told: Told) -> Fact | None:
    found = story.lead_changes(told.course)
    if found is None:
        return None
    return Fact(_("The lead"), _("changed %(n)s times") % {"n": found})


def _last_level(told: Told) -> Fact | None:
    found, turn = story.last_level(told.course), story.turning_point(told.course)
    if found is None or (turn and turn.number == found.after + 1):
        return None
    numbers = {"points": found.points, "number": found.after}
    return Fact(_("Last level"), _("%(points)s : %(points)s, after deal %(number)s") % numbers)


def _most_won(told: Told) -> Fact | None:
    found = story.most_won(told.course)
    if found is None:
        return None
    words = _("%(n)s of %(all)s") % {"n": found.times, "all": len(told.course.rows)}
    return told.fact(_("Most deals won"), words, found.column)


def _won_alone(told: Told) -> Fact | None:
    found = story.won_alone(told.course)
    if found is None:
        return None
    return told.fact(_("Won alone most"), _("%(n)s times") % {"n": found.times}, found.column)


def _widest_gap(told: Told) -> Fact | None:
    found = story.widest_gap(told.course)
    if found is None:
        return None
    words = _("%(points)s from %(first)s to %(last)s, after deal %(number)s") % {
        "points": found.points,
        "first": told.name(found.first),
        "last": told.name(found.last),
        "number": found.after,
    }
    return Fact(_("Widest gap"), words)


Tellers: TypeAlias = "tuple[Callable[[Told], Fact | None], ...]"
FOR_SIDES: Tellers = (
    _biggest_deal,
    _turning_point,
    _led_throughout,
    _shut_out,
    _chalk_way,
    _comeback,
    _longest_run,
    _lead_changes,
    _last_level,
)
FOR_PLAYERS: Tellers = (
    _biggest_deal,
    _turning_point,
    _led_throughout,
    _most_won,
    _won_alone,
    _longest_run,
    _comeback,
    _widest_gap,
    _lead_changes,
)
