"""Hints on percentages that look like shares of 1."""

from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.hints.hint import Hint
from planner.plan.model.plan import Plan
from planner.plan.model.pods.pod_template import PodTemplate


def percentage_hints(plan: Plan) -> Iterator[Hint]:
    """Percentages above 0 and below 1, of all reserves and containers, in the order of the file."""
    for where, value in _percentages(plan):
        if 0 < value < 1:
            text = tr("It is in per cent: {value:g} is a share of {value_2:g}.", value=value, value_2=value / 100)
            yield Hint(where, text, tr("Write {value:g} if {value:g} % is meant.", value=value * 100))


def _percentages(plan: Plan) -> Iterator[tuple[str, float]]:
    for index, workload in enumerate(plan.workloads):
        yield from _of_containers(workload.pod, f"workloads[{index}].pod")
    for index, reserve in enumerate(plan.overprovisioning):
        where = f"overprovisioning[{index}]"
        yield f"{where}.clusterShare", reserve.cluster_share
        if reserve.room_for is not None and reserve.room_for.percentage is not None:
            yield f"{where}.roomFor.percentage", reserve.room_for.percentage
        yield from _of_containers(reserve.pod, f"{where}.pod")


def _of_containers(pod: PodTemplate, where: str) -> Iterator[tuple[str, float]]:
    for index, container in enumerate(pod.containers):
        yield f"{where}.containers[{index}].cpuShare", container.cpu_share
        yield f"{where}.containers[{index}].memoryShare", container.memory_share
