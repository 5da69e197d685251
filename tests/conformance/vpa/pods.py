"""Cases of admission and updater: pods, limits of namespaces and VPAs as the API has them."""

import re
from collections.abc import Callable, Hashable, Sequence
from datetime import datetime
from typing import Any

from planner.vpa.admission.capping import ContainerResources, Recommendation, Recommended, capped
from planner.vpa.admission.limit_ranges import LimitBounds, NamespaceLimits, together
from planner.vpa.admission.webhook import settings_of
from planner.vpa.updater.groups import GroupRules
from planner.vpa.updater.in_place import ResizeState
from planner.vpa.updater.live_pod import LivePod
from planner.vpa.updater.priority import Direction, PodFacts, PriorityRules, Requirement, priority_of
from planner.vpa.updater.rate_limit import RateLimit
from planner.vpa.updater.updater import (
    ResizeAnswer,
    UpdateMode,
    UpdaterLoop,
    UpdaterMemory,
    UpdaterRules,
    VpaSpec,
)
from tests.conformance.vpa.recommender import US, Case, amounts, close, policies_of

_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


def admission(case: Case) -> tuple[bool, object]:
    given, expect = case["input"], case["expect"]
    pod, vpas = given["pod"], [one for one in given["vpas"] if mode_of(one) is not UpdateMode.OFF]
    vpa = controlling(pod, vpas)
    containers = containers_of(pod)
    after = {one.name: {"requests": dict(one.requests), "limits": dict(one.limits)} for one in containers}
    if vpa is None:
        return not expect["matched"] and after == _all_amounts(expect["resources"]), after
    spec = spec_of(vpa, given.get("limitRanges") or (), pod["metadata"]["namespace"])
    fitted = capped(containers, spec.recommendation or {}, spec.policies, spec.limits)
    found = settings_of(containers, fitted, spec.policies, spec.limits) if spec.recommendation is not None else []
    given_settings = {one.name: {"requests": dict(one.requests), "limits": dict(one.limits)} for one in found}
    for name, one in given_settings.items():
        for kind, values in one.items():
            after[name][kind].update(values)
    got: Case = {
        "vpa": vpa["metadata"]["name"],
        "set": given_settings,
        "resources": after,
        "capped": {name: _kinds(one) for name, one in fitted.items()},
        "cappingNotes": {name: sorted(one.notes) for name, one in fitted.items() if one.notes},
        "vpaObservedContainers": ", ".join(one.name for one in containers),
    }
    wanted: Case = {
        "vpa": expect.get("vpa"),
        "set": _all_amounts(expect["set"]),
        "resources": _all_amounts(expect["resources"]),
        "capped": {
            one["containerName"]: {kind: amounts(one.get(kind)) for kind in ("target", "lowerBound", "upperBound")}
            for one in expect.get("capped") or ()
        },
        "cappingNotes": expect.get("cappingNotes") or {},
        "vpaObservedContainers": expect.get("vpaObservedContainers"),
    }
    if spec.recommendation is None:
        got["capped"] = got["cappingNotes"] = {}
    names = [name for name in got if name != "set" or True]
    return expect["matched"] and all(_drop_empty(got[name]) == _drop_empty(wanted[name]) for name in names), got


def _drop_empty(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: kept for key, one in value.items() if (kept := _drop_empty(one)) not in ({}, None)}
    return value


def _kinds(one: Recommended) -> Case:
    return {"target": dict(one.target), "lowerBound": dict(one.lower), "upperBound": dict(one.upper)}


def _all_amounts(resources: Case) -> Case:
    return {name: {kind: amounts(one.get(kind)) for kind in ("requests", "limits")} for name, one in resources.items()}


def containers_of(pod: Case) -> tuple[ContainerResources, ...]:
    """The containers with what they have: of the status where it says so."""
    statuses = {one["name"]: one.get("resources") for one in pod.get("status", {}).get("containerStatuses") or ()}
    found = []
    for one in pod["spec"]["containers"]:
        actual = statuses.get(one["name"])
        resources = one.get("resources") or {} if actual is None else actual
        found.append(
            ContainerResources(one["name"], amounts(resources.get("requests")), amounts(resources.get("limits")))
        )
    return tuple(found)


def mode_of(vpa: Case) -> UpdateMode:
    mode = (vpa["spec"].get("updatePolicy") or {}).get("updateMode") or "Recreate"
    return UpdateMode("Recreate" if mode == "Auto" else mode)


def owner_of(pod: Case) -> tuple[str, str] | None:
    owners = [one for one in pod["metadata"].get("ownerReferences") or () if one.get("controller")]
    return (owners[0]["kind"], owners[0]["name"]) if owners else None


