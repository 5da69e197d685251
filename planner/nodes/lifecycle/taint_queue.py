"""The queue in which nodes of a zone wait for their NoExecute taint, rate-limited by a token bucket.

Source: Kubernetes 1.36, pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go.
"""

import math
from collections.abc import Callable

import numpy as np

from planner.units import US_PER_S

STOPPED_COMPARES_AS = 1.0
"""A stopped queue is compared as if its rate were this; a configured rate of exactly 1 never restarts it."""


class TokenBucket:
    """At most one token; full at the start. Rate in tokens per second, a float32; 0 never has a token."""

    def __init__(self, rate: float, full: bool = True) -> None:
        self.rate = float(np.float32(rate))
        self._tokens = 1.0 if full else 0.0
        self._last_us = 0

    @property
    def compares_as(self) -> float:
        """The rate another one is compared with."""
        return self.rate if self.rate > 0 else STOPPED_COMPARES_AS

    def take(self, now_us: int) -> bool:
        """Take a token if there is one."""
        if self.rate <= 0:
            return False
        tokens = min(1.0, self._tokens + (now_us - self._last_us) / US_PER_S * self.rate)
        if tokens < 1.0:
            return False
        self._tokens, self._last_us = tokens - 1.0, now_us
        return True

    def full_us(self, now_us: int) -> int | None:
        """When there is a token at the earliest, not before now; None: never at this rate."""
        if self.rate <= 0:
            return None
        missing = 1.0 - self._tokens
        return max(now_us, self._last_us + math.ceil(missing / self.rate * US_PER_S))

    def replaced(self, rate: float, now_us: int) -> "TokenBucket":
        """A bucket of another rate: full if this one had a token, else empty. The same rate keeps this one."""
        if float(np.float32(rate)) == self.compares_as:
            return self
        bucket = TokenBucket(rate, full=self.take(now_us))
        bucket._last_us = now_us
        return bucket


class TaintQueue:
    """Nodes of one zone in order of arrival; each is queued once until it is removed."""

    def __init__(self, rate: float) -> None:
        self._bucket = TokenBucket(rate)
        self._waiting: dict[int, None] = {}
        self._known: dict[int, None] = {}

    def add(self, node: int, again: bool = False) -> None:
        """Queue a node that was not queued since it was last removed; `again`: also one whose turn is over."""
        if again or node not in self._known:
            self._known[node] = self._waiting[node] = None

    def remove(self, node: int) -> None:
        """Forget a node."""
        self._known.pop(node, None)
        self._waiting.pop(node, None)

    def next_turn_us(self, now_us: int) -> int | None:
        """When the next node can be tainted; None if none waits or the rate is 0."""
        return self._bucket.full_us(now_us) if self._waiting else None

    def set_rate(self, rate: float, now_us: int) -> None:
        """Change the speed."""
        self._bucket = self._bucket.replaced(rate, now_us)

    def work(self, now_us: int, taint: Callable[[int], None]) -> None:
        """Taint waiting nodes while there are tokens. A token is spent even if `taint` finds nothing to do."""
        while self._waiting and self._bucket.take(now_us):
            node = next(iter(self._waiting))
            del self._waiting[node]
            taint(node)
