"""What a change during a run may reach, and the parts of a plan that follow from changes."""

from collections.abc import Sequence

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.files.problems import sentences
from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import Item, PlanChange, parse_change
from planner.plan.variants.application import with_changes

NODE_POOLS = "karpenter.nodePools"
CHANGEABLE = {
    "horizontalPodAutoscalers": ("minReplicas", "maxReplicas", "averageUtilization", "averageValue", "value"),
    "scaledObjects": (
        "minReplicas", "maxReplicas", "idleReplicas", "cooldownPeriod", "initialCooldownPeriod", "paused",
        "pausedReplicas", "pausedScaleIn", "pausedScaleOut", "forceActivation",
    ),
    "scaledJobs": ("minReplicas", "maxReplicas", "paused"),
    "nodeGroups": ("minSize", "maxSize"),
    "workloads": ("replicas",),
    NODE_POOLS: (
        "weight", "limits", "disruption", "requirements", "labels", "annotations", "taints", "startupTaints",
        "expireAfter", "terminationGracePeriod",
    ),
}  # fmt: skip
"""Sections of the file, and the last step of a path into each that may change while a run goes on; of Karpenter's pools
the first step into a pool: what is in it changes too.
"""
_FIELDS = {
    "horizontalPodAutoscalers": "horizontal_pod_autoscalers",
    "scaledObjects": "scaled_objects",
    "scaledJobs": "scaled_jobs",
    "nodeGroups": "node_groups",
    "workloads": "workloads",
    NODE_POOLS: "karpenter",
}


def changed_during_run(plan: Plan, texts: Sequence[str]) -> Plan:
    """The sections of a plan that the changes reach, with the changes made; all others are those of the plan.

    Raises PlanProblem or PlanProblems, at the path of the change.
    """
    sections = dict.fromkeys(_section(text) for text in texts)
    others: dict[str, object] = {
        name: () for section, name in _FIELDS.items() if section not in sections and section != NODE_POOLS
    }
    others |= {"metric_series": (), "events": (), "services": (), "measured": ()}
    changed = with_changes(plan.model_copy(update=others), texts)
    return plan.model_copy(update={_FIELDS[name]: getattr(changed, _FIELDS[name]) for name in sections})


def is_changed(plan: Plan, section: str, keys: Sequence[str]) -> bool:
    """Whether some event of the plan changes one of these keys of a section while a run goes on."""
    texts = [text for event in plan.events if isinstance(event, PlanChangeEvent) for text in event.changes]
    steps = [parse_change(text).steps for text in texts]
    return any(one[0] == section and one[-1] in keys for one in steps)


def _section(text: str) -> str:
    """The section of a change; raises PlanProblem if a run cannot make it."""
    try:
        change: PlanChange = parse_change(text)
    except ValueError as error:
        raise PlanProblem("change", *sentences(str(error))) from error
    is_pool = change.steps[:2] == tuple(NODE_POOLS.split("."))
    first, rest = (NODE_POOLS, change.steps[2:]) if is_pool else (change.steps[0], change.steps[1:])
    known = CHANGEABLE.get(first, ()) if isinstance(first, str) else ()
    if len(rest) < 2 or not isinstance(rest[0], Item) or rest[1 if is_pool else -1] not in known:
        problem = tr("This does not change during a run.")
        can = "; ".join(f"{section}[…]: {', '.join(keys)}" for section, keys in CHANGEABLE.items())
        raise PlanProblem(change.path, problem, tr("Change {can}.", can=can))
    return str(first)
