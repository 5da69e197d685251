"""Every recorded metric can be seen; every plot draws metrics that exist."""

import pytest

from planner.metrics.catalogue import METRICS, Scope
from planner.plan.edits.edit import replace_at
from tests.ui.plots.made_runs import USUAL, column_names, made_plan
from ui.plots.catalogue import PLOTS, Stroke
from ui.plots.curves.curves import MOST_STACKED, CurveChoice, Subjects, curves_of, offered_views
from ui.plots.targets import budget_limits, budget_ramps, slo_limits

LINES = [line for plot in PLOTS for view in plot.views for line in view.lines]
SUBJECTS = Subjects(column_names())


def test_every_metric_of_a_run_is_in_a_plot():
    drawn = {(line.column, line.scope) for line in LINES}
    assert {(metric.column, metric.scope) for metric in METRICS} - drawn == set()


def test_every_line_is_a_metric_of_its_scope():
    known = {(metric.column, metric.scope) for metric in METRICS}
    drawn = {(line.column, line.scope) for line in LINES if line.scope is not Scope.SIZED}
    assert drawn - known == set()


def test_recommendations_of_the_chosen_workloads_are_drawn_over_the_use():
    columns = [
        f"vpa_{row}_{amount}[shops/{vpa}/main]"
        for vpa in ("right-size", "other")
        for amount in ("cpu_cores", "memory_bytes")
        for row in ("target", "lower", "upper", "used")
    ]
    targets = {"shops/right-size": "search", "shops/other": "agent"}
    subjects = Subjects((*column_names(), *columns), targets)
    [plot] = [plot for plot in PLOTS if plot.name == "recommendations"]
    drawn = curves_of(plot.views[0], subjects, CurveChoice(frozenset({"search"}), together=False))
    assert [curve.key for curve in drawn] == [
        f"vpa_{row}_cpu_cores[shops/right-size/main]" for row in ("used", "lower", "target")
    ]
    assert {curve.color_index for curve in drawn} == {subjects.workload_color("search")}


def test_four_plots_are_shown_at_first_and_names_are_unique():
    assert USUAL == ("load", "capacity", "replicas", "latency")
    assert len({plot.name for plot in PLOTS}) == len(PLOTS)
    assert all(plot.help for plot in PLOTS)


def test_serving_workloads_get_separate_curves_and_others_are_left_out():
    (load,) = [plot for plot in PLOTS if plot.name == "load"]
    keys = [curve.key for curve in curves_of(load.views[0], SUBJECTS, CurveChoice())]
    assert keys == ["offered_rps[shop]", "offered_rps[search]", "served_rps[shop]", "served_rps[search]", "lost_rps"]


def test_a_workload_has_one_colour_in_all_plots():
    everyone = CurveChoice(frozenset(SUBJECTS.workloads), together=False)
    colors = {}
    for plot in PLOTS:
        for view in plot.views:
            for curve in curves_of(view, SUBJECTS, everyone):
                if curve.subject in SUBJECTS.workloads:
                    colors.setdefault(curve.subject, set()).add(curve.color_index)
    assert sorted(colors) == ["agent", "search", "shop"] and {len(found) for found in colors.values()} == {1}


def test_many_workloads_share_one_curve():
    subjects = Subjects(column_names(tuple(f"service-{n}" for n in range(20))))
    latency = next(plot for plot in PLOTS if plot.name == "latency")
    curves = curves_of(latency.views[0], subjects, CurveChoice())
    assert [(curve.key, curve.count, curve.subject) for curve in curves] == [
        ("latency_p50_ms", 20, ""), ("latency_p95_ms", 20, ""), ("latency_p99_ms", 20, ""),
    ]  # fmt: skip


def test_separate_curves_for_several_workloads_show_only_the_main_percentile():
    latency = next(plot for plot in PLOTS if plot.name == "latency")
    assert {curve.line.column for curve in curves_of(latency.views[0], SUBJECTS, CurveChoice())} == {"latency_p95_ms"}
    one = curves_of(latency.views[0], SUBJECTS, CurveChoice(frozenset({"shop"})))
    assert {curve.line.column for curve in one} == {"latency_p50_ms", "latency_p95_ms", "latency_p99_ms"}


def test_a_stack_is_drawn_from_the_top_and_each_curve_reads_its_own_share():
    capacity = next(plot for plot in PLOTS if plot.name == "capacity")
    stack = [curve for curve in curves_of(capacity.views[0], SUBJECTS, CurveChoice()) if curve.stroke is Stroke.STACK]
    assert [curve.subject for curve in stack] == ["blue", "red"]
    assert [len(curve.columns) for curve in stack] == [2, 1]
    assert all(len(curve.own) == 1 for curve in stack)


def test_pools_beyond_a_legible_number_share_one_part_of_the_stack():
    names = [f"group_nodes_target_count[p{n}]" for n in range(30)] + [
        f"group_nodes_ready_count[p{n}]" for n in range(30)
    ]
    nodes = next(plot for plot in PLOTS if plot.name == "nodes")
    stack = [c for c in curves_of(nodes.views[0], Subjects(names), CurveChoice()) if c.stroke is Stroke.STACK]
    assert len(stack) == MOST_STACKED + 1
    assert stack[0].count == 30 - MOST_STACKED


@pytest.mark.parametrize(
    ("gpu", "expected"), [(False, ["CPU", "Memory", "Pods"]), (True, ["CPU", "Memory", "Pods", "GPU"])]
)
def test_the_gpu_view_is_offered_only_where_there_are_gpus(gpu, expected):
    capacity = next(plot for plot in PLOTS if plot.name == "capacity")
    assert [view.label for view in offered_views(capacity, Subjects(column_names(gpu=gpu)))] == expected


def test_the_slo_of_each_workload_is_a_limit():
    assert [(limit.subject, limit.value) for limit in slo_limits(made_plan())] == [("shop", 250.0), ("search", 250.0)]
    assert all("p95" in limit.text for limit in slo_limits(made_plan()))


def test_a_target_with_calls_is_a_limit_of_its_own():
    plan = replace_at(made_plan(), ("workloads", 0, "slo", "end_to_end_target"), 900_000)
    own, whole, _ = slo_limits(plan)
    assert (own.value, whole.value) == (250.0, 900.0)
    assert "with calls" in whole.text and not whole.stretches and own.stretches


def test_the_monthly_budget_becomes_an_hourly_limit_and_a_ramp_over_the_run():
    """730 a month is 1 an hour; the made run lasts an hour."""
    plan = replace_at(replace_at(made_plan(), ("costs", "budget_per_month"), 730.0), ("costs", "currency"), "EUR")
    [limit], [ramp] = list(budget_limits(plan)), list(budget_ramps(plan))
    assert limit.value == pytest.approx(1.0) and limit.text == "budget €1.00 /h"
    assert ramp.per_s * 3600 == pytest.approx(1.0) and ramp.until_s == 3600 and "€1.00" in ramp.text
    assert not list(budget_limits(made_plan())) and not list(budget_ramps(made_plan()))


def test_every_scope_has_subjects():
    assert {scope: SUBJECTS.of(scope) for scope in Scope} == {
        Scope.CLUSTER: (),
        Scope.GROUP: ("red", "blue"),
        Scope.GPU_GROUP: ("red", "blue"),
        Scope.WORKLOAD: ("shop", "search", "agent"),
        Scope.TRAFFIC: ("shop", "search"),
        Scope.QUEUE: (),
        Scope.SIZED: ("default/shop/main",),
    }
