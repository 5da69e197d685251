"""Positions of a snapshot whose node is treated as removed: searches visit the others in order, and these last."""

from array import array
from bisect import bisect_left, bisect_right, insort


class DroppedPositions:
    """Turns places of the list that searches walk into positions, and back."""

    def __init__(self) -> None:
        self.column = array("q")
        """They, rising."""
        self._listed_before: list[int] | None = None
        """For each dropped position, how many listed ones come before it; None if this has to be counted again."""

    def __len__(self) -> int:
        return len(self.column)

    def add(self, position: int) -> None:
        """The node of a position goes."""
        insort(self.column, position)
        self._listed_before = None

    def position_at(self, place: int) -> int:
        """The position at a place of the list."""
        if self._listed_before is None:
            self._listed_before = [dropped - at for at, dropped in enumerate(self.column)]
        return place + bisect_right(self._listed_before, place)

    def place_of(self, position: int) -> int:
        """Where the list has a position that is not dropped."""
        return position - bisect_left(self.column, position)
