"""The story and the slate on phones: they follow the match, and a picture can be sent on."""

import re
import struct
import uuid

import pytest
from playwright.sync_api import expect

from tests.browser.table import begin, cell, end_by_tap, entries, set_up, sheet, show, status, tool
from tests.browser.test_pages import LONG, judged

# A browser with a share sheet, which notes what it is given.
SHARES = """
  window.shared = [];
  navigator.canShare = ({files}) => files.every(file => file.type === 'image/png');
  navigator.share = async ({files}) => { shared.push(files[0].name); };
"""
# What plain http in a pub lacks.
PLAIN_HTTP = """
  for (const name of ['share', 'canShare', 'clipboard'])
    Object.defineProperty(Navigator.prototype, name, {get: () => undefined, configurable: true});
"""
WON = [(2, 0), (0, 3), (0, 12), (12, 0), (8, 0)]  # 22 : 15


def write(host, path, number, *numbers):
    """Let the host’s phone write a whole deal, without its pad."""
    host.ask("/csrf/")
    token = next(one["value"] for one in host.context.cookies() if one["name"] == "csrftoken")
    columns = [column["id"] for column in sheet(host, path)["columns"]]
    rounds = {one["number"]: one["version"] for one in sheet(host, path)["rounds"]}
    fields = {f"value_{column}": str(n) for column, n in zip(columns, numbers, strict=True)}
    answer = host.context.request.post(
        f"{host.home}{path}m/1/r/{number}/",
        form={**fields, "op": str(uuid.uuid4()), "base": str(rounds.get(number, 0)), "sure": "1"},
        headers={"X-CSRFToken": token},
        max_redirects=0,
    )
    assert answer.status == 303, answer.text()[:500]


def play(host, path, deals, first=1):
    for number, numbers in enumerate(deals, start=first):
        write(host, path, number, *numbers)


@pytest.fixture
def table(phone):
    """The host’s phone, and the path of a table where two deals are played."""
    host = phone("Lena")
    path = begin(host)
    play(host, path, WON[:2])
    return host, path


def test_who_looks_at_the_story_sees_every_number_come(phone, table):
    host, path = table
    watching = phone("watching")
    watching.open(f"{path}m/1/story/")
    watching.page.get_by_text("Deal by deal").tap()
    totals = watching.page.locator(".result b")
    expect(totals).to_have_text(["2", "3"])

    play(host, path, WON[2:4], first=3)

    expect(totals).to_have_text(["14", "15"])
    expect(watching.page.locator(".course tbody tr")).to_have_count(4)
    expect(watching.page.locator(".course")).to_be_visible()  # unfolded as before


def test_strokes_come_without_a_tap(phone, table):
    host, path = table
    wall = phone("wall")
    wall.open(f"{path}m/1/strokes/")
    expect(wall.page.get_by_role("img", name="2 strokes")).to_be_visible()

    write(host, path, 3, 3, 0)

    expect(wall.page.get_by_role("img", name="5 strokes")).to_be_visible()
    expect(wall.page.locator('[data-count="A"]')).to_have_text("5")


def test_at_the_bank_the_story_comes_to_every_phone(phone, table):
    host, path = table
    watching = phone("watching")
    watching.open(path)
    story = watching.page.locator("#story")
    play(host, path, WON[2:4], first=3)
    show([watching], 14, 15)
    expect(story).to_be_hidden()

    play(host, path, WON[4:], first=5)

    status([watching], "banked")
    for one in (host, watching):
        expect(one.page.locator("#story .chart")).to_be_visible()
    expect(story).to_contain_text("12 · deals 3 and 4")

    write(host, path, 3, 0, 8)
    expect(story).to_contain_text("12 · Big Solo · deal 4")
    tool(host, "Take back").tap()
    status([host, watching], "open")
    expect(host.page.locator("#story")).to_be_hidden()
    expect(story).to_be_hidden()
    expect(story.locator(".chart")).to_have_count(0)


