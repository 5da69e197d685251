"""The table of `kubectl get hpa` at the cursor."""

import pytest
from PySide6.QtCore import Qt

from planner.api import load_plan
from planner.hpa.controller.status import HpaRow
from planner.plan.model.plan import SimulationSettings
from planner.record.autoscaler_status import (
    AutoscalerStatus,
    BlockedNode,
    GroupStatus,
    ScaleDownCandidate,
    ScaleUpActivity,
)
from planner.record.decisions import Actor
from planner.record.details.replicas import HpaCondition
from planner.simulation.run import run_plan
from planner.units import US_PER_S
from tests.builders import a_plan
from ui.autoscalers.group_status_table import GroupStatusTable
from ui.autoscalers.status_table import StatusColumn, StatusTable
from ui.runs.messages import RunStarted
from ui.runs.run_data import RunData, RunState


@pytest.fixture(scope="module")
def result():
    plan = load_plan("scenarios/flash-sale/plan.headroom")
    return run_plan(plan.model_copy(update={"simulation": SimulationSettings(duration="15m")}))


@pytest.fixture
def run(result, qapp):
    plan = load_plan("scenarios/flash-sale/plan.headroom")
    run = RunData(1, "run 1", plan, 1)
    run.begin(RunStarted(tuple(result.series), result.until_us))
    run._decisions.extend(result.decisions)
    run._statuses.extend(result.statuses)
    run.finish(result, RunState.FINISHED)
    return run


def row(panel, number=0):
    return [panel.table.index(number, column).data() for column in StatusColumn]


def test_the_table_reads_like_kubectl_at_the_cursor(panel, run, cursor, qtbot):
    panel._session.add(run)
    cursor.move(60.0)
    qtbot.waitUntil(lambda: "00:01:00" in panel.title.text())
    assert row(panel)[:2] == ["shop", "Deployment/shop"]
    assert row(panel)[StatusColumn.TARGETS].startswith("cpu: ") and row(panel)[StatusColumn.TARGETS].endswith("/60%")
    early = int(row(panel)[StatusColumn.REPLICAS])
    cursor.move(None)
    qtbot.waitUntil(lambda: "00:15:00" in panel.title.text())
    assert int(row(panel)[StatusColumn.REPLICAS]) > early
    assert "AbleToScale  True" in panel.table.index(0, StatusColumn.CONDITIONS).data(3)


def test_the_status_of_the_node_groups_is_that_of_the_cursor(panel, run, cursor, qtbot):
    panel._session.add(run)
    cursor.move(60.0)
    qtbot.waitUntil(lambda: "00:01:00" in panel.groups_title.text())
    early = [panel.groups.index(0, column).data() for column in range(panel.groups.columnCount())]
    assert early[1] == "Healthy" and early[7] == "NoActivity"
    cursor.move(None)
    qtbot.waitUntil(lambda: "00:15:00" in panel.groups_title.text())
    assert int(panel.groups.index(0, 4).data()) > int(early[4])


def test_blocked_nodes_come_with_the_pod_and_the_rule(theme, qapp):
    blocked = [BlockedNode(f"pool-{number}", f"db-{number}", "NotEnoughPdb") for number in (1, 2)]
    group = GroupStatus("pool", True, 2, 0, 0, 2, 0, 0, 2, 0, 3, ScaleUpActivity.NO_ACTIVITY, blocked=(blocked[0],))
    table = GroupStatusTable(theme)
    table.show_status(AutoscalerStatus(0, True, (group,)), 0)
    cell = table.index(0, table.columnCount() - 1)
    rule = "NotEnoughPdb (a disruption budget does not allow its eviction now)"
    assert table.headerData(cell.column(), Qt.Orientation.Horizontal) == "BLOCKED"
    assert cell.data() == f"pool-1 by pod db-1: {rule}"
    table.show_status(AutoscalerStatus(0, True, (group._replace(blocked=tuple(blocked)),)), 0)
    assert cell.data() == f"2 nodes, first pool-1 by pod db-1: {rule}"
    assert cell.data(Qt.ItemDataRole.ToolTipRole).splitlines()[1] == f"pool-2 by pod db-2: {rule}"


