"""Reading the environment strictly: a value is right, or the start stops with one sentence.

Each function takes the name of a variable and returns what ``settings.py`` needs. A variable that
is set but empty counts as nonsense, except where an empty list says "none".
"""

import hashlib
import hmac
import ipaddress
import os
import re
import secrets
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from environs import Env

from scoresheet.hosts import is_at_home

SECRET_KEY_LENGTH_AT_LEAST = 32
SECRET_KEY_CHARACTERS_AT_LEAST = 8  # different ones; sixteen random bytes have more
NO_SECRETS = ("insecure", "changeme", "change-me", "change_me", "secret-key", "secret_key", "your-")
WORKERS_AT_MOST = 64
TOKEN_LENGTH_AT_LEAST = 16
LANGUAGE_OF_THE_C_LOCALE = "en"

# A name, one with a leading dot (its subdomains too), an IPv4 address, an IPv6 one in brackets.
HOST = re.compile(
    r"\.?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?|\*|\[[0-9a-f:.]+\]",
    re.I,
)
ORIGIN = re.compile(
    r"https?://(\*\.)?[a-z0-9_.-]+(:\d{1,5})?|https?://\[[0-9a-f:.]+\](:\d{1,5})?", re.I
)
LOCALE = re.compile(r"(?P<language>[a-z]{2,3})([_-][a-z0-9]+)*(\.[\w-]+)?(@\w+)?", re.I)

env = Env(expand_vars=False)


def read_env_file(default: Path) -> None:
    """Add what the file .env holds (``ENV_FILE`` names another) to the environment, which wins."""
    named = os.environ.get("ENV_FILE")
    path = Path(named) if named else default
    if named and not path.exists():
        raise ImproperlyConfigured(f"ENV_FILE must name a file, and {named!r} is none.")
    env.read_env(str(path), recurse=False)


def flag(name: str, *, default: bool) -> bool:
    """``true`` or ``false``, in any case of letters, and nothing else."""
    text = env.str(name, "true" if default else "false")
    if text.lower() not in {"true", "false"}:
        raise ImproperlyConfigured(f"{name} must be true or false, not {text!r}.")
    return text.lower() == "true"


def folder(name: str, *, default: Path) -> Path:
    """A folder, there already or not; a relative path counts from where the default one lies."""
    text = env.str(name, str(default))
    if text.strip() and "\0" not in text:
        path = (default.parent / Path(text).expanduser()).resolve()
        if path.is_dir() or not path.exists():
            return path
    raise ImproperlyConfigured(f"{name} must name a folder, not {text!r}.")


def data_dir(name: str, *, default: Path) -> Path:
    """The folder for all that is kept, which is made where there is none."""
    path = folder(name, default=default)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name} must name a folder to write in, and {str(path)!r} is none: {error.strerror}."
        ) from error
    return path


def database(name: str, *, default: Path) -> dict[str, Any]:
    """Django's settings of the database that a URL names: a SQLite file, or PostgreSQL."""
    text = env.str(name, f"sqlite:///{default}")
    parts = urlsplit(text)
    if parts.scheme == "sqlite":
        path = text.removeprefix("sqlite:///")
        if path == text or not path or path.endswith("/") or "?" in path or ":memory:" in path:
            raise ImproperlyConfigured(
                f"{name} must name a SQLite file like sqlite:////var/lib/scoresheet/scoresheet.sqlite3."
            )
        settings = dict(dj_database_url.parse(text))
        settings["NAME"] = str((default.parent / str(settings["NAME"])).resolve())
        return settings
    if parts.scheme in {"postgres", "postgresql"}:
        try:
            settings = dict(dj_database_url.parse(text))
        except ValueError as error:
            raise ImproperlyConfigured(
                f"{name} must be a URL with a port that is a number."
            ) from error
        if settings["NAME"]:
            _must_be_installed("psycopg", name)
            return settings
    # Never quote the value: it holds a password.
    raise ImproperlyConfigured(f"{name} must be a sqlite:///... or postgresql://host/database URL.")


def workers(name: str) -> int:
    """How many processes serve the store."""
    text = env.str(name, "1")
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= WORKERS_AT_MOST):
        raise ImproperlyConfigured(
            f"{name} must be a number from 1 to {WORKERS_AT_MOST}, not {text!r}."
        )
    return int(text)


def redis_url(name: str) -> str | None:
    """The address of Redis or Valkey, or None where there is none."""
    text = env.str(name, None)
    if text is None:
        return None
    parts = urlsplit(text)
    try:
        sound = parts.scheme in {"redis", "rediss"} and bool(parts.hostname) and parts.port != 0
        sound = sound and re.fullmatch(r"/?\d*", parts.path) is not None
    except ValueError:
        sound = False
    if not sound:
        raise ImproperlyConfigured(f"{name} must be a redis://host:port/number URL.")
    _must_be_installed("redis", name)
    return text


def _must_be_installed(package: str, name: str) -> None:
    if find_spec(package) is None:
        raise ImproperlyConfigured(
            f"{name} needs the package {package}: pip install -r requirements.txt."
        )


