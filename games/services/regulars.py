"""People who play for months: the group that a table counts in, and who is who in it.

A group lives while it has a table: it goes with its last one, and is never found without any.
Nothing of this is seen at a table, so its version stays as it is and its code sleeps on.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Alias, Group, GroupTable, Phone, Player
from games.services.refusals import Malformed, NeedsSure, Refusal
from games.services.turn import begin
from games.spelling import name_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.access import Visitor
    from games.groups import Guest
    from games.services.turn import Turn


def start_group(*, visitor: Visitor, name: str) -> Group:
    """Start a group with this table. The host's."""
    with transaction.atomic():
        turn = _free_table(visitor)
        group = Group.objects.create(name=name, created_at=turn.now)
        GroupTable.objects.create(group=group, table=turn.table)
        return group


def join_group(*, visitor: Visitor, key: str) -> Group:
    """Let this table count in a group that somebody knows the key of. The host's.

    Raises ``Malformed`` (``no-group``) where there is none.
    """
    with transaction.atomic():
        turn = _free_table(visitor)
        group = Group.objects.living().select_for_update().filter(key=key).first()
        if group is None:
            raise Malformed(
                "no-group", _("No group has this link. Copy it once more from the group’s page.")
            )
        GroupTable.objects.create(group=group, table=turn.table)
        return group


def leave_group(*, visitor: Visitor, sure: bool) -> None:
    """Take this table out of its group; nothing happens if it is in none. The host's.

    The last table takes the group with it; somebody should say yes to that first.
    """
    with transaction.atomic():
        turn = begin(visitor)
        turn.visitor.must_host()
        group = Group.objects.select_for_update().filter(tables__table=turn.table).first()
        if group is None:
            return
        is_last = group.tables.count() == 1
        if is_last and not sure:
            raise NeedsSure(
                "last-table",
                _("This is the last table of “%(name)s”. The group goes with it.")
                % {"name": group.name},
            )
        GroupTable.objects.filter(table=turn.table).delete()
        if is_last:
            group.delete()


def rename_group(*, guest: Guest, name: str) -> None:
    """Give a group another name."""
    with transaction.atomic():
        group = _locked(guest)
        group.name = name
        group.save(update_fields=["name"])


def merge_names(*, guest: Guest, name: str, member: str) -> None:
    """Say that two names are one person, called like the second.

    Raises ``Malformed`` for a name that nobody has, or the same one twice; ``Refusal``
    (``two-people``) when both have sat at one table.
    """
    with transaction.atomic():
        group = _locked(guest)
        merged = {one.name_key: name_key(one.member) for one in group.aliases.all()}
        at_tables, spelt = _names_of(group)
        one, other = (merged.get(name_key(text), name_key(text)) for text in (name, member))
        if not {one, other} <= {merged.get(key, key) for key in spelt}:
            raise Malformed("no-member", _("Choose two names of this group."))
        if one == other:
            raise Malformed("same-name", _("Choose two different names."))
        if any({one, other} <= {merged.get(key, key) for key in keys} for keys in at_tables):
            raise Refusal(
                "two-people",
                _("%(name)s and %(other)s have sat at one table, so they are two people.")
                % {"name": spelt.get(one, name), "other": spelt.get(other, member)},
            )
        called = spelt.get(other, member)
        for key in (one, *(key for key, head in merged.items() if head == one)):
            Alias.objects.update_or_create(
                group=group,
                name_key=key,
                defaults={"name": spelt.get(key, name), "member": called},
            )


def split_name(*, guest: Guest, name: str) -> None:
    """Let a name that was put together with another stand for itself again."""
    with transaction.atomic():
        _locked(guest).aliases.filter(name_key=name_key(name)).delete()


def delete_group(*, guest: Guest, sure: bool) -> None:
    """Delete a group, once somebody is sure. Its tables stay as they are."""
    with transaction.atomic():
        group = _locked(guest)
        if not sure:
            count = group.tables.count()
            raise NeedsSure(
                "delete",
                _("Delete “%(name)s”?") % {"name": group.name},
                [
                    ngettext(
                        "Its table stays as it is, with all numbers.",
                        "Its %(n)s tables stay as they are, with all numbers.",
                        count,
                    )
                    % {"n": count},
                    _("The ranking goes, and who is who. The link leads nowhere then."),
                ],
            )
        group.delete()


def _free_table(visitor: Visitor) -> Turn:
    """The host's turn at a table that is in no group yet."""
    turn = begin(visitor)
    turn.visitor.must_host()
    group = Group.objects.filter(tables__table=turn.table).first()
    if group is not None:
        raise Refusal(
            "in-a-group",
            _("This table counts in “%(name)s” already. Take it out there first.")
            % {"name": group.name},
        )
    return turn


def _locked(guest: Guest) -> Group:
    """The group, with nobody else writing to it; what the door saw is looked at once more."""
    group = Group.objects.living().select_for_update().filter(pk=guest.group.pk).first()
    if group is None:
        raise Http404(_("There is no group at this address."))
    hosts = Phone.objects.filter(table__in_group__group=group, is_host=True)
    replace(guest, is_host=hosts.filter(token_hash=guest.token_hash).exists()).must_host()
    return group


def _names_of(group: Group) -> tuple[list[set[str]], Mapping[str, str]]:
    """The keys of the names at each table, and how each key is written."""
    at_tables: defaultdict[int, set[str]] = defaultdict(set)
    spelt: dict[str, str] = {}
    players = Player.objects.filter(table__in_group__group=group).order_by("pk")
    for table, name in players.values_list("table_id", "name"):
        spelt[name_key(name)] = name
        at_tables[table].add(name_key(name))
    return list(at_tables.values()), spelt
