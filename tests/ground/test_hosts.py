"""Which names an embedded sheet answers to."""

import pytest
from django.http.request import validate_host

from scoresheet.hosts import AnyHomeAddress, is_home_address, names_of_this_machine


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "10.1.2.3", "172.16.0.9", "192.168.178.20", "169.254.7.7", "100.64.0.1", "[::1]",
     "[fd12::1]", "[fe80::1]", "localhost"],
)  # fmt: skip
def test_an_address_at_home_is_answered(host):
    assert validate_host(host, [*names_of_this_machine(), AnyHomeAddress()]) is True


@pytest.mark.parametrize(
    "host",
    ["8.8.8.8", "172.32.0.1", "[2001:db8::1]", "example.org", "10.1.2.3.example.org", "*", "",
     "any address of a private network", "192.168.1", "0x7f000001"],
)  # fmt: skip
def test_another_address_or_name_is_not(host):
    assert validate_host(host, [*names_of_this_machine(), AnyHomeAddress()]) is False


def test_names_of_this_machine_hold_the_one_that_phones_find(monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "Lenas-Laptop.example.org")

    assert names_of_this_machine() == [
        "localhost", "lenas-laptop.example.org", "lenas-laptop", "lenas-laptop.local",
        "lenas-laptop.lan", "lenas-laptop.home.arpa", "lenas-laptop.fritz.box",
    ]  # fmt: skip


def test_a_name_is_no_home_address():
    assert is_home_address("localhost") is False
