"""What `kubectl get` prints of nodes, pods, Jobs and Karpenter's NodeClaims at a time of a run."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from planner.plan.model.plan import Plan
from planner.record.history import NEVER, ClusterHistory, JobHistory
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
_JOBS = ("NAMESPACE", "NAME", "STATUS", "COMPLETIONS", "DURATION", "AGE")
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


def _jobs(plan: Plan, moment: ClusterMoment) -> list[_Cells]:
    """Jobs that ended until they are deleted; a living pod of a ScaledJob is a Job of its own."""
    pods, now_us = moment.history.pods, moment.time_us
    made = {(one.namespace, one.job_target) for one in plan.scaled_jobs}
    is_made = [owner in made for owner in zip(pods.namespaces, pods.workloads, strict=True)]
    listed = [
        job
        for job in moment.history.jobs
        if _has(job.completed_us if is_made[job.workload] else job.created_us, now_us)
        and not _has(job.deleted_us, now_us)
    ]
    for row in map(int, np.concatenate((moment.pending, moment.bound))):
        if is_made[pods.workload[row]]:
            listed.append(JobHistory(int(pods.workload[row]), pods.name(row), 1, int(pods.created_us[row])))
    return sorted((pods.namespaces[job.workload], *_job_cells(job, now_us)) for job in listed)


def _job_cells(job: JobHistory, now_us: int) -> _Cells:
    """kubectl 1.36, printJob: of one that failed the duration goes on."""
    is_complete = _has(job.completed_us, now_us)
    status = "Complete" if is_complete else "Failed" if _has(job.failed_us, now_us) else "Running"
    succeeded = sum(time_us <= now_us for time_us in job.succeeded_us)
    took = age_text(job.created_us, job.completed_us if is_complete else now_us)
    return job.name, status, f"{succeeded}/{job.completions}", took, age_text(job.created_us, now_us)


def _has(time_us: int, now_us: int) -> bool:
    """Whether something has happened by then."""
    return NEVER != time_us <= now_us


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
    {"nodes": (_NODES, _nodes), "pods": (_PODS, _pods), "jobs": (_JOBS, _jobs), "nodeclaims": (_CLAIMS, _claims)}
)
"""Header and cells by kind, as the command names it."""
