"""A server that is far away over a narrow line: a proxy that takes its time.

Other than the browser's own slow network it makes every new connection wait for a handshake, as a
real one does.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from types import TracebackType

CHUNK = 2048  # bytes; small, so that connections share the line


class Lane:
    """One direction of the line: what is sent waits for what was sent before."""

    def __init__(self, bytes_per_second: float) -> None:
        self._bytes_per_second = bytes_per_second
        self._free_at = 0.0

    def sent_at(self, now: float, count: int) -> float:
        """When the last of so many bytes is on its way."""
        self._free_at = max(now, self._free_at) + count / self._bytes_per_second
        return self._free_at


class FarServer:
    """The proxy, for a ``with`` block. Its thread does the carrying."""

    def __init__(self, upstream_port: int, *, rtt: float, bytes_per_second: float) -> None:
        self._upstream_port = upstream_port
        self._rtt = rtt
        self._up, self._down = Lane(bytes_per_second), Lane(bytes_per_second)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._port = 0

    @property
    def url(self) -> str:
        """Where phones find the far server."""
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> FarServer:
        """Open it."""
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close it, whatever is still under way."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        starting = asyncio.start_server(self._take, "127.0.0.1", 0)
        server = self._loop.run_until_complete(starting)
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        under_way = asyncio.all_tasks(self._loop)
        for task in under_way:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*under_way, return_exceptions=True))
        self._loop.close()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.CancelledError):  # at the end of the block
            await asyncio.sleep(self._rtt)  # the handshake
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._upstream_port)
            await asyncio.gather(
                self._carry(reader, far_writer, self._up),
                self._carry(far_reader, writer, self._down),
            )

    async def _carry(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, lane: Lane
    ) -> None:
        try:
            while chunk := await source.read(CHUNK):
                arrives = lane.sent_at(self._loop.time(), len(chunk)) + self._rtt / 2
                self._loop.call_at(arrives, target.write, chunk)
            await asyncio.sleep(self._rtt)
        except OSError:
            return
        finally:
            target.close()
