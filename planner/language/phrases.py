"""Texts that are written where a result is made, and said in the reader's language where it is shown.

A phrase is its English text, so that files for programs stay in English, and remembers what it was made of. `said` puts
it into the chosen language. Answers of experiments are made of phrases: they outlive a change of the language.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from planner.language.translation import tr

_NOTHING: Mapping[str, object] = MappingProxyType({})


class Phrase(str):
    """An English text with the template and the values that it was made of; the values may be phrases, too."""

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, values: Mapping[str, object] = _NOTHING) -> "Phrase":
        made = super().__new__(cls, template.format(**values) if values else template)
        made.template, made.values = template, dict(values)
        return made

    def __reduce__(self) -> "tuple[type[Phrase], tuple[str, Mapping[str, object]]]":
        return Phrase, (self.template, self.values)


def phrase(text: str, /, **values: object) -> Phrase:
    """The English text with the values in the places that `{name}` marks, to be translated when it is shown."""
    return Phrase(text, values)


def phrase_count(one: str, many: str, count: float, /, **values: object) -> Phrase:
    """The same with a text for exactly one and another for any other number."""
    return Phrase(one if count == 1 else many, values)


def joined(separator: str, parts: Iterable[str]) -> Phrase:
    """Several texts as one."""
    values = {f"part_{number}": part for number, part in enumerate(parts)}
    return Phrase(separator.replace("{", "{{").replace("}", "}}").join(f"{{{name}}}" for name in values), values)


def said(text: str) -> str:
    """The text in the chosen language; what is no phrase stays as it is."""
    if not isinstance(text, Phrase):
        return text
    return tr(text.template, **{name: _said(value) for name, value in text.values.items()})


def _said(value: object) -> object:
    return said(value) if isinstance(value, str) else value
