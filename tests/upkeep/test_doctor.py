"""The doctor finds what is wrong, and says what to do about it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import OperationalError
from django.utils import timezone

from games.models import Table
from games.upkeep import doctor, readiness
from scoresheet.hosts import AnyHomeAddress
from tests.games.helpers import make_table
from tests.serving import ROOT, environment_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def data_dir(settings, tmp_path):
    """A data folder of its own, as it should be."""
    settings.DATA_DIR = tmp_path / "data"
    settings.STATIC_ROOT = settings.DATA_DIR / "static"
    settings.STATIC_ROOT.mkdir(parents=True)
    settings.DATA_DIR.chmod(0o700)
    (settings.STATIC_ROOT / "staticfiles.json").write_text("{}")
    settings.ALLOWED_HOSTS = ["sheet.example.org"]
    return settings.DATA_DIR


def found(what, **more):
    """The weights and sentences that the doctor has for one point."""
    return [(one.weight, one.say) for one in doctor.look(**more) if one.what == what]


def assert_wrong(what, *parts, weight="wrong", **more):
    said = [say for how, say in found(what, **more) if how == weight]
    assert len(said) == 1
    assert [part for part in parts if part not in said[0]] == []


def test_a_set_up_that_is_well_is_said_to_be_so(data_dir):
    said = StringIO()

    call_command("doctor", stdout=said)

    lines = said.getvalue().splitlines()
    assert lines[-1] == "All is well."
    assert [line for line in lines if line.startswith("BAD")] == []
    assert len(lines) > 12


def test_something_wrong_is_the_exit_status(store):
    done = subprocess.run(
        [sys.executable, "manage.py", "doctor"],
        cwd=ROOT,
        env=environment_of(store, ALLOWED_HOSTS="*"),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "BAD   Host names: ALLOWED_HOSTS is *" in done.stdout
    assert "1 thing to put right." in done.stderr


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("SECRET_KEY", "ab" * 30, "Secret key"),
        ("ALLOWED_HOSTS", ["*"], "Host names"),
        ("ALLOWED_HOSTS", [], "Host names"),
        ("REDIS_URL", "redis://127.0.0.1:1/0", "Redis"),
    ],
)
def test_settings_that_are_wrong_are_named(settings, data_dir, name, value, what):
    assert [weight for weight, _say in found(what) if weight == "wrong"] == []

    setattr(settings, name, value)

    assert_wrong(what)


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("DEBUG", True, "Public: debugging"),
        ("HTTPS", False, "Public: https"),
        ("TRUSTED_PROXIES", [], "Public: https"),
        ("ALLOWED_HOSTS", ["sheet.example.org", AnyHomeAddress()], "Public: host names"),
    ],
)
def test_a_public_server_needs_more(settings, data_dir, name, value, what):
    settings.DEBUG, settings.HTTPS, settings.TRUSTED_PROXIES = False, True, ["10.0.0.1"]
    assert [weight for weight, _say in found(what, deploy=True) if weight == "wrong"] == []

    setattr(settings, name, value)

    assert_wrong(what, deploy=True)
    assert found(what) == []


def test_a_key_that_others_can_read_is_named(data_dir):
    key = data_dir / "secret-key"
    key.touch(mode=0o600)
    assert found("Secret key")[0][0] == "fine"

    key.chmod(0o644)

    assert_wrong("Secret key", f"chmod 600 {key}")


def test_a_folder_that_others_can_look_into_is_noted(data_dir):
    assert stat.S_IMODE(data_dir.stat().st_mode) == 0o700
    assert [weight for weight, _say in found("Data folder")] == ["fine"]

    data_dir.chmod(0o755)

    assert_wrong("Data folder", f"chmod 700 {data_dir}", weight="note")


def test_a_full_disk_is_named(data_dir, monkeypatch):
    monkeypatch.setattr(readiness, "ROOM", 1 << 62)

    assert_wrong("Data folder", "make room")


def test_a_store_of_another_release_is_named(data_dir):
    MigrationRecorder(connection).migration_qs.filter(app="games").latest("pk").delete()

    assert_wrong("Store", "manage.py migrate")


def test_a_store_that_does_not_answer_is_named(data_dir):
    def broken(execute, sql, params, many, context):
        raise OperationalError("gone\nwith a password")

    with connection.execute_wrapper(broken):
        assert_wrong("Store", "does not answer (gone)")
        assert found("Clock") == []


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("days", "content", "weight", "part"),
    [
        (None, b"", "note", "There is no copy"),
        (3, b"", "wrong", "3 days old"),
        (1, b"rubbish" * 100, "wrong", "of no use"),
    ],
)
def test_copies_are_looked_at(data_dir, days, content, weight, part):
    if days is not None:
        copy = data_dir / "backups" / "scoresheet-2026.sqlite3"
        copy.parent.mkdir()
        copy.write_bytes(content)
        then = timezone.now().timestamp() - days * 24 * 60 * 60
        os.utime(copy, (then, then))

    assert_wrong("Copies", part, weight=weight)


def test_a_clock_that_was_set_back_is_named(data_dir):
    make_table()
    assert found("Clock")[0][0] == "fine"

    Table.objects.update(touched_at=timezone.now() + timedelta(days=1))

    assert_wrong("Clock", "timedatectl")


def test_static_files_are_of_this_release(settings, data_dir):
    manifest = settings.STATIC_ROOT / "staticfiles.json"
    assert found("Static files")[0][0] == "fine"

    os.utime(manifest, (0, 0))
    assert_wrong("Static files", "is newer than what was collected")

    manifest.unlink()
    assert_wrong("Static files", "collectstatic")


def test_translations_that_are_not_compiled_are_named(settings, data_dir, tmp_path):
    po = tmp_path / "locale" / "de" / "LC_MESSAGES" / "django.po"
    po.parent.mkdir(parents=True)
    po.touch()
    settings.LOCALE_PATHS = [tmp_path / "locale"]

    assert_wrong("Languages", "python -m scoresheet.messages")


def test_several_processes_need_redis(settings, data_dir):
    settings.WORKERS, settings.REDIS_URL = 1, None
    assert found("Processes")[0][0] == "fine"

    settings.WORKERS = 4

    assert_wrong("Processes", "REDIS_URL")


def test_with_something_wrong_the_command_fails(settings, data_dir):
    settings.ALLOWED_HOSTS = []

    with pytest.raises(CommandError, match="1 thing to put right"):
        call_command("doctor", stdout=StringIO())
