"""The store is as safe as paper, and the code agrees with its migrations."""

import pytest
from django.core.management import call_command
from django.db import connection


@pytest.mark.sqlite
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),  # FULL
        ("temp_store", 2),  # memory
        ("foreign_keys", 1),
        ("busy_timeout", 5000),  # milliseconds
    ],
)
def test_sqlite_keeps_what_it_acknowledged(pragma, value):
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {pragma}")

        assert cursor.fetchone() == (value,)


@pytest.mark.sqlite
def test_a_writer_takes_the_lock_when_its_transaction_begins(settings):
    store = settings.DATABASES["default"]

    assert store["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert store["CONN_MAX_AGE"] is None


@pytest.mark.grown
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("transaction_isolation", "read committed"),
        ("lock_timeout", "5s"),
        ("idle_in_transaction_session_timeout", "1min"),
        ("timezone", "UTC"),
        ("server_encoding", "UTF8"),
    ],
)
def test_postgresql_waits_for_a_lock_as_long_as_sqlite_does(setting, value):
    with connection.cursor() as cursor:
        cursor.execute(f"SHOW {setting}")

        assert cursor.fetchone() == (value,)


@pytest.mark.grown
def test_connections_are_kept_and_looked_at_before_they_are_used_again(settings):
    store = settings.DATABASES["default"]

    assert store["CONN_MAX_AGE"] > 0
    assert store["CONN_HEALTH_CHECKS"]


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_no_check_of_django_complains():
    call_command("check", fail_level="WARNING", verbosity=0)
