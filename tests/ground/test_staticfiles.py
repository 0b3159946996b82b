"""What collecting makes of the static files."""

import json

import pytest
from django.template import Context, Template

from scoresheet.staticfiles import BUNDLES
from tests.serving import ROOT, manage


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """The folder of a release, and its names for the files."""
    data_dir = tmp_path_factory.mktemp("collected")
    manage("collectstatic", "--noinput", "--verbosity", "0", data_dir=data_dir)
    folder = data_dir / "static"
    return folder, json.loads((folder / "staticfiles.json").read_text())["paths"]


@pytest.mark.parametrize("bundle", BUNDLES)
def test_a_bundle_holds_all_its_parts_in_their_order(collected, bundle):
    folder, names = collected

    text = (folder / names[bundle]).read_text()

    places = [text.find((folder / names[part]).read_text()) for part in BUNDLES[bundle]]
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.parametrize("name", ["js/live.js", "css/sheet.css"])
def test_files_are_sent_smaller_than_they_are_written_and_compressed(collected, name):
    folder, names = collected
    source = ROOT / "static" / name

    sent = (folder / names[name]).read_bytes()

    assert len(sent) < source.stat().st_size
    assert b"/* " not in sent
    assert (folder / f"{names[name]}.br").stat().st_size < len(sent) / 2


def test_collecting_once_more_changes_no_name(collected):
    folder, names = collected

    manage("collectstatic", "--noinput", "--verbosity", "0", data_dir=folder.parent)

    assert json.loads((folder / "staticfiles.json").read_text())["paths"] == names


@pytest.mark.parametrize(
    ("debug", "expected"), [(False, ("js/sheet.js",)), (True, BUNDLES["js/sheet.js"])]
)
def test_a_page_loads_the_bundle_or_the_sources(settings, debug, expected):
    settings.DEBUG = debug

    tags = Template('{% load sheets %}{% bundle "js/sheet.js" %}').render(Context())

    assert tags.splitlines() == [
        f'<script src="/static/{name}" defer></script>' for name in expected
    ]
