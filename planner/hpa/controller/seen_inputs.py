"""What autoscalers have seen at their last evaluation of pods, samples and series."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.hpa.controller.tracked import TrackedAutoscaler
from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.state.cluster import Cluster

Bools = NDArray[np.bool_]


class SeenInputs:
    """Tells whose inputs have changed since they were last asked about."""

    def __init__(
        self,
        cluster: Cluster,
        samples: UsageSamples,
        autoscalers: Sequence[TrackedAutoscaler],
        workloads: NDArray[np.int64],
    ) -> None:
        """`workloads`: the row of each autoscaler's workload."""
        self._cluster = cluster
        self._samples = samples
        self._workloads = workloads
        self._with_series = [(index, hpa) for index, hpa in enumerate(autoscalers) if hpa.reader.reads_series]

    def unchanged(self, rest: Bools, exists: Bools, now_us: int) -> Bools:
        """Which of the autoscalers at rest find the inputs of their last evaluation; `exists`: which there are now."""
        if not self._with_series and not np.count_nonzero(rest):
            return rest
        changed: Bools = np.zeros(self._cluster.workloads.count, np.bool_)
        changed[self._cluster.pods.workload[self._samples.take_changed()]] = True
        unchanged: Bools = np.asarray(rest & ~changed[self._workloads], np.bool_)
        for index, hpa in self._with_series:
            if not exists[index]:
                continue
            values = hpa.reader.series_values(now_us)
            unchanged[index] &= values == hpa.seen_series
            hpa.seen_series = values
        return unchanged
