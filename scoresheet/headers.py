"""What every answer tells the browser to be careful about, whoever made it: page, file, stream."""

from csp.utils import build_policy
from django.conf import settings
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# What the pages use (waking, sharing, the clipboard) is the site's own; the rest is nobody's.
# Only what every browser knows: they complain of other names in the console.
NOBODYS = (
    *("accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "geolocation"),
    *("gyroscope", "magnetometer", "microphone", "midi", "payment", "usb", "xr-spatial-tracking"),
)


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
            "Permissions-Policy": ", ".join(f"{feature}=()" for feature in NOBODYS),
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
                for name, value in headers.items():
                    answer.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_carefully)
