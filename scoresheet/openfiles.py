"""How many connections this process can hold: each one is an open file to the system."""

import sys
from contextlib import suppress

PLENTY = 65536
BESIDE_STREAMS = 200  # listeners, the store, pages and files on their way
USUAL = 1024  # where the system does not say


def streams_at_most(wanted: int) -> int:
    """How many streams may be open at once: so many as wanted, if the system allows them.

    Raises this process's own limit as far as the system lets it.
    """
    return min(wanted, _open_files() - BESIDE_STREAMS)


def _open_files() -> int:
    if sys.platform == "win32":
        return USUAL
    import resource  # noqa: PLC0415 - not on every system

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = PLENTY if hard == resource.RLIM_INFINITY else min(hard, PLENTY)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return PLENTY if soft == resource.RLIM_INFINITY else soft
