"""What is taken: every page, and every state of the sheet and its pad."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

GAMES = ("bauernstoss", "bauernschnapsen", "schafkopf")
OWN = {"bauernstoss": "A", "bauernschnapsen": "A", "schafkopf": "2"}  # the partner's column


def _nothing(_page: Page) -> None:
    """Take the page as it opens."""


class Scene(NamedTuple):
    """One picture: whose phone (of ``tables``, or a stranger's), which address, what is tapped."""

    name: str
    path: str
    who: str = "host"
    act: Callable[[Page], None] = _nothing


def _tap(*selectors: str) -> Callable[[Page], None]:
    """Tap one after the other."""

    def act(page: Page) -> None:
        for selector in selectors:
            page.locator(selector).locator("visible=true").first.tap()

    return act


def _see(selector: str) -> Callable[[Page], None]:
    """Scroll to it."""
    return lambda page: page.locator(selector).scroll_into_view_if_needed()


def _recovery_link(page: Page) -> None:
    """Ask for one; it stands on the page that answers."""
    _tap("#office > summary", "[value=recovery]")(page)
    page.locator("[data-recovery] svg").wait_for()


def _unfold(page: Page) -> None:
    """Open whatever can be unfolded."""
    for summary in page.locator("main summary").all():
        summary.tap()


def _type(place: str, digits: str) -> Callable[[Page], None]:
    """Type a number into a cell by the pad's digits, and press OK."""

    def act(page: Page) -> None:
        page.locator(f'[data-cell="{place}"]').tap()
        if not page.locator("[data-key=ok]").is_visible():
            page.locator("[data-pad-digits]").locator("visible=true").first.tap()
        for digit in digits:
            page.locator(f'[data-key="{digit}"]').tap()
        page.locator("[data-pad] .ok").locator("visible=true").first.tap()
        page.wait_for_timeout(400)

    return act


def _without_signal(place: str, value: str) -> Callable[[Page], None]:
    """Enter a number that cannot be sent."""

    def act(page: Page) -> None:
        page.route("**/r/**", lambda route: route.abort())
        page.locator(f'[data-cell="{place}"]').tap()
        page.locator(f'[data-chip="{value}"]').first.tap()
        page.wait_for_timeout(400)

    return act


def _mistakes(page: Page) -> None:
    """Give two people one name."""
    for line in range(4):
        page.fill(f"#player-{line}", "Lena" if line > 1 else "Felix")
    page.locator("form .cta button").tap()
    page.wait_for_load_state()


def _error(code: str) -> Callable[[Page], None]:
    """Type a wrong code."""

    def act(page: Page) -> None:
        page.fill("#code", code)
        page.locator(".code button").tap()
        page.wait_for_load_state()

    return act


def _nonsense(page: Page) -> None:
    """Paste what is no table."""
    page.fill("#text", "Lena 3 : 1 Kofi")
    page.locator("form .cta button").tap()
    page.wait_for_load_state()


def _do_what_is_the_hosts(page: Page) -> None:
    """Send the host's own form from a phone that is not the host's."""
    with page.expect_navigation():
        page.locator("form[action$='/people/'], form.rename").first.evaluate(
            "form => { form.querySelector('[name=do]').value = 'close'; form.submit() }"
        )


def scenes(paths: dict[str, str]) -> list[Scene]:
    """All scenes, for the tables of ``tables.set_the_scene``."""
    return [*_pages(paths), *(scene for game in GAMES for scene in _of_game(paths, game))]


def _pages(paths: dict[str, str]) -> list[Scene]:
    table, long = paths["bauernstoss"], paths["bauernstoss-long"]
    return [
        Scene("home", "/"),
        Scene("home-first-time", "/", "stranger"),
        Scene("join-wrong-code", "/", "stranger", _error("ABC234")),
        Scene("people", f"{table}people/"),
        Scene("people-of-a-player", f"{table}people/", "partner"),
        Scene("people-long-names", f"{long}people/"),
        Scene(
            "people-partners",
            f"{paths['bauernstoss-empty']}people/?partners",
            "host",
            _see("#partners"),
        ),
        Scene("people-partners-long-names", f"{long}people/", "host", _unfold),
        Scene(
            "people-phones",
            f"{table}people/",
            "host",
            _tap("#phones > summary", "#office > summary"),
        ),
        Scene("people-office-of-a-player", f"{table}people/", "partner", _tap("#office > summary")),
        Scene(
            "people-put-out",
            f"{table}people/",
            "host",
            _tap("#phones > summary", "[value=put-out]"),
        ),
        Scene(
            "people-new-link",
            f"{table}people/",
            "host",
            _tap("#office > summary", "[value=new-link]"),
        ),
        Scene(
            "recovery-link",
            f"{table}people/",
            "host",
            _recovery_link,
        ),
        Scene("recovery-link-ended", "/host/nothing/", "stranger"),
        Scene("regulars", f"{paths['bauernstoss-ended']}regulars/"),
        Scene("regulars-none-yet", f"{table}regulars/"),
        Scene("group", paths["group"]),
        Scene("group-from-outside", f"{paths['group']}?game=schafkopf", "stranger"),
        Scene("group-empty-long-names", paths["group-long"]),
        Scene("group-edit", f"{paths['group']}edit/"),
        Scene("who-are-you", table, "stranger"),
        Scene("who-are-you-long-names", long, "stranger"),
        Scene("tv", f"{table}tv/"),
        Scene("slate", f"{table}m/1/strokes/"),
        Scene("slate-long-names", f"{long}m/1/strokes/"),
        Scene("slate-of-schnapsen", f"{paths['bauernschnapsen-ended']}m/1/strokes/"),
        Scene("waiting-for-a-yes", paths["asked"], "asker"),
        Scene("a-seat-is-asked-for", paths["asked"]),
        Scene("a-seat-was-freed", paths["freed"], "partner"),
        Scene("people-one-sits-out", f"{paths['freed']}people/", "host", _see("[value=let-go]")),
        Scene("not-found", "/t/nothing-here/", "stranger"),
        Scene("forbidden", f"{table}people/", "partner", _do_what_is_the_hosts),
        Scene("out-of-order", paths["broken"], "stranger"),
        Scene("menu", table, "host", _tap(".menu > summary")),
        Scene("who-deals", table, "host", _tap("[data-dealer]")),
        Scene("end-question", table, "host", _tap("[data-end]")),
        Scene("take-home", f"{table}take-home/"),
        Scene("take-home-ended", f"{paths['bauernstoss-ended']}take-home/"),
        Scene("delete", f"{long}delete/"),
        Scene("bring-back", "/import/", "stranger"),
        Scene("bring-back-nonsense", "/import/", "stranger", _nonsense),
        Scene("on-paper", f"{paths['bauernstoss-ended']}m/1/print/"),
        Scene("on-paper-long-names", f"{paths['schafkopf-long']}m/1/print/"),
        Scene("result", f"{paths['schafkopf-ended']}take-home/", "host", _tap("a[href^='/r/']")),
        Scene("cell", f"{table}m/1/r/3/B/"),
        Scene("history", f"{table}m/1/history/"),
        Scene("history-long-names", f"{long}m/1/history/"),
        Scene("deal-menu", table, "host", _tap('tr[data-round="2"] > th')),
        Scene("deal-removed-question", f"{table}m/1/r/2/deal/", "host", _tap("[value=remove]")),
        Scene("pad-refused", table, "host", _type("7.B", "5")),
        Scene("pad-without-signal", table, "host", _without_signal("7.B", "0")),
        Scene("pad-not-a-deal", table, "host", _type("7.B", "13")),
        Scene("pad-digits", table, "partner", _tap('[data-cell="7.A"]', "[data-pad-digits]")),
        Scene("pad-whole-deal", table, "host", _tap('[data-cell="7.A"]', "[data-pad-row]")),
        Scene("watcher", paths["schafkopf"], "stranger", _tap(".watch")),
        Scene("seat-taken", table, "stranger", _tap("button[name=seat][value='0']")),
        Scene("new-with-mistakes", "/new/schafkopf/", "stranger", _mistakes),
    ]


def _of_game(paths: dict[str, str], game: str) -> list[Scene]:
    table, column = paths[game], OWN[game]
    return [
        Scene(f"{game}-new", f"/new/{game}/"),
        Scene(f"{game}-rules", f"/games/{game}/"),
        Scene(f"{game}-house", f"{table}house/"),
        Scene(f"{game}-sheet", table),
        Scene(f"{game}-sheet-of-a-player", table, "partner"),
        Scene(f"{game}-empty", paths[f"{game}-empty"]),
        Scene(f"{game}-long", paths[f"{game}-long"]),
        Scene(f"{game}-ended", paths[f"{game}-ended"]),
        Scene(f"{game}-ended-of-a-player", paths[f"{game}-ended"], "partner"),
        Scene(f"{game}-story", f"{paths[f'{game}-ended']}m/1/story/"),
        Scene(f"{game}-story-long", f"{paths[f'{game}-long']}m/1/story/"),
        Scene(f"{game}-evening", f"{paths[f'{game}-ended']}evening/"),
        Scene(f"{game}-evening-long", f"{paths[f'{game}-long']}evening/"),
        Scene(f"{game}-pad", table, "partner", _tap(f'[data-cell="7.{column}"]')),
        Scene(f"{game}-work-it-out", table, "partner", _tap("[data-settle]")),
    ]
