"""What is taken over from an earlier view of the cluster is what a first look at the new one finds."""

from dataclasses import replace

import numpy as np
import pytest

from planner.karpenter.cluster_view import ClusterView
from planner.karpenter.disruption.kept_nodes import KeptNodes
from planner.karpenter.disruption.pass_budgets import PoolSizes
from planner.karpenter.provider import KarpenterProvider
from planner.karpenter.provisioning.round_basis import RoundSettings
from planner.plan.model.karpenter.node_pools import NodePool
from planner.simulation.compile.karpenter import compile_pool
from tests.planner.karpenter.counted.test_counted_rounds import AXIS, KEEPER, POOLS, TYPES, SomeCluster, some_of, told

BOUNDLESS = [compile_pool(NodePool.model_validate({**each, "limits": {}})) for each in POOLS]


def later(view, chance):
    """The view after some nodes have lost pods, come or gone, and a budget of pods has been used up."""
    nodes = list(view.nodes)
    for at in chance.sample(range(len(nodes)), k=min(len(nodes), chance.choice([0, 1, 2]))):
        nodes[at] = replace(
            nodes[at],
            pods=nodes[at].pods[chance.choice([0, 2]) :],
            is_going=chance.random() < 0.3,
            is_ready=chance.random() < 0.7,
        )
    if nodes and chance.random() < 0.3:
        nodes.pop(chance.randrange(len(nodes)))
    if nodes and chance.random() < 0.3:
        nodes.append(replace(nodes[0], name=f"n-{chance.random()}", pods=()))
    budgets = [replace(budget, allowed=chance.choice([0, 1])) for budget in view.budgets]
    return ClusterView(nodes, view.pending, view.daemons, budgets)


def without_keepers(view):
    """The view without pods that keep others away, which outlast their view in what is known of kinds of pods."""
    nodes = [replace(node, pods=tuple(pod for pod in node.pods if pod.spec is not KEEPER)) for node in view.nodes]
    return ClusterView(nodes, view.pending, view.daemons, view.budgets)


def counted(provider, view, gone):
    outcome = provider.counted(view).without(gone)
    return outcome if outcome is None else (told(outcome.claims), outcome.has_failures)


def groups(numbers):
    """Places with equal numbers, and those without one."""
    known = [at for at, number in enumerate(numbers) if number >= 0]
    return [[other for other in known if numbers[other] == numbers[at]] for at in known], len(known)


@pytest.mark.parametrize("seed", range(30))
def test_rounds_budgets_and_candidates_are_those_of_a_first_look(seed):
    made = SomeCluster(seed)
    provider, sizes, kept = KarpenterProvider(AXIS, BOUNDLESS, TYPES, RoundSettings()), PoolSizes(), KeptNodes()
    view = without_keepers(made.view)
    for step in range(6):
        fresh = KarpenterProvider(AXIS, BOUNDLESS, TYPES, RoundSettings())
        made.view = view
        gone = some_of(made, [1, 2])
        assert counted(provider, view, gone) == counted(fresh, view, gone), step
        places = np.array([at for at, node in enumerate(view.nodes) if not node.is_going], dtype=np.int64)
        rooms = provider.rounds(view).rooms
        assert provider.counted(view).rows_at(places).tolist() == [rooms.row_of[view.nodes[at].name] for at in places]
        numbers = [one.likenesses(one.rows_at(places)) for one in (provider.counted(view), fresh.counted(view))]
        assert groups(numbers[0]) == groups(numbers[1]), step
        counts = {pool: size for pool, size in sizes.of(view.nodes).items() if size.nodes}
        assert counts == PoolSizes().of(view.nodes), step
        some, others = kept.candidates(view, provider, step), KeptNodes().candidates(view, fresh, step)
        assert list(some) == list(others), step
        assert list(kept.reasons(view, provider).items()) == list(KeptNodes().reasons(view, fresh).items()), step
        view = later(view, made.chance)


def test_without_nodes_that_are_alike_rounds_come_to_the_same_end():
    provider, compared = KarpenterProvider(AXIS, BOUNDLESS, TYPES, RoundSettings()), 0
    for seed in range(120):
        view = SomeCluster(seed).view
        stay = [node for node in view.nodes if not node.is_going]
        stay += [replace(node, name=f"{node.name}-twin") for node in stay]
        view = ClusterView([*stay, *(node for node in view.nodes if node.is_going)], view.pending, view.daemons)
        ends = {}
        rounds = provider.counted(view)
        for node, number in zip(stay, rounds.likenesses(rounds.rows_at(np.arange(len(stay)))), strict=True):
            if number >= 0:
                end = counted(provider, view, [node])
                compared += (node.pool, number) in ends
                assert ends.setdefault((node.pool, number), end) == end, seed
    assert compared > 20
