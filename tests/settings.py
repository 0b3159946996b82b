"""The settings for tests: the product's own, whatever the environment and .env say.

``TEST_DATABASE_URL`` and ``TEST_REDIS_URL`` name what the grown set-up is tried with; without them
everything is in one process, on a SQLite file.
"""

import os
from pathlib import Path

BUILD = Path(__file__).resolve().parent.parent / "build"
BUILD.mkdir(exist_ok=True)
for name in ("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "DATABASE_URL", "DEBUG", "HTTPS", "LANGUAGE",
             "LOG_FORMAT", "LOG_REQUESTS", "METRICS_TOKEN", "REDIS_URL", "SECRET_KEY",
             "STATIC_ROOT", "TRUSTED_PROXIES", "WEB_CONCURRENCY"):  # fmt: skip
    os.environ.pop(name, None)
os.environ["ENV_FILE"] = os.devnull
os.environ["DATA_DIR"] = str(BUILD / "test-data")
if "TEST_DATABASE_URL" in os.environ:
    os.environ["DATABASE_URL"] = os.environ["TEST_DATABASE_URL"]
    os.environ["SECRET_KEY"] = f"only for the tests of process {os.getpid()}"
    os.environ["ALLOWED_HOSTS"] = "localhost,127.0.0.1"
if "TEST_REDIS_URL" in os.environ:
    os.environ["REDIS_URL"] = os.environ["TEST_REDIS_URL"]

from scoresheet.settings import *  # noqa: E402, F403
from scoresheet.settings import DATABASES, EMBEDDED, STATIC_ROOT, STORAGES  # noqa: E402

# Pages name static files as they lie in static/; the browser tests serve the collected ones.
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
STATIC_ROOT.mkdir(exist_ok=True)  # whitenoise warns about a missing one

# Two runs at once, each with a store of its own.
OWN = BUILD / f"test-{os.getpid()}.sqlite3" if EMBEDDED else f"test_{os.getpid()}"
DATABASES["default"].setdefault("TEST", {})["NAME"] = OWN
