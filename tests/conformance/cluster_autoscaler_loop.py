"""Cluster Autoscaler vectors that need the estimator or a whole loop: translation and comparison only."""

import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np

from planner.autoscaler.cloud import CloudRefusal
from planner.autoscaler.estimator.bin_packing import PodBatch, estimate_nodes
from planner.autoscaler.estimator.limits import node_limit
from planner.autoscaler.round_robin import SearchCursor, pod_amounts
from planner.autoscaler.scaledown.planner import SCALE_DOWN_UNREADY_US
from planner.autoscaler.scaledown.reasons import NodeVerdict
from planner.autoscaler.scaleup.result import ScaleUpPlan, ScaleUpResult
from planner.autoscaler.snapshot import Snapshot
from planner.autoscaler.spread import SpreadTrack, spread_tracks
from planner.autoscaler.static_autoscaler import LoopOutcome, ScaleDownStep, StaticAutoscaler
from planner.errors import ImportProblem
from planner.kube.pods import KubePod, read_pod
from planner.kube.priority_config import parse_priority_config
from planner.kube.quantities import exact_amounts, node_amounts, whole_amounts
from planner.plan.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.node_groups import TaintEffect
from planner.plan.pods import Toleration, TolerationOperator
from planner.record.decisions import Verdict
from planner.record.recorder import Recorder
from planner.scheduler.static_fit import StaticFit
from planner.state.cluster import Cluster
from planner.state.resources import NATIVE_NAMES, ResourceAxis
from planner.state.specs import HOSTNAME_LABEL, NodeSpec, PodSpec, Taint
from planner.units import GIB, US_PER_S

Json = dict[str, Any]
Outcome = tuple[bool, object]

T0_US = 10_000_000 * US_PER_S
EPOCH = datetime(2000, 1, 2, tzinfo=UTC)
PRICE_LABEL = "example.com/price-per-hour"
NOT_READY = Taint("node.kubernetes.io/not-ready", "", TaintEffect.NO_SCHEDULE)
UNSUPPORTED = ("hostPort", "podAffinity", "podAntiAffinity")
DAEMON_TOLERATIONS = tuple(
    Toleration(key=f"node.kubernetes.io/{key}", operator=TolerationOperator.EXISTS)
    for key in ("not-ready", "unreachable", "disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")
)


def _axis(found: Json) -> ResourceAxis:
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


def _unsupported(pod: Json) -> bool:
    text = str(pod)
    return any(f"'{word}'" in text for word in UNSUPPORTED)


# -- estimator --------------------------------------------------------------------------------


def _estimator(case: Json) -> Outcome:
    given = case["input"]
    if any(_unsupported(group["pod"]) for group in given["podGroups"]):
        return False, "pod ports and pod affinity are not simulated by the estimator"
    axis = _axis(given)
    allocatable = axis.amounts(node_amounts(given["template"]["status"]["allocatable"]))
    free = allocatable.copy()
    for entry in given.get("templatePods", []):
        free -= pod_amounts(axis.amounts(dict(read_pod(entry["pod"]).request))) * entry.get("count", 1)
    groups = [given["nodeGroup"], *given.get("similarNodeGroups", [])]
    room = sum(max(group["maxSize"] - group["targetSize"], 0) for group in groups)
    limit = node_limit(given["maxNodesPerScaleup"], room, given.get("maxNodesTotal", 0), given["currentNodeCount"])
    batches = _batches(given, axis)
    found = estimate_nodes(
        batches,
        allocatable,
        free,
        limit,
        SearchCursor(),
        cluster_nodes=len(given.get("existingNodes", [])),
        fast_path=bool(given.get("fastpath")),
    )
    scheduled: dict[str, int] = {}
    for entry, count in zip(given["podGroups"], found.placed, strict=True):
        if count:
            name = entry["pod"]["metadata"]["name"]
            scheduled[name] = scheduled.get(name, 0) + count
    got = {"nodes": found.node_count, "scheduled": scheduled}
    return got in case["expect"]["outcomes"], got


