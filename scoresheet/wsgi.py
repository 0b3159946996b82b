"""The pages alone, for a WSGI server; ``asgi.py`` is what the project is served by."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scoresheet.settings")

application = get_wsgi_application()
