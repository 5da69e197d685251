"""The first moment of a run: initial nodes and replicas."""

from collections.abc import Callable, Mapping

import numpy as np

from planner.nodes.cloud.provisioning import Cloud
from planner.plan.model.events.on_workloads import CreateWorkload
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import ONE_PER_NODE, Workload, WorkloadKind
from planner.simulation.compile.world import World, keepers
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase

_PODS_AT_ONCE = 4096
"""Between two looks at whether the run is cancelled: well below 0.1 s."""


def ask_for_nodes(plan: Plan, cloud: Cloud) -> None:
    """The initial nodes of every group; new ones if their pods are to start up first."""
    usual_us, is_warm = plan.simulation.initial_node_age, plan.simulation.warm_start
    for row, group in enumerate(plan.node_groups):
        age_us = usual_us if group.initial_age is None else group.initial_age
        cloud.start_with(row, group.initial_size, age_us if is_warm else 0)


def ask_for_pods(plan: Plan, world: World) -> None:
    """The replicas of everything that is there from the start; Jobs and pods of every node see to themselves."""
    created_later = {event.workload for event in plan.events if isinstance(event, CreateWorkload)}
    for item in keepers(plan):
        row = world.workload_rows[item.name]
        sees_to_itself = isinstance(item, Workload) and item.kind in (*ONE_PER_NODE, WorkloadKind.JOB)
        if item.name in created_later:
            world.cluster.set_absent(row, True)
        elif not sees_to_itself:
            world.cluster.set_replicas(row, item.replicas)


def pod_ages(plan: Plan, world: World) -> dict[int, int]:
    """How old pods at the start are, by row of workloads with an age of their own; microseconds."""
    return {world.workload_rows[item.name]: item.initial_age for item in plan.workloads if item.initial_age is not None}


def make_ready(cluster: Cluster, usual_us: int, ages: Mapping[int, int], check_stop: Callable[[], None]) -> bool:
    """Pods that have a node are Ready, and have been for so long; the start-up that their binding began then finds them
    running. `ages`: by workload row, where they differ from the usual one.

    Whether there were any: others may have waited for them, as the next pod of a StatefulSet does.

    `check_stop` is called now and then; it raises RunStopped if the run was cancelled.
    """
    pods = cluster.pods
    placed = np.flatnonzero((pods.node != NONE) & (pods.phase == PodPhase.PENDING))
    for first in range(0, len(placed), _PODS_AT_ONCE):
        check_stop()
        cluster.mark_all_running(placed[first : first + _PODS_AT_ONCE].tolist())
    age_us = np.array([ages.get(row, usual_us) for row in pods.workload[placed].tolist()], dtype=np.int64)
    for age in sorted(set(age_us.tolist())):
        cluster.predate_pods(placed[age_us == age].tolist(), age)
    return len(placed) > 0
