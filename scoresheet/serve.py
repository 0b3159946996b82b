"""Serve the sheet to the phones around: ``python -m scoresheet.serve``.

One process on one port, or several (``--workers``). Says where it can be reached, as an address
and as a code to scan.
"""

import argparse
import errno
import io
import os
import signal
import socket
import sys
from collections.abc import Sequence

import django
import segno
import uvicorn
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from scoresheet import lan
from scoresheet.alone import hold_the_store, refuse_several
from scoresheet.ending import SECONDS_TO_FINISH
from scoresheet.environment import WORKERS_AT_MOST

EVERYWHERE = "0.0.0.0"  # noqa: S104 - phones in the same network are the point
HIGHEST_PORT = 65535
SECONDS_TO_SAY_ALIVE = 60  # of a worker; on a busy machine its start alone takes many
SECONDS_OF_SILENCE = 30  # then a phone that went out of reach is no longer connected
BACKLOG = 4096


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C or SIGTERM; the exit status."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scoresheet.settings")
    try:
        options = _parser().parse_args(arguments)
        workers = options.workers or settings.WORKERS
        refuse_several(workers)
        scheme = "https" if settings.HTTPS else "http"
        with _listen(options.host, options.port) as listener:
            port = listener.getsockname()[1]
            if workers == 1:
                django.setup()
                hold_the_store()
            print(_welcome(scheme, options.host, port), flush=True)  # noqa: T201
            return _serve(listener, workers)
    except (ImproperlyConfigured, _CannotListen) as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 1


class _CannotListen(Exception):
    pass


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scoresheet.serve", description=__doc__)
    parser.add_argument("--host", default=EVERYWHERE, help="the address to listen on")
    parser.add_argument(
        "--port", type=_port, default=os.environ.get("PORT", "8000"), help="the port, usually PORT"
    )
    parser.add_argument(
        "--workers",
        type=int,
        choices=range(1, WORKERS_AT_MOST + 1),
        metavar="N",
        help="how many processes, usually WEB_CONCURRENCY or 1; several need REDIS_URL",
    )
    return parser


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) <= HIGHEST_PORT:
        return int(text)
    raise argparse.ArgumentTypeError(f"PORT must be a number up to {HIGHEST_PORT}, not {text!r}.")


def _listen(host: str, port: int) -> socket.socket:
    try:
        listener = socket.create_server((host, port), backlog=BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise _CannotListen(
                f"Port {port} is taken by another program; choose another: make run PORT={port + 1}"
            ) from error
        raise _CannotListen(f"Cannot listen on {host} port {port}: {error.strerror}.") from error
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; every connection inherits it
        milliseconds = SECONDS_OF_SILENCE * 1000
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
    return listener


def _welcome(scheme: str, host: str, port: int) -> str:
    """What to tell the person who started this."""
    here = f"{scheme}://localhost:{port}/"
    if host != EVERYWHERE:
        return f"Scoresheet is running: {scheme}://{host}:{port}/"
    addresses = [f"{scheme}://{address}:{port}/" for address in lan.addresses()]
    if not addresses:
        return f"Scoresheet is running: {here}\nNo network found, so no phone can reach it yet."
    lines = [
        "Scoresheet is running.",
        f"  On this machine:          {here}",
        *(f"  Phones in this network:   {address}" for address in addresses),
        *_code(addresses[0]),
        "Ctrl-C ends it. Everything written is kept.",
    ]
    return "\n".join(lines)


def _code(address: str) -> list[str]:
    """The address as a code to scan from the terminal, where the terminal can show one."""
    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(out=drawn, compact=True, border=2)
    code = drawn.getvalue().rstrip("\n")
    try:
        code.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return []
    return ["", code, ""]


def _serve(listener: socket.socket, workers: int) -> int:
    config = uvicorn.Config(
        "scoresheet.asgi:application",
        log_config=None,  # Django's LOGGING holds
        log_level="warning",
        access_log=False,  # paths hold the keys of tables
        proxy_headers=False,  # asgi.py does it, for TRUSTED_PROXIES only
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
        backlog=BACKLOG,
        workers=workers,
        timeout_worker_healthcheck=SECONDS_TO_SAY_ALIVE,
    )
    if workers > 1:
        several = Multiprocess(config, sockets=[listener])
        several.run()
        return int(any(one.exitcode == STARTUP_FAILURE for one in several.processes))
    # uvicorn ends in good order and then raises the signal once more; by then all is done.
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, lambda *_: None)
    server = uvicorn.Server(config)
    server.run(sockets=[listener])
    return 0 if server.started else 1


if __name__ == "__main__":
    sys.exit(main())
