"""Back-off of node groups whose scale-up failed.

Source: Cluster Autoscaler 1.36.1, utils/backoff/exponential_backoff.go.
"""

from dataclasses import dataclass

from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings


@dataclass(frozen=True, slots=True)
class _Failure:
    duration_us: int
    until_us: int
    failed_us: int
    cause: str


class NodeGroupBackoff:
    """Which node groups are left alone, and until when.

    Cluster Autoscaler 1.36.1, utils/backoff/exponential_backoff.go. A success does not end a back-off.
    """

    def __init__(self, initial_us: int, max_us: int, reset_us: int) -> None:
        self._initial_us = initial_us
        self._max_us = max_us
        self._reset_us = reset_us
        self._failures: dict[int, _Failure] = {}

    @classmethod
    def from_settings(cls, settings: ClusterAutoscalerSettings) -> "NodeGroupBackoff":
        """An empty state with the durations of the plan."""
        return cls(
            settings.initial_node_group_backoff_duration,
            settings.max_node_group_backoff_duration,
            settings.node_group_backoff_reset_timeout,
        )

    def fail(self, group: int, now_us: int, cause: str = "") -> int:
        """Note a failure of the group and what it was; the end of its back-off.

        The duration doubles only when the last window is over: several requests that fail together
        count as one.
        """
        last = self._failures.get(group)
        if last is None:
            duration_us = self._initial_us
        elif last.until_us < now_us:
            duration_us = min(2 * last.duration_us, self._max_us)
        else:
            duration_us = last.duration_us
        self._failures[group] = _Failure(duration_us, now_us + duration_us, now_us, cause)
        return now_us + duration_us

    def is_backed_off(self, group: int, now_us: int) -> bool:
        """True up to and including the end of the window."""
        failure = self._failures.get(group)
        return failure is not None and now_us <= failure.until_us

    def cause(self, group: int) -> str:
        """What failed last; empty when no failure is remembered."""
        failure = self._failures.get(group)
        return "" if failure is None else failure.cause

    def until_us(self, group: int) -> int | None:
        """End of the group's last window; None when no failure is remembered."""
        failure = self._failures.get(group)
        return None if failure is None else failure.until_us

    def moments_us(self) -> list[int]:
        """When a window will be over, and when a failure will be forgotten, which ends its window too."""
        failures = self._failures.values()
        return [at_us + 1 for each in failures for at_us in (each.until_us, each.failed_us + self._reset_us)]

    def forget_stale(self, now_us: int) -> None:
        """Forget failures older than the reset timeout; done at the start of every loop."""
        self._failures = {
            group: failure for group, failure in self._failures.items() if failure.failed_us + self._reset_us >= now_us
        }
