"""Translations are compiled without GNU gettext."""

import gettext
import os

from scoresheet.messages import compile_stale

GERMAN = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "dealer"
msgstr "Geber"

msgid "%(count)s round"
msgid_plural "%(count)s rounds"
msgstr[0] "%(count)s Spiel"
msgstr[1] "%(count)s Spiele"

#, fuzzy
msgid "chalk"
msgstr "Tafel"
"""


def german(tmp_path):
    po = tmp_path / "de" / "LC_MESSAGES" / "django.po"
    po.parent.mkdir(parents=True)
    po.write_text(GERMAN, encoding="utf-8")
    return po


def test_a_catalogue_is_compiled_to_what_gettext_reads(tmp_path):
    german(tmp_path)

    compile_stale(tmp_path)

    told = gettext.translation("django", tmp_path, languages=["de"])
    assert told.gettext("dealer") == "Geber"
    assert told.ngettext("%(count)s round", "%(count)s rounds", 2) == "%(count)s Spiele"
    assert told.gettext("chalk") == "chalk"  # a guess of the machine is not shown


def test_a_catalogue_is_compiled_again_only_when_it_changed(tmp_path):
    po = german(tmp_path)

    first = compile_stale(tmp_path)
    second = compile_stale(tmp_path)
    mo = po.with_suffix(".mo")
    os.utime(po, (mo.stat().st_mtime + 2, mo.stat().st_mtime + 2))
    third = compile_stale(tmp_path)

    assert (first, second, third) == ([mo], [], [mo])
    assert sorted(path.name for path in po.parent.iterdir()) == ["django.mo", "django.po"]
