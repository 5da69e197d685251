"""Pods of a template, with all stages of giving up preferences, worked out once for all rounds."""

from collections.abc import Mapping
from functools import cached_property

from planner.karpenter.pods.pod_needs import all_needs, strict_needs
from planner.karpenter.pods.relaxation import relaxed
from planner.karpenter.requirements.requirement import LabelRequirement
from planner.state.resources import PODS, Amounts
from planner.state.specs import PodPlacement, PodSpec


class PodStage:
    """Pods of a template with some of their preferences given up."""

    def __init__(self, spec: PodSpec, pod: PodPlacement, ignores_preferences: bool, number: int) -> None:
        self.spec = spec
        self.pod = pod
        self.number = number
        """Identity among all stages."""
        self.strict: Mapping[str, LabelRequirement] = strict_needs(pod)
        self.needs = self.strict if ignores_preferences or not pod.preferred_terms else all_needs(pod)

    @cached_property
    def request(self) -> Amounts:
        """Its requests, the pod itself counted."""
        request = self.spec.request.copy()
        request[PODS] = 1
        return request


class PodShapes:
    """Stages by template: first as it is, then with one preference less each."""

    def __init__(self, ignores_preferences: bool, tolerates_soft_taints: bool) -> None:
        self._ignores = ignores_preferences
        self._tolerates = tolerates_soft_taints
        self._stages: dict[int, list[PodStage | None]] = {}
        self._count = 0

    def stage(self, spec: PodSpec, step: int) -> PodStage | None:
        """The template after some steps; None where fewer steps are possible."""
        stages = self._stages.get(spec.index)
        if stages is None or stages[0] is None or stages[0].spec is not spec:
            stages = self._stages[spec.index] = [self._made(spec, spec.placement)]
        while len(stages) <= step:
            last = stages[-1]
            if last is None:
                return None
            less = relaxed(last.pod, self._tolerates)
            stages.append(None if less is None else self._made(spec, less))
        return stages[step]

    def _made(self, spec: PodSpec, pod: PodPlacement) -> PodStage:
        self._count += 1
        return PodStage(spec, pod, self._ignores, self._count)


def by_size(spec: PodSpec) -> tuple[int, int]:
    """Order of the queue: pods with much CPU first, then those with much memory."""
    return -spec.request.item(0), -spec.request.item(1)
