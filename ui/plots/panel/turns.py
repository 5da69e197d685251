"""Which plots are drawn in a frame: while a run goes, half of those that are stale, so that the run gets its time."""


class Turns:
    """Each stale plot comes to its turn, those that have waited longest first."""

    def __init__(self) -> None:
        self._stale: dict[str, None] = {}

    def add(self, name: str) -> None:
        """There is something new to draw in this plot."""
        self._stale.setdefault(name)

    def take(self, *, everyone: bool) -> list[str]:
        """The plots to draw now."""
        count = len(self._stale) if everyone else (len(self._stale) + 1) // 2
        due = list(self._stale)[:count]
        for name in due:
            del self._stale[name]
        return due
