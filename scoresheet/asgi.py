"""The whole product in one process, or in each of several: pages in threads, the stream beside.

Pages and posts are Django as WSGI in a small thread pool. A stream is a plain ASGI endpoint on the
event loop, for through Django each open one would hold a thread; it gets its own ``Route`` above
the ``Mount``.
"""

import asyncio
import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from django.conf import settings
from django.db.backends.signals import connection_created
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, Route
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from scoresheet.alone import hold_the_store
from scoresheet.bodies import WholeBody
from scoresheet.database import limit_statements
from scoresheet.ending import when_told_to_end
from scoresheet.headers import Careful
from scoresheet.metrics import routes as metrics_routes
from scoresheet.openfiles import streams_at_most
from scoresheet.pages import Pages
from scoresheet.tracing import Traced

THREADS = 4
STREAMS = 10_000
# All kept sheets are looked through when Python looks for old garbage, which stops everything for
# 0.2 s at a thousand tables. What requests leave behind is young, and found without it.
COLLECTED = (700, 10, 1000)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scoresheet.settings")
connection_created.connect(limit_statements)

# The first of these sets Django up, and only then models can be had.
from scoresheet import wsgi  # noqa: E402, I001
from games import measured  # noqa: E402
from games.stream import Live, StoreReader  # noqa: E402

pages = Pages(wsgi.application, threads=THREADS)

live = Live(StoreReader(), most=streams_at_most(STREAMS))
measured.STREAMS.set_function(lambda: live.hub.count)
measured.BUILD.info({"release": settings.RELEASE, "process": str(os.getpid())})


@asynccontextmanager
async def lifespan(_application: Starlette) -> AsyncIterator[None]:
    """Keep the streams alive, and end them as soon as the server is told to end."""
    await asyncio.to_thread(hold_the_store)
    async with live.running():
        when_told_to_end(live.hub.close)
        gc.freeze()
        gc.set_threshold(*COLLECTED)
        yield


application = Starlette(
    routes=[
        Route("/live/{key}/", live, name="stream"),
        *metrics_routes(settings.METRICS_TOKEN),
        Mount("/", app=pages),
    ],
    lifespan=lifespan,
    middleware=[
        # Outermost, where the caller's address is still the proxy's.
        Middleware(Traced, trusted=settings.TRUSTED_PROXIES, log_requests=settings.LOG_REQUESTS),
        # Whose word about the caller's address and about https is taken: TRUSTED_PROXIES only.
        Middleware(ProxyHeadersMiddleware, trusted_hosts=settings.TRUSTED_PROXIES),
        Middleware(Careful),
        Middleware(
            WholeBody, max_bytes=settings.BODY_AT_MOST, more_at=settings.LARGER_BODIES_AT_MOST
        ),
    ],
)
