"""Vectors of what a kubelet decides: thresholds, eviction, ranking, admission, scores, shutdown."""

from collections.abc import Callable
from typing import Any

from planner.nodes.drain.shutdown import shutdown_groups
from planner.nodes.kubelet.container_restarts import RestartBackoff, next_restart
from planner.nodes.kubelet.ephemeral import limit_exceeded
from planner.nodes.kubelet.kubelet_admission import admits
from planner.nodes.kubelet.oom import oom_score_adj
from planner.nodes.kubelet.pressure import HARD_GRACE_US
from planner.nodes.kubelet.ranking import is_critical, rank
from planner.plan.derived.allocatable import node_offer, pod_capacity
from planner.plan.model.node_groups import NodeGroup
from planner.plan.values.thresholds import Amount, Signal, Threshold, parse_thresholds
from planner.simulation.compile.nodes import shutdown_periods
from planner.state.specs import ContainerRole
from planner.units import US_PER_S, ceil_fraction, parse_count, parse_cpu_milli, parse_quantity
from tests.conformance.node.pods import known_pod
from tests.conformance.node.stats import layout_of, pod_storage, ranked_pod

Json = dict[str, Any]
Outcome = tuple[bool, object]


def thresholds_of(given: Json) -> tuple[Threshold, ...]:
    """Thresholds of a kubelet configuration."""
    hard = _from_flag(given["evictionHardFlag"]) if "evictionHardFlag" in given else given.get("evictionHard")
    return parse_thresholds(
        hard or {},
        given.get("evictionSoft"),
        given.get("evictionSoftGracePeriod"),
        given.get("evictionMinimumReclaim"),
        "pods" in (given.get("enforceNodeAllocatable") or ()),
    )


def _from_flag(text: str) -> dict[str, str]:
    """The command line form signal<value,signal<value as the map of a configuration; a later entry wins."""
    parts = [part.partition("<") for part in text.split(",") if part]
    if not all(less for _, less, _ in parts):
        raise ValueError(f"'{text}' is not of the form signal<value")
    return {name.strip(): value.strip() for name, _, value in parts}


def _threshold_parse(case: Json) -> Outcome:
    given, expect = case["input"], case["expect"]
    try:
        found = thresholds_of(given)
    except ValueError as error:
        return expect["error"] is True, str(error)
    got = [_as_json(threshold, given["capacity"]) for threshold in found]
    wanted = [{**one, **_plain(one)} for one in expect.get("thresholds") or ()]
    return not expect["error"] and sorted(got, key=_order) == sorted(wanted, key=_order), got


def _order(threshold: Json) -> tuple[str, float, int]:
    return threshold["signal"], threshold["gracePeriodSeconds"], threshold["thresholdAtCapacity"]


def _plain(threshold: Json) -> Json:
    """Quantities by value alone; their text is the input's."""
    return {key: _amount(threshold[key]) for key in ("value", "minReclaim") if key in threshold}


def _amount(amount: Json) -> Json:
    return {"percentage": amount["percentage"]} if "percentage" in amount else {"value": amount["value"]}


def _as_json(threshold: Threshold, capacity: int) -> Json:
    out: Json = {
        "signal": str(threshold.signal),
        "operator": "LessThan",
        "gracePeriodSeconds": threshold.grace_us / US_PER_S,
        "value": _shown(threshold.value),
        "thresholdAtCapacity": threshold.value.of(capacity),
    }
    if threshold.min_reclaim is not None:
        out["minReclaim"] = _shown(threshold.min_reclaim)
        out["minReclaimAtCapacity"] = threshold.min_reclaim.of(capacity)
    return out


def _shown(amount: Amount) -> Json:
    return {"value": amount.units} if amount.share is None else {"percentage": amount.share}


def _eviction_ranking(case: Json) -> Outcome:
    given = case["input"]
    pods = [ranked_pod(pod, given["stats"].get(pod["metadata"]["name"])) for pod in given["pods"]]
    groups = rank(Signal(given["signal"]), pods, layout_of(given))
    got = {"order": [sorted(str(pod.key) for pod in group) for group in groups]}
    wanted = {"order": [sorted(group) for group in case["expect"]["order"]]}
    return got == wanted, got


def _ephemeral_limit_eviction(case: Json) -> Outcome:
    given = case["input"]
    storage = pod_storage(given["pod"], given["stats"])
    hit = limit_exceeded(storage, bool(given.get("dedicatedImageFs"))) is not None
    got: Json = {"evicted": hit}
    if hit:
        got["gracePeriodSeconds"] = HARD_GRACE_US // US_PER_S
    return all(case["expect"].get(key) == value for key, value in got.items()), got


def _pressure_admission(case: Json) -> Outcome:
    pod = known_pod(case["input"]["pod"])
    conditions = case["input"]["nodeConditions"] or ()
    admit = admits(conditions, pod.qos, is_critical(pod.spec), pod.spec.placement.tolerations)
    return case["expect"] == {"admit": admit}, admit


def _qos_class(case: Json) -> Outcome:
    given, stored = (known_pod(case["input"]["pod"], defaulted).qos for defaulted in (False, True))
    got = {"qosClass": str(given), "qosClassAfterDefaults": str(stored)}
    return got == case["expect"], got


