"""One loop of the updater over the pods of one VPA.

Vertical Pod Autoscaler 1.8, updater/logic/updater.go and updater/restriction/pods_eviction_restriction.go.
"""

from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from planner.vpa.admission.capping import ContainerResources, Recommendation, capped
from planner.vpa.admission.limit_ranges import NamespaceLimits
from planner.vpa.admission.webhook import settings_of
from planner.vpa.recommender.policies import ContainerPolicy, policy_of
from planner.vpa.updater.groups import Group, GroupRules, group_of
from planner.vpa.updater.in_place import InPlace, ResizeState, is_lower, is_patch, may_evict_resizing, while_resizing
from planner.vpa.updater.live_pod import LivePod
from planner.vpa.updater.priority import (
    PodFacts,
    PriorityRules,
    Requirement,
    UpdatePriority,
    in_order,
    is_admitted,
    is_worth_it,
    priority_of,
)
from planner.vpa.updater.rate_limit import RateLimit

_US_PER_S = 1_000_000
_NO_RESIZE = ResizeState.NONE  # looking up a member of an enum costs a call in Python 3.11


class UpdateMode(StrEnum):
    """What a VPA does with pods."""

    OFF = "Off"
    INITIAL = "Initial"
    RECREATE = "Recreate"
    IN_PLACE_OR_RECREATE = "InPlaceOrRecreate"
    IN_PLACE = "InPlace"

    @property
    def resizes(self) -> bool:
        """Whether it resizes running pods in place."""
        return self in (UpdateMode.IN_PLACE, UpdateMode.IN_PLACE_OR_RECREATE)


@dataclass(frozen=True)
class UpdaterRules:
    """All flags of the updater."""

    interval_us: int = 60 * _US_PER_S
    priority: PriorityRules = PriorityRules()
    groups: GroupRules = GroupRules()


@dataclass(frozen=True)
class VpaSpec:
    """What counts of a VPA."""

    mode: UpdateMode
    policies: Sequence[ContainerPolicy] = ()
    min_replicas: int | None = None
    requirements: Sequence[Requirement] | None = ()
    """None: it has no update policy."""
    recommendation: Recommendation | None = None
    limits: NamespaceLimits = NamespaceLimits()
    """Of its namespace."""


class ResizeAnswer(StrEnum):
    """What the API says to a resize."""

    DONE = "done"
    INFEASIBLE = "infeasible"
    REFUSED = "refused"


class Hands(Protocol):
    """What the updater can do to pods."""

    def evict(self, pod: LivePod) -> bool:
        """Evict a pod; whether the API did."""

    def resize(self, pod: LivePod, settings: Sequence[ContainerResources]) -> ResizeAnswer:
        """Set requests and limits of a running pod."""


@dataclass
class UpdaterMemory:
    """What the updater keeps between its loops."""

    rate: RateLimit = field(default_factory=RateLimit)
    """Of evictions."""
    resize_rate: RateLimit = field(default_factory=RateLimit)
    """Of resizes: the same rate, counted apart."""
    resizing_us: dict[Hashable, int] = field(default_factory=dict)
    """When a pod was first seen in the middle of a resize, by `LivePod.key`: one that follows it inherits that."""
    tried: dict[Hashable, Recommendation] = field(default_factory=dict)
    """Recommendations that a node could not satisfy, by `LivePod.id`."""


