"""Translations: makes the .mo files Django reads from the .po files people write.

Django's own ``compilemessages`` needs GNU gettext, which a fresh machine does not have.
Run by hand: ``python -m scoresheet.messages``.
"""

import os
import tempfile
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALE_DIR = Path(__file__).resolve().parent.parent / "locale"


def compile_stale(locale_dir: Path = LOCALE_DIR) -> list[Path]:
    """Compile every catalogue whose .mo file is missing or older than its .po file; which ones."""
    compiled = []
    for po in sorted(locale_dir.glob("*/LC_MESSAGES/*.po")):
        mo = po.with_suffix(".mo")
        if mo.exists() and mo.stat().st_mtime >= po.stat().st_mtime:
            continue
        _compile(po, mo)
        compiled.append(mo)
    return compiled


def _compile(po: Path, mo: Path) -> None:
    with po.open("rb") as source:
        catalogue = read_po(source, locale=po.parent.parent.name, abort_invalid=True)
    # Two processes may start at once: each writes its own file and puts it in place whole.
    with tempfile.NamedTemporaryFile(dir=mo.parent, suffix=".mo.new", delete=False) as target:
        write_mo(target, catalogue)
    Path(target.name).chmod(0o644)
    os.replace(target.name, mo)  # noqa: PTH105 - the one call that is atomic on every system


if __name__ == "__main__":
    for path in compile_stale():
        print(f"compiled {path.relative_to(LOCALE_DIR.parent)}")  # noqa: T201
