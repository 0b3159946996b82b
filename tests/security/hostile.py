"""Requests that no page of ours sends: every address and method, and anything everywhere.

A seed makes the same requests every time. Half of them are right ones with a few things wrong, which
come further than noise does.
"""

# ruff: noqa: E501 - long lists, in as few lines as can be read
from __future__ import annotations

import random
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from tests.games.helpers import new_op
from tests.games.test_access_matrix import ASKED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "get")
USUAL_METHODS = ("GET", "POST", "POST")
BOUNDARY = "edge"
TOKEN = "t" * 32  # of CSRF, in cookie and header: what is behind that check is to be reached

TEXTS = (
    "", " ", "0", "1", "2", "3", "00", "007", "-1", "1.5", "1,5", "1e9", "301", "9999", "10000", "٣", "½", "Ⅷ",
    "9" * 18, "9" * 19, "9" * 5000, str(2**63), str(-(2**63)), "NaN", "Infinity", "None", "null", "true",
    "on", "off", "watch", "A", "B", "C", "AA", "[]", "{}", "[[[[", '{"a":' * 50, "\x00", "a\x00b", "\x01\x1b[31m", "\t", "\r\n",
    "a\r\nSet-Cookie: x=1", "\ud800", "\udfff", "\ufeff", "\u202e\u2066abc", "\u200b", "\U0010ffff",
    "👩‍👩‍👧‍👧" * 9, "e\u0301" * 300, "\u0344" * 600, "ﷺ" * 400, "İ", "ß", "<script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>",
    "=cmd|' /C calc'!A0", "@SUM(1)", "+1", "%s%s%n", "%(x)s", "{0}", "{{ 7*7 }}", "{% load x %}", "${7*7}",
    "' OR 1=1 --", '"; DROP TABLE x; --', "../../etc/passwd", "..%2f..%2f", "//evil.example", "/\\evil.example",
    "https://evil.example/", "javascript:alert(1)", "http://[", "http://[::1", "\\", "/", "?", "#", ";", "&", "%", "%zz", "%00",
    "x" * 300, "x" * 20_000, "Ä" * 5000,
)  # fmt: skip
NAMES = (
    "value", "value_A", "value_B", "op", "base", "sure", "do", "seat", "code", "me", "name", "player", "phone", "request",
    "column", "line", "agreed", "unit", "currency", "stake", "before", "seen", "undo", "side", "round", "version", "to",
    "match", "seat_0", "player_0", "partner_of_0", "first_dealer", "holder", "side_A", "text", "link", "one", "member",
    "theme", "language", "next", "points_a", "shown", "since", "deal", "lang", "season", "game", "after", "csrfmiddlewaretoken",
)  # fmt: skip
VERBS = (
    "free", "close", "open", "renew", "new-link", "rename", "rename-side", "yes", "no", "put-out", "make-host", "lay-down",
    "ask-host", "take-in", "seats", "recovery", "work", "write", "remove", "insert", "up", "down", "back", "take", "drop",
    "start", "join", "leave", "merge", "split", "delete",
)  # fmt: skip
CHARSETS = (
    "utf-8", "hex", "rot13", "base64", "zlib", "bz2", "idna", "punycode", "undefined", "unicode_escape", "utf-7", "utf-16",
    "utf_32", "cp037", "latin-1", "no-such", "raw_unicode_escape", '"', "mbcs", "utf-8\x00",
)  # fmt: skip
HEADERS = {
    "HX_REQUEST": ("true", "false", "\xff"),
    "HX_CURRENT_URL": ("http://[", "https://evil.example/", "\xff", "x" * 9000),
    "HX_TARGET": ("<b>", "a\x00"),
    "ACCEPT": ("text/html", "*/*", ",;q=", "\xff", "text/event-stream"),
    "ACCEPT_LANGUAGE": ("de", "x" * 5000, "de;q=9999", "*-*", "zz-" * 900, "\xff", "../../de"),
    "ACCEPT_ENCODING": ("gzip", "gzip;q=x", "\xff", "br, gzip"),
    "HOST": ("testserver", "evil.example", "[", "a:b:c", "localhost:99999999", "", "\xff", "127.0.0.1\x00"),
    "ORIGIN": ("null", "https://evil.example", "http://[", "\xff"),
    "REFERER": ("http://[", "https://evil.example/", "/", "\xff"),
    "X_FORWARDED_FOR": ("1.2.3.4", "' OR 1", "::1, , ,", "1" * 5000),
    "X_FORWARDED_PROTO": ("https", "javascript"),
    "X_FORWARDED_HOST": ("evil.example",),
    "X_HTTP_METHOD_OVERRIDE": ("DELETE", "POST"),
    "RANGE": ("bytes=0-0", "bytes=-1", "bytes=9-1", "lines=1", "bytes=" + "0-1," * 999),
    "IF_NONE_MATCH": ("*", '"x"', "W/", "\xff"),
    "IF_MODIFIED_SINCE": ("Mon, 32 Foo 99999 99:99:99 GMT", "0", "\xff"),
    "IF_MATCH": ("*", '"x"'),
    "SEC_FETCH_MODE": ("navigate", "cors", "\xff"),
    "LAST_EVENT_ID": ("1", "-1", "9" * 999),
    "UPGRADE": ("websocket",),
    "EXPECT": ("100-continue", "nonsense"),
    "TRANSFER_ENCODING": ("chunked", "identity"),
}  # fmt: skip


