"""Settings, all from the environment; README.md lists them, environment.py reads them."""

from pathlib import Path
from typing import Any

from scoresheet import database, environment, lan
from scoresheet.hosts import AnyHomeAddress, names_of_this_machine
from scoresheet.release import release_of

BASE_DIR = Path(__file__).resolve().parent.parent
environment.read_env_file(BASE_DIR / ".env")

DAYS_400 = 400 * 24 * 60 * 60  # seconds; browsers keep no cookie longer
YEAR = 365 * 24 * 60 * 60  # seconds

# What the environment says ---------------------------------------------------------------------

DEBUG = environment.flag("DEBUG", default=False)
HTTPS = environment.flag("HTTPS", default=False)
DATA_DIR = environment.data_dir("DATA_DIR", default=BASE_DIR / "data")
DATABASE = environment.database("DATABASE_URL", default=DATA_DIR / "scoresheet.sqlite3")
EMBEDDED = DATABASE["ENGINE"] == "django.db.backends.sqlite3"
SECRET_KEY = environment.secret_key(
    "SECRET_KEY", keep_in=DATA_DIR / "secret-key" if EMBEDDED else None
)
ALLOWED_HOSTS = environment.hosts(
    "ALLOWED_HOSTS",
    default=[*names_of_this_machine(), *lan.addresses(), AnyHomeAddress()] if EMBEDDED else [],
)
environment.refuse_debug_in_public("DEBUG", debug=DEBUG, hosts=ALLOWED_HOSTS)
CSRF_TRUSTED_ORIGINS = environment.origins("CSRF_TRUSTED_ORIGINS")
TRUSTED_PROXIES = environment.networks("TRUSTED_PROXIES")
WORKERS = environment.workers("WEB_CONCURRENCY")
REDIS_URL = environment.redis_url("REDIS_URL")
REDIS_PREFIX = environment.prefix_of(SECRET_KEY)  # others may share that Redis
LOG_FORMAT = environment.one_of("LOG_FORMAT", default="line", choices=("line", "json"))
LOG_REQUESTS = environment.flag("LOG_REQUESTS", default=False)
METRICS_TOKEN = environment.token("METRICS_TOKEN")

LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LANGUAGE_CODE = environment.language("LANGUAGE", default="en", spoken={"en", "de"})

# The parts -------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "template_partials",
    "games",
]

MIDDLEWARE = [
    "scoresheet.tracing.RouteNamed",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "scoresheet.packing.Packing",  # pages; padded against guessing (BREACH)
    "csp.middleware.CSPMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "games.views.readable.Readable",
    "games.views.readable.WithSlash",
    "games.views.unrepeated.Unrepeated",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "games.views.unlisted.Unlisted",
    "games.views.moved.LeadsOn",
    "games.views.unwell.StoreUnwell",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "scoresheet.urls"
WSGI_APPLICATION = "scoresheet.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "games.views.frame.frame",
            ],
        },
    },
]

# The store -------------------------------------------------------------------------------------

if EMBEDDED:
    DATABASE |= {
        # The threads that answer requests live as long as the process, and so do their connections.
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "timeout": 5,  # seconds a writer waits for the one before
            "transaction_mode": "IMMEDIATE",
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY;"
            ),
        },
        # A file, so that tests with threads meet real locks.
        "TEST": {"NAME": BASE_DIR / "build" / "test.sqlite3"},
    }
else:
    DATABASE |= {
        # A connection for each thread, looked at before it is used again.
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": database.options(DATABASE.get("OPTIONS", {})),
    }
DATABASES = {"default": DATABASE}

# Languages and time ----------------------------------------------------------------------------

LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_COOKIE_AGE = DAYS_400
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS

# Static files ----------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = environment.folder("STATIC_ROOT", default=DATA_DIR / "static")
STATICFILES_DIRS = [BASE_DIR / "static"]
RELEASE = release_of(STATIC_ROOT)  # open pages compare it with the one they came from
STORAGES = {
    "staticfiles": {"BACKEND": "scoresheet.staticfiles.CollectedFiles"},
}

# Safety ----------------------------------------------------------------------------------------

CSRF_COOKIE_HTTPONLY = False  # the page reads it at the moment it sends
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = HTTPS
CSRF_FAILURE_VIEW = "games.views.errors.csrf_failure"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"  # paths hold the keys of tables
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
SECURE_HSTS_SECONDS = YEAR if HTTPS else 0
# A sheet at example.org does not decide how other.example.org is reached, nor for all time.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
# Browsers ignore this header on plain http, and complain about it in the console.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
MEGABYTE = 1024 * 1024
BODY_AT_MOST = MEGABYTE  # a form here has a few hundred bytes
# A table that is brought back; far more than is read, so that what is too large is said kindly.
LARGER_BODIES_AT_MOST = {"/import/": 16 * MEGABYTE}
DATA_UPLOAD_MAX_MEMORY_SIZE = 16 * MEGABYTE

# The log ---------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"without_keys": {"()": "scoresheet.logs.WithoutKeys"}},
    "formatters": {
        "line": {
            "()": "scoresheet.logs.Lines",
            "format": "{asctime} {levelname} {name}{numbered}: {message}",
            "style": "{",
        },
        "json": {"()": "scoresheet.logs.Json"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["without_keys"],
        },
        "nowhere": {"class": "logging.NullHandler"},
    },
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        # Django's own handlers off, so that every record takes the way of the root.
        "django": {"handlers": [], "level": "INFO"},
        "django.request": {"level": "ERROR"},  # a 404 or 409 is nobody's fault
        "django.security.csrf": {"level": "ERROR"},
        "django.server": {"handlers": ["stderr"], "propagate": False},  # runserver, keys blanked
        # Whoever scans for holes fills no disk.
        "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
        "django.security.DisallowedRedirect": {"handlers": ["nowhere"], "propagate": False},
        # No access log, also when uvicorn is started by hand: paths hold the keys of tables.
        "uvicorn.access": {"handlers": [], "propagate": False},
    },
}
