"""A way through every page and state, for tests that look at all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.test import RequestFactory
from playwright.sync_api import expect

from games.views import errors
from tests.browser.table import begin, end_by_tap, enter, open_pad, post, put, tool, write_deal

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Route

    from tests.browser.conftest import Phone

CSP = (
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
LONG = 15  # deals; with a line of 20 the match goes on


@dataclass(frozen=True)
class Stop:
    """A page as somebody sees it after some taps."""

    name: str
    path: str
    who: str = "host"
    act: Callable[[Phone], None] | None = None
    part: str | None = None  # what is looked at, where the rest lies covered behind it

    def reach(self, people: People) -> Phone:
        """Go there; the phone that shows it."""
        phone: Phone = getattr(people, self.who)
        phone.open(self.path.format(two=people.two, four=people.four))
        if self.act:
            self.act(phone)
        return phone


@dataclass
class People:
    """Two tables: Lena is host of both, Kofi sits at the first; a guest has the links, no more."""

    host: Phone
    kofi: Phone
    guest: Phone
    two: str = ""
    four: str = ""

    def sit_down(self) -> None:
        self.two = begin(self.host, self.kofi)
        self.four = begin(self.host, game="schafkopf")


def press(name: str) -> Callable[[Phone], None]:
    """Tap a button and wait for the page that it leads to."""

    def act(phone: Phone) -> None:
        with phone.page.expect_navigation():
            phone.page.get_by_role("button", name=name, exact=True).tap()

    return act


def _start_with_faults(phone: Phone) -> None:
    for line, name in enumerate(("Lena", "LENA", "", "x" * 41)):
        phone.page.fill(f"#player-{line}", name)
    phone.page.get_by_text("House rules", exact=True).tap()
    press("Start the table")(phone)


def _type_a_wrong_code(phone: Phone) -> None:
    phone.page.fill("#code", "QQQQQQ")
    press("Join")(phone)


def _ask_for_the_seat(phone: Phone) -> None:
    with phone.page.expect_navigation():
        phone.page.get_by_role("button", name="Kofi").tap()


def _ask_the_table(phone: Phone) -> None:
    _ask_for_the_seat(phone)
    press("That is me too: ask the table")(phone)


def _unfold(phone: Phone) -> None:
    for fold in phone.page.locator("main summary").all():
        fold.tap()


def _ask_for_a_new_link(phone: Phone) -> None:
    phone.page.locator("#office > summary").tap()
    press("New link for the table")(phone)


def _get_a_recovery_link(phone: Phone) -> None:
    phone.page.locator("#office > summary").tap()
    press("New recovery link")(phone)
    expect(phone.page.locator("[data-recovery]")).to_be_visible()


def _play_to_less(phone: Phone) -> None:
    phone.page.fill("[name=line_number]", "1")
    phone.page.locator("label[for=line-number]").tap()
    press("Save the house rules")(phone)


def _play_for_less_than_a_cent(phone: Phone) -> None:
    phone.page.get_by_text("What you play for", exact=True).tap()
    phone.page.fill("#unit", "0.001")
    press("Save")(phone)


def _play_for_a_unit(phone: Phone) -> None:
    phone.page.get_by_text("What you play for", exact=True).tap()
    phone.page.fill("#unit", "0.25")
    press("Save")(phone)


def _type_nonsense(phone: Phone) -> None:
    phone.page.fill("#value", "zwei")
    press("Enter")(phone)


def _break(phone: Phone) -> None:
    """The page of our own mistakes: nothing here fails on demand, so its own view draws it."""

    def answer(route: Route) -> None:
        page = errors.server_error(RequestFactory().get("/broken/"))
        headers = {"Content-Security-Policy": CSP, "Content-Type": "text/html; charset=utf-8"}
        route.fulfill(status=500, headers=headers, body=page.content.decode())

    phone.page.route("**/broken/", answer)
    with phone.expecting("status of 500"):
        phone.open("/broken/")


def _do_what_is_the_hosts(phone: Phone) -> None:
    """Send the host's own form from a phone that is not the host's."""
    with phone.page.expect_navigation():
        phone.page.locator("form[action$='/people/'], form.rename").first.evaluate(
            "form => { form.querySelector('[name=do]').value = 'close'; form.submit() }"
        )


def _meet_another_number(phone: Phone) -> None:
    put(phone, "1.B", 8)
    expect(phone.page.locator("[data-pad-answer] .answer")).to_be_visible()


def _open(place: str) -> Callable[[Phone], None]:
    return lambda phone: open_pad(phone, place)


def _open_the_menu(phone: Phone) -> None:
    phone.page.locator(".menu > summary").tap()


def _work_it_out(phone: Phone) -> None:
    tool(phone, "Work it out").tap()
    expect(phone.page.locator("#settle form")).to_be_visible()


def _write_for_b(phone: Phone) -> None:
    enter(phone, "1.B", 2)


def _end(phone: Phone) -> None:
    end_by_tap(phone)


def _bring_back_nonsense(phone: Phone) -> None:
    phone.page.fill("#text", "Lena 3 : 1 Kofi")
    press("Bring it back")(phone)


def _see_the_result(phone: Phone) -> None:
    with phone.page.expect_navigation():
        phone.page.get_by_role("link", name="Result of match 1").tap()


def _delete_the_table(phone: Phone) -> None:
    table = phone.page.url.removesuffix("delete/")
    press("Delete it for good")(phone)
    phone.page.goto(table)


def _start_a_group(phone: Phone) -> None:
    phone.page.get_by_label("A new group").fill("Donnerstagsrunde im Ochsen")
    press("Start it")(phone)


def _look_at_the_ranking(phone: Phone) -> None:
    phone.page.get_by_role("link", name="To the ranking").tap()
    expect(phone.page.locator("main.group")).to_be_visible()


def _count_in_the_group(phone: Phone) -> None:
    """End a match at the other table and let it count, by the group's name."""
    table = phone.page.url.removeprefix(phone.home).removesuffix("regulars/")
    write_deal(phone, table, 1, 14, 14, 0, 0)
    post(phone, f"{table}m/1/end/", {"sure": "1"})
    press("Donnerstagsrunde im Ochsen")(phone)
    _look_at_the_ranking(phone)


