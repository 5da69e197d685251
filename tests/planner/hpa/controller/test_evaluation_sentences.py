"""The sentence of an evaluation, for every kind of metric, target and limit: its numbers agree with each other."""

from types import SimpleNamespace
from typing import Any

import pytest

from planner.hpa.controller.evaluation_record import evaluation_decision
from planner.hpa.rules.history import HpaMemory
from planner.hpa.rules.multi_metric import combine, outcome_of
from planner.hpa.rules.reconcile import EvaluationInputs, HpaStatus, evaluate
from planner.hpa.rules.replica_calculator import (
    MetricErrorCode,
    MetricFailed,
    Tolerance,
    UtilizationTotals,
    replicas_for_average,
    replicas_for_total,
    replicas_for_utilization,
    replicas_for_value,
)
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import HpaSpec, MetricSpec
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from planner.record.text.explain import why
from planner.record.text.replicas.evaluation_steps import hpa_steps
from planner.units import MIB
from tests.planner.hpa.builders import NOW_US, a_behavior, policies

TOLERANCE = Tolerance(0.1, 0.1)
CPU = MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.UTILIZATION, 60)
CPU_EACH = MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.AVERAGE_VALUE, 100)
MEMORY = MetricSpec(MetricSource.RESOURCE, "memory", TargetType.AVERAGE_VALUE, 100 * MIB * 1000)
SIDECAR = MetricSpec(MetricSource.CONTAINER_RESOURCE, "memory", TargetType.UTILIZATION, 60, container="proxy")
PODS = MetricSpec(MetricSource.PODS, "rps", TargetType.AVERAGE_VALUE, 10_000)
OBJECT = MetricSpec(MetricSource.OBJECT, "hits", TargetType.VALUE, 2_000, described_kind="Ingress")
QUEUE = MetricSpec(MetricSource.EXTERNAL, "q", TargetType.AVERAGE_VALUE, 30_000)
UTILIZATION = "cpu resource utilization (percentage of request)"


def shares(percent, ready=2, unready=0, request=100):
    totals = UtilizationTotals(
        percent * request * ready // 100, request * ready, ready, ready, ready, unready, request * unready, 0, 0, 0
    )
    return lambda: replicas_for_utilization(totals, ready + unready, 60, TOLERANCE)


def fails():
    raise MetricFailed(MetricErrorCode.MISSING_REQUEST)


def evaluated(metric, compute, current=3, behavior=None, most=10):
    """The decision of one evaluation of an autoscaler named as its workload."""
    spec = HpaSpec((metric,), most, behavior=behavior)
    inputs = EvaluationInputs(
        NOW_US, spec, HpaSettings(scale_to_zero=True), current, lambda: combine([outcome_of(metric, compute)], current)
    )
    outcome = evaluate(inputs, HpaStatus(), HpaMemory())
    hpa: Any = SimpleNamespace(name="web", spec=spec, tolerance=TOLERANCE)
    return evaluation_decision("web", hpa, outcome, current, outcome.replicas or 0, NOW_US)


@pytest.mark.parametrize(
    ("metric", "compute", "current", "text"),
    [
        pytest.param(CPU, shares(90), 2, f"New size: 3 (was 2); reason: {UTILIZATION} above target: "
                     "90 % (90m a pod) against 60 %, ratio 1.5, raw proposal 3", id="utilization"),
        pytest.param(CPU, shares(90, unready=1), 3, f"Size kept at 3; {UTILIZATION}: 90 % (90m a pod) against 60 %, "
                     "ratio 1.5, 1 once pods that are not ready or have no sample are counted, raw proposal 3",
                     id="utilization with a pod that starts"),
        pytest.param(CPU_EACH, lambda: replicas_for_average(222, 2, 2, 0, 0, 2, 100, TOLERANCE), 2,
                     "New size: 3 (was 2); reason: cpu resource above target: "
                     "111m a pod against 100m a pod, ratio 1.11, raw proposal 3", id="average of CPU"),
        pytest.param(CPU_EACH, lambda: replicas_for_average(222, 2, 2, 1, 0, 3, 100, TOLERANCE), 3,
                     "Size kept at 3; cpu resource: 111m a pod against 100m a pod, ratio 1.11, 0.74 once pods that "
                     "are not ready or have no sample are counted, raw proposal 3", id="average, one starts"),
        pytest.param(MEMORY, lambda: replicas_for_average(312 * MIB * 1000, 3, 3, 0, 0, 3, MEMORY.target, TOLERANCE),
                     3, "Size kept at 3; memory resource: 104Mi a pod against 100Mi a pod, ratio 1.04, raw proposal 3",
                     id="average of memory"),
        pytest.param(SIDECAR, shares(90, request=200 * MIB * 1000), 3,
                     "Size kept at 3; memory container resource utilization (percentage of request): "
                     "90 % (180Mi a pod) against 60 %, ratio 1.5, raw proposal 3", id="memory of a container"),
        pytest.param(PODS, lambda: replicas_for_average(36_500, 3, 3, 0, 0, 3, 10_000, TOLERANCE), 3,
                     "New size: 4 (was 3); reason: pods metric rps above target: "
                     "12166m a pod against 10 a pod, ratio 1.2166, raw proposal 4", id="pods"),
        pytest.param(OBJECT, lambda: replicas_for_value(3_000, 2_000, 3, 3, TOLERANCE), 3,
                     "New size: 5 (was 3); reason: Ingress metric hits above target: "
                     "3 against 2, ratio 1.5, raw proposal 5", id="object"),
        pytest.param(QUEUE, lambda: replicas_for_total(180_000, 30_000, 3, TOLERANCE), 3,
                     "New size: 6 (was 3); reason: external metric q above target: "
                     "60 a pod against 30 a pod, ratio 2, raw proposal 6", id="external"),
        pytest.param(QUEUE, lambda: replicas_for_total(90_000, 30_000, 0, TOLERANCE), 2,
                     "New size: 3 (was 2); reason: external metric q above target: "
                     "no pods yet against 30 a pod, raw proposal 3", id="external without pods"),
        pytest.param(CPU, fails, 3, f"failed to get {UTILIZATION}: missing request of a container; size stays 3",
                     id="no metric"),
    ],
)  # fmt: skip
def test_the_numbers_of_a_sentence_agree(metric, compute, current, text):
    assert why(evaluated(metric, compute, current)) == text


@pytest.mark.parametrize(
    ("behavior", "percent", "current", "most", "limit"),
    [
        (None, 600, 3, 100, "limited by the scale-up rate"),
        (None, 600, 3, 5, "limited by maxReplicas"),
        (a_behavior(up=policies(("Pods", 1, 15))), 600, 3, 100, "limited by the scale-up rate"),
        (a_behavior(up=policies(("Pods", 1, 15), select="Disabled")), 600, 3, 100,
         "limited by selectPolicy Disabled: scaling up is switched off"),
        (a_behavior(down=policies(("Pods", 1, 15), window_s=0)), 1, 3, 100, "limited by the scale-down rate"),
        (a_behavior(down=policies(("Pods", 1, 15), select="Disabled", window_s=0)), 1, 3, 100,
         "limited by selectPolicy Disabled: scaling down is switched off"),
        (None, 1, 3, 100, "held by the scale-down stabilization window"),
    ],
)  # fmt: skip
def test_a_sentence_names_what_limited_the_size(behavior, percent, current, most, limit):
    decision = evaluated(CPU, shares(percent, ready=3), current, behavior, most)
    assert why(decision).endswith(limit)
    steps = dict(hpa_steps(decision.details))
    assert limit.split(" by ")[1] in steps.get("Limit", "") + steps.get("Window", "")
