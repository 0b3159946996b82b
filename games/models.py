"""What is stored: what people wrote. Totals, chalk, dealer and winner are derived from it.

Every visible change raises ``Table.version`` by one; Match, Round and Entry keep the table
version at which they last changed. The number never restarts.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from games import rules
from games.moves import Move, moves_of

if TYPE_CHECKING:
    from games.rules import Game

CODE_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 6
HIGHEST_ROUND = 300
NAME_LENGTH = 400  # 40 grapheme clusters; an emoji of a family alone has seven code points
EDITION = 1


def new_key() -> str:
    """A table's key in its addresses: 22 characters, 128 random bits."""
    return secrets.token_urlsafe(16)


def new_code() -> str:
    """A code to type: six characters, none of which looks like another (no 0 O 1 I L)."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


class TableQuerySet(models.QuerySet["Table"]):
    """Tables, as pages need them."""

    def known_to(self, token_hash: str) -> TableQuerySet:
        """The tables that one browser was let in to, the last touched first."""
        return self.filter(phones__token_hash=token_hash).order_by("-touched_at")


class Table(models.Model):
    """An evening at one table; owns players, house rules and matches."""

    key = models.CharField(max_length=32, unique=True, default=new_key)
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    is_open = models.BooleanField(default=True)
    recovery_hash = models.CharField(max_length=64, blank=True)  # of the link that makes a host
    game_slug = models.CharField(max_length=40)
    house = models.JSONField(default=dict)
    edition = models.PositiveSmallIntegerField(default=EDITION)
    agreed = models.CharField(max_length=200, blank=True)
    stake = models.CharField(max_length=7, blank=True)  # what is paid for; "" = as usual
    unit_cents = models.PositiveIntegerField(null=True, blank=True)
    currency = models.CharField(max_length=8, blank=True)
    version = models.PositiveBigIntegerField(default=1)
    names_version = models.PositiveBigIntegerField(default=1)
    matches_made = models.PositiveIntegerField(default=0)
    match_removed_version = models.PositiveBigIntegerField(default=0)
    first_entry_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()
    touched_at = models.DateTimeField()

    objects = TableQuerySet.as_manager()

    class Meta:
        """Constraints."""

        constraints = (
            models.CheckConstraint(
                condition=~Q(key=""),
                name="a_table_has_a_key",
            ),
            models.UniqueConstraint(
                fields=["recovery_hash"],
                condition=~Q(recovery_hash=""),
                name="one_table_per_recovery_link",
            ),
        )

    def __str__(self) -> str:
        return f"{self.game_slug} {self.pk}"

    @property
    def game(self) -> Game:
        """The game played at this table."""
        return rules.find_game(self.game_slug)

    def column_at(self, seat: int) -> str:
        """The column of whoever sits on a seat: sides A and B sit across, or each alone."""
        return "AB"[seat % 2] if self.game.partnerships else str(seat)


class OldKey(models.Model):
    """A key that a table had before: it leads the table's own phones on, and nobody else."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="old_keys")
    key = models.CharField(max_length=32, unique=True)

    def __str__(self) -> str:
        return f"an old key of table {self.table_id}"


class DeletedTable(models.Model):
    """A table that is gone for good: a hash of its key, so that its address can say so."""

    key_hash = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"deleted {self.at:%Y-%m-%d}"


class Player(models.Model):
    """A person at the table: on a seat, or sitting out (no seat)."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="players")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    name = models.CharField(max_length=NAME_LENGTH)
    seat_code = models.CharField(max_length=CODE_LENGTH, default=new_code)
    code_misses = models.PositiveSmallIntegerField(default=0)
    code_closed_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraints."""

        constraints = (
            models.UniqueConstraint(fields=["table", "seat"], name="one_player_per_seat"),
            models.CheckConstraint(
                condition=Q(seat__isnull=True) | Q(seat__lte=3), name="seats_are_0_to_3"
            ),
        )

    def __str__(self) -> str:
        return self.name


