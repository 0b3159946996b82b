"""People who play for months: groups of tables, and who is who in them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse

from games.models.common import NAME_LENGTH, new_key
from games.models.people import Phone
from games.models.tables import Table


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
    table = models.ForeignKey(Table, models.CASCADE, related_name="in_group", db_index=False)

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

    group = models.ForeignKey(Group, models.CASCADE, related_name="aliases", db_index=False)
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