class UpdaterLoop:
    """One loop, VPA after VPA. Where it waits for a rate limit, the next pod has its turn at `due_us`, by `go_on`."""

    def __init__(self, rules: UpdaterRules, memory: UpdaterMemory, hands: Hands, now_us: int) -> None:
        self._rules, self._memory, self._hands = rules, memory, hands
        self.now_us = now_us
        self._deadline_us = now_us + rules.interval_us
        self.is_over = False
        """The loop reached its deadline."""
        self.due_us: int | None = None
        """When the resize or eviction comes that waits; the pods after it come behind."""
        self._to_resize: deque[LivePod] = deque()
        self._to_evict: deque[LivePod] = deque()
        self._groups: dict[Hashable | None, Group] = {}
        self._vpa = VpaSpec(UpdateMode.OFF)
        """All of the VPA that is updated now."""
        self._fitted: dict[int, Recommendation] = {}
        """Of the VPA that is updated now, by what pods have: those of one template share it."""
        self._priorities: dict[tuple[int, frozenset[str] | None], UpdatePriority] = {}
        """Likewise, and by which containers count."""

    def update(
        self, vpa: VpaSpec, pods: Sequence[LivePod], configured_of: Callable[[Hashable, int], int | None]
    ) -> None:
        """Evict or resize pods of a VPA. `configured_of`: replicas of a controller with so many live pods."""
        self._fitted, self._priorities = {}, {}
        self._vpa, self._groups = vpa, self._grouped(vpa, pods, configured_of)
        chosen = self._chosen(vpa, pods, self._groups)
        (self._to_resize if vpa.mode.resizes else self._to_evict).extend(chosen)
        self._in_turn()

    def go_on(self) -> None:
        """It is `due_us`: it is the turn of the pod that waited, and of those behind it until one has to wait."""
        assert self.due_us is not None
        self.now_us, self.due_us = self.due_us, None
        self._fitted, self._priorities = {}, {}  # a run that was copied meanwhile knows the pods by other keys
        if self._to_resize:
            self._resize(self._to_resize.popleft())
        else:
            self._evict(self._to_evict.popleft())
        self._in_turn()

    def _in_turn(self) -> None:
        """All resizes come before the first eviction."""
        while self._to_resize:
            if not self._is_to_resize(self._to_resize[0]):
                self._to_resize.popleft()
            elif self._has_turn(self._memory.resize_rate):
                self._resize(self._to_resize.popleft())
            else:
                return
        while self._to_evict:
            if not self._can_evict(self._to_evict[0], self._groups):
                self._to_evict.popleft()
            elif self._has_turn(self._memory.rate):
                self._evict(self._to_evict.popleft())
            else:
                return

    def _has_turn(self, rate: RateLimit) -> bool:
        """Whether the next pod has its turn now. Otherwise the loop waits, or is over if that would be too long."""
        wait_s = rate.wait_s(self.now_us / _US_PER_S, self._deadline_us / _US_PER_S)
        if wait_s is None:
            self.is_over = True
        elif wait_s > 0.0:
            self.due_us = self.now_us + round(wait_s * _US_PER_S)
        return wait_s == 0.0

    def _evict(self, pod: LivePod) -> None:
        if self._hands.evict(pod) and not pod.is_pending:
            self._groups[pod.group].evicted += 1

    def _grouped(
        self, vpa: VpaSpec, pods: Sequence[LivePod], configured_of: Callable[[Hashable, int], int | None]
    ) -> dict[Hashable | None, Group]:
        live: dict[Hashable, int] = {}
        pending: dict[Hashable, int] = {}
        for pod in pods:
            if pod.group is not None:
                live[pod.group] = live.get(pod.group, 0) + 1
                pending[pod.group] = pending.get(pod.group, 0) + pod.is_pending
        rules, minimum = self._rules.groups, vpa.min_replicas
        found: dict[Hashable | None, Group] = {}
        for name, count in live.items():
            configured = configured_of(name, count)
            group = group_of(count, pending[name], configured, rules, minimum, vpa.mode.resizes)
            if group is not None:
                found[name] = group
        return found

    def _chosen(self, vpa: VpaSpec, pods: Sequence[LivePod], groups: Mapping[Hashable | None, Group]) -> list[LivePod]:
        """Pods to update, in order."""
        kinds = {id(pod.facts.containers): pod.facts.containers for pod in pods}.values()
        off = {one.name for containers in kinds for one in containers if policy_of(one.name, vpa.policies).is_off}
        resizes, never_evicts = vpa.mode.resizes, vpa.mode is UpdateMode.IN_PLACE
        found, priorities = [], []
        for pod in pods:
            if resizes:
                decision = self._in_place(vpa, pod, groups)
                if decision is InPlace.SKIP or (decision is InPlace.WAIT and not never_evicts):
                    continue
            elif not self._can_evict(pod, groups):
                continue
            fitted = self.fitted(vpa, pod)
            tried = self._memory.tried.get(pod.id) if never_evicts else None
            if tried is not None and not is_lower(fitted, tried):
                continue
            priority = self._priority(pod.facts, fitted)
            if is_worth_it(pod.facts, priority, off, self._rules.priority, self.now_us):
                found.append((pod, fitted))
                priorities.append(priority)
        ordered = [found[at] for at in in_order(priorities)]
        return [pod for pod, fitted in ordered if is_admitted(pod.facts, fitted, vpa.requirements)]

    def fitted(self, vpa: VpaSpec, pod: LivePod) -> Recommendation:
        """The recommendation of the VPA that is updated now for one of its pods."""
        key = id(pod.facts.containers)
        if key not in self._fitted:
            self._fitted[key] = capped(pod.facts.containers, vpa.recommendation or {}, vpa.policies, vpa.limits)
        return self._fitted[key]

    def _priority(self, facts: PodFacts, fitted: Recommendation) -> UpdatePriority:
        """How urgent the VPA that is updated now finds a pod; those of one template share it."""
        key = id(facts.containers), facts.observed
        if key not in self._priorities:
            self._priorities[key] = priority_of(facts, fitted)
        return self._priorities[key]

    def _is_to_resize(self, pod: LivePod) -> bool:
        """Whether that is the decision now; a pod that is to be evicted instead is put behind those that are."""
        vpa, never_evicts = self._vpa, self._vpa.mode is UpdateMode.IN_PLACE
        decision = self._in_place(vpa, pod, self._groups)
        if decision is InPlace.EVICT:
            self._to_evict.append(pod)
        if decision in (InPlace.EVICT, InPlace.SKIP) or (decision is InPlace.WAIT and not never_evicts):
            return False
        if decision is InPlace.RETRY:
            self._memory.tried[pod.id] = vpa.recommendation or {}
        return True

    def _resize(self, pod: LivePod) -> None:
        """Resize a pod, or have it evicted where the API refuses that."""
        vpa, never_evicts = self._vpa, self._vpa.mode is UpdateMode.IN_PLACE
        group = self._groups.get(pod.group)
        if group is None:
            return
        settings = settings_of(pod.facts.containers, self.fitted(vpa, pod), vpa.policies, vpa.limits)
        answer = self._hands.resize(pod, settings) if is_patch(pod.facts.containers, settings) else ResizeAnswer.REFUSED
        if answer is ResizeAnswer.DONE:
            group.resized += 1
        elif not never_evicts:
            self._to_evict.append(pod)
        elif answer is ResizeAnswer.INFEASIBLE:
            self._memory.tried[pod.id] = vpa.recommendation or {}

    def _in_place(self, vpa: VpaSpec, pod: LivePod, groups: Mapping[Hashable | None, Group]) -> InPlace:
        group = groups.get(pod.group)
        if group is None or pod.is_pending or vpa.recommendation is None:
            return InPlace.WAIT
        tried = self._memory.tried.get(pod.id) if vpa.mode is UpdateMode.IN_PLACE else None
        if tried is not None and not is_lower(vpa.recommendation, tried):
            return InPlace.SKIP
        if pod.resize is not ResizeState.NONE:
            never_evicts = vpa.mode is UpdateMode.IN_PLACE
            may_evict = not never_evicts and self._may_evict_resizing(pod, group)
            return while_resizing(pod.resize, never_evicts, may_evict)
        if self._rules.groups.resizes_skip_budget and not pod.restarts_on_resize:
            return InPlace.RESIZE
        return InPlace.RESIZE if group.is_disruptable() else InPlace.WAIT

    def _can_evict(self, pod: LivePod, groups: Mapping[Hashable | None, Group]) -> bool:
        group = groups.get(pod.group)
        if group is None or pod.is_pending:
            return group is not None
        if group.below_minimum:
            return False
        if pod.resize is not _NO_RESIZE:
            return self._may_evict_resizing(pod, group)
        return group.is_disruptable()

    def _may_evict_resizing(self, pod: LivePod, group: Group) -> bool:
        seen_us = self._memory.resizing_us.setdefault(pod.key, self.now_us)
        return may_evict_resizing(pod.resize, seen_us, self.now_us, group)
