"""Numbers of the plan that change during a run."""

from typing import Literal

from planner.plan.model.events.times import Timed
from planner.plan.values.fields import DurationUs, required, setting


class PlanChangeEvent(Timed):
    """Numbers of autoscalers, pools and workloads get other values, as scheduled scaling does."""

    type: Literal["change"]
    changes: tuple[str, ...] = required(
        "Changes",
        "One a line: horizontalPodAutoscalers[web].minReplicas = 20, scaledObjects[mail].maxReplicas = 50, "
        "nodeGroups[general].minSize = 8, workloads[web].replicas = 12, karpenter.nodePools[web].limits.nodes = 20.",
        min_length=1,
        max_length=100,
    )
    duration: DurationUs = setting(
        "0s", "Duration", "Time until the plan's own values apply again; 0 means until the end.", unit="s"
    )