def _edit_the_group(phone: Phone) -> None:
    _look_at_the_ranking(phone)
    phone.page.get_by_role("link", name="Name, and who is who").tap()
    expect(phone.page.get_by_label("Name of the group")).to_be_visible()


def _make_two_people_one(phone: Phone) -> None:
    _edit_the_group(phone)
    phone.page.get_by_label("This name").select_option("Lena")
    phone.page.get_by_label("is the same person as").select_option("Kofi")
    press("Put them together")(phone)


def _delete_the_group(phone: Phone) -> None:
    _edit_the_group(phone)
    press("Delete the group")(phone)


def _take_the_next_match_back(phone: Phone) -> None:
    press("Next match, same partners")(phone)
    gone = phone.page.url
    press("Take back the end of match 1")(phone)
    phone.page.goto(gone)


def _ask_where_it_belongs(phone: Phone) -> None:
    phone.page.locator('tr[data-round="1"] > th').tap()
    expect(phone.page.locator("#moves")).to_be_visible()


def _remove(phone: Phone) -> None:
    press("Remove")(phone)
    press("Yes, remove it")(phone)


def _play_for_long(phone: Phone) -> None:
    """Write deals until no screen shows them all."""
    table = phone.page.url.removeprefix(phone.home)
    is_of_four = phone.page.locator('[data-total="3"]').count() == 1
    for number in range(1, LONG + 1):
        write_deal(phone, table, number, *((0, 20, 20, 20) if is_of_four else (1, 0)))
    phone.page.reload()
    expect(phone.page.locator(f'tr[data-round="{LONG}"]')).to_be_visible()


def _free_the_seat_of_kofi(phone: Phone) -> None:
    post(phone, phone.page.url.removeprefix(phone.home), {"do": "free", "seat": "1"})
    phone.page.reload()


