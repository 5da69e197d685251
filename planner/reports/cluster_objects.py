"""What `kubectl get` prints of nodes, pods and Karpenter's NodeClaims at a time of a run."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from planner.plan.model.plan import Plan
from planner.record.history import NEVER, ClusterHistory
from planner.record.kubectl_words import (
    NONE,
    POD_STATUS,
    age_text,
    capacity_type_of,
    container_counts,
    is_registered,
    machine_type_of,
    node_age,
    node_condition,
    node_of,
    pod_age,
    ready_text,
    state_of,
    version_text,
    zone_of,
)
from planner.record.moment import ClusterMoment, Timeline
from planner.record.object_lists import ListedObject, ObjectList, status_word

_NODES = ("NAME", "STATUS", "ROLES", "AGE", "VERSION")
_PODS = ("NAMESPACE", "NAME", "READY", "STATUS", "AGE", "NODE")
_CLAIMS = ("NAME", "TYPE", "CAPACITY", "ZONE", "NODE", "READY", "AGE", "NODEPOOL")
_Cells = tuple[str, ...]


def cluster_objects(kind: str, plan: Plan, history: ClusterHistory, at_us: int) -> ObjectList:
    """The lines of all objects of a kind of `CLUSTER_KINDS` that are there."""
    header, cells = CLUSTER_KINDS[kind]
    rows = cells(plan, ClusterMoment(Timeline(history), at_us))
    return ObjectList(kind, header, tuple(ListedObject(each, None) for each in rows))


def _nodes(plan: Plan, moment: ClusterMoment) -> list[_Cells]:
    names, version = moment.history.nodes.names, version_text(plan)
    rows = [int(node) for node in moment.nodes if is_registered(moment, int(node))]
    return sorted((names[row], node_condition(moment, row), NONE, node_age(moment, row), version) for row in rows)


def _pods(plan: Plan, moment: ClusterMoment) -> list[_Cells]:
    """With those that wait for a node; pods that have ended are gone."""
    pods, counts = moment.history.pods, container_counts(plan)
    found = []
    for row in map(int, np.concatenate((moment.pending, moment.bound))):
        workload = int(pods.workload[row])
        ready = ready_text(moment, row, counts)
        status = POD_STATUS[state_of(moment, row)]
        line = pods.namespaces[workload], pods.name(row), ready, status, pod_age(moment, row), node_of(moment, row)
        found.append(line)
    return sorted(found)


def _claims(_plan: Plan, moment: ClusterMoment) -> list[_Cells]:
    """Karpenter 1.13, pkg/apis/v1/nodeclaim.go (columns of the custom resource). A claim is called as its node."""
    nodes, now_us = moment.history.nodes, moment.time_us
    found = []
    for row in map(int, moment.nodes):
        capacity = capacity_type_of(moment, row)
        if capacity == NONE:
            continue
        node = nodes.names[row] if is_registered(moment, row) else ""
        is_ready = NEVER != nodes.ready_us[row] <= now_us
        age = age_text(int(nodes.requested_us[row]), now_us)
        pool = nodes.groups[int(nodes.group[row])]
        offer = machine_type_of(moment, row), capacity, zone_of(moment, row)
        found.append((nodes.names[row], *offer, node, status_word(True if is_ready else None), age, pool))
    return sorted(found)


CLUSTER_KINDS: Mapping[str, tuple[_Cells, Callable[[Plan, ClusterMoment], list[_Cells]]]] = MappingProxyType(
    {"nodes": (_NODES, _nodes), "pods": (_PODS, _pods), "nodeclaims": (_CLAIMS, _claims)}
)
"""Header and cells by kind, as the command names it."""
