"""Which known word was meant by one that is not known."""

import difflib
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_MOST_COMPARED, _MOST_LONGER = 500, 2
_NUMBERS = re.compile(r"v?\d{1,9}(\.\d{1,9})*", re.ASCII)
_suggesting: ContextVar[bool] = ContextVar("suggesting", default=True)


def nearest(word: str, known: Collection[str]) -> str | None:
    """The known word that looks most like `word`, whatever the case; None if none does. Of very many words, only some
    of about the same length are compared, first those with the same beginning. Among versions: the nearest number.
    """
    if not _suggesting.get():
        return None
    if _NUMBERS.fullmatch(word) and known and all(map(_NUMBERS.fullmatch, known)):
        return min(known, key=lambda one: [abs(a - b) for a, b in zip(_numbers(one), _numbers(word), strict=False)])
    if len(known) > _MOST_COMPARED:
        as_long = [one for one in known if abs(len(one) - len(word)) <= _MOST_LONGER]
        alike = [one for one in as_long if one.startswith(word[:2])]
        known = [*alike, *as_long][:_MOST_COMPARED]
    by_lower = {name.replace("_", "").lower(): name for name in known}
    found = difflib.get_close_matches(word.replace("_", "").lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[found[0]] if found else None


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.removeprefix("v").split(".")]


@contextmanager
def without_suggestions() -> Iterator[None]:
    """Inside, nothing is `nearest`: for problems that are only counted."""
    before = _suggesting.set(False)
    try:
        yield
    finally:
        _suggesting.reset(before)
