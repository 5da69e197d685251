"""The tables of `kubectl get vpa` and `kubectl get scaledobject` at the cursor."""

from planner.record.details.replicas import EventScaling
from planner.record.details.requests import RequestsRecommended
from planner.simulation.run import run_plan
from tests.planner.simulation.scaling.test_event_scaling import event_plan
from tests.planner.simulation.scaling.test_vertical_pod_autoscaler import sized_plan
from ui.runs.messages import RunStarted
from ui.runs.run_data import RunData, RunState


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
