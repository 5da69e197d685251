"""How far a report can be trusted, and how to make it again."""

from planner import __version__
from planner.language.translation import tr
from planner.plan.model.plan import Plan
from planner.record.result import RunResult
from planner.units import format_duration


def statement(plan: Plan, result: RunResult) -> tuple[str, ...]:
    """Sentences about model, accuracy and origin."""
    timing = "" if plan.simulation.discrete_requests else tr(" Load is a fluid: single requests are not drawn.")
    return (
        tr(
            "Decisions of scheduler, autoscalers, disruption budgets and kubelets follow the rules "
            "of Kubernetes and of the Cluster Autoscaler 1.36, and are compared with recorded "
            "decisions of the real programs."
        ),
        tr(
            "Boot times of nodes, start times of pods, load, latency, shared CPU, failures and "
            "prices are models: as good as the numbers of the plan. Latency is computed from queues, "
            "not measured.{timing}",
            timing=timing,
        ),
        tr(
            "One run is one possible course of events. How much chance matters is said by many "
            "seeds: headroom replicate."
        ),
        tr(
            "Headroom {version}, seed {seed}, {until_us} simulated, digest {digest}. The same plan, "
            "seed and version give this report again, byte for byte.",
            version=__version__,
            seed=result.seed,
            until_us=format_duration(result.until_us),
            digest=result.digest(),
        ),
    )
