"""The latest CPU and memory sample of every container, as the resource metrics API returns it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.hpa.metrics.container_use import Floats, Ints, part_of, use_of_parts
from planner.hpa.metrics.metrics_pipeline import NEVER_US, UsageSamples
from planner.state.cluster import Cluster
from planner.state.specs import ContainerRole


class ContainerSamples:
    """Reads samples of the main containers of pods, by the place of the container in its pod."""

    def __init__(self, cluster: Cluster, samples: UsageSamples) -> None:
        self._cluster, self._samples = cluster, samples
        self._columns: dict[int, _Parts] = {}

    def have_sample(self, pods: Ints, now_us: int) -> NDArray[np.bool_]:
        """Which of these pod rows have a sample now."""
        self._samples.advance(now_us)
        self._samples.reserve(self._cluster.pods.count)
        return np.asarray(self._samples.time_us[pods] != NEVER_US, np.bool_)

    def times_us(self, pods: Ints) -> Ints:
        """When the samples of these pods were taken."""
        return np.asarray(self._samples.time_us[pods], np.int64)

    def cpu_milli(self, pods: Ints, place: int) -> Ints:
        """CPU use of the container at a place of each of these pods."""
        parts = self._parts(place)
        if parts.are_whole:
            return np.asarray(self._samples.usage_milli[pods], np.int64)
        spec = self._cluster.pods.spec[pods]
        return use_of_parts(
            self._samples.usage_milli[pods], parts.constant[spec], parts.pod_constant[spec], parts.share[spec]
        )

    def memory(self, pods: Ints, place: int) -> Ints:
        """Working sets of the containers at a place, bytes."""
        return self._samples.memory_of(pods, place)

    def _parts(self, place: int) -> "_Parts":
        specs, known = self._cluster.pod_specs, self._columns.get(place)
        if known is None or len(known.share) < len(specs):
            known = self._columns[place] = self._read(place)
        return known

    def _read(self, place: int) -> "_Parts":
        """The columns with the templates that came since."""
        known = self._columns.get(place)
        first = 0 if known is None else len(known.share)
        specs = self._cluster.pod_specs[first:]
        parts = []
        for spec in specs:
            main = [one for one in spec.running.containers if one.role is ContainerRole.MAIN]
            parts.append(part_of(spec, main[place].name) if place < len(main) else None)
        constant = np.array([0 if part is None else part.constant for part in parts], np.int64)
        together = np.array([0 if part is None else part.pod_constant for part in parts], np.int64)
        share = np.array([0.0 if part is None else part.share for part in parts])
        if known is None:
            return _Parts.of(constant, together, share)
        return _Parts.of(
            np.concatenate([known.constant, constant]),
            np.concatenate([known.pod_constant, together]),
            np.concatenate([known.share, share]),
        )


class _Parts(NamedTuple):
    """By template: constant use of the container and of its pod, and its share of the rest."""

    constant: Ints
    pod_constant: Ints
    share: Floats
    are_whole: bool
    """Whether the container has all that its pod uses, in every template."""

    @classmethod
    def of(cls, constant: Ints, pod_constant: Ints, share: Floats) -> "_Parts":
        """The columns of all templates."""
        return cls(constant, pod_constant, share, not pod_constant.any() and bool((share == 1.0).all()))
