"""What consolidation does not work out again changes nothing of what it finds."""

import random

import pytest

from planner.engine.loop import EventLoop
from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.control.disruption_loop import DisruptionLoop
from planner.karpenter.control.node_views import NodeViews
from planner.karpenter.counted.counted_rounds import CountedRounds
from planner.karpenter.counted.round_queue import RoundQueue, queued
from planner.karpenter.disruption.candidates import candidates
from planner.karpenter.disruption.commands import DisruptionMethod
from planner.karpenter.disruption.methods import DisruptionScene, find_command
from planner.karpenter.pod_view import PodView
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.provider import KarpenterProvider
from planner.karpenter.provisioning.round_basis import RoundSettings
from planner.plan.model.karpenter.node_pools import NodePool
from planner.simulation.compile.karpenter import compile_pool
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from planner.units import US_PER_H
from tests.planner.karpenter.counted.test_counted_rounds import AXIS, SHAPES, TYPES
from tests.planner.karpenter.karpenter_plans import karpenter_plan, pool
from tests.planner.nodes.small_plan import a_workload

POOLS = [compile_pool(NodePool.model_validate(pool(disruption={"consolidateAfter": "0s"})))]
MULTI = DisruptionMethod.MULTI_NODE


def crowded(seed):
    """Initialized nodes and a few that start up or go, with pods of one kind that leave little room, and some that
    wait.
    """
    chance, shape, row = random.Random(seed), SHAPES[0], 0
    nodes = []
    for number in range(chance.randint(3, 14)):
        made, is_new = TYPES.types[chance.randint(0, 2)], chance.random() < 0.2
        most = int(made.allocatable[0] // shape.request[0])
        count = 0 if is_new else most - chance.choice([0, 0, 1, 2])
        pods = [PodView(row + at, f"default/{row + at:04d}", shape, chance.randint(0, 3)) for at in range(count)]
        row += count
        labels = {**made.labels, "topology.kubernetes.io/zone": "a", "karpenter.sh/capacity-type": "on-demand"}
        state = {"is_initialized": not is_new, "is_consolidatable": True, "is_going": chance.random() < 0.1}
        parts = (), made.capacity, made.allocatable, "general"
        nodes.append(NodeView(f"n-{number:02d}", labels, *parts, pods=tuple(pods), **state))
    waiting = [PodView(row + at, f"default/w-{at}", shape, 0) for at in range(chance.choice([0, 0, 0, 2]))]
    return ClusterView(nodes, waiting)


def found_in(view):
    provider = KarpenterProvider(AXIS, POOLS, TYPES, RoundSettings())
    chosen = candidates(view, view.nodes, provider, MULTI, 0)
    search = find_command(MULTI, DisruptionScene(view, provider, False, {"general": 100}), chosen)
    command = search.command
    return search.held_back, command and ([each.node.name for each in command.candidates], command.nominated)


def test_a_search_that_fails_from_two_nodes_on_finds_nothing(monkeypatch):
    views = [crowded(seed) for seed in range(400)]
    spared, fail_from = [], CountedRounds.fail_from
    late, start_too_late = [], CountedRounds._start_too_late

    def noted(self, nodes, others):
        spared.append(fail_from(self, nodes, others))
        return spared[-1]

    def noted_late(self, run, rows, starting):
        late.append(start_too_late(self, run, rows, starting))
        return late[-1]

    monkeypatch.setattr(CountedRounds, "fail_from", noted)
    monkeypatch.setattr(CountedRounds, "_start_too_late", noted_late)
    found = [found_in(view) for view in views]
    assert 20 < sum(spared) < len(spared) - 20
    assert 5 < sum(late) < len(late) - 5
    monkeypatch.setattr(CountedRounds, "fail_from", lambda self, nodes, others: False)
    assert found == [found_in(view) for view in views]


@pytest.mark.parametrize("seed", range(20))
def test_the_queue_without_some_nodes_is_that_of_a_first_sort(seed):
    chance = random.Random(seed)
    pods = [RoundPod(row, f"{chance.random()}", chance.choice(SHAPES), chance.randint(0, 2)) for row in range(60)]
    nodes = [NodeView(f"n-{at}", {}, (), AXIS.amounts({}), AXIS.amounts({})) for at in range(6)]
    own = {node.name: queued(pods[10 * at : 10 * at + 10]) for at, node in enumerate(nodes[:5])}
    own[nodes[5].name] = []
    base = pods[50:]
    queue = RoundQueue(base, lambda node: own[node.name])
    for _ in range(8):
        gone = chance.sample(nodes, k=chance.randint(0, 6))
        wanted = [pod for _, _, pod in queued([*base, *(pod for node in gone for _, _, pod in own[node.name])])]
        assert queue.of(gone) == wanted


def facts_of(node):
    """What is seen of a node, its pods but for what no one asks: whether they are Ready."""
    pods = [(pod.row, pod.is_active, pod.is_stuck, pod.keeps_node, pod.spec) for pod in node.pods]
    kept = {name: value for name, value in vars(node).items() if name in NodeView.__dataclass_fields__}
    amounts = {name: None if value is None else value.tolist() for name, value in kept.items() if name in AMOUNTS}
    return {name: value for name, value in kept.items() if name not in (*AMOUNTS, "pods")}, amounts, pods


def is_told_plainly(node):
    """Whether the pods of a node are plain, and what tells of them is true."""
    plain, movers = node.plain, node.movers
    if plain is None:
        return False
    assert [plain.specs[number] for number in plain.movers.tolist()] == [pod.spec for pod in movers]
    assert plain.created_us.tolist() == [pod.created_us for pod in movers]
    assert node.eviction_cost == sum(pod.eviction_cost for pod in node.pods)
    return True


AMOUNTS = ("capacity", "allocatable", "requested")


@pytest.mark.parametrize(("budget", "costly"), [(False, False), (True, False), (False, True)])
def test_views_of_a_run_are_those_of_a_first_look(budget, costly, monkeypatch):
    budgets = [{"name": "web", "selector": {"matchLabels": {"app": "web"}}, "maxUnavailable": 1}] if budget else []
    loads = [a_workload("web", 14), a_workload("api", 9, pod={"deletionCost": 3} if costly else {})]
    plan = karpenter_plan(
        [pool(disruption={"consolidateAfter": "30s"}, expireAfter="20m")],
        workloads=loads,
        simulation={"duration": "2h", "discreteRequests": False},
        podDisruptionBudgets=budgets,
    )
    sim = Simulation(plan, 1)
    compared, go_on = [0, 0, 0], DisruptionLoop.go_on

    def compare(self):
        world = sim.karpenter.world
        fresh = NodeViews(world.cluster, type(world._views)(world.cluster))
        view = world.view()
        seen = view.nodes
        register, views = type(world.register)(), [claim.known_view for claim in world.claims.values()]
        for claim in world.claims.values():
            claim.known_view = None
        wanted = fresh.of_claims(world.claims, world.rows, register)
        for claim, known in zip(world.claims.values(), views, strict=True):
            claim.known_view = known
        assert [facts_of(node) for node in seen] == [facts_of(node) for node in wanted]
        told = [is_told_plainly(node) for node in seen if len(node.pods)]
        assert costly or all(told)
        compared[2] += told.count(False)
        assert view.names == [node.name for node in wanted]
        assert view.going == [at for at, node in enumerate(wanted) if node.is_going]
        compared[0] += 1
        compared[1] += len(view.going)
        go_on(self)

    monkeypatch.setattr(DisruptionLoop, "go_on", compare)
    sim.start()
    EventLoop(sim.events, handlers(sim), sim.settle).run_until(US_PER_H)
    assert compared[0] > 100 and compared[1] > 5 and (compared[2] > 0) == costly
