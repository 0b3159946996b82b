"""Every text has its German, and no text hides from translation."""

import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.template.base import Lexer, TokenType
from django.test import Client

from games.words import words_of
from tests.games.helpers import fill, host_of, make_table, new_op, seated, stranger, watcher

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"
GERMAN = ROOT / "locale" / "de" / "LC_MESSAGES" / "django.po"
SOURCES = ("games", "scoresheet", "templates")
PLACEHOLDER = re.compile(r"%?%\(\w+\)[a-z]|%[a-z]|\{\w*\}|\[\d\]")
TAG = re.compile(r"</?\w[^>]*>")
LETTERS = re.compile(r"[^\W\d_]+")
# Words that stand in templates outside translation tags.
UNTRANSLATED = {
    "Scoresheet": "the product's name, the same in every language",
}
SPOKEN_ATTRIBUTES = {"title", "aria-label", "alt", "label", "placeholder", "data-pairs"}
SKIPPED = {"comment", "blocktranslate", "blocktrans"}
ATTRIBUTE_BLOCKS = {"html_attrs", "body_class", "main_class"}  # what fills them is not shown


class Texts(HTMLParser):
    """The texts of a page with their lines: text nodes, and attributes that are shown or read out.

    An element with the id "words" hands sentences to scripts, in all its attributes.
    """

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)
        self.close()

    def handle_data(self, data):
        self.add(data)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in SPOKEN_ATTRIBUTES or (("id", "words") in attrs and name != "id"):
                self.add(value or "")

    def add(self, text):
        if text := " ".join(text.split()):
            self.found.append((self.getpos()[0], text))


def texts_of(html):
    return [text for _line, text in Texts(html).found]


def read(path):
    with path.open("rb") as source:
        return read_po(source, locale="de")


def messages_of(catalogue):
    """Every message of a catalogue by its context and text: one text may stand in two contexts."""
    return {(message.context, message.id): message for message in catalogue if message.id}


def forms(message):
    """Each text in English with its German: one pair, or one for each plural form."""
    if isinstance(message.id, tuple):
        return list(zip(message.id, message.string, strict=True))
    return [(message.id, message.string)]


@pytest.fixture(scope="module")
def german():
    return read(GERMAN)


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """What ``make messages`` finds in the sources as they are now."""
    if shutil.which("xgettext") is None:
        pytest.skip("GNU gettext is not installed")
    copy = tmp_path_factory.mktemp("sources")
    for name in SOURCES:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "locale").mkdir()
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.settings",  # the project's own makemessages
        "PYTHONPATH": str(ROOT),
    }
    subprocess.run(
        [sys.executable, "-m", "django", "makemessages", "--locale", "de", "--no-wrap"],
        cwd=copy,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return read(copy / "locale" / "de" / "LC_MESSAGES" / "django.po")


def test_every_text_of_the_sources_has_its_german(sources, german):
    known = messages_of(german)
    missing = [
        id_
        for id_ in messages_of(sources)
        if id_ not in known or known[id_].fuzzy or not all(de for _, de in forms(known[id_]))
    ]

    assert missing == [], "run make messages, then translate what is new"


def test_the_catalogue_holds_nothing_that_no_source_says(sources, german):
    said = messages_of(sources)

    assert [id_ for id_ in messages_of(german) if id_ not in said] == [], "run make messages"
    assert list(german.obsolete) == []


@pytest.mark.parametrize("what", [PLACEHOLDER, TAG], ids=["placeholders", "tags"])
def test_the_german_fills_the_same_places(german, what):
    differing = [
        (english, de)
        for message in messages_of(german).values()
        for english, de in forms(message)
        if set(what.findall(english)) != set(what.findall(de))
    ]

    assert differing == []


def test_the_german_begins_and_ends_with_the_same_spaces(german):
    differing = [
        (english, de)
        for message in messages_of(german).values()
        for english, de in forms(message)
        if (english[:1].isspace(), english[-1:].isspace()) != (de[:1].isspace(), de[-1:].isspace())
    ]

    assert differing == []


def outside_translation(source):
    """A template without tags, comments and what stands in translation tags; lines stay."""
    kept = []
    skipping = ""
    for token in Lexer(source).tokenize():
        words = token.split_contents() if token.token_type == TokenType.BLOCK else []
        if words[:1] == [f"end{skipping}"]:
            skipping = ""
        elif words and not skipping and (words[0] in SKIPPED or words[-1] in ATTRIBUTE_BLOCKS):
            skipping = words[0]
        is_text = token.token_type == TokenType.TEXT and not skipping
        kept.append(token.contents if is_text else "\n" * token.contents.count("\n"))
    return "".join(kept)


def untranslated(source):
    return [
        f"{line}: {text}"
        for line, text in Texts(outside_translation(source)).found
        if not set(LETTERS.findall(text)) <= set(UNTRANSLATED)
    ]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>{{ name }} 0–0 · ×</p>", []),
        ("<p title='{% translate \"Back\" %}'>{% translate 'Back' %}</p>", []),
        ("<p>{% blocktranslate %}Back{% endblocktranslate %}</p>", []),
        ("{% comment %}Back{% endcomment %}{# Back #}<!-- Back -->", []),
        ("<a class='big'{% if x %} data-keep{% endif %}>Scoresheet</a>", []),
        ("{% if x %}\n<p>Back to {{ name }}</p>{% endif %}", ["2: Back to"]),
        ("<input placeholder='Name'>", ["1: Name"]),
        ("<button aria-label='Close{{ x }}'></button>", ["1: Close"]),
    ],
)
def test_a_text_outside_translation_is_found(source, found):
    assert untranslated(source) == found


