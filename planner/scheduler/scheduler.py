"""The scheduler as a controller: takes the next pod, decides, carries out, records."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import chain

import numpy as np

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.recorder import Recorder
from planner.scheduler.cycle import Outcome, SchedulingCycle
from planner.scheduler.interface import SchedulerContext
from planner.scheduler.node_search import NodeSearch
from planner.scheduler.plugin_names import PluginName
from planner.scheduler.plugins.node_affinity import MalformedPreference
from planner.scheduler.preemption import Budget, Candidate, Preemption, TrialMemory, preempt
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.queue import SchedulingQueue
from planner.scheduler.ties import Drawn, FirstByName, Ties
from planner.scheduler.wake_facts import waiting_pod
from planner.scheduler.wake_listener import WakeListener
from planner.state.cluster import Cluster
from planner.state.nodes import NONE

PreemptCallback = Callable[[tuple[int, ...], int, int], None]
"""(victims, preemptor, node): delete the victims gracefully, or at once where they do not run."""
BudgetSource = Callable[[], Sequence[Budget]]


class Scheduler:
    """kube-scheduler on a cluster. One pod is decided at a time; the next decision sees its place."""

    def __init__(
        self,
        cluster: Cluster,
        recorder: Recorder,
        profiles: Sequence[SchedulerProfile] = (SchedulerProfile(),),
        on_preempt: PreemptCallback | None = None,
        budgets: BudgetSource | None = None,
        generator: np.random.Generator | None = None,
    ) -> None:
        """`profiles`: in the order of the pods' `PodSpec.scheduler`. `generator` draws among equals; None: by name."""
        self._cluster = cluster
        self._recorder = recorder
        self.profiles = tuple(profiles)
        self.on_preempt = on_preempt
        self._budgets = budgets
        self.search = NodeSearch(cluster)
        self.ties: Ties = FirstByName(self.search.names) if generator is None else Drawn(generator)
        context = SchedulerContext.of(cluster, self.profiles[0])
        self.cycles = tuple(
            SchedulingCycle(cluster, profile, self.search, context, self.ties) for profile in self.profiles
        )
        self._trials = tuple(TrialMemory(cluster) for _ in self.profiles)
        # Backoffs are settings of the whole scheduler, so every profile has the same.
        self.queue = SchedulingQueue(self.profiles[0])
        self._listener = WakeListener(cluster, self.queue, self.profiles)

    def schedule_one(self) -> bool:
        """One scheduling cycle with binding or preemption; False if there is nothing to do."""
        pod = self.queue.pop()
        if pod is None:
            return False
        spec = self._cluster.pod_specs[self._cluster.pods.spec[pod]]
        try:
            outcome = self.cycles[spec.scheduler].decide(pod, knows_nomination=self._knows_nomination(pod))
        except MalformedPreference as problem:
            self._fail(pod, str(problem))
            return True
        if outcome.node != NONE:
            self._bind(pod, outcome)
        else:
            self._give_back(pod, outcome)
        return True

    def _knows_nomination(self, pod: int) -> bool:
        return self.queue.state(pod).nomination == int(self._cluster.pods.nominated[pod])

    def flush_timers(self, now_us: int) -> None:
        """The queue's timers, to be called on whole seconds."""
        self.queue.flush(now_us)

    def next_timer_us(self) -> int | None:
        """Next whole second at which `flush_timers` may matter; None if no pod waits."""
        return self.queue.next_timer_us(self._cluster.clock.now_us)

    def _bind(self, pod: int, outcome: Outcome) -> None:
        cluster = self._cluster
        figures: dict[str, float] = {"feasible": float(len(outcome.rows))}
        if outcome.totals is not None:
            figures["score"] = float(sum(outcome.scores.values()))
            for name, points in outcome.scores.items():
                figures[name] = float(points)
        self._recorder.decide(
            Decision(
                cluster.clock.now_us,
                Actor.SCHEDULER,
                Verdict.BOUND,
                cluster.pod_name(pod),
                self.search.names.name(outcome.node),
                figures=figures,
            )
        )
        cluster.bind(pod, outcome.node)

    def _give_back(self, pod: int, outcome: Outcome) -> None:
        cluster, spec = self._cluster, self._cluster.pod_specs[self._cluster.pods.spec[pod]]
        assert outcome.verdicts is not None
        nodes = len(self.search.order)
        self._recorder.decide(
            Decision(
                cluster.clock.now_us,
                Actor.SCHEDULER,
                Verdict.UNSCHEDULABLE,
                cluster.pod_name(pod),
                refused=outcome.verdicts.counts(),
                figures={"nodes": float(nodes)},
            )
        )
        found = self._preempt(outcome) if nodes else None
        cluster.mark_unschedulable(pod, _message(nodes, outcome.verdicts.counts(), found))
        refused_by = outcome.verdicts.refusing()
        if not refused_by:
            # Without nodes nobody refused, so no event could wake the pod: it is tried again like after an error.
            self.queue.failed(pod, cluster.clock.now_us)
            return
        nomination = int(cluster.pods.nominated[pod])
        waiting = waiting_pod(spec, refused_by, self.profiles[spec.scheduler])
        self.queue.refused(pod, cluster.clock.now_us, waiting, nomination=nomination)
        if found is not None and found.eligible:
            self._carry_out(pod, found)

    def _fail(self, pod: int, problem: str) -> None:
        now_us, name = self._cluster.clock.now_us, self._cluster.pod_name(pod)
        details = {"problem": problem}
        self._recorder.decide(Decision(now_us, Actor.SCHEDULER, Verdict.FAILED, name, details=details))
        self.queue.failed(pod, now_us)

    def _preempt(self, outcome: Outcome) -> Preemption | None:
        assert outcome.prepared is not None and outcome.verdicts is not None
        profile = self.profiles[outcome.prepared.spec.scheduler]
        if PluginName.DEFAULT_PREEMPTION in profile.disabled:
            return None
        budgets = self._budgets() if self._budgets is not None else ()
        order = self.search.order.rows
        offset = self.ties.offset(len(order))
        memory = self._trials[outcome.prepared.spec.scheduler]
        return preempt(self._cluster, profile, outcome.prepared, outcome.verdicts, order, budgets, offset, memory)

    def _carry_out(self, pod: int, found: Preemption) -> None:
        cluster = self._cluster
        if not found.best:
            cluster.clear_nomination(pod)
            return
        node = self.ties.choose(np.array([candidate.node for candidate in found.best]))
        chosen: Candidate = next(candidate for candidate in found.best if candidate.node == node)
        for other in list(cluster.nominated_pods.get(chosen.node, ())):
            if cluster.pods.priority[other] < cluster.pods.priority[pod]:
                cluster.clear_nomination(other)
        cluster.nominate(pod, chosen.node)
        name, place = cluster.pod_name(pod), self.search.names.name(chosen.node)
        now_us = cluster.clock.now_us
        figures = {"victims": float(len(chosen.victims)), "candidates": float(len(found.candidates))}
        self._recorder.decide(Decision(now_us, Actor.SCHEDULER, Verdict.NOMINATED, name, place, figures=figures))
        victims = tuple(victim for victim in chosen.victims if cluster.pods.deletion_us[victim] == NONE)
        for victim in victims:
            details = {"preemptor": name}
            victim_name = cluster.pod_name(victim)
            self._recorder.decide(
                Decision(now_us, Actor.SCHEDULER, Verdict.PREEMPTED, victim_name, place, details=details)
            )
        if self.on_preempt is not None:
            self.on_preempt(victims, pod, chosen.node)


def _message(nodes: int, counts: Mapping[str, int], found: Preemption | None) -> Hashable:
    """What tells the message of a refusal from another one: nodes, reasons, and what preemption found."""
    tried: Hashable = None
    if found is not None and not found.best:
        tried = found.message, tuple(sorted(Counter(chain.from_iterable(found.rejected.values())).items()))
    return nodes, tuple(sorted(counts.items())), tried
