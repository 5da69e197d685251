"""Checks of the feature gates, and of what a plan may only contain while a gate is on."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.matching.taints import COMPARISONS, is_plain_integer
from planner.plan.checks.pods import suggestion
from planner.plan.derived.kubernetes.versions import GATES, HPA_SETTINGS, gate_exists, gate_is_on
from planner.plan.files.problems import shown
from planner.plan.model.plan import Plan
from planner.plan.model.pods.placement import Toleration
from planner.plan.model.versions import FeatureGate

_GATES = [str(gate) for gate in FeatureGate]
_COMPARISON = FeatureGate.TAINT_TOLERATION_COMPARISON_OPERATORS


def check_versions(plan: Plan) -> Iterator[PlanProblem]:
    """Names of gates, gates that the version lacks, contradictions, and operators that need their gate."""
    for name, value in plan.feature_gates.items():
        where = f"featureGates.{name}"
        if name not in _GATES:
            remedy = suggestion(name, _GATES, tr("Known gates: {gates}.", gates=", ".join(_GATES)))
            yield PlanProblem(where, tr("No rule reads a feature gate {name}.", name=shown(name)), remedy)
            continue
        gate = FeatureGate(name)
        if not gate_exists(gate, plan.kubernetes_version):
            problem = tr(
                "Kubernetes {kubernetes_version} has no such gate.", kubernetes_version=plan.kubernetes_version
            )
            yield PlanProblem(
                where, problem, tr("Use kubernetesVersion {since} or newer, or remove it.", since=GATES[gate].since)
            )
        setting = HPA_SETTINGS.get(gate)
        if setting in plan.hpa_controller.model_fields_set and getattr(plan.hpa_controller, setting or "") is not value:
            yield PlanProblem(
                where, tr("The settings of hpaController say the opposite."), tr("Remove one of the two.")
            )
    compares = gate_is_on(plan, _COMPARISON)
    for index, workload in enumerate(plan.workloads):
        for position, toleration in enumerate(workload.pod.tolerations):
            if toleration.operator in COMPARISONS:
                place = f"workloads[{index}].pod.tolerations[{position}]"
                yield from _comparison(toleration, place, compares)


def _comparison(toleration: Toleration, where: str, compares: bool) -> Iterator[PlanProblem]:
    if not compares:
        problem = tr(
            "{operator} needs the feature gate {comparison}, which is off.",
            operator=toleration.operator,
            comparison=_COMPARISON,
        )
        yield PlanProblem(
            f"{where}.operator",
            problem,
            tr("Set featureGates.{comparison}, or use Equal.", comparison=_COMPARISON),
        )
    if not is_plain_integer(toleration.value):
        problem = tr("{shown} is not a whole number.", shown=shown(toleration.value))
        yield PlanProblem(f"{where}.value", problem, tr("Write a number without sign and leading zeros, such as 100."))
