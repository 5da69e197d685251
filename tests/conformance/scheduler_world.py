"""Builds a cluster from the API objects of a scheduler case and gives its pods and nodes their names back."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.kube.pods.pods import KubePod, read_pod
from planner.kube.pods.selectors import (
    read_label_selector,
    read_preferred_terms,
    read_required_terms,
    read_spread_constraint,
)
from planner.kube.pools.nodes import KubeNode, read_node
from planner.matching.taints import Taint
from planner.plan.model.scheduler import StrategyType
from planner.scheduler.preemption import Budget
from planner.scheduler.profile import SchedulerProfile, ScoringStrategy
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.state.resources import NATIVE_NAMES, ResourceAxis
from planner.state.specs import HostPort, NodeSpec, PodPlacement, PodSpec
from planner.units import US_PER_S

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
        pods = [case["pod"]] if "pod" in case else []
        everything = [*case.get("pods", []), *case.get("pendingPods", []), *pods, *extra_pods]
        nodes = [read_node(node) for node in (*case.get("nodes", []), *extra_nodes)]
        names = [name for pod in everything for name in self.read(pod).request]
        names += [name for node in nodes for name in node.allocatable]
        self.clock = ManualClock(NOW_US)
        axis = ResourceAxis(sorted({name for name in names if name not in NATIVE_NAMES}))
        self.cluster = Cluster(self.clock, axis)
        for namespace in case.get("namespaces", []):
            meta = namespace["metadata"]
            self.cluster.set_namespace_labels(meta["name"], meta.get("labels") or {})
        self.nodes: dict[str, int] = {}
        self.pods: dict[str, int] = {}
        for node in case.get("nodes", []):
            self.add_node(read_node(node))

    def read(self, pod: Json) -> KubePod:
        return read_pod(pod, self.objects)

    def add_node(self, node: KubeNode) -> int:
        cluster = self.cluster
        group = cluster.add_group(node.name, 0, 1)
        amounts = cluster.axis.amounts(node.allocatable)
        taints = tuple(Taint(t.key, t.value, t.effect) for t in node.taints)
        spec = NodeSpec(
            len(cluster.node_specs), group, amounts, amounts, node.labels, taints, images=node.images, name=node.name
        )
        cluster.node_specs.append(spec)
        row = cluster.request_node(spec.index)
        if node.unschedulable:
            cluster.nodes.w.unschedulable[row] = True
        cluster.register_node(row)
        self.nodes[node.name] = row
        return row

    def spec_of(self, pod: KubePod, workload: int = NONE) -> PodSpec:
        cluster, axis = self.cluster, self.cluster.axis
        spec = PodSpec(
            index=len(cluster.pod_specs),
            workload=workload,
            namespace=pod.namespace,
            labels=pod.labels,
            request=axis.amounts(pod.request),
            nonzero=np.array(pod.nonzero, dtype=np.int64),
            priority=pod.priority,
            placement=PodPlacement(
                may_preempt=pod.may_preempt,
                tolerations=pod.tolerations,
                node_selector=pod.node_selector,
                required_terms=pod.required_terms,
                preferred_terms=pod.preferred_terms,
                spread_constraints=pod.spread_constraints,
                spread_selector=pod.spread_selector,
                required_affinity=pod.pod_affinity.required_affinity,
                required_anti_affinity=pod.pod_affinity.required_anti_affinity,
                preferred_affinity=pod.pod_affinity.preferred_affinity,
                preferred_anti_affinity=pod.pod_affinity.preferred_anti_affinity,
                host_ports=tuple(HostPort(*port) for port in pod.host_ports),
                images=pod.images,
                score_request=axis.amounts(pod.score_request),
            ),
        )
        cluster.pod_specs.append(spec)
        return spec

    def add_pod(self, pod: Json) -> int | None:
        """A pod in the state its object says; None if the scheduler does not see it."""
        kube, cluster = self.read(pod), self.cluster
        if kube.finished or (kube.node_name and kube.node_name not in self.nodes):
            return None
        spec = self.spec_of(kube, cluster.add_workload(kube.name, kube.namespace))
        row = cluster.create_pods(spec.index, 1)
        self.pods[kube.name] = row
        if kube.node_name:
            keep = self.clock.now_us
            self.clock.now_us = NOW_US if kube.started_us is None else kube.started_us
            cluster.bind(row, self.nodes[kube.node_name])
            self.clock.now_us = keep
            if kube.terminating:
                cluster.begin_deletion(row, EndReason.PREEMPTED if kube.preempted else EndReason.EVICTED)
        elif kube.nominated_node in self.nodes:
            cluster.nominate(row, self.nodes[kube.nominated_node])
        return row

    def node_name(self, row: int) -> str:
        return self.cluster.node_name(row)

    def pod_name(self, row: int) -> str:
        return self.cluster.workload_names[self.cluster.pods.workload[row]]

    def budgets(self, objects: Iterable[Json]) -> tuple[Budget, ...]:
        return tuple(
            Budget(
                namespace=entry["metadata"].get("namespace") or "default",
                selector=read_label_selector(entry["spec"].get("selector") or {}),
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
    """The parts of a KubeSchedulerConfiguration that the scheduler knows."""
    config = config or {}
    profile = (config.get("profiles") or [{}])[0]
    args = {entry["name"]: entry["args"] for entry in profile.get("pluginConfig", [])}
    fields: Json = {}
    _fit(args.get("NodeResourcesFit", {}), fields)
    balanced = args.get("NodeResourcesBalancedAllocation", {})
    if balanced.get("resources"):
        fields["balanced_resources"] = tuple(entry["name"] for entry in balanced["resources"])
    added = args.get("NodeAffinity", {}).get("addedAffinity") or {}
    fields["added_required_terms"] = read_required_terms(added)
    fields["added_preferred_terms"] = read_preferred_terms(added)
    spread = args.get("PodTopologySpread", {})
    if spread.get("defaultingType") == "List":
        fields["system_defaults"] = False
        fields["default_constraints"] = tuple(map(read_spread_constraint, spread.get("defaultConstraints") or ()))
    affinity = args.get("InterPodAffinity", {})
    fields["hard_pod_affinity_weight"] = affinity.get("hardPodAffinityWeight", 1)
    fields["ignore_preferred_of_existing"] = affinity.get("ignorePreferredTermsOfExistingPods", False)
    preemption = args.get("DefaultPreemption", {})
    fields["min_candidate_nodes_absolute"] = preemption.get("minCandidateNodesAbsolute", 100)
    fields["min_candidate_nodes_percentage"] = preemption.get("minCandidateNodesPercentage", 10)
    fields["initial_backoff_us"] = config.get("podInitialBackoffSeconds", 1) * US_PER_S
    fields["max_backoff_us"] = config.get("podMaxBackoffSeconds", 10) * US_PER_S
    percentage = profile.get("percentageOfNodesToScore", config.get("percentageOfNodesToScore"))
    fields["percentage_of_nodes_to_score"] = percentage or 0
    return SchedulerProfile(**fields)


def _fit(args: Json, fields: Json) -> None:
    fields["ignored_resources"] = tuple(args.get("ignoredResources") or ())
    fields["ignored_resource_groups"] = tuple(args.get("ignoredResourceGroups") or ())
    strategy = args.get("scoringStrategy")
    if not strategy:
        return
    shape = (strategy.get("requestedToCapacityRatio") or {}).get("shape") or ()
    resources = strategy.get("resources") or ({"name": "cpu", "weight": 1}, {"name": "memory", "weight": 1})
    fields["scoring"] = ScoringStrategy(
        StrategyType(strategy.get("type", "LeastAllocated")),
        tuple((entry["name"], entry.get("weight", 0)) for entry in resources),
        tuple((point.get("utilization", 0), point.get("score", 0)) for point in shape),
    )
