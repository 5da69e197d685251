"""The recommender's model and its loop: samples in, recommendations out.

Vertical Pod Autoscaler 1.8, recommender/routines/recommender.go, model/cluster.go, checkpoint/checkpoint_writer.go.
Times are microseconds since the first day of the year 1.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.vpa.recommender.aggregates import Aggregates, AggregationRules, Checkpoint, Merged
from planner.vpa.recommender.containers import Containers, MemoryRules
from planner.vpa.recommender.estimators import EstimatorRules, confidences, estimate, share_of_minimum
from planner.vpa.recommender.policies import (
    CPU,
    MEMORY,
    ContainerPolicy,
    Rounding,
    bounds_of,
    policy_of,
    rounded,
    whole_cores,
)

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
NONE = -1
"""No recommendation for a resource."""


@dataclass(frozen=True)
class RecommenderRules:
    """All flags of the recommender."""

    aggregation: AggregationRules = AggregationRules()
    estimators: EstimatorRules = EstimatorRules()
    memory: MemoryRules = MemoryRules()
    rounding: Rounding = Rounding()


class Slot(NamedTuple):
    """A container of a VPA: all of its instances, past and present, count for one recommendation."""

    vpa: int
    container: str
    policy: ContainerPolicy
    whole_cores: bool


class Recommendations(NamedTuple):
    """Amounts by slot, milli-CPU and bytes; -1: none.

    Rows: target, lower bound, upper bound, uncapped target, and the percentile of use that the target rests on.
    """

    cpu: Ints
    memory: Ints
    confidence: dict[str, Floats]
    """How much is known of each resource by slot: 1 is a day of samples, or what the flag says."""

    def of(self, resource: str) -> Ints:
        """Those of one resource."""
        return self.cpu if resource == CPU else self.memory


class PastUse(NamedTuple):
    """What the instances of a container used before they are followed, all of them alike."""

    instances: int
    cpu_us: Ints
    """Times of CPU samples."""
    cpu_milli: Ints
    samples_each: int
    """So many samples stand for each of them."""
    window_us: Ints
    """Ends of windows of memory peaks."""
    peaks: Ints
    """Bytes."""


class Recommender:
    """Everything a recommender keeps in memory."""

    def __init__(self, rules: RecommenderRules) -> None:
        self._rules = rules
        self.slots: list[Slot] = []
        self._slot_of: dict[tuple[int, str], int] = {}
        self.used: Merged | None = None
        """What the latest recommendation was made from."""
        self._begin()

    def _begin(self) -> None:
        self._aggregates = Aggregates(self._rules.aggregation)
        self._containers = Containers(self._aggregates)
        self._row_of: dict[tuple[int, Hashable], int] = {}
        self._key_of: list[tuple[int, Hashable]] = []
        self._present: dict[int, None] = {}
        """Instances that run now."""
        self._columns: _SlotColumns | None = None

    # -- what runs ----------------------------------------------------------------------------

    def slot(self, vpa: int, container: str, policies: Sequence[ContainerPolicy], cores: bool = False) -> int:
        """The number of a container of a VPA; `cores`: its CPU is recommended in whole cores."""
        found = self._slot_of.get((vpa, container))
        if found is None:
            found = self._slot_of[vpa, container] = len(self.slots)
            self.slots.append(Slot(vpa, container, policy_of(container, policies), cores))
            self._columns = None
        return found

    def start(self, slots: Sequence[int], labels: Sequence[Hashable], now_us: int) -> int:
        """Container instances appear, in pods with such sets of labels; the first of their numbers."""
        keys = list(zip(slots, labels, strict=True))
        rules = [self._memory_rules(slot) for slot in slots]
        first = self._containers.add([self._aggregate(key, now_us) for key in keys], rules)
        self._key_of += keys
        self._present.update(dict.fromkeys(range(first, first + len(keys))))
        return first

    def stop(self, instances: Iterable[int]) -> None:
        """Instances are gone; what they used still counts."""
        for instance in instances:
            self._present.pop(instance, None)

    def add_cpu(self, instances: Ints, milli: Ints, times_us: Ints, now_us: int) -> Bools:
        """CPU samples, one of each instance; which count."""
        self._renew(instances, now_us)
        return self._containers.add_cpu(instances, milli, times_us)

    def add_memory(self, instances: Ints, memory: Ints, times_us: Ints, now_us: int) -> Bools:
        """Memory samples, one of each instance; which count."""
        self._renew(instances, now_us)
        return self._containers.add_memory(instances, memory, times_us)

    def add_oom(self, instance: int, time_us: int, requested: int, now_us: int) -> bool:
        """An instance was killed for want of memory; whether that counts."""
        self._renew(np.array([instance]), now_us)
        return self._containers.add_oom(instance, time_us, requested)

    def remember(self, slot: int, labels: Hashable, past: PastUse, now_us: int) -> None:
        """What instances in pods with such a set of labels used before."""
        row = self._aggregate((slot, labels), now_us)
        cores, peaks, count = past.cpu_milli / 1000.0, past.peaks.astype(np.float64), past.instances
        self._aggregates.add_cpu(np.full(len(cores), row), cores, past.cpu_us, count * past.samples_each)
        self._aggregates.add_peaks(np.full(len(peaks), row), peaks, past.window_us, count)

    # -- the loop -----------------------------------------------------------------------------

    def merged(self) -> Merged:
        """What the containers of each slot used."""
        return self._aggregates.merged(len(self.slots))

    def slots_of(self, instances: Ints) -> Ints:
        """The slots that these instances count for."""
        return self._aggregates.slots_of(self._containers.aggregate[instances])

    def known_slots(self) -> Ints:
        """Slots of which something is known, or may be: those with an aggregate."""
        return self._aggregates.slots()

    def recommend(self) -> Recommendations:
        """Recommendations for all slots; none where the policy is off or nothing is known of the container."""
        if self._columns is None:
            self._columns = _SlotColumns.of(self.slots, self._rules.rounding)
        used, columns = self.merged(), self._columns
        self.used = used
        is_known = np.zeros(len(self.slots), np.bool_)
        is_known[self.known_slots()] = True
        is_known &= ~columns.is_off
        vpas = np.bincount(columns.vpa[is_known], minlength=int(columns.vpa.max(initial=0)) + 1)
        together = vpas[columns.vpa]
        found, confidence = dict[str, Ints](), dict[str, Floats]()
        for resource, histograms, rules in (
            (CPU, used.cpu, self._rules.estimators.cpu),
            (MEMORY, used.memory, self._rules.estimators.memory),
        ):
            values = histograms.percentiles((rules.target, rules.lower, rules.upper))
            if resource == CPU:
                values = values * 1000.0
            known = confidence[resource] = confidences(used.samples, used.first_us, used.last_us, rules.confidence_us)
            made = estimate(values, known, self._rules.estimators.margin)
            estimates = np.maximum(made.with_confidence, share_of_minimum(rules, together))
            estimates = rounded(resource, estimates, self._rules.rounding)
            found[resource] = columns.fitted(resource, estimates, made.percentile[:1], is_known)
        return Recommendations(found[CPU], found[MEMORY], confidence)

    def target_share(self, resource: str) -> float:
        """The percentile of use that targets of a resource rest on, as a share."""
        rules = self._rules.estimators
        return (rules.cpu if resource == CPU else rules.memory).target

    def collect_garbage(self, now_us: int) -> None:
        """Forget what expired; at most once an hour."""
        if not self._aggregates.is_garbage_due(now_us):
            return
        active = [self._row_of[self._key_of[one]] for one in self._present if self._key_of[one] in self._row_of]
        dropped = set(self._aggregates.collect_garbage(now_us, active))
        if dropped:
            self._row_of = {key: row for key, row in self._row_of.items() if row not in dropped}

    def restart(self, now_us: int) -> tuple[dict[int, int], dict[int, Checkpoint]]:
        """Save checkpoints, lose the memory, load them, and see the running instances as new ones.

        Their new numbers by the old ones, and what was saved by slot.
        """
        used = self.merged()
        present = np.array(list(self._present), np.int64)
        rows, peaks, ends_us = self._containers.open_peaks(present, now_us)
        for row, peak, end_us in zip(rows.tolist(), peaks.tolist(), ends_us.tolist(), strict=True):
            slot = np.array([self._key_of[row][0]])
            used.memory.subtract(slot, np.array([float(peak)]), 1.0, np.array([end_us]))
        saved = {int(slot): used.checkpoint(int(slot)) for slot in self._aggregates.slots()}
        keys = [self._key_of[one] for one in present.tolist()]
        self._begin()
        for known, checkpoint in saved.items():
            self._aggregates.load(known, checkpoint)
        first = self.start([slot for slot, _ in keys], [labels for _, labels in keys], now_us)
        return {old: first + place for place, old in enumerate(present.tolist())}, saved

    def _renew(self, instances: Ints, now_us: int) -> None:
        """Instances whose aggregate was forgotten begin another one."""
        if not self._aggregates.are_alive(self._containers.aggregate[instances]):
            for instance in instances.tolist():
                self._containers.aggregate[instance] = self._aggregate(self._key_of[instance], now_us)

    def _aggregate(self, key: tuple[int, Hashable], now_us: int) -> int:
        found = self._row_of.get(key)
        if found is None:
            found = self._row_of[key] = self._aggregates.add(key[0], self._memory_rules(key[0]).kept_us, now_us)
        return found

    def _memory_rules(self, slot: int) -> MemoryRules:
        return self.slots[slot].policy.memory or self._rules.memory


@dataclass(frozen=True)
class _SlotColumns:
    """What policies say of each slot, as columns."""

    vpa: Ints
    is_off: Bools
    whole_cores: Bools
    controlled: dict[str, Bools]
    least: dict[str, Ints]
    most: dict[str, Ints]

    @classmethod
    def of(cls, slots: Sequence[Slot], rounding: Rounding) -> "_SlotColumns":
        bounds = {name: [bounds_of(slot.policy, name, rounding) for slot in slots] for name in (CPU, MEMORY)}
        return cls(
            np.array([slot.vpa for slot in slots], np.int64),
            np.array([slot.policy.is_off for slot in slots], np.bool_),
            np.array([slot.whole_cores for slot in slots], np.bool_),
            {name: np.array([name in slot.policy.controlled for slot in slots], np.bool_) for name in (CPU, MEMORY)},
            {name: np.array([least for least, _ in known], np.int64) for name, known in bounds.items()},
            {name: np.array([most for _, most in known], np.int64) for name, known in bounds.items()},
        )

    def fitted(self, resource: str, estimates: Ints, used: Ints, is_known: Bools) -> Ints:
        """Target, lower and upper bound within what policies allow, the target before that, and the use below it."""
        if resource == CPU and self.whole_cores.any():
            estimates = np.where(self.whole_cores, whole_cores(estimates), estimates)
        capped = np.minimum(np.maximum(estimates, self.least[resource]), self.most[resource])
        return np.where(is_known & self.controlled[resource], np.vstack([capped, estimates[:1], used]), NONE)
