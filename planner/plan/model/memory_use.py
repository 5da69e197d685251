"""What memory the pods of a workload really use."""

from planner.plan.values.fields import DurationUs, MemoryBytes, PlanModel, setting


class MemoryUse(PlanModel):
    """Working set of a pod: its start value, its growth until the container restarts, and what requests add."""

    start: MemoryBytes | None = setting(
        None, "At start", "Working set of a fresh pod; empty means 80 % of its request, or 100Mi.", unit="bytes"
    )
    growth_per_hour: MemoryBytes = setting(0, "Growth", "What a leak adds per hour.", unit="bytes/h")
    growth_from: DurationUs = setting("0s", "Grows from", "Time of the run at which growth begins.", unit="s")
    spread: float = setting(
        0.0, "Spread", "Standard deviation between pods divided by the mean (log-normal).", ge=0, le=3
    )
    per_in_flight_request: MemoryBytes = setting(
        0, "Per request", "What each request adds while it is in flight.", unit="bytes"
    )
    active_file: MemoryBytes = setting(
        0,
        "Page cache",
        "Files kept in memory: they count as used up to the limit but never cause a kill.",
        unit="bytes",
    )