ROUND_ONE = "{two}m/1/r/1/A/"
BEFORE_A_TABLE = (
    Stop("home, empty", "/", "guest"),
    Stop("set-up", "/new/bauernstoss/", "guest"),
    Stop("set-up for four", "/new/schafkopf/", "guest"),
    Stop("set-up with faults", "/new/bauernstoss/", "guest", _start_with_faults),
    Stop("join", "/join/", "guest"),
    Stop("a wrong code", "/join/", "guest", _type_a_wrong_code),
    Stop("bringing a table back", "/import/", "guest"),
    Stop("bringing nonsense back", "/import/", "guest", _bring_back_nonsense),
    Stop("rules of Bauernstoss", "/games/bauernstoss/", "guest"),
    Stop("rules of Bauernschnapsen", "/games/bauernschnapsen/", "guest"),
    Stop("rules of Schafkopf", "/games/schafkopf/", "guest"),
)
AT_A_TABLE = (
    Stop("home, with tables", "/"),
    Stop("who are you?", "{two}", "guest"),
    Stop("a taken seat", "{two}", "guest", _ask_for_the_seat),
    Stop("waiting for a yes", "{two}", "guest", _ask_the_table),
    Stop("people, with a wish", "{two}people/"),
    Stop("people, unfolded", "{two}people/", act=_unfold),
    Stop("people, from outside", "{two}people/", "guest"),
    Stop("a new link, asked", "{two}people/", act=_ask_for_a_new_link),
    Stop("a recovery link", "{two}people/", act=_get_a_recovery_link),
    Stop("a recovery link that is none", "/host/nothing/", "guest"),
    Stop("house rules", "{two}house/"),
    Stop("house rules for four", "{four}house/"),
    Stop("house rules, as a player", "{two}house/", "kofi"),
    Stop("the evening, empty", "{two}evening/"),
    Stop("the evening, a stake refused", "{four}evening/", act=_play_for_less_than_a_cent),
    Stop("what is taken home", "{two}take-home/"),
    Stop("what a watcher takes home", "{four}take-home/", "guest"),
    Stop("whether to delete it", "{two}delete/"),
    Stop("a cell", ROUND_ONE),
    Stop("a cell of four", "{four}m/1/r/1/0/"),
    Stop("a cell, refused", ROUND_ONE, act=_type_nonsense),
    Stop("a hand to work out", ROUND_ONE, act=press("Work it out")),
    Stop("a hand of four", "{four}m/1/r/1/0/", act=press("Work it out")),
)
GONE_WRONG = (
    Stop("404", "/nothing/here/", "guest"),
    Stop("404 of a table", "/t/nothing/", "guest"),
    Stop("403", "{two}people/", "kofi", _do_what_is_the_hosts),
    Stop("500", "/", "guest", _break),
)
ON_THE_SHEET = (
    Stop("sheet", "{two}"),
    Stop("sheet, as a player", "{two}", "kofi"),
    Stop("sheet of four", "{four}"),
    Stop("menu", "{two}", act=_open_the_menu, part=".menu"),
    Stop("pad", "{two}", "kofi", _open("1.B")),
    Stop("pad of four", "{four}", act=_open("1.0")),
    Stop("hand on the sheet", "{two}", "kofi", _work_it_out),
)
ASKED_AND_ENDED = (
    Stop("a number", "{two}", "kofi", _write_for_b),
    Stop("conflict", "{two}", act=_meet_another_number, part=".hand"),
    Stop("the question of the end", "{two}m/1/end/"),
    Stop("house rules, asked", "{two}house/", act=_play_to_less),
    Stop("ended", "{two}", "kofi", _end),
    Stop("ended, as host", "{two}"),
    Stop("the evening", "{two}evening/", act=_play_for_a_unit),
    Stop("the evening, as a player", "{two}evening/", "kofi"),
    Stop("on paper", "{two}m/1/print/"),
    Stop("a match to take home", "{two}take-home/", "kofi"),
    Stop("the result", "{two}take-home/", "kofi", _see_the_result),
    Stop("gone", "{two}", act=_take_the_next_match_back),
    Stop("on paper, for four", "{four}m/1/print/"),
    Stop("deleted", "{four}delete/", act=_delete_the_table),
)
THE_REGULARS = (
    Stop("regulars, none yet", "{two}regulars/", "kofi"),
    Stop("regulars, refused", "{two}regulars/", act=press("Start it")),
    Stop("regulars", "{two}regulars/", act=_start_a_group),
    Stop("regulars, as a player", "{two}regulars/", "kofi"),
    Stop("a group, empty", "{two}regulars/", "kofi", _look_at_the_ranking),
    Stop("a group", "{four}regulars/", act=_count_in_the_group),
    Stop("a group, as a player", "{two}regulars/", "kofi", _look_at_the_ranking),
    Stop("who is who", "{four}regulars/", act=_edit_the_group),
    Stop("who is who, refused", "{four}regulars/", act=_make_two_people_one),
    Stop("a group, asked to end", "{four}regulars/", act=_delete_the_group),
)
A_MATCH_TO_LOOK_AT = (
    Stop("nothing to look at yet", "{two}m/1/story/", "guest"),
    Stop("a full table", "{two}", act=_play_for_long),
    Stop("a full table of four", "{four}", act=_play_for_long),
    Stop("a full table, as a watcher", "{two}", "guest"),
    Stop("the story", "{two}m/1/story/"),
    Stop("the story of four", "{four}m/1/story/"),
    Stop("the slate", "{two}m/1/strokes/"),
    Stop("the wall", "{two}tv/"),
    Stop("the wall of four", "{four}tv/"),
    Stop("people, with a freed seat", "{two}people/", act=_free_the_seat_of_kofi),
    Stop("a freed seat", "{two}", "kofi"),
)
MENDED = (
    Stop("an entry to take back", "{two}", "kofi", _write_for_b),
    Stop("menu of a deal", "{two}", act=_ask_where_it_belongs),
    Stop("a deal in the wrong place", "{two}m/1/r/1/deal/"),
    Stop("a removal, asked", "{two}m/1/r/1/deal/", act=press("Remove")),
    Stop("history", "{two}m/1/history/"),
    Stop("a removal", "{two}m/1/r/1/deal/", act=_remove),
    Stop("history with a removal", "{two}m/1/history/"),
    Stop("history of a deal", "{two}m/1/history/?deal=1"),
)
EVERYTHING = {
    "before a table": BEFORE_A_TABLE,
    "at a table": AT_A_TABLE,
    "gone wrong": GONE_WRONG,
    "on the sheet": ON_THE_SHEET,
    "asked and ended": ASKED_AND_ENDED,
    "the regulars": THE_REGULARS,
    "a match to look at": A_MATCH_TO_LOOK_AT,
    "mended": MENDED,
}
