"""Hints on proportional autoscalers."""

from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.derived.fits import pod_cpu_milli
from planner.plan.derived.reserves import resolved_reserve
from planner.plan.hints.hint import Hint
from planner.plan.model.autoscalers.proportional_autoscaler import LinearMode
from planner.plan.model.plan import Plan


def proportional_hints(plan: Plan) -> Iterator[Hint]:
    """In the order of the file."""
    reserves = {reserve.name: resolved_reserve(plan, reserve) for reserve in plan.overprovisioning}
    for index, known in enumerate(plan.proportional_autoscalers):
        mode, where = known.mode, f"proportionalAutoscalers[{index}]"
        if not isinstance(mode, LinearMode):
            continue
        if mode.prevent_single_point_failure and mode.max == 1:
            text = tr("With more than one node there are 2 replicas anyway, because the maximum is applied first.")
            yield Hint(f"{where}.mode.max", text, tr("Raise it to 2 or switch off preventSinglePointFailure."))
        for position, name in enumerate(known.targets):
            request = pod_cpu_milli(reserves[name].pod) if name in reserves else 0
            share = request / 1000 / mode.cores_per_replica if mode.cores_per_replica else 0.0
            if share >= 1.0 and not mode.max:
                cores = mode.cores_per_replica
                text = tr(
                    "Each replica requests {request:g} cores, and there is one for every {cores:g} cores.",
                    request=request / 1000,
                    cores=cores,
                )
                remedy = tr("New nodes bring more pause pods than they can hold, without end. Raise coresPerReplica.")
                yield Hint(f"{where}.targets[{position}]", text, remedy)
