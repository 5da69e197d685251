"""The cluster of a Cluster Autoscaler case: objects of the API become rows, cloud and API answer as recorded."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from planner.autoscaler.cloud import CloudRefusal
from planner.autoscaler.loop.static_autoscaler import StaticAutoscaler
from planner.matching.taints import NodeTaint, TaintEffect
from planner.plan.derived.pod_requests import is_extended_resource
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.workloads import WorkloadKind
from planner.record.recorder import Recorder
from planner.scheduler.feasibility.static_fit import StaticFit
from planner.simulation.compile.nodes import compile_node
from planner.state.cluster import Cluster
from planner.state.pods import EndReason
from planner.state.resources import ResourceAxis
from planner.state.scaling import ControllerKind
from planner.state.specs import HOSTNAME_LABEL, NodeSpec, PodSpec
from planner.units import US_PER_S
from tests.conformance.cluster_autoscaler.settings import read_options, read_settings
from tests.conformance.imported import compiled_pod, imported_node
from tests.conformance.object_status import KnownBudget, WrittenBudgets, controller_of, is_terminal

Json = dict[str, Any]

T0_US = 12_000_000 * US_PER_S
"""A whole number of two-minute periods, after which the list of instances is refreshed."""
EPOCH = datetime(2000, 1, 2, tzinfo=UTC)
PRICE_LABEL = "example.com/price-per-hour"
DISABLED = "cluster-autoscaler.kubernetes.io/scale-down-disabled"
NOT_READY = NodeTaint("node.kubernetes.io/not-ready", "", TaintEffect.NO_SCHEDULE)
KINDS = {
    "ReplicaSet": ControllerKind.REPLICA_SET,
    "ReplicationController": ControllerKind.REPLICATION_CONTROLLER,
    "StatefulSet": ControllerKind.STATEFUL_SET,
    "Job": ControllerKind.JOB,
    "DaemonSet": ControllerKind.DAEMON_SET,
}


def resource_axis(found: Json) -> ResourceAxis:
    """All resources that a case names."""
    names: dict[str, None] = {}

    def walk(value: object) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key in ("requests", "limits", "capacity", "allocatable", "overhead") and isinstance(inner, dict):
                    names.update(dict.fromkeys(filter(is_extended_resource, inner)))
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(found)
    return ResourceAxis(sorted(names))


def offset_us(stamp: str) -> int:
    """A time stamp in microseconds since t = 0."""
    return round((datetime.fromisoformat(stamp.replace("Z", "+00:00")) - EPOCH).total_seconds()) * US_PER_S


def read_taints(taints: Any) -> tuple[NodeTaint, ...]:
    """Taints of a node object."""
    return tuple(NodeTaint(each["key"], each.get("value") or "", TaintEffect(each["effect"])) for each in taints or ())


def _metadata(group: Json) -> Json:
    given: Json = group["template"].get("metadata", {})
    return given


class CaseWorld:
    """The cluster of a case, with the cloud and the API as the vectors describe them."""

    def __init__(self, given: Json) -> None:
        self.now_us = T0_US
        self.given = given
        self.axis = resource_axis(given)
        self.cluster = Cluster(self, self.axis)
        self.recorder = Recorder()
        self.settings: ClusterAutoscalerSettings = read_settings(given)
        self.refusals: dict[int, int] = {}
        self.set_of: dict[int, str] = {}
        self.name_of: dict[int, str] = {}
        self.rows: dict[str, int] = {}
        self.pod_rows: dict[str, int] = {}
        self._workloads: dict[str, int] = {}
        self._owners = {
            (each["kind"], each.get("namespace") or "default", each["name"]): each.get("replicas", 0)
            for each in given.get("controllers", [])
        } | {
            ("DaemonSet", each["metadata"].get("namespace") or "default", each["metadata"]["name"]): 1
            for each in given.get("daemonSets", [])
        }
        self.groups = [group["id"] for group in given["nodeGroups"]]
        for group in given["nodeGroups"]:
            self._add_group(group)
        outside = sum("group" not in node for node in given["nodes"])
        if outside:
            self._add_outside(outside)
        for node in given["nodes"]:
            self._add_node(node)
        self.daemons = [self._daemon(each) for each in given.get("daemonSets", [])]
        for entry in given["pods"]:
            self.add_pods(entry)
        for row, group in enumerate(given["nodeGroups"]):
            self.cluster.set_target(row, group["targetSize"])
        self.now_us = T0_US
        self.autoscaler = self._autoscaler()
        for row, group in enumerate(given["nodeGroups"]):
            self._recall(row, group)

    def _autoscaler(self) -> StaticAutoscaler:
        given, cluster = self.given, self.cluster
        described = [
            spec
            for spec, group in zip(cluster.node_specs, given["nodeGroups"], strict=False)
            if not group.get("noTemplate")
        ]
        budgets = [KnownBudget(each) for each in given.get("podDisruptionBudgets", [])]
        return StaticAutoscaler(
            cluster,
            self.recorder,
            self.settings,
            StaticFit(cluster),
            self,
            self,
            described,
            self.daemons,
            group_settings={row: read_options(group) for row, group in enumerate(given["nodeGroups"])},
            budgets=WrittenBudgets(cluster, budgets),
        )

    def _recall(self, row: int, group: Json) -> None:
        """What the autoscaler remembers of a group."""
        state, settings = self.autoscaler.group_state, self.settings
        pending, failed = group.get("pendingScaleUp"), group.get("backoff")
        if pending:
            state.note_scale_up(row, pending["increase"], T0_US - round(pending["requestedAgo"] * US_PER_S))
        if failed:
            times = [T0_US - round(failed["failedAgo"] * US_PER_S)]
            for nth in range(failed.get("times", 1) - 1, 0, -1):
                window_us = settings.initial_node_group_backoff_duration * 2 ** (nth - 1)
                window_us = min(window_us, settings.max_node_group_backoff_duration)
                times.append(times[-1] - window_us - US_PER_S)
            for at_us in reversed(times):
                state.backoff.forget_stale(at_us)
                state.backoff.fail(row, at_us)

    # -- nodes --------------------------------------------------------------------------------

    def _add_group(self, group: Json) -> None:
        row = self.cluster.add_group(group["id"], group["minSize"], group["maxSize"])
        template = imported_node({**group["template"], "metadata": {"name": group["id"], **_metadata(group)}})
        made = compile_node(template.group, row, self.axis)
        price = float(made.labels.get(PRICE_LABEL, 0))
        self.cluster.node_specs.append(replace(made, price_per_hour=price))
        self.refusals[row] = group.get("provisioning", {}).get("failIncrease", 0)

    def named_spec(self, group: int, node: Json) -> NodeSpec:
        """The node's own template: that of its group, with its name and what is special about it."""
        base = self.cluster.node_specs[group]
        if "capacity" in node:
            alone = imported_node({"metadata": {"name": node["name"]}, "status": {"capacity": node["capacity"]}})
            base = compile_node(alone.group, group, self.axis)
        spec = replace(
            base,
            index=len(self.cluster.node_specs),
            labels={**base.labels, HOSTNAME_LABEL: node["name"], **node.get("labels", {})},
            taints=(*base.taints, *read_taints(node.get("taints"))),
            price_per_hour=0.0,
            scale_down_disabled=node.get("annotations", {}).get(DISABLED) == "true",
            name=node["name"],
        )
        self.cluster.node_specs.append(spec)
        return spec

    def _add_node(self, node: Json) -> None:
        group = self.groups.index(node["group"]) if "group" in node else len(self.groups)
        spec = self.named_spec(group, node)
        self.now_us = T0_US + round(node["created"] * US_PER_S)
        row = self.rows[node["name"]] = self.cluster.request_node(spec.index)
        self.cluster.register_node(row, ready=not node.get("notReady"))
        if node.get("notReady"):
            self.cluster.set_taints(row, (*spec.taints, NOT_READY))
        if node.get("unschedulable"):
            self.cluster.set_unschedulable(row, True)

    def _add_outside(self, nodes: int) -> None:
        """A group that the autoscaler does not know, for nodes that belong to no group."""
        row = self.cluster.add_group("", nodes, nodes, foreign=True)
        nothing = self.axis.amounts({})
        self.cluster.node_specs.append(NodeSpec(row, row, nothing, nothing, {}))

    # -- pods ---------------------------------------------------------------------------------

    def _daemon(self, daemon: Json) -> PodSpec:
        template = daemon["spec"]["template"]
        meta = {"name": daemon["metadata"]["name"], "namespace": daemon["metadata"].get("namespace", "default")}
        owner = {"kind": "DaemonSet", "name": meta["name"], "uid": daemon["metadata"]["uid"], "controller": True}
        own = {**template.get("metadata", {}), **meta, "ownerReferences": [owner]}
        return self.add_spec({"metadata": own, "spec": template["spec"]})

    def add_spec(self, raw: Json, copy: str = "") -> PodSpec:
        """A template for the pods of one entry; bare pods have one each."""
        name, namespace = raw["metadata"]["name"], raw["metadata"].get("namespace") or "default"
        owner = controller_of(raw)
        key = f"{namespace}/{owner.get('uid') or ''}" if owner else f"{namespace}/{name}/{copy}"
        if key not in self._workloads:
            self._workloads[key] = self.cluster.add_workload(key, namespace)
            if owner:
                replicas = self._owners.get((owner["kind"], namespace, owner["name"]), 0)
                self.cluster.set_replicas(self._workloads[key], replicas)
        spec = self._pod_spec(raw, owner, self._workloads[key], namespace)
        self.cluster.pod_specs.append(spec)
        return spec

    def _pod_spec(self, raw: Json, owner: Mapping[str, Any] | None, workload: int, namespace: str) -> PodSpec:
        kind = None if owner is None else KINDS.get(owner["kind"], ControllerKind.OTHER)
        plan_kind = WorkloadKind.DAEMON_SET if kind is ControllerKind.DAEMON_SET else WorkloadKind.JOB
        made = compiled_pod(raw, len(self.cluster.pod_specs), self.axis, plan_kind)
        # A pod without priority is never expendable, whatever the cutoff.
        lowest = 0 if "priority" in raw["spec"] else self.settings.expendable_pods_priority_cutoff
        scaling = replace(
            made.scaling,
            controller=kind or ControllerKind.NONE,
            controller_exists=owner is not None and self._is_found(owner, namespace),
            is_terminal=is_terminal(raw),
        )
        priority = made.priority if "priority" in raw["spec"] else max(made.priority, lowest)
        return replace(made, workload=workload, priority=priority, scaling=scaling)

    def _is_found(self, owner: Mapping[str, Any], namespace: str) -> bool:
        """The program looks up StatefulSets and DaemonSets of Kubernetes alone, and trusts in those of others."""
        group = (owner.get("apiVersion") or "apps/v1").partition("/")[0]
        is_foreign = owner["kind"] in ("StatefulSet", "DaemonSet") and group != "apps"
        return is_foreign or (owner["kind"], namespace, owner["name"]) in self._owners

    def add_pods(self, entry: Json) -> None:
        """The copies of one entry of `pods`."""
        raw = entry["pod"]
        meta = raw["metadata"]
        spec = self.add_spec(raw) if controller_of(raw) else None
        created = meta.get("creationTimestamp")
        now_us = self.now_us
        self.now_us = T0_US if created is None else T0_US + offset_us(created)
        for copy in range(entry.get("count", 1)):
            self._add_pod(raw, spec or self.add_spec(raw, str(copy)), entry, copy)
        self.now_us = now_us

    def _add_pod(self, raw: Json, spec: PodSpec, entry: Json, copy: int) -> None:
        nodes, deleted = entry.get("nodes", []), raw["metadata"].get("deletionTimestamp")
        node = nodes[copy] if copy < len(nodes) else None
        if node is None and deleted:
            return
        name = raw["metadata"]["name"]
        row = self.create_pod(spec, name, f"{name}-{copy}" if "count" in entry else name)
        if node:
            self.cluster.bind(row, self.rows[node])
            self.cluster.mark_running(row)
            if deleted:
                self.now_us = T0_US + offset_us(deleted) - spec.running.grace_us
                self.cluster.begin_deletion(row, EndReason.EVICTED)
            return
        status = raw.get("status", {})
        if any(each.get("reason") == "Unschedulable" for each in status.get("conditions", [])):
            self.cluster.mark_unschedulable([row], [None])
        if status.get("nominatedNodeName") in self.rows:
            self.cluster.nominate(row, self.rows[status["nominatedNodeName"]])

    def create_pod(self, spec: PodSpec, set_name: str, name: str) -> int:
        """One pod of a template."""
        row = self.cluster.create_pods(spec.index, 1)
        self.set_of[row], self.name_of[row], self.pod_rows[name] = set_name, name, row
        return row

    # -- cloud and API ------------------------------------------------------------------------

    def increase_size(self, group: int, count: int) -> None:
        """Raise the target; the first calls may be refused."""
        if self.refusals[group]:
            self.refusals[group] -= 1
            raise CloudRefusal("refused")
        self.cluster.set_target(group, int(self.cluster.groups.target[group]) + count)

    def decrease_target(self, group: int, count: int) -> None:
        """Refused below the instances that are listed."""
        target = int(self.cluster.groups.target[group]) - count
        if target < len(self.cluster.group_nodes[group]):
            raise CloudRefusal("instances exist")
        self.cluster.set_target(group, target)

    def delete_node(self, node: int) -> None:
        """Accepted; nothing follows within the loop."""
        self.cluster.request_node_removal(node)

    def evict(self, pod: int) -> bool:
        """Never called within one loop."""
        raise NotImplementedError
