"""The environment is read strictly: nonsense stops the start and names its variable."""

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
KEY = "a sheet of paper, and forty-eight cards"
POSTGRES = "postgresql://lena:secret@localhost/sheet"


def read_setting(name: str, data_dir: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Print one setting."""
    script = f"from django.conf import settings; print(repr(settings.{name}))"
    return run_python(script, data_dir, **environment)


def run_python(script: str, data_dir: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Start Python afresh, with this environment and nothing else."""
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "scoresheet.settings",
            "ENV_FILE": os.devnull,
            "DATA_DIR": str(data_dir),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def setting(name: str, data_dir: Path, **environment: str) -> object:
    answer = read_setting(name, data_dir, **environment)
    assert answer.returncode == 0, answer.stderr
    return eval(answer.stdout)  # noqa: S307 - what we printed ourselves


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEBUG", "yes"),
        ("DEBUG", "1"),
        ("DEBUG", ""),
        ("HTTPS", "on"),
        ("SECRET_KEY", ""),
        ("SECRET_KEY", "short"),
        ("SECRET_KEY", "k" * 50),
        ("SECRET_KEY", "django-insecure-0123456789abcdefghijklmnopqrstuvwxyz"),
        ("SECRET_KEY", "please-change-me-before-you-start-this-in-public"),
        ("WEB_CONCURRENCY", ""),
        ("WEB_CONCURRENCY", "0"),
        ("WEB_CONCURRENCY", "many"),
        ("WEB_CONCURRENCY", "1000"),
        ("ALLOWED_HOSTS", ""),
        ("ALLOWED_HOSTS", "https://sheet.example.org"),
        ("ALLOWED_HOSTS", "sheet.example.org:8000"),
        ("ALLOWED_HOSTS", "sheet example"),
        ("CSRF_TRUSTED_ORIGINS", "sheet.example.org"),
        ("CSRF_TRUSTED_ORIGINS", "https://sheet.example.org/"),
        ("DATABASE_URL", ""),
        ("DATABASE_URL", "sheet.sqlite3"),
        ("DATABASE_URL", "sqlite://"),
        ("DATABASE_URL", "sqlite:///:memory:"),
        ("DATABASE_URL", "mysql://localhost/sheet"),
        ("DATABASE_URL", "postgresql://localhost"),
        ("DATABASE_URL", "postgresql://localhost:port/sheet"),
        ("REDIS_URL", ""),
        ("REDIS_URL", "localhost:6379"),
        ("REDIS_URL", "redis://"),
        ("REDIS_URL", "redis://localhost:port/0"),
        ("REDIS_URL", "redis://localhost:6379/sheet"),
        ("DATA_DIR", ""),
        ("DATA_DIR", os.devnull),
        ("STATIC_ROOT", ""),
        ("STATIC_ROOT", os.devnull),
        ("TRUSTED_PROXIES", "proxy.example.org"),
        ("TRUSTED_PROXIES", "10.0.0.1/8"),
        ("TRUSTED_PROXIES", "*"),
        ("LANGUAGE", "xx"),
        ("LANGUAGE", "deutsch"),
        ("LOG_FORMAT", "xml"),
        ("LOG_FORMAT", ""),
        ("LOG_REQUESTS", "yes"),
        ("METRICS_TOKEN", ""),
        ("METRICS_TOKEN", "short"),
        ("METRICS_TOKEN", "ö" * 20),
        ("ENV_FILE", "/nowhere/.env"),
    ],
)
def test_nonsense_stops_the_start_with_one_sentence_that_names_it(name, value, tmp_path):
    answer = read_setting("DEBUG", tmp_path, **{name: value})

    last_line = answer.stderr.strip().splitlines()[-1]
    assert answer.returncode == 1
    assert last_line.startswith(f"django.core.exceptions.ImproperlyConfigured: {name} ")
    assert last_line.endswith(".")


def test_a_refused_address_of_a_database_does_not_show_its_password(tmp_path):
    answer = read_setting("DEBUG", tmp_path, DATABASE_URL="mysql://lena:secret@localhost/sheet")

    assert "secret" not in answer.stderr.splitlines()[-1]


def test_nothing_set_is_safe_and_embedded(tmp_path):
    assert setting("DEBUG", tmp_path) is False
    assert setting("HTTPS", tmp_path) is False
    assert setting("EMBEDDED", tmp_path) is True
    assert setting("LANGUAGE_CODE", tmp_path) == "en"
    assert setting("REDIS_URL", tmp_path) is None
    assert setting("LOG_REQUESTS", tmp_path) is False
    assert setting("METRICS_TOKEN", tmp_path) is None
    assert setting("TRUSTED_PROXIES", tmp_path) == []
    assert setting("CSRF_TRUSTED_ORIGINS", tmp_path) == []
    assert setting("DATABASE['NAME']", tmp_path) == str(tmp_path / "scoresheet.sqlite3")