def _batches(given: Json, axis: ResourceAxis) -> list[PodBatch]:
    """The pod groups, with their spread counted on the existing nodes."""
    group = {"id": "new", "minSize": 0, "maxSize": 0, "targetSize": 0, "template": given["template"]}
    existing = {"nodeGroups": [group], "nodes": given.get("existingNodes", []), "pods": given.get("existingPods", [])}
    world = _World(existing, axis)
    read = [read_pod(entry["pod"]) for entry in given["podGroups"]]
    specs = [world.spec(pod, f"group {at}", is_daemon=False) for at, pod in enumerate(read)]
    rows = np.arange(world.cluster.nodes.count, dtype=np.int64)
    snapshot = Snapshot(world.cluster, rows, (), StaticFit(world.cluster), lambda spec, group: True)
    tracks = spread_tracks(specs, world.cluster.node_specs[0].labels, snapshot.spread_domains)
    return [
        _batch(
            entry,
            spec,
            tuple(tracks.tracks[at] for at in tracks.own.get(spec.index, ())),
            tuple(tracks.tracks[at] for at in tracks.counted.get(spec.index, ())),
        )
        for entry, spec in zip(given["podGroups"], specs, strict=True)
    ]


def _batch(
    entry: Json, spec: PodSpec, spreads: tuple[SpreadTrack, ...], counted_in: tuple[SpreadTrack, ...]
) -> PodBatch:
    first = entry["pod"]["spec"]["containers"][0].get("resources", {}).get("requests")
    amounts = whole_amounts(exact_amounts(first))
    return PodBatch(
        pod_amounts(spec.request),
        entry.get("count", 1),
        container_cpu_milli=amounts.get("cpu", 0),
        container_memory_bytes=amounts.get("memory", 0),
        spreads=spreads,
        counted_in=counted_in,
    )


# -- whole loops ------------------------------------------------------------------------------