@dataclass(frozen=True)
class Hostile:
    """Requests to one table: what addresses and fields are to be filled with, and who asks."""

    names: Mapping[str, Any]  # of a table, as the addresses of the access matrix have them
    tokens: Sequence[str]  # of the browsers that ask; "" for one without
    seed: int

    def requests(self, count: int) -> Iterator[dict[str, Any]]:
        """So many requests, as a WSGI server hands them over."""
        chance = random.Random(self.seed)  # noqa: S311 - the same requests every time
        for _ in range(count):
            yield self._request(chance)

    def _request(self, chance: random.Random) -> dict[str, Any]:
        asked = chance.choice(ASKED)
        path = asked.address.format(**self.names)
        if chance.random() < 0.25:
            path = _spoiled_path(chance, path)
        fields = {name: _filled(value, self.names) for name, value in asked.fields.items()}
        fields["op"] = new_op()
        _spoil(chance, fields)
        is_near = chance.random() < 0.6
        method = asked.method if is_near else chance.choice((*METHODS, *USUAL_METHODS * 4))
        kind, body = _body(chance, fields)
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path.encode("utf-8", "surrogatepass").decode("latin-1"),
            "QUERY_STRING": _query(chance) if chance.random() < 0.4 else "",
            "CONTENT_TYPE": kind,
            "CONTENT_LENGTH": _length(chance, body),
            "wsgi.input": BytesIO(body),
            "HTTP_COOKIE": self._cookie(chance),
            "HTTP_X_CSRFTOKEN": TOKEN,
            "HTTP_HOST": "localhost",
        }
        if chance.random() < 0.7:
            environ["HTTP_HX_REQUEST"] = "true"  # a part is drawn sooner than a page
        for name in chance.sample(sorted(HEADERS), chance.choice((0, 0, 1, 1, 2, 5))):
            environ[f"HTTP_{name}"] = chance.choice(HEADERS[name])
        return BASE | environ

    def _cookie(self, chance: random.Random) -> str:
        token = chance.choice(self.tokens)
        cookie = f"csrftoken={TOKEN}; phone={token}" if token else f"csrftoken={TOKEN}"
        if chance.random() < 0.1:
            cookie += f"; theme={_raw(chance)}; django_language={_raw(chance)}; {_raw(chance)}"
        return cookie


BASE = {
    "SERVER_NAME": "localhost",
    "SERVER_PORT": "80",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "SCRIPT_NAME": "",
    "REMOTE_ADDR": "127.0.0.1",
    "wsgi.version": (1, 0),
    "wsgi.errors": StringIO(),
    "wsgi.url_scheme": "http",
    "wsgi.multithread": True,
    "wsgi.multiprocess": False,
    "wsgi.run_once": False,
}


def _filled(value: object, names: Mapping[str, Any]) -> str:
    text = str(value)
    return text if text.startswith("{\n") else text.format(**names)


