"""The matches of an evening, and who played them on which side."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse

from games.models.common import NAME_LENGTH
from games.models.people import Player
from games.models.tables import Table
from games.moves import Move, moves_of


class Match(models.Model):
    """One match of the evening."""

    class How(models.TextChoices):
        """How a match ended."""

        LINE = "line"
        TAP = "tap"

    table = models.ForeignKey(Table, models.CASCADE, related_name="matches", db_index=False)
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

    match = models.ForeignKey(Match, models.CASCADE, related_name="sides", db_index=False)
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

    side = models.ForeignKey(Side, models.CASCADE, related_name="members", db_index=False)
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