class _World:
    """The cluster of a case, with the cloud and the API as the vectors describe them."""

    def __init__(self, given: Json, axis: ResourceAxis | None = None) -> None:
        self.now_us = T0_US
        self.given = given
        self.axis = axis or _axis(given)
        self.cluster = Cluster(self, self.axis)
        self.recorder = Recorder()
        self.refusals: dict[int, int] = {}
        self.set_of: dict[int, str] = {}
        self.name_of: dict[int, str] = {}
        self.workloads: dict[str, int] = {}
        self.rows: dict[str, int] = {}
        for group in given["nodeGroups"]:
            self._add_group(group)
        outside = sum("group" not in node for node in given["nodes"])
        if outside:
            self._add_outside(outside)
        for node in given["nodes"]:
            self._add_node(node)
        self.daemons = [self._daemon(each) for each in given.get("daemonSets", [])]
        for entry in given["pods"]:
            self._add_pods(entry)
        for row, group in enumerate(given["nodeGroups"]):
            self.cluster.set_target(row, group["targetSize"])
        self.now_us = T0_US
        self.settings = _settings(given)
        self.autoscaler = StaticAutoscaler(
            self.cluster,
            self.recorder,
            self.settings,
            StaticFit(self.cluster),
            self,
            self,
            self.cluster.node_specs[: self.cluster.groups.count],
            self.daemons,
        )
        for row, group in enumerate(given["nodeGroups"]):
            self._recall(row, group)

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

    def _add_group(self, group: Json) -> None:
        row = self.cluster.add_group(group["id"], group["minSize"], group["maxSize"])
        template, status = group["template"], group["template"]["status"]
        labels = dict(template.get("metadata", {}).get("labels") or {})
        spec = NodeSpec(
            row,
            row,
            self.axis.amounts(node_amounts(status["capacity"])),
            self.axis.amounts(node_amounts(status["allocatable"])),
            labels,
            _taints(template.get("spec", {}).get("taints")),
            float(labels.get(PRICE_LABEL, 0)),
        )
        self.cluster.node_specs.append(spec)
        refused = group.get("provisioning", {}).get("failIncrease", 0)
        self.refusals[row] = refused

    def _add_node(self, node: Json) -> None:
        names = [each["id"] for each in self.given["nodeGroups"]]
        group = names.index(node["group"]) if "group" in node else len(names)
        base = self.cluster.node_specs[group]
        if "group" not in node:
            amounts = self.axis.amounts(node_amounts(node["capacity"]))
            base = NodeSpec(group, group, amounts, amounts, {})
        not_ready = bool(node.get("notReady"))
        labels = {**base.labels, HOSTNAME_LABEL: node["name"], **node.get("labels", {})}
        taints = (*base.taints, *_taints(node.get("taints")), *((NOT_READY,) if not_ready else ()))
        index = len(self.cluster.node_specs)
        self.cluster.node_specs.append(
            NodeSpec(index, group, base.capacity, base.allocatable, labels, taints, name=node["name"])
        )
        self.now_us = T0_US + round(node["created"] * US_PER_S)
        row = self.cluster.request_node(index)
        self.cluster.register_node(row, ready=not not_ready)
        if node.get("unschedulable"):
            self.cluster.set_unschedulable(row, True)
        self.rows[node["name"]] = row

    def _add_outside(self, nodes: int) -> None:
        """A closed group for nodes that belong to no group: it can neither grow nor shrink."""
        row = self.cluster.add_group("", nodes, nodes)
        nothing = self.axis.amounts({})
        self.cluster.node_specs.append(NodeSpec(row, row, nothing, nothing, {}))

    def _daemon(self, daemon: Json) -> PodSpec:
        template = daemon["spec"]["template"]
        meta = {"name": daemon["metadata"]["name"], "namespace": daemon["metadata"].get("namespace", "default")}
        pod = {"metadata": {**template.get("metadata", {}), **meta}, "spec": template["spec"]}
        return self.spec(read_pod(pod), f"DaemonSet/{meta['name']}", is_daemon=True)

    def spec(self, pod: KubePod, owner: str, *, is_daemon: bool) -> PodSpec:
        if owner not in self.workloads:
            self.workloads[owner] = self.cluster.add_workload(owner, pod.namespace)
        index = len(self.cluster.pod_specs)
        spec = PodSpec(
            index,
            self.workloads[owner],
            pod.namespace,
            pod.labels,
            self.axis.amounts(dict(pod.request)),
            np.array(pod.nonzero, dtype=np.int64),
            priority=pod.priority,
            may_preempt=pod.may_preempt,
            tolerations=(*pod.tolerations, *(DAEMON_TOLERATIONS if is_daemon else ())),
            node_selector=pod.node_selector,
            required_terms=pod.required_terms,
            spread_constraints=pod.spread_constraints,
            is_daemon=is_daemon,
        )
        self.cluster.pod_specs.append(spec)
        return spec

    def _add_pods(self, entry: Json) -> None:
        raw = entry["pod"]
        meta, pod = raw["metadata"], read_pod(raw)
        owner = next((each for each in meta.get("ownerReferences", []) if each.get("controller")), None)
        key = f"{pod.namespace}/{owner['uid']}" if owner else ""
        is_daemon = bool(owner) and owner is not None and owner["kind"] == "DaemonSet"
        spec = self.spec(pod, key, is_daemon=is_daemon) if key else None
        created = meta.get("creationTimestamp")
        self.now_us = T0_US if created is None else T0_US + _offset_us(created)
        for copy in range(entry.get("count", 1)):
            own = spec or self.spec(pod, f"{pod.namespace}/{pod.name}-{copy}", is_daemon=False)
            self._add_pod(raw, pod, own, entry, copy)

    def _add_pod(self, raw: Json, pod: KubePod, spec: PodSpec, entry: Json, copy: int) -> None:
        nodes = entry.get("nodes", [])
        node = nodes[copy] if copy < len(nodes) else None
        if node is None and pod.terminating:
            return
        row = self.cluster.create_pods(spec.index, 1)
        self.set_of[row] = name = raw["metadata"]["name"]
        self.name_of[row] = f"{name}-{copy}" if "count" in entry else name
        if node:
            self.cluster.bind(row, self.rows[node])
            self.cluster.mark_running(row)
            return
        if any(each.get("reason") == "Unschedulable" for each in raw.get("status", {}).get("conditions", [])):
            self.cluster.mark_unschedulable(row)
        if pod.nominated_node in self.rows:
            self.cluster.nominate(row, self.rows[pod.nominated_node])

    # -- cloud and API --

    def increase_size(self, group: int, count: int) -> None:
        """Raise the target; the first calls may be refused."""
        if self.refusals[group]:
            self.refusals[group] -= 1
            raise CloudRefusal("refused")
        self.cluster.set_target(group, int(self.cluster.groups.target[group]) + count)

    def delete_node(self, node: int) -> None:
        """Accepted; nothing follows within the loop."""
        self.cluster.request_node_removal(node)

    def evict(self, pod: int) -> bool:
        """Never called within one loop."""
        raise NotImplementedError


