"""One run of a search for headroom: its load, whether every SLO was met, and which one was missed first."""

from collections.abc import Mapping
from dataclasses import dataclass

from planner.experiments.execution.breaks import SloBreak, first_break
from planner.plan.model.plan import Plan
from planner.record.result import Figure, RunResult
from planner.record.text.latency_bounds import LatencyBounds

_ATTAINMENTS = ("slo_attainment[", "slo_attainment_end_to_end[")


@dataclass(frozen=True)
class TriedLoad:
    """The outcome of one run."""

    factor: float
    """All traffic was multiplied by this."""
    missed: tuple[str, ...]
    """Workloads whose SLO was not met all the time."""
    first_break: SloBreak | None
    """None if every SLO was met."""
    figures: Mapping[str, Figure]
    """Key figures of the run."""
    bounds: LatencyBounds
    """Of its latencies."""

    @property
    def kept(self) -> bool:
        """Whether every SLO was met all the time."""
        return not self.missed

    @property
    def attainment(self) -> float:
        """The lowest share of time in which a workload met its SLO."""
        shares = [figure.value for name, figure in self.figures.items() if name.startswith(_ATTAINMENTS)]
        return min(shares, default=1.0)

    @property
    def worst_p95_text(self) -> str:
        """The highest p95 of all workloads: 182 ms, or "≥ 10 s (time-out)"."""
        return self.bounds.text_of_worst({name: figure.value for name, figure in self.figures.items()})

    @property
    def room(self) -> Mapping[str, float]:
        """How many more pods of each workload would have fitted at the worst moment, and when that was."""
        return {name: figure.value for name, figure in self.figures.items() if name.startswith("room_")}


def tried_load(plan: Plan, factor: float, result: RunResult) -> TriedLoad:
    """What is kept of the run of `plan` with its load multiplied by `factor`."""
    bounds = LatencyBounds.of(plan, result.until_us)
    return TriedLoad(factor, result.slo_missed, first_break(plan, result), result.figures, bounds)
