"""The sheet behind nginx or Caddy, with the files of deploy/ and a certificate made for it."""

from __future__ import annotations

import http.client
import os
import queue
import signal
import socket
import subprocess
import threading
import time
import uuid
from contextlib import closing, contextmanager
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tests.serving import ROOT, SECONDS_TO_END, SECONDS_TO_START, free_port
from tests.streams import NAMES, PATIENCE, TOKEN, Event, read_event

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message
    from pathlib import Path

SITE = "sheet.example.org"
DEPLOY = ROOT / "deploy"
PROXIES = ("nginx", "caddy")


@dataclass(frozen=True)
class Reply:
    """What curl got."""

    protocol: str
    status: int
    headers: Message
    body: bytes


@dataclass(frozen=True)
class Proxied:
    """A site as browsers see it: a name, https, and a proxy in front of the sheet."""

    port: int
    plain_port: int
    certificate: Path
    log: Path

    @property
    def url(self) -> str:
        return f"https://{SITE}:{self.port}"

    def command(self, path: str, *options: str) -> list[str]:
        """Curl as a browser would ask; another address of this machine: ``--interface``."""
        return [
            "curl", "--silent", "--show-error", "--http2", "--max-time", "60",
            "--cacert", str(self.certificate),
            "--resolve", f"{SITE}:{self.port}:127.0.0.1",
            "--header", f"Origin: {self.url}", "--header", f"X-CSRFToken: {TOKEN}",
            "--header", "Expect:", *options, f"{self.url}{path}",
        ]  # fmt: skip

    def ask(self, path: str, *options: str, body: bytes | None = None) -> Reply:
        """One request and its answer."""
        sent = ("--data-binary", "@-") if body is not None else ()
        asked = subprocess.run(
            self.command(path, "--include", *sent, *options),
            input=body,
            capture_output=True,
            check=False,
        )
        assert asked.stdout, asked.stderr.decode()
        head, _, content = asked.stdout.partition(b"\r\n\r\n")
        first, _, headers = head.partition(b"\r\n")
        protocol, status, *_ = first.decode().split()
        return Reply(protocol, int(status), BytesHeaderParser().parsebytes(headers), content)

    def post(self, path: str, *options: str, cookie: str = "", **fields: str) -> Reply:
        """A form, with the token that a page brings along."""
        form = urlencode({"op": str(uuid.uuid4()), **fields}).encode()
        cookies = "; ".join(filter(None, (f"csrftoken={TOKEN}", cookie)))
        return self.ask(path, "--cookie", cookies, *options, body=form)

    def start_table(self) -> tuple[str, str]:
        """The key of a new table, and the cookie of its host."""
        reply = self.post("/new/bauernstoss/", **NAMES)
        assert reply.status == 303, reply.body.decode()
        cookies = reply.headers.get_all("Set-Cookie") or []
        phone = next(cookie for cookie in cookies if cookie.startswith("phone="))
        return reply.headers["Location"].split("/")[2], phone.partition(";")[0]


class ProxiedStream:
    """A stream through a proxy; events are read as they come."""

    def __init__(self, site: Proxied, key: str) -> None:
        self._events: queue.Queue[Event] = queue.Queue()
        self._curl = subprocess.Popen(
            site.command(f"/live/{key}/", "--no-buffer"), stdout=subprocess.PIPE
        )
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def next(self) -> Event:
        """The next event that is no beat."""
        while True:
            event = self._events.get(timeout=PATIENCE)
            if event.name != "beat":
                return event

    def close(self) -> None:
        self._curl.terminate()
        self._curl.wait(SECONDS_TO_END)
        self._reading.join()

    def _read(self) -> None:
        assert self._curl.stdout is not None
        text = ""
        with self._curl.stdout as lines:
            for line in lines:
                text += line.decode()
                if line == b"\n":
                    self._events.put(read_event(text))
                    text = ""
        self._events.put(Event("end"))


def put(text: str, **instead: str) -> str:
    """A text with some of its words replaced, each of which has to be there."""
    for word, other in instead.items():
        assert word in text, f"{word} does not stand there any more."
        text = text.replace(word, other)
    return text


