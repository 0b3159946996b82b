from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0005_deals'),
    ]

    operations = [
        migrations.AddField(
            model_name='table',
            name='stake',
            field=models.CharField(blank=True, max_length=7),
        ),
    ]