def _spoiled_path(chance: random.Random, path: str) -> str:
    parts = path.split("/")
    how = chance.randrange(6)
    if how == 0:
        return path.removesuffix("/")
    if how == 1:
        return path + chance.choice(("/", "x", "..", ";a=b", "\x00", "%2e%2e/", "?", "index.php"))
    if how == 2:
        return "/" + path
    if how == 3:
        return "".join(chance.choice("/abt19.%\\é\x00\ud800") for _ in range(chance.randrange(60)))
    place = chance.randrange(1, len(parts))
    parts[place] = chance.choice(TEXTS)[:4000]
    return "/".join(parts)


def _spoil(chance: random.Random, fields: dict[str, str]) -> None:
    """Let some fields be wrong, missing, or others."""
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        names = [*fields, chance.choice(NAMES)]
        name = chance.choice(names)
        if name in fields and chance.random() < 0.2:
            del fields[name]
        else:
            fields[name] = chance.choice(VERBS) if name == "do" else chance.choice(TEXTS)


def _query(chance: random.Random) -> str:
    if chance.random() < 0.2:
        return _raw(chance)
    pairs = [
        (chance.choice(NAMES), chance.choice(TEXTS)[:3000]) for _ in range(chance.randrange(4))
    ]
    return "&".join(f"{name}={_quoted(text)}" for name, text in pairs) + chance.choice(
        ("", "requests=&waiting")
    )


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"))


def _raw(chance: random.Random) -> str:
    return "".join(chr(chance.randrange(1, 256)) for _ in range(chance.randrange(40)))


def _body(  # noqa: PLR0911 - one for each kind
    chance: random.Random, fields: Mapping[str, str]
) -> tuple[str, bytes]:
    """A content type, and a body that may be of it."""
    pairs = [(name, text.encode("utf-8", "surrogatepass")) for name, text in fields.items()]
    charset = f"; charset={chance.choice(CHARSETS)}" if chance.random() < 0.05 else ""
    how = chance.randrange(30)
    if how == 0:
        return "application/json" + charset, b'{"a":' * 9000
    if how == 1:
        return f"multipart/form-data; boundary={BOUNDARY}{charset}", chance.randbytes(300)
    if how == 2:
        kinds = (
            "",
            "text/plain",
            "\xff",
            "multipart/form-data",
            "a/b;c",
            "multipart/form-data; boundary=\xff\n",
        )
        return chance.choice(kinds), chance.randbytes(200)
    if how == 3:
        return "application/x-www-form-urlencoded" + charset, chance.randbytes(400)
    if how in {4, 5, 6}:
        return f"multipart/form-data; boundary={BOUNDARY}{charset}", _multipart(chance, pairs)
    if how == 7:
        many = b"&".join(b"a=%d" % number for number in range(chance.choice((999, 1001, 5000))))
        return "application/x-www-form-urlencoded", many
    return "application/x-www-form-urlencoded" + charset, urlencode(pairs).encode()


def _multipart(chance: random.Random, pairs: list[tuple[str, bytes]]) -> bytes:
    pieces = []
    for name, data in pairs:
        more = chance.choice((
            "", "", "", '; filename="a.json"', "; filename*=hex''61", "; filename*=utf-8''%ff", '; filename=""',
            '; filename="../../x"', "; filename*=no''x", f'; {chance.choice(TEXTS)[:90]}="a"',
        ))  # fmt: skip
        kind = chance.choice((
            "", "", "\r\nContent-Type: application/json", "\r\nContent-Type: text/plain; charset=hex",
            "\r\nContent-Transfer-Encoding: base64", "\r\nContent-Transfer-Encoding: x", "\r\nX: " + "y" * 3000,
        ))  # fmt: skip
        head = f'Content-Disposition: form-data; name="{name}"{more}{kind}'
        pieces.append(
            b"--edge\r\n" + head.encode("utf-8", "surrogatepass") + b"\r\n\r\n" + data + b"\r\n"
        )
    body = b"".join(pieces) + b"--edge--\r\n"
    return body[: chance.randrange(len(body))] if chance.random() < 0.2 else body


def _length(chance: random.Random, body: bytes) -> str:
    if chance.random() < 0.05:
        return chance.choice(("", "-1", "x", "0", str(len(body) + 9)))
    return str(len(body))
