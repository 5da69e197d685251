"""The scheduler as a controller: takes the next pod, decides, acts on the decision and records it."""

from collections.abc import Callable, Hashable, Sequence
from functools import partial

import numpy as np

from planner.engine.draws import Draws
from planner.plan.model.scheduler import PluginName
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.scheduling import SchedulingError, Unschedulable
from planner.record.recorder import Recorder
from planner.scheduler.cycle.alike_templates import AlikeTemplates
from planner.scheduler.cycle.cycle import OTHERS_RECORDED, SchedulingCycle
from planner.scheduler.cycle.node_order import NodeSearch
from planner.scheduler.cycle.outcome import Outcome
from planner.scheduler.cycle.refusal_memory import KnownRefusal, RefusalMemory
from planner.scheduler.cycle.ties import Drawn, FirstByName, Ties
from planner.scheduler.interface import SchedulerContext
from planner.scheduler.placement_record import PlacementRecord
from planner.scheduler.placing_together import PlacingTogether
from planner.scheduler.plugins.node_affinity import MalformedPreference
from planner.scheduler.preemption import preempt
from planner.scheduler.preemption_record import PreemptionRecord
from planner.scheduler.preemption_result import Budget, Preemption
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.queue.queued_pod import QueuedPod, QueuePlace
from planner.scheduler.queue.scheduling_queue import SchedulingQueue
from planner.scheduler.queue.wake_facts import Waiting, waiting_pod
from planner.scheduler.queue.wake_listener import WakeListener
from planner.scheduler.table_ration import TableRation
from planner.scheduler.trial_memory import TrialMemory
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.state.specs import PodSpec

PreemptCallback = Callable[[tuple[int, ...], int, int], None]
"""(victims, preemptor, node): delete the victims gracefully, or at once where they do not run."""
BudgetSource = Callable[[], Sequence[Budget]]


# Looking up a member of an enum costs a call in Python 3.11.
_SCHEDULER, _UNSCHEDULABLE = Actor.SCHEDULER, Verdict.UNSCHEDULABLE


