"""A round that is counted comes to the same end as the round itself."""

import random

import numpy as np
import pytest

from planner.karpenter.budget_view import BudgetView
from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.counted.counted_rounds import CountedRounds
from planner.karpenter.disruption.commands import DisruptionCandidate
from planner.karpenter.disruption.evaluation import simulate
from planner.karpenter.pod_view import PodView
from planner.karpenter.provider import KarpenterProvider
from planner.karpenter.provisioning.round_basis import RoundSettings
from planner.matching.taints import NodeTaint, TaintEffect
from planner.plan.model.karpenter.machine_types import MachineType
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.pods.placement import LabelSelector, PodAffinityTerm, Toleration
from planner.simulation.compile.karpenter import compile_catalogue, compile_pool
from planner.state.resources import ResourceAxis
from planner.state.specs import HOSTNAME_LABEL, PodPlacement, PodSpec
from tests.planner.karpenter.karpenter_plans import machine, pool

AXIS = ResourceAxis()
TAINT = {"key": "team", "value": "a", "effect": "NoSchedule"}
KINDS = [machine(name, cores, cores) for name, cores in (("s", 2), ("m", 4), ("l", 6))]
TYPES = compile_catalogue([MachineType.model_validate(each) for each in KINDS], AXIS)
POOLS = [
    pool(limits={"cpu": "30"}),
    pool("team", taints=[TAINT], labels={"disk": "fast"}, weight=5, limits={"nodes": 4}),
]
TOLERATES = (Toleration(key="team", operator="Exists"),)
PLACES = [
    PodPlacement(),
    PodPlacement(tolerations=TOLERATES),
    PodPlacement(tolerations=TOLERATES, node_selector={"disk": "fast"}),
    PodPlacement(node_selector={"topology.kubernetes.io/zone": "a"}),
]
SIZES = [(500, 2), (900, 1), (900, 3), (1900, 1)]
SHAPES = [
    PodSpec(
        at,
        at,
        "default",
        {"app": f"a{at}"},
        AXIS.amounts({"cpu": cpu, "memory": memory << 28}),
        np.zeros(2),
        placement=PLACES[at % 4],
    )
    for at, (cpu, memory) in enumerate(SIZES * 3)
]
KEEPER = PodSpec(
    99,
    99,
    "default",
    {"app": "keeper"},
    AXIS.amounts({"cpu": 100}),
    np.zeros(2),
    placement=PodPlacement(
        required_anti_affinity=(
            PodAffinityTerm(topology_key=HOSTNAME_LABEL, label_selector=LabelSelector(match_labels={"app": "a0"})),
        )
    ),
)


