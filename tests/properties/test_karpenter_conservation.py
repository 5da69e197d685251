"""Whatever Karpenter and the Cluster Autoscaler do: no pod is lost, no node counts twice, no budget is exceeded."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.record.decisions import Actor, Verdict
from planner.simulation.simulation import Simulation
from planner.state.nodes import NONE
from tests.planner.karpenter.karpenter_plans import karpenter_plan, machine, pool, run
from tests.planner.nodes.small_plan import a_group, a_workload

MARKETS = ("on-demand", "spot")
MACHINES = [machine(name, cores, cores * 0.05, MARKETS) for name, cores in {"s": 2, "m": 4, "l": 8}.items()]


@st.composite
def busy_plans(draw):
    """Two pools with budgets and expiry, a node group, workloads that change, and trouble with the cloud."""
    most = draw(st.integers(1, 3))
    disruption = {"budgets": [{"nodes": most}], "consolidateAfter": draw(st.sampled_from(["0s", "30s", "2m"]))}
    life = draw(st.sampled_from([None, "8m", "20m"]))
    both = {"key": "karpenter.sh/capacity-type", "operator": "In", "values": list(MARKETS)}
    pools = [
        pool("general", requirements=[both], disruption=disruption, expireAfter=life),
        pool("spare", disruption=disruption, limits={"cpu": "16"}, weight=draw(st.integers(0, 2))),
    ]
    events = [
        {"type": "setReplicas", "at": f"{minute}m", "workload": "web", "replicas": draw(st.integers(0, 14))}
        for minute in draw(st.lists(st.integers(1, 25), max_size=4))
    ]
    trouble = st.sampled_from(
        [
            {"type": "stockOut", "at": "3m", "nodeGroup": "general", "available": 0, "duration": "4m"},
            {"type": "spotReclaim", "at": "9m", "nodeGroup": "general", "count": 1, "notice": "30s"},
            {"type": "zoneOutage", "at": "12m", "zone": "a", "duration": "5m"},
            {"type": "nodeLoss", "at": "15m", "nodeGroup": "general", "count": 1},
        ]
    )
    events += draw(st.lists(trouble, max_size=2))
    grouped = [a_group("fixed", draw(st.integers(0, 1)), maxSize=2)] if draw(st.booleans()) else []
    budgets = [{"name": "web", "selector": {"matchLabels": {"app": "web"}}, "maxUnavailable": 2}]
    workloads = [a_workload("web", draw(st.integers(0, 12))), a_workload("agent", 1, kind="DaemonSet")]
    plan = karpenter_plan(
        pools, MACHINES, workloads=workloads, events=events, nodeGroups=grouped,
        podDisruptionBudgets=budgets if draw(st.booleans()) else [],
        clusterAutoscaler={"enabled": draw(st.booleans())},
    )  # fmt: skip
    return plan, most


@settings(max_examples=12, deadline=None)
@given(busy_plans())
def test_no_pod_is_lost_no_node_counts_twice_and_no_budget_is_exceeded(drawn):
    plan, most = drawn
    sim = run(plan)
    web = sim.world.workload_rows["web"]
    assert int(sim.cluster.workloads.active[web]) == int(sim.cluster.workloads.desired[web])
    names = [sim.cluster.node_name(row) for row in range(sim.cluster.nodes.count)]
    assert len(names) == len(set(names))
    nodes = sim.cluster.nodes
    for group, rows in enumerate(sim.cluster.group_nodes):
        assert all(nodes.removed_us[row] == NONE for row in rows)
        wanted = int(np.count_nonzero(nodes.delete_requested_us[list(rows)] == NONE)) if rows else 0
        assert int(sim.cluster.groups.target[group]) == wanted
    for name in ("general", "spare"):
        assert most_at_once(sim, name) <= most


def most_at_once(sim: Simulation, pool_name: str) -> int:
    """The largest number of a pool's nodes that commands were removing at a time."""
    rows = {sim.cluster.node_name(row): row for row in range(sim.cluster.nodes.count)}
    spans = []
    for one in sim.recorder.decisions:
        if (one.actor, one.verdict) == (Actor.KARPENTER, Verdict.REMOVING) and one.subject.startswith(pool_name):
            end_us = int(sim.cluster.nodes.delete_requested_us[rows[one.subject]])
            spans.append((one.time_us, end_us if end_us != NONE else one.time_us + 1))
    return max((sum(start <= at < end for start, end in spans) for at, _ in spans), default=0)