class Scheduler:
    """kube-scheduler on a cluster. One pod is decided at a time; the next decision sees its place."""

    def __init__(
        self,
        cluster: Cluster,
        recorder: Recorder,
        profiles: Sequence[SchedulerProfile] = (SchedulerProfile(),),
        on_preempt: PreemptCallback | None = None,
        budgets: BudgetSource | None = None,
        draws: Draws | None = None,
        skip_unchanged: bool = True,
    ) -> None:
        """`profiles`: in the order of the pods' `PodSpec.scheduler`. `draws` choose among equals; None: by name.

        `skip_unchanged`: a refusal is repeated while nothing changes (see `refusal_memory`).
        """
        self._cluster = cluster
        self._recorder = recorder
        self.profiles = tuple(profiles)
        self.on_preempt = on_preempt
        self._budgets = budgets
        self.search = NodeSearch(cluster)
        self.ties: Ties = FirstByName(self.search.names) if draws is None else Drawn(cluster, draws)
        context = SchedulerContext.of(cluster, self.profiles[0])
        self.cycles = tuple(
            SchedulingCycle(cluster, profile, self.search, context, self.ties) for profile in self.profiles
        )
        self._tables = TableRation(cluster.clock)
        self._trials = tuple(TrialMemory(cluster) for _ in self.profiles)
        alike = AlikeTemplates(context.rules, self._asks_for_room_alone)
        self._refusals = RefusalMemory(cluster, alike, self._waiting_on, skip_unchanged)
        self._placements = PlacementRecord(cluster, recorder, self.search.names)
        self._preemptions = PreemptionRecord(cluster, recorder, self.search.names)
        self._waiting: dict[tuple[int, tuple[PluginName, ...]], Waiting] = {}
        # Backoffs are settings of the whole scheduler, so every profile has the same.
        self.queue = SchedulingQueue(self.profiles[0])
        self._listener = WakeListener(cluster, self.queue, self.profiles)
        self._together = PlacingTogether(
            cluster, self.queue, self.cycles, self._placements, self._tables, self._listener
        )

    def schedule(self, most: int = 1, others_act: Callable[[], bool] = lambda: True) -> int:
        """Scheduling cycles with binding or preemption; how many, 0 if there is nothing to do.

        Up to `most` in a row, until after one of them `others_act`. Cycles that repeat a known refusal change neither
        pods nor nodes, so that nothing has to act on them.
        """
        done = 0
        while done < most:
            if most > 1 and not self._refusals.hold() and (placed := self._together.place(most - done)):
                done += placed
                if others_act():
                    break
                continue
            refused, following = self._next(most - done)
            self._refuse_known(refused)
            done += len(refused)
            if following is None:
                break
            self._try(*following)
            done += 1
            if others_act():
                break
        return done

    def _next(self, most: int) -> tuple[list[tuple[QueuedPod, KnownRefusal]], tuple[QueuedPod, PodSpec, int] | None]:
        """The next pods, up to `most`, that are known to be refused, and then one of which that is not known.

        Beside that one: its template, and how many other nodes its record names.
        """
        cluster, pop, wanted = self._cluster, self.queue.pop, self._tables.wanted
        templates, template_of = cluster.pod_specs, cluster.pods.spec.item
        known = self._refusals.of if self._refusals.hold() else None
        refused: list[tuple[QueuedPod, KnownRefusal]] = []
        while len(refused) < most and (queued := pop()) is not None:
            spec = templates[template_of(queued.pod)]
            others = OTHERS_RECORDED if wanted(spec.index) else 0
            refusal = None if known is None else known(queued.pod, spec)
            if refusal is None:
                return refused, (queued, spec, others)
            refused.append((queued, refusal))
        return refused, None

    def _try(self, queued: QueuedPod, spec: PodSpec, others: int) -> None:
        """A cycle whose outcome is not known before."""
        chosen = self.cycles[spec.placement.scheduler].choose(queued.pod, spec, others)
        if chosen is None:
            self._attempt(queued.pod, spec, others)
            return
        plugins, choice = chosen
        self._placements.keep(queued, plugins, choice)
        self._cluster.bind(queued.pod, choice[0])

    def _attempt(self, pod: int, spec: PodSpec, others: int) -> None:
        """A whole cycle, which may refuse the pod."""
        cluster = self._cluster
        try:
            knows_nomination = not cluster.nominated_pods or self._knows_nomination(pod)
            outcome = self.cycles[spec.placement.scheduler].decide(
                pod, knows_nomination=knows_nomination, others_recorded=others
            )
        except MalformedPreference as problem:
            self._fail(pod, str(problem))
            return
        if outcome.node != NONE:
            self._placements.decide(pod, outcome)
            cluster.bind(pod, outcome.node)
        else:
            self._give_back(pod, outcome)

    def pending_pods(self) -> dict[str, int]:
        """Pods that wait, by pool of the queue; gated ones are listed separately."""
        pools, pods = (QueuePlace.ACTIVE, QueuePlace.BACKOFF, QueuePlace.UNSCHEDULABLE), self._cluster.pods
        gated = 0
        if self._cluster.workloads.unbound.any():  # spares the scan of all pods ever created
            gated = int(np.count_nonzero(pods.gated & (pods.phase == PodPhase.PENDING)))
        return {pool.value: self.queue.count(pool) for pool in pools} | {"gated": gated}

    def _knows_nomination(self, pod: int) -> bool:
        return self.queue.state(pod).nomination == int(self._cluster.pods.nominated[pod])

    def flush_timers(self, now_us: int) -> None:
        """The queue's timers, to be called on whole seconds."""
        self.queue.flush(now_us)

    def next_timer_us(self) -> int | None:
        """Next whole second at which `flush_timers` may matter; None if no pod waits."""
        return self.queue.next_timer_us(self._cluster.clock.now_us)

    def _give_back(self, pod: int, outcome: Outcome) -> None:
        spec = self._cluster.pod_specs[self._cluster.pods.spec[pod]]
        assert outcome.verdicts is not None
        nodes = len(self.search.order)
        found, refused = self._preempt(outcome) if nodes else None, outcome.verdicts.counts()
        if found is None:
            details = Unschedulable(nodes, refused)
        else:
            details = Unschedulable(nodes, refused, found.refusals(nodes), found.message)
        refused_by = outcome.verdicts.refusing()
        waiting = self._waiting_on(spec, refused_by) if refused_by else None
        refusal = KnownRefusal(details, _message(details), waiting)
        if found is None or not self._depends_on_budgets(found):
            self._refusals.keep(pod, spec, refusal)
        self._note_refusals([(self.queue.state(pod), refusal)])
        now_us = self._cluster.clock.now_us
        if waiting is None:
            # Without nodes no plugin refused, and no event could wake the pod: it is tried again as after an error.
            self.queue.failed(pod, now_us)
        else:
            self.queue.refused(pod, now_us, waiting, nomination=self._cluster.pods.nominated.item(pod))
        if found is not None and found.eligible and waiting is not None:
            self._carry_out(pod, found)

    def _refuse_known(self, refused: Sequence[tuple[QueuedPod, KnownRefusal]]) -> None:
        """Refuse pods as others before them; no pod is nominated then, and it was plugins that refused them."""
        if refused:
            self._note_refusals(refused)
            waiting = [(queued, known.waiting) for queued, known in refused if known.waiting is not None]
            self.queue.refused_together(waiting, self._cluster.clock.now_us)

    def _note_refusals(self, refused: Sequence[tuple[QueuedPod, KnownRefusal]]) -> None:
        """Record refusals and update the status of the pods."""
        cluster, now_us = self._cluster, self._cluster.clock.now_us
        for queued, _ in refused:
            if not queued.name:
                queued.name = cluster.pod_name(queued.pod)
        template = cluster.pods.spec.item
        findings = (
            (queued.name, refusal.details, (template(queued.pod), refusal.message)) for queued, refusal in refused
        )
        self._recorder.find_alike(now_us, _SCHEDULER, _UNSCHEDULABLE, findings)
        cluster.mark_unschedulable([queued.pod for queued, _ in refused], [refusal.message for _, refusal in refused])

    def _waiting_on(self, spec: PodSpec, refused_by: tuple[PluginName, ...]) -> Waiting:
        """The same object for equal ones, so that the queue asks once for all of them."""
        known = self._waiting.get((spec.index, refused_by))
        if known is None:
            known = waiting_pod(spec, refused_by, self.profiles[spec.placement.scheduler])
            self._waiting[spec.index, refused_by] = known
        return known

    def _asks_for_room_alone(self, spec: PodSpec) -> bool:
        return self.cycles[spec.placement.scheduler].asks_for_room_alone(spec)

    def _depends_on_budgets(self, found: Preemption) -> bool:
        """A node was found, or only budgets, which change without any node, may have been in the way."""
        return bool(found.helped) or (self._budgets is not None and bool(found.failed))

    def _fail(self, pod: int, problem: str) -> None:
        now_us, name = self._cluster.clock.now_us, self._cluster.pod_name(pod)
        self._recorder.decide(Decision(now_us, Actor.SCHEDULER, Verdict.FAILED, name, details=SchedulingError(problem)))
        self.queue.failed(pod, now_us)

    def _preempt(self, outcome: Outcome) -> Preemption | None:
        assert outcome.prepared is not None and outcome.verdicts is not None
        profile = self.profiles[outcome.prepared.spec.placement.scheduler]
        if PluginName.DEFAULT_PREEMPTION in profile.disabled:
            return None
        budgets = self._budgets() if self._budgets is not None else ()
        order = self.search.order.rows
        offset = partial(self.ties.offset, outcome.prepared.pod)
        memory = self._trials[outcome.prepared.spec.placement.scheduler]
        return preempt(self._cluster, profile, outcome.prepared, outcome.verdicts, order, budgets, offset, memory)

    def _carry_out(self, pod: int, found: Preemption) -> None:
        cluster = self._cluster
        if not found.helped:
            self._end_nomination(pod)
            return
        equals = found.equals
        chosen = found.candidate(equals.item(self.ties.choose(pod, equals) if len(equals) > 1 else 0))
        victims = tuple(victim for victim in chosen.victims if cluster.pods.deletion_us[victim] == NONE)
        if victims:  # kube-scheduler 1.36, preemption/executor.go: where all are going already, nothing more is done
            self._clear_lower_nominations(pod, chosen.node)
        if cluster.pods.nominated.item(pod) != chosen.node:
            self._end_nomination(pod)
        cluster.nominate(pod, chosen.node)
        self._preemptions.nominated(self.queue.state(pod), found, chosen)
        for victim in victims:
            self._preemptions.preempted(pod, victim, chosen)
        if self.on_preempt is not None:
            self.on_preempt(victims, pod, chosen.node)

    def _clear_lower_nominations(self, pod: int, node: int) -> None:
        """Pods of lower priority that counted on the node look for another one."""
        cluster = self._cluster
        for other in list(cluster.nominated_pods.get(node, ())):
            if cluster.pods.priority[other] < cluster.pods.priority[pod]:
                self._end_nomination(other)

    def _end_nomination(self, pod: int) -> None:
        """What the pod was to take is free for others; nothing happens if there is no nomination."""
        self._listener.wake_for_nomination(pod)
        self._cluster.clear_nomination(pod)


def _message(details: Unschedulable) -> Hashable:
    """What makes the message of a refusal differ from another: nodes, reasons, and what preemption found."""
    reasons = tuple(sorted(details.refused.items())), tuple(sorted(details.not_helped.items()))
    return details.nodes, *reasons, details.no_preemption