@pytest.mark.parametrize(
    ("name", "value", "read_as", "expected"),
    [
        ("DEBUG", "True", "DEBUG", True),
        ("HTTPS", "true", "CSRF_COOKIE_SECURE", True),
        ("HTTPS", "true", "SECURE_SSL_REDIRECT", True),
        ("SECRET_KEY", KEY, "SECRET_KEY", KEY),
        ("ALLOWED_HOSTS", "a.org, .b.org,[::1]", "ALLOWED_HOSTS", ["a.org", ".b.org", "[::1]"]),
        ("CSRF_TRUSTED_ORIGINS", "https://a.org:8443", "CSRF_TRUSTED_ORIGINS", ["https://a.org:8443"]),
        ("CSRF_TRUSTED_ORIGINS", "", "CSRF_TRUSTED_ORIGINS", []),
        ("DATABASE_URL", "sqlite:////srv/s.sqlite3", "DATABASE['NAME']", "/srv/s.sqlite3"),
        ("DATABASE_URL", "sqlite:////srv/s.sqlite3", "EMBEDDED", True),
        ("REDIS_URL", "redis://localhost:6379/0", "REDIS_URL", "redis://localhost:6379/0"),
        ("REDIS_URL", "rediss://:word@redis.example.org", "REDIS_URL", "rediss://:word@redis.example.org"),
        ("WEB_CONCURRENCY", "4", "WORKERS", 4),
        ("TRUSTED_PROXIES", "10.0.0.0/8, ::1", "TRUSTED_PROXIES", ["10.0.0.0/8", "::1"]),
        ("LOG_FORMAT", "json", "LOG_FORMAT", "json"),
        ("LOG_REQUESTS", "true", "LOG_REQUESTS", True),
        ("METRICS_TOKEN", "m" * 16, "METRICS_TOKEN", "m" * 16),
        ("LANGUAGE", "de", "LANGUAGE_CODE", "de"),
        ("LANGUAGE", "de_AT.UTF-8:de:en", "LANGUAGE_CODE", "de"),
        ("LANGUAGE", "fr_FR:en", "LANGUAGE_CODE", "en"),
        ("LANGUAGE", "", "LANGUAGE_CODE", "en"),
    ],
)  # fmt: skip
def test_sense_is_taken(name, value, read_as, expected, tmp_path):
    assert setting(read_as, tmp_path, **{name: value}) == expected


@pytest.mark.parametrize(
    "hosts",
    ["sheet.example.org", ".example.org", "*", "93.184.216.34", "[2606:2800::1]", "home,a.at"],
)
def test_pages_of_errors_are_never_for_the_public(hosts, tmp_path):
    refused = read_setting("DEBUG", tmp_path, ALLOWED_HOSTS=hosts, DEBUG="true")

    assert refused.stderr.strip().splitlines()[-1] == (
        "django.core.exceptions.ImproperlyConfigured: DEBUG must be false where others can reach"
        f" this site, as by {hosts.split(',')[-1]}; or ALLOWED_HOSTS must be localhost."
    )
    assert setting("DEBUG", tmp_path, ALLOWED_HOSTS=hosts) is False


@pytest.mark.parametrize(
    "hosts",
    ["localhost,127.0.0.1,[::1]", "192.168.0.7,laptop", "laptop.local,.localhost,sheet.test"],
)
def test_pages_of_errors_may_be_seen_at_home(hosts, tmp_path):
    assert setting("DEBUG", tmp_path, ALLOWED_HOSTS=hosts, DEBUG="true") is True


@pytest.mark.parametrize(
    ("name", "value", "package"),
    [("DATABASE_URL", POSTGRES, "psycopg"), ("REDIS_URL", "redis://localhost", "redis")],
)
def test_a_package_that_is_not_there_is_named(name, value, package, tmp_path):
    without = "import importlib.util as u; u.find_spec = {}.get; import scoresheet.settings"
    refused = run_python(without, tmp_path, **{name: value})

    assert refused.stderr.strip().splitlines()[-1] == (
        f"django.core.exceptions.ImproperlyConfigured: {name} needs the package {package}:"
        " pip install -r requirements.txt."
    )


def test_sites_that_share_a_redis_do_not_share_names_there(tmp_path):
    names = {setting("REDIS_PREFIX", tmp_path / site, REDIS_URL="redis://there") for site in "ab"}

    assert len(names) == 2


def test_a_value_comes_from_the_env_file_where_the_environment_has_none(tmp_path):
    file = tmp_path / "settings.env"
    file.write_text("LANGUAGE=de\nHTTPS=true\n")

    assert setting("LANGUAGE_CODE", tmp_path, ENV_FILE=str(file)) == "de"
    assert setting("LANGUAGE_CODE", tmp_path, ENV_FILE=str(file), LANGUAGE="en") == "en"


def test_secret_key_is_made_once_and_only_its_owner_may_read_it(tmp_path):
    first = setting("SECRET_KEY", tmp_path)
    second = setting("SECRET_KEY", tmp_path)

    assert first == second
    assert first == (tmp_path / "secret-key").read_text().strip()
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600


def test_secret_key_is_one_when_several_processes_start_at_once(tmp_path):
    with ThreadPoolExecutor(6) as pool:
        keys = list(pool.map(lambda _: setting("SECRET_KEY", tmp_path), range(6)))

    assert len(set(keys)) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]


def test_secret_key_cut_short_stops_the_start(tmp_path):
    (tmp_path / "secret-key").write_text("cut")

    assert "cut short." in read_setting("DEBUG", tmp_path).stderr.splitlines()[-1]


def test_secret_key_is_required_when_the_store_is_not_sqlite(tmp_path):
    refused = read_setting("DEBUG", tmp_path, DATABASE_URL=POSTGRES)

    assert refused.stderr.strip().splitlines()[-1] == (
        "django.core.exceptions.ImproperlyConfigured: "
        "SECRET_KEY must be set when DATABASE_URL is not a SQLite file."
    )
    assert list(tmp_path.iterdir()) == []
    assert setting("EMBEDDED", tmp_path, DATABASE_URL=POSTGRES, SECRET_KEY=KEY) is False
    assert setting("ALLOWED_HOSTS", tmp_path, DATABASE_URL=POSTGRES, SECRET_KEY=KEY) == []


def test_the_data_folder_is_the_owners_alone_when_it_is_made(tmp_path):
    setting("DEBUG", tmp_path / "new")

    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