class SomeCluster:
    """Nodes of all types in two zones with as many pods as fit, or fewer; some start up, go, or are not Karpenter's."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.rows = 0
        kinds = self.chance.sample(SHAPES, k=self.chance.choice([1, 2, 4]))
        nodes = [self._node(number, kinds) for number in range(self.chance.randint(2, 9))]
        waiting = self._pods(self.chance.choices(kinds, k=self.chance.choice([0, 0, 3])))
        budgets = [BudgetView("default", "a0", LabelSelector(match_labels={"app": "a0"}), 1)] * (seed % 3 == 0)
        daemon = PodSpec(
            50, 50, "kube-system", {}, AXIS.amounts({"cpu": 100}), np.zeros(2), placement=PLACES[1], is_daemon=True
        )
        self.view = ClusterView(nodes, waiting, [daemon], budgets)

    def _pods(self, shapes):
        first, self.rows = self.rows, self.rows + len(shapes)
        return [PodView(first + at, f"default/{first + at}", each, at % 3) for at, each in enumerate(shapes)]

    def _node(self, number, kinds):
        chance = self.chance
        made, own = TYPES.types[chance.randint(0, 2)], POOLS[chance.randint(0, 1)]
        left, shapes = int(made.allocatable[0]) * chance.choice([0.3, 0.7, 1.0]), []
        for shape in chance.choices(kinds, k=12):
            if shape.request[0] <= left:
                left -= int(shape.request[0])
                shapes.append(shape)
        if chance.random() < 0.05:
            shapes.append(KEEPER)
        taints = [NodeTaint(**{**each, "effect": TaintEffect(each["effect"])}) for each in own.get("taints", ())]
        zone = {"topology.kubernetes.io/zone": chance.choice("ab"), "karpenter.sh/capacity-type": "on-demand"}
        return NodeView(
            f"n-{number}",
            {**made.labels, **zone, **own.get("labels", {}), HOSTNAME_LABEL: f"n-{number}"},
            tuple(taints),
            made.capacity,
            made.allocatable,
            chance.choice([own["name"], own["name"], ""]),
            is_initialized=chance.random() < 0.8,
            is_going=chance.random() < 0.1,
            pods=tuple(self._pods(shapes)),
        )


def told(claims):
    """What consolidation reads of claims."""
    return [
        (c.pool.name, c.types, c.requests.tolist(), dict(c.requirements), len(c.pods), c.min_values_lowered)
        for c in claims
    ]


def in_rows(found):
    """Which pods a round puts on nodes and claims, and which it refuses for what."""
    placed = [(name, [pod.row for pod in pods]) for name, pods in found.placed.items()]
    failures = [(pod.row, reasons) for pod, reasons in found.failures]
    return placed, [[pod.row for pod in claim.pods] for claim in found.claims], failures


@pytest.mark.parametrize("block", range(4))
def test_counting_comes_to_the_same_end_as_the_simulation(block, monkeypatch):
    monkeypatch.setattr(CountedRounds, "place", lambda self, nodes: None)
    pools = [compile_pool(NodePool.model_validate(each)) for each in POOLS]
    provider = KarpenterProvider(AXIS, pools, TYPES, RoundSettings())
    counted, with_claims = 0, 0
    for seed in range(block * 60, block * 60 + 60):
        made = SomeCluster(seed)
        gone = some_of(made, [1, 1, 2, 4])
        outcome = provider.counted(made.view).without(gone)
        if outcome is None:
            continue
        found = simulate(made.view, provider, tuple(DisruptionCandidate(node, 1.0, False) for node in gone))
        assert outcome.has_failures == bool(found.failures), seed
        assert outcome.has_failures or told(outcome.claims) == told(found.result.claims), seed
        counted, with_claims = counted + 1, with_claims + bool(outcome.claims)
    assert counted > 40 and with_claims > 10


def some_of(made, counts):
    """Nodes that might go, as many as one of these numbers."""
    stay = [node for node in made.view.nodes if not node.is_going]
    return made.chance.sample(stay, k=min(len(stay), made.chance.choice(counts)))


def test_without_limits_two_new_nodes_stand_for_more(monkeypatch):
    monkeypatch.setattr(CountedRounds, "place", lambda self, nodes: None)
    pools = [compile_pool(NodePool.model_validate({**each, "limits": {}})) for each in POOLS]
    provider = KarpenterProvider(AXIS, pools, TYPES, RoundSettings())
    numbers = set()
    for seed in range(120):
        made = SomeCluster(seed)
        gone = some_of(made, [1, 2, 6])
        outcome = provider.counted(made.view).without(gone)
        if outcome is None:
            continue
        found = simulate(made.view, provider, tuple(DisruptionCandidate(node, 1.0, False) for node in gone))
        assert outcome.has_failures == bool(found.failures), seed
        count = len(found.result.claims)
        numbers.add(count)
        if not outcome.has_failures:
            assert len(outcome.claims) == min(count, 2), seed
            assert count > 1 or told(outcome.claims) == told(found.result.claims), seed
    assert max(numbers) > 2


@pytest.mark.parametrize("limit", ["8", "30"])
def test_a_counted_round_puts_every_pod_where_the_round_itself_puts_it(limit):
    pools = [compile_pool(NodePool.model_validate({**each, "limits": {"cpu": limit}})) for each in POOLS]
    provider = KarpenterProvider(AXIS, pools, TYPES, RoundSettings())
    compared = set()
    for seed in range(80):
        made = SomeCluster(seed)
        gone = some_of(made, [0, 1, 3])
        counted = provider.counted(made.view).place(gone)
        if counted is None:
            continue
        played = provider.rounds(made.view).place([node.name for node in gone])
        assert in_rows(counted) == in_rows(played), seed
        assert told(counted.claims) == told(played.claims), seed
        compared.add((bool(counted.placed), bool(counted.claims), bool(counted.failures)))
    assert len(compared) >= 4


def test_pods_that_others_keep_away_are_not_counted():
    provider = KarpenterProvider(AXIS, [compile_pool(NodePool.model_validate(pool()))], TYPES, RoundSettings())
    made = TYPES.types[0]
    alike = SHAPES[4]  # but for its labels
    pods = [(PodView(number, f"default/{number}", spec, 0),) for number, spec in enumerate((alike, SHAPES[0], KEEPER))]
    nodes = [
        NodeView(f"n-{at}", made.labels, (), made.capacity, made.allocatable, "general", pods=its)
        for at, its in enumerate(pods)
    ]
    assert provider.counted(ClusterView(nodes, [])).without(nodes[1:2]) is None
    assert provider.counted(ClusterView(nodes[:1], [])).without(nodes[:1]) is not None
