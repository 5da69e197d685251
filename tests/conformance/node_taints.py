"""Vectors of NoExecute taints over time and of drains."""

from collections.abc import Callable, Sequence
from typing import Any

from planner.matching.taints import Taint, TaintEffect
from planner.nodes.drain.drain import DaemonOwner, DrainFlags, DrainPod, drain_list
from planner.nodes.lifecycle.taint_evictions import PlannedDeletion, plan_deletion
from planner.units import US_PER_S
from tests.conformance.node_pods import read_tolerations
from tests.conformance.object_status import controller_of, phase_of, time_s

Json = dict[str, Any]
Outcome = tuple[bool, object]


class _TaintedNode:
    """One node and its pods; timers that are due before an event fire first."""

    def __init__(self, pods: list[Json]) -> None:
        self._tolerations = {pod["name"]: read_tolerations(pod.get("tolerations") or ()) for pod in pods}
        self._bound = {pod["name"]: not pod.get("boundLater") for pod in pods}
        self._taints: list[Taint] = []
        self._plans: dict[str, PlannedDeletion | None] = {}
        self.deleted_at: dict[str, int | None] = {pod["name"]: None for pod in pods}

    def act(self, event: Json) -> None:
        now_us = event["t"] * US_PER_S
        self.fire(now_us)
        names = list(self._tolerations)
        if "taints" in event:
            self._taints = [Taint(t["key"], t.get("value") or "", TaintEffect(t["effect"])) for t in event["taints"]]
        elif "bindPod" in event:
            names = [event["bindPod"]]
            self._bound[names[0]] = True
        else:
            names = [event["pod"]]
            self._tolerations[names[0]] = read_tolerations(event.get("tolerations") or ())
        for name in names:
            if self._bound[name] and self.deleted_at[name] is None:
                self._plans[name] = plan_deletion(self._plans.get(name), self._tolerations[name], self._taints, now_us)
        self.fire(now_us)

    def fire(self, now_us: int) -> None:
        for name, plan in self._plans.items():
            if plan is not None and plan.due_us <= now_us:
                self.deleted_at[name], self._plans[name] = plan.due_us // US_PER_S, None


def _taint_eviction_timeline(case: Json) -> Outcome:
    given = case["input"]
    node = _TaintedNode(given["pods"])
    for event in given["events"]:
        node.act(event)
    node.fire(given["until"] * US_PER_S)
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


def _drain_pod(pod: Json, existing: Sequence[str], now_s: int) -> DrainPod:
    meta = pod["metadata"]
    owner = controller_of(pod)
    daemon = DaemonOwner.NONE
    if owner is not None and owner["kind"] == "DaemonSet":
        daemon = DaemonOwner.EXISTS if owner["name"] in existing else DaemonOwner.GONE
    deleted_s = time_s(meta.get("deletionTimestamp"))
    return DrainPod(
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
