"""How far a report can be trusted, and how to make it again."""

from planner import __version__
from planner.plan.model.plan import Plan
from planner.record.result import RunResult
from planner.units import format_duration


def statement(plan: Plan, result: RunResult) -> tuple[str, ...]:
    """Sentences about model, accuracy and origin."""
    timing = "" if plan.simulation.discrete_requests else " Load is a fluid: single requests are not drawn."
    return (
        "Decisions of scheduler, autoscalers, disruption budgets and kubelets follow the rules of Kubernetes and of "
        "the Cluster Autoscaler 1.36, and are compared with recorded decisions of the real programs.",
        "Boot times of nodes, start times of pods, load, latency, shared CPU, failures and prices are models: as good "
        f"as the numbers of the plan. Latency is computed from queues, not measured.{timing}",
        "One run is one possible course of events. How much chance matters is said by many seeds: headroom replicate.",
        f"Headroom {__version__}, seed {result.seed}, {format_duration(result.until_us)} simulated, "
        f"digest {result.digest()}. The same plan, seed and version give this report again, byte for byte.",
    )
