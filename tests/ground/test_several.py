"""Several processes of the product on one store; and why there is only one without Redis."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from tests import grown
from tests.serving import (
    ROOT,
    SECONDS_TO_END,
    SERVE,
    UVICORN,
    Server,
    ask_store,
    environment_of,
    free_port,
    start_server,
    stop_server,
)
from tests.streams import Phone

WRONG_CODES = 20
pytestmark = pytest.mark.timeout(400)  # starting several takes long on a busy machine


@contextmanager
def several(store, *, count=2, **more):
    """So many servers on one store."""
    started = []
    try:
        for number in range(count):
            port, log = free_port(), store / f"log-{number}"
            process = start_server(store, port, log, **more)
            started.append((process, Server(f"http://127.0.0.1:{port}", store, log)))
        yield [server for _process, server in started]
    finally:
        ends = [stop_server(process) for process, _server in started]
    assert ends == [0] * count
    logs = "".join(server.log.read_text() for _process, server in started)
    assert "Traceback" not in logs, logs


def at(server, phone):
    """The same browser at another process; its streams are closed with the phone's own."""
    return Phone(server, phone.key, phone.cookie, phone.streams)


@pytest.fixture
def listening():
    """Make streams that know everything so far; they are closed afterwards."""
    streams = []

    def listen(phone):
        streams.append(phone.listen())
        assert streams[-1].next("message").id
        return streams[-1]

    yield listen
    for stream in streams:
        stream.close()


@pytest.mark.grown
def test_what_is_written_at_one_process_is_heard_at_the_other(store, listening):
    with several(store) as (one, other):
        host = Phone(one).start_table()
        here, there = listening(host), listening(at(other, host))

        for number in range(1, 5):
            assert at((one, other)[number % 2], host).write(number, "A", 1) == 303
            rounds = here.next("message").rounds, there.next("message").rounds
            assert rounds == ([number, number + 1],) * 2


@pytest.mark.grown
def test_a_page_is_never_older_than_what_another_process_has_written(store):
    with several(store) as (one, other):
        host = Phone(one).start_table()
        for number in range(1, 5):
            writes, reads = (one, other)[:: 1 if number % 2 else -1]
            assert at(writes, host).write(number, "A", 1) == 303
            _answer, page = at(reads, host).ask("GET", f"/t/{host.key}/")
            assert f'data-cell="{number}.A"' in page
            _answer, text = at(reads, host).ask("GET", f"/t/{host.key}/m/1/sheet.json")
            assert f'"number": {number}' in text


@pytest.mark.grown
def test_a_phone_that_is_put_out_at_one_process_hears_no_more_at_the_other(store, listening):
    with several(store) as (one, other):
        host = Phone(one).start_table()
        lena = Phone(other).sit(host, 0)
        stream = listening(lena)
        ((pk,),) = ask_store(store, "SELECT id FROM games_phone WHERE player_id IS NOT NULL")

        answer = host.post(f"/t/{host.key}/people/", do="put-out", phone=str(pk), sure="1")

        assert answer.status == 303
        assert stream.next("end").name == "end"
        assert lena.write(1, "A", 1) == 403


@pytest.mark.grown
def test_wrong_codes_at_one_process_count_at_the_other(store):
    with several(store) as servers:
        phones = [Phone(server) for server in servers]
        statuses = [
            phones[number % 2].post("/join/", code=f"ZZZZZ{number % 10}").status
            for number in range(WRONG_CODES + 2)
        ]

    assert statuses.count(429) == 2
    assert statuses[-2:] == [429, 429]


@pytest.mark.grown
def test_redis_may_go_and_come_back_and_no_number_is_lost(store, listening):
    port = free_port()
    url = f"redis://127.0.0.1:{port}/0"
    with several(store, REDIS_URL=url) as (one, other):
        host = Phone(one).start_table()
        there = listening(at(other, host))
        number = 0
        for redis_is_there in (False, True, False):
            with grown.Redis(port) if redis_is_there else _nothing():
                for _ in range(2):
                    number += 1
                    assert host.write(number, "A", 1) == 303
                    assert there.next("message").rounds == [number, number + 1]
                assert Phone(other).post("/join/", code="ZZZZZ2").status == 422


@contextmanager
def _nothing():
    yield


@pytest.mark.grown
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_one_command_starts_several_processes_and_ends_them(store, ending, listening):
    port, log = free_port(), store / "log"
    process = start_server(store, port, log, command=(*SERVE, "--workers", "2"))
    try:
        host = Phone(Server(f"http://127.0.0.1:{port}", store, log)).start_table()
        streams = [listening(host) for _ in range(8)]

        assert host.write(1, "A", 3) == 303

        assert [stream.next("message").rounds for stream in streams] == [[1, 2]] * 8
        process.send_signal(ending)
        assert [stream.next("end").name for stream in streams] == ["end"] * 8
        assert process.wait(SECONDS_TO_END) == 0
    finally:
        stop_server(process)
    assert "Traceback" not in log.read_text(), log.read_text()


def refusal(store, *command, **more):
    """What a start that must not succeed says, and its exit status."""
    answer = subprocess.run(
        [sys.executable, *command, "--port", str(free_port())],
        cwd=ROOT,
        env=environment_of(store, **{"REDIS_URL": None, **more}),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return answer.stderr.strip(), answer.returncode


FOR_TWO = (
    "REDIS_URL must be set for 2 processes, which hear of one another through it;"
    " or WEB_CONCURRENCY and --workers must be 1."
)


@pytest.mark.parametrize(
    ("arguments", "more"), [(["--workers", "2"], {}), ([], {"WEB_CONCURRENCY": "2"})]
)
def test_several_processes_that_could_not_hear_of_one_another_do_not_start(store, arguments, more):
    assert refusal(store, *SERVE, *arguments, **more) == (FOR_TWO, 1)


def test_a_second_process_without_redis_does_not_start_and_the_first_goes_on(store):
    with several(store, count=1, REDIS_URL=None) as (server,):
        host = Phone(server).start_table()

        said = {command: refusal(store, *command) for command in (SERVE, UVICORN)}

        assert host.write(1, "A", 3) == 303
    wanted = (
        "REDIS_URL must be set where several processes serve one store,"
        " and another one serves this store already."
    )
    assert said[SERVE] == (wanted, 1)
    assert wanted in said[UVICORN][0]
    assert said[UVICORN][1] != 0


def test_workers_of_uvicorn_end_where_they_could_not_hear_of_one_another(store):
    said, _status = refusal(store, *UVICORN, "--workers", "2", "--timeout-worker-healthcheck", "30")

    assert "REDIS_URL must be set" in said
    assert "Stopping parent process" in said
