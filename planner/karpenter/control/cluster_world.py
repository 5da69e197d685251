"""Karpenter's view of the cluster of a run, and its hands."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from planner.engine.draws import Draws
from planner.karpenter.budget_view import BudgetView
from planner.karpenter.catalogue.catalogue import Catalogue
from planner.karpenter.catalogue.instance_types import Offering
from planner.karpenter.catalogue.offers import Offers
from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.control.buffers import BufferPods
from planner.karpenter.control.claims import Claim, ClaimRegister
from planner.karpenter.control.lots import DomainLots
from planner.karpenter.control.machine_templates import MachineTemplates
from planner.karpenter.control.node_views import NodeViews
from planner.karpenter.control.pod_views import PodViews
from planner.karpenter.control.waiting_pods import WaitingPods
from planner.karpenter.lifecycle.conditions import noted_pod_event, template_identity
from planner.karpenter.lifecycle.launch import Launch, cheapest_launch, launched_labels
from planner.karpenter.pod_view import PodView
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.provider import KarpenterProvider
from planner.karpenter.provisioning.new_claims import NewClaim
from planner.karpenter.provisioning.round_basis import RoundSettings
from planner.karpenter.provisioning.templates import template_needs
from planner.karpenter.requirements.requirement import LabelRequirement
from planner.karpenter.requirements.requirements import CAPACITY_TYPE_LABEL
from planner.karpenter.taints import DISRUPTED_TAINT, with_startup, without_startup
from planner.matching.taints import NodeTaint
from planner.nodes.cloud.provisioning import Cloud
from planner.plan.model.node_groups import MACHINE_TYPE_LABEL, ZONE_LABEL
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.specs import PodSpec

ACTOR = "karpenter"
_POD_EVENTS = (ClusterEventKind.POD_BOUND, ClusterEventKind.POD_DELETING, ClusterEventKind.POD_GONE)
_NODE_EVENTS = (ClusterEventKind.NODE_ADDED, ClusterEventKind.NODE_CHANGED, ClusterEventKind.NODE_GONE)


class ClusterWorld:
    """Implements KarpenterWorld on the tables of a run."""

    def __init__(
        self,
        cluster: Cluster,
        cloud: Cloud,
        draws: Draws,
        pools: Mapping[int, PoolRules],
        offers: Offers,
        settings: RoundSettings,
        daemons: Sequence[PodSpec],
    ) -> None:
        """`pools`: by row of the node group that stands for a pool."""
        self.cluster = cluster
        self.claims: dict[str, Claim] = {}
        self.register = ClaimRegister()
        self.offers = offers
        self.rows: dict[str, int] = {}
        self.evict_pod: Callable[[int], None] = lambda pod: None
        self.kill_pod: Callable[[int, int], None] = lambda pod, grace_us: None
        self._budgets: Callable[[], Sequence[BudgetView]] = tuple
        self.on_launch: Callable[[NewClaim, Launch, Claim], None] = lambda new, launch, claim: None
        self.on_change: Callable[[], None] = lambda: None
        self.buffers: BufferPods | None = None
        self.choose: Callable[[NewClaim, Catalogue], Launch | None] = cheapest_launch
        self._cloud = cloud
        self._pools = dict(pools)
        self._provider: KarpenterProvider | None = None
        self._group_of = {pool.name: row for row, pool in pools.items()}
        self._settings = settings
        self._views = PodViews(cluster, daemons)
        self._nodes = NodeViews(cluster, self._views)
        self._machines = MachineTemplates(cluster)
        self._lots, self._zones = DomainLots(draws), draws.of("karpenter/zones")
        self._names: dict[int, str] = {}
        """Claims by node row."""
        self._templates, self._may_keep, self._may_repel, self._may_share = 0, False, False, False
        cluster.subscribe(self._on_pod, _POD_EVENTS)
        cluster.subscribe(self._on_node, _NODE_EVENTS)
        self._waiting = WaitingPods(cluster)

    # -- the present --------------------------------------------------------------------------

    @property
    def now_us(self) -> int:
        """The present."""
        return self.cluster.clock.now_us

    @property
    def provider(self) -> KarpenterProvider:
        """Pools, machine types and flags at present."""
        catalogue, known = self.offers.catalogue(self.now_us), self._provider
        if known is None or known.catalogue is not catalogue:
            pools = tuple(self._pools.values())
            known = KarpenterProvider(self.cluster.axis, pools, catalogue, self._settings, self._lots.choose)
            self._provider = known
        return known

    @property
    def group_rows(self) -> Mapping[int, PoolRules]:
        """Pools by row of the node group that stands for them."""
        return self._pools

    def change_pool(self, pool: PoolRules) -> list[Claim]:
        """A pool has other rules from now on; its claims, which stay what they were made of."""
        self._pools[self._group_of[pool.name]], self._provider = pool, None
        mine = [claim for claim in self.claims.values() if claim.pool.name == pool.name]
        for claim in mine:
            claim.pool_now = pool
        return mine

    def claim_of(self, node: int) -> Claim | None:
        """The claim of a node row."""
        return self.claims.get(self._names.get(node, ""))

    def leaving(self) -> list[Claim]:
        """Claims that are tainted or being deleted, oldest first."""
        leaving = self.register.leaving
        for claim in list(leaving.values()):
            if claim.name not in self.claims or not (claim.is_tainted or claim.deletion_us is not None):
                del leaving[claim.name]
        return sorted(leaving.values(), key=lambda claim: self.rows[claim.name])

    def is_waiting(self, pod: int) -> bool:
        """Whether Karpenter looks for room for a pod."""
        return self._waiting.has(pod)

    def view(self) -> ClusterView:
        """The cluster as rules see it."""
        buffers = self.buffers.wanted() if self.buffers is not None else ()
        waiting = sorted(map(self._views.known, (*self._waiting.rows(), *buffers)), key=lambda pod: pod.uid)
        namespaces, budgets = self.cluster.namespace_labels, self._budgets()
        flags = bool(buffers), *self._pod_rules(budgets), self._views.bare_daemons
        nodes, names = self._node_views()
        return ClusterView(nodes, waiting, self._views.daemons, budgets, namespaces, *flags, names, self._going())

    def _pod_rules(self, budgets: Sequence[BudgetView]) -> tuple[bool, bool, bool]:
        """Whether any template of pods may keep its node, whether any keeps other pods away, and whether any is under
        several of the budgets, which stay the same but for what they allow.
        """
        for spec in self.cluster.pod_specs[self._templates :]:
            self._may_keep |= spec.template.do_not_disrupt != ""
            self._may_repel |= bool(spec.placement.required_anti_affinity)
            self._may_share |= sum(budget.covers(spec) for budget in budgets) > 1
        self._templates = len(self.cluster.pod_specs)
        return self._may_keep, self._may_repel, self._may_share

    def follow_budgets(self, budgets: Callable[[], Sequence[BudgetView]]) -> None:
        """There are budgets of pods, which say so at any time."""
        self._budgets, self._views.follows_readiness = budgets, True

    def has_bare_nodes(self) -> bool:
        """Whether the node of some claim may be without pods that need another node."""
        return any(True for _ in self._bare_claims())

    def bare_nodes(self, view: ClusterView) -> Sequence[NodeView]:
        """Those nodes, as they are seen now."""
        return [view.nodes[self._nodes.places[claim.name]] for claim in self._bare_claims()]

    def _bare_claims(self) -> Iterator[Claim]:
        claims = map(self.claim_of, self._views.bare_nodes())
        return (claim for claim in claims if claim is not None and claim.initialized_us is not None)

    def _node_views(self) -> tuple[Sequence[NodeView], Sequence[str]]:
        """All nodes, and their names."""
        found = self._nodes.of_claims(self.claims, self.rows, self.register)
        for group, nodes in enumerate(self.cluster.group_nodes):
            if group not in self._pools:
                found += [self._nodes.of_other(node) for node in nodes if self.cluster.nodes.exists[node]]
        claims = self._nodes.names
        others = found[len(claims) :]
        return found, [*claims, *(node.name for node in others)] if others else claims

    def _going(self) -> Sequence[int]:
        """Places of the nodes that go, all of which were tainted or deleted once."""
        places, leaving = self._nodes.places, self.register.leaving.values()
        return sorted(places[claim.name] for claim in leaving if claim.is_going and claim.name in places)

    def node_view(self, claim: Claim) -> NodeView:
        """The node of a claim."""
        return self._nodes.of_claim(claim, self.rows[claim.name])

    # -- hands --------------------------------------------------------------------------------

    def launch(self, new: NewClaim) -> Claim | None:
        """Buy a machine; None where no offering is available."""
        launch = self.choose(new, self.offers.catalogue(self.now_us))
        if launch is None:
            return None
        group = self._group_of[new.pool.name]
        number = int(self.cluster.groups.created[group]) + 1
        lot = self._zones.uniform(self.cluster.draw_keys.of_node(group, number))
        zone = launch.zones[int(lot * len(launch.zones))]
        node = self._cloud.launch(self._template(group, new.pool, new.requirements, launch, zone))
        claim = self._claim(node, new.pool)
        self.on_launch(new, launch, claim)
        self.changed()
        return claim

    def begin_with(self, row: int, machine: str, offering: Offering, age_us: int) -> None:
        """A node of a pool that runs already when the run begins; `row` of the group that stands for the pool."""
        pool, catalogue = self._pools[row], self.offers.catalogue(self.now_us)
        number = catalogue.number_of(machine)
        if number is None:
            raise ValueError(f"there is no machine type {machine}")
        launch = Launch(catalogue.types[number], offering.capacity_type, offering.price, (offering.zone,))
        node = self.cluster.request_node(self._template(row, pool, template_needs(pool), launch, offering.zone))
        claim = self._claim(node, pool)
        self._cloud.begin_with(node, age_us)
        claim.created_us = claim.registered_us = claim.initialized_us = self.now_us - age_us

    def _claim(self, node: int, pool: PoolRules) -> Claim:
        """The claim of a node row that is new."""
        name = self.cluster.node_name(node)
        claim = Claim(name, pool, template_identity(pool), self.cluster.node_labels(node), self.now_us)
        claim.pool_now = self._pools[self._group_of[pool.name]]
        claim.register = self.register
        self.claims[name], self.rows[name], self._names[node] = claim, node, name
        return claim

    def _template(
        self, group: int, pool: PoolRules, needs: Mapping[str, LabelRequirement], launch: Launch, zone: str
    ) -> int:
        """The template of nodes of a machine in a zone that are to meet these requirements."""
        well_known = self.offers.catalogue(self.now_us).well_known
        labels = launched_labels(pool, needs, launch, zone, well_known, self._lots.choose)
        return self._machines.of(group, launch, labels, pool)

    def taint(self, claim: Claim, is_disrupted: bool) -> None:
        """Put the taint karpenter.sh/disrupted on the node, or take it off."""
        claim.is_tainted = is_disrupted
        node = self.rows[claim.name]
        if self.cluster.nodes.exists[node]:
            others = tuple(taint for taint in self.cluster.node_taints(node) if taint != DISRUPTED_TAINT)
            self.cluster.set_taints(node, (*others, DISRUPTED_TAINT) if is_disrupted else others)

    def evict(self, pod: PodView) -> None:
        """Ask the eviction API to delete a pod."""
        self.evict_pod(pod.row)

    def delete_pod(self, pod: PodView, grace_us: int) -> None:
        """Delete a pod past its budgets."""
        self.kill_pod(pod.row, grace_us)

    def delete_machine(self, claim: Claim) -> None:
        """Have the cloud delete the machine."""
        claim.instance_deleted_us = self.now_us
        self._cloud.delete_node(self.rows[claim.name])

    def refuse_offering(self, claim: Claim) -> None:
        """Such a machine will not be bought again for a while."""
        labels = claim.labels
        offering = labels[MACHINE_TYPE_LABEL], labels[ZONE_LABEL], labels[CAPACITY_TYPE_LABEL]
        self.offers.refuse(*offering, self.now_us)

    def give_up(self, claim: Claim) -> None:
        """The cloud had no such machine."""
        self.refuse_offering(claim)
        claim.begin_deletion(self.now_us)
        self._cloud.lose_node(self.rows[claim.name])

    def changed(self) -> None:
        """Something has changed that consolidation may depend on."""
        self.on_change()

    # -- what happens -------------------------------------------------------------------------

    def _on_pod(self, event: ClusterEvent) -> None:
        if event.kind is not ClusterEventKind.POD_DELETING:
            self.changed()
        claim = self.claim_of(event.node)
        if claim is not None and not self.cluster.pod_specs[self.cluster.pods.spec[event.pod]].is_daemon:
            noted_us = noted_pod_event(claim.last_pod_event_us, self.now_us)
            if noted_us != claim.last_pod_event_us:
                claim.last_pod_event_us = noted_us

    def _on_node(self, event: ClusterEvent) -> None:
        claim = self.claim_of(event.node)
        if claim is None:
            return
        if event.kind is ClusterEventKind.NODE_GONE:
            del self.claims[claim.name]
        elif event.kind is ClusterEventKind.NODE_ADDED:
            claim.registered_us = self.now_us
            self._set_taints(event.node, with_startup(self.cluster.node_taints(event.node), claim.pool.startup_taints))
        if claim.initialized_us is None and self.cluster.nodes.ready[event.node]:
            self._initialize(event.node, claim)
        elif event.kind is not ClusterEventKind.NODE_CHANGED:
            self.changed()

    def _initialize(self, node: int, claim: Claim) -> None:
        """The node is Ready, and what its start-up taints stand for has come up too."""
        claim.initialized_us = self.now_us
        self._set_taints(node, without_startup(self.cluster.node_taints(node), claim.pool.startup_taints))
        self.changed()

    def _set_taints(self, node: int, taints: tuple[NodeTaint, ...]) -> None:
        if len(taints) != len(self.cluster.node_taints(node)):
            self.cluster.set_taints(node, taints)
