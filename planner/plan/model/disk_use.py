"""What disk space the pods of a workload really use: logs, writable layers and emptyDir volumes together."""

from planner.plan.values.fields import DurationUs, MemoryBytes, PlanModel, setting


class DiskUse(PlanModel):
    """Use of a pod's scratch space: what it starts with, and how it grows until the pod is gone."""

    start: MemoryBytes = setting(0, "At start", "Scratch space of a fresh pod.", unit="bytes")
    growth_per_hour: MemoryBytes = setting(0, "Growth", "What logs and files add in an hour.", unit="bytes/h")
    growth_from: DurationUs = setting("0s", "Grows from", "Time of the run before which nothing grows.", unit="s")
