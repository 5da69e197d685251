"""When Karpenter's rounds, passes and steps run."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from planner.engine.draws import Draws
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.karpenter.budget_view import BudgetView, budget_view
from planner.karpenter.catalogue.instance_types import Offering
from planner.karpenter.catalogue.offers import Offers
from planner.karpenter.control import termination
from planner.karpenter.control.buffers import RECHECK_US, BufferPods
from planner.karpenter.control.claims import Claim
from planner.karpenter.control.cluster_world import ACTOR, ClusterWorld
from planner.karpenter.control.commands import CommandQueue
from planner.karpenter.control.decisions import DecisionRecords
from planner.karpenter.control.disruption_loop import ConsolidationState, DisruptionLoop
from planner.karpenter.control.provisioner import Provisioner
from planner.karpenter.control.upkeep import has_settled, look_at
from planner.karpenter.lifecycle.launch import roomiest_launch
from planner.karpenter.provisioning.batcher import Batcher
from planner.nodes.cloud.provisioning import Cloud
from planner.plan.derived.karpenter_groups import karpenter_rows
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.karpenter.settings import SpotAllocation
from planner.plan.model.plan import Plan
from planner.record.recorder import Recorder
from planner.simulation.compile.karpenter import compile_catalogue, compile_pool, round_settings
from planner.simulation.compile.world import World
from planner.simulation.ticks import KarpenterLook, KarpenterPass, KarpenterStep, KarpenterTriggers, KarpenterWindow
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.units import US_PER_MIN, US_PER_S
from planner.workloads.controllers.pod_lifecycle import PodLifecycle
from planner.workloads.disruption.eviction_api import EvictionApi

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
RETRIGGER_US = 10 * US_PER_S
"""A pod that still waits, and a node that is about to go, trigger again after this."""
FIRST_LOOK_US = US_PER_S
_BUFFERS = "capacity buffers"
"""Triggers for all of them; no node is called so."""
_NODE_CLASS_DRIFT = "NodeClassDrift"
REGISTRATION_US = 15 * US_PER_MIN
"""A node that has not registered by then is given up."""


class KarpenterDriver:
    """Turns Karpenter's times into events of the run."""

    def __init__(self, world: ClusterWorld, events: EventQueue, plan: Plan, records: DecisionRecords) -> None:
        settings = plan.karpenter
        begins = EPOCH + timedelta(microseconds=plan.simulation.starts_at)
        self.world = self._world = world
        self._events = events
        self._records = records
        self._batcher = Batcher(settings.batch_idle_duration, settings.batch_max_duration)
        self._provisioner = Provisioner(world, records, settings.batch_max_duration)
        self._queue = CommandQueue(world, self._provisioner, records)
        self._state = ConsolidationState()
        self._loop = DisruptionLoop(
            world, self._queue, records, self._state, settings.spot_to_spot_consolidation, begins
        )
        self._again: dict[str | int, int] = {}
        """When pods (rows) and nodes (names) trigger again."""
        self._triggers_us = self._window_us = self._step_us = -1
        self._serial = 0
        world.on_change = lambda: self._state.renew(world.now_us)
        world.cluster.subscribe(self._on_unschedulable, (ClusterEventKind.POD_UNSCHEDULABLE,))
        world.cluster.subscribe(self._on_requested, (ClusterEventKind.NODE_REQUESTED,))

    def begin(self, plan: Plan) -> None:
        """The nodes that run already when the run begins; `plan` is the user's."""
        age_us = plan.simulation.initial_node_age if plan.simulation.warm_start else 0
        prices = {
            (each.name, offer.zone, offer.capacity_type): offer.price
            for each in plan.karpenter.instance_types
            for offer in each.offerings
        }
        for row, pool in zip(self._world.group_rows, plan.karpenter.node_pools, strict=True):
            for some in pool.initial_nodes:
                price = prices[some.machine_type, some.zone, some.capacity_type]
                for _ in range(some.count):
                    offering = Offering(some.zone, some.capacity_type.value, price)
                    self._world.begin_with(row, some.machine_type, offering, age_us)

    def start(self) -> None:
        """The first pass comes after the usual time; capacity buffers are looked at at once."""
        self._schedule_pass()
        if self._still_asks(_BUFFERS):
            self._trigger(_BUFFERS)

    # -- rounds -------------------------------------------------------------------------------

    def _on_unschedulable(self, event: ClusterEvent) -> None:
        if event.pod not in self._again and self._world.is_waiting(event.pod):
            self._trigger(event.pod)

    def _trigger(self, identity: str | int) -> None:
        now_us = self._events.now_us
        self._batcher.trigger(identity, now_us)
        self._again[identity] = now_us + (RECHECK_US if identity == _BUFFERS else RETRIGGER_US)
        self._await_window()
        if self._triggers_us <= now_us:
            self._push_triggers(now_us + RETRIGGER_US)

    def _push_triggers(self, at_us: int) -> None:
        self._triggers_us = at_us
        self._events.push(at_us, Phase.AUTOSCALER_TIMERS, KarpenterTriggers())

    def on_triggers(self, event: KarpenterTriggers) -> None:
        """What still waits triggers again."""
        now_us = self._events.now_us
        due = [identity for identity, at_us in self._again.items() if at_us <= now_us]
        for identity in due:
            del self._again[identity]
            if self._still_asks(identity):
                self._trigger(identity)
        if self._again and self._triggers_us <= now_us:
            self._push_triggers(min(self._again.values()))

    def _still_asks(self, identity: str | int) -> bool:
        if isinstance(identity, int):
            return self._world.is_waiting(identity)
        if identity == _BUFFERS:
            return self._world.buffers is not None
        claim = self._world.claims.get(identity)
        return claim is not None and claim.is_tainted

    def _await_window(self) -> None:
        closes_us = self._batcher.closes_us
        if closes_us is not None and self._window_us != closes_us:
            self._window_us = closes_us
            self._events.push(closes_us, Phase.AUTOSCALER, KarpenterWindow())

    def on_window(self, event: KarpenterWindow) -> None:
        """The window closes, unless more pods have come: a round."""
        closes_us = self._batcher.closes_us
        if closes_us is None or closes_us > self._events.now_us:
            return
        self._batcher.close()
        self._window_us = -1
        self._provisioner.run()

    # -- disruption ---------------------------------------------------------------------------

    def _schedule_pass(self) -> None:
        self._serial += 1
        at_us = max(self._loop.due_us, self._events.now_us)
        self._events.push(at_us, Phase.AUTOSCALER, KarpenterPass(self._serial))

    def on_pass(self, event: KarpenterPass) -> None:
        """A pass, or the validation of its command."""
        if event.serial == self._serial:
            self._loop.go_on()
            self._queue.step()
            self._watch_steps()
            self._schedule_pass()

    def on_step(self, event: KarpenterStep) -> None:
        """Commands whose replacements are ready delete their nodes; drains go on."""
        self._step_us = -1
        self._queue.step()
        for claim in self._world.leaving():
            if claim.deletion_us is not None and claim.instance_deleted_us is None:
                termination.step(self._world, claim, self._world.node_view(claim))
        self._watch_steps(termination.STEP_US)

    def _watch_steps(self, after_us: int = 0) -> None:
        leaving = self._world.leaving()
        for claim in leaving:
            if claim.is_tainted and claim.name not in self._again:
                self._trigger(claim.name)
        ending = any(claim.deletion_us is not None and claim.instance_deleted_us is None for claim in leaving)
        if self._step_us < self._events.now_us and (ending or self._queue.is_busy):
            self._step_us = self._events.now_us + after_us
            self._events.push(self._step_us, Phase.AUTOSCALER_TIMERS, KarpenterStep())

    # -- single nodes -------------------------------------------------------------------------

    def _on_requested(self, event: ClusterEvent) -> None:
        if event.group in self._world.group_rows:
            name = self._world.cluster.node_name(event.node)
            self._events.push(self._events.now_us + FIRST_LOOK_US, Phase.AUTOSCALER_TIMERS, KarpenterLook(name))

    def on_look(self, event: KarpenterLook) -> None:
        """Drift and expiry; a node that never registered is given up."""
        claim = self._world.claims.get(event.name)
        if claim is None or claim.deletion_us is not None:
            return
        now_us = self._events.now_us
        if claim.registered_us is None and now_us - claim.created_us >= REGISTRATION_US:
            claim.begin_deletion(now_us)
        else:
            look_at(self._world, self._records, claim)
            at_us = self._next_look_us(claim)
            if at_us is not None:
                self._events.push(at_us, Phase.AUTOSCALER_TIMERS, event)
        if claim.is_going:
            self._watch_steps()

    def _next_look_us(self, claim: Claim) -> int | None:
        """When a look may find something else; None: never."""
        now_us = self._events.now_us
        if has_settled(self._world, claim):
            return None if claim.deletion_us is not None else claim.expires_us
        usual_us = claim.next_look_us(now_us)
        if claim.registered_us is not None:
            return usual_us
        return max(now_us + 1, min(usual_us, claim.created_us + REGISTRATION_US))

    def on_interruption(self, node: int) -> bool:
        """The cloud warns that it takes a spot node: the claim goes, and the offering counts as unavailable for a
        while. Whether the node is Karpenter's.

        Source: karpenter-provider-aws 1.13, pkg/controllers/interruption/controller.go.
        """
        claim = self._world.claim_of(node)
        if claim is None:
            return False
        if claim.deletion_us is None:
            claim.begin_deletion(self._events.now_us)
            self._records.interrupted(claim)
        self._world.refuse_offering(claim)
        self._watch_steps()
        return True

    def on_node_class_changed(self, nodes: Sequence[int]) -> None:
        """The node class of some nodes has changed: those that are Karpenter's have drifted."""
        for node in nodes:
            claim = self._world.claim_of(node)
            if claim is not None:
                claim.provider_drift = _NODE_CLASS_DRIFT
                look_at(self._world, self._records, claim)

    def on_pool_changed(self, pool: NodePool) -> None:
        """A pool has other settings: its nodes may have drifted, and consolidation looks again.

        Source: Karpenter 1.13, pkg/controllers/state/informer/nodepool.go, pkg/controllers/nodeclaim/disruption.
        """
        for claim in self._world.change_pool(compile_pool(pool)):
            look_at(self._world, self._records, claim)
        self._world.changed()

    def on_instance_failed(self, node: int) -> None:
        """The cloud had no machine: the offering counts as unavailable for a while, and the claim goes."""
        claim = self._world.claim_of(node)
        if claim is not None:
            self._records.out_of_stock(claim)
            self._world.give_up(claim)