class Phone(models.Model):
    """A browser that was let in to a table. Only the hash of its token is kept."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="phones")
    token_hash = models.CharField(max_length=64)
    player = models.ForeignKey(
        Player, models.SET_NULL, null=True, blank=True, related_name="phones"
    )
    freed_seat = models.ForeignKey(  # the host freed it under this phone, which may want it back
        Player, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    is_host = models.BooleanField(default=False)
    seen_at = models.DateTimeField()

    class Meta:
        """Constraints."""

        constraints = (
            models.UniqueConstraint(fields=["table", "token_hash"], name="one_phone_per_browser"),
        )
        indexes = (models.Index(fields=["token_hash"], name="phone_by_token"),)

    def __str__(self) -> str:
        return f"phone {self.pk}"


class SeatRequest(models.Model):
    """A phone's wish that needs somebody's yes: for a seat, or without a player to be host."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="seat_requests")
    phone = models.ForeignKey(Phone, models.CASCADE, related_name="seat_requests")
    player = models.ForeignKey(
        Player, models.CASCADE, null=True, blank=True, related_name="seat_requests"
    )
    at = models.DateTimeField()

    class Meta:
        """Constraints."""

        constraints = (
            models.UniqueConstraint(fields=["phone"], name="one_open_request_per_phone"),
        )

    def __str__(self) -> str:
        return f"phone {self.phone_id} asks for {self.player_id or 'the office'}"

    @property
    def is_for_host(self) -> bool:
        """Whether the phone would like to be host."""
        return self.player_id is None


class Match(models.Model):
    """One match of the evening."""

    class How(models.TextChoices):
        """How a match ended."""

        LINE = "line"
        TAP = "tap"

    table = models.ForeignKey(Table, models.CASCADE, related_name="matches")
    number = models.PositiveIntegerField()
    house = models.JSONField(default=dict)
    start_dealer = models.PositiveSmallIntegerField()
    first_chalk = models.CharField(max_length=1, blank=True)
    dealer_corrections = models.JSONField(default=list)  # [round, thrown in before, seat]
    thrown_in = models.JSONField(default=dict)  # {"3": 2}: two hands before round 3
    moves = models.JSONField(default=list)  # of deals in the wrong place; see games/moves.py
    version = models.PositiveBigIntegerField(default=0)
    blank_version = models.PositiveBigIntegerField(default=0)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    how = models.CharField(max_length=4, choices=How.choices, blank=True)
    corrected = models.BooleanField(default=False)
    banking = models.JSONField(default=dict)  # what the banking transaction wrote, to take back
    result = models.JSONField(default=dict)  # for lists; rewritten by the verb that changes a cell

    class Meta:
        """Constraints."""

        constraints = (
            models.UniqueConstraint(fields=["table", "number"], name="one_match_per_number"),
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(ended_at__isnull=True),
                name="one_open_match_per_table",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="matches_count_from_one"),
            models.CheckConstraint(
                condition=Q(start_dealer__lte=3), name="the_dealer_sits_on_0_to_3"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, how="")
                | Q(ended_at__isnull=False, how__in=["line", "tap"]),
                name="an_ended_match_says_how",
            ),
        )

    def __str__(self) -> str:
        return f"match {self.number}"

    def get_absolute_url(self) -> str:
        """The address of the match's page."""
        return reverse("games:match", args=[self.table.key, self.number])

    @property
    def is_open(self) -> bool:
        """Whether the match is still played."""
        return self.ended_at is None

    @property
    def thrown_total(self) -> int:
        """Hands thrown in so far."""
        return sum(self.thrown_in.values())

    def thrown_up_to(self, number: int) -> int:
        """Hands thrown in before a round or an earlier one.

        Not all there are: when the last round is cleared, hands may stand before a later one.
        """
        return sum(count for before, count in self.thrown_in.items() if int(before) <= number)

    def moved_at(self, number: int) -> int:
        """The version of the last move since which this number means another deal, 0 for none."""
        touching = (move.version for move in moves_of(self.moves) if move.touches(number))
        return max(touching, default=0)

    def since(self, number: int) -> int:
        """The version from which the addresses of a round mean what they mean now."""
        return max(self.blank_version, self.moved_at(number))

    def moves_after(self, version: int) -> list[Move]:
        """The moves after a version, oldest first."""
        return [move for move in moves_of(self.moves) if move.version > version]

    @property
    def last_removed(self) -> int | None:
        """The number of the deal that was removed, if nothing has moved since: it can come back."""
        last = moves_of(self.moves)[-1:]
        return last[0].number if last and last[0].what == "remove" else None

    def whereabouts(self, number: int, version: int) -> int | None:
        """The number now of the deal that had this one at a version; None if it was removed."""
        found: int | None = number
        for move in self.moves_after(version):
            if found is not None:
                found = move.place_of(found)
        return found


