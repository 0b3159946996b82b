from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0004_people'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='moves',
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name='entry',
            name='was',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='change',
            name='from_round',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='change',
            name='why',
            field=models.CharField(choices=[('own', 'Own'), ('partner', 'Partner'), ('host', 'Host'), ('implied', 'Implied'), ('undo', 'Undo'), ('late', 'Late'), ('calculator', 'Calculator'), ('moved', 'Moved')], max_length=10),
        ),
    ]
