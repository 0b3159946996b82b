"""What every answer tells the browser to be careful about, whoever made it: page, file, stream."""

from csp.utils import build_policy
from django.conf import settings
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# What a page could spy with. Every answer carries this list, so it is short.
NOBODYS = ("camera", "geolocation", "microphone")
# What is never shown as a page: for this there is nothing more to be careful about than its kind.
DATA = ("text/css", "text/javascript", "text/event-stream", "font/", "image/png")
OF_DATA = ("Cross-Origin-Resource-Policy", "Strict-Transport-Security", "X-Content-Type-Options")


class Careful:
    """Adds the headers of safety to each answer that lacks them.

    Pages bring most of them along. What never comes to Django lacks them: the stream, and requests
    that are refused before.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._headers = {
            "Content-Security-Policy": build_policy(),
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": ",".join(f"{feature}=()" for feature in NOBODYS),
            "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": settings.X_FRAME_OPTIONS,
        }
        self._on_https = {"Strict-Transport-Security": f"max-age={settings.SECURE_HSTS_SECONDS}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, and its answer back."""
        headers = self._headers
        if settings.SECURE_HSTS_SECONDS and scope.get("scheme") == "https":
            headers = headers | self._on_https

        async def send_carefully(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(raw=message["headers"])
                is_data = answer.get("Content-Type", "").startswith(DATA)
                for name, value in headers.items():
                    if name in OF_DATA or not is_data:
                        answer.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_carefully)
