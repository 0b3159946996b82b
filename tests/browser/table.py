"""What people do at a table, for tests: set it up, sit down, enter numbers, look at the sheet.

Everything goes through the page by taps. A place is a cell as the sheet names it: "3.A" is deal 3
of side A, "3.1" deal 3 of the player on seat 1.
"""

import re
import uuid
from contextlib import contextmanager

from playwright.sync_api import expect

FOUR = ("Lena", "Kofi", "Felix", "Nora")
NOT_BLANK = re.compile("written|corrected")
NO_LINE = "label[for=line-none]"


def set_up(host, game="bauernstoss", *, names=FOUR, holder=None, dealer=0, taps=()):  # noqa: PLR0913
    """Start a table; its path. ``taps`` are house rules to tap, as selectors."""
    host.open(f"/new/{game}/")
    for line, name in enumerate(names):
        host.page.fill(f"#player-{line}", name)
    host.page.locator(f"label[for=dealer-{dealer}]").tap()
    host.page.locator(f"label[for=holder-{'none' if holder is None else holder}]").tap()
    if taps:
        host.page.get_by_text("House rules", exact=True).tap()
    for selector in taps:
        host.page.locator(selector).tap()
    host.page.get_by_role("button", name="Start the table").tap()
    host.page.wait_for_url(re.compile("/t/[^/]+/$"))
    return host.page.url.removeprefix(host.home)


def sit(phone, path, name):
    """Come to a table by any of its links, and take a seat by its name."""
    phone.open(path)
    say_who(phone, name)


def say_who(phone, name):
    """Answer "Who are you?" with a name, or with "I’m just watching"."""
    phone.page.get_by_role("region", name="Who are you?").get_by_role("button", name=name).tap()
    expect(phone.page.locator("#page")).not_to_have_attribute("data-role", "stranger")


def sit_down(host, path, *phones):
    """Everybody takes the seat of the phone's name, and the host comes back to the sheet."""
    for one in phones:
        sit(one, path, one.name)
    host.open(path)


def begin(host, *others, game="bauernstoss"):
    """A table where everybody sits on the seat of the phone's name already; its path.

    For tests of what comes after: set up and joined by the same requests, without the pages.
    """
    fields = {f"player_{line}": name for line, name in enumerate(FOUR)}
    fields["holder"] = str(FOUR.index(host.name))
    path = post(host, f"/new/{game}/", fields)
    for one in others:
        post(one, f"{path}seat/", {"seat": str(FOUR.index(one.name))})
    for one in (host, *others):
        one.open(path)
    return path


def post(phone, path, fields, *, status=303):
    """Send a form without its page, which may just go somewhere; where the answer leads."""
    phone.ask("/csrf/")
    token = next(one["value"] for one in phone.context.cookies() if one["name"] == "csrftoken")
    response = phone.context.request.post(
        phone.home + path, form=fields, headers={"X-CSRFToken": token}, max_redirects=0
    )
    assert response.status == status, response.status
    return response.headers.get("location")


def write(phone, path, place, value, *, base=0, match=1):  # noqa: PLR0913 - a number and where it goes
    """Write a number without its page, as a plain form does."""
    number, column = place.split(".")
    fields = {"value": str(value), "op": str(uuid.uuid4()), "base": str(base), "sure": "1"}
    post(phone, f"{path}m/{match}/r/{number}/{column}/", fields)


def write_deal(phone, path, number, *values, base=0, match=1):
    """Write a whole deal without its page; None leaves a cell open."""
    columns = "AB" if len(values) == 2 else "0123"
    cells = {f"value_{c}": str(v) for c, v in zip(columns, values, strict=True) if v is not None}
    fields = cells | {"op": str(uuid.uuid4()), "base": str(base), "sure": "1"}
    post(phone, f"{path}m/{match}/r/{number}/", fields)


def cell(phone, place):
    return phone.page.locator(f'[data-cell="{place}"]')


def open_pad(phone, place):
    """Tap a cell; the pad opens for it at once."""
    cell(phone, place).tap()
    expect(phone.page.locator("[data-pad-value]")).to_be_focused()


def chip(phone, value):
    return phone.page.locator(f'[data-pad] [data-chip="{value}"]')


def enter(phone, place, value):
    """The usual entry: a tap on the cell, a tap on the number; a rare number by its digits."""
    open_pad(phone, place)
    if chip(phone, value).count():
        chip(phone, value).tap()
    else:
        press(phone, value)
        ok(phone).tap()
    written(phone, place, value)


