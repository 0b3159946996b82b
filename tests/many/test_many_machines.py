"""Phones spread over three workers behind nginx: one sheet, whatever falls."""

from __future__ import annotations

import random
import re
import threading
import time
import uuid
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest

from tests.many.single_cell import Done, complaints
from tests.shown import Parts
from tests.soak.store import Store
from tests.soak.writers import Writer, numbers
from tests.streams import PATIENCE

pytestmark = [pytest.mark.grown, pytest.mark.timeout(600)]

FREE = {"free_numbers": "on", "line": "none"}  # any number is lawful, and nothing banks
SECONDS_WITHOUT_REDIS = 10
SECONDS_TO_CATCH_UP = 60


@pytest.fixture(autouse=True)
def _phones_are_put_away(machines):
    yield
    machines.put_phones_away()


# One sheet --------------------------------------------------------------------------------------


def test_a_number_is_heard_on_every_machine(machines):
    host = machines.phone(0).start_table()
    streams = [machines.phone(place).look_at(host).listen() for place in range(3)]
    before = {stream.next("message").id for stream in streams}

    assert host.write(1, "A", 3) == 303
    heard = [stream.next("message") for stream in streams]

    assert len(before) == 1
    assert {event.id for event in heard} == {before.pop() + 1}
    assert [event.rounds for event in heard] == [[1, 2]] * 3
    assert len({event.data for event in heard}) == 1


def test_seats_and_rights_are_the_same_everywhere(machines):
    host = machines.phone(0).start_table()
    kofi = machines.phone(1).sit(host, 1)
    elsewhere = machines.moved(kofi, 2)

    assert elsewhere.write(1, "B", 3) == 303
    assert elsewhere.write(1, "A", 0) == 403
    assert machines.moved(host, 1).write(1, "A", 0) == 303


def test_a_phone_that_is_put_out_is_out_everywhere(machines):
    host = machines.phone(0).start_table()
    kofi = machines.phone(1).sit(host, 1)
    stream = machines.moved(kofi, 2).listen()
    stream.next("message")
    _answer, page = host.ask("GET", f"/t/{host.key}/people/")
    phone = re.search(r'name="phone" value="(\d+)"', page)

    assert phone
    put_out = machines.moved(host, 1).post(
        f"/t/{host.key}/people/", do="put-out", phone=phone[1], sure="1"
    )

    assert put_out.status == 303
    assert stream.next("end").name == "end"
    for place in range(3):
        assert machines.moved(kofi, place).write(1, "B", 3) == 403


# Something falls --------------------------------------------------------------------------------


def test_the_phones_of_a_killed_machine_find_another_at_the_first_try(machines):
    """A page tries again after 1.5 s at the latest, so nobody waits for 3 s."""
    host = machines.phone().start_table()
    streams = [machines.phone().look_at(host).listen() for _ in range(4 * len(machines.workers))]
    version = max(stream.next("message").id for stream in streams)
    fallen = machines.workers[0]
    try:
        fallen.kill()
        assert host.write(1, "A", 3) == 303
        heard = [stream.next() for stream in streams]
        cut = [event for event in heard if event.name != "message"]
        again = [machines.phone().look_at(host).listen(version) for _ in cut]

        assert 0 < len(cut) < len(streams)
        assert {stream.answer.status for stream in again} == {200}
        whole = [event for event in heard if event.name == "message"]
        for event in (*whole, *(stream.next("message") for stream in again)):
            assert event.rounds == [1, 2]
    finally:
        fallen.start()


def test_without_redis_everything_is_written_and_heard_a_little_later(machines, evening):
    with evening() as writers:
        machines.redis.stop()
        time.sleep(SECONDS_WITHOUT_REDIS)
        written = _written(writers)
        machines.redis.start()
        wait_for(lambda: _written(writers) > written)

    assert written > 0


def test_postgresql_may_restart(machines, evening):
    with evening() as writers:
        before = wait_for(lambda: _written(writers))
        machines.postgres.stop()
        machines.postgres.start()
        wait_for(lambda: _written(writers) > before + len(writers))


def test_a_rolling_restart_loses_nothing(machines, evening):
    with evening() as writers:
        for worker in machines.workers:
            before = _written(writers)
            worker.stop()
            worker.start()
            wait_for(lambda before=before: _written(writers) > before)


