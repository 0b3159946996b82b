"""How static files are collected: joined, made small, named by their content, compressed.

The sources in ``static/`` are what browsers get where ``DEBUG`` is on; there is nothing to build.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

try:
    import minify
except ImportError:  # no wheel for this machine: the files work as they are, only larger
    minify = None

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.core.files.storage import Storage

BUNDLES = {
    # One request instead of ten, and compressed as one text.
    "js/sheet.js": (
        "js/theme.js",
        "js/live.js",
        "js/asks.js",
        "js/outbox.js",
        "js/tools.js",
        "js/glance.js",
        "js/keys.js",
        "js/answers.js",
        "js/pad.js",
        "js/mend.js",
    ),
}
"""Scripts that are sent as one, and the scripts they are made of, in order."""

KINDS = {".css": "text/css", ".js": "application/javascript", ".svg": "image/svg+xml"}


class CollectedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc] # untyped
    """The static files of a release."""

    def post_process(
        self, paths: dict[str, tuple[Storage, str]], **options: Any
    ) -> Iterator[tuple[str, str, bool]]:
        """Join and shrink what was collected, before names and compressed copies are made."""
        if not options.get("dry_run"):
            texts = {name: self._small(name, *place) for name, place in paths.items()}
            for bundle, parts in BUNDLES.items():
                texts[bundle] = ";\n".join(texts[part] or "" for part in parts)
            for name, text in texts.items():
                if text is not None:
                    self.delete(name)
                    self.save(name, ContentFile(text))
                    paths[name] = (self, name)
        yield from super().post_process(paths, **options)

    @staticmethod
    def _small(name: str, source: Storage, path: str) -> str | None:
        """The text of a style sheet, script or drawing without what no browser needs."""
        kind = KINDS.get(f".{name.rpartition('.')[2]}")
        if kind is None:
            return None
        with source.open(path) as file:
            text: str = file.read().decode()
        if minify is None or ".min." in name:
            return text
        small: str = minify.string(kind, text)
        return small
