"""What scalers measure goes through the API in whole thousandths before anything is decided by it."""

import math

import pytest

from planner.keda.rules.hpa_values import TargetState, answer_milli
from planner.keda.rules.metric_amounts import carried, milli_of
from planner.keda.rules.object_status import ObjectStatus
from planner.keda.rules.scale_loop import Activity, activity_of
from planner.keda.rules.scaled_job import Combination, JobTrigger, ScaledJobSpec, queue_state
from planner.keda.rules.scaled_object import (
    FallbackSpec,
    Modifiers,
    ScaledObjectSpec,
    TriggerKind,
    TriggerSpec,
    metric_names,
    paused_count,
)
from planner.plan.values.formula.formula import Formula

TARGET = TargetState(3, 3)


@pytest.mark.parametrize(
    ("value", "milli"),
    [
        (1.5, 1500),
        (0.0009, 0),
        (-0.0019, -1),
        (1.001, 1000),
        (math.inf, -(2**63)),
        (math.nan, -(2**63)),
        (1e300, -(2**63)),
    ],
)
def test_thousandths_are_truncated(value: float, milli: int) -> None:
    """Source: KEDA 2.18, pkg/scalers/scaler.go: int64(value*1000), which for 1.001 is a hair below 1001."""
    assert milli_of(value) == milli


def with_formula(text: str, activation: float = 0.0, kinds: str = "queue") -> tuple[ScaledObjectSpec, Formula]:
    triggers = [TriggerSpec(TriggerKind.EXTERNAL, name, name, 5.0) for name in kinds.split()]
    spec = ScaledObjectSpec("web", triggers, modifiers=Modifiers(text, 10.0, activation))
    return spec, Formula(text, frozenset(kinds.split()))


@pytest.mark.parametrize(
    ("formula", "queue", "activation", "expected"),
    [
        pytest.param("queue / 3", 9.0, 2.5, Activity(True, False), id="above its activation value"),
        pytest.param("queue / 3", 7.5001, 2.5, Activity(False, False), id="only by less than a thousandth"),
        pytest.param("queue / 3", 0.002, 0.0, Activity(False, False), id="less than a thousandth is nothing"),
        pytest.param("1 / queue", 0.0, 0.0, Activity(False, False), id="infinite"),
        pytest.param("1 % int(queue)", 0.0, 0.0, Activity(False, False), id="a failing formula is no failing trigger"),
        pytest.param("queue", None, 0.0, Activity(False, True), id="a trigger fails"),
    ],
)
def test_a_formula_is_compared_as_the_api_carries_it(
    formula: str, queue: float | None, activation: float, expected: Activity
) -> None:
    """Source: KEDA 2.18, pkg/scaling/scale_handler.go (getScaledObjectState), pkg/scaling/modifiers/formula.go."""
    spec, known = with_formula(formula, activation)
    assert activity_of(spec, [queue], known) == expected


def test_an_object_with_triggers_of_the_kubelet_alone_is_active_whatever_its_formula_says() -> None:
    triggers = [TriggerSpec(TriggerKind.CPU, target=50.0)]
    spec = ScaledObjectSpec("web", triggers, modifiers=Modifiers("0", 10.0))
    assert activity_of(spec, [], Formula("0", frozenset())) == Activity(True, False)


def test_a_fallback_multiplies_thousandths() -> None:
    """Source: KEDA 2.18, pkg/fallback/fallback.go, doFallback: 2.3 * 3 is a hair below 6.9, 2300 * 3 is not."""
    spec = ScaledObjectSpec("web", [TriggerSpec(TriggerKind.EXTERNAL, "orders", "", 2.3)], fallback=FallbackSpec(0, 3))
    [name] = metric_names(spec.triggers)
    assert answer_milli(spec, name, {name: None}, None, TARGET, ObjectStatus()) == 6900


@pytest.mark.parametrize(
    ("values", "combination", "active", "wanted"),
    [
        pytest.param([3.0004], Combination.MAX, True, 3, id="a queue is rounded up from its thousandths"),
        pytest.param([3.001], Combination.MAX, True, 4, id="one thousandth is one job more"),
        pytest.param([0.0004], Combination.MAX, False, 0, id="no thousandth is no queue"),
        pytest.param([0.0004], Combination.SUM, True, 0, id="though active where queues are added"),
        pytest.param([0.0004, 7.0], Combination.MIN, True, 7, id="a queue of nothing gives way to the next"),
        pytest.param([7.0, 0.0004], Combination.MIN, True, 0, id="not to the one before"),
    ],
)
def test_queues_of_jobs(values: list[float], combination: Combination, active: bool, wanted: int) -> None:
    """Source: KEDA 2.18, pkg/scaling/scaledjob/metrics.go: IsScaledJobActive."""
    found = queue_state(ScaledJobSpec(combination=combination), [JobTrigger(value, 1.0) for value in values])
    assert (found.is_active, found.wanted) == (active, wanted)


@pytest.mark.parametrize(
    ("text", "count"), [("3", 3), ("+3", 3), ("-1", -1), ("+-3", None), ("", None), ("3.0", None), ("2147483648", None)]
)
def test_the_annotation_of_paused_replicas(text: str, count: int | None) -> None:
    """Source: KEDA 2.18, pkg/scaling/executor/scale_scaledobjects.go: strconv.ParseInt(text, 10, 32)."""
    assert paused_count(text) == count


def test_what_is_carried_is_a_product_of_thousandths() -> None:
    assert carried(0.0095) == 9 * 0.001 != 0.009
