"""The status of a ScaledObject between polls and queries, stale writes included.

KEDA 2.18, pkg/scaling/scale_handler.go (performGetScalersCache, ClearScalersCache) and pkg/fallback/fallback.go
(updateStatus): the operator keeps a copy of the object with its scalers. Queries of the autoscaler write the whole list
of conditions from that copy when the condition Fallback changes, so that Ready and Active fall back to what they were.
"""

from dataclasses import dataclass, field, replace

from planner.keda.rules.scale_loop import UNKNOWN, KedaCondition, LoopStatus


@dataclass
class ObjectStatus:
    """What the API server has of a ScaledObject, and what the copy beside its scalers has."""

    loop: LoopStatus = LoopStatus()
    fallback: KedaCondition = UNKNOWN
    failures: dict[str, int] = field(default_factory=dict)
    """Failures in a row of each metric, as the queries of the autoscaler saw them."""
    _copy: LoopStatus | None = LoopStatus()
    """None: the scalers are to be built anew. The first are built with the autoscaler, when no condition is known."""
    _copy_is_of_loop: bool = False
    """The scale loop built the scalers: its own object is the copy and always fresh."""

    def poll_ended(self, loop: LoopStatus, has_error: bool) -> None:
        """A poll led to this. Scalers that fail are thrown away."""
        self.loop = loop
        if self._copy is None:
            self._copy_is_of_loop = True
        if has_error:
            self._copy = None
        elif self._copy_is_of_loop:
            self._copy = loop

    def query_began(self) -> None:
        """The autoscaler wants a metric: scalers are built with the object as it is if there are none."""
        if self._copy is None:
            self._copy, self._copy_is_of_loop = self.loop, False

    def query_ended(self, has_error: bool) -> None:
        """Scalers that fail are thrown away."""
        if has_error:
            self._copy = None

    def count(self, metric: str, is_failing: bool, threshold: int | None) -> None:
        """A query read a metric. `threshold`: failures that the fallback bears; None: there is no fallback.

        The condition Fallback follows the counts before this one.
        """
        before = self.failures.get(metric)
        exceeded = threshold is not None and any(count > threshold for count in self.failures.values())
        self.failures[metric] = (before or 0) + 1 if is_failing else 0
        if threshold is None:
            return
        condition = KedaCondition(exceeded, "FallbackExists" if exceeded else "NoFallbackFound")
        if condition != self.fallback and self._copy is not None:
            self.loop = replace(self.loop, ready=self._copy.ready, active=self._copy.active)
        if condition != self.fallback or self.failures[metric] != before:
            self._copy = self.loop
        self.fallback = condition
