"""What is stored: what people wrote. Totals, chalk, dealer and winner are derived from it.

Every visible change raises ``Table.version`` by one; Match, Round and Entry keep the table
version at which they last changed. The number never restarts.

A foreign key has no index of its own (``db_index=False``) where one of its table begins with it
anyway: each index is written with every row.
"""

from games.models.changes import Change, Op
from games.models.common import CODE_ALPHABET, CODE_LENGTH, NAME_LENGTH, new_code, new_key
from games.models.entries import HIGHEST_ROUND, Entry, LateEntry, Round
from games.models.groups import Alias, Group, GroupTable
from games.models.matches import Match, Member, Side
from games.models.people import Phone, Player, SeatRequest
from games.models.tables import EDITION, DeletedTable, OldKey, Table

__all__ = [
    "CODE_ALPHABET",
    "CODE_LENGTH",
    "EDITION",
    "HIGHEST_ROUND",
    "NAME_LENGTH",
    "Alias",
    "Change",
    "DeletedTable",
    "Entry",
    "Group",
    "GroupTable",
    "LateEntry",
    "Match",
    "Member",
    "OldKey",
    "Op",
    "Phone",
    "Player",
    "Round",
    "SeatRequest",
    "Side",
    "Table",
    "new_code",
    "new_key",
]
