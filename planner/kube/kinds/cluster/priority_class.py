"""PriorityClasses."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part, given
from planner.kube.files.field import Field
from planner.kube.manifest import framed, name_of
from planner.language.translation import tr
from planner.plan.checks.validate import SYSTEM_CLASS_NAMES
from planner.plan.model.plan import Plan
from planner.plan.model.pods.pod_classes import PreemptionPolicy

KIND, GROUPS = "PriorityClass", ("scheduling.k8s.io",)


def read(manifest: Field, draft: Draft) -> None:
    """The two classes of the system exist in every plan."""
    name = name_of(manifest)
    value, policy = manifest.at("value").whole(), manifest.at("preemptionPolicy").choice(PreemptionPolicy)
    default = manifest.at("globalDefault").flag()
    manifest.at("description").text()
    if name in SYSTEM_CLASS_NAMES:
        return
    if value is None:
        raise manifest.at("value").problem(tr("The field is missing."), tr("Give the priority."))
    never = policy == PreemptionPolicy.NEVER
    part = given(name=name, value=value, global_default=default or None, preemption_policy=policy if never else None)
    draft.add("priorityClasses", manifest.source, part)


def write(plan: Plan) -> Iterator[Part]:
    """All classes of the plan."""
    for known in plan.priority_classes:
        never = known.preemption_policy is PreemptionPolicy.NEVER
        body = given(
            value=known.value,
            global_default=known.global_default or None,
            preemption_policy=known.preemption_policy.value if never else None,
        )
        yield framed("scheduling.k8s.io/v1", KIND, known.name, **body)