def controlling(pod: Case, vpas: Sequence[Case]) -> Case | None:
    """The oldest VPA, then the first by name, whose target owns the pod."""
    owner = owner_of(pod)
    mine = [
        one
        for one in vpas
        if owner == (one["spec"]["targetRef"]["kind"], one["spec"]["targetRef"]["name"])
        and one["metadata"]["namespace"] == pod["metadata"]["namespace"]
        and pod["metadata"].get("labels", {}).get("app") == "web"
    ]
    return min(
        mine, key=lambda one: (one["metadata"].get("creationTimestamp", ""), one["metadata"]["name"]), default=None
    )


def spec_of(vpa: Case, ranges: Sequence[Case], namespace: str) -> VpaSpec:
    status = (vpa.get("status") or {}).get("recommendation")
    recommendation: Recommendation | None = None
    if status is not None:
        recommendation = {
            one["containerName"]: Recommended(
                amounts(one.get("target")), amounts(one.get("lowerBound")), amounts(one.get("upperBound"))
            )
            for one in status.get("containerRecommendations") or ()
        }
    policy = vpa["spec"].get("updatePolicy") or {}
    requirements = [
        Requirement(tuple(one["resources"]), Direction(one["changeRequirement"]))
        for one in policy.get("evictionRequirements") or ()
    ]
    return VpaSpec(
        mode_of(vpa),
        policies_of(vpa),
        policy.get("minReplicas"),
        requirements if "updatePolicy" in vpa["spec"] else None,
        recommendation,
        limits_of(ranges, namespace),
    )


def limits_of(ranges: Sequence[Case], namespace: str) -> NamespaceLimits:
    def of(kind: str) -> LimitBounds | None:
        return together(
            LimitBounds(amounts(one.get("min")), amounts(one.get("max")), amounts(one.get("default")))
            for known in ranges
            if known["metadata"].get("namespace", namespace) == namespace
            for one in known["spec"]["limits"]
            if one["type"] == kind
        )

    return NamespaceLimits(of("Pod"), of("Container"))


def facts_of(pod: Case, start: datetime) -> PodFacts:
    status = pod.get("status") or {}
    observed = (pod["metadata"].get("annotations") or {}).get("vpaObservedContainers")
    names = None if observed is None else observed.split(", ") if observed else []
    if names is not None and not all(_LABEL.fullmatch(name) for name in names):
        names = None
    ooms = []
    for one in status.get("containerStatuses") or ():
        ended = (one.get("lastState") or {}).get("terminated")
        if ended is not None and ended.get("reason") == "OOMKilled":
            ooms.append((one["name"], _us(ended["finishedAt"], start) - _us(ended["startedAt"], start)))
    started = status.get("startTime")
    return PodFacts(
        containers_of(pod),
        None if names is None else frozenset(names),
        None if started is None else _us(started, start),
        tuple(ooms),
    )


def resize_of(pod: Case) -> ResizeState:
    kinds = ("PodResizePending", "PodResizeInProgress")
    conditions = [one for one in (pod.get("status") or {}).get("conditions") or () if one["type"] in kinds]
    if not conditions or conditions[0]["status"] != "True":
        return ResizeState.NONE
    pending = next((one for one in conditions if one["type"] == kinds[0]), None)
    if pending is not None:
        reasons = {"Deferred": ResizeState.DEFERRED, "Infeasible": ResizeState.INFEASIBLE}
        return reasons.get(pending.get("reason", ""), ResizeState.UNKNOWN)
    if not conditions[0].get("reason") and not conditions[0].get("message"):
        return ResizeState.IN_PROGRESS
    return ResizeState.ERROR if conditions[0].get("reason") == "Error" else ResizeState.UNKNOWN


def live_pod(pod: Case, start: datetime) -> LivePod:
    restarts = any(
        policy["restartPolicy"] == "RestartContainer"
        for one in pod["spec"]["containers"]
        for policy in one.get("resizePolicy") or ()
    )
    phase = (pod.get("status") or {}).get("phase")
    owner = owner_of(pod)
    return LivePod(pod["metadata"]["name"], owner, facts_of(pod, start), phase == "Pending", resize_of(pod), restarts)