@pytest.fixture
def evening(machines):
    """Four phones that write all the time; afterwards everything is there once, on every phone."""

    @contextmanager
    def played():
        dice = random.Random()  # noqa: S311
        host = machines.phone().start_table("schafkopf", **FREE)
        seated = [machines.phone().sit(host, seat) for seat in range(3)]
        writers = [
            Writer(host, "012", dice),
            *(Writer(phone, str(place), dice) for place, phone in enumerate(seated)),
        ]
        try:
            for writer in writers:
                writer.begin()
            wait_for(lambda: _written(writers))
            yield writers
            for writer in writers:
                writer.fall_silent()
            for writer in writers:
                writer.wait_until_sent()
            store = Store.read(machines.data_dir, host.key)
            store.assert_sound()
            store.assert_holds(_all(writers, "written"), _seen(writers))
            for writer in writers:
                assert writer.has_heard(store.version, SECONDS_TO_CATCH_UP)
                assert writer.ids == sorted(writer.ids)
        finally:
            for writer in writers:
                writer.leave()

    return played


def _written(writers):
    return sum(len(writer.written) for writer in writers)


def _all(writers, name):
    return {
        op: (record.place, record.text)
        for writer in writers
        for op, record in getattr(writer, name).items()
    }


def _seen(writers):
    return {op: record.seen for writer in writers for op, record in writer.typed.items()}


def wait_for(found, patience=SECONDS_TO_CATCH_UP):
    """Wait until something is so; what was found."""
    until = time.monotonic() + patience
    while not (result := found()):
        assert time.monotonic() < until
        time.sleep(0.05)
    return result


# One cell ---------------------------------------------------------------------------------------


class Hand:
    """Somebody at one machine who reads a cell, and may write it, over and over."""

    TIMES = 25

    def __init__(self, phone, *, writes=True):
        self.phone = phone
        self.writes = writes
        self.done = []
        self.typed = {}  # op -> when it was asked and answered, and what was seen before
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.trouble = None

    def _run(self):
        try:
            for _ in range(self.TIMES):
                base = self._read()
                if self.writes:
                    self._write(base)
        except BaseException as trouble:  # told by the test
            self.trouble = trouble

    def _read(self):
        asked = time.monotonic()
        answer, html = self.phone.ask("GET", f"/t/{self.phone.key}/m/1/changes/")
        answered = time.monotonic()
        assert answer.status == 200
        cell = Parts.read(html).rows[1].cells["A"]
        self.done.append(
            Done(
                asked,
                answered,
                wrote=False,
                base=cell.version,
                version=cell.version,
                text=cell.text,
            )
        )
        return cell.version

    def _write(self, base):
        op, text = str(uuid.uuid4()), next(numbers)
        fields = {"op": op, "base": str(base), "value": text}
        path = f"/t/{self.phone.key}/m/1/r/1/A/"
        asked = time.monotonic()
        answer, html = self.phone.ask("POST", path, urlencode(fields), HX_Request="true")
        answered = time.monotonic()
        assert answer.status in {200, 409}, html
        if answer.status == 200:
            self.typed[op] = (asked, answered, base, text)


def test_one_cell_is_as_if_there_were_one_machine(machines):
    host = machines.phone(0).start_table(**FREE)
    hands = [
        Hand(host),
        Hand(machines.phone(1).sit(host, 0)),
        Hand(machines.phone(2).sit(host, 2)),
        *(Hand(machines.moved(host, place), writes=False) for place in (1, 2)),
    ]

    for hand in hands:
        hand.thread.start()
    for hand in hands:
        hand.thread.join(PATIENCE * 10)

    assert [hand.trouble for hand in hands] == [None] * len(hands)
    versions = {line.op: line.version for line in Store.read(machines.data_dir, host.key).lines}
    history = [one for hand in hands for one in hand.done]
    for hand in hands:
        for op, (asked, answered, base, text) in hand.typed.items():
            history.append(
                Done(asked, answered, wrote=True, base=base, version=versions[op], text=text)
            )
    assert sum(one.wrote for one in history) == len(versions) > len(hands)
    assert complaints(history) == []
