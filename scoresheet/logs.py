"""What goes to the log: never the key of a table or group, a code, or a link that makes a host."""

import json
import logging
import re
import traceback
from datetime import UTC, datetime
from typing import Any

from django.conf import settings

from scoresheet.tracing import now_answered

SECRET_IN_PATH = re.compile(r"(/(?:t|live|j|g|host|r)/)[^/\s?#\"']+")
SECRET_IN_QUERY = re.compile(r"([?&](?:code|link)=)[^&\s#\"']+")
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|\([^()]*\)=\([^()]*\)")


class WithoutKeys(logging.Filter):
    """Blanks all secrets that addresses hold, which is all it takes to come in."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass, with its message made harmless and the number of its request."""
        record.msg = without_keys(record.getMessage())
        record.args = ()
        request = now_answered.get()
        record.request = request.number if request else ""
        return True


class Lines(logging.Formatter):
    """A line for people, with the number of the request where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """One record; a traceback follows on lines of its own."""
        number = getattr(record, "request", "")
        record.numbered = f" [{number}]" if number else ""
        return super().format(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's own name
        """A traceback that quotes nothing."""
        return told(ei)


class Json(logging.Formatter):
    """One JSON object on a line, for programs."""

    def format(self, record: logging.LogRecord) -> str:
        """One record, with what is known of it as fields."""
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if number := getattr(record, "request", ""):
            fields["request"] = number
        fields |= getattr(record, "told", {})
        if record.exc_info:
            fields["traceback"] = told(record.exc_info)
        return json.dumps(fields, ensure_ascii=False)


def told(error: Any) -> str:
    """A traceback: the way through the code, and of what the errors say nothing that is quoted.

    Values would be what people typed, as a store quotes them in its complaints.
    """
    if settings.DEBUG:
        return "".join(traceback.format_exception(*error)).rstrip()
    lines = []
    for block in traceback.format_exception(*error):
        if block.startswith("  File "):
            lines.append(block)
        else:  # of several lines the first: the others are what a store adds about its rows
            first, *_more = block.strip().splitlines() or [""]
            lines.append(QUOTED.sub("'...'", first) + "\n")
    return without_keys("".join(lines)).rstrip()


def without_keys(text: str) -> str:
    """A text without the keys and codes in its paths."""
    return SECRET_IN_QUERY.sub(r"\1...", SECRET_IN_PATH.sub(r"\1...", text))
