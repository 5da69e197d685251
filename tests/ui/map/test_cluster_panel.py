"""The tab with the map, tables and stories, over a real run."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor

from planner import api
from planner.plan.model.events.on_nodes import CordonNodes
from planner.record.decisions import Verdict
from planner.record.moment import NodeState
from tests.builders import a_node_group, a_plan, a_workload
from tests.ui.recorded_runs import a_started_run
from ui.map.cluster_panel import ClusterPanel
from ui.map.drawing import headings
from ui.map.drawing.coloring import Coloring
from ui.map.drawing.pod_names import pod_names
from ui.map.map_view import MARGIN_PX, Picked
from ui.map.moments.measures import Stacking
from ui.map.tools import Page
from ui.runs.messages import RunChunk
from ui.runs.run_data import RunState
from ui.theme.thing_colors import WORKLOAD_COLORS

PLAN = a_plan(
    node_groups=(a_node_group("pool", initial_size=2, min_size=2),),
    workloads=(a_workload("web", replicas=3), a_workload("batch", replicas=2)),
    events=(CordonNodes(type="cordon", at="5m", node_group="pool", count=1, duration="10m"),),
)


@pytest.fixture(scope="module")
def result():
    return api.run_plan(PLAN)


@pytest.fixture
def panel(session, cursor, theme, qtbot):
    panel = ClusterPanel(session, cursor, theme)
    qtbot.addWidget(panel)
    panel.resize(1_100, 500)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


@pytest.fixture
def run(panel, session, result):
    run = a_started_run(PLAN, tuple(result.series))
    nothing = np.empty(0, np.int64), np.empty((len(result.series), 0))
    run.append(RunChunk(result.until_us, 0, *nothing, result.decisions, ()))
    run.finish(result, RunState.FINISHED)
    session.add(run)
    panel.grab()
    return run


def pixel(panel, node, above):
    """The colour of the map so many pixels above the floor of a node's box."""
    scene = panel.map.current_scene()
    x, y, width, height = scene.box(node)
    picture = panel.map.viewport().grab().toImage()
    return picture.pixelColor(MARGIN_PX + x + width // 2, y + height - 1 - above).name()


def click(panel, qtbot, node, above):
    x, y, width, height = panel.map.current_scene().box(node)
    place = QPoint(MARGIN_PX + x + width // 2, y + height - 1 - above)
    qtbot.mouseClick(panel.map.viewport(), Qt.MouseButton.LeftButton, pos=place)


def told(panel, qtbot, word):
    qtbot.waitUntil(lambda: word in panel.story.toPlainText())
    return panel.story.toPlainText()


def test_a_pod_has_the_colour_of_its_workload(panel, run, theme):
    scene = panel.map.current_scene()
    first = int(scene.moment.pods_on(0)[0])
    workload = scene.moment.history.pods.workloads[scene.moment.history.pods.workload[first]]
    expected = theme.current.series_color(WORKLOAD_COLORS.of(scene.moment.history.pods.workloads)[workload])
    assert pixel(panel, 0, 2) == QColor(expected).name()
    assert any(entry.text.startswith(workload) for entry in scene.colored.legend)


def test_a_pod_with_room_names_its_workload_so_that_colour_is_not_its_only_sign(panel, run):
    panel.map.zoom(8)
    panel.map.grab()
    scene, metrics = panel.map.current_scene(), panel.map.fontMetrics()
    names = pod_names(scene, 0, scene.layout.total_height, metrics)
    assert sorted(name.text for name in names) == ["batch", "batch", "web", "web", "web"]
    assert all(scene.pod_at(scene.node_at(*corner), corner[1]) is not None
               for corner in ((name.area.center().x(), name.area.center().y()) for name in names))  # fmt: skip
    assert pod_names(scene, scene.layout.total_height, scene.layout.total_height + 1, metrics) == []
    panel.map.show_look(replace(panel.map.look, coloring=Coloring.USE))
    assert pod_names(panel.map.current_scene(), 0, scene.layout.total_height, metrics) == []


def test_the_time_changes_what_is_drawn(panel, run, cursor):
    assert panel.map.current_scene().moment.node_state.tolist() == [NodeState.READY, NodeState.READY]
    cursor.move(400.0)
    assert sorted(panel.map.current_scene().moment.node_state.tolist()) == [NodeState.READY, NodeState.DRAINING]
    panel.time.slider.setValue(panel.time.slider.maximum())
    assert cursor.time_s == pytest.approx(3_600.0)


def test_headings_are_added_up_again_a_moment_after_the_time_was_moved(panel, run, cursor, qtbot, monkeypatch):
    monkeypatch.setattr(headings, "heading_of", lambda scene, _lane: (str(scene.moment.time_us), ""))
    shown, newest = headings.Headings(panel), panel.map.current_scene()
    (before,) = shown.texts(newest)
    cursor.move(1.0)
    early = panel.map.current_scene()
    assert shown.texts(early) == (before,)
    qtbot.waitUntil(lambda: shown.texts(early) == (("1000000", ""),))


def test_a_click_tells_the_story_of_a_pod_and_leads_to_its_decision(panel, run, qtbot):
    click(panel, qtbot, 0, 2)
    assert panel.map.choice.node == 0 and panel.map.choice.pod is not None
    text = told(panel, qtbot, "created")
    assert text.index("created") < text.index("bound to") < text.index("Ready")
    number = next(at for at, line in enumerate(panel.story.story.lines) if line.decision is not None)
    with qtbot.waitSignal(panel.decision_chosen) as chosen:
        panel.story.anchorClicked.emit(f"decision:{number}")
    assert chosen.args[0].verdict is Verdict.BOUND


def test_a_click_beside_the_pods_tells_the_story_of_the_node(panel, run, qtbot):
    height = panel.map.current_scene().layout.box_height
    click(panel, qtbot, 0, height - 2)
    assert panel.map.choice == Picked(0)
    text = told(panel, qtbot, "requested from the cloud")
    assert "registered as a Node" in text and "pods bound" in text


def test_the_keyboard_goes_from_node_to_node_and_from_pod_to_pod(panel, run, qtbot):
    panel.map.setFocus()
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(panel.map, Qt.Key.Key_Right)
    qtbot.keyClick(panel.map, Qt.Key.Key_Right)
    assert panel.map.choice == Picked(1)
    qtbot.keyClick(panel.map, Qt.Key.Key_Up, shift)
    pods = panel.map.current_scene().moment.pods_on(1).tolist()
    assert panel.map.choice == Picked(1, pods[0])
    qtbot.keyClick(panel.map, Qt.Key.Key_Up, shift)
    assert panel.map.choice == Picked(1, pods[1])
    qtbot.keyClick(panel.map, Qt.Key.Key_Escape)
    assert panel.map.choice == Picked()


def test_what_is_searched_for_keeps_its_colour_and_enter_goes_to_it(panel, run, qtbot):
    before = pixel(panel, 0, 2)
    panel.tools.search.setText("no such pod")
    assert pixel(panel, 0, 2) != before
    panel.tools.search.setText("batch")
    qtbot.keyClick(panel.tools.search, Qt.Key.Key_Return)
    pods = run.history.pods
    assert pods.workloads[pods.workload[panel.map.choice.pod]] == "batch"


@pytest.mark.parametrize("stacking", Stacking)
@pytest.mark.parametrize("coloring", Coloring)
def test_every_look_draws_pods_and_explains_its_colours(panel, run, cursor, stacking, coloring):
    cursor.move(1_800.0)
    panel.tools.stacking.setCurrentIndex(panel.tools.stacking.findData(stacking))
    panel.tools.coloring.setCurrentIndex(panel.tools.coloring.findData(coloring))
    scene = panel.map.current_scene()
    assert (scene.look.stacking, scene.look.coloring) == (stacking, coloring)
    assert len(scene.colors) == len(scene.moment.bound) == 5
    panel.grab()
    assert scene.colored.legend and not scene.stacks.high.min() < 0


def test_the_tables_list_what_kubectl_would(panel, run, cursor, qtbot):
    cursor.move(400.0)
    panel.tools.choose_page(Page.NODES)
    table = panel.nodes.table
    status = [table.index(row, 1).data() for row in range(table.rowCount())]
    assert sorted(status) == ["Ready", "Ready,SchedulingDisabled"]
    panel.tools.choose_page(Page.PODS)
    table = panel.pods.table
    heads = [table.headerData(column, Qt.Orientation.Horizontal) for column in range(6)]
    assert heads == ["NAMESPACE", "NAME", "READY", "STATUS", "AGE", "NODE"]
    assert {table.index(row, 3).data() for row in range(table.rowCount())} == {"Running"}
    panel.pods.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    names = [table.index(row, 1).data() for row in range(table.rowCount())]
    assert names == sorted(names)
    panel.pods.selectRow(0)
    assert run.history.pods.name(panel.map.choice.pod) == names[0]
    panel.tools.search.setText("web")
    qtbot.waitUntil(lambda: table.rowCount() == 3)


def test_titles_of_the_tables_stand_over_their_cells(panel, run):
    role = Qt.ItemDataRole.TextAlignmentRole
    for table in (panel.nodes.table, panel.pods.table):
        titles = [table.headerData(column, Qt.Orientation.Horizontal, role) for column in range(table.columnCount())]
        sides = [Qt.AlignmentFlag.AlignRight if one.is_number else Qt.AlignmentFlag.AlignLeft for one in table.columns]
        assert titles == [int(side | Qt.AlignmentFlag.AlignVCenter) for side in sides]


def test_playing_moves_the_time_and_stops_at_the_end(panel, run, cursor, qtbot):
    cursor.move(0.0)
    panel.time.speed.setCurrentIndex(panel.time.speed.count() - 1)
    panel.time.play.click()
    qtbot.waitUntil(lambda: cursor.time_s == 3_600.0)
    assert not panel.time.play.isChecked()


def test_news_of_a_run_under_way_are_drawn_together_a_moment_later(panel, session, result, qtbot, monkeypatch):
    run = a_started_run(PLAN, tuple(result.series))
    session.add(run)
    shown, show = [], panel.map.show_history
    monkeypatch.setattr(panel.map, "show_history", lambda run: shown.append(run.history) or show(run))
    nothing = np.empty(0, np.int64), np.empty((len(result.series), 0))
    for _ in range(3):
        run.append(RunChunk(result.until_us, 0, *nothing, (), (), (), result.history))
    assert not shown  # the plots are drawn first
    qtbot.waitUntil(lambda: panel.map.current_scene() is not None)
    assert len(shown) == 1 and shown[0] is result.history


def test_without_a_run_the_map_says_what_to_do(panel):
    panel.grab()
    assert "F5" in panel.map.empty_text and panel.map.current_scene() is None


def test_every_control_has_a_name(panel):
    parts = (panel.map, panel.nodes, panel.pods, panel.story, panel.legend, panel.tools.search, panel.tools.stacking,
             panel.tools.coloring, panel.time.slider, panel.time.play, panel.time.speed)  # fmt: skip
    assert all(part.accessibleName() for part in parts)