def _taints(taints: Any) -> tuple[Taint, ...]:
    return tuple(Taint(each["key"], each.get("value") or "", TaintEffect(each["effect"])) for each in taints or ())


def _offset_us(stamp: str) -> int:
    return round((datetime.fromisoformat(stamp.replace("Z", "+00:00")) - EPOCH).total_seconds()) * US_PER_S


def _settings(given: Json) -> ClusterAutoscalerSettings:
    found: dict[str, Any] = {}
    for flag, value in given.get("flags", {}).items():
        if flag == "expander":
            found["expander"] = tuple(value.split(","))
        elif flag == "max-graceful-termination-sec":
            found["max_graceful_termination"] = f"{value}s"
        elif flag == "cores-total":
            found["cores_total_max"] = value[1]
        elif flag == "memory-total":
            found["memory_total_max"] = value[1] * GIB
        else:
            name = flag.replace("-", "_")
            field = ClusterAutoscalerSettings.model_fields.get(name)
            if field is not None:
                is_duration = isinstance(value, int | float) and not isinstance(value, bool) and _is_duration(name)
                found[name] = f"{value}s" if is_duration else value
    text = given.get("priorityExpanderConfig")
    if text is not None:
        try:
            found["priority_expander"] = parse_priority_config(text)
        except ImportProblem:
            found["priority_expander"] = ()
    return ClusterAutoscalerSettings.model_validate(found)


def _is_duration(name: str) -> bool:
    return name.endswith(("_time", "_delay", "_duration", "_timeout", "_interval", "_after_add", "_after_delete"))


# -- scale-up ---------------------------------------------------------------------------------


def _scale_up(case: Json) -> Outcome:
    world = _World(case["input"])
    outcome = world.autoscaler.run_once(T0_US)
    got = _scale_up_outcome(world, outcome)
    return got in case["expect"]["outcomes"], got


def _scale_up_outcome(world: _World, outcome: LoopOutcome) -> Json:
    plan = outcome.scale_up
    attempts = [_attempt(world, plan)] if plan else [{"result": ScaleUpResult.NOT_TRIED.value}]
    got: Json = {"attempts": attempts}
    if plan is not None and plan.options:
        got["expander"] = [_expander(world, plan)]
    targets = {
        group["id"]: int(world.cluster.groups.target[row])
        for row, group in enumerate(world.given["nodeGroups"])
        if world.cluster.groups.target[row] != group["targetSize"]
    }
    events = _events(world, plan)
    return got | ({"targets": targets} if targets else {}) | ({"events": events} if events else {})


def _attempt(world: _World, plan: ScaleUpPlan) -> Json:
    names = world.cluster.group_names
    got: Json = {"result": plan.result.value}
    if plan.resizes:
        got["scaleUps"] = sorted(
            ({"from": each.old_size, "group": names[each.group], "to": each.new_size} for each in plan.resizes),
            key=lambda each: str(each["group"]),
        )
    if plan.triggered:
        got["triggered"] = _by_set(world, plan.triggered)
    if plan.awaiting:
        got["awaiting"] = _by_set(world, plan.awaiting)
    remain: dict[str, Json] = {}
    for refusal in plan.remaining:
        entry: Json = {}
        for word, reasons in (("rejected", refusal.rejected), ("skipped", refusal.skipped)):
            if reasons:
                # The closed group of nodes outside any group has no name.
                named = {names[group]: sorted(texts) for group, texts in sorted(reasons.items()) if names[group]}
                entry |= {word: named} if named else {}
        same = remain.setdefault(str(entry), entry | {"pods": {}})
        for name, count in _by_set(world, refusal.pods).items():
            same["pods"][name] = same["pods"].get(name, 0) + count
    if remain:
        got["remain"] = list(remain.values())
    return got