def _oom_score_adj(case: Json) -> Outcome:
    pod, capacity = known_pod(case["input"]["pod"], is_defaulted=False), case["input"]["memoryCapacityBytes"]
    claims = pod.memory.oom
    got = {
        one.name: oom_score_adj(claims, max(one.memory_request, 0), one.role is ContainerRole.SIDECAR, capacity)
        for one in pod.spec.running.containers
    }
    return case["expect"] == {"oomScoreAdj": got}, got


def _allocatable(case: Json) -> Outcome:
    given = case["input"]
    capacity = {
        "cpu": given["cpuCores"] * 1000,
        "memory": given["memoryBytes"],
        "ephemeral-storage": given["ephemeralStorageBytes"],
    }
    for page in given.get("hugePages") or ():
        capacity[f"hugepages-{_binary(page['pageSizeKi'])}"] = page["count"] * page["pageSizeKi"] * 1024
    offer = node_offer(
        capacity,
        _reserved(given.get("kubeReserved")),
        _reserved(given.get("systemReserved")),
        parse_thresholds(given.get("evictionHard") or {}),
        pod_capacity(capacity["cpu"], given["maxPods"], given["podsPerCore"]),
    )
    plugins = given.get("extendedResources") or {}
    extended = {name: ceil_fraction(parse_quantity(text)) for name, text in plugins.items()}
    got = {
        "capacity": _cpu_named({**offer.capacity, **extended}),
        "allocatable": _cpu_named({**offer.allocatable, **extended}),
        "reservation": _cpu_named(offer.reservation),
        "configValid": offer.valid,
        "podsCgroupMemoryLimit": offer.pods_memory_limit,
    }
    return got == case["expect"], got


def _binary(kib: int) -> str:
    return f"{kib >> 20}Gi" if kib >= 1 << 20 else f"{kib >> 10}Mi" if kib >= 1 << 10 else f"{kib}Ki"


def _reserved(quantities: Json | None) -> dict[str, int]:
    return {
        name: parse_cpu_milli(str(text)) if name == "cpu" else parse_count(str(text))
        for name, text in (quantities or {}).items()
    }


def _cpu_named(amounts: dict[str, int]) -> dict[str, int]:
    return {("cpuMilli" if name == "cpu" else name): value for name, value in amounts.items()}


def _node_shutdown_groups(case: Json) -> Outcome:
    given = case["input"]
    listed = given.get("shutdownGracePeriodByPodPriority")
    periods = (
        tuple((entry["priority"], entry["shutdownGracePeriodSeconds"] * US_PER_S) for entry in listed)
        if listed
        else _plain_periods(given)
    )
    specs = {pod["metadata"]["name"]: known_pod(pod).spec for pod in given["pods"]}
    pods = [(name, spec.priority, spec.running.grace_us) for name, spec in specs.items()]
    groups = [
        {
            "priority": group.priority,
            "shutdownGracePeriodSeconds": group.period_us // US_PER_S,
            "podGracePeriods": {str(key): us // US_PER_S for key, us in group.graces_us.items()},
        }
        for group in (shutdown_groups(periods, pods) if periods else ())
    ]
    got: Json = {"enabled": bool(periods)}
    if periods:
        got |= {"groups": groups, "totalSeconds": sum(us for _, us in periods) // US_PER_S}
    expect = {key: value for key, value in case["expect"].items() if periods or key == "enabled"}
    return got == expect, got


def _plain_periods(given: Json) -> tuple[tuple[int, int], ...]:
    kubelet = {
        "shutdownGracePeriod": f"{given['shutdownGracePeriodSeconds']}s",
        "shutdownGracePeriodCriticalPods": f"{given['shutdownGracePeriodCriticalPodsSeconds']}s",
    }
    pool = {"name": "pool", "cpu": "1", "memory": "1Gi", "kubelet": kubelet}
    return shutdown_periods(NodeGroup.model_validate(pool))


def _crashloop_backoff(case: Json) -> Outcome:
    given = case["input"]
    longest_us = given["maxContainerRestartPeriodSeconds"] * US_PER_S
    state: RestartBackoff | None = None
    start_us, starts, waits = 0, [], []
    for seconds in given["runSeconds"]:
        starts.append(start_us // US_PER_S)
        exit_us = start_us + seconds * US_PER_S
        state = next_restart(state, exit_us, longest_us)
        start_us = state.decided_us
        waits.append((start_us - exit_us) // US_PER_S)
    got = {"startTimes": starts, "waitAfterExit": waits, "nextStart": start_us // US_PER_S}
    return got == case["expect"], got


FAMILIES: dict[str, Callable[[Json], Outcome]] = {
    "allocatable": _allocatable,
    "crashloop_backoff": _crashloop_backoff,
    "ephemeral_limit_eviction": _ephemeral_limit_eviction,
    "eviction_ranking": _eviction_ranking,
    "node_shutdown_groups": _node_shutdown_groups,
    "oom_score_adj": _oom_score_adj,
    "pressure_admission": _pressure_admission,
    "qos_class": _qos_class,
    "threshold_parse": _threshold_parse,
}