class Side(models.Model):
    """A column of the sheet: one or two players, never seats."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="sides")
    column = models.CharField(max_length=1)
    name = models.CharField(max_length=2 * NAME_LENGTH + 3)
    players = models.ManyToManyField(Player, through="Member", related_name="sides")

    class Meta:
        """Constraints."""

        constraints = (
            models.UniqueConstraint(fields=["match", "column"], name="one_side_per_column"),
        )

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """A player of a side in one match, by the name they had then; partners in seating order.

    A person may sit elsewhere and be called otherwise later: a match stays as it was played.
    """

    side = models.ForeignKey(Side, models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    place = models.PositiveSmallIntegerField()  # 0, of two partners 0 or 1
    name = models.CharField(max_length=NAME_LENGTH)

    class Meta:
        """Constraints."""

        constraints = (
            models.UniqueConstraint(fields=["side", "place"], name="one_member_per_place"),
            models.UniqueConstraint(fields=["side", "player"], name="one_place_per_player"),
        )

    def __str__(self) -> str:
        return self.name


class Round(models.Model):
    """One deal: a row of the sheet."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    hand = models.JSONField(null=True, blank=True)  # as settled; None once the row says otherwise
    confirmed = models.JSONField(default=dict)  # doubt code -> columns whose change makes it lapse
    version = models.PositiveBigIntegerField(default=0)

    class Meta:
        """Constraints."""

        constraints = (
            models.UniqueConstraint(fields=["match", "number"], name="one_round_per_number"),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=HIGHEST_ROUND),
                name="rounds_count_from_one_to_300",
            ),
        )

    def __str__(self) -> str:
        return f"round {self.number}"


class EntryQuerySet(models.QuerySet["Entry"]):
    """Entries, as the sheet needs them."""

    def for_sheet(self, match: Match) -> models.QuerySet[Entry, Any]:
        """Every cell that was ever written in a match, as plain values: one query."""
        return self.filter(round__match=match).values(
            "points",
            "state",
            "corrected",
            "was",
            "version",
            "written_by_id",
            "written_at",
            number=F("round__number"),
            column=F("side__column"),
        )


