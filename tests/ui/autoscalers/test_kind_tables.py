"""The tables of `kubectl get vpa`, `kubectl get scaledobject` and Karpenter's pools at the cursor."""

from pathlib import Path

from planner.plan.files.io import load_plan
from planner.record.decisions import Actor
from planner.record.details.replicas import EventScaling
from planner.record.details.requests import RequestsRecommended
from planner.simulation.run import run_plan
from tests.planner.simulation.scaling.test_event_scaling import event_plan
from tests.planner.simulation.scaling.test_vertical_pod_autoscaler import sized_plan
from ui.runs.messages import RunStarted
from ui.runs.run_data import RunData, RunState

KARPENTER_LIMITS = Path(__file__).parents[3] / "scenarios/karpenter-limits/plan.headroom"


def show(panel, plan):
    result = run_plan(plan)
    run = RunData(1, "run 1", plan, 1)
    run.begin(RunStarted(tuple(result.series), result.until_us))
    run._decisions.extend(result.decisions)
    run.finish(result, RunState.FINISHED)
    panel._session.add(run)


def table(panel, kind):
    return next(one for one in panel.kinds if one.kind == kind)


def cells(panel, kind):
    """By header, of the first row."""
    model = table(panel, kind).table
    return {column.title: cell.text for column, cell in zip(model.columns, model.rows[0], strict=True)}


def test_targets_appear_with_the_first_recommendation(panel, cursor, qtbot):
    show(panel, sized_plan())
    cursor.move(10.0)
    qtbot.waitUntil(lambda: "00:00:10" in table(panel, "vpa").title.text())
    first = {"NAMESPACE": "default", "NAME": "web", "MODE": "Recreate", "CPU": "", "MEM": "", "PROVIDED": "False"}
    assert cells(panel, "vpa") == first
    cursor.move(None)
    qtbot.waitUntil(lambda: cells(panel, "vpa")["PROVIDED"] == "True")
    assert cells(panel, "vpa")["CPU"].endswith("m") and cells(panel, "vpa")["MEM"]
    assert table(panel, "scaledobject").isHidden()
    shown = table(panel, "vpa")
    assert shown.maximumHeight() < shown.view.maximumHeight() + 3 * shown.title.sizeHint().height()
    chosen = []
    panel.decision_chosen.connect(chosen.append)
    table(panel, "vpa").view.activated.emit(table(panel, "vpa").table.index(0, 0))
    assert isinstance(chosen[0].details, RequestsRecommended)


def test_conditions_of_a_scaled_object_are_those_of_its_latest_poll_that_changed_something(panel, cursor, qtbot):
    show(panel, event_plan({"min_replicas": 0, "max_replicas": 20}))
    cursor.move(11 * 60.0)
    qtbot.waitUntil(lambda: "00:11:00" in table(panel, "scaledobject").title.text())
    assert list(cells(panel, "scaledobject").values()) == [
        "default", "web", "apps/v1.Deployment", "web", "0", "20", "True", "True", "Unknown", "False", "series",
    ]  # fmt: skip
    cursor.move(5 * 60.0)
    qtbot.waitUntil(lambda: "00:05:00" in table(panel, "scaledobject").title.text())
    assert cells(panel, "scaledobject")["ACTIVE"] == "False"
    chosen = []
    panel.decision_chosen.connect(chosen.append)
    table(panel, "scaledobject").view.activated.emit(table(panel, "scaledobject").table.index(0, 0))
    assert isinstance(chosen[0].details, EventScaling)


def test_pools_of_karpenter_show_nodes_limits_claims_and_what_disrupts_them(panel, cursor, qtbot):
    show(panel, load_plan(KARPENTER_LIMITS))
    cursor.move(2_425.0)
    pools = panel.pools
    qtbot.waitUntil(lambda: "nodepools at 00:40:25" in pools.title.text())
    assert pools.isVisibleTo(panel) and [line[0].text for line in pools.table.rows] == ["cheap", "safe"]
    by_header = {column.title: cell.text for column, cell in zip(pools.table.columns, pools.table.rows[0], strict=True)}
    assert by_header == {
        "NAME": "cheap", "NODES": "3", "READY": "2", "WEIGHT": "10", "CPU": "16/16", "MEMORY": "64Gi", "CLAIMS": "",
        "DISRUPTED": "1 Empty", "KEPT": "2 No allowed disruptions due to blocking budget",
    }  # fmt: skip
    assert all(column.help for column in pools.table.columns[1:])
    chosen = []
    panel.decision_chosen.connect(chosen.append)
    pools.view.activated.emit(pools.table.index(0, 0))
    assert chosen[0].actor is Actor.KARPENTER and chosen[0].subject.startswith("cheap-")
    cursor.move(5.0)
    qtbot.waitUntil(lambda: "00:00:05" in pools.title.text())
    assert pools.table.rows[0][6].text == "2 Launched"


def test_nodes_of_a_run_under_way_are_wanted_only_where_its_pools_are_seen(panel, qtbot):
    wanted = []
    panel.history_wanted.connect(wanted.append)
    show(panel, sized_plan())
    assert wanted == [False] and panel.pools.isHidden()
    show(panel, load_plan(KARPENTER_LIMITS))
    assert wanted[-1] is True
    panel.hide()
    assert wanted[-1] is False
