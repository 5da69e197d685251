"""PodDisruptionBudgets."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part, given
from planner.kube.files.field import Field
from planner.kube.manifest import framed, name_of, namespace_of
from planner.kube.pods.pod_manifest import plain
from planner.kube.pods.pod_terms import label_selector
from planner.language.translation import tr
from planner.plan.model.budgets import UnhealthyPodEvictionPolicy
from planner.plan.model.plan import Plan

KIND, GROUPS = "PodDisruptionBudget", ("policy",)


def read(manifest: Field, draft: Draft) -> None:
    """A budget without selector covers no pod and is left out; one without portion allows no disruption."""
    spec = manifest.at("spec")
    selector = label_selector(spec.at("selector"))
    policy = spec.at("unhealthyPodEvictionPolicy").choice(UnhealthyPodEvictionPolicy)
    usual = policy == UnhealthyPodEvictionPolicy.IF_HEALTHY_BUDGET
    least, most = spec.at("minAvailable").portion(), spec.at("maxUnavailable").portion()
    if selector is None:
        draft.losses.add(KIND, "", tr("has no selector, so it covers no pod"))
        return
    if least is None and most is None:
        draft.losses.add(KIND, "", tr("has neither minAvailable nor maxUnavailable, so it allows no disruption"))
        most = 0
    namespace = namespace_of(manifest)
    part = given(
        name=name_of(manifest),
        namespace=None if namespace == "default" else namespace,
        min_available=least,
        max_unavailable=most,
        unhealthy_pod_eviction_policy=None if usual else policy,
    )
    draft.add("podDisruptionBudgets", manifest.source, part | ({"selector": selector} if selector else {}))


def write(plan: Plan) -> Iterator[Part]:
    """All budgets of the plan."""
    for budget in plan.pod_disruption_budgets:
        spec = given(
            min_available=budget.min_available,
            max_unavailable=budget.max_unavailable,
            unhealthy_pod_eviction_policy=budget.unhealthy_pod_eviction_policy.value,
        )
        spec["selector"] = plain(budget.selector)
        yield framed("policy/v1", KIND, budget.name, budget.namespace, spec=spec)