class Entry(models.Model):
    """One cell: a whole number, or blank. Never deleted; clearing writes blank."""

    class State(models.TextChoices):
        """Who says so: a person, or the rules (a number that only one reading leaves)."""

        WRITTEN = "written"
        IMPLIED = "implied"

    round = models.ForeignKey(Round, models.CASCADE, related_name="entries")
    side = models.ForeignKey(Side, models.CASCADE, related_name="entries")
    points = models.PositiveIntegerField(null=True, blank=True)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WRITTEN)
    corrected = models.BooleanField(default=False)
    was = models.PositiveIntegerField(null=True, blank=True)  # the number that was corrected last
    version = models.PositiveBigIntegerField(default=0)
    written_by = models.ForeignKey(Phone, models.SET_NULL, null=True, blank=True, related_name="+")
    written_at = models.DateTimeField(null=True, blank=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        """Constraints."""

        constraints = (
            models.UniqueConstraint(fields=["round", "side"], name="one_entry_per_cell"),
            models.CheckConstraint(
                condition=Q(points__isnull=True) | Q(points__gte=0), name="points_from_zero_up"
            ),
        )

    def __str__(self) -> str:
        return "" if self.points is None else str(self.points)


class Change(models.Model):
    """A write that happened: who, when, which cell, before, after, why. Kept for ever."""

    class Why(models.TextChoices):
        """The reason for a write."""

        OWN = "own"
        PARTNER = "partner"
        HOST = "host"
        IMPLIED = "implied"
        UNDO = "undo"
        LATE = "late"
        CALCULATOR = "calculator"
        MOVED = "moved"  # the address means another deal since: removed, put in, swapped
        IMPORT = "import"

    table = models.ForeignKey(Table, models.CASCADE, related_name="changes")
    version = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    phone = models.ForeignKey(Phone, models.SET_NULL, null=True, blank=True, related_name="+")
    who = models.CharField(max_length=NAME_LENGTH, blank=True)  # "" = a host without a seat
    match_number = models.PositiveIntegerField()
    round_number = models.PositiveSmallIntegerField()
    column = models.CharField(max_length=1)
    before = models.PositiveIntegerField(null=True, blank=True)
    after = models.PositiveIntegerField(null=True, blank=True)
    op = models.CharField(max_length=36, blank=True)
    hand = models.JSONField(null=True, blank=True)  # the hand that was worked out to the number
    why = models.CharField(max_length=10, choices=Why.choices)
    from_round = models.PositiveSmallIntegerField(null=True, blank=True)  # of a number that moved

    class Meta:
        """Indexes."""

        indexes = (
            models.Index(
                fields=["table", "match_number", "round_number", "column"], name="change_by_cell"
            ),
        )

    def __str__(self) -> str:
        return f"{self.round_number}.{self.column}: {self.before} -> {self.after}"


class Op(models.Model):
    """An attempt that was accepted, so that the same attempt again changes nothing."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="ops")
    op = models.CharField(max_length=36)
    what = models.CharField(max_length=200)  # the verb, its address and its values

    class Meta:
        """Constraints."""

        constraints = (models.UniqueConstraint(fields=["table", "op"], name="one_use_per_op"),)

    def __str__(self) -> str:
        return self.op


class LateEntry(models.Model):
    """A number that arrived after the end: kept, and offered to the host."""

    class Decision(models.TextChoices):
        """What became of it."""

        OPEN = "open"
        TAKEN = "taken"
        DROPPED = "dropped"
        WRITTEN = "written"

    match = models.ForeignKey(Match, models.CASCADE, related_name="late_entries")
    table = models.ForeignKey(Table, models.CASCADE, related_name="late_entries")
    round_number = models.PositiveSmallIntegerField()
    column = models.CharField(max_length=1)
    value = models.PositiveIntegerField()
    op = models.CharField(max_length=36)
    phone = models.ForeignKey(Phone, models.SET_NULL, null=True, blank=True, related_name="+")
    who = models.CharField(max_length=NAME_LENGTH, blank=True)
    at = models.DateTimeField()
    decision = models.CharField(max_length=7, choices=Decision.choices, default=Decision.OPEN)

    class Meta:
        """Constraints."""

        constraints = (
            models.UniqueConstraint(fields=["table", "op"], name="one_late_entry_per_op"),
        )

    def __str__(self) -> str:
        return f"{self.round_number}.{self.column}: {self.value}"


class GroupQuerySet(models.QuerySet["Group"]):
    """Groups, as doors and pages need them."""

    def living(self) -> GroupQuerySet:
        """Those that have a table; a group whose last table was deleted is none any more."""
        return self.filter(models.Exists(GroupTable.objects.filter(group=models.OuterRef("pk"))))

    def known_to(self, token_hash: str) -> GroupQuerySet:
        """Those of the tables at which a browser is host or plays; not where it watches."""
        has_a_say = Q(is_host=True) | Q(player__isnull=False)
        tables = Phone.objects.filter(has_a_say, token_hash=token_hash).values("table")
        return self.filter(tables__table__in=tables).distinct().order_by("name", "pk")


class Group(models.Model):
    """People who play for months: their tables, read as one. Lives while it has a table."""

    key = models.CharField(max_length=32, unique=True, default=new_key)
    name = models.CharField(max_length=NAME_LENGTH)
    created_at = models.DateTimeField()

    objects = GroupQuerySet.as_manager()

    class Meta:
        """Constraints."""

        constraints = (
            models.CheckConstraint(
                condition=~Q(key=""),
                name="a_group_has_a_key",
            ),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The address of the group's page; whoever has it may look."""
        return reverse("games:group", args=[self.key])


class GroupTable(models.Model):
    """A table that counts in a group; in one at most."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="tables")
    table = models.ForeignKey(Table, models.CASCADE, related_name="in_group")

    class Meta:
        """Constraints."""

        constraints = (
            models.UniqueConstraint(fields=["table"], name="a_table_counts_in_one_group"),
        )

    def __str__(self) -> str:
        return f"table {self.table_id} in group {self.group_id}"


class Alias(models.Model):
    """Two names of one person, said by hand: who is called like this is the member of that name.

    Spellings that ``names.name_key`` takes for the same need none.
    """

    group = models.ForeignKey(Group, models.CASCADE, related_name="aliases")
    name_key = models.CharField(max_length=3 * NAME_LENGTH)  # casefold makes three of one at most
    name = models.CharField(max_length=NAME_LENGTH)  # as it was when they were put together
    member = models.CharField(max_length=NAME_LENGTH)

    class Meta:
        """Constraints."""

        constraints = (
            models.UniqueConstraint(fields=["group", "name_key"], name="a_name_is_one_member"),
        )

    def __str__(self) -> str:
        return f"{self.name} is {self.member}"