@pytest.mark.parametrize("view", ["view", "groups_view"])
def test_titles_and_values_of_columns_are_not_cut_off(panel, run, view, qtbot):
    panel._session.add(run)
    panel.resize(1200, 400)
    table = getattr(panel, view)
    qtbot.waitUntil(lambda: table.model().rowCount() > 0)
    head = table.horizontalHeader()
    for column in range(head.count()):
        assert head.sectionSize(column) >= head.sectionSizeHint(column)
        assert head.sectionSize(column) >= table.sizeHintForColumn(column)


@pytest.mark.parametrize(("waits_s", "text"), [
    ((), "NoCandidates"),
    ((600,), "1 candidate in 00:08:20"),
    ((600, 300), "2 candidates, first in 00:03:20"),
])  # fmt: skip
def test_candidates_for_removal_are_counted_with_the_time_left_to_the_first(theme, waits_s, text):
    table = GroupStatusTable(theme)
    candidates = tuple(ScaleDownCandidate(f"a-{wait}", 0, wait * US_PER_S) for wait in waits_s)
    group = GroupStatus("a", True, 1, 0, 0, 1, 0, 0, 1, 0, 3, ScaleUpActivity.NO_ACTIVITY, candidates=candidates)
    table.show_status(AutoscalerStatus(0, True, (group,)), 100 * US_PER_S)
    assert table.index(0, 8).data() == text


def test_an_autoscaler_with_pods_needs_no_attention_for_not_being_scaled_to_zero(theme):
    conditions = (HpaCondition("AbleToScale", True, "Ready"), HpaCondition("ScaledToZero", False, "NotScaledToZero"))
    table = StatusTable(theme)
    table.show_rows((HpaRow("default", "web", "Deployment/web", "cpu: 50%/60%", 1, 5, 2, conditions, None),))
    assert table.index(0, StatusColumn.CONDITIONS).data() == ""
    assert "ScaledToZero  False" in table.index(0, StatusColumn.CONDITIONS).data(Qt.ItemDataRole.ToolTipRole)


def test_before_the_first_evaluation_the_use_is_unknown(panel, run, cursor, qtbot):
    cursor.move(0.0)
    panel._session.add(run)
    assert row(panel)[StatusColumn.TARGETS] == "cpu: <unknown>/60%"
    panel._choose(0)  # nothing to explain yet


def test_a_row_leads_to_the_decision_behind_it(panel, run, cursor, qtbot):
    cursor.move(100.0)
    panel._session.add(run)
    with qtbot.waitSignal(panel.decision_chosen) as chosen:
        panel.view.activated.emit(panel.table.index(0, 0))
    (decision,) = chosen.args
    assert decision.actor is Actor.HPA and decision.time_us <= 100_000_000


def test_without_a_run_or_an_autoscaler_the_panel_says_so(panel):
    assert "F5" in panel.title.text() and panel.view.isHidden()
    panel._session.add(RunData(1, "run 1", a_plan(), 1))
    assert "no horizontal pod autoscaler" in panel.title.text()


def test_nodes_that_are_not_ready_are_named_by_what_they_lack(theme, qapp):
    group = GroupStatus("pool", True, 2, 1, 0, 3, 2, 4, 9, 0, 9, ScaleUpActivity.IN_PROGRESS)
    table = GroupStatusTable(theme)
    ready = group._replace(unready=0, unregistered=0, long_unregistered=0)
    table.show_status(AutoscalerStatus(0, True, (group, ready)), 0)
    assert table.index(0, 3).data() == "1 unready, 4 unregistered, 2 unregistered too long"
    assert table.index(1, 3).data() == ""


def test_one_autoscaler_leaves_the_room_to_the_node_groups_and_all_columns_fit(panel, run, qtbot):
    panel._session.add(run)
    panel.resize(910, 420)
    qtbot.waitUntil(lambda: panel.groups.rowCount() > 0 and panel.view.height() < 100)
    for view in (panel.view, panel.groups_view):
        assert view.horizontalScrollBar().maximum() == 0
        assert view.verticalScrollBar().maximum() == 0
