"""The one Django app of the product."""

from django.apps import AppConfig
from django.conf import settings
from django.db.backends.signals import connection_created

from games import measured


class GamesConfig(AppConfig):
    """Score sheets for card games."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Measure waits for the store where somebody reads the measures."""
        if settings.METRICS_TOKEN:
            connection_created.connect(measured.time_waits, dispatch_uid="time_waits")
