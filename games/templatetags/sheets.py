"""Template tags of the sheet."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from games import services, words
from scoresheet.staticfiles import BUNDLES

if TYPE_CHECKING:
    from django.template import Context
    from django.utils.safestring import SafeString

    from games.rules import Breach, Sentence

register = template.Library()


@register.simple_tag(takes_context=True)
def new_op(context: Context) -> str:
    """A fresh UUID, as every form that writes is an attempt of its own; or the gap for one."""
    return str(context.get("op_gap") or uuid.uuid4())


@register.simple_tag
def release() -> str:
    """The release that draws this page; a stream tells which one answers by now."""
    return str(settings.RELEASE)


@register.simple_tag
def bundle(name: str) -> SafeString:
    """Scripts that belong together: one file, or its parts where ``DEBUG`` serves the sources."""
    names = BUNDLES[name] if settings.DEBUG else (name,)
    return format_html_join("\n", '<script src="{}" defer></script>', ((static(n),) for n in names))


@register.simple_tag(name="words")
def words_script() -> SafeString:
    """The script with what only scripts need, in the reader's language."""
    language = get_language() or settings.LANGUAGE_CODE
    address = reverse("games:words", args=[language, words.words_of_now().mark])
    return format_html('<script src="{}" defer></script>', address)


@register.simple_tag
def htmx_config() -> SafeString:
    """How htmx behaves, for an attribute in single quotes."""
    return mark_safe(words.HTMX_CONFIG)  # noqa: S308 - our own


@register.filter
def of_column(texts: dict[str, str] | None, column: str) -> str | None:
    """What was typed for one column of a row; None if nothing was."""
    return (texts or {}).get(column)


@register.filter
def in_words(said: Breach | Sentence) -> str:
    """A sentence of the rules in the reader's language."""
    return services.in_words(said)
