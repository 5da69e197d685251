"""Karpenter vectors of whole runs, second by second: the controllers of a run in a world that ticks."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.control import termination
from planner.karpenter.control.claims import Claim, ClaimMachine, ClaimRegister, claim_phase, claim_view
from planner.karpenter.control.commands import CommandQueue
from planner.karpenter.control.disruption_loop import ConsolidationState, DisruptionLoop
from planner.karpenter.control.provisioner import Provisioner
from planner.karpenter.control.upkeep import look_at
from planner.karpenter.disruption.blockers import Hindrance
from planner.karpenter.disruption.commands import DisruptionCommand
from planner.karpenter.disruption.methods import MethodSearch
from planner.karpenter.lifecycle.conditions import noted_pod_event, template_identity
from planner.karpenter.lifecycle.launch import cheapest_launch, launched_labels
from planner.karpenter.pod_view import PodView
from planner.karpenter.provider import KarpenterProvider
from planner.karpenter.provisioning.batcher import Batcher
from planner.karpenter.provisioning.new_claims import NewClaim
from planner.karpenter.provisioning.scheduling_round import RoundResult, first
from planner.karpenter.taints import DISRUPTED_TAINT
from planner.matching.selectors import has_labels
from planner.matching.taints import NodeTaint, tolerated
from planner.state.resources import PODS
from planner.units import US_PER_S
from tests.conformance.karpenter.told import Told, unordered
from tests.conformance.karpenter.world import EPOCH, CaseCluster

Json = dict[str, Any]
Outcome = tuple[bool, object]
RETRIGGER_S = 10


@dataclass(eq=False)
class TickPod:
    """A pod of a set."""

    set_name: str
    name: str
    view: PodView
    node: str = ""
    is_unschedulable: bool = False


@dataclass(eq=False)
class TickNode:
    """The machine of a claim."""

    claim: Claim
    machine: Any
    taints: tuple[NodeTaint, ...]
    launched_s: int
    is_ready: bool = False
    is_gone: bool = False
    pods: list[TickPod] = field(default_factory=list)


class TickWorld:
    """Implements KarpenterWorld and KarpenterRecords in ticks of a second."""

    def __init__(self, given: Json) -> None:
        self.given = given
        self.case = CaseCluster({**given, "pods": []})
        self.told = Told(self.case)
        self.templates = {each["pod"]["metadata"]["name"]: each["pod"] for each in given["pods"]}
        self.t = 0
        self.claims: dict[str, Claim] = {}
        self.register = ClaimRegister()
        self.nodes: dict[str, TickNode] = {}
        self.pods: list[TickPod] = []
        self.wanted: dict[str, int] = {}
        self.events: list[Json] = []
        self._counts: dict[str, int] = {}
        self._pod_numbers: dict[str, int] = {}
        self._evicted: list[TickPod] = []
        self._triggered: dict[str, int] = {}
        self._last_round: Json | None = None
        self._in_round = False
        self.state = ConsolidationState()
        self.batcher = Batcher(self.case.settings.batch_idle_duration, self.case.settings.batch_max_duration)
        self.provisioner = Provisioner(self, self, self.case.settings.batch_max_duration)
        self.queue = CommandQueue(self, self.provisioner, self)
        spot = self.case.settings.spot_to_spot_consolidation
        self.loop = DisruptionLoop(self, self.queue, self, self.state, spot, EPOCH)

    # -- the world ----------------------------------------------------------------------------

    @property
    def now_us(self) -> int:
        return self.t * US_PER_S

    @property
    def provider(self) -> KarpenterProvider:
        return self.case.provider

    def view(self) -> ClusterView:
        nodes = [self._node_view(node) for node in self.nodes.values()]
        waiting = sorted((p.view for p in self.pods if p.is_unschedulable and not p.node), key=lambda pod: pod.uid)
        return ClusterView(nodes, waiting, self.case.view().daemons, (), self.case.view().namespaces)

    def has_bare_nodes(self) -> bool:
        return True

    def bare_nodes(self, view: ClusterView) -> Sequence[NodeView]:
        return view.nodes

    def _node_view(self, node: TickNode) -> NodeView:
        pods = tuple(pod.view for pod in node.pods)
        machine = ClaimMachine(node.taints, node.machine.capacity, node.machine.allocatable, node.is_ready, pods)
        return claim_view(node.claim, machine, claim_phase(node.claim, self.now_us))

    def launch(self, new: NewClaim) -> Claim | None:
        launch = cheapest_launch(new, self.case.catalogue)
        if launch is None:
            return None
        pool = new.pool
        number = self._counts[pool.name] = self._counts.get(pool.name, 0) + 1
        name = f"{pool.name}-{number:03d}"
        labels = launched_labels(
            new.pool, new.requirements, launch, launch.zones[0], self.case.catalogue.well_known, first
        )
        claim = Claim(name, pool, template_identity(pool), labels, self.now_us)
        claim.register, self.claims[name] = self.register, claim
        self.nodes[name] = TickNode(claim, launch.instance_type, pool.taints, self.t)
        created = {"name": name, "nodePool": pool.name, "pods": self.told.counts(new.pods)}
        if self._in_round:
            self.add("created", **created, instanceTypes=len(new.types))
        machine = {"instanceType": launch.instance_type.name, "zone": launch.zones[0]}
        self.add("launched", name=name, **machine, capacityType=launch.capacity_type)
        self.changed()
        return claim

    def taint(self, claim: Claim, is_disrupted: bool) -> None:
        claim.is_tainted = is_disrupted
        node = self.nodes[claim.name]
        others = tuple(taint for taint in node.taints if taint != DISRUPTED_TAINT)
        node.taints = (*others, DISRUPTED_TAINT) if is_disrupted else others

    def evict(self, pod: PodView) -> None:
        self._evicted += [each for each in self.pods if each.view.row == pod.row]

    def delete_pod(self, pod: PodView, grace_us: int) -> None:
        for each in [known for known in self.pods if known.view.row == pod.row]:
            self.add("deletedPod", pod=each.name, node=each.node)
            self._vanish(each)

    def delete_machine(self, claim: Claim) -> None:
        claim.instance_deleted_us = self.now_us
        self.nodes[claim.name].is_gone = True

    def changed(self) -> None:
        self.state.renew(self.now_us)

    # -- what is told -------------------------------------------------------------------------

    def add(self, event: str, **facts: Any) -> None:
        self.events.append({"event": event, "t": self.t, **facts})

    def round_done(self, result: RoundResult) -> None:
        facts = {
            "existing": self.told.existing(result),
            "newNodeClaims": len(result.claims),
            "unschedulable": self.told.unschedulable(result),
        }
        if result.claims or facts != self._last_round:
            self.add("round", **facts)
        self._last_round = facts

    def refused(self, new: NewClaim, resource: str) -> None:
        self.add("refused", nodePool=new.pool.name)

    def command_begun(self, command: DisruptionCommand, replacements: tuple[str, ...]) -> None:
        facts = {
            "reason": command.method.reason,
            "type": command.method.value if command.method.value != "drift" else "",
            "decision": "replace" if replacements else "delete",
            "nodes": sorted(each.node.name for each in command.candidates),
        }
        self.add("command", **facts, replacements=list(replacements))

    def command_rejected(self, command: DisruptionCommand, why: str) -> None:
        """Not told."""

    def searched(self, search: MethodSearch, unplaced: object) -> None:
        """Not told."""

    def blocked(self, reasons: Mapping[str, Hindrance]) -> None:
        """Not told."""

    def expired(self, claim: Claim) -> None:
        self.add("expired", name=claim.name)

    def drifted(self, claim: Claim) -> None:
        """Not told."""

    # -- ticks --------------------------------------------------------------------------------

    def run(self) -> list[Json]:
        for tick in range(self.given["until"] + 1):
            self.t = tick
            self._tick()
        return self.events

    def _tick(self) -> None:
        if self._is_validating() and self.loop.due_us <= self.now_us:
            self.loop.go_on()
        closes_us = self.batcher.closes_us
        closed = closes_us is not None and closes_us <= self.now_us
        if closed:
            self.batcher.close()
        self._arrive()
        self._boot()
        self._lifecycle()
        self._drain()
        self._lifecycle()
        self._bind()
        for claim in sorted(self.claims.values(), key=lambda each: each.name):
            look_at(self, self, claim)
        self._trigger()
        if closed:
            self._in_round = True
            self.provisioner.run(self._in_order)
            self._in_round = False
        self.queue.step()
        while not self._is_validating() and self.loop.due_us <= self.now_us:
            self.loop.go_on()
            self.queue.step()
        self._lifecycle()

    def _is_validating(self) -> bool:
        return self.loop.validates is not None

    def _in_order(self, claims: Sequence[NewClaim]) -> Sequence[NewClaim]:
        return sorted(claims, key=lambda claim: json.dumps(self.told.claim(claim)))

    def _arrive(self) -> None:
        for arrival in self.given["arrivals"]:
            if arrival["t"] == self.t:
                self.wanted[arrival["set"]] = arrival["replicas"]
        for name, count in self.wanted.items():
            own = [pod for pod in self.pods if pod.set_name == name]
            youngest = sorted(own, key=lambda each: (each.view.created_us, each.name), reverse=True)
            for pod in youngest[: max(len(own) - count, 0)]:
                self._vanish(pod)
            for _ in range(count - len(own)):
                self._create(name)

    def _create(self, name: str) -> None:
        number = self._pod_numbers.get(name, 0)
        self._pod_numbers[name] = number + 1
        full = f"{name}-{number:03d}"
        view = replace(self.case.pod_view(name, full, self.templates[name]), created_us=self.now_us)
        self.pods.append(TickPod(name, full, view))

    def _vanish(self, pod: TickPod) -> None:
        self.pods.remove(pod)
        if pod.node:
            node = self.nodes[pod.node]
            node.pods.remove(pod)
            self._note_pod_event(node)
        self.changed()

    def _note_pod_event(self, node: TickNode) -> None:
        node.claim.last_pod_event_us = noted_pod_event(node.claim.last_pod_event_us, self.now_us)

    def _boot(self) -> None:
        delays = self.given["delays"]
        for node in self.nodes.values():
            if node.claim.deletion_us is None and self.t >= node.launched_s + delays["register"] + delays["ready"]:
                node.is_ready = True

    def _lifecycle(self) -> None:
        register_s = self.given["delays"]["register"]
        for name in sorted(self.nodes):
            node = self.nodes[name]
            claim = node.claim
            if node.is_gone:
                if claim.registered_us is not None:
                    self.add("nodeGone", name=name)
                self.add("nodeClaimGone", name=name)
                for pod in list(node.pods):
                    self._vanish(pod)
                del self.nodes[name], self.claims[name]
                self.changed()
                continue
            if claim.deletion_us is not None:
                continue
            if claim.registered_us is None and self.t >= node.launched_s + register_s:
                claim.registered_us = self.now_us
                self.add("registered", name=name)
                self.changed()
            if claim.registered_us is not None and claim.initialized_us is None and node.is_ready:
                claim.initialized_us = self.now_us
                self.add("initialized", name=name)
                self.changed()

    def _drain(self) -> None:
        for name in sorted(self.nodes):
            node = self.nodes[name]
            if node.claim.deletion_us is not None and not node.is_gone:
                self._evicted = []
                termination.step(self, node.claim, self._node_view(node))
                for pod in self._evicted:
                    self.add("evicted", pod=pod.name, node=pod.node)
                    self._vanish(pod)
                    self._create(pod.set_name)

    def _bind(self) -> None:
        waiting = [pod for pod in self.pods if not pod.node]
        for pod in sorted(waiting, key=lambda each: (each.view.created_us, each.name)):
            chosen = next((name for name in sorted(self.nodes) if self._takes(self.nodes[name], pod)), None)
            if chosen is None:
                pod.is_unschedulable = True
                continue
            pod.node = chosen
            self.nodes[chosen].pods.append(pod)
            self._note_pod_event(self.nodes[chosen])
            self.add("bound", pod=pod.name, node=chosen)
            self.changed()

    def _takes(self, node: TickNode, pod: TickPod) -> bool:
        spec = pod.view.spec
        if not node.is_ready or node.claim.deletion_us is not None:
            return False
        need = spec.request.copy()
        need[PODS] = 1
        room = self._node_view(node).available
        return (
            all(tolerated(spec.placement.tolerations, taint) for taint in node.taints)
            and has_labels(node.claim.labels, spec.placement.node_selector.items())
            and bool((need <= room).all())
        )

    def _trigger(self) -> None:
        asking = [pod.view.uid for pod in self.pods if pod.is_unschedulable and not pod.node]
        asking += [name for name in sorted(self.claims) if self.claims[name].is_tainted]
        self._triggered = {name: at for name, at in self._triggered.items() if name in asking}
        for name in asking:
            if self.t - self._triggered.get(name, -RETRIGGER_S) >= RETRIGGER_S:
                self._triggered[name] = self.t
                self.batcher.trigger(name, self.now_us)


def timeline(case: Json) -> Outcome:
    """A whole run."""
    got = TickWorld(case["input"]).run()
    return any(_by_tick(got) == _by_tick(o["events"]) for o in case["expect"]["outcomes"]), got


def _by_tick(events: Sequence[Json]) -> list[str]:
    return unordered(events)


FAMILIES = {"timeline": timeline}
