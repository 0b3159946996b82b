import django.db.models.deletion
from django.db import migrations, models


def members(apps, schema_editor):
    """Who played on which side, by the names and seats that everybody has now."""
    Member = apps.get_model("games", "Member")
    Side = apps.get_model("games", "Side")
    rows = Side.objects.filter(players__isnull=False).order_by("pk", "players__seat", "players__pk")
    places = {}
    found = []
    for side, player, name in rows.values_list("pk", "players__pk", "players__name"):
        place = places[side] = places.get(side, -1) + 1
        found.append(Member(side_id=side, player_id=player, place=place, name=name))
    Member.objects.bulk_create(found, batch_size=1000)


def players(apps, schema_editor):
    """The way back: who plays on a side, without the names and places of then."""
    Side = apps.get_model("games", "Side")
    Link = Side.players.through
    found = apps.get_model("games", "Member").objects.values_list("side_id", "player_id")
    Link.objects.bulk_create(
        [Link(side_id=side, player_id=player) for side, player in found], batch_size=1000
    )


def no_players_of_results(apps, schema_editor):
    """The way back; a wish to be host goes with it, for there was none."""
    Match = apps.get_model("games", "Match")
    for match in Match.objects.exclude(result={}):
        match.result.pop("players", None)
        match.save(update_fields=["result"])
    apps.get_model("games", "SeatRequest").objects.filter(player__isnull=True).delete()


def players_of_results(apps, schema_editor):
    """Results say whose they are: columns may be other people's in the next match."""
    Match = apps.get_model("games", "Match")
    for match in Match.objects.exclude(result={}).prefetch_related("sides__members"):
        match.result["players"] = {
            side.column: sorted(member.player_id for member in side.members.all())
            for side in match.sides.all()
        }
        match.save(update_fields=["result"])


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0003_phone_freed_seat"),
    ]

    operations = [
        migrations.CreateModel(
            name="OldKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=32, unique=True)),
                ("table", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="old_keys", to="games.table")),
            ],
        ),
        migrations.AddField(
            model_name="table",
            name="recovery_hash",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.UniqueConstraint(condition=models.Q(("recovery_hash", ""), _negated=True), fields=("recovery_hash",), name="one_table_per_recovery_link"),
        ),
        migrations.AlterField(
            model_name="seatrequest",
            name="player",
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name="seat_requests", to="games.player"),
        ),
        migrations.CreateModel(
            name="Member",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=400)),
                ("player", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="games.player")),
                ("side", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="members", to="games.side")),
            ],
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.UniqueConstraint(fields=("side", "place"), name="one_member_per_place"),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.UniqueConstraint(fields=("side", "player"), name="one_place_per_player"),
        ),
        migrations.RunPython(members, players),
        migrations.RunPython(players_of_results, no_players_of_results),
        migrations.RemoveField(model_name="side", name="players"),
        migrations.AddField(
            model_name="side",
            name="players",
            field=models.ManyToManyField(related_name="sides", through="games.Member", to="games.player"),
        ),
    ]
