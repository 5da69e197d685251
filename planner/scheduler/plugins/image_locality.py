"""Prefer nodes that hold the pod's images already (kube-scheduler 1.36, imagelocality)."""

import numpy as np

from planner.plan.model.scheduler import PluginName
from planner.scheduler.feasibility.resource_rules import MAX_SCORE, Ints
from planner.scheduler.interface import Rows, SchedulerContext
from planner.state.specs import PodSpec
from planner.units import MIB

LEAST_BYTES = 23 * MIB
MOST_BYTES_PER_CONTAINER = 1000 * MIB


class ImageLocality:
    """Sizes are weighted with the share of nodes that hold the image; left out where no node lists images."""

    name = PluginName.IMAGE_LOCALITY

    def __init__(self, context: SchedulerContext) -> None:
        self._context = context
        self._points: dict[tuple[str, ...], tuple[int, Ints]] = {}
        self._specs_seen = 0
        self._any_images = False

    def may_score(self, spec: PodSpec) -> bool:
        """Only pods whose images are known, where nodes list images."""
        return bool(spec.placement.images) and self._has_images()

    def uniform(self, spec: PodSpec) -> int | None:
        """Nodes differ."""
        return None

    def score(self, spec: PodSpec, rows: Rows) -> Ints | None:
        """0 to 100 by the bytes that need no pull."""
        if not spec.placement.images or not self._has_images():
            return None
        return self._by_node(spec.placement.images).take(rows)

    def _has_images(self) -> bool:
        specs = self._context.cluster.node_specs
        if self._specs_seen != len(specs):
            self._any_images = any(spec.images for spec in specs)
            self._specs_seen = len(specs)
        return self._any_images

    def _by_node(self, images: tuple[str, ...]) -> Ints:
        version = self._context.nodes_version()
        known = self._points.get(images)
        if known is None or known[0] != version:
            known = self._points[images] = (version, self._compute(images))
        return known[1]

    def _compute(self, images: tuple[str, ...]) -> Ints:
        cluster = self._context.cluster
        exists = cluster.nodes.exists
        total = int(np.count_nonzero(exists))
        sums = np.zeros(cluster.nodes.count, dtype=np.int64)
        for image in images:
            sizes = np.array([spec.images.get(image, -1) for spec in cluster.node_specs], dtype=np.int64)
            mine = sizes[cluster.nodes.spec]
            holds = exists & (mine >= 0)
            holders = holds.nonzero()[0]
            if len(holders):
                # The size that counts is the one the first node reported.
                sums[holds] += int(float(mine[holders[0]]) * (float(len(holders)) / float(total)))
        most = MOST_BYTES_PER_CONTAINER * len(images)
        kept: Ints = np.clip(sums, LEAST_BYTES, most)
        return MAX_SCORE * (kept - LEAST_BYTES) // (most - LEAST_BYTES)
