"""The one Django app of the product."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Score sheets for card games."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"
