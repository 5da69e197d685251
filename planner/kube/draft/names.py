"""Derives plan names from the names in other systems: valid, unique, and the same on every import."""

import re

MAX_NAME = 63
_NOT_ALLOWED = re.compile(r"[^-a-z0-9.]+")


def valid_name(text: str) -> str:
    """The nearest name of lower case letters, digits, '-' and '.', at most 63 long."""
    return _NOT_ALLOWED.sub("-", text.lower())[:MAX_NAME].strip("-.") or "unnamed"


class UniqueNames:
    """Hands out each name once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, wanted: str, *others: str) -> str:
        """The first of the wanted names that is free, else the first one with a number behind it."""
        for text in (wanted, *others):
            name = valid_name(text)
            if name not in self._taken:
                self._taken.add(name)
                return name
        return self._numbered(valid_name(wanted))

    def _numbered(self, base: str) -> str:
        number = 2
        while True:
            ending = f"-{number}"
            name = base[: MAX_NAME - len(ending)].rstrip("-.") + ending
            if name not in self._taken:
                self._taken.add(name)
                return name
            number += 1
