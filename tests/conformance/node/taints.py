"""Vectors of NoExecute taints over time and of drains."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from planner.engine.loop import EventLoop
from planner.engine.queue import EventQueue
from planner.matching.taints import NodeTaint, TaintEffect
from planner.nodes.drain.drain import DaemonOwner, DrainCandidate, DrainFlags, drain_list
from planner.nodes.lifecycle.taint_controller import TaintController, TaintDeletionDue
from planner.state.cluster import Cluster
from planner.state.pods import EndReason
from planner.state.resources import ResourceAxis
from planner.state.specs import NodeSpec, PodPlacement, PodSpec
from planner.units import US_PER_S
from tests.conformance.imported import read_tolerations
from tests.conformance.object_status import controller_of, phase_of, time_s

Json = dict[str, Any]
Outcome = tuple[bool, object]


class _TaintedNode:
    """One node of a cluster and its pods, kept by the taint eviction controller of a run."""

    def __init__(self, pods: list[Json]) -> None:
        self._events = EventQueue()
        self._cluster = Cluster(self._events, ResourceAxis())
        amounts = self._cluster.axis.amounts({})
        self._cluster.node_specs.append(NodeSpec(0, self._cluster.add_group("pool", 0, 1), amounts, amounts, {}))
        self._node = self._cluster.request_node(0)
        self._cluster.register_node(self._node)
        self._controller = TaintController(self._cluster, self._events, self._delete, lambda decision: None)
        handlers = {TaintDeletionDue: self._controller.on_deletion_due}
        self._loop = EventLoop(self._events, handlers, lambda: None)
        self.deleted_at: dict[str, int | None] = {pod["name"]: None for pod in pods}
        self._rows = {pod["name"]: self._add(pod) for pod in pods}

    def _add(self, pod: Json) -> int:
        """A pod of its own workload; as a DaemonSet's it keeps the tolerations that it is given."""
        cluster = self._cluster
        row, none = cluster.add_workload(pod["name"]), cluster.axis.amounts({})
        rules = PodPlacement(tolerations=read_tolerations(pod.get("tolerations") or ()))
        cluster.pod_specs.append(PodSpec(row, row, "default", {}, none, none[:2], is_daemon=True, placement=rules))
        number = cluster.create_pods(row, 1)
        if not pod.get("boundLater"):
            cluster.bind(number, self._node)
        return number

    def _delete(self, pod: int, reason: EndReason) -> None:
        self.deleted_at[self._cluster.workload_names[pod]] = self._events.now_us // US_PER_S
        self._cluster.remove_pod(pod, reason)

    def act(self, event: Json) -> None:
        self.run_until(event["t"])
        if "taints" in event:
            taints = [NodeTaint(t["key"], t.get("value") or "", TaintEffect(t["effect"])) for t in event["taints"]]
            self._cluster.set_taints(self._node, tuple(taints))
        elif "bindPod" in event:
            self._cluster.bind(self._rows[event["bindPod"]], self._node)
        elif self.deleted_at[event["pod"]] is None:
            self._replace_tolerations(self._rows[event["pod"]], event.get("tolerations") or ())
        self.run_until(event["t"])

    def _replace_tolerations(self, pod: int, entries: Sequence[Json]) -> None:
        """No template of a run changes, so the controller is handed the update of this one pod."""
        spec = self._cluster.pod_specs[pod]
        rules = PodPlacement(tolerations=read_tolerations(entries))
        self._cluster.pod_specs[pod] = replace(spec, placement=rules)
        if self._cluster.pods.node[pod] == self._node:
            self._controller._plan(pod, self._node)

    def run_until(self, time_s: int) -> None:
        self._loop.run_until(time_s * US_PER_S)
        self._events.advance(time_s * US_PER_S)


def _taint_eviction_timeline(case: Json) -> Outcome:
    given = case["input"]
    node = _TaintedNode(given["pods"])
    for event in given["events"]:
        node.act(event)
    node.run_until(given["until"])
    return case["expect"] == {"deletedAt": node.deleted_at}, node.deleted_at


def _drain_filter(case: Json) -> Outcome:
    given = case["input"]
    flags = DrainFlags(
        ignore_daemon_sets=given["ignoreDaemonSets"],
        delete_empty_dir_data=given["deleteEmptyDirData"],
        force=given["force"],
        skip_deleting_after_us=given["skipWaitForDeleteTimeoutSeconds"] * US_PER_S,
    )
    now_s = time_s(given["now"]) or 0
    listed = drain_list([_drain_pod(pod, given["existingDaemonSets"] or (), now_s) for pod in given["pods"]], flags)
    got = {
        "aborted": bool(listed.blocking),
        "blockingPods": sorted(str(key) for key, _ in listed.blocking),
        "leftAlone": sorted(map(str, listed.left_alone)),
        "evicted": sorted(map(str, listed.evicted)),
    }
    expect = case["expect"]
    return got == {key: sorted(value) if isinstance(value, list) else value for key, value in expect.items()}, got


def _drain_pod(pod: Json, existing: Sequence[str], now_s: int) -> DrainCandidate:
    meta = pod["metadata"]
    owner = controller_of(pod)
    daemon = DaemonOwner.NONE
    if owner is not None and owner["kind"] == "DaemonSet":
        daemon = DaemonOwner.EXISTS if owner["name"] in existing else DaemonOwner.GONE
    deleted_s = time_s(meta.get("deletionTimestamp"))
    return DrainCandidate(
        key=meta["name"],
        daemon=daemon,
        mirror="kubernetes.io/config.mirror" in (meta.get("annotations") or {}),
        owned=owner is not None,
        finished=phase_of(pod) in ("Succeeded", "Failed"),
        has_empty_dir=any("emptyDir" in volume for volume in pod["spec"].get("volumes") or ()),
        deleting_for_us=None if deleted_s is None else (now_s - deleted_s) * US_PER_S,
    )


FAMILIES: dict[str, Callable[[Json], Outcome]] = {
    "drain_filter": _drain_filter,
    "taint_eviction_timeline": _taint_eviction_timeline,
}
