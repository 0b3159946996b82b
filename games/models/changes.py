"""What was written when and by whom: kept for ever."""

from __future__ import annotations

from django.db import models

from games.models.common import NAME_LENGTH
from games.models.people import Phone
from games.models.tables import Table


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

    table = models.ForeignKey(Table, models.CASCADE, related_name="changes", db_index=False)
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

    table = models.ForeignKey(Table, models.CASCADE, related_name="ops", db_index=False)
    op = models.CharField(max_length=36)
    what = models.CharField(max_length=200)  # the verb, its address and its values

    class Meta:
        """Constraints."""

        constraints = (models.UniqueConstraint(fields=["table", "op"], name="one_use_per_op"),)

    def __str__(self) -> str:
        return self.op