def test_the_sheet_leads_to_the_story_and_the_slate(table):
    host, path = table

    for name, end in (("The story of the match", "story/"), ("On the slate", "strokes/")):
        host.page.locator("summary.icon").tap()
        host.page.get_by_role("link", name=name).tap()
        host.page.wait_for_url(f"**{path}m/1/{end}")
        host.page.get_by_role("link", name="Back to the sheet").tap()
        host.page.wait_for_url(f"**{path}m/1/")


def test_the_picture_is_saved_as_png(table):
    host, path = table
    host.open(f"{path}m/1/story/")

    with host.page.expect_download() as told:
        host.page.get_by_role("button", name="Save the picture").tap()

    assert told.value.suggested_filename == "scoresheet-bauernstoss-1.png"
    png = told.value.path().read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == (1200, 630)
    expect(host.page.get_by_role("link", name="Save the picture")).to_be_hidden()


def test_the_picture_is_shared_where_phones_can(phone, table):
    _host, path = table
    other = phone("other")
    other.context.add_init_script(SHARES)
    other.open(f"{path}m/1/story/")

    other.page.get_by_role("button", name="Share the picture").tap()

    other.page.wait_for_function("() => shared.length === 1")
    assert other.page.evaluate("shared") == ["scoresheet-bauernstoss-1.png"]


def test_on_plain_http_the_picture_is_saved_and_the_link_lies_selected(phone, table):
    _host, path = table
    other = phone("other")
    other.context.add_init_script(PLAIN_HTTP)
    other.open(f"{path}m/1/story/")

    expect(other.page.get_by_role("button", name="Save the picture")).to_be_visible()
    expect(other.page.get_by_role("button", name="Share the picture")).to_be_hidden()
    other.page.get_by_role("button", name="Copy").tap()

    chosen = other.page.evaluate(
        "(box => box.value.slice(box.selectionStart, box.selectionEnd))(document.activeElement)"
    )
    assert chosen.endswith(f"{path}m/1/story/")


def test_without_scripts_there_is_the_plain_picture_and_the_link(phone, table):
    _host, path = table
    other = phone("other", java_script_enabled=False)
    other.open(f"{path}m/1/")

    other.page.locator("summary.icon").tap()
    other.page.get_by_role("link", name="The story of the match").tap()
    expect(other.page.get_by_label("Link")).to_have_value(
        re.compile(f"^http://.*{path}m/1/story/$")
    )
    expect(other.page.get_by_role("button", name="Copy")).to_be_hidden()
    with other.page.expect_download() as told:
        other.page.get_by_role("link", name="Save the picture").tap()
    assert told.value.suggested_filename == "scoresheet-bauernstoss-1.svg"

    other.page.get_by_role("link", name="On the slate").tap()
    expect(other.page.get_by_role("img", name="3 strokes")).to_be_visible()


def test_an_ended_sheet_without_scripts_tells_its_story(phone):
    host = phone("host", java_script_enabled=False)
    path = set_up(host, "bauernstoss", holder=0)
    for place, number in (("1.A", 2), ("2.B", 3)):
        cell(host, place).get_by_role("link").tap()
        host.page.locator(f'[data-chip="{number}"]').tap()
    tool(host, "End match").tap()
    host.page.get_by_role("button", name="End match").tap()

    expect(host.page.locator("#story .chart")).to_be_visible()
    assert len(entries(host, path)) == 2


@pytest.mark.parametrize(
    ("game", "deals"),
    [
        ("bauernstoss", [(2, 0), (0, 12), (12, 0)]),
        ("schafkopf", [(14, 14, 0, 0), (0, 20, 20, 20)]),
    ],
)
def test_a_story_leaves_nobody_out_on_a_narrow_phone(phone, game, deals):
    host = phone("host", width=320, height=640)
    path = set_up(host, game, names=LONG)
    play(host, path, deals)

    for page in ("story/", *(["strokes/"] if game == "bauernstoss" else [])):
        with judged(host):
            host.open(f"{path}m/1/{page}")
            if page == "story/":
                host.page.locator(".fold > summary").tap()
    host.open(path)
    end_by_tap(host)
    with judged(host):
        expect(host.page.locator("#story .chart")).to_be_visible()