def _expander(world: _World, plan: ScaleUpPlan) -> Json:
    assert plan.choice is not None
    options = [
        {"group": each.group_id, "nodes": each.node_count, "pods": _by_set(world, plan.pods_of.get(each.group, ()))}
        for each in sorted(plan.options, key=lambda each: each.group_id)
    ]
    got: Json = {"options": options, "best": sorted(each.group_id for each in plan.choice.finalists)}
    if plan.choice.chosen is not None:
        got["chosen"] = plan.choice.chosen.group_id
    return got


def _events(world: _World, plan: ScaleUpPlan | None) -> dict[str, int]:
    failed = [each.details["reason"] for each in world.recorder.decisions if each.verdict is Verdict.FAILED]
    counts = {
        "ScaleUpTimedOut": failed.count("ScaleUpTimedOut"),
        "FailedToScaleUpGroup": failed.count("refused"),
        "NotTriggerScaleUp": sum(each.verdict is Verdict.NOT_TRIGGERED for each in world.recorder.decisions),
        "ScaledUpGroup": failed.count("refused") + (2 * len(plan.resizes) if plan else 0),
        "TriggeredScaleUp": len(plan.triggered) if plan and plan.resizes else 0,
        "MaxNodesTotalReached": int(plan is not None and plan.result is ScaleUpResult.LIMITED_BY_MAX_NODES_TOTAL),
        "ClusterUnhealthy": int(plan is None),
    }
    return {name: count for name, count in sorted(counts.items()) if count}


def _by_set(world: _World, pods: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    for pod in pods:
        counts[world.set_of[pod]] = counts.get(world.set_of[pod], 0) + 1
    return counts


# -- scale-down -------------------------------------------------------------------------------


def _scale_down_eligibility(case: Json) -> Outcome:
    world = _World(case["input"])
    step = world.autoscaler.run_once(T0_US).scale_down
    nodes = {} if step is None else _node_verdicts(world, step)
    deleting = len(step.deleting) if step else 0
    got: Json = {"nodes": nodes, "result": "NodeDeleteStarted" if deleting else "NoNodeDeleted"}
    if deleting:
        got["deleting"] = deleting
    return any(_agrees(got, outcome) for outcome in case["expect"]["outcomes"]), got


def _node_verdicts(world: _World, step: ScaleDownStep) -> Json:
    found: Json = {}
    util = step.view.utilization
    for at, row in enumerate(step.rows.tolist()):
        verdict = NodeVerdict(step.view.verdicts[at])
        entry: Json = {"reason": verdict.text}
        if verdict is not NodeVerdict.NOT_CANDIDATE and row not in step.deleting:
            entry["util"] = {
                "cpu": float(util.cpu[at]),
                "memory": float(util.memory[at]),
                "value": float(util.value[at]),
                "resource": "cpu" if util.is_cpu[at] else "memory",
            }
        if row in step.view.blocked:
            pod, reason = step.view.blocked[row]
            entry |= {"blockingPod": world.name_of[pod], "blockingReason": reason.text}
        if verdict is NodeVerdict.UNNEEDED:
            required_us = world.settings.scale_down_unneeded_time
            if not world.cluster.nodes.ready[row]:
                required_us = SCALE_DOWN_UNREADY_US
            entry["removalThreshold"] = required_us // US_PER_S
            if row in step.removal:
                entry["now"] = step.removal[row].text
        found[world.cluster.node_name(row)] = entry
    return found


def _agrees(got: object, expected: object) -> bool:
    """Equal, with a relative tolerance for fractions."""
    if isinstance(got, dict) and isinstance(expected, dict):
        return got.keys() == expected.keys() and all(_agrees(got[key], expected[key]) for key in got)
    if isinstance(got, float) and isinstance(expected, int | float):
        return math.isclose(got, expected, rel_tol=1e-9)
    return got == expected


FAMILIES: Mapping[str, Callable[[Json], Outcome]] = {
    "estimator": _estimator,
    "scale_up": _scale_up,
    "scale_down_eligibility": _scale_down_eligibility,
}
