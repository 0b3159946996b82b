"""The stream of the product as it is served: one real process, real phones on the network."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from scoresheet import serve
from scoresheet.release import release_of
from tests.serving import (
    POSTGRES,
    ROOT,
    SERVE,
    UVICORN,
    Server,
    ask_store,
    change_store,
    copy_store,
    drop_store,
    environment_of,
    free_port,
    manage,
    start_server,
    stop_server,
)
from tests.streams import PATIENCE, Event, Phone

pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def process(prepared, tmp_path_factory):
    """A server of its own, with its process."""
    log = tmp_path_factory.mktemp("streams") / "server.log"
    data_dir = copy_store(prepared, log.parent / "data")
    port = free_port()
    process = start_server(data_dir, port, log)
    yield Server(f"http://127.0.0.1:{port}", data_dir, log), process
    assert stop_server(process) == 0
    drop_store(data_dir)
    assert "Traceback" not in log.read_text(), log.read_text()


@pytest.fixture
def served(process):
    return process[0]


@pytest.fixture
def phone_of():
    """Make phones of a server; their streams are closed afterwards."""
    phones = []

    def make(server):
        phones.append(Phone(server))
        return phones[-1]

    yield make
    for one in phones:
        for stream in one.streams:
            stream.close()


@pytest.fixture
def phone(phone_of, served):
    return lambda: phone_of(served)


@pytest.fixture
def host(phone):
    return phone().start_table()


def version_of(phone):
    _answer, text = phone.ask("GET", f"/t/{phone.key}/m/1/sheet.json")
    return json.loads(text)["version"]


def listening(phone, **more):
    """A stream of a phone that knows everything so far."""
    stream = phone.listen(version_of(phone), **more)
    stream.next("beat")
    return stream


def test_a_stream_says_what_it_is(host):
    stream = host.listen()

    assert stream.answer.status == 200
    assert stream.answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert stream.answer.headers["Cache-Control"] == "no-store"
    assert stream.answer.headers["X-Accel-Buffering"] == "no"
    assert stream.next().retry == "5000"


def test_a_stream_is_never_packed(host):
    stream = host.listen(Accept_Encoding="gzip, br")

    assert "Content-Encoding" not in stream.answer.headers
    assert stream.next("message").data.startswith("<div data-parts")


def test_without_a_version_everything_comes_first(host):
    host.write(1, "A", 3)

    first = host.listen().next("message")

    assert (first.id, first.rounds) == (version_of(host), [1, 2])
    assert f'data-version="{first.id}"' in first.data


def test_a_stream_brings_what_changes_brings(host):
    host.write(1, "A", 3)
    since = version_of(host)
    host.write(2, "B", 2)

    said = host.listen(since).next("message").data
    _answer, asked = host.ask("GET", f"/t/{host.key}/m/1/changes/?since={since}")

    assert said == asked


def test_with_nothing_new_a_beat_comes_first(host, served):
    since = version_of(host)
    release = release_of(served.data_dir / "static")

    beat = host.listen(since).next("beat")

    assert json.loads(beat.data) == {"version": since, "release": release}
    assert beat.id is None


@pytest.mark.parametrize(
    ("since", "last_id"), [(0, 1), (1, 0), (1, 1)], ids=["last id", "since", "both"]
)
def test_the_higher_of_since_and_last_event_id_counts(host, since, last_id):
    host.write(1, "A", 3)
    middle = version_of(host)
    host.write(2, "A", 1)

    stream = host.listen(middle if since else 1, Last_Event_ID=str(middle if last_id else 1))

    assert stream.next("message").rounds == [2, 3]


@pytest.mark.parametrize("since", ["-1", "x", "1e3", "99999", "9" * 5000, "%ff", "%00"])
def test_a_version_that_cannot_be_brings_everything(host, since):
    host.write(1, "A", 3)

    assert host.listen(since).next("message").rounds == [1, 2]


def test_every_phone_hears_of_each_transaction_once_and_in_order(host, phone):
    seated, stranger = phone().sit(host, 0), phone().look_at(host)
    streams = [listening(one) for one in (host, seated, stranger)]

    told = []
    for number in (1, 2, 3):
        assert host.write(number, "A", 3) == 303
        told.append([stream.next("message") for stream in streams])

    version = version_of(host)
    assert [[event.id for event in events] for events in told] == [
        [version - 2] * 3, [version - 1] * 3, [version] * 3,
    ]  # fmt: skip
    assert [events[0].rounds for events in told] == [[1, 2], [2, 3], [3, 4]]
    assert [len({event.data for event in events}) for events in told] == [1, 1, 1]


def test_a_whole_row_and_a_bank_are_one_event(host):
    row = {"value_A": "12", "value_B": "0", "base": "0", "sure": "1"}
    host.post(f"/t/{host.key}/m/1/r/1/", **row)
    stream = listening(host)

    assert host.post(f"/t/{host.key}/m/1/r/2/", **row).status == 303

    event = stream.next("message")
    assert (event.id, 'data-status="banked"' in event.data) == (version_of(host), True)
    assert stream.nothing_more()


def test_each_phone_is_told_in_its_language(host, phone):
    english = listening(host, Accept_Language="en-GB, de;q=0.5")
    german = listening(phone().look_at(host), Accept_Language="de-AT")
    chosen = phone().look_at(host)
    chosen.cookie = "django_language=de"
    by_cookie = listening(chosen, Accept_Language="en")

    host.write(1, "A", 3)

    said = [stream.next("message").data for stream in (english, german, by_cookie)]
    assert ["<i>open</i>" in data for data in said] == [True, False, False]
    assert said[1] == said[2]


def test_a_next_match_is_told_and_one_that_is_taken_back_too(host):
    host.write(1, "A", 3)
    stream = listening(host)

    host.post(f"/t/{host.key}/m/1/end/", sure="1")
    host.post(f"/t/{host.key}/next/")
    host.post(f"/t/{host.key}/m/1/reopen/")

    said: list[Event] = []
    while not said or said[-1].id < version_of(host):
        said.append(stream.next("message"))
    assert 'data-match="1" data-current="1"' in said[-1].data
    # whatever happened to match 1 meanwhile comes along
    assert said[-1].rounds == [1, 2]


def test_beats_go_on(host):
    stream = listening(host)

    beat = stream.next("beat", patience=40)

    assert json.loads(beat.data)["version"] == version_of(host)


def test_the_key_of_no_table_is_not_found(phone):
    stranger = phone()
    stranger.key = "A" * 22

    assert stranger.listen().answer.status == 404


@pytest.mark.parametrize("key", ["x", "%00", "%ff", "a%2Fb", "🂡".encode().hex()])
def test_nonsense_for_a_key_is_not_found(phone, key):
    stranger = phone()
    stranger.key = key

    assert stranger.listen().answer.status == 404


def test_a_closed_table_is_open_to_its_phones_only(host, phone):
    seated, stranger = phone().sit(host, 1), phone().look_at(host)
    host.post(f"/t/{host.key}/people/", do="close")

    answers = [one.listen().answer for one in (host, seated, stranger)]

    assert [answer.status for answer in answers] == [200, 200, 403]
    assert answers[2].headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("method", ["POST", "HEAD", "PUT"])
def test_a_stream_is_only_read(host, method):
    assert host.ask(method, f"/live/{host.key}/")[0].status == 405


def test_another_name_of_the_site_is_not_answered(host):
    assert host.listen(Host="example.org").answer.status == 400


def test_a_stranger_that_listens_leaves_no_trace(host, phone, served):
    listening(phone().look_at(host))

    phones = ask_store(
        served.data_dir,
        "SELECT count(*) FROM games_phone JOIN games_table t ON t.id = table_id WHERE key = ?",
        host.key,
    )
    assert phones == [(1,)]


def test_a_phone_that_was_put_out_hears_no_more(host, phone, served):
    seated = phone().sit(host, 1)
    stream, other = listening(seated), listening(host)

    change_store(
        served.data_dir,
        "DELETE FROM games_phone WHERE player_id IS NOT NULL AND table_id ="
        " (SELECT id FROM games_table WHERE key = ?)",
        host.key,
    )

    assert stream.next("end").name == "end"
    host.write(1, "A", 3)
    assert other.next("message").rounds == [1, 2]


def test_a_new_link_ends_the_streams_of_strangers_and_those_of_phones_go_on(host, phone):
    lena, stranger = phone().sit(host, 0), phone().look_at(host)
    goes_on, ends = listening(lena), listening(stranger)

    host.post(f"/t/{host.key}/people/", do="new-link", sure="1")

    assert ends.next("end").name == "end"
    assert goes_on.next("message").id
    answers = [one.listen().answer for one in (lena, stranger)]  # by the old key both
    assert [answer.status for answer in answers] == [200, 404]


def test_a_table_that_closes_ends_the_streams_of_strangers(host, phone):
    seated, stranger = listening(phone().sit(host, 1)), listening(phone().look_at(host))

    host.post(f"/t/{host.key}/people/", do="close")

    assert stranger.next("end").name == "end"
    assert seated.next("message").id == version_of(host)


def test_what_another_process_wrote_is_told_too(host, served):
    """Nobody tells this process; it looks by itself every two seconds."""
    stream = listening(host)
    script = f"""
