"""Vectors of whole sequences of eviction passes."""

from collections.abc import Callable, Mapping
from typing import Any

from planner.nodes.kubelet.pressure import (
    Choice,
    EvictionMemory,
    EvictionSettings,
    Observation,
    choices,
    eviction_grace_us,
    eviction_pass,
)
from planner.plan.values.thresholds import Signal, Threshold
from planner.units import US_PER_S
from tests.conformance.node.kubelet import thresholds_of
from tests.conformance.node.stats import layout_of, ranked_pod

Json = dict[str, Any]
Outcome = tuple[bool, object]


def _settings(config: Json) -> EvictionSettings:
    return EvictionSettings(
        thresholds=thresholds_of(config),
        transition_us=config["evictionPressureTransitionPeriodSeconds"] * US_PER_S,
        max_pod_grace_us=config["evictionMaxPodGracePeriodSeconds"] * US_PER_S,
        layout=layout_of(config),
    )


def _observations(signals: Mapping[str, Json], time_us: int) -> dict[Signal, Observation]:
    return {Signal(name): Observation(one["available"], one["capacity"], time_us) for name, one in signals.items()}


def _thresholds_met(case: Json) -> Outcome:
    given = case["input"]
    settings, memory = _settings(given["config"]), EvictionMemory()
    pods: dict[str, Json] = {pod["metadata"]["name"]: pod for pod in given["pods"]}
    stats: dict[str, Json] = {}
    got, fine = [], True
    for step, expect in zip(given["steps"], case["expect"]["steps"], strict=True):
        stats |= step.get("podStats") or {}
        sampled_us = step.get("statsTime", step["t"]) * US_PER_S
        seen = _observations(step["signals"], sampled_us)
        after = _observations(step.get("afterNodeReclaim") or step["signals"], sampled_us)
        result = eviction_pass(settings, memory, seen, step["t"] * US_PER_S)
        memory = result.memory
        ranked = [ranked_pod(pod, stats.get(name)) for name, pod in pods.items()]
        found = choices(settings, result, ranked, after)
        shown = _shown(step["t"], result.conditions, memory.in_force, _outcomes(found, settings), found)
        fine &= _agrees(shown, expect)
        got.append(shown)
        pods.pop(expect["evicted"] or "", None)
    return fine, got


def _outcomes(found: list[Choice], settings: EvictionSettings) -> list[Json | None]:
    outcomes: list[Json | None] = []
    for choice in found:
        outcomes += [
            {"pod": pod.key, "gracePeriodSeconds": eviction_grace_us(choice.threshold, pod, settings) // US_PER_S}
            for pod in choice.victims
        ] or [None]
    return outcomes


def _shown(
    t: int,
    conditions: tuple[str, ...],
    in_force: tuple[Threshold, ...],
    outcomes: list[Json | None],
    found: list[Choice],
) -> Json:
    return {
        "t": t,
        "nodeConditions": sorted(str(condition) for condition in conditions),
        "thresholdsMet": sorted({f"{one.signal}/{'hard' if one.is_hard else 'soft'}" for one in in_force}),
        "outcomes": _as_set(outcomes or [None]),
        "nodeReclaimTried": bool(found) and all(choice.reclaims for choice in found),
    }


def _as_set(outcomes: list[Json | None]) -> list[tuple[str, int]]:
    return sorted({("", 0) if one is None else (one["pod"], one["gracePeriodSeconds"]) for one in outcomes})


def _agrees(got: Json, expect: Json) -> bool:
    return bool(
        got["nodeConditions"] == sorted(expect["nodeConditions"])
        and got["thresholdsMet"] == sorted(set(expect["thresholdsMet"]))
        and got["outcomes"] == _as_set(expect.get("evictedOneOf") or [None])
        and got["nodeReclaimTried"] == bool(expect.get("nodeReclaimTried"))
    )


FAMILIES: dict[str, Callable[[Json], Outcome]] = {"thresholds_met": _thresholds_met}
