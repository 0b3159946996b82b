"""Looks a set-up over, point by point, and says in a sentence what to do where one is wrong."""

from __future__ import annotations

import os
import ssl
import stat
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import DatabaseError, connection
from django.db.models import Max
from django.utils import timezone

from games.models import Table
from games.upkeep import backup, readiness, store_file
from games.upkeep.store_file import StoreTrouble
from scoresheet import environment, lan
from scoresheet.hosts import AnyHomeAddress
from scoresheet.openfiles import streams_at_most

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Weight = Literal["fine", "note", "wrong"]

MEGABYTE = 1024 * 1024
ROOM_WANTED = 1024 * MEGABYTE
STREAMS_WANTED = 1000
BACKUP_AT_LEAST_EVERY = timedelta(days=2)
CLOCKS_MAY_DIFFER = timedelta(seconds=5)
CHARACTERS_IN_A_KEY = 10  # different ones: advice may be stricter than what refuses to start
OTHERS = stat.S_IRWXG | stat.S_IRWXO


class Finding(NamedTuple):
    """What was looked at, how it is, and what to do about it."""

    what: str
    weight: Weight
    say: str


def look(*, deploy: bool = False) -> Iterator[Finding]:
    """All findings, one after the other; ``deploy`` adds what a public server needs."""
    for what, check in (*CHECKS.items(), *(DEPLOY_CHECKS.items() if deploy else ())):
        for weight, say in check():
            yield Finding(what, weight, say)


Said = tuple[Weight, str]


def _python() -> Iterator[Said]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield "fine", f"Python {version}, {ssl.OPENSSL_VERSION}."


def _debug() -> Iterator[Said]:
    if settings.DEBUG:
        yield "note", "DEBUG is on: error pages show the insides. Only where nobody else can come."
    else:
        yield "fine", "DEBUG is off."


def _key() -> Iterator[Said]:
    kept = settings.DATA_DIR / "secret-key"
    if environment.easy_to_guess(settings.SECRET_KEY, characters=CHARACTERS_IN_A_KEY):
        yield (
            "wrong",
            (
                "SECRET_KEY is easy to guess. Make one with: python -c "
                '"import secrets; print(secrets.token_urlsafe(50))"'
            ),
        )
    elif kept.exists() and kept.stat().st_mode & OTHERS:
        yield "wrong", f"Others on this machine can read the key: chmod 600 {kept}"
    else:
        yield "fine", f"The key has {len(settings.SECRET_KEY)} characters."


def _hosts() -> Iterator[Said]:
    if "*" in settings.ALLOWED_HOSTS:
        yield "wrong", "ALLOWED_HOSTS is *: name the hosts this site answers to."
    elif not settings.ALLOWED_HOSTS:
        yield "wrong", "ALLOWED_HOSTS is empty, so nothing is answered: name the site's host."
    else:
        yield "fine", f"Answers to {', '.join(map(str, settings.ALLOWED_HOSTS))}."


def _folder() -> Iterator[Said]:
    folder = settings.DATA_DIR
    free = readiness.free_bytes()
    if not os.access(folder, os.W_OK | os.X_OK):
        yield "wrong", f"This user may not write in {folder}: chown it, or set DATA_DIR."
    elif free < readiness.ROOM:
        yield "wrong", f"The disk of {folder} is full ({free // MEGABYTE} MB free): make room."
    elif free < ROOM_WANTED:
        yield "note", f"Only {free // MEGABYTE} MB are free in {folder}."
    else:
        yield "fine", f"{folder}: {free // MEGABYTE:,} MB free."
    if folder.stat().st_mode & OTHERS:
        yield "note", f"Others on this machine can look into it: chmod 700 {folder}"


def _store() -> Iterator[Said]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        if not readiness.is_migrated():
            yield "wrong", "The store is empty or of another release: manage.py migrate"
            return
        yield "fine", f"{connection.display_name} answers, and is of this release."
        if settings.EMBEDDED:
            yield from _store_file()
    except DatabaseError as error:
        said = str(error).partition("\n")[0]
        yield "wrong", f"The store does not answer ({said}). Is it where DATABASE_URL says?"


