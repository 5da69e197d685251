"""A run as it is kept: what was run, what came out, and what the user noted about it."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from planner import __version__
from planner.record.result import Figure
from planner.record.text.latency_bounds import LatencyBounds, subject_of
from ui.runs.run_data import RunData, RunState

_SHOWN = ("cost", "nodes_peak", "pods_pending_peak", "slo_attainment[", "latency_p95_worst[")
_MOST_FIGURES = 100


@dataclass(frozen=True)
class KeptRun:
    """Its plan is in a file of its own beside it."""

    key: str
    """Name of its files, in the order of time."""
    at: str
    """When it ended, as "2026-11-23 04:35"."""
    plan_file: str
    """Of the plan when it ran; empty for one that had none."""
    plan_name: str
    label: str
    seed: int
    until_us: int
    is_complete: bool
    currency: str
    slo_missed: tuple[str, ...] = ()
    figures: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    """The most important ones with their units."""
    timeouts_ms: Mapping[str, float] = field(default_factory=dict)
    """Of the workloads with a latency among them."""
    version: str = ""
    """Of the program."""
    note: str = ""

    def figure(self, name: str) -> Figure | None:
        """None where the run does not have it."""
        return Figure(*self.figures[name]) if name in self.figures else None

    def lowest_attainment(self) -> float | None:
        """Of the workload that met its SLO least."""
        shares = [value for name, (value, _) in self.figures.items() if name.startswith("slo_attainment[")]
        return min((share for share in shares if not math.isnan(share)), default=None)

    def worst_latency_text(self) -> str:
        """182 ms, or "≥ 10 s (time-out)"."""
        values = {name: value for name, (value, _) in self.figures.items()}
        return LatencyBounds(self.timeouts_ms, self.until_us).text_of_worst(values)


def kept(run: RunData, key: str, at: str, plan_file: str) -> KeptRun:
    """Of a run that has its result."""
    result = run.result
    assert result is not None, "only runs with a result are kept"
    bounds = LatencyBounds.of(run.plan, result.until_us)
    shown = {name: bounds.bounded(name, one) for name, one in result.figures.items() if name.startswith(_SHOWN)}
    chosen = {name: (one.value, one.unit) for name, one in shown.items()}
    figures = dict(list(chosen.items())[:_MOST_FIGURES])
    slow = {subject_of(name) for name in figures}
    timeouts_ms = {name: timeout for name, timeout in bounds.timeouts_ms.items() if name in slow}
    return KeptRun(
        key, at, plan_file, run.plan.name, run.label, run.seed, run.until_us, run.state is RunState.FINISHED,
        run.plan.costs.currency, tuple(result.slo_missed), figures, timeouts_ms, __version__,
    )  # fmt: skip


def to_text(run: KeptRun) -> str:
    """For its file."""
    return json.dumps(asdict(run), indent=1, ensure_ascii=False) + "\n"


def from_text(text: str) -> KeptRun:
    """Raises ValueError for a text that is no kept run."""
    try:
        values: dict[str, Any] = json.loads(text)
        figures = {str(name): (float(value), str(unit)) for name, (value, unit) in values.pop("figures").items()}
        missed = tuple(map(str, values.pop("slo_missed")))
        timeouts_ms = {str(name): float(timeout) for name, timeout in values.pop("timeouts_ms", {}).items()}
        run = KeptRun(**values, slo_missed=missed, figures=figures, timeouts_ms=timeouts_ms)
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        raise ValueError(f"no kept run: {error}") from error
    texts = (run.key, run.at, run.plan_file, run.plan_name, run.label, run.currency, run.version, run.note)
    if not all(isinstance(one, str) for one in texts) or not isinstance(run.seed, int):
        raise ValueError("no kept run: a value is of the wrong kind")
    return run
