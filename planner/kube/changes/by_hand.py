"""Changes of a plan that no manifest holds: flags of the Cluster Autoscaler, sizes of pools, the plan's own."""

from collections.abc import Iterator
from typing import Any

from pydantic.alias_generators import to_camel

from planner.kube.exporter import NOT_IN_PODS, NOT_IN_WORKLOADS
from planner.plan.derived.kubernetes.autoscaler_flags import FLAGS, Treatment, settings_of
from planner.plan.files.places import Place
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import Item, parse_change
from planner.plan.variants.between import changes_between

_IN_MANIFESTS = (
    "priorityClasses", "runtimeClasses", "namespaces", "services", "workloads", "podDisruptionBudgets",
    "horizontalPodAutoscalers", "scheduler",
)  # fmt: skip
_OWN = ("startsOn", *map(to_camel, NOT_IN_WORKLOADS))
_OWN_OF_POOLS = (
    "initialAge", "provisioningDelay", "provisioningSpread", "readyDelay", "driverDelay", "deletionDelay",
    "pricePerHour",
)  # fmt: skip
"""How fast nodes come and go and what they cost is found in a cluster, not applied to it."""
_OWN_OF_PODS = tuple(map(to_camel, NOT_IN_PODS))


def autoscaler_flags(base: Plan, plan: Plan) -> Iterator[str]:
    """Flags of the Cluster Autoscaler's Deployment that get another value."""
    old, new = base.cluster_autoscaler, plan.cluster_autoscaler
    place = Place(ClusterAutoscalerSettings)
    for flag, treatment in FLAGS.items():
        names = settings_of(flag)
        if treatment is not Treatment.MODELLED or not names or flag == "ignore-taint":
            continue
        before, after = ([getattr(part, name) for name in names] for part in (old, new))
        if before != after:
            texts = [_text(place.child(name) or Place(None), value) for name, value in zip(names, after, strict=True)]
            yield f"--{flag}={':'.join(texts)}"
    sizes = {group.name: (group.min_size, group.max_size) for group in base.node_groups}
    for group in plan.node_groups:
        if plan.cluster_autoscaler.enabled and sizes.get(group.name) != (group.min_size, group.max_size):
            yield f"--nodes={group.min_size}:{group.max_size}:{group.name}"


def pool_changes(base: Plan, plan: Plan) -> Iterator[str]:
    """What changes about node pools, which the cloud or the tool that made them has to do."""
    for text in changes_between(base, plan):
        steps = _steps(text)
        if steps[0] == "nodeGroups" and not _is_own_of_pool(steps):
            yield text


def own_changes(base: Plan, plan: Plan) -> Iterator[str]:
    """What changes in the plan only, such as load and prices: nothing of a cluster."""
    for text in changes_between(base, plan):
        steps = _steps(text)
        is_own = steps[0] not in (*_IN_MANIFESTS, "nodeGroups", "clusterAutoscaler") or _is_own_of_pool(steps)
        if steps[0] == "workloads" and len(steps) > 2:
            is_own = steps[2] in _OWN or (steps[2] == "pod" and steps[-1] in _OWN_OF_PODS)
        if is_own:
            yield text if len(text) <= 200 else f"{text[:200]}..."


def _steps(text: str) -> list[object]:
    return [step.key if isinstance(step, Item) else step for step in parse_change(text).steps]


def _is_own_of_pool(steps: list[object]) -> bool:
    return steps[0] == "nodeGroups" and len(steps) > 2 and steps[2] in _OWN_OF_POOLS


def _text(place: Place, value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(str(item) for item in value)
    return place.spelling.format(value) if place.spelling is not None else str(value)
