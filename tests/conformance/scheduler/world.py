"""Builds a cluster from the API objects of a scheduler case and gives its pods and nodes their names back."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from planner.kube.files.field import Field
from planner.kube.kinds.configuration import kube_scheduler_configuration
from planner.kube.pods.pod_terms import label_selector
from planner.plan.model.pods.placement import LabelSelector
from planner.plan.model.scheduler import SchedulerSettings
from planner.scheduler.preemption_result import Budget
from planner.scheduler.profile import SchedulerProfile, profiles_of
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.state.resources import ResourceAxis
from planner.state.specs import PodSpec
from planner.units import US_PER_S
from tests.conformance.imported import (
    HERE,
    ImportedNode,
    both,
    compiled_pod,
    controller_selector,
    extended_names,
    imported_node,
    imported_objects,
    services_of,
    settled,
)

Json = dict[str, Any]
NOW_US = 4_000_000_000 * US_PER_S
OWNERS = ("services", "replicaSets", "statefulSets", "replicationControllers")


@dataclass
class ManualClock:
    """A clock the case sets."""

    now_us: int = 0


class World:
    """A cluster whose nodes are single ones and whose pods have a workload each."""

    def __init__(self, case: Json, extra_pods: Iterable[Json] = (), extra_nodes: Iterable[Json] = ()) -> None:
        self.objects = {key: case.get(key, []) for key in OWNERS}
        self.services = services_of(self.objects["services"])
        pods = [case["pod"]] if "pod" in case else []
        everything = [*case.get("pods", []), *case.get("pendingPods", []), *pods, *extra_pods]
        nodes = [imported_node(node) for node in (*case.get("nodes", []), *extra_nodes)]
        names = [name for pod in everything for name in extended_names(settled(pod))]
        names += [name for node in nodes for name in node.group.extended]
        self.clock = ManualClock(NOW_US)
        axis = ResourceAxis(sorted(dict.fromkeys(names)))
        self.cluster = Cluster(self.clock, axis)
        for namespace in case.get("namespaces", []):
            meta = namespace["metadata"]
            self.cluster.set_namespace_labels(meta["name"], meta.get("labels") or {})
        self.nodes: dict[str, int] = {}
        self.pods: dict[str, int] = {}
        for node in case.get("nodes", []):
            self.add_node(imported_node(node))

    def add_node(self, node: ImportedNode) -> int:
        cluster = self.cluster
        group = cluster.add_group(node.name, 0, 1)
        spec = node.spec(len(cluster.node_specs), group, cluster.axis)
        cluster.node_specs.append(spec)
        row = cluster.request_node(spec.index)
        if node.node.unschedulable:
            cluster.nodes.w.unschedulable[row] = True
        cluster.register_node(row)
        self.nodes[node.name] = row
        return row

    def spec_of(self, pod: Json, workload: int = NONE) -> PodSpec:
        cluster = self.cluster
        made = compiled_pod(settled(pod), len(cluster.pod_specs), cluster.axis, services=self.services)
        by_services = made.placement.spread_selector
        assert by_services is not None
        counted = both(by_services, controller_selector(pod, self.objects))
        spec = replace(made, workload=workload, placement=replace(made.placement, spread_selector=counted))
        cluster.pod_specs.append(spec)
        return spec

    def add_pod(self, pod: Json) -> int | None:
        """A pod in the state its object says; None if the scheduler does not see it."""
        meta, status, cluster = pod["metadata"], pod.get("status") or {}, self.cluster
        node_name = pod["spec"].get("nodeName") or ""
        if status.get("phase") in ("Succeeded", "Failed") or (node_name and node_name not in self.nodes):
            return None
        spec = self.spec_of(pod, cluster.add_workload(meta["name"], meta.get("namespace") or "default"))
        row = cluster.create_pods(spec.index, 1)
        self.pods[meta["name"]] = row
        if node_name:
            keep = self.clock.now_us
            self.clock.now_us = _time_us(status["startTime"]) if status.get("startTime") else NOW_US
            cluster.bind(row, self.nodes[node_name])
            self.clock.now_us = keep
            if meta.get("deletionTimestamp"):
                cluster.begin_deletion(row, EndReason.PREEMPTED if _is_preempted(status) else EndReason.EVICTED)
        elif status.get("nominatedNodeName") in self.nodes:
            cluster.nominate(row, self.nodes[status["nominatedNodeName"]])
        return row

    def node_name(self, row: int) -> str:
        return self.cluster.node_name(row)

    def pod_name(self, row: int) -> str:
        return self.cluster.workload_names[self.cluster.pods.workload[row]]

    def budgets(self, objects: Iterable[Json]) -> tuple[Budget, ...]:
        return tuple(
            Budget(
                namespace=entry["metadata"].get("namespace") or "default",
                selector=LabelSelector.model_validate(label_selector(Field(entry["spec"].get("selector"), HERE)) or {}),
                allowed=(entry.get("status") or {}).get("disruptionsAllowed") or 0,
                disrupted=tuple(
                    self.pods[name]
                    for name in (entry.get("status") or {}).get("disruptedPods") or ()
                    if name in self.pods
                ),
            )
            for entry in objects
        )


def profile_of(config: Json | None) -> SchedulerProfile:
    """The first profile of a KubeSchedulerConfiguration, as a run has it."""
    _, part = imported_objects(kube_scheduler_configuration, (config or {},)).sections["scheduler"]
    return profiles_of(SchedulerSettings.model_validate(part))[0]


def _is_preempted(status: Json) -> bool:
    return any(
        condition.get("type") == "DisruptionTarget"
        and condition.get("status") == "True"
        and condition.get("reason") == "PreemptionByScheduler"
        for condition in status.get("conditions") or ()
    )


def _time_us(text: str) -> int:
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()) * US_PER_S
