"""Which colour a workload or a node pool has: the same in all views, all plans and all runs of a session."""

from collections.abc import Iterable
from zlib import crc32

COLOR_COUNT = 8
"""Colours that a theme has for series."""


class ThingColors:
    """Gives every name a colour, which it keeps: other names, or another order of them, change nothing.

    A name prefers the colour that its letters yield, so that it usually has the same one tomorrow; among names that
    are shown together, one that is already taken goes to the least used.
    """

    def __init__(self) -> None:
        self._index_of: dict[str, int] = {}

    def of(self, names: Iterable[str]) -> dict[str, int]:
        """The colours of names that are shown together, as positions for `Theme.series_color`."""
        together = dict.fromkeys(names)
        used = [0] * COLOR_COUNT
        for name in together:
            if name in self._index_of:
                used[self._index_of[name]] += 1
        for name in sorted(name for name in together if name not in self._index_of):
            preferred = crc32(name.encode()) % COLOR_COUNT
            order = [(preferred + step) % COLOR_COUNT for step in range(COLOR_COUNT)]
            index = self._index_of[name] = min(order, key=used.__getitem__)
            used[index] += 1
        return {name: self._index_of[name] for name in together}


WORKLOAD_COLORS, POOL_COLORS = ThingColors(), ThingColors()
"""Those of this session."""
