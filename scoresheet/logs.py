"""What goes to the log: never the key of a table or group, a code, or a link that makes a host."""

import logging
import re

SECRET_IN_PATH = re.compile(r"(/(?:t|live|j|g|host|r)/)[^/\s?#\"']+")
SECRET_IN_QUERY = re.compile(r"([?&](?:code|link)=)[^&\s#\"']+")


class WithoutKeys(logging.Filter):
    """Blanks all secrets that addresses hold, which is all it takes to come in."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass, with its message and its traceback made harmless."""
        record.msg = without_keys(record.getMessage())
        record.args = ()
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:  # formatters print it as it stands
            record.exc_text = without_keys(record.exc_text)
        return True


def without_keys(text: str) -> str:
    """A text with dots for the secrets of the addresses in it."""
    return SECRET_IN_QUERY.sub(r"\1...", SECRET_IN_PATH.sub(r"\1...", text))
