"""Machines of these tests' own, which may be stopped and killed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests import grown, serving
from tests.many.machines import Machines

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """Three workers behind nginx, over a PostgreSQL and a Redis of their own."""
    with (
        grown.Postgres() as postgres,
        grown.Redis() as redis,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(serving, "POSTGRES", postgres.url)
        patch.setattr(serving, "REDIS", redis.url)
        store = serving.make_store(tmp_path_factory.mktemp("many") / "data")
        made = Machines(store, postgres, redis)
        made.start()
        yield made
        made.stop()
