"""The cluster of a Cluster Autoscaler case: objects of the API become rows, cloud and API answer as recorded."""

from datetime import UTC, datetime
from typing import Any

import numpy as np

from planner.autoscaler.cloud import CloudRefusal
from planner.autoscaler.static_autoscaler import StaticAutoscaler
from planner.kube.pods.pods import KubePod, read_pod
from planner.kube.pods.quantities import exact_amounts, node_amounts, whole_amounts
from planner.kube.pods.scaling_marks import is_terminal, read_owner, read_scaling_marks
from planner.matching.taints import Taint, TaintEffect
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.record.recorder import Recorder
from planner.scheduler.feasibility.static_fit import StaticFit
from planner.state.cluster import Cluster
from planner.state.pods import EndReason
from planner.state.resources import NATIVE_NAMES, ResourceAxis
from planner.state.scaling import ControllerKind, PodScaling
from planner.state.specs import HOSTNAME_LABEL, HostPort, NodeSpec, PodPlacement, PodRunning, PodSpec
from planner.units import US_PER_S
from planner.workloads.controllers.daemon_rule import daemon_tolerations
from tests.conformance.cluster_autoscaler_settings import read_options, read_settings
from tests.conformance.object_status import KnownBudget

Json = dict[str, Any]

T0_US = 12_000_000 * US_PER_S
"""A whole number of two-minute periods, after which the list of instances is refreshed."""
EPOCH = datetime(2000, 1, 2, tzinfo=UTC)
PRICE_LABEL = "example.com/price-per-hour"
DISABLED = "cluster-autoscaler.kubernetes.io/scale-down-disabled"
NOT_READY = Taint("node.kubernetes.io/not-ready", "", TaintEffect.NO_SCHEDULE)
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
                    names.update(dict.fromkeys(inner))
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(found)
    return ResourceAxis(name for name in sorted(names) if name not in NATIVE_NAMES)


def offset_us(stamp: str) -> int:
    """A time stamp in microseconds since t = 0."""
    return round((datetime.fromisoformat(stamp.replace("Z", "+00:00")) - EPOCH).total_seconds()) * US_PER_S


def read_taints(taints: Any) -> tuple[Taint, ...]:
    """Taints of a node object."""
    return tuple(Taint(each["key"], each.get("value") or "", TaintEffect(each["effect"])) for each in taints or ())


