"""Pods with one worker each under a CFS quota; requests are served in order of arrival."""

from collections import deque

PERIOD_US = 100_000
"""cpu.cfs_period_us of the kubelet."""


class Pod:
    """A worker runs at full speed until the quota of the period is used up, and goes on in the next period."""

    def __init__(self, start_us: int, ready_us: int, quota_us: int, offset_us: int) -> None:
        """`quota_us`: CPU in each period; `offset_us`: where in a period of its own the clock's zero falls."""
        self.start_us, self.ready_us = start_us, ready_us
        self.stopping_us: int | None = None
        self.spent_us = 0
        """CPU used since the start."""
        self.served = 0
        self.waiting: deque[tuple[int, int]] = deque()
        """Arrival and work of requests that were not begun."""
        self.left_us = 0
        """Work left of the request in service."""
        self._quota_us, self._offset_us = quota_us, offset_us
        self._now_us = start_us
        self._period, self._unused_us = -1, quota_us

    @property
    def held(self) -> int:
        """Requests at the pod."""
        return len(self.waiting) + (self.left_us > 0)

    def take(self, now_us: int, work_us: int) -> None:
        """A request arrives; after all that arrived before."""
        self.waiting.append((now_us, work_us))

    def run_until(self, end_us: int) -> None:
        """Work up to this moment."""
        while self._now_us < end_us:
            if not self.left_us:
                if not self.waiting or self.waiting[0][0] >= end_us:
                    break
                arrived_us, self.left_us = self.waiting.popleft()
                self._now_us = max(self._now_us, arrived_us)
            self._work(end_us)

    def _work(self, end_us: int) -> None:
        """Work on one request: within the present period, or through as many whole periods as it takes."""
        period, into_us = divmod(self._now_us + self._offset_us, PERIOD_US)
        if period != self._period:
            self._period, self._unused_us = period, self._quota_us
        rest_us = min(PERIOD_US - into_us, end_us - self._now_us)
        if not self._unused_us:
            self._now_us += rest_us
            return
        whole = min((self.left_us - 1) // self._quota_us, (end_us - self._now_us) // PERIOD_US) if not into_us else 0
        if whole > 0 and self._unused_us == self._quota_us:
            self._spend(whole * self._quota_us)
            self._now_us += whole * PERIOD_US
            return
        slice_us = min(self.left_us, self._unused_us, rest_us)
        self._spend(slice_us)
        self._unused_us -= slice_us
        self._now_us += slice_us

    def _spend(self, work_us: int) -> None:
        self.spent_us += work_us
        self.left_us -= work_us
        self.served += not self.left_us