from games import services
from games.access import Visitor
from games.models import Table
table = Table.objects.get(key="{host.key}")
services.write_entry(
    visitor=Visitor(table, table.phones.get(is_host=True)), match=table.matches.get(),
    round_number=1, column="A", text="3", op="00000000-0000-0000-0000-000000000000", base=0,
)
"""
    manage("shell", "--no-imports", "-c", script, data_dir=served.data_dir)

    event = stream.next("message")

    assert (event.id, event.rounds) == (version_of(host), [1, 2])


def test_a_phone_that_listens_counts_as_heard_of(host, served):
    listening(host)
    old = "2020-01-01 00:00:00"

    change_store(
        served.data_dir,
        "UPDATE games_phone SET seen_at = ? WHERE table_id ="
        " (SELECT id FROM games_table WHERE key = ?)",
        old,
        host.key,
    )

    until = time.monotonic() + PATIENCE
    seen = old
    while seen.startswith(old) and time.monotonic() < until:
        time.sleep(0.2)
        ((seen,),) = ask_store(
            served.data_dir,
            "SELECT CAST(seen_at AS varchar) FROM games_phone p JOIN games_table t"
            " ON t.id = p.table_id WHERE key = ?",
            host.key,
        )
    assert not seen.startswith(old)


def test_a_phone_that_reads_nothing_holds_up_nobody(host, served):
    parts = urlsplit(served.url)
    stuck = socket.socket()
    stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    stuck.connect((parts.hostname, parts.port))
    stuck.sendall(f"GET /live/{host.key}/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    stream = listening(host)

    numbers = []
    for number in range(1, 21):
        host.write(number, "A", 1)
        numbers.append(stream.next("message").rounds[0])
        if number == 19:
            break

    stuck.close()
    assert numbers == list(range(1, 20))


def tasks_of(pid):
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def open_stores_of(served, pid):
    """How many connections to its store a process has; of a file, with its log, three of each."""
    if POSTGRES:
        ((count,),) = ask_store(
            served.data_dir,
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid()",
        )
        return count
    links = Path(f"/proc/{pid}/fd").iterdir()
    names = []
    for link in links:
        try:
            names.append(str(link.readlink()))
        except OSError:
            continue
    return sum("scoresheet.sqlite3" in name for name in names)


@pytest.mark.skipif(sys.platform != "linux", reason="counts in /proc")
def test_two_hundred_streams_hold_no_thread_and_no_connection(host, served, process):
    pid = process[1].pid
    for number in range(1, 9):  # so that all threads are there that ever will be
        host.write(number, "A", 1)
        listening(host)
    threads, stores = tasks_of(pid), open_stores_of(served, pid)

    streams = [host.listen() for _ in range(200)]
    first = [stream.next("message").id for stream in streams]
    host.write(9, "A", 1)
    second = [stream.next("message").id for stream in streams]

    assert set(second) == {first[0] + 1}
    # at most the four threads for pages and the two for streams, each with one connection
    assert tasks_of(pid) <= threads + 4
    assert open_stores_of(served, pid) <= stores + 4 * 3
    for stream in streams:
        stream.close()


@pytest.mark.parametrize("command", [SERVE, UVICORN], ids=["serve", "uvicorn"])
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_the_end_of_the_server_ends_all_streams_in_good_order(store, phone_of, command, ending):
    port, log = free_port(), store / "log"
    process = start_server(store, port, log, command=command)
    host = phone_of(Server(f"http://127.0.0.1:{port}", store, log)).start_table()
    streams = [host.listen() for _ in range(50)]
    for stream in streams:
        stream.next("message")

    process.send_signal(ending)
    ends = [stream.next("end").name for stream in streams]
    status = process.wait(PATIENCE)

    assert ends == ["end"] * 50
    assert status == 0 if command == SERVE else status in {0, -ending}
    assert "Traceback" not in log.read_text()
    assert "ERROR" not in log.read_text()  # nor a word of uvicorn's that it gave up waiting


def test_a_phone_that_reads_nothing_does_not_keep_the_server_from_ending(store, phone_of):
    port, log = free_port(), store / "log"
    process = start_server(store, port, log, command=UVICORN)
    host = phone_of(Server(f"http://127.0.0.1:{port}", store, log)).start_table()
    stuck = socket.create_connection(("127.0.0.1", port))
    stuck.sendall(f"GET /live/{host.key}/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

    process.terminate()

    assert process.wait(PATIENCE) in {0, -signal.SIGTERM}
    stuck.close()


def test_streams_are_as_many_as_the_system_allows_files(tmp_path):
    script = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (300, 500))
from scoresheet.openfiles import streams_at_most
print(streams_at_most(10), streams_at_most(10_000), resource.getrlimit(resource.RLIMIT_NOFILE))
"""
    answer = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment_of(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )

    assert answer.stdout == "10 300 (500, 500)\n"


def test_a_stream_too_many_is_refused_for_now(store, phone_of):
    """With 230 open files allowed there is room for 30 streams."""
    port, log = free_port(), store / "log"
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (230, 230));"
        "from scoresheet.serve import main; raise SystemExit(main())"
    )
    process = start_server(store, port, log, command=("-c", script))
    host = phone_of(Server(f"http://127.0.0.1:{port}", store, log)).start_table()
    streams = [host.listen() for _ in range(30)]

    refused = host.listen().answer.status
    streams[0].close()
    until = time.monotonic() + PATIENCE
    while (again := host.listen().answer.status) == 503 and time.monotonic() < until:
        time.sleep(0.1)

    assert (refused, again) == (503, 200)
    assert stop_server(process) == 0


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="Linux alone can")
def test_a_phone_out_of_reach_is_not_connected_for_long():
    """As long as its stream seems open, a phone counts as heard of."""
    with (
        serve._listen("127.0.0.1", 0) as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as accepted,
    ):
        option = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)

    assert option == 30_000  # milliseconds
