"""The planned autoscalers of a run with the workloads they size."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from planner.plan.derived.pod_requests import amounts_of, container_request
from planner.plan.model.autoscalers.vertical_pod_autoscaler import VerticalPodAutoscaler
from planner.plan.model.plan import Plan
from planner.plan.model.pods.containers import Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.vpa.admission.capping import ContainerResources
from planner.vpa.admission.limit_ranges import NamespaceLimits
from planner.vpa.controller.settings import container_policies, namespace_limits, requirements
from planner.vpa.recommender.policies import RESOURCES, ContainerPolicy
from planner.vpa.updater.priority import Requirement
from planner.vpa.updater.updater import UpdateMode


@dataclass
class TrackedVpa:
    """One autoscaler: its specification, and the slots of its containers in the recommender by name."""

    number: int
    name: str
    workload: int
    mode: UpdateMode
    policies: Sequence[ContainerPolicy]
    min_replicas: int | None
    requirements: Sequence[Requirement]
    limits: NamespaceLimits
    given: VerticalPodAutoscaler
    slots: dict[str, int] = field(default_factory=dict)


def tracked(plan: Plan, rows: Mapping[str, int]) -> list[TrackedVpa]:
    """The autoscalers of a plan, in its order."""
    return [
        TrackedVpa(
            number,
            vpa.name,
            rows[vpa.target],
            UpdateMode(vpa.update_mode),
            container_policies(vpa),
            vpa.min_replicas,
            requirements(vpa),
            namespace_limits(plan, vpa.namespace),
            vpa,
        )
        for number, vpa in enumerate(plan.vertical_pod_autoscalers)
    ]


def containers_of(pod: PodTemplate) -> tuple[ContainerResources, ...]:
    """CPU and memory of the main containers of a template, as the API server has them."""
    return tuple(
        ContainerResources(one.name, _known(container_request(one)), _known(amounts_of(one.limits)))
        for one in pod.containers
    )


def with_settings(pod: PodTemplate, settings: Sequence[ContainerResources]) -> PodTemplate:
    """The template with other requests and limits of some main containers."""
    changes = {one.name: one for one in settings}
    containers = tuple(
        one.model_copy(
            update={
                "requests": _changed(one.requests, changes[one.name].requests),
                "limits": _changed(one.limits, changes[one.name].limits),
            }
        )
        if one.name in changes
        else one
        for one in pod.containers
    )
    return pod.model_copy(update={"containers": containers})


def _known(amounts: Mapping[str, int]) -> dict[str, int]:
    return {name: amounts[name] for name in RESOURCES if name in amounts}


def _changed(given: Resources, amounts: Mapping[str, int]) -> Resources:
    return given.model_copy(update=dict(amounts)) if amounts else given
