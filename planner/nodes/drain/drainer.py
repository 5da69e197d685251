"""Drains of a run: cordon a node, evict its pods through the eviction API, wait until they are gone."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.nodes.drain.drain import RETRY_US, DaemonOwner, DrainCandidate, DrainFlags, DrainVerdict, drain_list
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.nodes import DrainBegun, DrainEnded, DrainStopped
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.units import US_PER_S

POLL_US = US_PER_S


class EvictionResult(Protocol):
    """Answer of the eviction API."""

    @property
    def allowed(self) -> bool:
        """The pod is deleted."""

    @property
    def may_retry(self) -> bool:
        """Asking again later may help."""


class Evictions(Protocol):
    """The eviction API."""

    def evict(self, pod: int, by: str) -> EvictionResult:
        """Ask for the pod's deletion with its own grace period."""
        ...


@dataclass(frozen=True, slots=True)
class DrainStep:
    """A drain retries refused evictions, or checks whether its pods are gone."""

    node: int
    serial: int


@dataclass
class _Drain:
    """One drain in progress; times in microseconds."""

    node: int
    by: str
    started_us: int
    until_us: int | None
    on_end: list[Callable[[int, bool], None]]
    serial: int
    waiting: list[int] = field(default_factory=list)
    """Pods whose eviction was refused."""
    leaving: list[int] = field(default_factory=list)
    """Pods whose eviction was accepted and that are not gone yet."""
    ask_us: int = 0
    evicted: int = 0
    failed: int = 0
    """Pods that the eviction API will never let go."""


class Drainer:
    """Drains nodes, any number at a time."""

    def __init__(
        self, cluster: Cluster, events: EventQueue, evictions: Evictions, decide: Callable[[Decision], None]
    ) -> None:
        self._cluster = cluster
        self._events = events
        self._evictions = evictions
        self._decide = decide
        self._drains: dict[int, _Drain] = {}
        self._serial = 0

    def start(
        self, node: int, by: str, timeout_us: int, on_end: Callable[[int, bool], None], force: bool = True
    ) -> None:
        """Cordon a node and begin to evict; a drain under way is joined.

        `on_end(node, done)` follows; `timeout_us` 0 means for ever. Without `force` a pod that has no controller ends
        the drain before its first eviction; the node stays cordoned.
        """
        if node in self._drains:
            self._drains[node].on_end.append(on_end)
            return
        now_us = self._events.now_us
        self._cluster.set_unschedulable(node, True)
        self._serial += 1
        until_us = now_us + timeout_us if timeout_us else None
        drain = self._drains[node] = _Drain(node, by, now_us, until_us, [on_end], self._serial)
        listed = drain_list([self._view(pod) for pod in self._cluster.node_pods[node]], DrainFlags(force=force))
        if listed.blocking:
            self._stop(drain, listed.blocking)
            return
        drain.waiting = [int(pod) for pod in listed.evicted if isinstance(pod, int)]
        self._record(drain, Verdict.DRAINING, DrainBegun(len(drain.waiting), by))
        self._events.push(now_us, Phase.PLAN_ACTIONS, DrainStep(node, drain.serial))

    def on_step(self, event: DrainStep) -> None:
        """Evict what was refused, wait for what was accepted, and end when nothing is left."""
        drain = self._drains.get(event.node)
        if drain is None or drain.serial != event.serial:
            return
        now_us = self._events.now_us
        if not self._cluster.nodes.exists[event.node]:
            self._end(drain, done=True)
            return
        if drain.waiting and now_us >= drain.ask_us:
            self._ask(drain, now_us)
        drain.leaving = [pod for pod in drain.leaving if self._cluster.pods.node[pod] == drain.node]
        if not drain.waiting and not drain.leaving:
            self._end(drain, done=drain.failed == 0)
        elif drain.until_us is not None and now_us >= drain.until_us:
            self._end(drain, done=False)
        else:
            poll_us = [now_us + POLL_US] if drain.leaving else []
            asks_us = [drain.ask_us] if drain.waiting else []
            limit_us = [drain.until_us] if drain.until_us is not None else []
            self._events.push(min([*poll_us, *asks_us, *limit_us]), Phase.PLAN_ACTIONS, event)

    def _ask(self, drain: _Drain, now_us: int) -> None:
        """Ask for every pod that is left, each on its own: one that fails for good does not hold up the others."""
        refused = []
        for pod in drain.waiting:
            if self._cluster.pods.node[pod] != drain.node:
                continue
            answer = self._evictions.evict(pod, drain.by)
            if answer.allowed:
                drain.leaving.append(pod)
                drain.evicted += 1
            elif answer.may_retry:
                refused.append(pod)
            else:
                drain.failed += 1
        drain.waiting, drain.ask_us = refused, now_us + RETRY_US

    def _stop(self, drain: _Drain, blocking: Sequence[tuple[Hashable, DrainVerdict]]) -> None:
        """Nothing is evicted, because of these pods."""
        pod, verdict = blocking[0]
        assert isinstance(pod, int)
        details = DrainStopped(self._cluster.pod_name(pod), verdict.value, len(blocking), drain.by)
        self._record(drain, Verdict.REFUSED, details)
        del self._drains[drain.node]
        for on_end in drain.on_end:
            on_end(drain.node, False)

    def _end(self, drain: _Drain, done: bool) -> None:
        del self._drains[drain.node]
        took_s = (self._events.now_us - drain.started_us) / US_PER_S
        details = DrainEnded(drain.evicted, len(drain.waiting) + drain.failed, took_s, drain.by)
        self._record(drain, Verdict.DRAINED if done else Verdict.FAILED, details)
        for on_end in drain.on_end:
            on_end(drain.node, done)

    def _view(self, pod: int) -> DrainCandidate:
        cluster = self._cluster
        spec = cluster.pod_specs[cluster.pods.spec[pod]]
        deleted_us = int(cluster.pods.deletion_us[pod])
        return DrainCandidate(
            key=pod,
            daemon=DaemonOwner.EXISTS if spec.is_daemon else DaemonOwner.NONE,
            mirror=spec.scaling.is_mirror,
            owned=not spec.scaling.is_bare,
            deleting_for_us=None if deleted_us == NONE else self._events.now_us - deleted_us,
        )

    def _record(self, drain: _Drain, verdict: Verdict, details: DrainBegun | DrainEnded | DrainStopped) -> None:
        name = self._cluster.node_name(drain.node)
        self._decide(Decision(self._events.now_us, Actor.DRAIN, verdict, name, details=details))