def _store_file() -> Iterator[Said]:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode")
        (mode,) = cursor.fetchone()
        cursor.execute("PRAGMA quick_check(1)")
        (sound,) = cursor.fetchone()
    if mode != "wal":
        yield (
            "wrong",
            (
                f"The store's journal is {mode} and not wal, so readers and writers wait for one"
                " another. A network disk does that: put DATA_DIR on a disk of this machine."
            ),
        )
    if sound == "ok":
        yield "fine", f"The store is sound, {store_file.live_file().stat().st_size:,} bytes."
    else:
        yield "wrong", f"The store is damaged ({sound}). Bring a copy back: manage.py restore FILE"


def _backups() -> Iterator[Said]:
    if not settings.EMBEDDED:
        yield "note", "Copies are made with pg_dump (docs/operating.md); nobody here knows of them."
        return
    newest = backup.newest()
    if newest is None:
        yield "note", "There is no copy of the store: manage.py backup --keep 14, once a day."
        return
    age = timezone.now() - datetime.fromtimestamp(newest.stat().st_mtime, UTC)
    if age > BACKUP_AT_LEAST_EVERY:
        yield "wrong", f"The newest copy is {age.days} days old: {newest.name}. Look at its timer."
        return
    try:
        store_file.check(newest)
    except StoreTrouble as trouble:
        yield "wrong", f"The newest copy is of no use. {trouble}"
    else:
        yield "fine", f"The newest copy is sound: {newest.name}."


def _clock() -> Iterator[Said]:
    now = timezone.now()
    try:
        newest = Table.objects.aggregate(newest=Max("touched_at"))["newest"]
        there = _clock_of_the_store()
    except DatabaseError:
        return
    built = datetime.fromtimestamp(Path(__file__).stat().st_mtime, UTC)
    if there is not None and abs(there - now) > CLOCKS_MAY_DIFFER:
        yield "wrong", f"The clocks of this machine and the store differ by {abs(there - now)}."
    elif newest is not None and newest > now + CLOCKS_MAY_DIFFER:
        yield (
            "wrong",
            (
                f"The clock says {now:%Y-%m-%d %H:%M} UTC, but something was written at"
                f" {newest:%Y-%m-%d %H:%M}. Set it right: timedatectl set-ntp true"
            ),
        )
    elif now < built:
        yield "wrong", f"The clock says {now:%Y-%m-%d}, which was before this release was made."
    else:
        yield "fine", f"The clock says {now:%Y-%m-%d %H:%M} UTC."


def _clock_of_the_store() -> datetime | None:
    """What time a store of another machine says; None where it is a file."""
    if settings.EMBEDDED:
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT now()")
        there: datetime = cursor.fetchone()[0]
    return there


def _redis() -> Iterator[Said]:
    if not settings.REDIS_URL:
        return
    began = time.perf_counter()
    if readiness.redis_answers(settings.REDIS_URL):
        yield "fine", f"Redis answers in {(time.perf_counter() - began) * 1000:.1f} ms."
    else:
        yield (
            "wrong",
            "Redis does not answer. Start it, and look at REDIS_URL.",
        )


def _static() -> Iterator[Said]:
    manifest = settings.STATIC_ROOT / "staticfiles.json"
    if not manifest.exists():
        if not settings.DEBUG:
            yield "wrong", "No static files were collected: manage.py collectstatic --noinput"
        return
    collected = manifest.stat().st_mtime
    newer = [path for path in _sources() if path.stat().st_mtime > collected]
    if newer and not settings.DEBUG:
        yield (
            "wrong",
            (
                f"{newer[0].name} is newer than what was collected: manage.py collectstatic"
                " --noinput, and start the server again."
            ),
        )
    else:
        yield "fine", f"Static files are collected, release {settings.RELEASE}."


