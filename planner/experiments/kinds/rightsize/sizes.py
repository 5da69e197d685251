"""Requests and limits of containers as rules make them of their use."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from planner.plan.derived.pod_requests import container_request
from planner.plan.model.autoscalers.vertical_pod_autoscaler import VerticalPodAutoscaler
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload
from planner.simulation.use.observation import ContainerUse
from planner.units import MIB
from planner.vpa.admission.capping import ContainerResources, Recommended, capped
from planner.vpa.admission.webhook import settings_of
from planner.vpa.controller.settings import container_policies, namespace_limits
from planner.vpa.controller.tracked import containers_of
from planner.vpa.recommender.policies import CPU, MEMORY, RESOURCES, policy_of

MARGIN = 1.15
"""On top of the 95th percentile, as the recommender of the Vertical Pod Autoscaler adds to its own."""
Amounts = dict[str, int]
"""Milli-CPU under "cpu", bytes under "memory"."""


@dataclass(frozen=True)
class SizingRule:
    """A way from use to requests."""

    name: str
    of: Callable[[ContainerUse], Amounts]


def _recommended(use: ContainerUse) -> Amounts:
    known = {CPU: use.cpu is not None, MEMORY: use.memory is not None}
    return {resource: amount for resource, amount in use.target.items() if known[resource]}


def _peak(use: ContainerUse) -> Amounts:
    return {resource: part.peak for resource, part in ((CPU, use.cpu), (MEMORY, use.memory)) if part is not None}


def _high_percentile(use: ContainerUse) -> Amounts:
    parts = (CPU, use.cpu), (MEMORY, use.memory)
    return {resource: round(MARGIN * part.p95) for resource, part in parts if part is not None}


RULES = (
    SizingRule("VPA", _recommended),
    SizingRule("peak", _peak),
    SizingRule("p95 + 15 %", _high_percentile),
)


@dataclass(frozen=True)
class SizedWorkload:
    """A workload with the requests and limits that a rule gives its containers."""

    workload: Workload
    settings: tuple[ContainerResources, ...]
    """Containers that change, with what is set of each."""


def sized(plan: Plan, workload: Workload, uses: Sequence[ContainerUse], rule: SizingRule) -> SizedWorkload:
    """Limits keep their proportion; policies of a Vertical Pod Autoscaler and limit ranges hold, as for its pods."""
    vpa = vpa_of(plan, workload)
    policies = container_policies(vpa) if vpa is not None else ()
    limits = namespace_limits(plan, workload.namespace)
    containers = containers_of(workload.pod)
    amounts = {one.container: _whole(rule.of(one)) for one in uses if not policy_of(one.container, policies).is_off}
    wanted = {name: Recommended(target) for name, target in amounts.items() if target}
    found = settings_of(containers, capped(containers, wanted, policies, limits), policies, limits)
    before = {one.name: one for one in containers}
    return SizedWorkload(workload, tuple(one for one in found if _differs(before[one.name], one)))


def vpa_of(plan: Plan, workload: Workload) -> VerticalPodAutoscaler | None:
    """The autoscaler that sizes a workload."""
    key = workload.namespace, workload.name
    return next((one for one in plan.vertical_pod_autoscalers if (one.namespace, one.target) == key), None)


def requests_of(workload: Workload, settings: Iterable[ContainerResources] = ()) -> dict[str, Amounts]:
    """CPU and memory by container, with the given ones in place of their own."""
    new = {one.name: dict(one.requests) for one in settings}
    own = {one.name: container_request(one) for one in workload.pod.containers}
    whole = {name: {**now, **new.get(name, {})} for name, now in own.items()}
    return {name: {key: amounts[key] for key in RESOURCES if key in amounts} for name, amounts in whole.items()}


def _whole(amounts: Amounts) -> Amounts:
    """Whole MiB, rounded up; at least a milli-CPU."""
    found = {CPU: max(1, amounts[CPU])} if CPU in amounts else {}
    if MEMORY in amounts:
        found[MEMORY] = max(1, -(-amounts[MEMORY] // MIB)) * MIB
    return found


def _differs(before: ContainerResources, after: ContainerResources) -> bool:
    changed_requests = any(before.requests.get(resource) != amount for resource, amount in after.requests.items())
    return changed_requests or any(before.limits.get(resource) != amount for resource, amount in after.limits.items())
