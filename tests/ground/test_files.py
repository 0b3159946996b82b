"""What no file of the project may hold, and what each must."""

import re
from importlib.metadata import version
from pathlib import Path

import django_htmx
import pytest

from games.views.errors import ICONS as ERROR_ICONS

ROOT = Path(__file__).resolve().parent.parent.parent
VENDOR = ROOT / "static" / "vendor"
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
OWN_STATIC = [
    path
    for kind in ("*.css", "*.js", "*.svg", "*.webmanifest")
    for path in sorted((ROOT / "static").rglob(kind))
    if not path.is_relative_to(VENDOR)
]
# Names of XML vocabularies look like addresses; nothing is ever loaded from them.
VOCABULARIES = ("http://www.w3.org/",)


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def markup(template: str) -> str:
    """What a browser gets to see: without comments and tags of the template language."""
    return re.sub(
        r"{#.*?#}|{% comment %}.*?{% endcomment %}|{%.*?%}", "", template, flags=re.DOTALL
    )


@pytest.mark.parametrize(
    "forbidden",
    [
        pytest.param(r"\bhx-on\b", id="hx-on"),
        pytest.param(r"\bhx-boost\b", id="hx-boost"),
        pytest.param(r"\bhx-push-url\b", id="hx-push-url"),
        pytest.param(r"\sstyle\s*=", id="style"),
        pytest.param(r"hx-trigger\s*=\s*(\"[^\"]*\[|'[^']*\[)", id="filter in hx-trigger"),
        pytest.param(r"hx-va(ls|rs)\s*=\s*[\"']?js:", id="script in hx-vals"),
        pytest.param(r"\son[a-z]+\s*=", id="inline handler"),
        pytest.param(r"<style", id="inline style"),
        pytest.param(r"<script(?![^>]*(\bsrc=|\btype=\"application/json\"))", id="inline script"),
        pytest.param(r"javascript:", id="javascript link"),
    ],
)  # fmt: skip
def test_no_template_holds_what_the_content_security_policy_forbids(forbidden):
    pattern = re.compile(forbidden, re.IGNORECASE)

    found = [
        relative(path)
        for path in TEMPLATES
        if pattern.search(markup(path.read_text(encoding="utf-8")))
    ]

    assert found == []


def test_nothing_names_another_host():
    found = [
        (relative(path), address)
        for path in [*TEMPLATES, *OWN_STATIC]
        for address in re.findall(r"(?:https?:)?//[a-z0-9-]+(?:\.[a-z0-9-]+)+[^\s\"'<>)]*",
                                  path.read_text(encoding="utf-8"), re.IGNORECASE)
        if not address.startswith(VOCABULARIES)
    ]  # fmt: skip

    assert found == []


def test_each_vendored_file_comes_with_its_version_and_its_licence():
    if not VENDOR.exists():
        return
    notes = (VENDOR / "README.md").read_text(encoding="utf-8")

    for path in sorted(VENDOR.rglob("*")):
        if path.is_file() and path.name != "README.md" and not path.name.startswith("LICENSE"):
            line = next((line for line in notes.splitlines() if path.name in line), "")
            assert re.search(r"\d+\.\d+", line), f"{path.name}: README.md names no version"
            assert re.search(r"\b(MIT|BSD|0BSD|ISC|Apache|OFL|CC0)", line), (
                f"{path.name}: no licence"
            )


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_each_package_is_pinned_to_one_version_and_that_one_is_installed(name):
    lines = [line.partition("#")[0].strip() for line in (ROOT / name).read_text().splitlines()]
    pins = [line.partition(";")[0].strip() for line in lines if line and not line.startswith("-r ")]

    assert pins
    for pin in pins:
        package, equals, wanted = pin.partition("==")
        assert equals == "==", pin
        assert version(package) == wanted, pin


def test_htmx_is_the_one_the_pages_were_made_for():
    script = Path(django_htmx.__file__).parent / "static" / "django_htmx" / "htmx-2.min.js"

    assert 'version:"2.0.10"' in script.read_text(encoding="utf-8")


def test_every_icon_that_is_carried_is_used():
    drawn = (ROOT / "static" / "icons" / "drawn.svg").read_text(encoding="utf-8")
    stems = [path.stem for path in sorted((ROOT / "templates" / "icons").glob("*.html"))]
    sources = [*TEMPLATES, *sorted((ROOT / "games" / "views").glob("*.py"))]
    told = "".join(path.read_text(encoding="utf-8") for path in sources)
    by_name = set(re.findall(r"icons/([\w-]+)\.html", told)) | set(ERROR_ICONS.values())

    assert re.findall(r'<symbol id="([\w-]+)"', drawn) == stems
    assert by_name == set(stems)


def test_every_setting_is_in_the_readme_and_in_the_example():
    code = (ROOT / "scoresheet" / "settings.py").read_text()
    names = set(re.findall(r"environment\.\w+\(\s*\"([A-Z_]+)\"", code))
    readme = (ROOT / "README.md").read_text()
    example = (ROOT / ".env.example").read_text()

    assert set(re.findall(r"^\| `([A-Z_]+)` \|", readme, re.MULTILINE)) == names
    assert set(re.findall(r"^#([A-Z_]+)=", example, re.MULTILINE)) == names
