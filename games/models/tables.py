"""Tables, and what their addresses were before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q

from games import rules
from games.models.common import CODE_LENGTH, new_code, new_key

if TYPE_CHECKING:
    from games.rules import Game

EDITION = 1


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
        """Constraints and indexes."""

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
        # The constraint's own index holds links only, and SQLite does not see that a value is one.
        indexes = (models.Index(fields=["recovery_hash"], name="table_by_recovery_link"),)

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
