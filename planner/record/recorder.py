"""Columns of what happened, bounded: a decision equal to the previous one of its subject is a repeat."""

from array import array
from collections.abc import Mapping, Sequence

from planner.record.decisions import Decision


class Recorder:
    """Gathers series rows and decisions of one run."""

    def __init__(self) -> None:
        self.decisions: list[Decision] = []
        self.series_time_us = array("q")
        self.series: dict[str, array[float]] = {}
        self.repeated: dict[int, None] | None = None
        """Rows of `decisions` replaced by their repeat since someone looked last; None while nobody wants to know."""
        self._last: dict[tuple[str, str], int] = {}

    def decide(self, decision: Decision) -> None:
        """Keep a decision; one that only repeats the subject's last one by this actor raises its count."""
        key = (decision.actor, decision.subject)
        at = self._last.get(key)
        if at is not None and _same(old := self.decisions[at], decision):
            self.decisions[at] = Decision(
                old.time_us,
                old.actor,
                old.verdict,
                old.subject,
                old.target,
                old.refused,
                old.figures,
                old.details,
                old.repeats + 1,
            )
            if self.repeated is not None:
                self.repeated[at] = None
            return
        self._last[key] = len(self.decisions)
        self.decisions.append(decision)

    def open_series(self, names: Sequence[str]) -> None:
        """Name the series of the run, in the order of the report."""
        self.series = {name: array("d") for name in names}

    def add_row(self, time_us: int, values: Mapping[str, float]) -> None:
        """One value for every opened series. Raises KeyError if one is missing."""
        self.series_time_us.append(time_us)
        for name, column in self.series.items():
            column.append(values[name])


def _same(old: Decision, new: Decision) -> bool:
    return (
        old.verdict == new.verdict
        and old.target == new.target
        and old.refused == new.refused
        and old.figures == new.figures
        and old.details == new.details
    )
