"""Who made what the product stands on: packages, vendored files, and under which licence."""

import re
from importlib.metadata import metadata

import pytest

from tests.serving import ROOT

NOTICES = (ROOT / "THIRD-PARTY-NOTICES.md").read_text(encoding="utf-8")
ROWS = {
    row[1]: (row[2], row[3])
    for row in re.finditer(r"^\| ([\w.-]+) \| ([\d.]+) \| ([^|]+) \|$", NOTICES, re.MULTILINE)
}
# Installed where they are wanted.
# What goes well with the MIT licence of the product.
FINE = re.compile(r"(MIT|MIT-0|BSD|BSD-[23]-Clause|0BSD|Apache-2\.0|PSF-2\.0|CNRI-Python|CC0-1\.0"
                  r"|CC-BY-4\.0|LGPL-3\.0-only)")  # fmt: skip
FOLDERS = ("fonts", "vendor")


def pins():
    lines = [
        line.partition("#")[0] for line in (ROOT / "requirements.txt").read_text().splitlines()
    ]
    pairs = [line.partition(";")[0].strip().split("==") for line in lines if line.strip()]
    return dict(pairs)


def licence_of(package):
    """What a package says of itself, and whether it is exact."""
    said = metadata(package)
    if said["License-Expression"]:
        return said["License-Expression"], True
    classes = [c for c in said.get_all("Classifier") or () if c.startswith("License ::")]
    return f"{said['License'] or ''} {' '.join(classes)}", False


def test_every_package_is_named_with_its_version():
    named = {name: version for name, (version, _) in ROWS.items()}

    assert {name: named.get(name) for name in pins()} == pins()
    assert set(named) <= set(pins())


@pytest.mark.parametrize("package", sorted(pins()))
def test_its_licence_is_the_one_it_says_itself(package):
    licence = ROWS[package][1]
    said, is_exact = licence_of(package)

    if is_exact:
        assert licence == said
    else:
        for part in re.split(r" (?:OR|AND) ", licence):
            assert part.partition("-")[0] in said, said


def test_every_licence_lets_the_product_be_what_it_is():
    strange = {
        name: licence
        for name, (_, licence) in ROWS.items()
        if not all(FINE.fullmatch(part) for part in re.split(r" (?:OR|AND) ", licence))
    }

    assert strange == {}


def test_every_file_of_others_is_named_and_has_its_licence_beside_it():
    theirs = [
        path
        for folder in FOLDERS
        for path in sorted((ROOT / "static" / folder).rglob("*"))
        if path.is_file() and not path.name.startswith(("LICENSE", "README"))
    ]

    assert theirs
    for path in theirs:
        name = path.relative_to(ROOT).as_posix()
        row = next(line for line in NOTICES.splitlines() if line.startswith(f"| `{name}` |"))
        licence = re.search(r"`(static/[^`]*LICENSE[^`]*)`", row)
        assert licence, row
        assert (ROOT / licence[1]).is_file()


def test_the_product_has_a_licence():
    assert (ROOT / "LICENSE").read_text().startswith("MIT License")
    assert 'license = "MIT"' in (ROOT / "pyproject.toml").read_text()


def test_htmx_is_named_in_the_version_that_browsers_get():
    carried = re.search(r"carries htmx ([\d.]+)", (ROOT / "requirements.txt").read_text())

    assert carried
    assert f"htmx {carried[1]}" in NOTICES
