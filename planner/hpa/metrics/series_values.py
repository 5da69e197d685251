"""The latest value of every custom and external metric, as their APIs return it."""

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from planner.plan.model.autoscalers.hpa_metric import MetricSource
from planner.plan.model.autoscalers.metric_series import MetricSeries


class _Reading(NamedTuple):
    visible_us: int
    value_milli: int | None


@dataclass(slots=True)
class _Values:
    delay_us: int
    is_of_each_pod: bool = False
    waiting: deque[_Reading] = field(default_factory=deque)
    latest_milli: int | None = None


class SeriesValues:
    """Readings by name of the series; one counts once its delay is over."""

    def __init__(self, series: Sequence[MetricSeries] = ()) -> None:
        self._values = {known.name: _Values(known.delay, known.is_of_each_pod) for known in series}
        self._silent: frozenset[MetricSource] = frozenset()
        self._asked: dict[str, Callable[[int], int | None]] = {}

    def record(self, name: str, now_us: int, value: float) -> None:
        """Take a reading of a series; a value that is not finite (a latency without requests) counts as none."""
        known = self._values[name]
        value_milli = round(value * 1000) if math.isfinite(value) else None
        known.waiting.append(_Reading(now_us + known.delay_us, value_milli))

    def is_of_each_pod(self, name: str) -> bool:
        """Whether each pod has the value of a series rather than a share of it."""
        return self._values[name].is_of_each_pod

    def answer_with(self, name: str, ask: Callable[[int], int | None]) -> None:
        """An adapter of its own answers for a metric: `ask(now_us)` in thousandths, None for an error."""
        self._asked[name] = ask

    def silence(self, sources: frozenset[MetricSource]) -> None:
        """From now on the APIs behind exactly these sources do not answer."""
        self._silent = sources

    def value_milli(self, source: MetricSource, name: str, now_us: int) -> int | None:
        """The latest value an autoscaler sees; None if its API knows none or does not answer."""
        if name in self._asked:
            return self._asked[name](now_us)
        if source in self._silent:
            return None
        known = self._values[name]
        while known.waiting and known.waiting[0].visible_us <= now_us:
            known.latest_milli = known.waiting.popleft().value_milli
        return known.latest_milli
