"""CPU that nodes grant the pods that serve, in cores at once and over time (docs/model.md, "CPU")."""

import numpy as np
from numpy.typing import NDArray

from planner.workloads.cpu.pod_cpu import KindsCpu, PodCpu
from planner.workloads.load.demand import cores_at_once
from planner.workloads.load.pod_columns import PodsThatServe
from planner.workloads.load.use.asked_cpu import AskedCpu

Ints = NDArray[np.int64]
_NO_MEMBER = -1


def pods_that_serve(
    asked: AskedCpu, of_kind: KindsCpu, members: Ints, of_member: PodCpu, positions: Ints
) -> PodsThatServe:
    """Pods of the services at `positions`, and what each of them can do.

    `of_member` counts for the pods at positions `members`, `of_kind` for all others.
    """
    pods, kinds, demands = asked.pods, asked.pods.kinds, asked.demands
    of_service = pods.serving_of(asked.rows[positions])
    rows, at = np.concatenate(of_service), np.repeat(positions, [len(some) for some in of_service])
    kind, node = pods.kind_of(rows), pods.node_of(rows)
    capacity, slower = of_kind.capacity[kind], np.ones(len(kind))
    if len(members):
        of_row = pods.rows[members]
        member = np.full(max(int(rows.max(initial=0)), int(of_row[-1])) + 1, _NO_MEMBER, np.int64)
        member[of_row] = np.arange(len(members))
        own = np.flatnonzero(member[rows] != _NO_MEMBER)
        of = member[rows[own]]
        capacity[own], slower[own] = of_member.capacity[of], of_member.slower[of]
    cores = cores_at_once(capacity, of_kind.capacity[kind], demands.most_milli[at], asked.cores()[node])
    if asked.cost.acts:
        factor, idle = asked.cost_of_pods(of_kind, np.searchsorted(pods.rows, rows), at), demands.idle_cpu[at]
        spare = np.maximum(0, capacity - idle)
        cores = np.minimum(cores, idle) + np.floor(np.maximum(0, cores - idle) / factor).astype(np.int64)
        capacity = np.minimum(capacity, idle) + np.floor(spare / factor).astype(np.int64)
        slower = slower * factor
    return PodsThatServe(rows, at, capacity, cores, kinds.taking[kind], slower)
