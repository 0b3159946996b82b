"""What may be a name, and what is kept of it."""

import pytest

from games.names import clean_name
from games.services import Malformed
from games.spelling import name_key

FAMILY = "\U0001f469‍\U0001f469‍\U0001f467‍\U0001f466"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Lena", "Lena"),
        ("  Lena \t  Maria\n", "Lena Maria"),
        ("Lena\u00a0\u3000Maria", "Lena Maria"),
        ("Ju\u0308rgen", "J\u00fcrgen"),
        ("Le\u200bna\ufeff", "Lena"),
        ("Le\u00adna", "Lena"),
        ("Lena\u200d", "Lena"),
        ("Le\u200dna", "Lena"),
        ("\u0646\u06cc\u200c\u0645", "\u0646\u06cc\u200c\u0645"),
        ("\u0915\u094d\u200d\u0937", "\u0915\u094d\u200d\u0937"),
        (FAMILY, FAMILY),
        (FAMILY * 40, FAMILY * 40),
        ("x" * 40, "x" * 40),
        ("e\u0301" * 40, "\u00e9" * 40),
        ("4", "4"),
        ("?", "?"),
        ("محمد", "محمد"),
        ("<b>Lena</b>", "<b>Lena</b>"),
    ],
)
def test_a_name_is_kept_tidy(typed, kept):
    assert clean_name(typed) == kept


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "name-missing"),
        (" \t\n", "name-missing"),
        ("\u200b\u200b", "name-missing"),
        ("\u200d", "name-missing"),
        ("\u2800", "name-missing"),
        ("\u3164", "name-missing"),
        ("\u0301", "name-missing"),
        ("Le\x00na", "name-characters"),
        ("Le\x07na", "name-characters"),
        ("Le\x1fna", "name-characters"),
        ("\u202eaneL", "name-characters"),
        ("Lena\u2066", "name-characters"),
        ("Lena\u200f", "name-characters"),
        ("x" * 41, "name-long"),
        (FAMILY * 41, "name-long"),
        ("x" + "\u0301" * 500, "name-long"),
    ],
)
def test_what_is_no_name_is_refused(typed, code):
    with pytest.raises(Malformed) as refused:
        clean_name(typed)

    assert (refused.value.code, refused.value.status) == (code, 422)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Lena", "LENA"), ("Groß", "GROSS"), ("Lena", "Le\u200cna")],
)
def test_two_names_are_the_same_for_a_reader(one, other):
    assert name_key(one) == name_key(other)


def test_names_with_other_letters_differ():
    assert name_key("Lena") != name_key("Lenä")