@contextmanager
def proxied(kind: str, folder: Path, sheet_port: int) -> Iterator[Proxied]:
    """Run a proxy of this kind in front of the sheet that listens on a port."""
    folder.mkdir()
    certificate, key = make_certificate(folder)
    site = Proxied(free_port(), free_port(), certificate, folder / "log")
    command, environment = _WAYS[kind](folder, site, key, sheet_port)
    with site.log.open("ab") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment
        )
    try:
        _wait_for(site, process)
        yield site
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(SECONDS_TO_END)


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for the site that nobody has signed but itself, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-nodes", "-days", "2", "-subj", f"/CN={SITE}",
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-addext", f"subjectAltName=DNS:{SITE}",
            "-out", str(certificate), "-keyout", str(key),
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return certificate, key


def nginx_files(folder: Path, site: Proxied, key: Path, sheet_port: int) -> Path:
    """deploy/nginx.conf for this machine, and around it what Debian has in /etc/nginx."""
    (folder / "site.conf").write_text(
        put(
            (DEPLOY / "nginx.conf").read_text(encoding="utf-8"),
            **{
                "listen 80;": f"listen 127.0.0.1:{site.plain_port};",
                "    listen [::]:80;\n": "",
                "listen 443 ssl http2;": f"listen 127.0.0.1:{site.port} ssl http2;",
                "    listen [::]:443 ssl http2;\n": "",
                "/etc/letsencrypt/live/sheet.example.org/fullchain.pem": str(site.certificate),
                "/etc/letsencrypt/live/sheet.example.org/privkey.pem": str(key),
                "127.0.0.1:8000": f"127.0.0.1:{sheet_port}",
                "/var/cache/nginx/scoresheet": str(folder / "cache"),
                "/var/log/nginx/scoresheet.error.log": str(folder / "error.log"),
            },
        ),
        encoding="utf-8",
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    own = "".join(f"    {kind}_temp_path {folder / kind};\n" for kind in kinds)
    user = "user root;\n" if os.geteuid() == 0 else ""  # so that workers may write in the folder
    main = folder / "nginx.conf"
    main.write_text(
        f"{user}worker_processes 1;\npid {folder / 'pid'};\ndaemon off;\nerror_log stderr;\n"
        f"events {{}}\nhttp {{\n{own}    include {folder / 'site.conf'};\n}}\n",
        encoding="utf-8",
    )
    return main


def _nginx(
    folder: Path, site: Proxied, key: Path, sheet_port: int
) -> tuple[list[str], dict[str, str]]:
    main = nginx_files(folder, site, key, sheet_port)
    return ["nginx", "-e", "stderr", "-c", str(main)], dict(os.environ)


def _caddy(
    folder: Path, site: Proxied, key: Path, sheet_port: int
) -> tuple[list[str], dict[str, str]]:
    """deploy/Caddyfile with other ports, and a certificate instead of asking for one."""
    ports = f"http_port {site.plain_port}\n\thttps_port {site.port}\n\tadmin off\n"
    text = put(
        (DEPLOY / "Caddyfile").read_text(encoding="utf-8"),
        **{
            "\tlog {": f"\t{ports}\tlog {{",
            "{$SITE:sheet.example.org} {": (
                f"{{$SITE:sheet.example.org}} {{\n\ttls {site.certificate} {key}"
            ),
        },
    )
    (folder / "Caddyfile").write_text(text, encoding="utf-8")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "UPSTREAM": f"127.0.0.1:{sheet_port}",
    }
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    return command, environment


_WAYS = {"nginx": _nginx, "caddy": _caddy}


def _wait_for(site: Proxied, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < until and process.poll() is None:
        with closing(socket.socket()) as asking:
            if asking.connect_ex(("127.0.0.1", site.port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"The proxy did not start:\n{site.log.read_text()}")


def ask_plainly(site: Proxied, path: str) -> http.client.HTTPResponse:
    """What the proxy says to somebody who comes without https."""
    with closing(http.client.HTTPConnection("127.0.0.1", site.plain_port, timeout=10)) as asking:
        asking.request("GET", path, headers={"Host": SITE})
        return asking.getresponse()
