"""The line that `kubectl get vpa` prints of each vertical pod autoscaler.

Vertical Pod Autoscaler 1.8, apis/autoscaling.k8s.io/v1/types.go (columns of the custom resource).
"""

import math
from collections.abc import Sequence

from planner.plan.model.autoscalers.vertical_pod_autoscaler import VerticalPodAutoscaler
from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Decision
from planner.record.details.requests import RequestsRecommended
from planner.record.object_lists import ListedObject, ObjectList, ValueAt, status_word
from planner.vpa.recommender.policies import CPU, MEMORY, RESOURCES

HEADER = ("NAMESPACE", "NAME", "MODE", "CPU", "MEM", "PROVIDED")
_UNITS = {CPU: "cores", MEMORY: "bytes"}
_THOUSANDS = ("", "k", "M", "G", "T")


def recommendation_column(row: str, resource: str, namespace: str, name: str, container: str) -> str:
    """Column of timeseries.csv with the target or a bound of a container, cores or bytes."""
    return f"vpa_{row}_{resource}_{_UNITS[resource]}[{namespace}/{name}/{container}]"


def vpa_list(plan: Plan, decisions: Sequence[Decision], value_at: ValueAt, at_us: int) -> ObjectList:
    """The targets of the first container that has any, as of the latest recommendation."""
    latest = _latest(plan, decisions, at_us)
    ordered = sorted(plan.vertical_pod_autoscalers, key=lambda one: (one.namespace, one.name))
    containers = {(one.namespace, one.name): [each.name for each in one.pod.containers] for one in plan.workloads}
    rows = [
        _row(one, sorted(containers.get((one.namespace, one.target), ())), value_at, latest.get((one.target, one.name)))
        for one in ordered
    ]
    return ObjectList("vpa", HEADER, tuple(rows))


def _row(
    vpa: VerticalPodAutoscaler, containers: Sequence[str], value_at: ValueAt, latest: Decision | None
) -> ListedObject:
    found = ("", "")
    for container in containers:
        columns = (recommendation_column("target", one, vpa.namespace, vpa.name, container) for one in RESOURCES)
        cpu, memory = map(value_at, columns)
        if not (math.isnan(cpu) and math.isnan(memory)):
            found = _cpu_text(cpu), _memory_text(memory)
            break
    provided = status_word(any(found))
    return ListedObject((vpa.namespace, vpa.name, vpa.update_mode.value, *found, provided), latest)


def _cpu_text(cores: float) -> str:
    if math.isnan(cores):
        return ""
    milli = round(cores * 1000)
    return str(milli // 1000) if milli % 1000 == 0 else f"{milli}m"


def _memory_text(amount: float) -> str:
    """As the API server writes quantities that are no powers of two: with the largest suffix that loses nothing."""
    if math.isnan(amount):
        return ""
    whole, suffix = round(amount), 0
    while whole and whole % 1000 == 0 and suffix < len(_THOUSANDS) - 1:
        whole, suffix = whole // 1000, suffix + 1
    return f"{whole}{_THOUSANDS[suffix]}"


def _latest(plan: Plan, decisions: Sequence[Decision], at_us: int) -> dict[tuple[str, str], Decision]:
    """The latest recommendation for each workload by each autoscaler."""
    wanted, found = len(plan.vertical_pod_autoscalers), dict[tuple[str, str], Decision]()
    for decision in reversed(decisions):
        if decision.actor is Actor.VPA and decision.time_us <= at_us:
            if isinstance(decision.details, RequestsRecommended):
                found.setdefault((decision.subject, decision.details.vpa), decision)
                if len(found) == wanted:
                    break
    return found
