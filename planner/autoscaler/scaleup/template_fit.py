"""Whether a new node of a group would take a pod, and if not, why."""

from collections.abc import Callable

import numpy as np

from planner.autoscaler.round_robin import pod_amounts
from planner.autoscaler.templates import GroupTemplate
from planner.scheduler.reasons import insufficient
from planner.state.resources import PODS, ResourceAxis
from planner.state.specs import PodSpec


def rejection_reasons(
    spec: PodSpec, template: GroupTemplate, axis: ResourceAxis, refusal: Callable[[PodSpec, GroupTemplate], str | None]
) -> tuple[str, ...]:
    """The scheduler's reasons against the pod on a new node; empty when it fits.

    A refusal that does not depend on free room comes alone, because the filters before it end the check.
    """
    static = refusal(spec, template)
    if static is not None:
        return (static,)
    need = pod_amounts(spec.request)
    short = np.flatnonzero((need > template.free) & (need > 0)).tolist()
    # The scheduler counts pods before it looks at the other resources.
    short.sort(key=lambda column: column != PODS)
    return tuple(insufficient(axis.names[column]) for column in short)