def prefix_of(secret_key: str) -> str:
    """What names in Redis begin with: the same for all processes of one site, and no other's."""
    return f"scoresheet:{hmac.new(secret_key.encode(), b'redis', hashlib.sha256).hexdigest()[:16]}"


def hosts(name: str, *, default: list[str]) -> list[str]:
    """Names this site answers to, without scheme and port."""
    if env.str(name, None) is None:
        return default
    listed = _listed(name)
    if not listed:
        raise ImproperlyConfigured(f"{name} must list at least one name, like sheet.example.org.")
    for host in listed:
        if not HOST.fullmatch(host):
            raise ImproperlyConfigured(
                f"{name} must list names without scheme, port or path, and {host!r} is none."
            )
    return listed


def refuse_debug_in_public(name: str, *, debug: bool, hosts: Iterable[str]) -> None:
    """Pages of errors tell everything, so nobody far away may see one."""
    public = [host for host in hosts if not is_at_home(host)]
    if debug and public:
        raise ImproperlyConfigured(
            f"{name} must be false where others can reach this site, as by {public[0]};"
            " or ALLOWED_HOSTS must be localhost."
        )


def origins(name: str) -> list[str]:
    """Origins that may post here besides the site itself, with scheme and without path."""
    listed = _listed(name)
    for origin in listed:
        if not ORIGIN.fullmatch(origin):
            raise ImproperlyConfigured(
                f"{name} must list origins like https://sheet.example.org, and {origin!r} is none."
            )
    return listed


def networks(name: str) -> list[str]:
    """Addresses and networks whose word about the caller's address is taken."""
    listed = _listed(name)
    for network in listed:
        try:
            ipaddress.ip_network(network)
        except ValueError as error:
            raise ImproperlyConfigured(
                f"{name} must list addresses or networks like 10.0.0.0/8, and {network!r} is none."
            ) from error
    return listed


def language(name: str, *, default: str, spoken: set[str]) -> str:
    """The language of pages when the browser asks for none we speak.

    GNU systems set ``LANGUAGE`` to a list like ``de_AT:de:en``; the first one spoken here counts.
    """
    text = env.str(name, "")
    if not text:
        return default
    for locale in text.split(":"):
        if locale in {"C", "POSIX"}:
            return LANGUAGE_OF_THE_C_LOCALE
        match = LOCALE.fullmatch(locale)
        if match and match["language"].lower() in spoken:
            return match["language"].lower()
    raise ImproperlyConfigured(f"{name} must be {' or '.join(sorted(spoken))}, not {text!r}.")


def one_of(name: str, *, default: str, choices: tuple[str, ...]) -> str:
    """One of a few words."""
    text = env.str(name, default)
    if text not in choices:
        raise ImproperlyConfigured(f"{name} must be {' or '.join(choices)}, not {text!r}.")
    return text


def token(name: str) -> str | None:
    """A secret that other programs know, or None where there is none."""
    text = env.str(name, None)
    if text is not None and (len(text) < TOKEN_LENGTH_AT_LEAST or not text.isascii()):
        raise ImproperlyConfigured(
            f"{name} must have at least {TOKEN_LENGTH_AT_LEAST} plain characters."
        )
    return text


def secret_key(name: str, *, keep_in: Path | None) -> str:
    """The key that signs; where ``keep_in`` is given it is made there once and read ever after."""
    text = env.str(name, None)
    if text is None and keep_in is not None:
        return _kept_key(name, keep_in)
    if text is None:
        raise ImproperlyConfigured(f"{name} must be set when DATABASE_URL is not a SQLite file.")
    if len(text) < SECRET_KEY_LENGTH_AT_LEAST:
        raise ImproperlyConfigured(
            f"{name} must have at least {SECRET_KEY_LENGTH_AT_LEAST} characters."
        )
    if easy_to_guess(text):
        raise ImproperlyConfigured(
            f"{name} must not be easy to guess; `openssl rand -base64 48` makes one."
        )
    return text


def easy_to_guess(key: str, *, characters: int = SECRET_KEY_CHARACTERS_AT_LEAST) -> bool:
    """Whether a key has fewer different characters than that, or is one that others published."""
    has_few = len(set(key)) < characters
    return has_few or any(word in key.lower() for word in NO_SECRETS)


def _kept_key(name: str, path: Path) -> str:
    try:
        if not path.exists():
            _keep_new_key(path)
        key = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name} is not set, and the key in {path} cannot be kept: {error.strerror}."
        ) from error
    if len(key) < SECRET_KEY_LENGTH_AT_LEAST:
        raise ImproperlyConfigured(f"{name} is not set, and the key in {path} is cut short.")
    return key


def _keep_new_key(path: Path) -> None:
    # Written aside (mkstemp gives 0600) and linked: of two first starts at once one wins whole, and
    # both read the winner's key.
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=".secret-key-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(secrets.token_urlsafe(50) + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(aside, path)
        except FileExistsError:
            pass
        except OSError:  # a file system without hard links
            Path(aside).rename(path)
    finally:
        Path(aside).unlink(missing_ok=True)


def _listed(name: str) -> list[str]:
    return [part.strip() for part in env.str(name, "").split(",") if part.strip()]
