"""Many machines on one: workers on ports of their own behind nginx, a PostgreSQL, a Redis.

Each of them can be stopped and started again, as it happens to machines.
"""

from __future__ import annotations

import signal
import subprocess
import time
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from tests import grown
from tests.serving import Server, free_port, start_server, stop_server
from tests.streams import Phone

WORKERS = 3
SECONDS_TO_ANSWER = 60
# As deploy/nginx.conf has it, for several workers on plain http.
NGINX = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log warn;
worker_rlimit_nofile 4096;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream scoresheet {{
        {servers}
    }}
    server {{
        listen 127.0.0.1:{port};
        client_max_body_size 1m;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_connect_timeout 2s;
        location / {{ proxy_pass http://scoresheet; }}
        location /live/ {{ proxy_buffering off; proxy_pass http://scoresheet; }}
    }}
}}
"""


@dataclass
class Worker:
    """One process of the product, as a machine of its own would run it."""

    data_dir: Path
    port: int = field(default_factory=free_port)

    @property
    def server(self) -> Server:
        """It without nginx."""
        return Server(f"http://127.0.0.1:{self.port}", self.data_dir, self.log)

    @property
    def log(self) -> Path:
        """What it had to say."""
        return self.data_dir / f"worker-{self.port}.log"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.process = start_server(self.data_dir, self.port, self.log, TRUSTED_PROXIES="127.0.0.1")

    def stop(self) -> None:
        """End it in good order."""
        assert stop_server(self.process) == 0, self.log.read_text()

    def kill(self) -> None:
        """Let its machine lose power."""
        self.process.kill()
        self.process.wait()


class Machines:
    """All of them, running."""

    def __init__(self, data_dir: Path, postgres: grown.Postgres, redis: grown.Redis) -> None:
        self.data_dir = data_dir
        self.postgres, self.redis = postgres, redis
        self.workers = [Worker(data_dir) for _ in range(WORKERS)]
        self._folder = data_dir / "nginx"
        self._port = free_port()
        self._phones: list[Phone] = []

    @property
    def server(self) -> Server:
        """What phones know: nginx."""
        return Server(f"http://127.0.0.1:{self._port}", self.data_dir, self.data_dir / "nginx.log")

    def start(self) -> None:
        """Start workers and nginx."""
        for worker in self.workers:
            worker.start()
        folder = self._folder
        folder.mkdir()
        servers = "\n        ".join(
            f"server 127.0.0.1:{one.port} max_fails=0;" for one in self.workers
        )
        config = folder / "nginx.conf"
        config.write_text(NGINX.format(folder=folder, servers=servers, port=self._port))
        program = grown.program("nginx", package="nginx")
        with (folder / "out").open("wb") as out:
            self._nginx = subprocess.Popen(
                [program, "-c", str(config), "-p", str(folder), "-e", str(folder / "nginx.log")],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )
        self._wait_until_it_answers()

    def stop(self) -> None:
        """End whatever still runs."""
        self._nginx.send_signal(signal.SIGTERM)
        self._nginx.wait(SECONDS_TO_ANSWER)
        for worker in self.workers:
            if worker.process.poll() is None:
                stop_server(worker.process)

    def _wait_until_it_answers(self) -> None:
        until = time.monotonic() + SECONDS_TO_ANSWER
        while not self._answers():
            assert self._nginx.poll() is None, (self._folder / "out").read_text()
            assert time.monotonic() < until, (self._folder / "nginx.log").read_text()
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            return self.phone().ask("GET", "/healthz")[0].status == HTTPStatus.OK
        except OSError:
            return False

    def phone(self, worker: int | None = None) -> Phone:
        """A phone that knows nginx, or a worker alone."""
        phone = Phone(self.server if worker is None else self.workers[worker].server)
        self._phones.append(phone)
        return phone

    def moved(self, phone: Phone, worker: int) -> Phone:
        """The same browser, at another worker."""
        other = self.phone(worker)
        other.key, other.cookie = phone.key, phone.cookie
        return other

    def put_phones_away(self) -> None:
        """Close whatever stream is open."""
        for phone in self._phones:
            for stream in phone.streams:
                stream.close()
        self._phones = []