def karpenter_of(
    plan: Plan, world: World, events: EventQueue, cloud: Cloud, draws: Draws, recorder: Recorder
) -> KarpenterDriver | None:
    """Karpenter, if it runs. `plan` has a node group for every pool."""
    settings = plan.karpenter
    rows = karpenter_rows(plan)
    cloud.launched_only = frozenset(rows)
    if not plan.runs_karpenter:
        return None
    pools = {row: compile_pool(pool) for row, pool in zip(rows, settings.node_pools, strict=True)}
    offers = Offers(compile_catalogue(settings.instance_types, world.cluster.axis).types)
    daemons = [world.pod_spec_of[row] for row in world.daemon_rows]
    seen = ClusterWorld(world.cluster, cloud, draws, pools, offers, round_settings(settings), daemons)
    if settings.capacity_buffers and any(reserve.capacity_buffer for reserve in plan.overprovisioning):
        seen.buffers = BufferPods(world.cluster)
    if settings.spot_allocation is SpotAllocation.PRICE_CAPACITY_OPTIMIZED:
        seen.choose = roomiest_launch
    return KarpenterDriver(seen, events, plan, DecisionRecords(seen, events, recorder))


def connect(driver: KarpenterDriver, cloud: Cloud, evictions: EvictionApi, lifecycle: PodLifecycle) -> None:
    """Gives Karpenter its hands on pods, and the cloud a way to report failures."""
    world = driver.world

    def evict(pod: int) -> None:
        if world.cluster.pods.deletion_us[pod] == NONE:
            evictions.evict(pod, ACTOR)

    def kill(pod: int, grace_us: int) -> None:
        lifecycle.delete(pod, EndReason.EVICTED, grace_us)

    world.evict_pod, world.kill_pod = evict, kill
    if evictions.budgets:
        world.follow_budgets(lambda: _budgets(evictions))
    cloud.on_failed = driver.on_instance_failed


def _budgets(evictions: EvictionApi) -> Sequence[BudgetView]:
    return [budget_view(one.budget, evictions.status(one).disruptions_allowed) for one in evictions.budgets]