def _sources() -> Iterator[Path]:
    for finder in finders.get_finders():
        for name, storage in finder.list(None):
            yield Path(storage.path(name))


def _languages() -> Iterator[Said]:
    for folder in settings.LOCALE_PATHS:
        for source in sorted(Path(folder).glob("*/LC_MESSAGES/*.po")):
            made = source.with_suffix(".mo")
            if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
                yield "wrong", "Translations are not compiled: python -m scoresheet.messages"
                return
    yield "fine", "Translations are compiled."


def _time_zones() -> Iterator[Said]:
    try:
        ZoneInfo("Europe/Vienna")
    except ZoneInfoNotFoundError:
        yield "wrong", "Time zones are missing: pip install tzdata"
    else:
        yield "fine", "Time zones are there."


def _open_files() -> Iterator[Said]:
    streams = streams_at_most(10 * STREAMS_WANTED)
    if streams < STREAMS_WANTED:
        yield (
            "note",
            (
                f"The system allows {streams} phones at once: ulimit -n 65536, or LimitNOFILE=65536"
                " where systemd starts the server."
            ),
        )
    else:
        yield "fine", f"{streams:,} phones can listen at once."


def _network() -> Iterator[Said]:
    addresses = lan.addresses()
    if addresses:
        yield "fine", f"Phones in the same network reach {', '.join(addresses)}."
    else:
        yield "note", "There is no network, so no phone reaches this machine."


def _processes() -> Iterator[Said]:
    if settings.WORKERS > 1 and not settings.REDIS_URL:
        yield (
            "wrong",
            (
                f"WEB_CONCURRENCY is {settings.WORKERS}, but without REDIS_URL a process hears of"
                " the others' news only every two seconds. Set REDIS_URL, or run one process."
            ),
        )
    else:
        yield "fine", f"Processes that serve: {settings.WORKERS}."


CHECKS: dict[str, Callable[[], Iterator[Said]]] = {
    "Python": _python,
    "Debugging": _debug,
    "Secret key": _key,
    "Host names": _hosts,
    "Data folder": _folder,
    "Store": _store,
    "Copies": _backups,
    "Clock": _clock,
    "Redis": _redis,
    "Static files": _static,
    "Languages": _languages,
    "Time zones": _time_zones,
    "Open files": _open_files,
    "Network": _network,
    "Processes": _processes,
}


# A public server ---------------------------------------------------------------------------------


def _no_debug() -> Iterator[Said]:
    if settings.DEBUG:
        yield "wrong", "DEBUG must be off on a public server."


def _https() -> Iterator[Said]:
    if not settings.HTTPS:
        yield "wrong", "Set HTTPS=true, behind a proxy that speaks https."
    elif not settings.TRUSTED_PROXIES:
        yield (
            "wrong",
            (
                "HTTPS is on, but no proxy is believed, so every page leads back to itself:"
                " set TRUSTED_PROXIES to the proxy's address."
            ),
        )
    else:
        yield "fine", f"https by way of {', '.join(settings.TRUSTED_PROXIES)}."


def _public_name() -> Iterator[Said]:
    if any(isinstance(host, AnyHomeAddress) for host in settings.ALLOWED_HOSTS):
        yield "wrong", "Set ALLOWED_HOSTS to the site's public name alone."


def _public_copies() -> Iterator[Said]:
    if settings.EMBEDDED and backup.newest() is None:
        yield "wrong", "A public server needs copies of its store: manage.py backup, by a timer."


def _measures() -> Iterator[Said]:
    if settings.METRICS_TOKEN is None:
        yield "note", "METRICS_TOKEN is not set, so nobody can watch it run."


DEPLOY_CHECKS: dict[str, Callable[[], Iterator[Said]]] = {
    "Public: debugging": _no_debug,
    "Public: https": _https,
    "Public: host names": _public_name,
    "Public: copies": _public_copies,
    "Public: measures": _measures,
}
