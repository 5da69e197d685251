"""Vectors of what a kubelet decides: thresholds, eviction, ranking, admission, scores, shutdown."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from planner.kube.pods.aggregates import aggregate, is_sidecar, level_requests, with_defaults
from planner.kube.pods.pod_stats import container_disk, empty_dir_use, ephemeral_use
from planner.kube.pods.tolerations import read_kube_tolerations
from planner.nodes.drain.shutdown import periods_by_priority, shutdown_groups
from planner.nodes.kubelet.admission import admits
from planner.nodes.kubelet.allocatable import node_offer, pod_capacity
from planner.nodes.kubelet.ephemeral import ContainerStorage, PodStorage, limit_exceeded
from planner.nodes.kubelet.oom import PodMemory, oom_score_adj
from planner.nodes.kubelet.pressure import HARD_GRACE_US
from planner.nodes.kubelet.ranking import rank
from planner.nodes.kubelet.restart_backoff import RestartBackoff, next_restart
from planner.plan.values.thresholds import Amount, Signal, Threshold, parse_threshold_flag, parse_thresholds
from planner.units import US_PER_S, ceil_fraction, parse_count, parse_cpu_milli, parse_quantity
from tests.conformance.node_objects import is_critical, layout_of, pod_qos, ranked_pod

Json = dict[str, Any]
Outcome = tuple[bool, object]


def thresholds_of(given: Json) -> tuple[Threshold, ...]:
    """Thresholds of a kubelet configuration."""
    hard = parse_threshold_flag(given["evictionHardFlag"]) if "evictionHardFlag" in given else given.get("evictionHard")
    return parse_thresholds(
        hard or {},
        given.get("evictionSoft"),
        given.get("evictionSoftGracePeriod"),
        given.get("evictionMinimumReclaim"),
        "pods" in (given.get("enforceNodeAllocatable") or ()),
    )


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
    pod, stats = given["pod"], given["stats"]
    limits = aggregate(pod, "limits")
    disk = container_disk(stats)
    containers = [
        ContainerStorage(_limit(container), *disk.get(container["name"], (0, 0)))
        for container in pod["spec"].get("containers") or ()
    ]
    storage = PodStorage(
        used=ephemeral_use(stats),
        containers=containers,
        empty_dirs=empty_dir_use(stats, pod),
        critical=is_critical(pod),
        pod_limit=ceil_fraction(limits["ephemeral-storage"]) if "ephemeral-storage" in limits else None,
    )
    hit = limit_exceeded(storage, bool(given.get("dedicatedImageFs"))) is not None
    got: Json = {"evicted": hit}
    if hit:
        got["gracePeriodSeconds"] = HARD_GRACE_US // US_PER_S
    return all(case["expect"].get(key) == value for key, value in got.items()), got


def _limit(container: Json) -> int | None:
    text = ((container.get("resources") or {}).get("limits") or {}).get("ephemeral-storage")
    return parse_count(str(text)) or None if text is not None else None


def _pressure_admission(case: Json) -> Outcome:
    pod = case["input"]["pod"]
    tolerations = read_kube_tolerations(pod["spec"].get("tolerations") or ())
    admit = admits(case["input"]["nodeConditions"] or (), pod_qos(pod), is_critical(pod), tolerations)
    return case["expect"] == {"admit": admit}, admit


def _qos_class(case: Json) -> Outcome:
    pod = case["input"]["pod"]
    got = {"qosClass": str(pod_qos(pod)), "qosClassAfterDefaults": str(pod_qos(with_defaults(pod)))}
    return got == case["expect"], got


def _oom_score_adj(case: Json) -> Outcome:
    pod, capacity = case["input"]["pod"], case["input"]["memoryCapacityBytes"]
    spec = pod["spec"]
    init = spec.get("initContainers") or ()
    level = level_requests(pod).get("memory", Fraction(0))
    memory = PodMemory(
        qos=pod_qos(pod),
        node_critical=is_critical(pod) and spec.get("priorityClassName") == "system-node-critical",
        containers=[_memory_request(container) for container in spec["containers"]],
        init_count=len(init),
        pod_level=ceil_fraction(level) or None,
        aggregate=ceil_fraction(aggregate(pod, "requests").get("memory", Fraction(0))),
    )
    got = {
        container["name"]: oom_score_adj(memory, _memory_request(container), side, capacity)
        for container, side in [*((c, False) for c in spec["containers"]), *((c, is_sidecar(c)) for c in init)]
    }
    return case["expect"] == {"oomScoreAdj": got}, got


def _memory_request(container: Json) -> int:
    return parse_count(str(((container.get("resources") or {}).get("requests") or {}).get("memory", "0")))


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
        else periods_by_priority(
            given["shutdownGracePeriodSeconds"] * US_PER_S, given["shutdownGracePeriodCriticalPodsSeconds"] * US_PER_S
        )
    )
    pods = [
        (
            pod["metadata"]["name"],
            pod["spec"].get("priority") or 0,
            pod["spec"]["terminationGracePeriodSeconds"] * US_PER_S,
        )
        for pod in given["pods"]
    ]
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
