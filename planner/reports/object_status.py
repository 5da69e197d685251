"""What `kubectl get` prints of the objects that scale, by kind."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from planner.hpa.controller import status as of_hpas
from planner.keda.controller import status as of_keda
from planner.keda.controller.settings import with_keda_autoscalers
from planner.plan.model.plan import Plan
from planner.record.decisions import Decision
from planner.record.object_lists import ObjectList, ValueAt
from planner.vpa.controller import status as of_vpas

HEADERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "hpa": of_hpas.HEADER,
        "vpa": of_vpas.HEADER,
        "scaledobject": of_keda.OBJECT_HEADER,
        "scaledjob": of_keda.JOB_HEADER,
    }
)
"""By kind, as the command names it."""


def object_list(kind: str, plan: Plan, decisions: Sequence[Decision], value_at: ValueAt, at_us: int) -> ObjectList:
    """The lines of all objects of a kind, the HPAs that KEDA makes among them; `plan`: as it is at that time."""
    if kind == "hpa":
        return of_hpas.hpa_list(with_keda_autoscalers(plan), decisions, value_at, at_us)
    if kind == "vpa":
        return of_vpas.vpa_list(plan, decisions, value_at, at_us)
    lines = of_keda.scaled_object_list if kind == "scaledobject" else of_keda.scaled_job_list
    return lines(plan, decisions, at_us)
