"""compose.yaml: what it names exists, and what holds it together."""

import re
import secrets
import subprocess
import sys
from ipaddress import ip_network

import pytest
import yaml

from tests.serving import ROOT, environment_of

USED = re.compile(r"\$\{([A-Z_]+)")
WITH_A_STATE = {"db", "caddy"}


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((ROOT / "compose.yaml").read_text())


@pytest.fixture(scope="module")
def services(compose):
    return compose["services"]


def settings_of_the_site():
    code = (ROOT / "scoresheet" / "settings.py").read_text()
    return set(re.findall(r"environment\.\w+\(\s*\"([A-Z_]+)\"", code))


def filled_in(value, **values):
    """A value after compose has put in what .env says."""
    return re.sub(r"\$\{([A-Z_]+)[^}]*\}", lambda found: values[found[1]], value)


def test_the_example_asks_for_what_is_used_and_nothing_else():
    example = (ROOT / "deploy" / "compose.env.example").read_text()
    asked = set(re.findall(r"^([A-Z_]+)=$", example, re.MULTILINE))

    assert asked == set(USED.findall((ROOT / "compose.yaml").read_text()))


@pytest.mark.parametrize("name", ["SECRET_KEY", "POSTGRES_PASSWORD", "SITE"])
def test_nothing_starts_without_a_secret(name):
    assert f"${{{name}:?" in (ROOT / "compose.yaml").read_text()


def test_every_setting_exists_and_is_sound(services, tmp_path):
    values = {
        "SITE": "sheet.example.org",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "POSTGRES_PASSWORD": "p" * 40,
    }
    settings = {
        name: filled_in(value, **values) for name, value in services["app"]["environment"].items()
    }

    assert set(settings) <= settings_of_the_site()
    shown = "s.HTTPS, s.ALLOWED_HOSTS, s.TRUSTED_PROXIES, s.DATABASES['default']['HOST']"
    read = subprocess.run(
        [sys.executable, "-c", f"from django.conf import settings as s; print({shown})"],
        cwd=ROOT,
        env=environment_of(tmp_path, DJANGO_SETTINGS_MODULE="scoresheet.settings", **settings),
        capture_output=True,
        text=True,
        check=True,
    )  # fmt: skip
    assert read.stdout == ("True ['sheet.example.org', 'localhost'] ['172.31.77.0/24'] db\n")


def test_the_addresses_of_services_are_names_of_services(services):
    environment = services["app"]["environment"]

    assert "@db/" in environment["DATABASE_URL"]
    assert environment["REDIS_URL"].startswith("redis://valkey:")
    assert services["caddy"]["environment"]["UPSTREAM"].split(":")[0] == "app"
    assert {"app", "db", "valkey", "migrate"} <= set(services)


def test_whoever_is_waited_for_says_when_it_is_ready(services):
    for service in services.values():
        for name, how in service.get("depends_on", {}).items():
            if how["condition"] == "service_healthy" and name != "app":
                assert services[name]["healthcheck"]["test"][0] == "CMD"
    assert "HEALTHCHECK" in (ROOT / "Dockerfile").read_text()  # that of app
    assert services["app"]["depends_on"]["migrate"] == {
        "condition": "service_completed_successfully"
    }


def test_files_and_volumes_that_are_mounted_exist(compose, services):
    for service in services.values():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            if source.startswith("."):
                assert (ROOT / source).is_file()
            else:
                assert source in compose["volumes"]
    assert {name for name, service in services.items() if "volumes" in service} == WITH_A_STATE


def test_every_variable_of_the_caddyfile_is_given(services):
    caddyfile = (ROOT / "deploy" / "Caddyfile").read_text()

    assert set(re.findall(r"\{\$([A-Z]+)", caddyfile)) == set(services["caddy"]["environment"])


def test_only_caddy_can_be_reached_and_only_it_is_believed(compose, services):
    (front,) = compose["networks"]["front"]["ipam"]["config"]

    assert [name for name, service in services.items() if "ports" in service] == ["caddy"]
    assert compose["networks"]["back"] == {"internal": True}
    assert {name for name, service in services.items() if "front" in service["networks"]} == {
        "app",
        "caddy",
    }
    assert services["app"]["environment"]["TRUSTED_PROXIES"] == front["subnet"]
    assert ip_network(front["subnet"]).is_private


def test_images_are_pinned_and_come_up_again_by_themselves(services):
    for name, service in services.items():
        if "build" not in service:
            assert re.search(r":\d", service["image"]), name
        assert "restart" in service, name


def test_the_commands_are_commands_of_the_product(services):
    for name in ("app", "migrate"):
        _python, *command = services[name]["command"]
        assert services[name]["command"][0] == "python"
        asked = subprocess.run(
            [sys.executable, *command, "--help"],
            cwd=ROOT,
            env=environment_of(ROOT / "build" / "test-data"),
            capture_output=True,
            check=False,
        )
        assert asked.returncode == 0, asked.stderr


def test_the_site_can_write_nowhere_but_in_its_volume(services):
    for name in ("app", "migrate"):
        assert services[name]["read_only"] is True
        assert services[name]["cap_drop"] == ["ALL"]
        assert services[name]["security_opt"] == ["no-new-privileges:true"]


def test_a_stop_is_heard_at_any_time(services):
    assert services["app"]["init"] is True
    assert services["migrate"]["init"] is True  # as the first process it would be killed in the end


def test_the_database_is_ready_when_others_reach_it(services):
    # On its socket it answers while it is still being set up, and `migrate` would come too early.
    assert "--host 127.0.0.1" in " ".join(services["db"]["healthcheck"]["test"])
