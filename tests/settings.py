"""The settings for tests: the product's own, whatever the environment and .env say."""

import os
from pathlib import Path

BUILD = Path(__file__).resolve().parent.parent / "build"
BUILD.mkdir(exist_ok=True)
for name in ("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "DATABASE_URL", "DEBUG", "HTTPS", "LANGUAGE",
             "LOG_FORMAT", "LOG_REQUESTS", "METRICS_TOKEN", "REDIS_URL", "SECRET_KEY",
             "TRUSTED_PROXIES"):  # fmt: skip
    os.environ.pop(name, None)
os.environ["ENV_FILE"] = os.devnull
os.environ["DATA_DIR"] = str(BUILD / "test-data")

from scoresheet.settings import *  # noqa: E402, F403
from scoresheet.settings import DATABASES, STATIC_ROOT, STORAGES  # noqa: E402

# Pages name static files as they lie in static/; the browser tests serve the collected ones.
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
STATIC_ROOT.mkdir(exist_ok=True)  # whitenoise warns about a missing one

if "TEST" in DATABASES["default"]:  # two runs at once, each with a file of its own
    DATABASES["default"]["TEST"]["NAME"] = BUILD / f"test-{os.getpid()}.sqlite3"