@pytest.mark.parametrize(
    "template",
    [path.relative_to(TEMPLATES).as_posix() for path in sorted(TEMPLATES.rglob("*.html"))],
)
def test_a_template_says_nothing_outside_translation(template):
    assert untranslated((TEMPLATES / template).read_text(encoding="utf-8")) == []


@pytest.fixture(scope="module")
def english(german):
    """One pattern for every piece of English that has another German."""
    pieces = set()
    for message in messages_of(german).values():
        for text, de in forms(message):
            pieces |= set(texts_of(text)) - set(texts_of(de)) if text != de else set()
    spoken = {
        piece
        for message in messages_of(german).values()
        for _, de in forms(message)
        for piece in texts_of(de)
    }
    patterns = [
        ".+".join(re.escape(part) for part in PLACEHOLDER.split(piece))
        for piece in sorted(pieces - spoken)
        if LETTERS.search(PLACEHOLDER.sub("", piece))
    ]
    return re.compile("|".join(patterns))


def english_in(page, english):
    return [text for text in texts_of(page) if english.fullmatch(text)]


ROWS: dict[str, list[tuple[int | None, ...]]] = {
    "bauernstoss": [(1, 0), (0, 2), (8, 0), (0, None)],
    "bauernschnapsen": [(0, 3), (12, 0), (None, 6)],
    "schafkopf": [(14, 14, 0, 0), (0, 20, 20, 20), (None, 0, 28, 0)],
}


def german_page(phone, path, posted=None, match=1):
    headers = {"Accept-Language": "de"}
    address = path if path.startswith("/") else phone.url(path, match)
    if posted is None:
        return phone.client.get(address, headers=headers).content.decode()
    return phone.client.post(address, posted, headers=headers).content.decode()


def pages_while_a_match_is_played(host, player, watching, outside):
    """What host, players, watchers and strangers see of three rounds, and what they are asked."""
    first, own = host.table.game.columns[:2]
    phones = {"host": host, "player": player, "watcher": watching, "stranger": outside}
    for who, phone in phones.items():
        for path in (".../", "people/", "house/", f".../r/1/{first}/"):
            yield f"{path} of a {who}", german_page(phone, path)
    for phone, value in [(host, "x"), (host, "5"), (player, "0"), (player, "2"), (player, "")]:
        typed = {"op": new_op(), "base": "0", "value": value}
        yield f"answer to “{value}”", german_page(phone, f".../r/1/{own}/", typed)
    yield "taken seat", german_page(outside, "seat/", {"seat": "1"})
    yield "wrong code", german_page(outside, "seat/", {"seat": "1", "code": "222222"})
    yield "waiting", german_page(outside, "seat/", {"seat": "1", "me": "1"})
    yield "asked for a seat", german_page(host, "people/")
    yield "question about house rules", german_page(host, "house/", {"line": "1"})
    yield "question about the end", german_page(host, ".../end/")


def pages_after_a_match(host, player, outside):
    """What is shown of a match that a tap ended, of the next one, and when that is taken back."""
    own = host.table.game.columns[1]
    host.end()
    for who, phone in {"host": host, "player": player, "stranger": outside}.items():
        yield f"end for a {who}", german_page(phone, ".../")
    late = {"op": new_op(), "base": "0", "value": "1"}
    yield "late number", german_page(player, f".../r/2/{own}/", late)
    yield "sheet with a late number", german_page(host, ".../")
    yield "home", german_page(host, "/")
    host.post("next/", after=1)
    yield "next match", german_page(host, ".../", match=2)
    host.post(".../reopen/")
    yield "match taken back", german_page(host, ".../", match=2)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", list(ROWS))
def test_the_pages_of_a_table_speak_german_only(slug, english):
    table = make_table(slug)
    fill(table, ROWS[slug])
    host, player, watching, outside = (
        host_of(table),
        seated(table, 1),
        watcher(table),
        stranger(table),
    )

    pages = [
        *pages_while_a_match_is_played(host, player, watching, outside),
        *pages_after_a_match(host, player, outside),
    ]

    found = {page: english_in(html, english) for page, html in pages}
    assert {page: texts for page, texts in found.items() if texts} == {}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/join/",
        "/nothing/",
        *[f"/new/{slug}/" for slug in ROWS],
        *[f"/games/{slug}/" for slug in ROWS],
    ],
)
def test_the_pages_before_a_table_speak_german_only(address, english):
    asked = Client().get(address, headers={"Accept-Language": "de"}).content.decode()
    refused = Client().post(address, {}, headers={"Accept-Language": "de"}).content.decode()

    assert english_in(asked, english) == []
    assert english_in(refused, english) == []


def test_what_scripts_say_is_german_only(english):
    given = words_of("de").script.removeprefix("window.scoresheetGiven = ").rstrip(";\n")
    told = json.loads(given)

    assert english_in(told["words"], english) == []
    assert english_in(told["pad"], english) == []


@pytest.mark.django_db
def test_english_on_a_page_is_found(english):
    page = Client().get("/", headers={"Accept-Language": "en"}).content.decode()

    assert "What are you playing?" in english_in(page, english)
