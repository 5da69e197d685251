"""Subjects of which the same was found at one instant, such as pods of a template that find no node."""

from collections.abc import Hashable, Iterator

_MOST_KNOWN = 2_000


class SharedFindings:
    """Who shares which decision of the present instant."""

    def __init__(self) -> None:
        self.time_us = -1
        self.alone = 0
        """Findings of the instant that have a decision of their own."""
        self._places: dict[Hashable, int] = {}
        """By kind: where the decision is that all of the kind share."""
        self._names: dict[int, list[str]] = {}
        """By place: who shares it besides its subject."""
        self._news: dict[int, None] = {}
        """Places that somebody has joined since they were taken last."""
        self._known: dict[str, tuple[str, ...]] = {}
        """By the first of them: those who shared a decision last, mostly the same again and then the same object."""

    def copy(self) -> "SharedFindings":
        """The same, to go on by itself; what was joined has been taken."""
        other = SharedFindings()
        other.time_us, other.alone = self.time_us, self.alone
        other._places, other._known = dict(self._places), dict(self._known)
        other._names = {at: list(names) for at, names in self._names.items()}
        return other

    def begin(self, time_us: int) -> None:
        """Another instant; what is shared so far was taken."""
        self.time_us, self.alone = time_us, 0
        self._places.clear()
        self._names.clear()

    def join(self, kind: Hashable, place: int, subject: str) -> int | None:
        """Where the decision is that a subject shares; None if it is the first of its kind, for which `place` is."""
        at = self._places.setdefault(kind, place)
        if at == place:
            self._names[at] = []
            return None
        self._names[at].append(subject)
        self._news[at] = None
        return at

    def take(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """All who share a decision besides its subject, by its place, where that has changed."""
        for at in self._news:
            names = tuple(self._names[at])
            known = self._known.get(names[0])
            if known != names:
                if len(self._known) >= _MOST_KNOWN:
                    self._known.clear()
                known = self._known[names[0]] = names
            yield at, known
        self._news.clear()