def written(phone, place, value):
    """Wait until a number stands in its cell on this phone, and is the server's."""
    expect(cell(phone, place)).to_have_attribute("data-state", NOT_BLANK)
    expect(cell(phone, place).locator("b")).to_have_text(str(value))


def type_digits(phone, place, digits):
    """Tap a cell and type on the pad's own digits, without OK."""
    open_pad(phone, place)
    press(phone, digits)


def press(phone, digits):
    """Type on the pad's own digits."""
    if not phone.page.locator("[data-key=ok]").is_visible():
        phone.page.get_by_role("button", name="Digits").tap()
    for digit in str(digits):
        phone.page.locator(f'[data-key="{digit}"]').tap()


def ok(phone):
    return phone.page.locator("[data-pad] .ok").locator("visible=true")


def answer(phone, name):
    """Tap one of the ways out that the pad offers after a refusal."""
    phone.page.locator("[data-pad-answer]").get_by_role("button", name=name).or_(
        phone.page.locator("[data-pad-answer]").get_by_role("link", name=name)
    ).tap()


def say(phone):
    """What the pad answered."""
    return phone.page.locator("[data-pad-answer]")


def tool(phone, name):
    """A button under the sheet."""
    return (
        phone.page.locator(".tools")
        .get_by_role("button", name=name)
        .or_(phone.page.locator(".tools").get_by_role("link", name=name))
    )


def end_by_tap(phone):
    """End match, and yes to the question."""
    tool(phone, "End match").tap()
    question = phone.page.get_by_role("region", name="A question")
    question.get_by_role("button", name="End match").tap()
    expect(phone.page.locator("#page")).not_to_have_attribute("data-status", "open")


def play_on(phone):
    """No to the question. Before and after, a thumb rests: sooner it would count as trembling."""
    question = phone.page.get_by_role("region", name="A question")
    phone.page.wait_for_timeout(400)
    question.get_by_role("link", name="Play on").tap()
    expect(question).to_be_hidden()
    phone.page.wait_for_timeout(400)


def show(phones, *totals):
    """Wait until all these phones show these totals."""
    for one in phones:
        expect(one.page.locator("[data-total]")).to_have_text([str(total) for total in totals])


def status(phones, wanted):
    for one in phones:
        expect(one.page.locator("#page")).to_have_attribute("data-status", wanted)


def sheet(phone, path, match=1):
    """The sheet as programs read it."""
    return phone.ask(f"{path}m/{match}/sheet.json").json()


def entries(phone, path, match=1):
    return [one["entries"] for one in sheet(phone, path, match)["rounds"]]


def history(phone, path, place, match=1):
    """The lines of a cell's history, newest first, on the cell's own page."""
    number, column = place.split(".")
    phone.open(f"{path}m/{match}/r/{number}/{column}/")
    return phone.page.locator(".history li").all_inner_texts()


def pending(phone, place, value):
    """Wait until a number stands in its cell as one that is on its way."""
    expect(cell(phone, place)).to_have_attribute("data-state", "pending")
    expect(cell(phone, place).locator("b")).to_have_text(str(value))


@contextmanager
def unanswered(phone, pattern):
    """Within it, requests to these addresses are on their way."""
    phone.context.route(pattern, lambda _route: None)
    yield
    phone.context.unroute_all(behavior="ignoreErrors")


def put(phone, place, value, base=0):
    """Write a number into the page's outbox, as the pad does."""
    number, column = place.split(".")
    phone.page.evaluate(
        """([place, number, column, text, base]) => {
             const { outbox, page } = window.scoresheet;
             outbox.put({place, cells: {[column]: text}, base,
                         url: `${page.dataset.matchUrl}r/${number}/${column}/`});
           }""",
        [place, number, column, str(value), base],
    )


def outbox(phone):
    """What this phone keeps of the match that it shows."""
    return phone.page.evaluate("window.scoresheet.outbox.all()")


def light(phone):
    """The word about the signal, top right."""
    return phone.page.locator("[data-live]")


def is_live(phone):
    """Wait until this phone listens to the stream."""
    expect(light(phone)).to_have_attribute("data-live", "live")


def hide(phone, *, hidden=True):
    """Lock the phone, or unlock it: headless pages do not hear of it otherwise."""
    phone.page.evaluate(
        """hidden => {
             const tell = (name, value) =>
               Object.defineProperty(document, name, {get: () => value, configurable: true});
             tell('hidden', hidden);
             tell('visibilityState', hidden ? 'hidden' : 'visible');
             document.dispatchEvent(new Event('visibilitychange'));
           }""",
        hidden,
    )


def look_again(phone):
    """Let the page ask for news now, as it does when the signal is back."""
    phone.page.evaluate("dispatchEvent(new Event('online'))")
