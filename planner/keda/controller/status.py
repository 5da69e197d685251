"""The lines that `kubectl get scaledobject` and `kubectl get scaledjob` print.

KEDA 2.18, apis/keda/v1alpha1/scaledobject_types.go and scaledjob_types.go (columns of the custom resources). Conditions
are those after the latest poll that changed something.
"""

from collections.abc import Iterable, Mapping, Sequence

from planner.plan.model.autoscalers.scaled_object import ScaledJob, ScaledObject, Trigger
from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Decision
from planner.record.details.replicas import EventScaling, JobsMade, KedaConditionState
from planner.record.object_lists import ListedObject, ObjectList, status_word

OBJECT_HEADER = (
    "NAMESPACE", "NAME", "SCALETARGETKIND", "SCALETARGETNAME", "MIN", "MAX", "READY", "ACTIVE", "FALLBACK", "PAUSED",
    "TRIGGERS",
)  # fmt: skip
JOB_HEADER = ("NAMESPACE", "NAME", "MIN", "MAX", "READY", "ACTIVE", "PAUSED", "TRIGGERS")
_Latest = Mapping[tuple[type, str, str], Decision]


def scaled_object_list(plan: Plan, decisions: Sequence[Decision], at_us: int) -> ObjectList:
    """All ScaledObjects."""
    latest = _latest(plan, decisions, at_us)
    kinds = {(one.namespace, one.name): one.kind.value for one in plan.workloads}
    rows = [
        _object_row(one, kinds.get((one.namespace, one.scale_target), "Deployment"), latest)
        for one in sorted(plan.scaled_objects, key=lambda one: (one.namespace, one.name))
    ]
    return ObjectList("scaledobject", OBJECT_HEADER, tuple(rows))


def scaled_job_list(plan: Plan, decisions: Sequence[Decision], at_us: int) -> ObjectList:
    """All ScaledJobs."""
    latest = _latest(plan, decisions, at_us)
    ordered = sorted(plan.scaled_jobs, key=lambda one: (one.namespace, one.name))
    return ObjectList("scaledjob", JOB_HEADER, tuple(_job_row(one, latest) for one in ordered))


def _object_row(one: ScaledObject, kind: str, latest: _Latest) -> ListedObject:
    decision = latest.get((EventScaling, one.scale_target, one.name))
    ready, active, fallback = _words(decision, ("Ready", "Active", "Fallback"))
    least = "" if one.min_replicas is None else str(one.min_replicas)
    paused = status_word(one.paused or one.paused_replicas is not None)
    target = f"apps/v1.{kind}", one.scale_target, least, str(one.max_replicas)
    cells = one.namespace, one.name, *target, ready, active, fallback, paused, _types(one.triggers)
    return ListedObject(cells, decision)


def _job_row(one: ScaledJob, latest: _Latest) -> ListedObject:
    decision = latest.get((JobsMade, one.job_target, one.name))
    conditions = _words(decision, ("Ready", "Active"))
    bounds = str(one.min_replicas), "" if one.max_replicas is None else str(one.max_replicas)
    return ListedObject(
        (one.namespace, one.name, *bounds, *conditions, status_word(one.paused), _types(one.triggers)), decision
    )


def _words(decision: Decision | None, types: Iterable[str]) -> tuple[str, ...]:
    details = None if decision is None else decision.details
    known: tuple[KedaConditionState, ...] = ()
    if isinstance(details, EventScaling | JobsMade):
        known = details.conditions
    status = {one.type: one.status for one in known}
    return tuple(status_word(status.get(kind)) for kind in types)


def _types(triggers: Sequence[Trigger]) -> str:
    """Each type once."""
    return ",".join(dict.fromkeys(one.type for one in triggers))


def _latest(plan: Plan, decisions: Sequence[Decision], at_us: int) -> dict[tuple[type, str, str], Decision]:
    """The latest decision of each object, by its kind, workload and name."""
    wanted, found = len(plan.scaled_objects) + len(plan.scaled_jobs), dict[tuple[type, str, str], Decision]()
    for decision in reversed(decisions):
        if decision.actor is not Actor.KEDA or decision.time_us > at_us:
            continue
        details = decision.details
        if isinstance(details, EventScaling | JobsMade):
            name = details.scaled_object if isinstance(details, EventScaling) else details.scaled_job
            found.setdefault((type(details), decision.subject, name), decision)
            if len(found) == wanted:
                break
    return found
