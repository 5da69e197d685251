"""Cluster Autoscaler vectors: translates the cases, calls the production rules, compares.

Families that need the estimator or a whole loop are in `cluster_autoscaler_loop`.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from planner.autoscaler.expander.chain import choose_option
from planner.autoscaler.expander.option import ExpanderContext, ExpansionOption, PodPrices
from planner.autoscaler.expander.price import Price, pod_price
from planner.autoscaler.expander.priority import Priority
from planner.autoscaler.groups.backoff import NodeGroupBackoff
from planner.autoscaler.groups.similarity import NodeTraits, SimilarityRules, is_similar
from planner.autoscaler.scaleup.balancing import balance_scale_up
from planner.errors import ImportProblem
from planner.kube.autoscalers.priority_config import parse_priority_config
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.expanders import PriorityTier
from planner.units import US_PER_S, parse_count, parse_cpu_milli
from tests.conformance.cluster_autoscaler.loop import FAMILIES as LOOP_FAMILIES
from tests.conformance.cluster_autoscaler.timeline import FAMILIES as TIMELINE_FAMILIES

Json = dict[str, Any]
Outcome = tuple[bool, object]

PRICE_LABEL = "example.com/price-per-hour"
GPU_LABEL = "example.com/gpu"
SCORE_TOLERANCE = 2e-6
PRICES = PodPrices()


def _amounts(quantities: Mapping[str, str]) -> dict[str, int]:
    return {name: parse_cpu_milli(text) if name == "cpu" else parse_count(text) for name, text in quantities.items()}


def _add(one: dict[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in dict.fromkeys((*one, *other))}


def _larger(one: dict[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: max(one.get(name, 0), other.get(name, 0)) for name in dict.fromkeys((*one, *other))}


def _requests(container: Json) -> dict[str, int]:
    return _amounts(container.get("resources", {}).get("requests", {}))


def _container_requests(pod: Json) -> dict[str, int]:
    total: dict[str, int] = {}
    for container in pod["spec"]["containers"]:
        total = _add(total, _requests(container))
    return total


def _effective_requests(pod: Json) -> dict[str, int]:
    sidecars: dict[str, int] = {}
    start: dict[str, int] = {}
    for container in pod["spec"].get("initContainers", []):
        if container.get("restartPolicy") == "Always":
            sidecars = _add(sidecars, _requests(container))
            start = _larger(start, sidecars)
        else:
            start = _larger(start, _add(_requests(container), sidecars))
    total = _larger(_add(_container_requests(pod), sidecars), start)
    return _add(total, _amounts(pod["spec"].get("overhead", {})))


def _option(given: Json, row: int, group: Json, pods: Mapping[str, Json]) -> ExpansionOption:
    template = group["template"]
    capacity = _amounts(template["status"]["capacity"])
    labels = template.get("metadata", {}).get("labels", {})
    requested: dict[str, int] = {}
    pods_price = 0.0
    for name, count in given["pods"].items():
        requests, plain = _effective_requests(pods[name]), _container_requests(pods[name])
        requested = _add(requested, {key: amount * count for key, amount in requests.items()})
        pods_price += count * pod_price(plain.get("cpu", 0), plain.get("memory", 0), PRICES)
    return ExpansionOption(
        group=row,
        group_id=given["group"],
        node_count=given["nodeCount"],
        pod_count=sum(given["pods"].values()),
        requested_cpu_milli=requested.get("cpu", 0),
        requested_memory_bytes=requested.get("memory", 0),
        capacity_cpu_milli=capacity["cpu"],
        capacity_memory_bytes=capacity["memory"],
        node_price=float(labels[PRICE_LABEL]) if PRICE_LABEL in labels else None,
        pods_price=pods_price,
        has_gpu=GPU_LABEL in labels,
        exists=not group.get("notExist", False),
        has_template=not group.get("noNodeInfo", False),
    )


def _options(case: Json) -> list[ExpansionOption]:
    rows = {group["id"]: row for row, group in enumerate(case["nodeGroups"])}
    pods = {entry["pod"]["metadata"]["name"]: entry["pod"] for entry in case["pods"]}
    return [_option(o, rows[o["group"]], case["nodeGroups"][rows[o["group"]]], pods) for o in case["options"]]


def _tiers(case: Json) -> tuple[tuple[PriorityTier, ...], bool]:
    """The priorities, and whether their text is valid (no text is no priority and not invalid)."""
    try:
        return parse_priority_config(case["priorityExpanderConfig"]), True
    except KeyError:
        return (), True
    except ImportProblem:
        return (), False


def _context(case: Json) -> ExpanderContext:
    return ExpanderContext(case.get("clusterNodes", 0), _tiers(case)[0], PRICES)


def _expander(case: Json) -> Outcome:
    given, expect = case["input"], case["expect"]
    try:
        settings = ClusterAutoscalerSettings.model_validate({"expander": given["expander"].split(",")})
    except ValidationError:
        return expect == {"error": True}, {"error": True}
    choice = choose_option(settings.expander, _options(given), _context(given))
    best = sorted(option.group_id for option in choice.finalists)
    return best == expect.get("best"), {"best": best}


def _expander_price(case: Json) -> Outcome:
    passed, got = _expander(case)
    price = Price(case["input"].get("clusterNodes", 0), PRICES)
    scores = {}
    for option in _options(case["input"]):
        score = price.score(option)
        if score is not None:
            scores[option.group_id] = {
                "nodesPrice": score.nodes_price,
                "podsPrice": score.pods_price,
                "ratio": score.ratio,
                "unfitness": score.unfitness,
                "suppressedUnfitness": score.suppressed_unfitness,
                "score": score.score,
            }
    expected = case["expect"]["scores"]
    same = scores.keys() == expected.keys() and all(
        math.isclose(scores[group][name], value, rel_tol=1e-9, abs_tol=SCORE_TOLERANCE)
        for group, parts in expected.items()
        for name, value in parts.items()
    )
    return passed and same, {"choice": got, "scores": scores}


def _expander_priority(case: Json) -> Outcome:
    passed, got = _expander(case)
    tiers, valid = _tiers(case["input"])
    choice = Priority(tiers).choose(_options(case["input"]))
    counts = {
        "PriorityConfigMapInvalid": int(not valid),
        "PriorityConfigMapNotMatchedGroup": len(choice.unmatched),
        "PriorityConfigMapNoGroupMatched": int(choice.no_group_matched),
    }
    events = {name: count for name, count in counts.items() if count}
    return passed and events == case["expect"].get("events", {}), {"choice": got, "events": events}


def _balance_split(case: Json) -> Outcome:
    groups = case["input"]["groups"]
    targets = [group["targetSize"] for group in groups]
    sizes = balance_scale_up(targets, [group["maxSize"] for group in groups], case["input"]["newNodes"])
    changed = {groups[at]["id"]: size for at, size in sizes.items()}
    return changed == case["expect"]["newSizes"], changed


def _traits(node: Json, pods: list[Json]) -> NodeTraits:
    requested: dict[str, int] = {}
    for entry in pods:
        requested = _add(requested, _effective_requests(entry["pod"]))
    return NodeTraits(
        capacity=_amounts(node["status"]["capacity"]),
        allocatable=_amounts(node["status"]["allocatable"]),
        labels=node.get("metadata", {}).get("labels", {}),
        requested=requested,
    )


def _node_similarity(case: Json) -> Outcome:
    given = case["input"]
    ratios = given.get("ratios", {})
    defaults = SimilarityRules()
    rules = SimilarityRules(
        ratios.get("memory-difference-ratio", defaults.memory_difference_ratio),
        ratios.get("max-allocatable-difference-ratio", defaults.max_allocatable_difference_ratio),
        ratios.get("max-free-difference-ratio", defaults.max_free_difference_ratio),
        ignored_labels=tuple(given.get("balancingIgnoreLabels", ())),
        balancing_labels=tuple(given.get("balancingLabels", ())),
    )
    similar = is_similar(
        _traits(given["a"], given.get("aPods", [])), _traits(given["b"], given.get("bPods", [])), rules
    )
    return similar == case["expect"]["similar"], similar


def _backoff(case: Json) -> Outcome:
    given = case["input"]
    state = NodeGroupBackoff(*(given[name] * US_PER_S for name in ("initial", "max", "reset")))
    until: list[float] = []
    backed_off: list[bool] = []
    actions = [(at, False) for at in given["failures"]] + [(at, True) for at in given["probes"]]
    for at, is_probe in sorted(actions):
        now_us = at * US_PER_S
        state.forget_stale(now_us)
        if is_probe:
            backed_off.append(state.is_backed_off(0, now_us))
        else:
            until.append(state.fail(0, now_us) / US_PER_S)
    got = {"until": until, "backedOff": backed_off}
    return got == case["expect"], got


FAMILIES: dict[str, Callable[[Json], Outcome]] = {
    "expander_least_waste": _expander,
    "expander_most_pods": _expander,
    "expander_least_nodes": _expander,
    "expander_chain": _expander,
    "expander_price": _expander_price,
    "expander_priority": _expander_priority,
    "balance_split": _balance_split,
    "node_similarity": _node_similarity,
    "backoff": _backoff,
    **LOOP_FAMILIES,
    **TIMELINE_FAMILIES,
}
