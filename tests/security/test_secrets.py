"""Keys, codes and tokens: how long they are, and where they never stand."""

from __future__ import annotations

import base64
import logging
import math
import re

import pytest
from django.test import Client

from games import access, limits, models, services
from games.models import CODE_ALPHABET, CODE_LENGTH, Group, OldKey
from scoresheet.logs import Lines, WithoutKeys
from tests.games.helpers import host_of, make_table, seated, stranger
from tests.games.test_access_matrix import ASKED, a_group, a_recovery_link, send

pytestmark = pytest.mark.django_db

TOKEN = re.compile(r'(?<=csrfmiddlewaretoken" value=")\w+')


@pytest.fixture(autouse=True)
def _fresh_limits():
    limits.forget_all()
    yield
    limits.forget_all()


def bits(key: str) -> int:
    return 8 * len(base64.urlsafe_b64decode(key + "=="))


def test_keys_of_tables_and_groups_and_recovery_links_have_128_random_bits():
    host = host_of(make_table())
    secret = services.new_recovery_link(visitor=host.visitor)

    assert bits(models.new_key()) == bits(secret) == 128
    assert models.Table._meta.get_field("key").default is models.new_key
    assert models.Group._meta.get_field("key").default is models.new_key
    assert len({models.new_key() for _ in range(1000)}) == 1000


def test_the_token_of_a_browser_has_128_random_bits_and_the_store_keeps_its_hash():
    phone = stranger(make_table())

    phone.post("seat/", seat="1")

    token = phone.client.cookies[access.COOKIE].value
    assert len(bytes.fromhex(token)) * 8 == 128
    hashes = set(models.Phone.objects.values_list("token_hash", flat=True))
    assert access.hash_of(token) in hashes
    assert token not in hashes


def test_codes_are_too_many_to_be_guessed_at_the_pace_that_is_allowed():
    codes = len(CODE_ALPHABET) ** CODE_LENGTH
    tries_in_a_day = limits.WRONG_IN_ALL.amount * 60 * 24

    assert codes == 31**6
    assert math.log2(codes) > 29
    assert codes / 100 / tries_in_a_day > 30  # days, until one of a hundred tables is found


def test_no_answer_tells_a_key_to_whoever_has_it_not():
    table = make_table()
    a_group(table)
    a_recovery_link(table)
    outsider = Client()

    for address in (
        "/",
        "/join/",
        "/import/",
        "/new/bauernstoss/",
        "/sw.js",
        "/manifest.webmanifest",
    ):
        text = outsider.get(address).content.decode()
        assert not any(
            secret in text for secret in (table.key, table.code, Group.objects.get().key)
        )


def test_a_stranger_reads_no_seat_code_and_no_recovery_link():
    table = make_table()
    seated(table, 0)
    codes = list(table.players.values_list("seat_code", flat=True))

    for path in ("", "people/", "tv/", "take-home/", "export.json", "evening/", "house/"):
        text = stranger(table).get(path).content.decode()
        assert not any(code in text for code in codes)


def test_an_unknown_key_and_an_old_one_are_answered_alike():
    table = make_table()
    OldKey.objects.create(table=table, key="B" * 22)

    answers = [Client().get(f"/t/{key}/people/") for key in ("A" * 22, "B" * 22)]

    assert [answer.status_code for answer in answers] == [404, 404]
    first, second = (TOKEN.sub("", answer.content.decode()) for answer in answers)
    assert first == second.replace("B" * 22, "A" * 22)


@pytest.mark.parametrize("how", ["closed", "unknown"])
def test_a_code_that_opens_nothing_is_answered_alike_whatever_it_is(how):
    table = make_table()
    table.is_open = how != "closed"
    table.save()
    code = table.code if how == "closed" else "QQQQQQ"

    answer = Client().post("/join/", {"code": code})

    assert answer.status_code == 422
    assert "No table has this code now." in answer.content.decode()
    assert table.key not in answer.content.decode()


@pytest.mark.parametrize(
    "line",
    [
        "/t/SECRET/m/1/",
        "/live/SECRET/?since=1",
        "/j/SECRET/",
        "/g/SECRET/edit/",
        "/host/SECRET/",
        "/r/SECRET/",
        "/join/?code=SECRET",
        "/t/a/?x=1&link=SECRET",
        "https://a.example/t/SECRET",
        'GET "/g/SECRET" 200',
    ],
)
def test_no_secret_is_logged(line):
    try:
        raise ValueError(line)  # noqa: TRY301
    except ValueError as error:
        caught = (ValueError, error, error.__traceback__)
    record = logging.LogRecord("x", 40, "", 1, "Seen: %s", (line,), caught)

    assert WithoutKeys().filter(record)
    text = Lines("%(message)s").format(record)
    assert "SECRET" not in text
    assert "..." in text
    assert "Traceback" in text


def test_a_fault_of_ours_is_logged_without_keys(monkeypatch, caplog):
    table = make_table()
    caplog.handler.addFilter(WithoutKeys())
    monkeypatch.setattr(access, "visit", _broken)
    client = Client(raise_request_exception=False)

    answer = client.get(f"/t/{table.key}/evening/")

    assert answer.status_code == 500
    assert table.key not in caplog.text
    assert "/t/.../" in caplog.text


def _broken(request, key):
    raise RuntimeError(f"broken at {request.get_full_path()}")


def test_what_people_ask_is_not_logged_at_all(caplog):
    caplog.set_level(logging.DEBUG)
    for asked in ASKED:
        if asked.method == "GET":
            table = make_table()
            seated(table, 2)
            asked.given(table)
            send(asked, table, host_of(table).client)
            table.delete()

    lines = [r.getMessage() for r in caplog.records if not r.name.startswith("django.db")]
    assert [line for line in lines if "/t/" in line or "/g/" in line] == []


def test_no_address_leads_away_with_a_key():
    table = make_table()
    seated(table, 2)
    a_group(table)
    found = set()

    for asked in ASKED:
        answer = send(asked, table, host_of(table).client) if asked.method == "GET" else None
        if answer is not None and "Location" in answer:
            found.add(answer["Location"])

    assert found
    assert all(address.startswith("/") and not address.startswith("//") for address in found)
