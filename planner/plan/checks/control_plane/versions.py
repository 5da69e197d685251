"""Checks of the feature gates, and of what a plan may only contain while a gate is on."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.matching.taints import COMPARISONS, is_plain_integer
from planner.plan.checks.pods import suggestion
from planner.plan.derived.versions import GATES, HPA_SETTINGS, gate_exists, gate_is_on
from planner.plan.files.problems import shown
from planner.plan.model.plan import Plan
from planner.plan.model.pods import Toleration
from planner.plan.model.versions import FeatureGate

_GATES = [str(gate) for gate in FeatureGate]
_COMPARISON = FeatureGate.TAINT_TOLERATION_COMPARISON_OPERATORS


def check_versions(plan: Plan) -> Iterator[PlanProblem]:
    """Names of gates, gates that the version lacks, contradictions, and operators that need their gate."""
    for name, value in plan.feature_gates.items():
        where = f"featureGates.{name}"
        if name not in _GATES:
            remedy = suggestion(name, _GATES, f"Known gates: {', '.join(_GATES)}.")
            yield PlanProblem(where, f"No rule reads a feature gate {shown(name)}.", remedy)
            continue
        gate = FeatureGate(name)
        if not gate_exists(gate, plan.kubernetes_version):
            problem = f"Kubernetes {plan.kubernetes_version} has no such gate."
            yield PlanProblem(where, problem, f"Use kubernetesVersion {GATES[gate].since} or newer, or remove it.")
        setting = HPA_SETTINGS.get(gate)
        if setting in plan.hpa_controller.model_fields_set and getattr(plan.hpa_controller, setting or "") is not value:
            yield PlanProblem(where, "The settings of hpaController say the opposite.", "Remove one of the two.")
    compares = gate_is_on(plan, _COMPARISON)
    for index, workload in enumerate(plan.workloads):
        for position, toleration in enumerate(workload.pod.tolerations):
            if toleration.operator in COMPARISONS:
                place = f"workloads[{index}].pod.tolerations[{position}]"
                yield from _comparison(toleration, place, compares)


def _comparison(toleration: Toleration, where: str, compares: bool) -> Iterator[PlanProblem]:
    if not compares:
        problem = f"{toleration.operator} needs the feature gate {_COMPARISON}, which is off."
        yield PlanProblem(f"{where}.operator", problem, f'Set "featureGates": {{"{_COMPARISON}": true}}, or use Equal.')
    if not is_plain_integer(toleration.value):
        problem = f"{shown(toleration.value)} is not a whole number."
        yield PlanProblem(f"{where}.value", problem, "Write a number without sign and leading zeros, such as 100.")
