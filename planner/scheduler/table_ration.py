"""Which placements record the scores of other nodes."""

from planner.state.cluster_tables import Clock

TABLES_AT_ONCE = 10
"""Placements of one template at one instant that record the scores of other nodes; further ones would look alike."""


class TableRation:
    """Which placements are worth a table of scores; one costs about as much as a tenth of a placement."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._now_us = -1
        self._made: dict[int, int] = {}

    def wanted(self, template: int) -> bool:
        """Whether the next placement of a template gets one."""
        self._follow_clock()
        made = self._made.get(template, 0)
        if made >= TABLES_AT_ONCE:
            return False
        self._made[template] = made + 1
        return True

    def left(self, template: int) -> int:
        """How many placements of a template get one at this instant still."""
        self._follow_clock()
        return max(0, TABLES_AT_ONCE - self._made.get(template, 0))

    def take(self, template: int, placements: int) -> None:
        """So many placements of a template are made."""
        self._made[template] = self._made.get(template, 0) + placements

    def _follow_clock(self) -> None:
        now_us = self._clock.now_us
        if now_us != self._now_us:
            self._now_us = now_us
            self._made.clear()
