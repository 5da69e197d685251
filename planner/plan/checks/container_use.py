"""Checks of the use of a pod's containers: shares add up to at most the whole and belong to running containers."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.model.pods.containers import Container
from planner.plan.model.pods.pod_template import PodTemplate

_FIELDS = (("cpu_use", "cpuUse"), ("cpu_share", "cpuShare"), ("memory_share", "memoryShare"))


def check_container_use(pod: PodTemplate, where: str) -> Iterator[PlanProblem]:
    """Uses and shares of the containers of a pod template."""
    main = pod.containers[0]
    for attribute, name in _FIELDS[1:]:
        if getattr(main, attribute) > 0:
            problem = tr("The first container does the rest of the pod's work; it cannot have its own share.")
            yield PlanProblem(
                f"{where}.containers[0].{name}", problem, tr("Remove it and set the shares of the other containers.")
            )
    others: list[Container] = [*pod.containers[1:], *(one for one in pod.init_containers if one.sidecar)]
    for attribute, name in _FIELDS[1:]:
        total = sum(getattr(one, attribute) for one in others)
        if total > 100:
            problem = tr("The shares of the other containers add up to {total:g} %.", total=total)
            yield PlanProblem(
                f"{where}.containers", problem, tr("Lower {name} so that they stay at or below 100 %.", name=name)
            )
    for index, container in enumerate(pod.init_containers):
        if not container.sidecar:
            for attribute, name in _FIELDS:
                if getattr(container, attribute) > 0:
                    problem = tr("An init container has finished before the pod works, so it uses nothing.")
                    yield PlanProblem(
                        f"{where}.initContainers[{index}].{name}", problem, tr("Remove it, or set sidecar.")
                    )
