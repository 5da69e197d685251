"""Names that users and files give, for labels of one line."""

import re

_MOST = 60
_HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]+")
"""Control characters, line breaks, and marks that turn the direction of what follows."""


def one_line(text: str) -> str:
    """A text that cannot turn or break the words around it."""
    return _HIDDEN.sub(" ", text).strip()


def short_name(text: str) -> str:
    """A name beside other words: one line, cut where it is very long."""
    name = one_line(text)
    return name if len(name) <= _MOST else f"{name[: _MOST - 1]}…"


def file_name(title: str) -> str:
    """A plan's title as a file name that every system takes."""
    kept = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in title.strip().lower())
    return "-".join(part for part in kept.split("-") if part)[:60] or "plan"
