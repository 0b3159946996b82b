"""Who is at a table: players, the phones that were let in, and their wishes."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from games.models.common import CODE_LENGTH, NAME_LENGTH, new_code
from games.models.tables import Table


class Player(models.Model):
    """A person at the table: on a seat, or sitting out (no seat)."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="players", db_index=False)
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

    table = models.ForeignKey(Table, models.CASCADE, related_name="phones", db_index=False)
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
    phone = models.ForeignKey(Phone, models.CASCADE, related_name="seat_requests", db_index=False)
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
