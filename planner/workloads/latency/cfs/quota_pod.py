"""A pod under a CPU quota, and its requests."""

from dataclasses import dataclass

from planner.workloads.latency.sizes.request_sizes import RequestSizes

PERIOD_S = 0.1
"""CFS period; what Kubernetes sets (kubelet 1.36, --cpu-cfs-quota-period)."""
TICK_S = 0.004
"""Linux looks at a quota when its clock ticks, and takes from the next one what was used beyond it (CONFIG_HZ=250)."""


@dataclass(frozen=True)
class QuotaPod:
    """A pod under a quota and its requests."""

    cores: int
    """That it can use at once: of its workers, on its node."""
    quota_cores: float
    """What its limit leaves for requests; less than `cores`."""
    request_s: float
    """Mean CPU seconds of a request, on one core."""
    sizes: RequestSizes
    arrival_cv2: float
    queueing: bool
    """Requests take workers in order of arrival; else all of them share the workers."""
    tick_s: float = TICK_S
    """How late the pod stops at most when it has used its quota."""

    @property
    def quota_s(self) -> float:
        """Core-seconds of a period."""
        return self.quota_cores * PERIOD_S
