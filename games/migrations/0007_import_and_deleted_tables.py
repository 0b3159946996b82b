from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0006_table_stake'),
    ]

    operations = [
        migrations.CreateModel(
            name='DeletedTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key_hash', models.CharField(max_length=64, unique=True)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.AlterField(
            model_name='change',
            name='why',
            field=models.CharField(choices=[('own', 'Own'), ('partner', 'Partner'), ('host', 'Host'), ('implied', 'Implied'), ('undo', 'Undo'), ('late', 'Late'), ('calculator', 'Calculator'), ('moved', 'Moved'), ('import', 'Import')], max_length=10),
        ),
    ]
