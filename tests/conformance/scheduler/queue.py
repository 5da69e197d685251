"""Vectors of the scheduling queue: back-off, order, and what wakes a waiting pod."""

from typing import Any

from planner.plan.model.scheduler import PluginName
from planner.scheduler.cycle.cycle import SchedulingCycle
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.queue.scheduling_queue import SchedulingQueue
from planner.scheduler.queue.wake_facts import NodeChange, PodChange, waiting_pod
from planner.scheduler.queue.wake_hints import node_change_helps, pod_change_helps
from planner.scheduler.queue.wake_listener import node_facts
from planner.state.nodes import NONE
from planner.units import US_PER_DAY
from tests.conformance.imported import imported_node
from tests.conformance.scheduler.world import World, profile_of

Json = dict[str, Any]
Outcome = tuple[bool, object]
LATER_US = US_PER_DAY
"""After every backoff."""


def queue(case: Json) -> Outcome:
    kind = case["input"]["kind"]
    got = {"backoff": _backoff, "order": _pop_order, "wake": _wake}[kind](case["input"])
    return got == case["expect"], got


def _backoff(source: Json) -> Json:
    profile = profile_of(source.get("schedulerConfig"))
    waiting_queue, attempts = SchedulingQueue(profile), []
    waiting_queue.add(0, 0, 0)
    world = World({"pod": {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}}})
    spec = world.spec_of({"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}})
    waiting = waiting_pod(spec, (PluginName.NODE_RESOURCES_FIT,), profile)
    for attempt in source["attempts"]:
        waiting_queue.wake(LATER_US, lambda _: True)
        waiting_queue.flush(LATER_US)
        queued = waiting_queue.pop()
        assert queued is not None and queued.pod == 0
        if attempt["result"] == "error":
            waiting_queue.failed(0, attempt["endMs"] * 1000)
        else:
            waiting_queue.refused(0, attempt["endMs"] * 1000, waiting)
        state = waiting_queue.state(0)
        attempts.append({"backoffEndsMs": state.backoff_end_us // 1000, "queue": state.place.value})
    return {"attempts": attempts}


def _pop_order(source: Json) -> Json:
    waiting_queue, names = SchedulingQueue(SchedulerProfile()), []
    for i, arrival in enumerate(source["arrivals"]):
        names.append(arrival["pod"]["metadata"]["name"])
        if arrival["pod"]["spec"].get("schedulingGates"):
            continue
        waiting_queue.add(i, arrival["pod"]["spec"].get("priority", 0), arrival["atMs"] * 1000)
    order = []
    while (queued := waiting_queue.pop()) is not None:
        order.append(names[queued.pod])
        waiting_queue.remove(queued.pod)
    return {"popOrder": order}


def _wake(source: Json) -> Json:
    event = source["event"]
    pods = [event["pod"]] if "pod" in event else []
    nodes = [event["node"]] if "node" in event else []
    world = World(source, pods, nodes)
    profile = profile_of(source.get("schedulerConfig"))
    cycle = SchedulingCycle(world.cluster, profile)
    for pod in source.get("pods", []):
        world.add_pod(pod)
    row = world.add_pod(source["pod"])
    assert row is not None
    outcome = cycle.decide(row)
    assert outcome.verdicts is not None
    spec = world.cluster.pod_specs[world.cluster.pods.spec[row]]
    waiting = waiting_pod(spec, outcome.verdicts.refusing(), profile)
    line = SchedulingQueue(profile)
    line.add(row, spec.priority, 0)
    line.pop()
    line.refused(row, 0, waiting)
    got = {"before": line.place(row).value, "refusedBy": sorted(p.value for p in waiting.refused_by)}
    now_us = source["elapsedMs"] * 1000
    _apply_event(world, line, row, source, now_us, profile)
    got["afterEvent"] = line.place(row).value
    line.flush(now_us // 1_000_000 * 1_000_000 if now_us % 1_000_000 else now_us)
    line.flush_unschedulable(now_us)
    got["afterFlush"] = line.place(row).value
    return got


def _apply_event(
    world: World, line: SchedulingQueue, row: int, source: Json, now_us: int, profile: SchedulerProfile
) -> None:
    event, cluster = source["event"], world.cluster
    kind = event["type"]
    if kind == "time":
        return
    if kind.startswith("node"):
        name = event["node"]["metadata"]["name"] if "node" in event else event["name"]
        old = node_facts(cluster, world.nodes[name]) if kind != "nodeAdded" else None
        new = None
        if kind != "nodeDeleted":
            new = node_facts(cluster, world.add_node(imported_node(event["node"])))
        change = NodeChange(old, new)
        line.wake(now_us, lambda waiting: node_change_helps(waiting, change, cluster.axis, profile))
    else:
        pod_change = _pod_change(world, source, row)
        line.wake(now_us, lambda waiting: pod_change_helps(waiting, pod_change))


def _pod_change(world: World, source: Json, row: int) -> PodChange:
    event, cluster = source["event"], world.cluster
    name = event["pod"]["metadata"]["name"] if "pod" in event else event["name"]
    new = event.get("pod")
    old_row = None if event["type"] == "podAdded" else world.pods[name]
    before = next((p for p in (source["pod"], *source.get("pods", [])) if p["metadata"]["name"] == name), {})
    return PodChange(
        old=None if old_row is None else cluster.pod_specs[cluster.pods.spec[old_row]],
        new=None if new is None else world.spec_of(new),
        assigned=bool(new["spec"].get("nodeName")) if new is not None else bool(cluster.pods.node[old_row] != NONE),
        nominated=old_row is not None and bool(cluster.pods.nominated[old_row] != NONE),
        is_waiting_pod=old_row == row,
        tolerations_changed=_tolerations(event.get("pod", {})) != _tolerations(before),
    )


def _tolerations(pod: Json) -> int:
    return len(pod.get("spec", {}).get("tolerations") or ())