class _Api:
    """Answers as the case says, and notes what was done."""

    def __init__(self, loop: Case) -> None:
        self._refused, self._fails = loop.get("evictionFails") or [], loop.get("resizeFails") or {}
        self.actions: list[Case] = []

    def evict(self, pod: LivePod) -> bool:
        fails = pod.id in self._refused
        self.actions.append({"type": "evict", "pod": pod.id, **({"error": True} if fails else {})})
        return not fails

    def resize(self, pod: LivePod, settings: Sequence[ContainerResources]) -> ResizeAnswer:
        fails = self._fails.get(pod.id)
        resources = {one.name: {"requests": dict(one.requests), "limits": dict(one.limits)} for one in settings}
        self.actions.append(
            {"type": "resize", "pod": pod.id, "resources": resources, **({"error": True} if fails else {})}
        )
        answers = {None: ResizeAnswer.DONE, "infeasible": ResizeAnswer.INFEASIBLE}
        return answers.get(fails, ResizeAnswer.REFUSED)


def update_order(case: Case) -> tuple[bool, object]:
    given, expect = case["input"], case["expect"]
    start, config = datetime.fromisoformat(given["now"].replace("Z", "+00:00")), given["config"]
    rules = UpdaterRules(
        priority=PriorityRules(
            config["podUpdateThreshold"], config["inBoundsLifetimeSeconds"] * US, config["evictAfterOOMSeconds"] * US
        ),
        groups=GroupRules(
            config["minReplicas"], config["evictionToleranceFraction"], config["inPlaceSkipDisruptionBudget"]
        ),
    )
    rate = config["evictionRateLimit"], config["evictionRateBurst"]
    memory = UpdaterMemory(RateLimit(*rate), RateLimit(*rate))
    priorities = {}
    first = spec_of(given["vpas"][0], given.get("limitRanges") or (), "default")
    for pod in given["loops"][0]["pods"]:
        known = live_pod(pod, start)
        fitted = capped(known.facts.containers, first.recommendation or {}, first.policies, first.limits)
        priorities[pod["metadata"]["name"]] = priority_of(known.facts, fitted)
    agrees = all(
        (one.outside, one.up) == (wanted["outsideRecommendedRange"], wanted["scaleUp"])
        and close(one.difference, wanted["resourceDiff"])
        for name, wanted in expect["priority"].items()
        for one in [priorities[name]]
    )
    loops, vpas = [], given["vpas"]
    for loop, wanted in zip(given["loops"], expect["loops"], strict=True):
        vpas = loop.get("vpas") or vpas
        actions, seconds = _run(given, rules, memory, loop, vpas, start)
        loops.append({"actions": actions, "seconds": seconds})
        agrees = agrees and _same_actions(actions, wanted["actions"])
        agrees = agrees and abs(seconds - wanted.get("seconds", 0)) < 1e-6
    return agrees, {"loops": loops, "priority": priorities}


def _run(
    given: Case, rules: UpdaterRules, memory: UpdaterMemory, loop: Case, vpas: Sequence[Case], start: datetime
) -> tuple[list[Case], float]:
    """One loop; what it did, and how long it waited."""
    api, now_us = _Api(loop), loop["t"] * US
    run = UpdaterLoop(rules, memory, api, now_us)
    has_gate = (given.get("featureGates") or {}).get("InPlace", False)
    active = [one for one in vpas if mode_of(one) not in (UpdateMode.OFF, UpdateMode.INITIAL)]
    pods = [one for one in loop["pods"] if not one["metadata"].get("deletionTimestamp")]
    for vpa in active:
        mine = [live_pod(pod, start) for pod in pods if controlling(pod, active) is vpa]
        if not mine or (mode_of(vpa) is UpdateMode.IN_PLACE and not has_gate):
            continue
        run.update(spec_of(vpa, given.get("limitRanges") or (), "default"), mine, _configured(given, mine))
        while run.due_us is not None:
            run.go_on()
    return api.actions, (run.now_us - now_us) / US


def _configured(given: Case, pods: Sequence[LivePod]) -> Callable[[Hashable, int], int | None]:
    controller = given["controller"]

    def of(group: Hashable, live: int) -> int | None:
        if controller["kind"] == "Job":
            return live
        return controller["replicas"] if group == (controller["kind"], controller["name"]) else None

    return of


def _same_actions(got: list[Case], wanted: list[Case]) -> bool:
    if [(one["type"], one["pod"], one.get("error", False)) for one in got] != [
        (one["type"], one["pod"], one.get("error", False)) for one in wanted
    ]:
        return False
    return all(
        _drop_empty(mine.get("resources") or {}) == _drop_empty(_all_amounts(theirs.get("resources") or {}))
        for mine, theirs in zip(got, wanted, strict=True)
    )


def _us(moment: str, start: datetime) -> int:
    return round((datetime.fromisoformat(moment.replace("Z", "+00:00")) - start).total_seconds() * US)
