"""What disk space the pods of a workload really use: logs, writable layers and emptyDir volumes together."""

from planner.plan.values.fields import DurationUs, MemoryBytes, PlanModel, setting


class DiskUse(PlanModel):
    """A pod's use of scratch space: its start value and its growth until the pod is gone."""

    start: MemoryBytes = setting(0, "At start", "Scratch space of a fresh pod.", unit="bytes")
    growth_per_hour: MemoryBytes = setting(0, "Growth", "What logs and files add per hour.", unit="bytes/h")
    growth_from: DurationUs = setting("0s", "Grows from", "Time of the run at which growth begins.", unit="s")
