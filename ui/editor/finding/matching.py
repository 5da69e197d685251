"""What of many things a typed text means, and what it may have meant."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

DOT = " · "
"""Between the steps of what is found."""
_ALIKE, _MOST_ALIKE = 0.66, 4
_LENGTH_APART = 3


@dataclass(frozen=True, slots=True)
class Findable:
    """A thing that can be found."""

    words: str
    """As it is shown."""
    target: Any
    """Where it leads."""
    names: str = ""
    """What else it is called, such as the field of a Kubernetes object."""
    folded: str = field(init=False, default="", compare=False)
    """Its words, whatever their case."""
    searched: str = field(init=False, default="", compare=False)
    """Everything that it is found by."""

    def __post_init__(self) -> None:
        folded = self.words.casefold()
        object.__setattr__(self, "folded", folded)
        object.__setattr__(self, "searched", f"{folded}\n{self.names.casefold()}")

    def said(self, text: str) -> str:
        """Its words, and where the text is in none of them, what else it is called."""
        is_in_words = all(part in self.folded for part in _parts(text.casefold()))
        return self.words if is_in_words or not self.names else f"{self.words}  ({self.names.split()[-1]})"


def matching(text: str, things: Iterable[Findable]) -> list[Findable]:
    """Things that every word of a text is a part of, in any order; the nearest to the text first."""
    text = text.casefold().strip()
    parts = _parts(text)
    found = [thing for thing in things if parts and all(part in thing.searched for part in parts)]
    return sorted(found, key=lambda thing: _distance(text, parts, thing))


def _distance(text: str, parts: Sequence[str], thing: Findable) -> int:
    last = thing.folded.rpartition(DOT)[2]
    nearness = (
        text == thing.folded,
        text == last,
        last.startswith(text) or thing.folded.startswith(text),
        text in thing.folded,
        all(part in thing.folded for part in parts),
        True,  # by another of its names
    )
    return nearness.index(True)


def nearest(text: str, things: Sequence[Findable]) -> list[Findable]:
    """For a text that nothing is called by: what has most of its words, or else what is spelled much like them."""
    parts = [part for part in _parts(text.casefold()) if part]
    known = sorted({word for thing in things for word in _parts(thing.searched)})
    meant = [_alike(part, known) for part in parts]
    counts = {
        id(thing): sum(
            2 if part in thing.searched else _has_one(thing, words) for part, words in zip(parts, meant, strict=True)
        )
        for thing in things
    }
    most = max(counts.values(), default=0)
    return [thing for thing in things if most and counts[id(thing)] == most]


def _alike(part: str, known: Sequence[str]) -> list[str]:
    near = [word for word in known if abs(len(word) - len(part)) <= _LENGTH_APART]
    return [*(word for word in near if part in word), *get_close_matches(part, near, _MOST_ALIKE, _ALIKE)]


def _has_one(thing: Findable, words: Iterable[str]) -> bool:
    return any(word in thing.searched for word in words)


def _parts(text: str) -> list[str]:
    return list(_words(text))


def _words(text: str) -> Iterator[str]:
    for word in text.replace(DOT.strip(), " ").split():
        yield word.strip("…()“”,:")
