import pytest

from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, HpaMetric, ScalingRules
from planner.plan.model.demand import Demand
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.pods.pod_classes import PriorityClass
from planner.plan.model.workloads import Workload
from ui.editor.values.field_help import bounds_of, help_of
from ui.editor.values.shapes import ShapeKind, fields_of
from ui.editor.values.text import UnreadableText, meaning_of, text_of, value_from


def shape(model, name):
    return next(field.shape for field in fields_of(model) if field.name == name)


@pytest.mark.parametrize(("model", "name", "text", "value", "again"), [
    pytest.param(NodeGroup, "cpu", "3920m", 3920, "3920m", id="milli-CPU"),
    pytest.param(NodeGroup, "cpu", " 2 ", 2000, "2", id="blanks around are nothing"),
    pytest.param(NodeGroup, "cpu", "1000m", 1000, "1", id="the shortest spelling"),
    pytest.param(NodeGroup, "memory", "1.5Gi", 1610612736, "1536Mi", id="memory with a fraction"),
    pytest.param(NodeGroup, "provisioning_delay", "1h30m", 5_400_000_000, "1h30m", id="duration"),
    pytest.param(NodeGroup, "max_size", "12", 12, "12", id="whole number"),
    pytest.param(NodeGroup, "price_per_hour", "0.192", 0.192, "0.192", id="number"),
    pytest.param(NodeGroup, "price_per_hour", "2", 2, "2", id="whole number for a number"),
    pytest.param(Workload, "kind", "daemonset", "DaemonSet", "DaemonSet", id="choice in any case"),
    pytest.param(ScalingRules, "tolerance", "", None, "", id="empty for not given"),
    pytest.param(HpaMetric, "average_value", "300m", 300, "300m", id="optional quantity"),
    pytest.param(PriorityClass, "value", "-5", -5, "-5", id="negative"),
    pytest.param(PriorityClass, "global_default", "yes", True, "true", id="switch"),
    pytest.param(Plan, "notes", " two\nlines ", " two\nlines ", " two\nlines ", id="text stays as it is"),
])  # fmt: skip
def test_text_is_read_and_written(model, name, text, value, again):
    assert value_from(shape(model, name), text) == value
    assert text_of(shape(model, name), value_from(shape(model, name), text)) == again


@pytest.mark.parametrize(("model", "name", "text", "words"), [
    pytest.param(NodeGroup, "max_size", "", "Enter a value, for example 10", id="empty names an example"),
    pytest.param(NodeGroup, "max_size", "3.5", "whole number", id="fraction"),
    pytest.param(NodeGroup, "price_per_hour", "1_000", "not a number", id="no underscores"),
    pytest.param(NodeGroup, "price_per_hour", "nan", "not a number", id="no NaN"),
    pytest.param(NodeGroup, "cpu", "4 cores", "for example 250m", id="no words behind a quantity"),
    pytest.param(NodeGroup, "cpu", "", "for example 250m", id="a required quantity"),
    pytest.param(NodeGroup, "provisioning_delay", "90", "for example 90s", id="a duration has a unit"),
    pytest.param(Workload, "kind", "CronJob", "Enter one of Deployment, DaemonSet", id="choices are listed"),
])  # fmt: skip
def test_text_that_cannot_be_read_is_refused_with_a_remedy(model, name, text, words):
    with pytest.raises(UnreadableText) as caught:
        value_from(shape(model, name), text)
    assert words in str(caught.value)
    assert caught.value.problem.endswith(".") and caught.value.remedy.endswith(".")


@pytest.mark.parametrize(("model", "name", "value", "meaning"), [
    pytest.param(NodeGroup, "cpu", 3920, "3.92 cores", id="milli-CPU in cores"),
    pytest.param(NodeGroup, "cpu", 1000, "1 core", id="one core"),
    pytest.param(NodeGroup, "memory", 1610612736, "1.5 GiB", id="MiB in GiB"),
    pytest.param(NodeGroup, "provisioning_delay", 210_000_000, "3 min 30 s", id="seconds in minutes"),
    pytest.param(NodeGroup, "provisioning_delay", 30_000_000, "", id="nothing to add to 30s"),
    pytest.param(NodeGroup, "max_size", 8, "nodes", id="the unit of a count"),
    pytest.param(NodeGroup, "price_per_hour", 0.2, "€/h", id="money in the plan's currency"),
    pytest.param(Demand, "latency_floor", 1_500_000, "", id="nothing to add to 1.5s"),
    pytest.param(ScalingRules, "stabilization_window", None, "", id="nothing for nothing"),
    pytest.param(HpaMetric, "average_value", 30_000, "", id="an amount of a metric is no number of cores"),
    pytest.param(SimulationSettings, "starts_at", 1_767_571_200_000_000, "", id="a moment is no duration"),
])  # fmt: skip
def test_the_meaning_of_a_value_is_spelled_out(model, name, value, meaning):
    assert meaning_of(shape(model, name), value, "EUR") == meaning


def test_help_shows_meaning_bounds_and_default():
    tip = help_of(shape(SimulationSettings, "load_step"))
    assert tip == "Time step of load, use and queues. From 100ms to 1m. Default: 5s."
    assert help_of(shape(HorizontalPodAutoscaler, "behavior")).endswith("HorizontalPodAutoscaler spec.behavior")
    assert bounds_of(shape(HorizontalPodAutoscaler, "max_replicas")).startswith("From 1 to 200")


def test_quantities_keep_their_spelling_where_they_are_optional():
    assert shape(HpaMetric, "average_value").kind is ShapeKind.AMOUNT
    assert shape(HpaMetric, "average_value").optional
