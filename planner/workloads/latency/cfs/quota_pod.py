"""A pod under a CPU quota, and its requests."""

from dataclasses import dataclass
from functools import lru_cache

from planner.workloads.latency.cfs.executed_work import Requests
from planner.workloads.latency.cfs.quota_backlog import Backlog, FreePod, backlog_of, free_pod
from planner.workloads.latency.request_sizes import RequestSizes

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

    @property
    def left_of_one_s(self) -> float:
        """What is left of a request under way on average, in seconds of a core."""
        return 0.5 * self.sizes.second_moment * self.request_s

    def free(self, load: float) -> FreePod:
        """The pod without its quota at a load, relative to the quota."""
        busy = load * self.quota_cores
        return free_pod(self.cores, busy, self.request_s, self.sizes.second_moment, self.arrival_cv2)

    def requests(self, load: float) -> Requests:
        """What it executes at that load."""
        return Requests(load * self.quota_cores / self.request_s, self.request_s, self.sizes, self.arrival_cv2)

    @lru_cache(maxsize=1)  # noqa: B019 - one backlog is looked at from two sides
    def backlog(self, load: float) -> Backlog:
        """What periods leave over at that load."""
        return backlog_of(self.free(load), self.requests(load), self.cores, self.quota_s, PERIOD_S)
