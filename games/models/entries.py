"""The rows of a sheet and their cells, and numbers that came too late for it."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import F, Q

from games.models.common import NAME_LENGTH
from games.models.matches import Match, Side
from games.models.people import Phone
from games.models.tables import Table

HIGHEST_ROUND = 300


class Round(models.Model):
    """One deal: a row of the sheet."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="rounds", db_index=False)
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

    round = models.ForeignKey(Round, models.CASCADE, related_name="entries", db_index=False)
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


class LateEntry(models.Model):
    """A number that arrived after the end: kept, and offered to the host."""

    class Decision(models.TextChoices):
        """What became of it."""

        OPEN = "open"
        TAKEN = "taken"
        DROPPED = "dropped"
        WRITTEN = "written"

    match = models.ForeignKey(Match, models.CASCADE, related_name="late_entries")
    table = models.ForeignKey(Table, models.CASCADE, related_name="late_entries", db_index=False)
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
