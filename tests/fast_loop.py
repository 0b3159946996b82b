"""An event loop whose clock jumps: when everybody waits, it is at once the time of the next."""

from __future__ import annotations

import asyncio
import selectors
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

Result = TypeVar("Result")


class _Jumping(selectors.DefaultSelector):
    now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        found = super().select(0)
        if not found:
            assert timeout is not None, "Everybody waits for ever."
            self.now += timeout
        return found


class FastLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def run_fast(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """What a coroutine returns, without waiting for anything but itself."""
    with asyncio.Runner(loop_factory=FastLoop) as runner:
        return runner.run(coroutine)


async def settle() -> None:
    """Let everything happen that waits for nothing."""
    for _ in range(20):
        await asyncio.sleep(0)