class Budgets:
    """Disruption budgets whose controller wrote its status before the first loop."""

    def __init__(self, cluster: Cluster, budgets: list[KnownBudget]) -> None:
        self._cluster = cluster
        self._budgets = budgets

    def covering(self, pod: int) -> tuple[int, ...]:
        """Rows of the budgets that select a pod."""
        spec = self._cluster.pod_specs[self._cluster.pods.spec[pod]]
        return tuple(row for row, budget in enumerate(self._budgets) if budget.covers(spec.namespace, spec.labels))

    def allowed(self) -> list[int]:
        """What the status says."""
        return [budget.status.disruptions_allowed for budget in self._budgets]


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
            budgets=Budgets(cluster, budgets),
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
        template, status = group["template"], group["template"]["status"]
        labels = dict(template.get("metadata", {}).get("labels") or {})
        self.cluster.node_specs.append(
            NodeSpec(
                row,
                row,
                self.axis.amounts(node_amounts(status["capacity"])),
                self.axis.amounts(node_amounts(status["allocatable"])),
                labels,
                read_taints(template.get("spec", {}).get("taints")),
                float(labels.get(PRICE_LABEL, 0)),
            )
        )
        self.refusals[row] = group.get("provisioning", {}).get("failIncrease", 0)

    def named_spec(self, group: int, node: Json) -> NodeSpec:
        """The node's own template: that of its group, with its name and what is special about it."""
        base = self.cluster.node_specs[group]
        if "capacity" in node:
            amounts = self.axis.amounts(node_amounts(node["capacity"]))
            base = NodeSpec(group, group, amounts, amounts, {})
        labels = {**base.labels, HOSTNAME_LABEL: node["name"], **node.get("labels", {})}
        spec = NodeSpec(
            len(self.cluster.node_specs),
            group,
            base.capacity,
            base.allocatable,
            labels,
            (*base.taints, *read_taints(node.get("taints"))),
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
        """A closed group for nodes that belong to no group: it can neither grow nor shrink."""
        row = self.cluster.add_group("", nodes, nodes)
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
        pod, owner = read_pod(raw), read_owner(raw)
        key = f"{pod.namespace}/{owner.uid}" if owner else f"{pod.namespace}/{pod.name}/{copy}"
        if key not in self._workloads:
            self._workloads[key] = self.cluster.add_workload(key, pod.namespace)
            if owner:
                replicas = self._owners.get((owner.kind, pod.namespace, owner.name), 0)
                self.cluster.set_replicas(self._workloads[key], replicas)
        exists = owner is not None and (owner.kind, pod.namespace, owner.name) in self._owners
        spec = self._pod_spec(raw, pod, self._workloads[key], KINDS.get(owner.kind) if owner else None, exists)
        self.cluster.pod_specs.append(spec)
        return spec

    def _pod_spec(self, raw: Json, pod: KubePod, workload: int, kind: ControllerKind | None, exists: bool) -> PodSpec:
        owner, marks = read_owner(raw), read_scaling_marks(raw)
        is_daemon = kind is ControllerKind.DAEMON_SET
        first = raw["spec"]["containers"][0].get("resources", {}).get("requests")
        first_amounts = whole_amounts(exact_amounts(first))
        # A pod without priority is never expendable, whatever the cutoff.
        lowest = 0 if "priority" in raw["spec"] else self.settings.expendable_pods_priority_cutoff
        return PodSpec(
            len(self.cluster.pod_specs),
            workload,
            pod.namespace,
            pod.labels,
            self.axis.amounts(dict(pod.request)),
            np.array(pod.nonzero, dtype=np.int64),
            priority=pod.priority if "priority" in raw["spec"] else max(pod.priority, lowest),
            is_daemon=is_daemon,
            placement=PodPlacement(
                may_preempt=pod.may_preempt,
                tolerations=daemon_tolerations(pod.tolerations, bool(raw["spec"].get("hostNetwork")))
                if is_daemon
                else pod.tolerations,
                node_selector=pod.node_selector,
                required_terms=pod.required_terms,
                spread_constraints=pod.spread_constraints,
                required_affinity=pod.pod_affinity.required_affinity,
                required_anti_affinity=pod.pod_affinity.required_anti_affinity,
                host_ports=tuple(HostPort(*port) for port in pod.host_ports),
            ),
            running=PodRunning(grace_us=raw["spec"].get("terminationGracePeriodSeconds", 30) * US_PER_S),
            scaling=PodScaling(
                controller=ControllerKind.NONE if owner is None else kind or ControllerKind.OTHER,
                controller_exists=exists,
                safe_to_evict=marks.safe_to_evict,
                is_mirror=marks.static_pod,
                enable_ds_eviction=marks.enable_ds_eviction,
                is_terminal=is_terminal(raw),
                local_volumes=marks.local_volumes,
                safe_local_volumes=marks.safe_local_volumes,
                scale_up_delay_us=marks.scale_up_delay,
                first_container=(first_amounts.get("cpu", 0), first_amounts.get("memory", 0)),
            ),
        )

    def add_pods(self, entry: Json) -> None:
        """The copies of one entry of `pods`."""
        raw = entry["pod"]
        meta = raw["metadata"]
        spec = self.add_spec(raw) if read_owner(raw) else None
        created = meta.get("creationTimestamp")
        now_us = self.now_us
        self.now_us = T0_US if created is None else T0_US + offset_us(created)
        for copy in range(entry.get("count", 1)):
            self._add_pod(raw, spec or self.add_spec(raw, str(copy)), entry, copy)
        self.now_us = now_us

    def _add_pod(self, raw: Json, spec: PodSpec, entry: Json, copy: int) -> None:
        pod, nodes, deleted = read_pod(raw), entry.get("nodes", []), raw["metadata"].get("deletionTimestamp")
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
        if any(each.get("reason") == "Unschedulable" for each in raw.get("status", {}).get("conditions", [])):
            self.cluster.mark_unschedulable(row)
        if pod.nominated_node in self.rows:
            self.cluster.nominate(row, self.rows[pod.nominated_node])

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
