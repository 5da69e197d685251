"""The way from the CPU of a pod to the figure that an autoscaler reads: kubelet, scraper, and what it makes of both.

A kubelet samples a container at the start and then at distances of one to two times its interval (cAdvisor,
manager/container.go, with the jitter factor 1.0). A scraper reads the newest sample of every pod at its own times.
"""

from collections import deque
from typing import NamedTuple, Protocol


class Sample(NamedTuple):
    """A counter of CPU at a moment, microseconds."""

    at_us: int
    spent_us: int


class Figure(NamedTuple):
    """Mean use over a window that ends at a moment; a share of one core."""

    use: float
    at_us: int
    window_us: int


class Scraper(Protocol):
    """One pod's part in a metrics pipeline."""

    def scrape(self, now_us: int, newest: Sample) -> None:
        """The newest sample of the kubelet is collected."""

    def figure(self, now_us: int) -> Figure | None:
        """What an autoscaler reads now."""


class PrometheusRate:
    """`rate()` over a range that ends at the query, extrapolated to its ends (Prometheus 3, promql/functions.go).

    The adapter cuts the figure to whole milli-CPU (prometheus-adapter, pkg/resourceprovider/provider.go).
    """

    def __init__(self, range_us: int) -> None:
        self._range_us = range_us
        self._samples: deque[Sample] = deque()

    def scrape(self, now_us: int, newest: Sample) -> None:
        """The time of a sample is that of its scrape (kube-prometheus, `honorTimestamps: false`)."""
        self._samples.append(Sample(now_us, newest.spent_us))

    def figure(self, now_us: int) -> Figure | None:
        """Needs two samples within the range."""
        begin_us = now_us - self._range_us
        while self._samples and self._samples[0].at_us <= begin_us:
            self._samples.popleft()
        if len(self._samples) < 2:
            return None
        first, last = self._samples[0], self._samples[-1]
        sampled, increase = last.at_us - first.at_us, last.spent_us - first.spent_us
        apart = sampled / (len(self._samples) - 1)
        before: float = first.at_us - begin_us
        after: float = now_us - last.at_us
        before = before if before < 1.1 * apart else apart / 2
        after = after if after < 1.1 * apart else apart / 2
        if increase > 0:
            before = min(before, sampled * first.spent_us / increase)
        use = increase * (sampled + before + after) / sampled / self._range_us
        return Figure(int(1000 * use) / 1000, now_us, self._range_us)


class MetricsServer:
    """The mean between the two newest samples that were collected (metrics-server, pkg/storage/pod.go)."""

    _FRESH_US = 10_000_000

    def __init__(self, start_us: int, resolution_us: int) -> None:
        self._start_us, self._resolution_us = start_us, resolution_us
        self._last: Sample | None = None
        self._before: Sample | None = None

    def scrape(self, now_us: int, newest: Sample) -> None:
        """A container younger than the resolution is measured from its start."""
        age_us = newest.at_us - self._start_us
        if self._FRESH_US <= age_us < self._resolution_us:
            self._before = Sample(self._start_us, 0)
        elif self._last is not None and newest.at_us > self._last.at_us:
            self._before = self._last
        self._last = newest

    def figure(self, now_us: int) -> Figure | None:
        """That of the last scrape, whatever its age."""
        if self._last is None or self._before is None or self._before.at_us >= self._last.at_us:
            return None
        window_us = self._last.at_us - self._before.at_us
        return Figure((self._last.spent_us - self._before.spent_us) / window_us, self._last.at_us, window_us)
