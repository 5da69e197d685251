"""Whether a new node of a group has room for a pod, and if not, what it lacks."""

import numpy as np

from planner.autoscaler.groups.templates import GroupTemplate
from planner.autoscaler.snapshot.round_robin import pod_amounts
from planner.scheduler.reasons import insufficient
from planner.state.resources import PODS, ResourceAxis
from planner.state.specs import PodSpec


def room_reasons(spec: PodSpec, template: GroupTemplate, axis: ResourceAxis) -> tuple[str, ...]:
    """The scheduler's reasons against the pod on an empty new node; none when it has room."""
    need = pod_amounts(spec.request)
    short = np.flatnonzero((need > template.free) & (need > 0)).tolist()
    # The scheduler counts pods before it looks at the other resources.
    short.sort(key=lambda column: column != PODS)
    return tuple(insufficient(axis.names[column]) for column in short)
