"""A table as a file: everything that people wrote at it, to take home and to bring back.

The format is docs/export.md. What is derived is left out and folded again; so are keys, tokens and
versions, which belong to a site and not to the evening.
"""

from games.exchange.parts import MOST_BYTES, Unreadable
from games.exchange.reading import read_file
from games.exchange.spreadsheet import as_csv, separator_of
from games.exchange.taken import Taken, TakenMatch, take, take_sheets
from games.exchange.writing import EDITION, FORMAT, as_plain

__all__ = [
    "EDITION",
    "FORMAT",
    "MOST_BYTES",
    "Taken",
    "TakenMatch",
    "Unreadable",
    "as_csv",
    "as_plain",
    "read_file",
    "separator_of",
    "take",
    "take_sheets",
]
